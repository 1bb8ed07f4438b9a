/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/observe/sampled_window.h"

/* A warp's row of 16 lines, 32 bytes each, that moves by 4 bytes an iteration; the execution stands for 100 of them and
 * is 400 bytes on. */
static const struct gp_window_move row = {.weight = 100, .runs = 1, .step = 4, .between = 100, .moved = 400};

/* 12 lines were entered, and all of them are found new. */
static void a_long_row_finds_what_was_entered(void **state)
{
    (void)state;
    struct gp_window window = {.unit = 32, .all = 16, .runs = 1, .fresh = 12, .moved = 12};
    assert_true(gp_window_fresh(&row, &window) == 12);
    assert_true(gp_window_lacks(&row, &window, 12) == 0.125);
}

/* One line is found, those before it were entered and left again. */
static void a_point_stands_for_its_way(void **state)
{
    (void)state;
    struct gp_window window = {.unit = 32, .all = 1, .runs = 1, .fresh = 1, .moved = 12};
    assert_true(gp_window_fresh(&row, &window) == 12);
    assert_true(gp_window_lacks(&row, &window, 1) == 0.125);
}

/* 1024 bytes an iteration, of which the row takes 512: what lies between is not touched. */
static void gaps_are_not_touched(void **state)
{
    (void)state;
    struct gp_window_move move = {.weight = 10, .runs = 1, .step = 1024, .between = 20, .moved = 10240};
    struct gp_window window = {.unit = 32, .all = 16, .runs = 1, .fresh = 16, .moved = 320};
    assert_true(gp_window_fresh(&move, &window) == 160);
    assert_true(gp_window_lacks(&move, &window, 16) == 16);
}

/* Addresses that wrapped around: further away than the iterations between can have taken them. */
static void no_further_than_iterations_take_it(void **state)
{
    (void)state;
    struct gp_window_move move = {.weight = 10, .runs = 1, .step = 1024, .between = 12, .moved = 1e9};
    struct gp_window window = {.unit = 32, .all = 16, .runs = 1, .fresh = 16, .moved = 1e9 / 32};
    assert_true(gp_window_fresh(&move, &window) == 16 * 12);
}

/* Each lane in a line of its own: all enter the next one every eight iterations. */
static void lanes_apart_move_together(void **state)
{
    (void)state;
    struct gp_window window = {.unit = 32, .all = 32, .runs = 32, .fresh = 32, .moved = 12};
    assert_true(gp_window_fresh(&row, &window) == 32 * 12);
    assert_true(gp_window_lacks(&row, &window, 32) == 4);
}

/* The same place in every iteration: once per run of the loop. */
static void what_stays_is_touched_once(void **state)
{
    (void)state;
    struct gp_window_move move = {.weight = 300, .runs = 3, .step = 0, .moved = 0};
    struct gp_window window = {.unit = 32, .all = 4, .runs = 1, .fresh = 4};
    assert_true(gp_window_fresh(&move, &window) == 12);
    assert_true(gp_window_lacks(&move, &window, 4) == 0.04);
}

/* No iteration was left out before it, or nobody knows how it moves: each that it stands for does the same. */
static void what_is_not_known_to_slide_does_not(void **state)
{
    (void)state;
    struct gp_window window = {.unit = 32, .all = 4, .runs = 1, .fresh = 4};
    struct gp_window_move next = {.weight = 5, .runs = 5, .step = 4, .moved = -1},
                          unknown = {.weight = 5, .runs = 1, .step = -1, .between = 100, .moved = 400};
    assert_true(gp_window_fresh(&next, &window) == 20 && gp_window_lacks(&next, &window, 4) == 4);
    assert_true(gp_window_fresh(&unknown, &window) == 20 && gp_window_lacks(&unknown, &window, 4) == 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_long_row_finds_what_was_entered),
                                       cmocka_unit_test(a_point_stands_for_its_way),
                                       cmocka_unit_test(gaps_are_not_touched),
                                       cmocka_unit_test(no_further_than_iterations_take_it),
                                       cmocka_unit_test(lanes_apart_move_together),
                                       cmocka_unit_test(what_stays_is_touched_once),
                                       cmocka_unit_test(what_is_not_known_to_slide_does_not)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
