/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What goes to memory where a kernel has fewer registers than it wants. */
#include "test/golden.h"

#include "model/compilers/liveness.h"
#include "model/compilers/spilled.h"

enum { VALUES = 16 };

static struct gp_text text;
static struct gp_profile *profile;
static struct gp_spills spills;

static int setup(void **state)
{
    (void)state;
    gp_text_printf(&text, "gpuperf-profile 1\nkernel k\n  param a: buffer 64 in global skeleton size 8\n  dims 1\n  "
                          "resources registers 8 from estimate\n");
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    gp_spills_end(&spills);
    gp_profile_free(profile);
    gp_text_free(&text);
    return 0;
}

static void find(uint32_t excess)
{
    profile = parse_text(text.data);
    gp_spills_find(&profile->kernels[0], false, excess, &spills);
}

static void load_values(void)
{
    for (int k = 0; k < VALUES; k++)
        gp_text_printf(&text, "    %%v%d = load i32 $a in global 4x1 base $a\n", k);
}

/* Sixteen values are loaded and added up in this order; two have no register: those that are used last. */
static void the_last_used_goes(void **state)
{
    (void)state;
    gp_text_printf(&text, "  block 0:\n");
    load_values();
    gp_text_printf(&text, "    %%s0 = weight f32 %%v0 : fp32.add\n");
    for (int k = 1; k < VALUES; k++)
        gp_text_printf(&text, "    %%s%d = weight f32 %%s%d, %%v%d : fp32.add\n", k, k - 1, k);
    gp_text_printf(&text, "    store $a, %%s%d in global 4x1 base $a\n    ret\n", VALUES - 1);
    find(2);
    assert_true(spills.slots == 2);
    assert_true(spills.blocks[0].stores == 2);
    assert_true(spills.blocks[0].loads == 2);
}

static void add_loop(void)
{
    gp_text_printf(&text, "  loop 0: header 1 latch 1 bound constant trips 64\n  block 0: ipdom 1\n");
    load_values();
    gp_text_printf(&text,
                   "    br block 1\n  block 1: ipdom 2 loop 0\n    %%i = phi i32 [block 0: 0], [block 1: %%j]\n");
    for (int k = 0; k < VALUES; k++)
        gp_text_printf(&text, "    %%p%d = phi i32 [block 0: %%v%d], [block 1: %%n%d]\n", k, k, k);
    for (int k = 0; k < VALUES; k++)
        gp_text_printf(&text, "    %%n%d = weight f32 %%p%d : fp32.fma\n", k, k);
    gp_text_printf(&text, "    %%j = add i32 %%i, 1\n    %%go = icmp.slt i32 %%j, 64\n    condbr %%go, block 1, block "
                          "2 kind induction\n  block 2:\n");
    for (int k = 0; k < VALUES; k++)
        gp_text_printf(&text, "    store $a, %%n%d in global 4x1 base $a\n", k);
    gp_text_printf(&text, "    ret\n");
}

/* Each iteration of a loop uses all of sixteen values and a counter: what has no register is stored and loaded in each.
 */
static void a_loop_spills_in_each_iteration(void **state)
{
    (void)state;
    add_loop();
    find(5);
    assert_true(spills.blocks[1].loads >= 5 && spills.blocks[1].loads <= 7);
    assert_true(spills.blocks[1].stores >= 5 && spills.blocks[1].stores <= 7);
    assert_true(spills.slots >= 5 && spills.slots <= 7);
    assert_true(spills.blocks[0].loads <= 5);
    assert_true(spills.blocks[2].loads >= 4 && spills.blocks[2].loads <= 6);
}

/* Values that a loop passes by are out of its way. */
static void a_loop_keeps_what_it_uses(void **state)
{
    (void)state;
    gp_text_printf(&text, "  loop 0: header 1 latch 1 bound constant trips 64\n  block 0: ipdom 1\n");
    load_values();
    gp_text_printf(&text,
                   "    br block 1\n  block 1: ipdom 2 loop 0\n    %%i = phi i32 [block 0: 0], [block 1: %%j]\n"
                   "    %%s = phi i32 [block 0: %%v0], [block 1: %%t]\n    %%t = weight f32 %%s, %%v1 : fp32.fma\n"
                   "    %%j = add i32 %%i, 1\n    %%go = icmp.slt i32 %%j, 64\n    condbr %%go, block 1, block 2 kind "
                   "induction\n  block 2:\n");
    for (int k = 2; k < VALUES; k++)
        gp_text_printf(&text, "    store $a, %%v%d in global 4x1 base $a\n", k);
    gp_text_printf(&text, "    store $a, %%t in global 4x1 base $a\n    ret\n");
    find(6);
    assert_true(spills.blocks[1].loads == 0);
    assert_true(spills.blocks[1].stores == 0);
    assert_true(spills.blocks[0].stores >= 6);
    assert_true(spills.blocks[2].loads >= 6);
}

static void nothing_is_missing(void **state)
{
    (void)state;
    add_loop();
    find(0);
    for (uint32_t b = 0; b < 3; b++)
        assert_true(spills.blocks[b].loads == 0 && spills.blocks[b].stores == 0);
    assert_true(spills.slots == 0);
}

/* Sixteen values and a counter; at the loop's start a value and its successor are not alive together. */
static void values_alive_at_once(void **state)
{
    (void)state;
    struct gp_liveness live;
    uint32_t vector, scalars;
    add_loop();
    find(0);
    gp_liveness_begin(&live, &profile->kernels[0], false);
    gp_live_peak(&live, &vector, &scalars);
    assert_int_equal(vector, VALUES + 1);
    assert_int_equal(scalars, 0);
    assert_int_equal(live.in[1].count, 0); /* phis take them at the end of block 0 */
    assert_int_equal(live.in[2].count, VALUES);
    gp_liveness_end(&live);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_last_used_goes, setup, teardown),
        cmocka_unit_test_setup_teardown(a_loop_spills_in_each_iteration, setup, teardown),
        cmocka_unit_test_setup_teardown(a_loop_keeps_what_it_uses, setup, teardown),
        cmocka_unit_test_setup_teardown(nothing_is_missing, setup, teardown),
        cmocka_unit_test_setup_teardown(values_alive_at_once, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
