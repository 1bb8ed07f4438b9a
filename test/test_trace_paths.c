/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Ways to memory beside L1, as the simulation sees them: the cache of constants, the texture cache, AMD's scalar unit.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "trace_cycles.h"

enum {
    TRIPS = 256,
    WARPS = TRACE_CYCLES_GROUP / 32,
    WORK_ITEMS = 12 * WARPS * 32
}; /* a group per SM at most: latencies show */

/* What a work-item loads in each iteration: `index`, which is shifted to bytes, from `table` in `space`; what else is
 * said of the load. */
struct load {
    const char *space, *index, *attribute, *flag;
};

/* Cycles of one iteration. */
static double cycles_of(const char *device_name, const struct load *load)
{
    char text[3000];
    snprintf(text, sizeof text,
             "gpuperf-profile 1\nkernel k\nparam table: buffer 64 in %s const skeleton size 8\nparam out: buffer 64 in "
             "global skeleton size 8\n"
             "dims 1\nresources registers 24 from ptxas\nloop 0: header 1 latch 1 bound constant trips %d\ninduction "
             "%%k loop 0 step 1\n"
             "block 0: ipdom 1\n%%gid = id.global_id.0 i64\n%%lane = id.local_id.0 i64\nbr block 1\n"
             "block 1: ipdom 2 loop 0\n%%k = phi i64 [block 0: 0], [block 1: %%next]\n%%sum = phi f32 [block 0: 0], "
             "[block 1: %%more]\n%s"
             "%%at = shl i64 %%i, 2 : int64.shift\n%%p = add i64 $table, %%at : int64.add\n"
             "%%v = load f32 %%p in %s 4x1 base $table%s : memory%s\n%%more = weight f32 %%sum, %%v : fp32.add\n"
             "%%next = add i64 %%k, 1 : int32.add\n%%c = icmp.ult i64 %%next, %d : int32.cmp\ncondbr %%c, block 1, "
             "block 2 kind induction\n"
             "block 2:\n%%o = shl i64 %%gid, 2 : int64.shift\n%%q = add i64 $out, %%o : int64.add\nstore %%q, %%sum in "
             "global 4x1 base $out : memory\nret\n",
             load->space, TRIPS, load->index, load->space, load->attribute, load->flag, TRIPS);
    return trace_cycles(text, device_name, WORK_ITEMS) / TRIPS;
}

#define SAME_FOR_ALL "%i = and i64 %k, 63 : int64.logic\n"
#define SIDE_BY_SIDE "%there = add i64 %k, %lane : int64.add\n%i = and i64 %there, 127 : int64.logic\n"
#define BY_LANE \
    "%low = and i64 %lane, 31 : int64.logic\n%far = shl i64 %low, 2 : int64.shift\n%there = add i64 %k, %far : " \
    "int64.add\n%i = and i64 %there, 127 : int64.logic\n"

/* Word by word, the cache of constants answers all lanes at once, but different words one after the other. */
static void constants(void **state)
{
    (void)state;
    static const char *const devices[] = {"gtx280", "m2070", "k20", "v100", "a100"};
    for (size_t d = 0; d < sizeof devices / sizeof *devices; d++) {
        double one = cycles_of(devices[d], &(struct load){"constant", SAME_FOR_ALL, "", ""}),
               many = cycles_of(devices[d], &(struct load){"constant", BY_LANE, "", ""});
        double global = cycles_of(devices[d], &(struct load){"global", SAME_FOR_ALL, "", ""});
        print_message("%s: one word %.0f, 32 words %.0f, global memory %.0f cycles\n", devices[d], one, many, global);
        assert_true(many >= WARPS * 32 && one < 0.7 * many);
        assert_true(one <= global);
    }
}

/* More constants than the cache holds come from L2. */
static void more_constants_than_fit(void **state)
{
    (void)state;
    double few = cycles_of("k20", &(struct load){"constant", SAME_FOR_ALL, "", ""});
    double many = cycles_of("k20", &(struct load){"constant", "%i = shl i64 %k, 4 : int64.shift\n", "", ""});
    print_message("k20: 256 bytes %.0f, 16 KB %.0f cycles\n", few, many);
    assert_true(many > 1.5 * few);
}

/* Kepler's L1 does not hold global memory; its texture cache does where the compiler knows that nobody writes. */
static void textures(void **state)
{
    (void)state;
    double plain = cycles_of("k20", &(struct load){"global", SIDE_BY_SIDE, "", ""}),
           readonly = cycles_of("k20", &(struct load){"global", SIDE_BY_SIDE, " readonly", ""});
    print_message("k20: %.0f, read only %.0f cycles\n", plain, readonly);
    assert_true(readonly < 0.8 * plain);
    double l1 = cycles_of("m2070", &(struct load){"global", SIDE_BY_SIDE, "", ""});
    double l2 = cycles_of(
        "m2070",
        &(struct load){"global", "%far = shl i64 %gid, 8 : int64.shift\n%i = add i64 %far, %k : int64.add\n", "", ""});
    print_message("m2070: in L1 %.0f, beyond %.0f cycles\n", l1, l2);
    assert_true(l1 < 0.5 * l2);
}

/* What is the same for all lanes AMD's scalar unit loads, past the vector memory's path. */
static void scalars(void **state)
{
    (void)state;
    static const char *const devices[] = {"mi50", "w6600"};
    for (size_t d = 0; d < sizeof devices / sizeof *devices; d++) {
        double vector = cycles_of(devices[d], &(struct load){"global", SAME_FOR_ALL, "", ""}),
               scalar = cycles_of(devices[d], &(struct load){"global", SAME_FOR_ALL, "", " uniform"});
        print_message("%s: vector %.0f, scalar %.0f cycles\n", devices[d], vector, scalar);
        assert_true(scalar < vector);
    }
}

enum { PLANES = 400, PLANE = 1 << 18 };

/* Cycles of a launch that goes through planes of a word per work-item, so many on in each iteration. It reads so many
 * of them, and of each its word and those of the warps behind it. */
static double through_planes(const char *device_name, uint32_t on, uint32_t planes, uint32_t words)
{
    char text[12000], sum[16] = "%sum";
    uint32_t loads = planes * words;
    int n = snprintf(text, sizeof text,
                     "gpuperf-profile 1\nkernel k\nparam in: buffer 64 in global const skeleton size 8\nparam out: "
                     "buffer 64 in global skeleton size 8\n"
                     "dims 1\nresources registers 24 from ptxas\nloop 0: header 1 latch 1 bound constant trips "
                     "%d\ninduction %%k loop 0 step 1\n"
                     "block 0: ipdom 1\n%%gid = id.global_id.0 i64\nbr block 1\n"
                     "block 1: ipdom 2 loop 0\n%%k = phi i64 [block 0: 0], [block 1: %%next]\n%%sum = phi f32 [block "
                     "0: 0], [block 1: %%w%u]\n"
                     "%%plane = mul i64 %%k, %d : int64.mul\n%%at = add i64 %%plane, %%gid : int64.add\n",
                     PLANES, loads - 1, on * PLANE);
    for (uint32_t i = 0; i < loads; i++) {
        n += snprintf(
            text + n, sizeof text - (size_t)n,
            "%%i%u = add i64 %%at, %u : int64.add\n%%b%u = shl i64 %%i%u, 2 : int64.shift\n%%p%u = add i64 $in, %%b%u "
            ": int64.add\n"
            "%%v%u = load f32 %%p%u in global 4x1 base $in : memory\n%%w%u = weight f32 %s, %%v%u : fp32.add\n",
            i, i / words * PLANE + i % words * 32, i, i, i, i, i, i, i, sum, i);
        snprintf(sum, sizeof sum, "%%w%u", i);
    }
    snprintf(text + n, sizeof text - (size_t)n,
             "%%next = add i64 %%k, 1 : int32.add\n%%c = icmp.ult i64 %%next, %d : int32.cmp\ncondbr %%c, block 1, "
             "block 2 kind induction\n"
             "block 2:\n%%o = shl i64 %%gid, 2 : int64.shift\n%%q = add i64 $out, %%o : int64.add\nstore %%q, %%sum in "
             "global 4x1 base $out : memory\nret\n",
             PLANES);
    return trace_cycles(text, device_name, PLANE);
}

static const char *const streaming[] = {"a100", "rtx3090", "w7800", "w6600", "mi250x"};

/* Of three planes that a stencil reads in each iteration two were read in the iterations before: DRAM delivers each
 * once. */
static void planes(void **state)
{
    (void)state;
    for (size_t d = 0; d < sizeof streaming / sizeof *streaming; d++) {
        double one = through_planes(streaming[d], 1, 1, 1), three = through_planes(streaming[d], 1, 3, 1);
        print_message("%s: a plane %.0f, three planes %.0f cycles\n", streaming[d], one, three);
        assert_true(three < 1.5 * one);
    }
}

/* What a warp reads its neighbours in the group read, too. A kernel that is dear to simulate is looked at in few warps
 * first, which do not show it. */
static void words_of_neighbours(void **state)
{
    (void)state;
    for (size_t d = 0; d < sizeof streaming / sizeof *streaming; d++) {
        double one = through_planes(streaming[d], 8, 8, 1), three = through_planes(streaming[d], 8, 8, 3);
        print_message("%s: own words %.0f, those of two neighbours, too %.0f cycles\n", streaming[d], one, three);
        assert_true(three < 1.3 * one);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(planes),    cmocka_unit_test(words_of_neighbours),
                                       cmocka_unit_test(constants), cmocka_unit_test(more_constants_than_fit),
                                       cmocka_unit_test(textures),  cmocka_unit_test(scalars)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
