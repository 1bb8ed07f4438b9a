/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Random addresses within a range: expected numbers against exact ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "model/memory/lanes.h"
#include "model/memory/scatter.h"

static void near(double value, double expected, double tolerance)
{
    if (fabs(value - expected) > tolerance * expected)
        fail_msg("%g, expected %g", value, expected);
}

/* 2 draws of 4: the second misses the first's cell three times of four. */
static void distinct(void **state)
{
    (void)state;
    near(gp_expected_distinct(4, 2), 1.75, 1e-12);
    near(gp_expected_distinct(1, 32), 1, 0);
    near(gp_expected_distinct(1e12, 32), 32, 1e-9);
    near(gp_expected_distinct(32, 32), 32 * (1 - pow(31.0 / 32, 32)), 1e-12);
    assert_true(gp_expected_distinct(32, 0) == 0);
}

/* gp_expected_fullest() has the exact numbers for 4, 8, 16, 32 and 64 cells. */
static void fullest(void **state)
{
    (void)state;
    for (uint32_t cells = 4; cells <= 64; cells *= 2)
        for (uint32_t draws = 1; draws <= 32; draws++)
            near(gp_expected_in_fullest(cells, draws), gp_expected_fullest(draws, cells), 1e-4);
    near(gp_expected_in_fullest(1, 32), 32, 0);
    near(gp_expected_in_fullest(2, 2), 1.5, 1e-12);    /* both in one: half of the time */
    near(gp_expected_in_fullest(3, 32), 13.457, 0.01); /* drawn: 13.46 */
    near(gp_expected_in_fullest(2, 64), 35.1790961, 1e-8);
    near(gp_expected_in_fullest(1000000000, 32), 1, 1e-3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(distinct), cmocka_unit_test(fullest)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
