/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What sampled execution leaves out: with what it executes, it must be what all iterations are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/profile/profile_text.h"
#include "model/observe/skipped_iterations.h"
#include "model/assume/defaults.h"

enum { MOST_WORDS = 1 << 16 };

/* How often each word of the buffer was touched by the first lane, and by what. */
struct seen {
    struct gp_executor *executor;
    struct gp_trajectories *trajectories;
    struct gp_skipped skipped;
    uint8_t words[MOST_WORDS];
    unsigned executed, listed, within, plain;
    double counted; /* executions, by weights less what is listed beside */
    uint64_t iterations, covered;
    double weights; /* of the points listed and those at hand, outside of `within` */
};

static void touch(struct seen *seen, uint64_t offset)
{
    assert_true(offset / 4 < MOST_WORDS);
    seen->words[offset / 4]++;
}

static void on_access(void *context, const struct gp_access *access)
{
    struct seen *seen = context;
    double stands_for = 1;
    struct gp_place place = {access->symbol[0], access->offset[0], access->active};
    enum gp_trajectory trajectory =
        gp_trajectories_see(seen->trajectories, seen->executor, access->memory, &place, 4, &stands_for);
    seen->executed++;
    seen->plain += trajectory == GP_TRAJECTORY_PLAIN;
    seen->counted += access->weight / stands_for;
    touch(seen, access->offset[0]);
    if (trajectory == GP_TRAJECTORY_PLAIN)
        return;
    gp_trajectories_list_within(seen->trajectories, access->memory, 4, &seen->skipped);
    seen->within += seen->skipped.count;
    for (uint32_t i = 0; i < seen->skipped.count; i++)
        touch(seen, access->offset[0] + (uint64_t)seen->skipped.point[i].beside);
    if (trajectory != GP_TRAJECTORY_SKIPPED)
        return;
    gp_trajectories_list(seen->trajectories, access->memory, 4, &seen->skipped);
    seen->listed += seen->skipped.count;
    seen->iterations += seen->skipped.iterations;
    seen->covered += seen->skipped.covered;
    seen->weights += seen->skipped.weight;
    for (uint32_t i = 0; i < seen->skipped.count; i++) {
        seen->weights += seen->skipped.point[i].weight;
        touch(seen, access->offset[0] + (uint64_t)seen->skipped.point[i].beside);
    }
}

/* A load at `index` from two loops: %j64 below `rows`, %k64 below `columns` and so many `more` for each row before. */
static struct seen *run_uneven(const char *index, unsigned rows, unsigned columns, int more)
{
    static struct seen seen;
    char text[4096];
    struct gp_error error = {""};
    struct gp_exec_result result;
    struct gp_launch launch;
    int length =
        snprintf(text, sizeof text,
                 "gpuperf-profile 1\nkernel k\n  param in: buffer 64 in global const skeleton size 8\n  dims 1\n  "
                 "resources registers 8 from estimate\n"
                 "  loop 0: header 1 latch 3 bound constant trips %u\n  loop 1: header 2 latch 2 parent 0 bound "
                 "scalar-evolution trips %%width\n"
                 "  induction %%j loop 0 step 1\n  induction %%k loop 1 step 1\n  block 0: ipdom 1\n    br block 1\n"
                 "  block 1: ipdom 2 loop 0\n    %%j = phi i64 [block 0: 0], [block 3: %%jnext]\n"
                 "    %%more_by = mul i64 %%j, %d : int64.mul\n    %%width = add i64 %%more_by, %u : int64.add\n"
                 "    br block 2\n"
                 "  block 2: ipdom 3 loop 1\n    %%k = phi i64 [block 1: 0], [block 2: %%knext]\n%s"
                 "    %%bytes = shl i64 %%i, 2 : int64.shift\n    %%p = add i64 $in, %%bytes : int64.add\n    %%v = "
                 "load i32 %%p in global 4x1 base $in\n"
                 "    %%knext = add i64 %%k, 1 : int64.add\n    %%more = icmp.slt i64 %%knext, %%width : int64.cmp\n"
                 "    condbr %%more, block 2, block 3 kind induction\n"
                 "  block 3: ipdom 4 loop 0\n    %%jnext = add i64 %%j, 1 : int64.add\n    %%again = icmp.slt i64 "
                 "%%jnext, %u : int64.cmp\n"
                 "    condbr %%again, block 1, block 4 kind induction\n  block 4:\n    ret\n",
                 rows, more, columns, index, rows);
    struct gp_profile *profile = gp_profile_parse(text, (size_t)length, &error);
    if (profile == NULL)
        fail_msg("%s", error.text);
    memset(&seen, 0, sizeof seen);
    gp_launch_default(&profile->kernels[0], &launch);
    seen.executor = gp_executor_new(&profile->kernels[0]);
    seen.trajectories = gp_trajectories_new(&profile->kernels[0], 0);
    gp_trajectories_start(seen.trajectories, (const uint32_t[GP_COMPANIONS_COUNT]){0});
    struct gp_observer observer = {.context = &seen, .access = on_access};
    if (!gp_execute_warp(seen.executor, &launch, (const uint64_t[3]){0, 0, 0}, 0,
                         &(struct gp_exec_options){.warp_width = 32}, &observer, &result, &error))
        fail_msg("%s", error.text);
    gp_executor_free(seen.executor);
    gp_trajectories_free(seen.trajectories);
    gp_profile_free(profile);
    return &seen;
}

static struct seen *run(const char *index, unsigned rows, unsigned columns)
{
    return run_uneven(index, rows, columns, 0);
}

/* Each word of rows x columns once, and no other. */
static void assert_each_once(const struct seen *seen, unsigned words)
{
    for (unsigned i = 0; i < MOST_WORDS; i++)
        assert_int_equal(seen->words[i], i < words);
    assert_true(seen->counted == seen->executed);
}

static const char row_by_row[] = "    %row = mul i64 %j, COLUMNS : int64.mul\n    %i = add i64 %row, %k : int64.add\n";

/* In memory `columns` long, of which the first has so many, and each row `more` than the one before. */
static struct seen *rows_in(unsigned columns, unsigned rows, unsigned first, int more)
{
    char index[256], *number;
    snprintf(index, sizeof index, "%s", row_by_row);
    number = strstr(index, "COLUMNS");
    char digits[8];
    snprintf(digits, sizeof digits, "%-7u", columns);
    memcpy(number, digits, 7);
    return run_uneven(index, rows, first, more);
}

static struct seen *rows_of(unsigned rows, unsigned columns) { return rows_in(columns, rows, columns, 0); }

static void all_iterations_once(void **state)
{
    (void)state;
    static const unsigned sizes[][2] = {{1, 41},  {41, 1},  {41, 41}, {9, 33}, {33, 9},
                                        {60, 12}, {12, 60}, {4, 4},   {5, 200}};
    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const struct seen *seen = rows_of(sizes[i][0], sizes[i][1]);
        assert_each_once(seen, sizes[i][0] * sizes[i][1]);
        assert_true(seen->executed < 100 && seen->executed + seen->listed + seen->within == sizes[i][0] * sizes[i][1]);
    }
}

/* Rows that grow or shrink, as those of triangles do: what each that was left out had is known from those around it. */
static void triangles_once(void **state)
{
    (void)state;
    static const struct {
        unsigned rows, first;
        int more;
    } shapes[] = {{40, 1, 1}, {40, 40, -1}, {21, 5, 3}, {60, 61, -1}};
    for (unsigned s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        const struct seen *seen = rows_in(100, shapes[s].rows, shapes[s].first, shapes[s].more);
        for (unsigned i = 0; i < MOST_WORDS; i++) {
            int length = (int)shapes[s].first + shapes[s].more * (int)(i / 100);
            assert_int_equal(seen->words[i], i / 100 < shapes[s].rows && (int)(i % 100) < length);
        }
        assert_true(seen->counted == seen->executed);
    }
}

/* From the last to the first. */
static void backwards(void **state)
{
    (void)state;
    const struct seen *seen = run("    %row = mul i64 %j, -50 : int64.mul\n    %here = sub i64 %row, %k : int64.add\n  "
                                  "  %i = add i64 %here, 1499 : int64.add\n",
                                  30, 50);
    assert_each_once(seen, 1500);
}

/* Of a long loop the last iterations before each one executed; some stand for all. */
static void long_loops_in_part(void **state)
{
    (void)state;
    const struct seen *seen = rows_of(1, 5000);
    assert_true(seen->covered < seen->iterations && seen->listed > 60 && seen->listed < 120);
    for (unsigned i = 0; i < MOST_WORDS; i++)
        assert_true(seen->words[i] <= (i < 5000));
    assert_true(seen->iterations + 2 > 4990 && seen->iterations <= 5000);
    assert_true(seen->weights > seen->iterations - 1e-6 && seen->weights < seen->iterations + 1e-6);
}

/* Squares are no line: nothing is listed, and weights are what the executor says. */
static void bent_trajectories_are_plain(void **state)
{
    (void)state;
    const struct seen *seen = run("    %i = mul i64 %k, %k : int64.mul\n", 1, 100);
    assert_int_equal(seen->listed, 0);
    assert_true(seen->plain + 2 >= seen->executed);
}

/* What stays where it is was there in all iterations. */
static void standing_still(void **state)
{
    (void)state;
    const struct seen *seen = run("    %i = add i64 %j, 0 : int64.add\n", 3, 100);
    assert_int_equal(seen->listed + seen->within, 0);
    assert_int_equal(seen->iterations, seen->covered);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_iterations_once),
        cmocka_unit_test(triangles_once),
        cmocka_unit_test(backwards),
        cmocka_unit_test(long_loops_in_part),
        cmocka_unit_test(bent_trajectories_are_plain),
        cmocka_unit_test(standing_still),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
