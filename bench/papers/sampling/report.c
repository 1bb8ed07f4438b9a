/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "bench/papers/sampling/report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The paper's means of the linear model and the learned one; 0: none was made. */
static const struct paper {
    const char *device;
    double linear, learned;
} papers[] = {{"gtx280", 7.19, 6.42}, {"gtx580", 5.72, 4.76}, {"gtx680", 10, 0}, {"hd6970", 8.10, 7.91}};

static const struct paper *paper_of(const char *device)
{
    for (size_t i = 0; i < sizeof papers / sizeof *papers; i++)
        if (strcmp(papers[i].device, device) == 0)
            return &papers[i];
    return NULL;
}

struct mean {
    double sum;
    int count;
};

static void add(struct mean *mean, double value)
{
    mean->sum += value;
    mean->count++;
}

static double of(const struct mean *mean) { return mean->count > 0 ? mean->sum / mean->count : NAN; }

#define EACH_OF(times, device, s) \
    for (const struct subject_times *s = (times)->items; s < (times)->items + (times)->count; s++) \
        if (strcmp(s->at[0].device, device) == 0 && is_complete(s))

/* The line must hold where work is even, on simulated devices, on which nothing disturbs. */
static const double most_even = 5;
static bool missed;

static void print_means(const struct times *times, const char *device)
{
    struct mean all = {0}, by_work = {0}, kinds[KINDS] = {{0}}, instances = {0}, cost = {0};
    EACH_OF(times, device, s)
    {
        int first, second;
        linear_points(s, &first, &second);
        add(&all, linear_error(s));
        add(&kinds[s->at[0].kind], linear_error(s));
        if (s->at[POINTS - 1].issued > 0)
            add(&by_work, error_of(work_ns(s), s));
        for (int p = second + 1; p < POINTS; p++)
            add(&instances, linear_error_at(s, first, second, p));
        add(&cost, 100 * (s->at[first].ns + s->at[second].ns) / s->at[POINTS - 1].ns);
    }
    const struct paper *paper = paper_of(device);
    missed |= paper != NULL && of(&kinds[EVEN]) > most_even;
    printf("%-8s %8d %9d %9.2f", device, all.count, all.count * POINTS, of(&all));
    for (int k = 0; k < FEW; k++)
        printf(" %9.2f", of(&kinds[k]));
    printf(" %9.2f %7.1f", of(&instances), of(&cost));
    printf(by_work.count > 0 ? " %8.2f" : "        -", of(&by_work));
    printf(paper != NULL ? " %8.2f\n" : "        -\n", paper != NULL ? paper->linear : 0.0);
}

/* Figure 15. */
static void print_first_points(const struct times *times, const char *device)
{
    printf("%-8s", device);
    for (int first = 0; first < 5; first++) {
        struct mean mean = {0};
        EACH_OF(times, device, s)
        add(&mean, linear_error_at(s, first, first + 1, POINTS - 1));
        printf(" %7.2f", of(&mean));
    }
    printf("\n");
}

static void print_kernels(const struct times *times, const char *device)
{
    EACH_OF(times, device, s)
    {
        printf("%-8s %-20s %-7s %5.0f %6.0f %9.3f %+8.2f\n", device, s->at[0].kernel, kind_names[s->at[0].kind],
               s->at[0].local, s->at[0].psat, s->at[POINTS - 1].ns / 1e6,
               linear_error(s) *
                   (linear_ns(s, FIRST_POINT, SECOND_POINT, POINTS - 1) < s->at[POINTS - 1].ns ? -1.0 : 1.0));
    }
}

static void for_each_device(const struct times *times, void (*print)(const struct times *, const char *))
{
    int at = 0;
    for (const char *device; (device = next_device(times, &at)) != NULL;)
        print(times, device);
}

bool report(int count, const char *const *files, struct gp_error *error)
{
    struct times times = {0};
    bool done = true;
    for (int i = 0; done && i < count; i++)
        done = times_read(files[i], &times, error);
    if (count == 0)
        done = times_read_all(PAPERS_DIR "/sampling/results", &times, error);
    if (done) {
        printf("The line through the times of 2 and 3 saturations at the whole launch, by kernel\n");
        printf("device   kernel               kind    local   psat        ms  error %%\n");
        for_each_device(&times, print_kernels);
        printf(
            "\nMean error of the linear model in percent: of the whole launch, by kinds, of all larger instances; cost "
            "of the samples; by a line through work\n");
        printf("device    kernels instances      mean      even    memory    uneven instances   cost%%  by work    "
               "paper\n");
        for_each_device(&times, print_means);
        printf("\nMean error over the first sample (Figure 15; the second is one more)\n"
               "first         1       2       3       4       5\n");
        for_each_device(&times, print_first_points);
    }
    times_free(&times);
    return done && missed ? gp_fail(error, "the line is further off than 5%% where work is even") : done;
}
