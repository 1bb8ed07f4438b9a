/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Which groups and warps stand for a launch. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/executor/executor.h"
#include "model/sampling/fewer_samples.h"

static struct gp_launch launch(uint64_t gx, uint64_t gy, uint64_t gz, uint32_t lx, uint32_t ly, uint32_t lz)
{
    struct gp_launch launch;
    memset(&launch, 0, sizeof launch);
    launch.dims = 3;
    launch.global[0] = gx;
    launch.global[1] = gy;
    launch.global[2] = gz;
    launch.local[0] = lx;
    launch.local[1] = ly;
    launch.local[2] = lz;
    return launch;
}

static double total(const struct gp_sample *samples, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += samples[i].weight;
    return sum;
}

/* 1024 groups of 8 warps; 5 groups x 3 warps are taken. */
static void weights_add_up_to_all_warps(void **state)
{
    (void)state;
    struct gp_launch l = launch(262144, 1, 1, 256, 1, 1);
    struct gp_sample *samples;
    size_t count = gp_sample_launch(&l, 32, 5, 3, &samples);
    assert_int_equal(count, 15);
    assert_true(total(samples, count) == 8192.0);
    assert_int_equal(samples[0].group[0], 0);
    assert_int_equal(samples[0].warp, 0);
    assert_true(samples[0].weight ==
                1.0); /* group 0 alone; its first and last warp stand for themselves, 4 for 1 to 6 */
    assert_int_equal(samples[1].warp, 4);
    assert_true(samples[1].weight == 6.0);
    assert_int_equal(samples[2].warp, 7);
    assert_true(samples[2].weight == 1.0);
    assert_int_equal(samples[14].group[0], 1023);
    free(samples);
}

/* Warps of eight lanes, 32 in a row, and a guard that lets the first ten of each row pass: of the samples as large a
 * part does, whatever the number of rows. */
static void rows_are_seen_from_end_to_end(void **state)
{
    (void)state;
    for (uint32_t rows = 2; rows <= 16; rows *= 2) {
        struct gp_launch l = launch(256, 1440, 1, 256, rows, 1);
        struct gp_sample *samples;
        size_t count = gp_sample_launch(&l, 8, 3, 8, &samples);
        double within = 0, all = total(samples, count);
        for (size_t i = 0; i < count; i++) {
            within += samples[i].warp % 32 < 10 ? samples[i].weight : 0;
            assert_true(i % 8 == 0 || samples[i].warp > samples[i - 1].warp);
        }
        assert_int_equal(count, 24);
        assert_true(all == 1440 * 32);
        assert_true(within / all > 0.25 && within / all < 0.4);
        free(samples);
    }
}

/* A guard turns in the last group, which has 32 warps of 8 where the others have 120, too many to look at all. */
static void all_warps_of_a_small_group_at_a_border(void **state)
{
    (void)state;
    struct gp_launch l = launch(1048576, 1, 1, 960, 1, 1);
    struct gp_cuts cuts[3] = {{.count = 1, .at = {1092}}};
    struct gp_sample *samples;
    size_t count = gp_sample_between(&l, cuts, 8, 9, 4, &samples), alone = 0;
    for (size_t i = 0; i < count; i++)
        alone += samples[i].alone && samples[i].group[0] == 1092;
    assert_int_equal(alone, 32);
    assert_true(total(samples, count) > 131000);
    free(samples);
}

/* Of two warps of a group each stands for half; a partial last one only for itself. */
static void a_partial_warp_is_a_third(void **state)
{
    (void)state;
    struct gp_launch l = launch(129, 1, 1, 129, 1, 1);
    struct gp_sample *samples;
    assert_int_equal(gp_sample_launch(&l, 32, 1, 2, &samples), 3);
    static const uint32_t warps[] = {0, 3, 4};
    static const double weights[] = {2, 2, 1};
    for (int i = 0; i < 3; i++)
        assert_true(samples[i].warp == warps[i] && samples[i].weight == weights[i]);
    free(samples);
}

/* Groups of 48x16: what a warp covers of the rows repeats every third warp. Each of the three kinds gets about a third
 * of the weight. */
static void kinds_that_alternate_are_all_seen(void **state)
{
    (void)state;
    struct gp_launch l = launch(48, 16, 1, 48, 16, 1);
    struct gp_sample *samples;
    size_t count = gp_sample_launch(&l, 32, 1, 8, &samples);
    double kinds[3] = {0};
    assert_int_equal(count, 8);
    for (size_t i = 0; i < count; i++)
        kinds[samples[i].warp % 3] += samples[i].weight;
    for (int k = 0; k < 3; k++)
        assert_true(kinds[k] >= 5 && kinds[k] <= 12);
    free(samples);
}

static void all_is_all(void **state)
{
    (void)state;
    struct gp_launch l = launch(64, 8, 4, 16, 4, 2);
    struct gp_sample *samples;
    size_t count = gp_sample_launch(&l, 32, 0, 0, &samples);
    assert_int_equal(count, 4 * 2 * 2 * 4);
    for (size_t i = 0; i < count; i++)
        assert_true(samples[i].weight == 1.0);
    assert_int_equal(samples[count - 1].group[0], 3);
    assert_int_equal(samples[count - 1].group[1], 1);
    assert_int_equal(samples[count - 1].group[2], 1);
    assert_int_equal(samples[count - 1].warp, 3);
    free(samples);
}

/* In two dimensions: first, last and something between of each; corners with their own weights. */
static void edges_of_each_dimension_are_there(void **state)
{
    (void)state;
    struct gp_launch l = launch(1024, 1024, 1, 32, 8, 1);
    struct gp_sample *samples;
    size_t count = gp_sample_launch(&l, 32, 9, 1, &samples);
    bool corner = false, inside = false;
    assert_int_equal(count, 9);
    assert_true(total(samples, count) == 32.0 * 128 * 8);
    for (size_t i = 0; i < count; i++) {
        corner = corner || (samples[i].group[0] == 31 && samples[i].group[1] == 127 && samples[i].weight == 8.0);
        inside = inside || (samples[i].group[0] > 8 && samples[i].group[0] < 24 && samples[i].weight == 30.0 * 126 * 8);
    }
    assert_true(corner && inside);
    free(samples);
}

/* 100 x 10 work-items in groups of 32 x 4: the last column of groups is 4 wide, the last row 2 high. */
static void partial_groups_have_the_warps_they_have(void **state)
{
    (void)state;
    struct gp_launch l = launch(100, 10, 1, 32, 4, 1);
    struct gp_sample *samples;
    size_t count = gp_sample_launch(&l, 32, 0, 0, &samples);
    /* per row of groups: 3 full columns of 4 warps (2 in the last row), 1 column of 16 (8) work-items: 1 warp */
    assert_int_equal(count, 2 * (3 * 4 + 1) + (3 * 2 + 1));
    free(samples);
    count = gp_sample_launch(&l, 32, 4, 2, &samples);
    assert_true(count > 0 && total(samples, count) > 0);
    free(samples);
}

static void sums_are_exact_for_many_shapes(void **state)
{
    (void)state;
    for (uint64_t groups = 1; groups < 40; groups++)
        for (uint32_t max = 1; max < 20; max++)
            for (uint32_t warps = 1; warps < 8; warps++) {
                struct gp_launch l = launch(groups * 224, 3, 1, 224, 1, 1); /* 7 warps */
                struct gp_sample *samples;
                size_t count = gp_sample_launch(&l, 32, max, warps, &samples);
                assert_true(count > 0 && count <= (size_t)(max + max / 2) * warps);
                assert_true(total(samples, count) == (double)(groups * 3 * 7));
                for (size_t i = 0; i < count; i++)
                    assert_true(samples[i].group[0] < groups && samples[i].group[1] < 3 && samples[i].warp < 7 &&
                                samples[i].weight > 0);
                free(samples);
            }
}

static void impossible_launches_have_no_samples(void **state)
{
    (void)state;
    struct gp_launch l = launch(64, 0, 1, 16, 1, 1);
    struct gp_sample *samples;
    assert_int_equal(gp_sample_launch(&l, 32, 4, 4, &samples), 0);
    l = launch(64, 1, 1, 0, 1, 1);
    assert_int_equal(gp_sample_launch(&l, 32, 4, 4, &samples), 0);
    l = launch(UINT64_MAX, UINT64_MAX, UINT64_MAX, 1, 1, 1);
    assert_int_equal(gp_sample_launch(&l, 32, 0, 0, &samples), 0);
    assert_null(samples);
    size_t count = gp_sample_launch(&l, 32, 8, 1, &samples);
    assert_int_equal(count, 8);
    free(samples);
    l = launch(UINT64_MAX, 1, 1, UINT32_MAX, UINT32_MAX, 1);
    assert_int_equal(gp_sample_launch(&l, 32, 4, 4, &samples), 0);
}

/* Whatever is left out, the rest stands for all warps of the launch; the heaviest group keeps its own, and of others a
 * warp or three are left. */
static void fewer_stand_for_all(void **state)
{
    (void)state;
    struct gp_launch l = launch(6400, 3200, 1, 64, 8, 1);
    static const struct gp_cuts no_cuts[3];
    for (int way = 0; way < 2; way++) {
        struct gp_sample *samples;
        size_t count = gp_sample_launch(&l, 32, 25, 8, &samples), heaviest = gp_heaviest_group(samples, count);
        size_t in_heaviest = gp_samples_of_group(samples, count, heaviest);
        double heavy = gp_samples_weight(samples, heaviest, in_heaviest);
        size_t left =
            way == 0 ? gp_thin_out_samples(samples, count, 1, &l, 32, no_cuts) : gp_thin_out_edges(samples, count);
        assert_in_range(left, in_heaviest, count - 1);
        assert_true(fabs(total(samples, left) - 40000 * 16) < 1e-6 * 40000 * 16);
        size_t still = gp_heaviest_group(samples, left);
        assert_int_equal(gp_samples_of_group(samples, left, still), in_heaviest);
        assert_true(gp_samples_weight(samples, still, in_heaviest) >= 0.999999 * heavy);
        for (size_t first = 0, in_group; first < left; first += in_group) {
            in_group = gp_samples_of_group(samples, left, first);
            assert_true(in_group == in_heaviest || in_group == (way == 0 ? 1 : 3));
        }
        free(samples);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weights_add_up_to_all_warps),
        cmocka_unit_test(rows_are_seen_from_end_to_end),
        cmocka_unit_test(all_warps_of_a_small_group_at_a_border),
        cmocka_unit_test(a_partial_warp_is_a_third),
        cmocka_unit_test(kinds_that_alternate_are_all_seen),
        cmocka_unit_test(all_is_all),
        cmocka_unit_test(edges_of_each_dimension_are_there),
        cmocka_unit_test(partial_groups_have_the_warps_they_have),
        cmocka_unit_test(sums_are_exact_for_many_shapes),
        cmocka_unit_test(impossible_launches_have_no_samples),
        cmocka_unit_test(fewer_stand_for_all),
    };
    return cmocka_run_group_tests_name("samples", tests, NULL, NULL);
}
