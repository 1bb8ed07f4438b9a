/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Figures 3 and 4: what two optimisations do to SVM on the FX 5600, while its occupancy says little. */
#include <math.h>
#include <stdio.h>

#include "bench/papers/hong_kim/measure.h"
#include "model/assume/stated.h"

enum {
    NAIVE,
    CONSTANT,
    OPTIMIZED,
    VERSIONS,
    FIRST_SIDE = 2,
    LAST_SIDE = 22,
    SIDES = LAST_SIDE - FIRST_SIDE + 1,
    BLOCKS = 1472
};

/*
 * Registers: Table 5's for both versions with constants. Of naive the paper says that up to 64 work-items its occupancy
 * is the same, beyond lower: 16 is the largest number for which that is so and which leaves groups of 484 possible.
 */
static const struct {
    const char *name, *kernel;
    uint32_t registers;
} versions[VERSIONS] = {{"naive", "svm_naive", 16}, {"constant", "svm_constant", 9}, {"optimised", "svm_optimized", 9}};

static bool run(int version, uint32_t side, struct subject *subject, struct measure *m, struct gp_error *error)
{
    struct gp_launch *launch = &(struct gp_launch){0};
    uint32_t group = side * side;
    char items[64];
    snprintf(items, sizeof items, "global=%u:local=%u", BLOCKS * group, group); /* "the number of blocks is fixed" */
    if (!subject_choose(subject, versions[version].kernel, error) || !set_launch(subject->kernel, launch, items, error))
        return false;
    char pitch[16];
    snprintf(pitch, sizeof pitch, "%u", (group + 15) / 16 * 16);
    use_resources(subject, versions[version].registers, 44);
    return (version != OPTIMIZED || gp_launch_set_argument(subject->kernel, launch, "pitch", pitch, error)) &&
           measure(subject, subject->device, launch, m, error);
}

static double per_window(const struct measure *m, uint32_t side)
{
    return m->time_ns / (BLOCKS * (double)(side * side));
}

static void check(struct measure m[VERSIONS][SIDES])
{
    const int last = 16 - FIRST_SIDE;
    bool ordered = true, settled = true;
    for (int i = 4 - FIRST_SIDE; i < SIDES; i++)
        ordered &= m[NAIVE][i].time_ns > m[CONSTANT][i].time_ns && m[CONSTANT][i].time_ns > m[OPTIMIZED][i].time_ns;
    for (int version = 0; version < VERSIONS; version++)
        for (int i = 8 - FIRST_SIDE; i < SIDES; i++) /* with the number of groups fixed: time per window */
            settled &= fabs(per_window(&m[version][i], (uint32_t)(i + FIRST_SIDE)) / per_window(&m[version][last], 16) -
                            1) < 0.5;
    double constant = m[NAIVE][last].time_ns / m[CONSTANT][last].time_ns,
           optimised = m[NAIVE][last].time_ns / m[OPTIMIZED][last].time_ns;
    printf(
        "  256 work-items: constant %.2fx, optimised %.2fx as fast as naive; measured in the paper 1.79x and 24.36x\n",
        constant, optimised);
    state(ordered, "optimised is faster than constant, constant faster than naive, for all groups from 4x4 on");
    state(optimised > 5 * constant, "coalescing is worth much more than constant memory");
    state(settled,
          "from 64 work-items on performance does not vary significantly (time per window within 50%% of 256's)");
    bool same = true;
    for (int i = 0; i <= 8 - FIRST_SIDE; i++)
        same &=
            m[CONSTANT][i].occupancy == m[OPTIMIZED][i].occupancy && m[NAIVE][i].occupancy == m[CONSTANT][i].occupancy;
    state(same, "up to 64 work-items all three have the same occupancy, however different their times are");
    struct gp_mwp_inputs more = m[CONSTANT][last].in;
    struct gp_mwp_result fewer = m[CONSTANT][last].r, all;
    more.active_blocks_per_sm = m[NAIVE][last].in.active_blocks_per_sm; /* as many warps as naive has */
    gp_mwp_cwp(&more, &all);
    state(m[CONSTANT][last].occupancy > 1.4 * m[NAIVE][last].occupancy && fabs(all.cycles / fewer.cycles - 1) < 0.02,
          "constant's higher occupancy gains nothing: with naive's it would be as fast (within 2%%)");
}

bool report_svm(struct gp_error *error)
{
    struct subject subject;
    static struct measure m[VERSIONS][SIDES];
    bool done = subject_open("fx5600", "hong_kim/svm.cl", "svm_naive", NULL, &subject, error);
    printf("\nFigures 3 and 4: SVM on fx5600, %d groups: time in ms, occupancy\n  %-12s", BLOCKS, "work-items");
    for (int version = 0; version < VERSIONS; version++)
        printf(" %12s %5s", versions[version].name, "");
    printf("\n");
    for (uint32_t side = FIRST_SIDE; done && side <= LAST_SIDE; side++) {
        printf("  %-12u", side * side);
        for (int version = 0; done && version < VERSIONS; version++) {
            struct measure *one = &m[version][side - FIRST_SIDE];
            done = run(version, side, &subject, one, error);
            if (done)
                printf(" %12.2f %5.2f", 1e-6 * one->time_ns, one->occupancy);
        }
        printf("\n");
    }
    if (done)
        check(m);
    subject_close(&subject);
    return done;
}
