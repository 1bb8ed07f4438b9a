/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * staircase [--plots DIR]
 *
 * The sampling and learning paper, section 4, Figures 5 to 8: 96 work-groups of 256 on a GTX 580, six to each of its 16
 * SMs. A loop of single-precision additions: all groups finish together. Of one, two, three double-precision additions:
 * the later groups of an SM finish later and later, a staircase. Figure 7: how far each group is meanwhile.
 *
 * And the same groups two at a time on an SM: the next one starts as soon as one finishes (Figure 5(a)).
 *
 * FP64 is an eighth of FP32 on the GTX 580, not half, as the paper describes it (its Figure 2: both rows of sixteen
 * lanes together).
 */
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "bench/chart.h"
#include "bench/papers/staircase/progress.h"
#include "model/assume/defaults.h"
#include "model/assume/stated.h"

enum { KINDS = 4, RESIDENT = 6, GROUPS = 96, SMS = 16, ITERATIONS = 2000, MARKS = 4 };

static const char *const names[KINDS] = {"one FP32 addition", "one FP64 addition", "two FP64 additions",
                                         "three FP64 additions"};

struct times {
    double start[RESIDENT], finish[RESIDENT]; /* of the groups of one SM, ms */
};

static bool open_kernel(int adds, struct subject *subject, struct gp_error *error)
{
    char macro[32];
    const char *arguments[] = {macro, NULL};
    snprintf(macro, sizeof macro, "-DADDS=%d", adds);
    return subject_open("gtx580", "staircase/adds.cl", "adds", arguments, subject, error);
}

static bool launch_of(const struct subject *subject, int iterations, struct gp_launch *launch, struct gp_error *error)
{
    char text[64];
    snprintf(text, sizeof text, "global=%d:local=256:n=%d", GROUPS * 256, iterations);
    gp_launch_default(subject->kernel, launch);
    return gp_launch_assume(subject->kernel, launch, text, error);
}

static void to_ms(const struct subject *subject, double cycles[RESIDENT])
{
    for (int g = 0; g < RESIDENT; g++)
        cycles[g] /= subject->device->clock_mhz.value * 1e3;
}

static bool run(int adds, uint32_t resident, struct times *times, struct gp_error *error)
{
    static struct gp_launch launch;
    struct subject subject;
    struct gp_sim_result result;
    if (!open_kernel(adds, &subject, error))
        return false;
    struct experiment experiment = {
        .groups = RESIDENT, .resident = resident, .active_sms = SMS, .every_iteration = true};
    bool done = launch_of(&subject, ITERATIONS, &launch, error) &&
                simulate(&subject, &launch, &experiment, times->start, times->finish, &result, error);
    if (done) {
        to_ms(&subject, times->start);
        to_ms(&subject, times->finish);
    }
    subject_close(&subject);
    return done;
}

/* When the groups of an SM have done 20, 40, 60 and 80% of their iterations, or the first `count` of these, ms. */
static bool run_marks(int adds, int count, double marks[MARKS][RESIDENT], struct gp_error *error)
{
    static struct gp_launch whole, part;
    struct subject subject;
    if (!open_kernel(adds, &subject, error))
        return false;
    struct experiment experiment = {.groups = RESIDENT, .resident = RESIDENT, .active_sms = SMS};
    bool done = launch_of(&subject, ITERATIONS, &whole, error);
    for (int m = 0; done && m < count; m++) {
        done = launch_of(&subject, (m + 1) * ITERATIONS / (MARKS + 1), &part, error) &&
               progress(&subject, &whole, &part, &experiment, marks[m], error);
        if (done)
            to_ms(&subject, marks[m]);
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
static bool plot(const char *directory, int kind, const char *name, const struct times *times, struct gp_error *error)
{
    double group[GROUPS], start[GROUPS], finish[GROUPS];
    char path[512], title[128];
    for (int g = 0; g < GROUPS; g++) {
        group[g] = g;
        start[g] = times->start[g / SMS];
        finish[g] = times->finish[g / SMS];
    }
    snprintf(path, sizeof path, "%s/staircase-%s.svg", directory, name);
    snprintf(title, sizeof title, "GTX 580, start to finish of 96 work-groups: loop of %s", names[kind]);
    struct chart_series series = {.kind = CHART_SPANS, .x = group, .y = finish, .from = start, .count = GROUPS};
    struct chart chart = {
        .title = title, .x_label = "work-group", .y_label = "ms", .series = &series, .series_count = 1};
    return chart_write(path, &chart, error);
}

/* Figure 7. */
static bool plot_marks(const char *directory, const struct times *times, double marks[MARKS][RESIDENT],
                       struct gp_error *error)
{
    double group[GROUPS], at[MARKS + 1][GROUPS];
    char path[512], done[MARKS + 1][16];
    struct chart_series series[MARKS + 1];
    for (int m = 0; m <= MARKS; m++) {
        for (int g = 0; g < GROUPS; g++) {
            group[g] = g;
            at[m][g] = m < MARKS ? marks[m][g / SMS] : times->finish[g / SMS];
        }
        snprintf(done[m], sizeof done[m], "%d%%", 100 * (m + 1) / (MARKS + 1));
        series[m] =
            (struct chart_series){.name = done[m], .kind = CHART_POINTS, .x = group, .y = at[m], .count = GROUPS};
    }
    snprintf(path, sizeof path, "%s/staircase-progress.svg", directory);
    struct chart chart = {.title = "GTX 580, progress of 96 work-groups: loop of one FP64 addition",
                          .x_label = "work-group",
                          .y_label = "ms",
                          .series = series,
                          .series_count = MARKS + 1};
    return chart_write(path, &chart, error);
}

static void print(int kind, const struct times *times)
{
    printf("%-21s", names[kind]);
    for (int g = 0; g < RESIDENT; g++)
        printf("  %5.3f-%5.3f", times->start[g], times->finish[g]);
    printf("  %7.3f %6.0f%%\n", spread(times), 100 * share(times));
}

static void print_marks(double marks[MARKS][RESIDENT])
{
    for (int m = 0; m < MARKS; m++) {
        printf("%19d%% ", 100 * (m + 1) / (MARKS + 1));
        for (int g = 0; g < RESIDENT; g++)
            printf("  %11.3f", marks[m][g]);
        printf("\n");
    }
}

/* ---- What the figures state ---- */

/* Figure 6: none with single precision, one with double precision. */
static bool is_there(const struct times times[KINDS]) { return share(&times[0]) < 0.05 && share(&times[1]) > 0.2; }

/* Each group waits for the one before, but for what the last warps of one leave to the next. */
static bool is_full(const struct times *times) { return share(times) > 0.95 * (RESIDENT - 1) / RESIDENT; }

/* Figure 8: "more pronounced the higher the resource contention", until it is full. Of the time: in ms it grows with
 * the work alone. */
static bool grows(const struct times times[KINDS])
{
    double one = share(&times[1]), two = share(&times[2]), three = share(&times[3]);
    return two > one && three > one && (three > two || (is_full(&times[2]) && is_full(&times[3])));
}

/* Figure 7: the third group gets nowhere before the first has finished, the fourth before the second, the fifth before
 * the third. */
static bool waits_for_last_but_one(const struct times *times, const double mark[RESIDENT])
{
    bool waits = true;
    for (int g = 2; g < RESIDENT - 1; g++)
        waits = waits && mark[g] > times->finish[g - 2];
    return waits;
}

/* And until then two of them run side by side. */
static bool two_side_by_side(const struct times *times, const double mark[RESIDENT])
{
    return mark[1] < times->finish[0] && mark[2] > times->finish[0];
}

/* Figure 8(c): "the later work-groups will not even start executing before the first work-group has finished". */
static bool later_ones_wait(const struct times *times, const double mark[RESIDENT])
{
    bool wait = true;
    for (int g = 2; g < RESIDENT; g++)
        wait = wait && mark[g] > times->finish[0];
    return wait;
}

static void state(const char *what, bool found, bool *seen)
{
    printf("%-92s %s\n", what, found ? "yes" : "NO");
    *seen = *seen && found;
}

static void state_all(const struct times times[KINDS], double marks[MARKS][RESIDENT],
                      const double mark_of_three[RESIDENT], bool *seen)
{
    state("none with FP32, one with FP64 (Figure 6):", is_there(times), seen);
    state("it grows with the additions, as a share of the time, until each group waits (Figure 8):", grows(times),
          seen);
    state("the later groups wait for the first, three additions (Figure 8(c)):",
          later_ones_wait(&times[3], mark_of_three), seen);
    state("each group waits for the last but one, one addition (Figure 7):",
          waits_for_last_but_one(&times[1], marks[0]), seen);
    state("two groups run side by side, and no third (Figure 7):", two_side_by_side(&times[1], marks[0]), seen);
}

static bool run_figure_7(const char *plots, const struct times times[KINDS], bool *seen, struct gp_error *error)
{
    double marks[MARKS][RESIDENT], of_three[MARKS][RESIDENT];
    if (!run_marks(1, MARKS, marks, error) || !run_marks(3, 1, of_three, error))
        return false;
    printf("one FP64 addition, ms when a part of the iterations is done (Figure 7)\n");
    print_marks(marks);
    state_all(times, marks, of_three[0], seen);
    return plots == NULL || plot_marks(plots, &times[1], marks, error);
}

static bool run_all_kinds(const char *plots, bool *seen, struct gp_error *error)
{
    static const char *const files[KINDS] = {"fp32", "1-fp64", "2-fp64", "3-fp64"};
    struct times times[KINDS];
    bool done = true;
    printf("%-21s  %-90s %7s %7s\n", "loop of", "start and finish of the six groups of an SM, ms", "spread", "share");
    for (int k = 0; done && k < KINDS; k++) {
        done = run(k, RESIDENT, &times[k], error) && (plots == NULL || plot(plots, k, files[k], &times[k], error));
        if (done)
            print(k, &times[k]);
    }
    return done && run_figure_7(plots, times, seen, error);
}

/* Figure 5(a): with two groups at a time on each SM the first 32 start together, and each further one when another has
 * finished. */
static bool run_two_at_a_time(const char *plots, bool *seen, struct gp_error *error)
{
    struct times times;
    if (!run(0, 2, &times, error) || (plots != NULL && !plot(plots, 0, "two-at-a-time", &times, error)))
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
    bool done, seen = true;
    for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        if (option != 'p') {
            fprintf(stderr, "usage: staircase [--plots DIR]\n");
            return 2;
        }
        plots = optarg;
    }
    if (plots != NULL)
        mkdir(plots, 0777);
    done = run_all_kinds(plots, &seen, &error) && run_two_at_a_time(plots, &seen, &error);
    if (!done)
        fprintf(stderr, "staircase: %s\n", error.text);
    return !done || !seen;
}
