/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Simulations that are stopped: what they show of the launch stands for the rest. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "trace_cycles.h"

enum { TURNS = 4096, WORK_ITEMS = 1 << 20, GROUP = 1024 };

/* Cycles of a loop that spills, and so many stores of rows behind it, a line for each lane: few bytes beside the
 * loop's, and most of what there is to simulate. */
static double spilling(const char *device_name, uint32_t stores)
{
    static char text[60000];
    int n = snprintf(text, sizeof text,
                     "gpuperf-profile 1\nkernel k\nparam in: buffer 64 in global const skeleton size 8\nparam out: "
                     "buffer 64 in global skeleton size 8\n"
                     "dims 1\nresources registers 64 spill-store 4000000 spill-load 4000000 stack 2000 from ptxas\n"
                     "loop 0: header 1 latch 1 bound constant trips %d\ninduction %%k loop 0 step 1\n"
                     "block 0: ipdom 1\n%%gid = id.global_id.0 i64\n%%row = shl i64 %%gid, 10 : int64.shift\n%%out = "
                     "add i64 $out, %%row : int64.add\nbr block 1\n"
                     "block 1: ipdom 2 loop 0\n%%k = phi i64 [block 0: 0], [block 1: %%next]\n%%sum = phi f32 [block "
                     "0: 0], [block 1: %%m400]\n"
                     "%%i = shl i64 %%k, 2 : int64.shift\n%%p = add i64 $in, %%i : int64.add\n%%v = load f32 %%p in "
                     "global 4x1 base $in : memory\n%%m0 = weight f32 %%sum, %%v : fp32.add\n",
                     TURNS);
    for (int m = 1; m <= 400; m++)
        n += snprintf(text + n, sizeof text - (size_t)n, "%%m%d = weight f32 %%m%d, %%v : fp32.add\n", m, m - 1);
    n += snprintf(text + n, sizeof text - (size_t)n,
                  "%%next = add i64 %%k, 1 : int32.add\n%%c = icmp.ult i64 %%next, %d : int32.cmp\ncondbr %%c, block "
                  "1, block 2 kind induction\nblock 2:\n",
                  TURNS);
    for (uint32_t s = 0; s < stores; s++)
        n += snprintf(text + n, sizeof text - (size_t)n,
                      "%%q%u = add i64 %%out, %u : int64.add\nstore %%q%u, %%sum in global 4x1 base $out : memory\n", s,
                      4 * s, s);
    snprintf(text + n, sizeof text - (size_t)n, "ret\n");
    return trace_cycles_in(text, device_name, WORK_ITEMS, GROUP);
}

/* Spilled registers are no instructions of the trace: what memory moves does not go on as these do. */
static void spills(void **state)
{
    (void)state;
    static const char *const devices[] = {"a100", "h200", "rtx3090"};
    for (size_t d = 0; d < sizeof devices / sizeof *devices; d++) {
        double whole = spilling(devices[d], 1), stopped = spilling(devices[d], 128);
        print_message("%s: a store %.4g, 128 stores %.4g cycles\n", devices[d], whole, stopped);
        assert_true(stopped < 1.5 * whole && stopped > 0.75 * whole);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(spills)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
