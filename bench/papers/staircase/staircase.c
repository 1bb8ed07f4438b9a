/*
 * staircase [--plots DIR]
 *
 * The sampling and learning paper, section 4, Figures 5 to 8: 96 work-groups of 256 on a GTX 580, six to each of its 16 SMs. A loop of single-precision
 * additions: all groups finish together. Of one, two, three double-precision additions: the later groups of an SM finish later and later, a staircase.
 *
 * And the same groups two at a time on an SM: the next one starts as soon as one finishes (Figure 5(a)).
 *
 * FP64 twice: with the GTX 580's FP64 at an eighth of FP32, and at half, as the paper describes it (its Figure 2: both rows of sixteen lanes together).
 */
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "bench/chart.h"
#include "bench/papers/simulate.h"

enum { KINDS = 4, RESIDENT = 6, GROUPS = 96, SMS = 16, ITERATIONS = 2000, RATES = 2 };

static const struct { const char *name, *file; double lanes; } rates[RATES] = {{"an eighth of FP32, as the GTX 580's", "eighth", 4}, {"half of FP32, as the paper takes it", "half", 16}};

static const char *const names[KINDS] = {"one FP32 addition", "one FP64 addition", "two FP64 additions", "three FP64 additions"};

struct times {
    double start[RESIDENT], finish[RESIDENT]; /* of the groups of one SM, ms */
};

static bool run(int adds, double fp64_lanes, uint32_t resident, struct times *times, struct gp_error *error)
{
    static struct gp_launch launch;
    struct subject subject;
    struct gp_sim_result result;
    char macro[32], text[64];
    const char *arguments[] = {macro, NULL};
    snprintf(macro, sizeof macro, "-DADDS=%d", adds);
    if (!subject_open("gtx580", "staircase/adds.cl", "adds", arguments, &subject, error))
        return false;
    subject.device->fp64_lanes.value = fp64_lanes;
    snprintf(text, sizeof text, "global=%d:local=256:n=%d", GROUPS * 256, ITERATIONS);
    gp_launch_default(subject.kernel, &launch);
    struct experiment experiment = {.groups = RESIDENT, .resident = resident, .active_sms = SMS, .every_iteration = true};
    bool done = gp_launch_assume(subject.kernel, &launch, text, error) && simulate(&subject, &launch, &experiment, times->start, times->finish, &result, error);
    for (int g = 0; done && g < RESIDENT; g++) {
        times->start[g] /= subject.device->clock_mhz.value * 1e3;
        times->finish[g] /= subject.device->clock_mhz.value * 1e3;
    }
    subject_close(&subject);
    return done;
}

/* How much later the last group finishes than the first, ms. */
static double spread(const struct times *times)
{
    double first = INFINITY, last = 0;
    for (int g = 0; g < RESIDENT; g++) {
        first = fmin(first, times->finish[g]);
        last = fmax(last, times->finish[g]);
    }
    return last - first;
}

/* The same as a share of the whole: 5/6 where each group waits for the one before. */
static double share(const struct times *times)
{
    double last = 0;
    for (int g = 0; g < RESIDENT; g++)
        last = fmax(last, times->finish[g]);
    return spread(times) / last;
}

/* Group g of the launch is the g / 16-th of SM g % 16: groups are dealt out in turn (Figure 5). */
static bool plot(const char *directory, int kind, const char *rate, const struct times *times, struct gp_error *error)
{
    double group[GROUPS], start[GROUPS], finish[GROUPS];
    char path[512], title[128];
    for (int g = 0; g < GROUPS; g++) {
        group[g] = g;
        start[g] = times->start[g / SMS];
        finish[g] = times->finish[g / SMS];
    }
    snprintf(path, sizeof path, "%s/staircase-%s-%d.svg", directory, rate, kind);
    snprintf(title, sizeof title, "GTX 580, start to finish of 96 work-groups: loop of %s", names[kind]);
    struct chart_series series = {.kind = CHART_SPANS, .x = group, .y = finish, .from = start, .count = GROUPS};
    struct chart chart = {.title = title, .x_label = "work-group", .y_label = "ms", .series = &series, .series_count = 1};
    return chart_write(path, &chart, error);
}

static void print(int kind, const struct times *times)
{
    printf("%-21s", names[kind]);
    for (int g = 0; g < RESIDENT; g++)
        printf("  %5.3f-%5.3f", times->start[g], times->finish[g]);
    printf("  %7.3f %6.0f%%\n", spread(times), 100 * share(times));
}

/* Figure 6(a): no staircase; Figures 6(b) and 8: there, and growing with each addition. */
static bool as_seen(const struct times times[KINDS], double (*height)(const struct times *))
{
    bool seen = share(&times[0]) < 0.05 && share(&times[1]) > 0.2;
    for (int k = 2; k < KINDS; k++)
        seen = seen && height(&times[k]) > height(&times[k - 1]);
    return seen;
}

static bool run_rate(int rate, const char *plots, bool *seen, struct gp_error *error)
{
    struct times times[KINDS];
    bool done = true;
    printf("\nFP64 at %s\n%-21s  %-90s %7s %7s\n", rates[rate].name, "loop of", "start and finish of the six groups of an SM, ms", "spread", "share");
    for (int k = 0; done && k < KINDS; k++) {
        done = run(k, rates[rate].lanes, RESIDENT, &times[k], error) && (plots == NULL || plot(plots, k, rates[rate].file, &times[k], error));
        if (done)
            print(k, &times[k]);
    }
    if (!done)
        return false;
    bool grows = as_seen(times, spread), share_grows = as_seen(times, share);
    printf("no staircase with FP32; with FP64 it grows with the additions in ms: %s; as a share of the time: %s\n", grows ? "yes" : "NO", share_grows ? "yes" : "no");
    *seen = *seen && grows;
    return true;
}

/* Figure 5(a): with two groups at a time on each SM the first 32 start together, and each further one when another has finished. */
static bool run_two_at_a_time(const char *plots, bool *seen, struct gp_error *error)
{
    struct times times;
    if (!run(0, rates[0].lanes, 2, &times, error) || (plots != NULL && !plot(plots, 0, "two-at-a-time", &times, error)))
        return false;
    printf("\nTwo groups at a time\n");
    print(0, &times);
    bool follows = true;
    for (int g = 2; g < RESIDENT; g++)
        follows = follows && times.start[g] >= times.finish[g - 2] && times.start[g] < 1.01 * times.finish[g - 2];
    printf("each group starts when one has finished: %s\n", follows ? "yes" : "NO");
    *seen = *seen && follows;
    return true;
}

int main(int argc, char **argv)
{
    static const struct option options[] = {{"plots", 1, 0, 'p'}, {0}};
    const char *plots = NULL;
    struct gp_error error = {{0}};
    bool done = true, seen = true;
    for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        if (option != 'p') {
            fprintf(stderr, "usage: staircase [--plots DIR]\n");
            return 2;
        }
        plots = optarg;
    }
    if (plots != NULL)
        mkdir(plots, 0777);
    for (int rate = 0; done && rate < RATES; rate++)
        done = run_rate(rate, plots, &seen, &error);
    done = done && run_two_at_a_time(plots, &seen, &error);
    if (!done)
        fprintf(stderr, "staircase: %s\n", error.text);
    return !done || !seen;
}
