/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/cache/touched_ranges.h"

static void stretches_that_meet_are_joined(void **state)
{
    (void)state;
    struct gp_stretch s[] = {
        {2, 64, 128, 64, 32}, {1, 100, 200, 50, 50}, {2, 0, 64, 64, 32}, {1, 300, 400, 100, 100}, {2, 100, 120, 20, 0}};
    assert_int_equal(gp_stretches_join(s, 5), 3);
    const struct gp_stretch *joined = gp_stretches_at(s, 3, 2, 90);
    assert_non_null(joined);
    assert_true(joined->low == 0 && joined->high == 128 && joined->touched == 148 && joined->seen == 64);
    assert_true(gp_stretches_at(s, 3, 1, 350)->low == 300);
}

static void between_stretches_is_nothing(void **state)
{
    (void)state;
    struct gp_stretch s[] = {{1, -64, 200, 50, 50}, {1, 300, 400, 100, 100}};
    size_t count = gp_stretches_join(s, 2);
    assert_null(gp_stretches_at(s, count, 1, 250));
    assert_null(gp_stretches_at(s, count, 1, 400));
    assert_null(gp_stretches_at(s, count, 2, 350));
    assert_null(gp_stretches_at(s, count, 1, -65));
    assert_non_null(gp_stretches_at(s, count, 1, -64));
    assert_null(gp_stretches_at(s, 0, 1, 0));
}

/* Of 100 bytes 95 are touched, 35 of them known one by one: of the other 65, 60. */
static void the_unseen_part_of_a_full_stretch(void **state)
{
    (void)state;
    assert_true(gp_stretch_fill(&(struct gp_stretch){1, 0, 100, 95, 35}) == 60.0 / 65.0);
    assert_true(gp_stretch_fill(&(struct gp_stretch){1, 0, 100, 300, 35}) == 1);
    assert_true(gp_stretch_fill(&(struct gp_stretch){1, 0, 100, 50, 10}) == 0);
    assert_true(gp_stretch_fill(&(struct gp_stretch){1, 0, 100, 100, 100}) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(stretches_that_meet_are_joined),
                                       cmocka_unit_test(between_stretches_is_nothing),
                                       cmocka_unit_test(the_unseen_part_of_a_full_stretch)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
