/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Groups of which few warps work while the others wait: the time is theirs, however many others there are and whichever
 * they are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/trace/recorder.h"
#include "trace_cycles.h"

enum { SMALL = 256, LARGE = 1024 };

static const char *const devices[] = {"a100", "h200", "k20"};

/* Cycles of a launch of which the work-items from `first` on, so many of them, go through a row of 1024 words of their
 * group each, one after the other. */
static double rows(const char *device_name, unsigned first, unsigned count, uint64_t group)
{
    char text[3000];
    snprintf(text, sizeof text,
             "gpuperf-profile 1\nkernel k\nparam in: buffer 64 in global const skeleton size 8\nparam out: buffer 64 "
             "in global skeleton size 8\n"
             "dims 1\nresources registers 24 from ptxas\nloop 0: header 2 latch 2 bound constant trips 1024\ninduction "
             "%%k loop 0 step 4\n"
             "block 0: ipdom 3\n%%group = id.group_id.0 i64 : mov uniform\n%%lid = id.local_id.0 i64\n%%from = sub i64 "
             "%%lid, %u : int64.add\n"
             "%%works = icmp.ult i64 %%from, %u : int64.cmp\ncondbr %%works, block 1, block 3 kind thread : branch\n"
             "block 1: ipdom 2\n%%i = shl i64 %%group, 12 : int64.shift\n%%row = add i64 $in, %%i : int64.add\n%%j = "
             "shl i64 %%from, 12 : int64.shift\n%%start = add i64 %%row, %%j : int64.add\nbr block 2\n"
             "block 2: ipdom 3 loop 0\n%%k = phi i64 [block 1: 0], [block 2: %%next]\n%%sum = phi f32 [block 1: 0], "
             "[block 2: %%more]\n"
             "%%p = add i64 %%start, %%k : int64.add\n"
             "%%v = load f32 %%p in global 4x1 base $in : memory\n%%more = weight f32 %%sum, %%v : fp32.add\n"
             "%%next = add i64 %%k, 4 : int32.add\n%%c = icmp.ult i64 %%next, 4096 : int32.cmp\ncondbr %%c, block 2, "
             "block 3 kind induction\n"
             "block 3:\nret\n",
             first, count);
    return trace_cycles_in(text, device_name, 1 << 20, group);
}

static void near(double a, double b) { assert_true(fmax(a, b) < 1.2 * fmin(a, b)); }

/* A work-item of the group's first warp: as many waves take as long in groups of 32 warps as in groups of eight. */
static void first_of_many(void **state)
{
    (void)state;
    for (size_t d = 0; d < sizeof devices / sizeof *devices; d++) {
        double small = rows(devices[d], 0, 1, SMALL), large = rows(devices[d], 0, 1, LARGE);
        print_message("%s: of 8 warps %.0f, of 32 %.0f cycles\n", devices[d], small, large);
        near(small, large);
    }
}

/* Which warp it is that works does not matter: the first tells neither how far groups lie apart nor how long traces
 * get. */
static void last_of_many(void **state)
{
    (void)state;
    for (size_t d = 0; d < sizeof devices / sizeof *devices; d++) {
        double first = rows(devices[d], 0, 1, LARGE), last = rows(devices[d], LARGE - 1, 1, LARGE);
        print_message("%s: the first %.0f, the last %.0f cycles\n", devices[d], first, last);
        near(first, last);
    }
}

static void assert_chosen(const double *executed, uint32_t most, uint32_t lead, const uint32_t *expected,
                          uint32_t count)
{
    uint32_t chosen[MOST_WARPS];
    assert_int_equal(gp_recorder_choose_kinds(executed, 16, most, lead, chosen), count);
    assert_memory_equal(chosen, expected, count * sizeof *expected);
}

/* One of each kind is executed, the one that does most and one beside it that does the same; where kinds are too many,
 * others between. */
static void kinds(void **state)
{
    (void)state;
    double executed[16] = {[5] = 900, [6] = 880, [7] = 890}, rising[16];
    for (int w = 0; w < 16; w++)
        rising[w] = 10 * (w + 1);
    assert_chosen(executed, 3, 5, (const uint32_t[]){0, 5, 6}, 3);
    double each_fourth[16] = {[0] = 900, [4] = 900, [8] = 900, [12] = 900};
    const uint32_t two_kinds[] = {0, 1, 4};
    assert_chosen(each_fourth, 3, 0, two_kinds, 3);
    assert_int_equal(gp_recorder_like(each_fourth, two_kinds, 3, 12), 2);
    assert_int_equal(gp_recorder_like(each_fourth, two_kinds, 3, 11), 1);
    assert_chosen(rising, 6, 15, (const uint32_t[]){0, 7, 14, 15}, 4);
    uint32_t chosen[MOST_WARPS];
    assert_int_equal(gp_recorder_choose_kinds(rising, 16, 16, 15, chosen), 16);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(first_of_many), cmocka_unit_test(last_of_many),
                                       cmocka_unit_test(kinds)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
