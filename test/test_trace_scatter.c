/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Addresses that data decides, as the simulation sees them: within their bounds, anywhere without. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "trace_cycles.h"

/* clang-format off */
#define KERNEL \
    "gpuperf-profile 1\nkernel k\n" \
    "param in: buffer 64 in global const skeleton size 8\n" \
    "param table: buffer 64 in global const skeleton size 8\n" \
    "param out: buffer 64 in global skeleton size 8\n" \
    "local bins: 8192 align 4\n" \
    "dims 1\nresources registers 24 from ptxas\n"
/* clang-format on */

/* 32 times: table[in[...] & mask], or an atomic addition to it in work-group memory. */
static double lookups(const char *device, unsigned mask, bool local)
{
    char text[3000];
    snprintf(text, sizeof text,
             KERNEL
             "loop 0: header 1 latch 1 bound constant trips 32\ninduction %%k loop 0 step 1\n"
             "block 0: ipdom 1\n%%gid = id.global_id.0 i64\n%%lane = shl i64 %%gid, 2 : int64.shift\nbr block 1\n"
             "block 1: ipdom 2 loop 0\n%%k = phi i64 [block 0: 0], [block 1: %%next]\n"
             "%%move = shl i64 %%k, 22 : int64.shift\n%%at = add i64 %%lane, %%move : int64.add\n%%p = add i64 $in, "
             "%%at : int64.add\n"
             "%%v = load i32 %%p in global 4x1 base $in : memory\n%%i = and i32 %%v, %u : int32.logic\n%%w = zext i32 "
             "%%i to i64\n"
             "%%o = shl i64 %%w, 2 : int64.shift\n%s"
             "%%next = add i64 %%k, 1 : int32.add\n%%c = icmp.ult i64 %%next, 32 : int32.cmp\ncondbr %%c, block 1, "
             "block 2 kind induction\n"
             "block 2:\n%%po = add i64 $out, %%lane : int64.add\nstore %%po, 0 in global 4x1 base $out : memory\nret\n",
             mask,
             local ? "%q = add i64 local.bins, %o : int64.add\n%x = atomic i32 %q, 1 in local 4x1 base local.bins "
                     "returns : memory\n"
                   : "%q = add i64 $table, %o : int64.add\n%x = load i32 %q in global 4x1 base $table : memory\n");
    return trace_cycles(text, device, 1 << 20);
}

/* A table of 1 KB stays in L1, one of 1 MB in L2, one of 1 GB in neither. */
static void tables(void **state)
{
    (void)state;
    static const char *const devices[] = {"a100", "mi50", "rtx2080ti"};
    for (size_t d = 0; d < sizeof devices / sizeof *devices; d++) {
        double small = lookups(devices[d], 255, false), middle = lookups(devices[d], (1 << 18) - 1, false),
               large = lookups(devices[d], (1 << 28) - 1, false);
        print_message("%s: %.0f, %.0f, %.0f cycles\n", devices[d], small, middle, large);
        assert_true(middle > 1.5 * small);
        assert_true(large > 1.2 * middle);
    }
}

/* Of 32 lanes 32 meet in one bin, about 18 in two, hardly any in 1024, where the loads take longer. */
static void bins(void **state)
{
    (void)state;
    double one = lookups("a100", 0, true), two = lookups("a100", 1, true), many = lookups("a100", 1023, true);
    print_message("%.0f, %.0f, %.0f cycles\n", one, two, many);
    assert_true(one > 1.3 * two && one < 2.2 * two);
    assert_true(two > 1.3 * many);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(tables), cmocka_unit_test(bins)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
