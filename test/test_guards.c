/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Where groups begin to do otherwise, and that samples stand for groups of one side only. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/assume/guards.h"
#include "model/profile/profile_text.h"
#include "model/assume/defaults.h"

enum { GROUPS = 1024, LOCAL = 256 };

static struct gp_error error;

/* A kernel whose branch takes %holds, which `condition` makes; a launch of 1024 groups of 256, or of 32 x 32 of 16
 * x 16. */
static struct gp_profile *kernel_with(const char *condition, bool plane, struct gp_launch *launch)
{
    char text[4096];
    int length = snprintf(
        text, sizeof text,
        "gpuperf-profile 1\nkernel k\n  param n: int 32 skeleton size 4\n  dims 2\n  resources registers 8 from "
        "estimate\n"
        "  block 0: ipdom 2\n    %%gid = id.global_id.0 i64\n    %%group = id.group_id.0 i64\n    %%row = "
        "id.global_id.1 i64\n%s"
        "    condbr %%holds, block 1, block 2 kind thread\n  block 1: ipdom 2\n    br block 2\n  block 2:\n    ret\n",
        condition);
    struct gp_profile *profile = gp_profile_parse(text, (size_t)length, &error);
    if (profile == NULL)
        fail_msg("%s", error.text);
    gp_launch_default(&profile->kernels[0], launch);
    launch->dims = plane ? 2 : 1;
    launch->global[0] = plane ? 512 : GROUPS * LOCAL;
    launch->local[0] = plane ? 16 : LOCAL;
    launch->global[1] = plane ? 512 : 1;
    launch->local[1] = plane ? 16 : 1;
    launch->global[2] = launch->local[2] = 1;
    return profile;
}

static void assert_cuts(const char *condition, bool plane, int dimension, uint32_t count, const uint64_t *at)
{
    struct gp_launch launch;
    struct gp_profile *profile = kernel_with(condition, plane, &launch);
    struct gp_cuts cuts[3];
    gp_guard_cuts(&profile->kernels[0], &launch, cuts);
    for (int d = 0; d < 3; d++)
        if (cuts[d].count != (d == dimension ? count : 0))
            fail_msg("%s: %u cuts along dimension %d", condition, cuts[d].count, d);
    for (uint32_t i = 0; i < count; i++)
        assert_int_equal(cuts[dimension].at[i], at[i]);
    gp_profile_free(profile);
}
#define CUTS(condition, plane, dimension, ...) \
    assert_cuts(condition, plane, dimension, sizeof(uint64_t[]){__VA_ARGS__} / sizeof(uint64_t), \
                (const uint64_t[]){__VA_ARGS__})
#define NO_CUTS(condition, plane) assert_cuts(condition, plane, 0, 0, NULL)

static void one_group_alone(void **state)
{
    (void)state;
    CUTS("    %holds = icmp.eq i64 %group, 500 : int64.cmp\n", false, 0, 500, 501);
    CUTS("    %holds = icmp.ne i64 500, %group : int64.cmp\n", false, 0, 500, 501);
    CUTS("    %holds = icmp.eq i64 %gid, 100000 : int64.cmp\n", false, 0, 390, 391); /* 390 * 256 = 99840 */
}

/* 100000 lies in group 390, 102400 begins group 400. */
static void from_a_place_on(void **state)
{
    (void)state;
    CUTS("    %holds = icmp.slt i64 %gid, 100000 : int64.cmp\n", false, 0, 390, 391);
    CUTS("    %holds = icmp.slt i64 %gid, 102400 : int64.cmp\n", false, 0, 400);
    CUTS("    %holds = icmp.sle i64 %gid, 102399 : int64.cmp\n", false, 0, 400);
    CUTS("    %holds = icmp.sgt i64 102400, %gid : int64.cmp\n", false, 0, 400);
    CUTS("    %holds = icmp.sge i64 102399, %gid : int64.cmp\n", false, 0, 400);
    NO_CUTS("    %holds = icmp.slt i64 %gid, 262144 : int64.cmp\n", false);
    NO_CUTS("    %holds = icmp.sge i64 %gid, 0 : int64.cmp\n", false);
}

/* `gid >= 100000 && gid < 100256`, as two comparisons and as the one that LLVM makes of it. */
static void a_stretch(void **state)
{
    (void)state;
    CUTS("    %low = icmp.sge i64 %gid, 100000 : int64.cmp\n    %high = icmp.slt i64 %gid, 100256 : int64.cmp\n    "
         "%holds = and i1 %low, %high : free\n",
         false, 0, 390, 391, 392);
    CUTS("    %over = add i64 %gid, -100000 : int64.add\n    %holds = icmp.ult i64 %over, 256 : int64.cmp\n", false, 0,
         390, 391, 392);
}

#define PLANE "    %first = mul i64 %row, 512 : int64.mul\n    %at = add i64 %first, %gid : int64.add\n"

/* `y * 512 + x`: 5000 is item 392 of row 9, in the first row of groups, of which it is number 24; 100000 item 160 of
 * row 195, group 10 of row 12. */
static void a_place_in_a_plane(void **state)
{
    (void)state;
    static const struct {
        const char *condition;
        uint64_t rows[2], columns[2];
        uint32_t row_count, column_count;
    } cases[] = {
        {PLANE "    %holds = icmp.eq i64 %at, 5000 : int64.cmp\n", {1}, {24, 25}, 1, 2},
        {PLANE "    %holds = icmp.eq i64 %at, 100000 : int64.cmp\n", {12, 13}, {10, 11}, 2, 2},
        {PLANE "    %holds = icmp.slt i64 %at, 100000 : int64.cmp\n", {12, 13}, {10}, 2, 1},
        {PLANE "    %holds = icmp.slt i64 %at, 98304 : int64.cmp\n",
         {12},
         {0},
         1,
         0}, /* row 192, where group 12 begins */
        {PLANE "    %holds = icmp.slt i64 %at, 262144 : int64.cmp\n", {0}, {0}, 0, 0},
        {PLANE "    %low = and i64 %at, 0xffffffff : int64.logic\n    %holds = icmp.eq i64 %low, 100000 : int64.cmp\n",
         {12, 13},
         {10, 11},
         2,
         2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct gp_launch launch;
        struct gp_cuts cuts[3];
        struct gp_profile *profile = kernel_with(cases[i].condition, true, &launch);
        gp_guard_cuts(&profile->kernels[0], &launch, cuts);
        assert_int_equal(cuts[1].count, cases[i].row_count);
        assert_int_equal(cuts[0].count, cases[i].column_count);
        assert_memory_equal(cuts[1].at, cases[i].rows, cases[i].row_count * sizeof(uint64_t));
        assert_memory_equal(cuts[0].at, cases[i].columns, cases[i].column_count * sizeof(uint64_t));
        gp_profile_free(profile);
    }
}

/* Along the dimension that the index is of. No place has one that nobody knows, or that goes round. */
static void which_dimension(void **state)
{
    (void)state;
    CUTS("    %holds = icmp.slt i64 %row, 100 : int64.cmp\n", true, 1, 6, 7);
    CUTS("    %other = sext i32 $n to i64 : free\n    %holds = icmp.eq i64 %group, %other : int64.cmp\n", false, 0, 32,
         33); /* n is assumed to be as many as the default launch has groups */
    NO_CUTS("    %turn = and i64 %group, 7 : int64.logic\n    %holds = icmp.eq i64 %turn, 3 : int64.cmp\n", false);
}

/* Group 500 stands for itself alone, and the weights are still those of all warps. */
static void samples_stand_for_one_side(void **state)
{
    (void)state;
    struct gp_launch launch;
    struct gp_profile *profile = kernel_with("    %holds = icmp.eq i64 %group, 500 : int64.cmp\n", false, &launch);
    struct gp_cuts cuts[3];
    struct gp_sample *samples;
    double all = 0, alone = 0;
    gp_guard_cuts(&profile->kernels[0], &launch, cuts);
    size_t count = gp_sample_between(&launch, cuts, 32, 9, 2, &samples), of_it = 0;
    for (size_t i = 0; i < count; i++) {
        bool it = samples[i].group[0] == 500;
        all += samples[i].weight;
        alone += it ? samples[i].weight : 0;
        of_it += it;
        assert_int_equal(samples[i].alone, it);
    }
    assert_true(all == GROUPS * LOCAL / 32);
    assert_true(alone == LOCAL / 32);
    assert_int_equal(of_it, LOCAL / 32); /* every warp of it: the others two at most */
    free(samples);
    gp_profile_free(profile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_group_alone),    cmocka_unit_test(from_a_place_on),
        cmocka_unit_test(a_stretch),          cmocka_unit_test(which_dimension),
        cmocka_unit_test(a_place_in_a_plane), cmocka_unit_test(samples_stand_for_one_side)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
