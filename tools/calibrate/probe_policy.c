/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The sampling paper, section 4, Figures 4 to 8: when each group of an SM starts and ends, six groups of 256 of an SM
 * (96 on the paper's GTX 580) that all do the same. A staircase where lanes are few tells how schedulers choose warps.
 *
 * OpenCL knows no clock within a kernel that devices have (cl_khr_kernel_clock): on a real one nothing is said.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tools/calibrate/calibration.h"
#include "tools/calibrate/readers.h"

enum { LOCAL = 256, GROUPS = 6, UNEVEN = 24, TURNS = 100 };

static const struct loop {
    const char *kernel, *name;
} loops[] = {{"one_float", "one FP32 addition"},    {"one_double", "one FP64 addition"},
             {"two_doubles", "two FP64 additions"}, {"three_doubles", "three FP64 additions"},
             {"transcendental", "a native sine"},   {"loads", "a load"}};
enum { LOOPS = sizeof loops / sizeof *loops };

static bool run_groups(struct gp_calibration *c, const char *kernel, uint32_t groups, double *start, double *finish,
                       struct gp_error *error)
{
    struct gp_times times;
    uint64_t all = (uint64_t)groups * c->target->units / (uint64_t)c->target->halves;
    size_t items = all * LOCAL;
    struct gp_run run = {.program = "policy",
                         .kernel = kernel,
                         .groups = all,
                         .local = LOCAL,
                         .count = TURNS,
                         .other = (int32_t)(c->target->units / c->target->halves),
                         .in_bytes = strcmp(kernel, "loads") == 0 ? items * TURNS * 4 : 4096,
                         .out_bytes = items * 8,
                         .start = start,
                         .finish = finish};
    c->launches++;
    return c->target->time(c->target, &run, &times, error);
}

/* Cycles of an SM between two additions of several warps. */
static bool measure_additions(struct gp_calibration *c, double *cycles, struct gp_error *error)
{
    enum { ADDITIONS = 32 };
    double spread;
    struct gp_run run = {
        .program = "policy", .kernel = "many_floats", .groups = 1, .local = LOCAL, .in_bytes = 4096, .out_bytes = 4096};
    if (!gp_measure_turn(c, run, 2, 10, cycles, &spread, error))
        return false;
    *cycles /= ADDITIONS * LOCAL / (double)c->target->warp;
    return true;
}

static bool say_policy(struct gp_calibration *c, const double share[LOOPS], struct gp_error *error)
{
    static const double SOME = 2; /* cycles: of an SM that has lanes for half a warp */
    static const char *const words[] = {[GP_READ_IN_TURN] = "warps in turn",
                                        [GP_READ_OLDEST_FIRST] = "the oldest warp first",
                                        [GP_READ_OLDEST_GROUP] =
                                            "warps in turn, a blocked one hands over to the oldest group"};
    enum gp_policy_reading reading = GP_READ_NO_POLICY;
    double each;
    if (!measure_additions(c, &each, error))
        return false;
    if (c->target->doubles)
        reading = gp_read_policy(share[0], share[1], share[2], share[3], each > SOME);
    if (reading == GP_READ_NO_POLICY)
        gp_not_identifiable(c, "scheduler_policy", "the staircases are of no policy, or of several");
    else
        gp_found_choice(c, "scheduler_policy", (int)reading, "Lee et al., Figures 6 to 8: %s", words[reading]);
    gp_not_identifiable(c, "scheduler_quantum", "staircases do not depend on it");
    return true;
}

/* How many groups start at once. */
static bool say_refill(struct gp_calibration *c, uint32_t *resident, struct gp_error *error)
{
    static const char *const words[] = {[GP_REFILL_AT_ONCE] = "as soon as another ends",
                                        [GP_REFILL_BY_WAVES] = "when all before have ended",
                                        [GP_REFILL_UNKNOWN] = "when is not known"};
    double start[UNEVEN], finish[UNEVEN];
    uint32_t count = 0;
    if (!run_groups(c, "uneven", UNEVEN, start, finish, error))
        return false;
    while (count < UNEVEN && start[count] < 0.2 * finish[0])
        count++;
    gp_note(c, "  %u groups of %d start at once on an SM, each further one %s", count, LOCAL,
            words[count < UNEVEN ? gp_read_refill(start, finish, UNEVEN, count) : GP_REFILL_UNKNOWN]);
    *resident = count;
    return true;
}

bool gp_probe_policy(struct gp_calibration *c, struct gp_error *error)
{
    double share[LOOPS] = {0};
    uint32_t groups;
    if (!c->target->has_group_times) {
        gp_note(c, "Lee et al.'s staircases: OpenCL tells no times of single groups on this device");
        gp_not_identifiable(c, "scheduler_policy", "there is no clock in kernels here");
        return true;
    }
    gp_note(c, "Lee et al., Figures 5 to 8: staircase of the groups of an SM, percent of the time");
    if (!say_refill(c, &groups, error))
        return false;
    groups = groups < GROUPS ? groups : GROUPS;
    for (int i = 0; i < LOOPS; i++) {
        double start[GROUPS], finish[GROUPS];
        if (strstr(loops[i].kernel, "double") != NULL && !c->target->doubles)
            continue;
        if (!run_groups(c, loops[i].kernel, groups, start, finish, error))
            return false;
        share[i] = gp_read_staircase(finish, groups);
        struct gp_curve *curve = gp_new_curve(c, loops[i].name, "group of an SM", "cycles at its end", false);
        for (uint32_t g = 0; g < groups; g++)
            gp_add_point(curve, g, finish[g]);
        gp_note(c, "  %-22s %3.0f", loops[i].name, 100 * share[i]);
    }
    return say_policy(c, share, error);
}
