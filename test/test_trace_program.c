/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a kernel's instructions become on an SM. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "model/profile/profile_text.h"
#include "model/trace/trace.h"

/* Two loads from local memory for an addition and a third for a store; only an addition takes a load as its operand. */
static const char kernel_text[] = "gpuperf-profile 1\n"
                                  "producer \"by hand\"\n"
                                  "source \"k.cl\"\n"
                                  "triple \"spir64-unknown-unknown\"\n"
                                  "language opencl\n"
                                  "opt 2\n"
                                  "location 0: \"k.cl\":1:1\n"
                                  "kernel k at 0\n"
                                  "  param out: buffer 64 in global skeleton size 8\n"
                                  "  local tile: 1024 align 4 at 0\n"
                                  "  dims 1\n"
                                  "  resources registers 8 from estimate\n"
                                  "  block 0:\n"
                                  "    %id = id.local_id.0 i64 at 0\n"
                                  "    %at = shl i64 %id, 2 : int64.shift at 0\n"
                                  "    %p = add i64 local.tile, %at : int32.add at 0\n"
                                  "    %x = load i32 %p in local 4x1 base local.tile at 0\n"
                                  "    %y = load i32 %p in local 4x1 base local.tile at 0\n"
                                  "    %sum = weight f32 %x, %y : fp32.add at 0\n"
                                  "    %q = add i64 $out, %at : int32.add at 0\n"
                                  "    %z = load i32 %p in local 4x1 base local.tile at 0\n"
                                  "    store %q, %z in global 4x1 base $out at 0\n"
                                  "    store %q, %sum in global 4x1 base $out at 0\n"
                                  "    ret at 0\n";

struct built {
    struct gp_device *device;
    struct gp_profile *profile;
    struct gp_program *program;
};

static struct built build(const char *device)
{
    struct gp_error error = {{0}};
    struct built b = {.device = gp_device_load(device, SOURCE_HWDB, &error),
                      .profile = gp_profile_parse(kernel_text, strlen(kernel_text), &error)};
    if (b.device == NULL || b.profile == NULL)
        fail_msg("%s", error.text);
    struct gp_sm sm;
    gp_sm_of(b.device, b.device->clock_mhz.value, b.device->l1_size.value, &sm);
    b.program = gp_program_new(&b.profile->kernels[0], b.device, &sm, 0, 1, 0);
    assert_non_null(b.program);
    return b;
}

static void drop(struct built *b)
{
    gp_program_free(b->program);
    gp_profile_free(b->profile);
    gp_device_free(b->device);
}

/* Accesses of block 0 in order, and where in the block's ops each stands. */
static uint32_t find_accesses(const struct gp_program *program, uint32_t at[8])
{
    uint32_t count = 0;
    for (uint32_t i = program->blocks[0].first; i < program->blocks[0].first + program->blocks[0].count; i++)
        if (program->ops[i].kind == GP_SIM_MEMORY)
            at[count++] = i;
    return count;
}

/* GT200: the second load and the addition are one instruction that uses the FP32 lanes; the sum comes 24 cycles behind
 * the data. */
static void an_addition_takes_a_load(void **state)
{
    (void)state;
    struct built b = build("gtx280");
    uint32_t at[8];
    assert_int_equal(find_accesses(b.program, at), 5);
    const struct gp_sim_op *x = &b.program->ops[at[0]], *y = &b.program->ops[at[1]], *sum = y + 1,
                           *z = &b.program->ops[at[2]];
    assert_true(x->busy[GP_UNIT_FP32] == 0 && y->busy[GP_UNIT_FP32] == 4 && z->busy[GP_UNIT_FP32] == 0);
    assert_true(x->issue == 1 && y->issue == 1);
    assert_int_equal(sum->kind, GP_SIM_FREE);
    assert_true(sum->latency == 24);
    bool waits_for_x = false; /* it issues when its other operand is there */
    for (uint32_t k = 0; k < y->operand_count; k++)
        waits_for_x |= b.program->operands[y->operand + k] == x->result;
    assert_true(waits_for_x);
    drop(&b);
}

/* Fermi has no such operands: the addition is an instruction of its own. */
static void later_ones_do_not(void **state)
{
    (void)state;
    struct built b = build("gtx580");
    uint32_t at[8];
    assert_int_equal(find_accesses(b.program, at), 5);
    const struct gp_sim_op *sum = &b.program->ops[at[1]] + 1;
    assert_int_equal(sum->kind, GP_SIM_COMPUTE);
    assert_true(sum->issue == 1);
    drop(&b);
}

/* AMD issues an access beside other waves' vector instructions; the wave itself goes on with its next turn. */
static void amd_issues_accesses_beside(void **state)
{
    (void)state;
    struct built b = build("mi50");
    uint32_t at[8];
    assert_int_equal(find_accesses(b.program, at), 5);
    const struct gp_sim_op *x = &b.program->ops[at[0]], *store = &b.program->ops[at[3]];
    assert_int_equal(x->unit, GP_UNIT_LDS); /* beside the unit of the caches */
    assert_int_equal(store->unit, GP_UNIT_LSU);
    assert_true(x->issue == 0 && x->hold == 4);
    drop(&b);
}

/* RDNA's special functions have a pipeline of their own; GCN's hold the SIMD. */
static void special_functions_of_rdna_run_beside(void **state)
{
    (void)state;
    static const char *const names[] = {"mi50", "w6600"};
    for (int i = 0; i < 2; i++) {
        struct built b = build(names[i]);
        struct gp_sm sm;
        struct gp_sim_op op;
        gp_sm_of(b.device, b.device->clock_mhz.value, b.device->l1_size.value, &sm);
        gp_sim_op_of(b.device, &sm, GP_CLASS_SFU_SIN, &op);
        assert_int_equal(op.unit, i == 0 ? GP_UNIT_FP32 : GP_UNIT_SFU);
        drop(&b);
    }
}

/* At half the clock what DRAM takes beyond L2 is half as many cycles. */
static void dram_takes_its_time_at_any_clock(void **state)
{
    (void)state;
    struct built b = build("a100");
    struct gp_sm fast, slow;
    gp_sm_of(b.device, b.device->clock_mhz.value, b.device->l1_size.value, &fast);
    gp_sm_of(b.device, b.device->clock_mhz.value / 2, b.device->l1_size.value, &slow);
    assert_true(slow.l2.latency == fast.l2.latency);
    assert_true(slow.dram_latency - slow.l2.latency == (fast.dram_latency - fast.l2.latency) / 2);
    drop(&b);
}

/* Nothing of a warp issues before a spilled register is back; what is written out nobody waits for. */
static void spilled_registers_are_waited_for(void **state)
{
    (void)state;
    struct built b = build("a100");
    uint32_t store = b.program->blocks[b.program->spill_block].first,
             load = b.program->blocks[b.program->spill_block + 1].first;
    assert_true(!b.program->ops[store].waits && b.program->ops[load].waits);
    drop(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_addition_takes_a_load),         cmocka_unit_test(later_ones_do_not),
        cmocka_unit_test(amd_issues_accesses_beside),       cmocka_unit_test(special_functions_of_rdna_run_beside),
        cmocka_unit_test(dram_takes_its_time_at_any_clock), cmocka_unit_test(spilled_registers_are_waited_for)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
