/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Groups that do different work at different places of the range, and groups of which a part has work. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/predict.h"
#include "model/profile/profile_text.h"
#include "model/sampling/two_phase.h"
#include "model/sampling/varied_groups.h"
#include "model/observe/work.h"
#include "model/assume/defaults.h"

enum { SIDE = 1024, TRIPS = 512 };
static struct gp_error error;

/* Work-items at (x, y) for which %heavy holds go round a loop. */
static struct gp_profile *kernel_of(const char *condition)
{
    char text[3000];
    int length = snprintf(
        text, sizeof text,
        "gpuperf-profile 1\nkernel k\nparam out: buffer 64 in global skeleton size 8\nparam n: int 64 skeleton signed "
        "size 8\ndims 2\n"
        "resources registers 16 from estimate\nloop 0: header 1 latch 1 bound constant trips %d\ninduction %%k loop 0 "
        "step 1\n"
        "block 0: ipdom 2\n%%x = id.global_id.0 i64\n%%y = id.global_id.1 i64\n%s\ncondbr %%heavy, block 1, block 2 "
        "kind thread\n"
        "block 1: ipdom 2 loop 0\n%%k = phi i64 [block 0: 0], [block 1: %%next]\n%%v = weight f32 %%k : "
        "fp32.fma\n%%next = add i64 %%k, 1 : int32.add\n"
        "%%more = icmp.ult i64 %%next, %d : int32.cmp\ncondbr %%more, block 1, block 2 kind induction\nblock 2:\nret\n",
        TRIPS, condition, TRIPS);
    struct gp_profile *profile = gp_profile_parse(text, (size_t)length, &error);
    if (profile == NULL)
        fail_msg("%s", error.text);
    return profile;
}

#define TILES \
    "%a = lshr i64 %x, 5 : int64.shift\n%b = lshr i64 %y, 5 : int64.shift\n%s = add i64 %a, %b : int64.add\n%odd = " \
    "and i64 %s, 1 : int64.logic\n%heavy = icmp.ne i64 %odd, 0 : int64.cmp"
#define DISC \
    "%a = sub i64 %x, 512 : int64.add\n%b = sub i64 %y, 512 : int64.add\n%aa = mul i64 %a, %a : int64.mul\n%bb = mul " \
    "i64 %b, %b : int64.mul\n%r = add i64 %aa, %bb : int64.add\n" \
    "%heavy = icmp.slt i64 %r, 65536 : int64.cmp"
#define CORNER \
    "%a = icmp.ult i64 %x, 1000 : int64.cmp\n%b = icmp.ult i64 %y, $n : int64.cmp\n%heavy = and i1 %a, %b : " \
    "int64.logic"
#define STRIPES_IN_GROUPS "%a = and i64 %x, 1 : int64.logic\n%heavy = icmp.ne i64 %a, 0 : int64.cmp"

static void launch_of(const struct gp_kernel *kernel, uint32_t x, uint32_t y, struct gp_launch *launch)
{
    gp_launch_default(kernel, launch);
    launch->global[0] = launch->global[1] = SIDE;
    launch->local[0] = x;
    launch->local[1] = y;
    launch->local[2] = 1;
}

/* What the average warp executes, by few and by all. */
static double sampled(const struct gp_kernel *kernel, const struct gp_launch *launch, double *uncertain)
{
    struct gp_device *device = gp_device_load("a100", SOURCE_HWDB, &error);
    struct gp_collector *collector = gp_collector_new(kernel);
    struct gp_work work;
    if (device == NULL ||
        !gp_collect(collector, device, launch, 64, device->l1_size.value, 16, GP_SAMPLE_FULL, &work, &error))
        fail_msg("%s", error.text);
    double instructions = work.instructions;
    *uncertain = work.uncertain;
    gp_collector_free(collector);
    gp_device_free(device);
    return instructions;
}

static double executed(const struct gp_kernel *kernel, const struct gp_launch *launch)
{
    struct gp_executor *executor = gp_executor_new(kernel);
    static const struct gp_observer nobody = {0};
    uint32_t warps = launch->local[0] * launch->local[1] / 32;
    double sum = 0, count = 0;
    uint64_t group[3] = {0};
    for (group[1] = 0; group[1] < SIDE / launch->local[1]; group[1]++)
        for (group[0] = 0; group[0] < SIDE / launch->local[0]; group[0]++)
            for (uint32_t w = 0; w < warps; w++, count++) {
                struct gp_exec_result result;
                assert_true(gp_execute_warp(executor, launch, group, w, &(struct gp_exec_options){.warp_width = 32},
                                            &nobody, &result, &error));
                sum += result.instructions;
            }
    gp_executor_free(executor);
    return sum / count;
}

static const uint32_t shapes[][2] = {{64, 4}, {32, 8}, {8, 8}, {16, 16}, {32, 32}, {256, 1}, {128, 2}};
enum { SHAPES = sizeof shapes / sizeof *shapes };

/* Few groups tell of all what all do, within what they are said to be uncertain by (two standard errors), whatever the
 * shape. */
static void few_groups_tell_of_all(void **state)
{
    (void)state;
    static const char *const conditions[] = {TILES, DISC};
    for (int c = 0; c < 2; c++) {
        struct gp_profile *profile = kernel_of(conditions[c]);
        for (int i = 0; i < SHAPES; i++) {
            struct gp_launch launch;
            double uncertain;
            launch_of(&profile->kernels[0], shapes[i][0], shapes[i][1], &launch);
            double few = sampled(&profile->kernels[0], &launch, &uncertain),
                   all = executed(&profile->kernels[0], &launch);
            assert_true(uncertain < 0.35);
            assert_true(fabs(few / all - 1) <= 2 * uncertain + 0.01);
            assert_true(fabs(few / all - 1) < 0.2);
        }
        gp_profile_free(profile);
    }
}

/* A flat ellipse across groups of whole columns: in each of these a few of 32 warps have all the work. Who looks at the
 * same warps of all groups sees all of it or nothing. */
static void warps_take_turns(void **state)
{
    (void)state;
    for (int middle = 100; middle < 1000; middle += 90) {
        char ellipse[500];
        snprintf(ellipse, sizeof ellipse,
                 "%%a = sub i64 %%y, %d : int64.add\n%%b = mul i64 %%a, %%a : int64.mul\n%%c = sub i64 %%x, 512 : "
                 "int64.add\n%%d = ashr i64 %%c, 2 : int64.shift\n%%e = mul i64 %%d, %%d : int64.mul\n"
                 "%%f = add i64 %%b, %%e : int64.add\n%%heavy = icmp.slt i64 %%f, 10000 : int64.cmp",
                 middle);
        struct gp_profile *profile = kernel_of(ellipse);
        for (uint32_t height = 512; height <= 1024; height *= 2) {
            struct gp_launch launch;
            double uncertain;
            launch_of(&profile->kernels[0], 1, height, &launch);
            double few = sampled(&profile->kernels[0], &launch, &uncertain),
                   all = executed(&profile->kernels[0], &launch);
            assert_true(fabs(few / all - 1) < 0.15);
        }
        gp_profile_free(profile);
    }
}

/*
 * A guard ends within the second of two groups, along y or, in two rows of 16 warps, along x: how many of its 32 warps
 * have work is counted, not taken from the eight that are executed.
 */
static void guards_end_within_groups(void **state)
{
    (void)state;
    static const uint32_t local[2][2] = {{512, 2}, {2, 512}};
    for (int end = 528; end < 1024; end += 48)
        for (int dim = 0; dim < 2; dim++) {
            char guard[100];
            snprintf(guard, sizeof guard, "%%heavy = icmp.ult i64 %s, %d : int64.cmp", dim == 0 ? "%x" : "%y", end);
            struct gp_profile *profile = kernel_of(guard);
            struct gp_launch launch;
            double uncertain;
            launch_of(&profile->kernels[0], local[dim][0], local[dim][1], &launch);
            double few = sampled(&profile->kernels[0], &launch, &uncertain),
                   all = executed(&profile->kernels[0], &launch);
            assert_true(uncertain == 0 && fabs(few / all - 1) < 0.005);
            gp_profile_free(profile);
        }
}

#define BY_LOCAL_ID  "%i = id.local_id.0 i64\n%heavy = icmp.ult i64 %i, $n : int64.cmp"
#define BY_GLOBAL_ID "%heavy = icmp.ult i64 %x, $n : int64.cmp"

/* A local id decides whether work-items go round the loop; a branch by it that is no loop's is another matter. */
static void loops_may_follow_the_cut(void **state)
{
    (void)state;
    static const char branch[] =
        "gpuperf-profile 1\nkernel k\nparam n: int 64 skeleton signed size 8\ndims 1\nresources registers 16 from "
        "estimate\nblock 0: ipdom 2\n" BY_LOCAL_ID "\ncondbr %heavy, block 1, block 2 kind thread\n"
        "block 1: ipdom 2\nbr block 2\nblock 2:\nret\n";
    struct gp_profile *local = kernel_of(BY_LOCAL_ID), *global = kernel_of(BY_GLOBAL_ID),
                      *lone = gp_profile_parse(branch, sizeof branch - 1, &error);
    bool loops[1];
    assert_true(gp_loops_of_cut(&local->kernels[0], loops) && loops[0]);
    assert_true(gp_loops_of_cut(&global->kernels[0], loops) && !loops[0]);
    if (lone == NULL)
        fail_msg("%s", error.text);
    assert_false(gp_loops_of_cut(&lone->kernels[0], loops));
    gp_profile_free(local);
    gp_profile_free(global);
    gp_profile_free(lone);
}

/* What is the same in all groups, or ends at a bound, needs no more of them, and nothing is uncertain. */
static void bounds_are_no_difference(void **state)
{
    (void)state;
    struct gp_profile *corner = kernel_of(CORNER), *stripes = kernel_of(STRIPES_IN_GROUPS), *tiles = kernel_of(TILES);
    assert_false(gp_groups_may_differ(&corner->kernels[0]));
    assert_true(gp_groups_may_differ(&stripes->kernels[0]));
    assert_true(gp_groups_may_differ(&tiles->kernels[0]));
    struct gp_launch launch;
    double uncertain;
    launch_of(&stripes->kernels[0], 32, 8, &launch);
    sampled(&stripes->kernels[0], &launch, &uncertain);
    assert_true(uncertain == 0);
    gp_profile_free(corner);
    gp_profile_free(stripes);
    gp_profile_free(tiles);
}

static bool differ(const char *condition, double affordable, struct gp_pilots *pilots)
{
    struct gp_profile *profile = kernel_of(condition);
    struct gp_executor *executor = gp_executor_new(&profile->kernels[0]);
    struct gp_launch launch;
    struct gp_sample samples[2] = {{.group = {16, 64, 0}, .warp = 0, .weight = 1},
                                   {.group = {16, 64, 0}, .warp = 7, .weight = 1}};
    launch_of(&profile->kernels[0], 32, 8, &launch);
    *pilots = gp_pilots_of(affordable, 20000);
    bool found = gp_groups_differ(pilots, executor, &launch, 32, samples, 2, false);
    gp_executor_free(executor);
    gp_profile_free(profile);
    return found;
}

/* What is not found within what pilot runs may cost is not there; a pilot run ends where no more is left, and none
 * begins then. */
static void pilots_are_bounded(void **state)
{
    (void)state;
    struct gp_pilots pilots;
    uint64_t block = 20;
    assert_true(differ(TILES, 0, &pilots));
    assert_false(differ(TILES, 10, &pilots));
    assert_true(pilots.spent >= 10 && pilots.spent < 10 + block);
    assert_false(differ(STRIPES_IN_GROUPS, 0, &pilots));
    uint64_t all = pilots.spent;
    assert_false(differ(STRIPES_IN_GROUPS, (double)all / 2, &pilots));
    assert_true(pilots.spent >= all / 2 && pilots.spent < all / 2 + block);
}

/* Where pilot runs of many groups cannot be afforded few stand for all all the same, and how sure that is is not known
 * yet. */
static void dear_warps_have_one_phase(void **state)
{
    (void)state;
    struct gp_profile *profile = kernel_of(TILES);
    struct gp_executor *executor = gp_executor_new(&profile->kernels[0]);
    struct gp_launch launch;
    launch_of(&profile->kernels[0], 32, 8, &launch);
    for (int dear = 0; dear < 2; dear++) {
        struct gp_pilots pilots = gp_pilots_of(dear ? 500 : 0, 20000);
        struct gp_two_phase sample = gp_sample_two_phase(&pilots, executor, &launch, 32, 48, 1024, 8);
        double weight = 0;
        for (size_t i = 0; i < sample.count; i++)
            weight += sample.samples[i].weight;
        assert_true(sample.leading < sample.count && fabs(weight / (SIDE * SIDE / 32) - 1) < 1e-9);
        assert_true(dear ? isnan(sample.uncertain) : sample.uncertain > 0 && sample.uncertain < 0.1);
        free(sample.samples);
    }
    gp_executor_free(executor);
    gp_profile_free(profile);
}

/* Points lie in the range, also of partial groups, and are spread over it. */
static void points_fill_the_range(void **state)
{
    (void)state;
    struct gp_profile *profile = kernel_of(TILES);
    struct gp_launch launch;
    launch_of(&profile->kernels[0], 32, 8, &launch);
    launch.global[0] = 1000;
    launch.global[1] = 7;
    unsigned left = 0, right = 0;
    for (uint32_t i = 0; i < 64; i++) {
        uint64_t group[3];
        gp_sample_point(&launch, i, group);
        assert_true(group[0] < 32 && group[1] == 0 && group[2] == 0);
        left += group[0] < 16;
        right += group[0] >= 16;
    }
    assert_true(left >= 30 && right >= 30);
    gp_profile_free(profile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_groups_tell_of_all),    cmocka_unit_test(warps_take_turns),
        cmocka_unit_test(guards_end_within_groups),  cmocka_unit_test(loops_may_follow_the_cut),
        cmocka_unit_test(bounds_are_no_difference),  cmocka_unit_test(pilots_are_bounded),
        cmocka_unit_test(dear_warps_have_one_phase), cmocka_unit_test(points_fill_the_range),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
