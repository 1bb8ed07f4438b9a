/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * lashgar [--plots DIR] [DEVICE...]
 * lashgar --read FILE
 *
 * Lashgar et al.: their micro-benchmark of outstanding memory requests (Listing 1) on simulated SMs of an M2070 and a
 * K20. For each number of loads and each pattern a thread-latency curve from 2 to 1024 threads; where its variance
 * shows a spike; and what the curves of a device say together about the resource behind it. With --read the curves are
 * a measured device's: a line per point, `loads sharing threads cycles`. DEVICE may be any of the database's.
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "bench/chart.h"
#include "bench/papers/simulate.h"
#include "tools/calibrate/outstanding.h"
#include "model/assume/defaults.h"
#include "model/assume/stated.h"
#include "support/text.h"

enum { POINTS = 512, MOST_CURVES = 64, WARP = 32 };

struct curve {
    unsigned loads, sharing;
    uint32_t threads[POINTS];
    double latency[POINTS];
    size_t count;
};

/*
 * What the paper reports: `before` 0: no spike. Lines that threads share are in 5.1 alone, the M2070's: its "for
 * Merger16 and Merger32, we could not observe a significant spike", too. Of the K20 5.2 shows "a memory pattern where
 * every load instruction has a unique address" only.
 */
struct seen {
    const char *device;
    unsigned loads, sharing;
    int before, to; /* the jump is behind a number of threads in this range */
};
static const struct seen reported[] = {
    {"m2070", 1, 1, 128, 128}, {"m2070", 2, 1, 64, 64}, {"m2070", 1, 2, 256, 256}, {"m2070", 2, 4, 256, 256},
    {"m2070", 4, 8, 256, 256}, {"m2070", 1, 16, 0, 0},  {"m2070", 2, 16, 0, 0},    {"m2070", 4, 16, 0, 0},
    {"m2070", 1, 32, 0, 0},    {"m2070", 2, 32, 0, 0},  {"m2070", 4, 32, 0, 0},    {"k20", 1, 1, 0, 0},
    {"k20", 2, 1, 672, 704},   {"k20", 3, 1, 448, 480},
};
enum { REPORTED = sizeof reported / sizeof *reported };

/* ---- Curves ------------------------------------------------------------------------------------------------------ */

static bool open_kernel(const char *device, unsigned loads, unsigned sharing, bool timed, struct subject *subject,
                        struct gp_error *error)
{
    char first[32], second[32];
    const char *arguments[] = {first, second, timed ? NULL : "-DUNTIMED", NULL};
    snprintf(first, sizeof first, "-DLOADS=%u", loads);
    snprintf(second, sizeof second, "-DSHARING=%u", sharing);
    return subject_open(device, "lashgar/outstanding.cl", "outstanding", arguments, subject, error);
}

static bool cycles_of(const struct subject *subject, uint32_t threads, double *cycles, struct gp_error *error)
{
    static struct gp_launch launch;
    char text[64];
    struct gp_sim_result result;
    struct experiment one_group = {.groups = 1, .resident = 1, .active_sms = 1, .in_l2 = true};
    snprintf(text, sizeof text, "global=%u:local=%u", threads, threads);
    gp_launch_default(subject->kernel, &launch);
    if (!gp_launch_assume(subject->kernel, &launch, text, error) ||
        !simulate(subject, &launch, &one_group, NULL, NULL, &result, error))
        return false;
    *cycles = result.cycles;
    return true;
}

/* Cycles of the whole kernel, with the loads or without. */
static bool simulate_kernel(const char *device, struct curve *curve, bool timed, double cycles[POINTS],
                            struct gp_error *error)
{
    struct subject subject;
    if (!open_kernel(device, curve->loads, curve->sharing, timed, &subject, error))
        return false;
    bool done = true;
    for (curve->count = 0; done && curve->count < POINTS; curve->count++) {
        curve->threads[curve->count] = 2 * ((uint32_t)curve->count + 1);
        done = cycles_of(&subject, curve->threads[curve->count], &cycles[curve->count], error);
    }
    subject_close(&subject);
    return done;
}

/* The time between the two clock() calls of Listing 1: the kernel's, less that of the kernel that only makes the
 * addresses. */
static bool simulate_curve(const char *device, struct curve *curve, struct gp_error *error)
{
    static double around[POINTS];
    if (!simulate_kernel(device, curve, false, around, error) ||
        !simulate_kernel(device, curve, true, curve->latency, error))
        return false;
    for (size_t i = 0; i < curve->count; i++)
        curve->latency[i] -= around[i];
    return true;
}

/* ---- Reading ----------------------------------------------------------------------------------------------------- */

static const struct seen *find_reported(const char *device, const struct curve *curve)
{
    for (int i = 0; device != NULL && i < REPORTED; i++)
        if (strcmp(reported[i].device, device) == 0 && reported[i].loads == curve->loads &&
            reported[i].sharing == curve->sharing)
            return &reported[i];
    return NULL;
}

/* Whether the paper is about this device at all. */
static bool is_of_the_paper(const char *device)
{
    for (int i = 0; device != NULL && i < REPORTED; i++)
        if (strcmp(reported[i].device, device) == 0)
            return true;
    return false;
}

static void print_spike(const char *device, const struct curve *curve, const struct gp_latency_spike *spike,
                        const struct seen *seen, unsigned *misses)
{
    char found[48] = "none", paper[48] = "";
    if (spike->found)
        snprintf(found, sizeof found, "behind %u (+%.0f clk)", spike->before, spike->rise);
    if (seen != NULL && seen->before == 0)
        snprintf(paper, sizeof paper, "none");
    else if (seen != NULL && seen->before == seen->to)
        snprintf(paper, sizeof paper, "behind %d", seen->before);
    else if (seen != NULL)
        snprintf(paper, sizeof paper, "within %d to %d", seen->before, seen->to);
    else if (is_of_the_paper(device))
        snprintf(paper, sizeof paper, "not stated by the paper");
    bool same = seen == NULL ||
                (spike->found ? (int)spike->before >= seen->before && (int)spike->before <= seen->to && seen->before > 0
                              : seen->before == 0);
    *misses += !same;
    printf("%5u %7u %12.0f %12.0f   %-22s %-24s%s\n", curve->loads, curve->sharing, curve->latency[0],
           curve->latency[curve->count - 1], found, paper, same ? "" : "  MISS");
}

static void print_readings(const struct gp_in_flight_reading readings[GP_IN_FLIGHT_KINDS], size_t spikes)
{
    if (spikes == 0) {
        printf("no spike: the SM kept at least %u lines, %u requests of threads, %u loads of warps in flight\n",
               readings[GP_IN_FLIGHT_LINES].low, readings[GP_IN_FLIGHT_LANES].low, readings[GP_IN_FLIGHT_WARPS].low);
        return;
    }
    for (int r = 0; r < GP_IN_FLIGHT_KINDS; r++) {
        const struct gp_in_flight_reading *reading = &readings[r];
        printf("%-12s%s: ", r == 0 ? "reads as" : "or as", gp_in_flight_kind_name(reading->kind));
        if (reading->low > reading->high) {
            printf("no number of entries explains every spike\n");
            continue;
        }
        printf(reading->low == reading->high ? "%u entries" : "%u to %u entries", reading->low, reading->high);
        if (reading->misfit > 0)
            printf("; a spike is %u threads off a warp boundary", reading->misfit);
        if (reading->missing > 0)
            printf(reading->missing == 1 ? "; %u curve should show a spike and does not"
                                         : "; %u curves should show a spike and do not",
                   reading->missing);
        printf("\n");
    }
}

/*
 * Figure 1 and section 3.2, the first, small spike: one load's lines leave the M2070 one after the other, those of
 * three warps side by side ("up to 96 memory requests can be processed in parallel").
 */
static void print_serialisation(const char *device, const struct curve *curve, const struct gp_latency_curve *points,
                                const struct gp_latency_spike *spike, unsigned *misses)
{
    struct gp_latency_serialisation found;
    double variance[POINTS], first = 0;
    gp_find_serialisation(points, WARP, &found);
    gp_latency_variance(curve->latency, curve->count, variance);
    for (size_t i = 0; i < curve->count && curve->threads[i] <= WARP; i++)
        first = variance[i] > first ? variance[i] : first;
    if (found.side_by_side == 0)
        return;
    bool shown = device != NULL && strcmp(device, "m2070") == 0;
    bool same = !shown || (found.side_by_side == 3 && found.flat_to < 128 && first > 0 && spike->found &&
                           first < spike->variance);
    *misses += !same;
    printf("one load grows by %.1f clk a line up to %d threads (variance %.0f), ", found.rise, WARP, first);
    if (found.side_by_side > 1)
        printf("and no more up to %u: the lines of %u warps go out side by side", found.flat_to, found.side_by_side);
    else
        printf("and goes on growing: the lines of one warp after the other's");
    printf("%s%s\n", shown ? "; the paper: of 3, the variance smaller than the spike's" : "", same ? "" : "  MISS");
}

static bool plot(const char *directory, const char *device, const struct curve *curve, struct gp_error *error)
{
    double threads[POINTS], variance[POINTS];
    char path[512], title[160];
    for (size_t i = 0; i < curve->count; i++)
        threads[i] = curve->threads[i];
    gp_latency_variance(curve->latency, curve->count, variance);
    snprintf(path, sizeof path, "%s/lashgar-%s-%u-loads-merger-%u.svg", directory, device, curve->loads,
             curve->sharing);
    snprintf(title, sizeof title, "%s: %u load%s per thread, %u thread%s to a line", device, curve->loads,
             curve->loads > 1 ? "s" : "", curve->sharing, curve->sharing > 1 ? "s" : "");
    struct chart_series series[] = {
        {.name = "latency", .kind = CHART_LINE, .x = threads, .y = curve->latency, .count = curve->count},
        {.name = "variance", .kind = CHART_LINE, .x = threads, .y = variance, .count = curve->count, .right = true}};
    struct chart chart = {.title = title,
                          .x_label = "threads",
                          .y_label = "latency, cycles",
                          .right_label = "variance of latency",
                          .series = series,
                          .series_count = 2};
    return chart_write(path, &chart, error);
}

/* All curves of one device. */
static bool read_curves(const char *device, const char *plots, const struct curve *curves, size_t count,
                        unsigned *misses, struct gp_error *error)
{
    struct gp_latency_curve list[MOST_CURVES] = {0};
    struct gp_latency_spike spikes[MOST_CURVES];
    struct gp_in_flight_reading readings[GP_IN_FLIGHT_KINDS];
    for (size_t c = 0; c < count; c++)
        list[c] = (struct gp_latency_curve){.loads = curves[c].loads,
                                            .sharing = curves[c].sharing,
                                            .count = curves[c].count,
                                            .threads = curves[c].threads,
                                            .latency = curves[c].latency};
    size_t found = gp_read_limits(list, count, WARP, spikes, readings);
    printf("%5s %7s %12s %12s   %-22s %s\n", "loads", "merger", "first clk", "last clk", "spike",
           device ? "the paper" : "");
    for (size_t c = 0; c < count; c++)
        print_spike(device, &curves[c], &spikes[c], find_reported(device, &curves[c]), misses);
    for (size_t c = 0; c < count; c++)
        if (curves[c].loads == 1 && curves[c].sharing == 1)
            print_serialisation(device, &curves[c], &list[c], &spikes[c], misses);
    print_readings(readings, found);
    bool done = true;
    for (size_t c = 0; done && device != NULL && plots != NULL && c < count; c++)
        done = plot(plots, device, &curves[c], error);
    return done;
}

static const unsigned patterns[][2] = {{1, 1},  {2, 1},  {3, 1},  {1, 2},  {2, 4},  {4, 8},
                                       {1, 16}, {2, 16}, {4, 16}, {1, 32}, {2, 32}, {4, 32}};
enum { PATTERNS = sizeof patterns / sizeof *patterns };

/* "We limit the number of loads per thread below the scoreboard limit" (3.1). */
static bool most_loads(const char *name, unsigned *most, struct gp_error *error)
{
    struct gp_device *device = gp_device_load(name, getenv("GPUPERF_HWDB"), error);
    if (device == NULL)
        return false;
    *most = (unsigned)device->warp_loads.value;
    gp_device_free(device);
    return true;
}

static bool run_device(const char *device, const char *plots, unsigned *misses, struct gp_error *error)
{
    static struct curve curves[PATTERNS];
    unsigned most = 0;
    size_t count = 0;
    bool done = most_loads(device, &most, error);
    for (size_t p = 0; done && p < PATTERNS; p++) {
        if (patterns[p][0] > most)
            continue;
        curves[count] = (struct curve){.loads = patterns[p][0], .sharing = patterns[p][1]};
        done = simulate_curve(device, &curves[count++], error);
    }
    if (!done)
        return false;
    printf("\n%s\n", device);
    return read_curves(device, plots, curves, count, misses, error);
}

/* Points of one curve need not stand together, but must come with growing numbers of threads. */
static bool add_point(struct curve *curves, size_t *count, const unsigned point[3], double cycles)
{
    size_t c = 0;
    while (c < *count && (curves[c].loads != point[0] || curves[c].sharing != point[1]))
        c++;
    if (c == MOST_CURVES)
        return false;
    if (c == *count)
        curves[(*count)++] = (struct curve){.loads = point[0], .sharing = point[1]};
    struct curve *curve = &curves[c];
    if (point[0] == 0 || point[1] == 0 || curve->count == POINTS ||
        (curve->count > 0 && curve->threads[curve->count - 1] >= point[2]))
        return false;
    curve->threads[curve->count] = point[2];
    curve->latency[curve->count++] = cycles;
    return true;
}

static bool read_file(const char *path, struct gp_error *error)
{
    static struct curve curves[MOST_CURVES];
    size_t count = 0, line = 0;
    unsigned misses = 0, point[3];
    double cycles;
    char text[256];
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return gp_fail(error, "%s: %s", path, strerror(errno));
    bool done = true;
    while (done && fgets(text, sizeof text, file) != NULL) {
        line++;
        if (text[0] == '#' || text[0] == '\n')
            continue;
        if (sscanf(text, "%u %u %u %lf", &point[0], &point[1], &point[2], &cycles) != 4 ||
            !add_point(curves, &count, point, cycles))
            done = gp_fail(error,
                           "%s:%zu: not `loads sharing threads cycles` with growing threads per curve, at most %d "
                           "points and %d curves",
                           path, line, POINTS, MOST_CURVES);
    }
    fclose(file);
    if (done && count == 0)
        done = gp_fail(error, "%s holds no points", path);
    return done && read_curves(NULL, NULL, curves, count, &misses, error);
}

int main(int argc, char **argv)
{
    static const struct option options[] = {{"plots", 1, 0, 'p'}, {"read", 1, 0, 'r'}, {0}};
    static const char *const usual[] = {"m2070", "k20"};
    const char *plots = NULL, *file = NULL;
    struct gp_error error = {{0}};
    unsigned misses = 0;
    for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        switch (option) {
        case 'p': plots = optarg; break;
        case 'r': file = optarg; break;
        default: fprintf(stderr, "usage: lashgar [--plots DIR] [DEVICE...]\n       lashgar --read FILE\n"); return 2;
        }
    }
    if (plots != NULL)
        mkdir(plots, 0777);
    bool done = true;
    if (file != NULL)
        done = read_file(file, &error);
    for (int i = optind; file == NULL && done && i < argc; i++)
        done = run_device(argv[i], plots, &misses, &error);
    for (int i = 0; file == NULL && done && optind == argc && i < 2; i++)
        done = run_device(usual[i], plots, &misses, &error);
    if (!done) {
        fprintf(stderr, "lashgar: %s\n", error.text);
        return 1;
    }
    if (misses > 0)
        printf("\n%u curves differ from the paper's\n", misses);
    return misses > 0;
}
