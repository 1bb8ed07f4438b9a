/*
 * staircase [--plots DIR]
 *
 * The sampling and learning paper, section 4, Figures 6 to 8: 96 work-groups of 256 on a GTX 580, six to each of its 16 SMs. A loop of single-precision
 * additions: all groups finish together. Of one, two, three double-precision additions: the later groups of an SM finish later and later, a staircase.
 */
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "bench/chart.h"
#include "bench/papers/simulate.h"

enum { KINDS = 4, RESIDENT = 6, GROUPS = 96, SMS = 16, ITERATIONS = 2000 };

static const char *const names[KINDS] = {"one FP32 addition", "one FP64 addition", "two FP64 additions", "three FP64 additions"};

struct times {
    double start[RESIDENT], finish[RESIDENT]; /* of the groups of one SM, ms */
};

static bool run(int adds, struct times *times, struct gp_error *error)
{
    static struct gp_launch launch;
    struct subject subject;
    struct gp_sim_result result;
    char macro[32], text[64];
    const char *arguments[] = {macro, NULL};
    snprintf(macro, sizeof macro, "-DADDS=%d", adds);
    if (!subject_open("gtx580", "staircase/adds.cl", "adds", arguments, &subject, error))
        return false;
    snprintf(text, sizeof text, "global=%d:local=256:n=%d", GROUPS * 256, ITERATIONS);
    gp_launch_default(subject.kernel, &launch);
    struct experiment experiment = {.groups = RESIDENT, .resident = RESIDENT, .active_sms = SMS};
    bool done = gp_launch_assume(subject.kernel, &launch, text, error) && simulate(&subject, &launch, &experiment, times->start, times->finish, &result, error);
    for (int g = 0; done && g < RESIDENT; g++) {
        times->start[g] /= subject.device->clock_mhz.value * 1e3;
        times->finish[g] /= subject.device->clock_mhz.value * 1e3;
    }
    subject_close(&subject);
    return done;
}

/* How much later the last group finishes than the first, as a share of the whole. */
static double staircase(const struct times *times)
{
    double first = INFINITY, last = 0;
    for (int g = 0; g < RESIDENT; g++) {
        first = fmin(first, times->finish[g]);
        last = fmax(last, times->finish[g]);
    }
    return (last - first) / last;
}

/* Group g of the launch is the g / 16-th of SM g % 16: groups are dealt out in turn (Figure 5). */
static bool plot(const char *directory, int kind, const struct times *times, struct gp_error *error)
{
    double group[GROUPS], start[GROUPS], finish[GROUPS];
    char path[512], title[128];
    for (int g = 0; g < GROUPS; g++) {
        group[g] = g;
        start[g] = times->start[g / SMS];
        finish[g] = times->finish[g / SMS];
    }
    snprintf(path, sizeof path, "%s/staircase-%d.svg", directory, kind);
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
    printf(" %9.0f%%\n", 100 * staircase(times));
}

int main(int argc, char **argv)
{
    static const struct option options[] = {{"plots", 1, 0, 'p'}, {0}};
    const char *plots = NULL;
    struct times times[KINDS];
    struct gp_error error = {{0}};
    for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        if (option != 'p') {
            fprintf(stderr, "usage: staircase [--plots DIR]\n");
            return 2;
        }
        plots = optarg;
    }
    if (plots != NULL)
        mkdir(plots, 0777);
    printf("%-21s  start and finish of the six groups of an SM, ms %*s staircase\n", "loop of", 28, "");
    bool done = true;
    for (int k = 0; done && k < KINDS; k++) {
        done = run(k, &times[k], &error) && (plots == NULL || plot(plots, k, &times[k], &error));
        if (done)
            print(k, &times[k]);
    }
    if (!done) {
        fprintf(stderr, "staircase: %s\n", error.text);
        return 1;
    }
    /* Figure 6(a): none; Figures 6(b) and 8: there, and more pronounced with each addition. */
    bool as_seen = staircase(&times[0]) < 0.05 && staircase(&times[1]) > 0.05;
    for (int k = 2; k < KINDS; k++)
        as_seen = as_seen && staircase(&times[k]) > staircase(&times[k - 1]);
    printf("%s\n", as_seen ? "as the paper saw it" : "NOT as the paper saw it");
    return !as_seen;
}
