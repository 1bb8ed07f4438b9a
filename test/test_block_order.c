/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The order in which compilers issue. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "model/compilers/block_order.h"
#include "model/profile/profile_text.h"

static const char head[] = "gpuperf-profile 1\n"
                           "kernel k\n"
                           "  param a: buffer 64 in global skeleton size 8\n"
                           "  param n: int 32 skeleton size 4\n"
                           "  local tile: 1024 align 4\n"
                           "  dims 1\n"
                           "  resources registers 8 from estimate\n";

static struct gp_profile *parse(const char *body)
{
    struct gp_error error = {{0}};
    char text[4096];
    snprintf(text, sizeof text, "%s%s", head, body);
    struct gp_profile *profile = gp_profile_parse(text, strlen(text), &error);
    if (profile == NULL)
        fail_msg("%s", error.text);
    return profile;
}

/* Orders block 0, loads 100 cycles and a word each, all else 4 cycles; `expected` holds the letter of each instruction,
 * a for the first. */
static void assert_order_of(const char *body, double words, bool late, const char *expected)
{
    struct gp_profile *profile = parse(body);
    const struct gp_kernel *kernel = &profile->kernels[0];
    struct gp_block_order *order = gp_block_order_new(kernel);
    struct gp_order_item items[32];
    uint32_t count = kernel->blocks[0].inst_count;
    char found[33] = "";
    for (uint32_t i = 0; i < count; i++) {
        bool load = kernel->insts[kernel->blocks[0].inst + i].op == GP_OP_LOAD;
        items[i] = (struct gp_order_item){.inst = kernel->blocks[0].inst + i,
                                          .guard = GP_NONE,
                                          .issue = 1,
                                          .latency = load ? 100 : 4,
                                          .words = load,
                                          .late = load && late};
    }
    const uint32_t *list = gp_block_order_find(order, items, count, words);
    for (uint32_t i = 0; i < count; i++)
        found[i] = (char)('a' + list[i]);
    assert_string_equal(found, expected);
    gp_block_order_free(order);
    gp_profile_free(profile);
}

static void assert_order(const char *body, double words, const char *expected)
{
    assert_order_of(body, words, false, expected);
}

/* clang-format off */
#define TWO_SUMS(between) \
    "  block 0:\n" \
    "    %x = load i32 $a in global 4x1 base $a\n" \
    "    %u = weight f32 %x : fp32.add\n" between \
    "    %y = load i32 $a in global 4x1 base $a\n" \
    "    %v = weight f32 %y : fp32.add\n" \
    "    ret\n"
/* clang-format on */

/* Both are under way before the first is waited for. */
static void loads_go_up(void **state)
{
    (void)state;
    assert_order(TWO_SUMS(""), 8, "acbde");
}

static void registers_bound_them(void **state)
{
    (void)state;
    assert_order(TWO_SUMS(""), 1, "abcde");
}

static void barriers_hold_them(void **state)
{
    (void)state;
    assert_order(TWO_SUMS("    barrier\n"), 8, "abcdef");
}

static void late_ones_stay_with_their_use(void **state)
{
    (void)state;
    assert_order_of(TWO_SUMS(""), 8, true, "abcde");
}

/* A store may write what the load reads; one to another address space may not. */
static void stores_hold_those_of_their_space(void **state)
{
    (void)state;
    assert_order(TWO_SUMS("    store $a, %u in global 4x1 base $a\n"), 8, "abcdef");
    assert_order(TWO_SUMS("    store local.tile, %u in local 4x1 base local.tile\n"), 8, "adbecf");
}

/* Of two chains the longer one goes first. */
static void the_longest_chain_goes_first(void **state)
{
    (void)state;
    assert_order("  block 0:\n"
                 "    %a = weight f32 $n : fp32.add\n"
                 "    %b = weight f32 $n : fp32.add\n"
                 "    %c = weight f32 %b : fp32.add\n"
                 "    %d = weight f32 %c : fp32.add\n"
                 "    ret\n",
                 8, "bacde");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(loads_go_up),
                                       cmocka_unit_test(registers_bound_them),
                                       cmocka_unit_test(late_ones_stay_with_their_use),
                                       cmocka_unit_test(barriers_hold_them),
                                       cmocka_unit_test(stores_hold_those_of_their_space),
                                       cmocka_unit_test(the_longest_chain_goes_first)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
