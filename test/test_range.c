/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Where an address can fall whatever is loaded, by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "model/launch/range.h"
#include "model/profile/profile_text.h"
#include "model/assume/defaults.h"

static struct gp_profile *profile_of(const char *arrays, const char *address, const char *access)
{
    char text[4000];
    struct gp_error error = {""};
    snprintf(text, sizeof text,
             "gpuperf-profile 1\n"
             "kernel k\n"
             "param out: buffer 64 in global size 8\n"
             "param in: buffer 64 in global size 8\n"
             "param n: int 32 signed size 4\n"
             "%s"
             "block 0:\n"
             "%%x = load i32 $in in global 4x1 base $in\n"
             "%%b = load i8 $in in global 1x1 base $in\n"
             "%s"
             "%s\n"
             "ret\n",
             arrays, address, access);
    struct gp_profile *profile = gp_profile_parse(text, strlen(text), &error);
    if (profile == NULL)
        fail_msg("%s", error.text);
    return profile;
}

/* Of the kernel's last access. */
static void assert_range(const char *arrays, const char *address, const char *access, uint64_t count, int64_t low,
                         int64_t high)
{
    struct gp_profile *profile = profile_of(arrays, address, access);
    const struct gp_kernel *kernel = &profile->kernels[0];
    uint32_t atomic = kernel->memory_count - 1;
    int64_t from, to;
    struct gp_launch launch;
    gp_launch_default(kernel, &launch);
    assert_int_equal(gp_range_addresses(kernel, &launch, atomic), count);
    assert_int_equal(gp_range_bytes(kernel, &launch, atomic, &from, &to), count > 0);
    if (count > 0) {
        assert_int_equal(from, low);
        assert_int_equal(to, high);
    }
    gp_profile_free(profile);
}

static void assert_addresses(const char *address, uint64_t count, int64_t low, int64_t high)
{
    assert_range("", address, "%old = atomic i32 %p, 1 in global 4x1 base $out returns", count, low, high);
}

#define AT(index) index "%w = zext i32 %i to i64\n%o = shl i64 %w, 2\n%p = add i64 $out, %o\n"

static void masks_and_remainders_bound(void **state)
{
    (void)state;
    assert_addresses(AT("%i = and i32 %x, 255\n"), 256, 0, 1020);
    assert_addresses(AT("%i = and i32 255, %x\n"), 256, 0, 1020);
    assert_addresses(AT("%i = and i32 %x, 12\n"), 4, 0, 48); /* 0, 4, 8, 12 */
    assert_addresses(AT("%i = urem i32 %x, 1000\n"), 1000, 0, 3996);
    assert_addresses(AT("%i = lshr i32 %x, 24\n"), 256, 0, 1020);
    assert_addresses(AT("%i = umin i32 %x, 9\n"), 10, 0, 36);
    assert_addresses(AT("%i = umulhi i32 %x, 100\n"), 100, 0, 396);
    assert_addresses(AT("%i = popcount i32 %x\n"), 33, 0, 128);
    assert_addresses(AT("%i = clz i32 %x\n"), 33, 0, 128);
    assert_addresses("%i = srem i32 %x, 6\n%w = sext i32 %i to i64\n%o = mul i64 %w, 12\n%p = add i64 $out, %o\n", 11,
                     -60, 60);
}

/* Arguments bound as their numbers do, whether stated or assumed: n is 1024, as it is in an address. */
static void arguments_bound(void **state)
{
    (void)state;
#define N "%wide = sext i32 $n to i64\n%first = add i64 $out, %wide\n%f = load i32 %first in global 4x1 base $out\n"
    assert_addresses(N AT("%i = and i32 %x, 255\n%l = add i32 %i, $n\n%s = sub i32 %l, $n\n"), 256, 0, 1020);
    assert_addresses(N AT("%m = add i32 $n, 0xffffffff\n%i = and i32 %x, %m\n"), 1024, 0, 4092);
    assert_addresses(N AT("%m = add i32 $n, 0xffffffff\n%c = smax i32 %x, 0\n%i = smin i32 %c, %m\n"), 1024, 0, 4092);
    assert_addresses(N AT("%m = add i32 $n, 0xffffffff\n%c = smin i32 %x, %m\n%i = smax i32 %c, 0\n"), 1024, 0, 4092);
    assert_addresses(N AT("%i = urem i32 %x, $n\n"), 1024, 0, 4092);
    assert_addresses(N AT("%by = and i32 $n, 31\n%i = lshr i32 %x, %by\n"), 1 << 22, 0,
                     (INT64_C(1) << 24) - 4); /* n is 10: something is shifted by it */
    assert_addresses(N "%i = ashr i32 %x, 24\n%w = sext i32 %i to i64\n%p = add i64 $out, %w\n", 256, -128, 127);
#undef N
}

static void narrow_loads_bound(void **state)
{
    (void)state;
    assert_addresses(AT("%i = zext i8 %b to i32\n"), 256, 0, 1020);
    assert_addresses(AT("%s = zext i8 %b to i32\n%i = lshr i32 %s, 3\n"), 32, 0, 124);
}

static void sums_and_choices(void **state)
{
    (void)state;
    assert_addresses(AT("%m = and i32 %x, 7\n%i = add i32 %m, 100\n"), 8, 400, 428);
    assert_addresses(AT("%m = and i32 %x, 7\n%t = mul i32 %m, 33\n%i = add i32 %t, 1\n"), 8, 4, 928);
    assert_addresses(AT("%c = icmp.eq i32 %x, 1\n%i = select i32 %c, 3, 11\n"), 2, 12, 44);
    assert_addresses("%p = add i64 $out, 64\n", 1, 64, 64);
}

/* for (k = 5; k < n + 5; k += 2) if (in[k] > 0) best = k; out[best] */
static const char nearest[] = "gpuperf-profile 1\n"
                              "kernel k\n"
                              "param out: buffer 64 in global size 8\n"
                              "param in: buffer 64 in global size 8\n"
                              "param n: int 32 signed size 4\n"
                              "loop 0: header 1 latch 1 bound scalar-evolution trips $n\n"
                              "induction %%k loop 0 step %s\n"
                              "block 0:\n"
                              "br block 1\n"
                              "block 1: ipdom 2 loop 0\n"
                              "%%k = phi i32 [block 0: 5], [block 1: %%next]\n"
                              "%%best = phi i32 [block 0: 7], [block 1: %%choice]\n"
                              "%%l = load i32 $in in global 4x1 base $in\n"
                              "%%c = icmp.sgt i32 %%l, 0\n"
                              "%%next = add i32 %%k, %s\n"
                              "%%either = select i32 %%c, %%k, %%next\n"
                              "%%choice = select i32 %%c, %s, %%best\n"
                              "%%other = add i32 %%best, 1\n"
                              "%%e = icmp.ne i32 %%next, $n\n"
                              "condbr %%e, block 1, block 2\n"
                              "block 2:\n"
                              "%%s = sext i32 %%best to i64\n"
                              "%%o = shl i64 %%s, 2\n"
                              "%%p = add i64 $out, %%o\n"
                              "%%v = load i32 %%p in global 4x1 base $out\n"
                              "ret\n";

static const uint64_t any_32_bits = UINT64_C(1) << 32;

static void assert_nearest(const char *step, const char *choice, uint64_t rounds, uint64_t count, int64_t low,
                           int64_t high)
{
    char text[2000];
    struct gp_error error = {""};
    struct gp_launch launch;
    int64_t from, to;
    snprintf(text, sizeof text, nearest, step, step, choice);
    struct gp_profile *profile = gp_profile_parse(text, strlen(text), &error);
    if (profile == NULL)
        fail_msg("%s", error.text);
    gp_launch_default(&profile->kernels[0], &launch);
    launch.arguments[2].value = rounds;
    assert_int_equal(gp_range_addresses(&profile->kernels[0], &launch, 1), count);
    assert_int_equal(gp_range_bytes(&profile->kernels[0], &launch, 1, &from, &to), count > 0);
    if (count > 0) {
        assert_int_equal(from, low);
        assert_int_equal(to, high);
    }
    assert_int_equal(gp_range_addresses(&profile->kernels[0], NULL, 1), any_32_bits);
    gp_profile_free(profile);
}

/* What data chooses among a loop's counters is one of them, or what it was before; what it adds to that is not. */
static void counters_bound(void **state)
{
    (void)state;
    assert_nearest("2", "%k", 100, 100, 20, 4 * 203);
    assert_nearest("1", "%next", 100, 100, 24, 4 * 105);
    assert_nearest("1", "%either", 100, 101, 20, 4 * 105);
    assert_nearest("-1", "%k", 100, 102, -4 * 94, 4 * 7);
    assert_nearest("2", "%other", 100, any_32_bits, -4 * (INT64_C(1) << 31), 4 * ((INT64_C(1) << 31) - 1));
}

static void the_rest_has_no_bound(void **state)
{
    (void)state;
    assert_addresses("%w = sext i32 $n to i64\n%o = shl i64 %w, 2\n%p = add i64 %w, %x\n", 0, 0, 0);
    assert_addresses("%l = load i64 $in in global 8x1 base $in\n%p = add i64 $out, %l\n", 0, 0, 0);
}

/* An access stays within its array. */
static void arrays_bound(void **state)
{
    (void)state;
    const char *const locals = "local bins: 1000 align 4\n", *const privates = "private sums: 12 align 4\n";
    const char *const to_bins = "%w = zext i32 %x to i64\n%o = shl i64 %w, 2\n%p = add i64 local.bins, %o\n";
    const char *const to_sums = "%w = zext i8 %b to i64\n%o = shl i64 %w, 2\n%p = add i64 private.sums, %o\n";
    assert_range(locals, to_bins, "%v = load i32 %p in local 4x1 base local.bins", 250, 0, 996);
    assert_range(locals, to_bins, "%v = load i32 %p in local 4x4 base local.bins", 247, 0, 984);
    assert_range(privates, to_sums, "%v = load i32 %p in private 4x1 base private.sums", 3, 0, 8);
    assert_range(privates,
                 "%w = sext i8 %b to i64\n%o = shl i64 %w, 2\n%h = add i64 %o, 5\n%p = add i64 private.sums, %h\n",
                 "%v = load i32 %p in private 4x1 base private.sums", 2, 1, 5);
}

/* Sums of sums that share their operands would take 2^60 steps. */
static void long_chains_end(void **state)
{
    char text[3000] = "%v0 = and i32 %x, 3\n";
    (void)state;
    for (int i = 0; i < 60; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%%v%d = xor i32 %%v%d, %%v%d\n", i + 1, i, i);
    snprintf(text + strlen(text), sizeof text - strlen(text), "%%w = zext i32 %%v60 to i64\n%%p = add i64 $out, %%w\n");
    assert_addresses(text, UINT64_C(1) << 32, 0, INT64_C(4294967295));
}

static bool read_range(const char *address, const struct gp_launch *places, uint32_t param, int64_t *from, int64_t *to)
{
    struct gp_profile *profile = profile_of("", address, "%v = load i32 %p in global 4x1 base $in");
    struct gp_launch launch;
    gp_launch_default(&profile->kernels[0], &launch);
    memcpy(launch.global, places->global, sizeof launch.global);
    memcpy(launch.local, places->local, sizeof launch.local);
    memcpy(launch.offset, places->offset, sizeof launch.offset);
    bool known = gp_range_read(&profile->kernels[0], &launch, param, from, to);
    gp_profile_free(profile);
    return known;
}

/* in[i - 1], in[0] besides, by ids or by what they are made of; what memory decides has no bound. */
static void places_bound_what_is_read(void **state)
{
    (void)state;
    const struct gp_launch share = {.global = {512, 1, 1}, .local = {64, 1, 1}, .offset = {100, 0, 0}};
    const char by_id[] = "%i = id.global_id.0 i64\n%o = shl i64 %i, 2\n%q = add i64 $in, %o\n%p = sub i64 %q, 4\n",
               by_parts[] = "%g = id.group_id.0 i64\n%s = id.local_size.0 i64\n%l = id.local_id.0 i64\n"
                            "%t = mul i64 %g, %s\n%i = add i64 %t, %l\n%o = shl i64 %i, 2\n%p = add i64 $in, %o\n",
               by_memory[] = "%w = zext i32 %x to i64\n%o = shl i64 %w, 12\n%p = mul i64 %o, %o\n";
    int64_t from, to;
    assert_true(read_range(by_id, &share, 1, &from, &to));
    assert_true(from == 0 && to == 4 * (100 + 512) - 4); /* all loads of `in` together */
    assert_true(read_range(by_parts, &share, 1, &from, &to));
    assert_true(from == 0 && to == 4 * 512);
    assert_true(read_range(by_id, &share, 0, &from, &to) && from == 0 && to == 0);
    assert_false(read_range(by_memory, &share, 1, &from, &to));
    assert_false(read_range("bulk_copy $out, $in, 4096 in global 4x1 base $in\n%i = id.global_id.0 i64\n"
                            "%o = shl i64 %i, 2\n%p = add i64 $in, %o\n",
                            &share, 1, &from, &to)); /* a stretch, of which the address tells the first element */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(masks_and_remainders_bound),
        cmocka_unit_test(arguments_bound),
        cmocka_unit_test(narrow_loads_bound),
        cmocka_unit_test(sums_and_choices),
        cmocka_unit_test(counters_bound),
        cmocka_unit_test(the_rest_has_no_bound),
        cmocka_unit_test(arrays_bound),
        cmocka_unit_test(long_chains_end),
        cmocka_unit_test(places_bound_what_is_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
