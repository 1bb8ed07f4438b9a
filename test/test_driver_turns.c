/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Which loops' loads are under way together once a driver has compiled code that is for no device. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "model/compilers/counted_turns.h"
#include "model/compilers/driver_turns.h"
#include "model/profile/profile_text.h"

/* A loop with a load from `address` (%p: a[k + id]), and more in its body. */
static struct gp_profile *profile_of(const char *loop, const char *step, const char *address, const char *more)
{
    char text[8192];
    struct gp_error error = {{0}};
    int length = snprintf(text, sizeof text,
                          "gpuperf-profile 1\n"
                          "producer \"by hand\"\n"
                          "source \"k.cl\"\n"
                          "triple \"spir64\"\n"
                          "language opencl\n"
                          "opt 2\n"
                          "location 0: \"k.cl\":1:1\n"
                          "kernel k at 0\n"
                          "  param a: buffer 64 in global size 8\n"
                          "  param n: int 32 skeleton signed size 4\n"
                          "  dims 1\n"
                          "  loop 0: header 1 latch 1 %s\n"
                          "  induction %%k loop 0 step %s\n"
                          "  block 0: ipdom 1\n"
                          "    %%id = id.global_id.0 i64\n"
                          "    %%size = id.global_size.0 i32\n"
                          "    br block 1\n"
                          "  block 1: ipdom 2 loop 0\n"
                          "    %%k = phi i32 [block 0: 0], [block 1: %%next]\n"
                          "    %%at = phi i64 [block 0: %%id], [block 1: %%loaded]\n"
                          "    %%wide = sext i32 %%k to i64\n"
                          "    %%sum = add i64 %%wide, %%id\n"
                          "    %%bytes = mul i64 %%sum, 4\n"
                          "    %%p = add i64 $a, %%bytes\n"
                          "    %%there = mul i64 %%at, 4\n"
                          "    %%q = add i64 $a, %%there\n"
                          "%s"
                          "    %%x = load i32 %s in global 4x1 base $a\n"
                          "    %%loaded = zext i32 %%x to i64\n"
                          "    %%next = add i32 %%k, %s\n"
                          "    %%goes = icmp.slt i32 %%next, $n\n"
                          "    condbr %%goes, block 1, block 2 kind induction\n"
                          "  block 2:\n"
                          "    ret\n",
                          loop, step, more, address, step);
    assert_true(length > 0 && (size_t)length < sizeof text);
    struct gp_profile *profile = gp_profile_parse(text, (size_t)length, &error);
    if (profile == NULL)
        fail_msg("%s", error.text);
    return profile;
}

/* The turns of that load. */
static struct gp_driver_turns turns_once_unrolled(enum gp_unrolled_by unrolled_by, const char *loop, const char *step,
                                                  const char *address, const char *more)
{
    struct gp_profile *profile = profile_of(loop, step, address, more);
    const struct gp_kernel *kernel = &profile->kernels[0];
    struct gp_driver_turns turns[64];
    assert_true(kernel->memory_count <= 64);
    gp_find_driver_turns(kernel, unrolled_by, turns);
    struct gp_driver_turns last = turns[kernel->memory_count - 1];
    gp_profile_free(profile);
    return last;
}

static struct gp_driver_turns all_turns_of(const char *loop, const char *step, const char *address, const char *more)
{
    return turns_once_unrolled(GP_UNROLLED_BY_SOURCE, loop, step, address, more);
}

static uint8_t turns_of(const char *loop, const char *step, const char *address, const char *more)
{
    return all_turns_of(loop, step, address, more).unrolled;
}

static const char counted[] = "bound scalar-evolution trips $n";

static void loops_are_unrolled(void **state)
{
    (void)state;
    char longer[8192] = "";
    assert_int_equal(turns_of(counted, "1", "%p", ""), 16);
    assert_int_equal(turns_of("bound assumed data", "1", "%p", ""), 16); /* to an end that stands before the loop */
    assert_int_equal(turns_of(counted, "1", "%p", "    weight f32 %wide : math32.trig\n"), 4); /* long to ptxas */
    for (int i = 0; i < 4; i++)
        strcat(longer,
               "    weight f32 %wide : fp32.fma\n    weight f32 %wide : fp32.fma\n    weight f32 %wide : fp32.fma\n");
    assert_int_equal(turns_of(counted, "1", "%p", longer), 4);
    for (int i = 0; i < 10; i++)
        strcat(longer, "    weight f32 %wide : fp32.fma\n    weight f32 %wide : fp32.fma\n    weight f32 %wide : "
                       "fp32.fma\n    weight f32 %wide : fp32.fma\n");
    assert_int_equal(turns_of(counted, "1", "%p", longer), 2);
    for (int i = 0; i < 10; i++)
        strcat(longer, "    weight f32 %wide : fp32.fma\n    weight f32 %wide : fp32.fma\n    weight f32 %wide : "
                       "fp32.fma\n    weight f32 %wide : fp32.fma\n");
    assert_int_equal(turns_of(counted, "1", "%p", longer), 1);
}

static void others_stay(void **state)
{
    (void)state;
    assert_int_equal(turns_of(counted, "1", "%q", ""), 1);         /* a list: each turn loads where the next one does */
    assert_int_equal(turns_of(counted, "%size", "%p", ""), 1);     /* steps by a number of work-items */
    assert_int_equal(turns_of("bound assumed", "1", "%p", ""), 1); /* ends where data says so */
    assert_int_equal(turns_of("bound scalar-evolution unroll 8 trips $n", "1", "%p", ""), 1);
    assert_int_equal(turns_of(counted, "1", "%p", "    barrier : barrier\n"), 1);
    assert_int_equal(turns_of(counted, "1", "%p", "    %y = load i32 %p in global 4x1 base $a\n"),
                     16); /* two loads are not too many */
}

/* Clang's code of CUDA, four turns of the source in one: NVIDIA's compilers make sixteen of them one. What is left over
 * steps by one, and stays a loop of its own. */
static void what_llvm_has_unrolled_counts(void **state)
{
    (void)state;
    static const char by_four[] = "bound scalar-evolution unroll 4 trips $n",
                      by_32[] = "bound scalar-evolution unroll 32 trips $n";
    assert_int_equal(turns_once_unrolled(GP_UNROLLED_BY_LLVM, by_four, "4", "%p", "").unrolled, 4);
    assert_int_equal(turns_once_unrolled(GP_UNROLLED_BY_LLVM, by_four, "1", "%p", "").unrolled, 16);
    assert_int_equal(turns_once_unrolled(GP_UNROLLED_BY_LLVM, by_32, "32", "%p", "").unrolled, 1);
    assert_int_equal(turns_once_unrolled(GP_UNROLLED_BY_SOURCE, by_four, "4", "%p", "").unrolled, 1);
}

/* What the turn before has stored may be what this one loads. */
static void stores_keep_loads_in_order(void **state)
{
    (void)state;
    struct gp_driver_turns stores = all_turns_of(counted, "1", "%p", "    store %q, 1 in global 4x1 align 4 base $a\n"),
                           elsewhere =
                               all_turns_of(counted, "1", "%p", "    store %q, 1 in local 4x1 align 4 base $a\n");
    assert_int_equal(all_turns_of(counted, "1", "%p", "").waiting, 16);
    assert_true(stores.unrolled > 1);
    assert_int_equal(stores.waiting, 1);
    assert_int_equal(elsewhere.waiting, elsewhere.unrolled);
}

struct shared {
    uint8_t address, load, next, end, branch;
};

/* Turns that share an address, its load, the counter's step and the loop's end. */
static struct shared shared_by(const char *step, const char *address, const char *more)
{
    struct gp_profile *profile = profile_of(counted, step, address, more);
    const struct gp_kernel *kernel = &profile->kernels[0];
    uint8_t turns[128];
    assert_true(kernel->inst_count <= 128);
    gp_find_counted_turns(kernel, GP_UNROLLED_BY_SOURCE, turns);
    uint32_t load = kernel->memory[kernel->memory_count - 1].inst,
             made = gp_ref_index(kernel->operands[kernel->insts[load].operand]);
    const struct shared shared = {turns[made], turns[load], turns[load + 2], turns[load + 3], turns[load + 4]};
    gp_profile_free(profile);
    return shared;
}

static void check_shared(struct shared shared, uint8_t address, uint8_t next, uint8_t end)
{
    assert_int_equal(shared.address, address);
    assert_int_equal(shared.load, 1);
    assert_int_equal(shared.next, next);
    assert_int_equal(shared.end, end);
    assert_int_equal(shared.branch, end);
}

static void turns_share_what_counts_them(void **state)
{
    (void)state;
    static const char rows[] = "    %row = mul i64 %wide, $n\n    %other = add i64 $a, %row\n",
                      wraps[] =
                          "    %less = add i32 %k, $n\n    %u = zext i32 %less to i64\n    %other = add i64 $a, %u\n",
                      counter[] = "    %u = zext i32 %k to i64\n    %other = add i64 $a, %u\n";
    check_shared(shared_by("1", "%p", ""), 16, 16, 16);
    check_shared(shared_by("1", "%other", counter), 16, 16, 16);
    check_shared(shared_by("1", "%other", rows), 1, 16, 16); /* further by what is no constant */
    check_shared(shared_by("1", "%other", wraps), 1, 1, 16); /* each is a sum of its own that may wrap */
    check_shared(shared_by("$n", "%p", ""), 1, 1, 16);
    check_shared(shared_by("%size", "%p", ""), 1, 1, 1);                           /* turns that nobody counts */
    check_shared(shared_by("1", "%p", "    weight f32 %k : cvt.32\n"), 16, 1, 16); /* each turn needs its number */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(loops_are_unrolled), cmocka_unit_test(others_stay),
                                       cmocka_unit_test(what_llvm_has_unrolled_counts),
                                       cmocka_unit_test(stores_keep_loads_in_order),
                                       cmocka_unit_test(turns_share_what_counts_them)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
