/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A range shared out over devices whose times are known: lines, a start that is dearer than the work, uneven work. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/predict/share_out.h"

struct lines {
    double start[3], each[3];
    double growth; /* a part costs so much more than the one before it */
};

static double line_time(void *context, size_t device, uint32_t first, uint32_t parts)
{
    const struct lines *l = context;
    double work = 0;
    for (uint32_t i = first; i < first + parts; i++)
        work += 1 + l->growth * i;
    return l->start[device] + l->each[device] * work;
}

static void shares_are_by_speed(void **state)
{
    (void)state;
    struct lines l = {.each = {1, 3}};
    uint32_t share[2];
    double end = gp_share_out(2, 64, line_time, &l, share);
    assert_int_equal(share[0], 48);
    assert_int_equal(share[1], 16);
    assert_float_equal(end, 48, 1e-9);
}

static void a_device_that_would_only_delay_gets_none(void **state)
{
    (void)state;
    struct lines l = {.start = {0, 100}, .each = {1, 1}};
    uint32_t share[2];
    assert_float_equal(gp_share_out(2, 64, line_time, &l, share), 64, 1e-9);
    assert_int_equal(share[0], 64);
    assert_int_equal(share[1], 0);
}

static void uneven_work_is_shared_out_as_it_is(void **state)
{
    (void)state;
    struct lines l = {.each = {1, 1}, .growth = 1};
    uint32_t share[2];
    double end = gp_share_out(2, 100, line_time, &l, share), all = line_time(&l, 0, 0, 100);
    assert_int_equal(share[0] + share[1], 100);
    assert_true(share[0] > 68 && share[0] < 73); /* half of the triangle */
    assert_true(end < 0.52 * all);
}

static double never(void *context, size_t device, uint32_t first, uint32_t parts)
{
    (void)context, (void)device, (void)first, (void)parts;
    return INFINITY;
}

static double only_the_third(void *context, size_t device, uint32_t first, uint32_t parts)
{
    return device == 2 ? line_time(context, device, first, parts) : INFINITY;
}

static void devices_that_cannot_run_it_get_none(void **state)
{
    (void)state;
    struct lines l = {.each = {1, 1, 2}};
    uint32_t share[3];
    assert_true(isinf(gp_share_out(3, 64, never, &l, share)));
    assert_float_equal(gp_share_out(3, 64, only_the_third, &l, share), 128, 1e-9);
    assert_int_equal(share[2], 64);
}

static void large_groups_are_halved_until_parts_are_fine(void **state)
{
    (void)state;
    const uint64_t line[3] = {131072, 1, 1}, plane[3] = {4096, 4096, 1}, odd[3] = {30000, 1, 1};
    uint32_t finer[3];
    assert_true(gp_share_finer(1, line, (uint32_t[3]){4096, 1, 1}, finer));
    assert_int_equal(finer[0], 512); /* 256 groups of it */
    assert_false(gp_share_finer(1, line, (uint32_t[3]){512, 1, 1}, finer));
    assert_false(gp_share_finer(2, plane, (uint32_t[3]){32, 8, 1}, finer));
    assert_false(gp_share_finer(1, odd, (uint32_t[3]){1001, 1, 1}, finer));
    assert_true(gp_share_takes(1.005, 1));
    assert_false(gp_share_takes(1.02, 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_are_by_speed), cmocka_unit_test(a_device_that_would_only_delay_gets_none),
        cmocka_unit_test(uneven_work_is_shared_out_as_it_is), cmocka_unit_test(devices_that_cannot_run_it_get_none),
        cmocka_unit_test(large_groups_are_halved_until_parts_are_fine)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
