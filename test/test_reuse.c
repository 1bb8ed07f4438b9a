/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The set of touched lines. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/cache/reuse.h"

static void remembers_lines_by_symbol(void **state)
{
    (void)state;
    struct gp_line_set set;
    bool fresh;
    gp_line_set_init(&set);
    assert_non_null(gp_line_set_touch(&set, 1, 7, &fresh));
    assert_true(fresh);
    assert_non_null(gp_line_set_touch(&set, 1, 7, &fresh));
    assert_false(fresh);
    assert_non_null(gp_line_set_touch(&set, 2, 7, &fresh));
    assert_true(fresh);
    gp_line_set_clear(&set);
    assert_false(gp_line_set_has(&set, 1, 7));
    gp_line_set_free(&set);
}

static void grows_and_has_an_end(void **state)
{
    (void)state;
    struct gp_line_set set;
    bool fresh;
    gp_line_set_init(&set);
    uint64_t line = 0;
    while (gp_line_set_touch(&set, 0, line, &fresh) != NULL && line < (1u << 21)) {
        assert_true(fresh);
        line++;
    }
    assert_true(line >= 100000 && line <= (1u << 20));
    for (uint64_t i = 0; i < line; i += 1001)
        assert_true(gp_line_set_has(&set, 0, i));
    gp_line_set_free(&set);
}

/* Marks in slots are shorter than the count of generations. */
static void forgets_however_often(void **state)
{
    (void)state;
    struct gp_line_set set;
    bool fresh;
    gp_line_set_init(&set);
    for (uint64_t turn = 0; turn < 10000; turn++) {
        assert_false(gp_line_set_has(&set, 1, turn % 3));
        assert_non_null(gp_line_set_touch(&set, 1, turn % 3, &fresh));
        assert_true(fresh);
        assert_true(gp_line_set_has(&set, 1, turn % 3));
        gp_line_set_clear(&set);
    }
    gp_line_set_free(&set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(remembers_lines_by_symbol),
                                       cmocka_unit_test(grows_and_has_an_end), cmocka_unit_test(forgets_however_often)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
