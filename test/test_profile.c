/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* gp_profile_check() and the questions that profile.h answers. */
#include "profile_fixture.h"

/* ---- Names ---------------------------------------------------------------------------------------------------- */

static void test_names(void **state)
{
    (void)state;
    assert_string_equal(gp_op_name(GP_OP_FMA), "fma");
    assert_string_equal(gp_op_name(GP_OP_RET), "ret");
    assert_string_equal(gp_op_name(GP_OP_COUNT), "?");
    assert_string_equal(gp_class_name(GP_CLASS_FLOAT_FMA), "fp32.fma");
    assert_string_equal(gp_class_name(GP_CLASS_CALL), "call.unknown");
    assert_string_equal(gp_id_name(GP_ID_SUBGROUP_COUNT), "num_subgroups");
    assert_string_equal(gp_predicate_name(GP_PRED_UNO), "uno");
    assert_string_equal(gp_space_name(GP_SPACE_IMAGE), "image");
    assert_string_equal(gp_branch_kind_name(GP_BRANCH_DATA), "data");
    assert_string_equal(gp_bound_name(GP_BOUND_SCEV), "scalar-evolution");
    assert_string_equal(gp_param_kind_name(GP_PARAM_BUFFER), "buffer");
    assert_string_equal(gp_resource_source_name(GP_SOURCE_PTXAS), "ptxas");
    assert_int_equal(gp_op_operands(GP_OP_SELECT), 3);
    assert_int_equal(gp_op_operands(GP_OP_PHI), -1);
    assert_true(gp_op_is_terminator(GP_OP_SWITCH));
    assert_false(gp_op_is_terminator(GP_OP_CALL));
    assert_true(gp_op_is_memory(GP_OP_BULK_COPY));
    assert_false(gp_op_is_memory(GP_OP_SHUFFLE));
}

static void test_find(void **state)
{
    (void)state;
    struct gp_profile *profile = golden_profile("every_field");
    assert_string_equal(gp_profile_find(profile, "every")->symbol, "_Z5every");
    assert_ptr_equal(gp_profile_find(profile, "_Z5every"), &profile->kernels[0]);
    assert_ptr_equal(gp_profile_find(profile, "empty"), &profile->kernels[1]);
    assert_null(gp_profile_find(profile, "other"));
    assert_int_equal(gp_kernel_find_param(&profile->kernels[0], "scratch"), 3);
    assert_int_equal(gp_kernel_find_param(&profile->kernels[0], ""), GP_NONE);
    assert_int_equal(gp_kernel_find_param(&profile->kernels[0], "tile"), GP_NONE);
    gp_profile_free(profile);
    gp_profile_free(NULL);
}

/* Bounds of every_field: 0 (the default), 256, 1024. */
static void test_resources(void **state)
{
    (void)state;
    struct gp_profile *profile = golden_profile("every_field");
    const struct gp_kernel *kernel = &profile->kernels[0];
    assert_int_equal(gp_kernel_resources(kernel, 64)->registers, 128);
    assert_int_equal(gp_kernel_resources(kernel, 256)->registers, 128);
    assert_int_equal(gp_kernel_resources(kernel, 257)->registers, 64);
    assert_int_equal(gp_kernel_resources(kernel, 2048)->registers, 40);
    assert_null(gp_kernel_resources(&profile->kernels[1], 64));
    gp_profile_free(profile);
}

static void test_local_bytes(void **state)
{
    (void)state;
    /* 5 bytes, then up to 8 for 3 more: 11, then up to 16 for 32 more: 48 */
    struct gp_array arrays[] = {{"a", 5, 1, GP_NONE}, {"b", 3, 8, GP_NONE}, {"c", 32, 16, GP_NONE}};
    struct gp_kernel kernel = {.locals = arrays, .local_count = 3};
    assert_int_equal(gp_kernel_local_bytes(&kernel), 48);
    kernel.local_count = 0;
    assert_int_equal(gp_kernel_local_bytes(&kernel), 0);
}

/* ---- The check ------------------------------------------------------------------------------------------------ */

/* Breaks one field of a valid profile and wants the sentence to say so. */
/* clang-format off */
#define REFUSES(field, value, sentence) \
    do { \
        typeof(field) before = (field); \
        struct gp_error error = {""}; \
        (field) = (value); \
        bool good = gp_profile_check(profile, &error); \
        if (good || strstr(error.text, sentence) == NULL) \
            fail_msg("line %d: '%s' instead of '%s'", __LINE__, good ? "valid" : error.text, sentence); \
        (field) = before; \
        assert_true(gp_profile_check(profile, &error)); \
    } while (0)
/* clang-format on */

static struct gp_inst *find_op(struct gp_kernel *kernel, enum gp_op op)
{
    for (uint32_t i = 0; i < kernel->inst_count; i++)
        if (kernel->insts[i].op == op)
            return &kernel->insts[i];
    fail_msg("no '%s'", gp_op_name(op));
    return NULL;
}

static void test_tables(void **state)
{
    (void)state;
    struct gp_profile *profile = golden_profile("every_field");
    struct gp_kernel *k = &profile->kernels[0];
    REFUSES(profile->producer, NULL, "header");
    REFUSES(profile->opt_level, 4, "optimisation level 4");
    REFUSES(profile->kernels, NULL, "kernels are missing");
    REFUSES(profile->locations[1].inlined_at, 1, "does not stand before");
    REFUSES(profile->locations[2].inlined_at, 3, "does not stand before");
    REFUSES(profile->locations[0].file, NULL, "no file");
    REFUSES(k->name, NULL, "no name");
    REFUSES(k->symbol, NULL, "no symbol");
    REFUSES(k->location, 4, "location 4 does not exist");
    REFUSES(k->insts, NULL, "instructions are missing");
    REFUSES(k->operand_count, 0x20000000, "too many");
    REFUSES(k->block_count, 0, "no blocks");
    REFUSES(k->param_count, 257, "257 parameters");
    REFUSES(k->params[0].kind, GP_PARAM_KIND_COUNT, "unknown kind");
    REFUSES(k->params[0].space, GP_SPACE_COUNT, "unknown space");
    REFUSES(k->params[0].flags, 64, "flags");
    REFUSES(k->params[1].flags, GP_PARAM_ELEMENT, "no integer of a vector");
    REFUSES(k->params[0].bounds_dim, 0, "bounds dimension");
    REFUSES(k->params[1].bounds_dim, 3, "bounds dimension 3");
    REFUSES(k->params[1].bits, 0, "0 bits");
    REFUSES(k->params[3].size, 8, "local parameter");
    REFUSES(k->locals[0].alignment, 12, "power of two");
    REFUSES(k->globals[0].location, 99, "location 99");
    REFUSES(k->privates[0].name, NULL, "private array 0");
    REFUSES(k->callees[1], NULL, "callee 1");
    REFUSES(k->resources[0].source, GP_SOURCE_COUNT, "unknown source");
    REFUSES(k->resources[0].spill_loop, 99, "loop 99");
    REFUSES(k->resources[0].loop_load_bytes, 9, "more in a loop than in all");
    REFUSES(k->code[0].loop, 99, "of loop 99");
    REFUSES(k->stated.defaults[0].param, 0, "no number");
    REFUSES(k->stated.defaults[0].param, 99, "no number");
    REFUSES(k->dims, 4, "4 dimensions");
    REFUSES(k->stated.required_local[1], 0, "some dimensions");
    REFUSES(k->stated.required_local[1], 1u << 30, "too large");
    REFUSES(k->split_safe.reason, NULL, "reason");
    gp_profile_free(profile);
}

static void test_blocks(void **state)
{
    (void)state;
    struct gp_profile *profile = golden_profile("every_field");
    struct gp_kernel *k = &profile->kernels[0];
    REFUSES(k->blocks[1].inst_count, 0, "block 1: it is empty");
    REFUSES(k->blocks[1].inst, 3, "starts at instruction 3");
    REFUSES(k->blocks[7].inst_count, 4, "more instructions than the kernel");
    REFUSES(k->blocks[2].ipdom, 8, "post-dominator 8 does not exist");
    REFUSES(k->blocks[2].ipdom, 2, "its own post-dominator");
    REFUSES(k->blocks[7].ipdom, 2, "comes back");
    REFUSES(k->blocks[2].loop, 3, "loop 3 does not exist");
    gp_profile_free(profile);
}

static void test_instructions(void **state)
{
    (void)state;
    struct gp_profile *profile = golden_profile("every_field");
    struct gp_kernel *k = &profile->kernels[0];
    struct gp_inst *add = find_op(k, GP_OP_ADD), *cast = find_op(k, GP_OP_ZEXT), *load = find_op(k, GP_OP_LOAD);
    REFUSES(add->op, GP_OP_COUNT, "unknown operation");
    REFUSES(add->op, GP_OP_RET, "'ret'");
    REFUSES(add->op, GP_OP_FMA, "'fma' with 2 operands");
    REFUSES(add->cost, GP_CLASS_COUNT, "cost class");
    REFUSES(add->bits, 24, "24 bits");
    REFUSES(add->bits, 0, "needs a result");
    REFUSES(add->width, 32, "no width");
    REFUSES(add->sub, 1, "no variant");
    REFUSES(add->flags, 8, "flags");
    REFUSES(add->flags, GP_INST_REPAIRABLE, "what it would cost is said of what can be mended");
    REFUSES(add->repaired_repeat, 1, "what it would cost is said of what can be mended");
    REFUSES(add->repaired, GP_CLASS_COUNT, "cost class");
    REFUSES(add->repeat, 0, "0 times");
    REFUSES(add->operand, k->operand_count, "operands do not exist");
    REFUSES(add->location, 4, "location 4");
    REFUSES(add->record, 0, "no record");
    REFUSES(cast->width, 0, "operands of 0 bits");
    REFUSES(cast->operand_count, 0, "0 operands");
    REFUSES(find_op(k, GP_OP_ICMP)->bits, 32, "1 bit");
    REFUSES(find_op(k, GP_OP_ICMP)->sub, GP_PRED_OEQ, "none of integers");
    REFUSES(find_op(k, GP_OP_FCMP)->sub, GP_PRED_EQ, "none of floating-point");
    REFUSES(find_op(k, GP_OP_ID)->sub, GP_ID_SUB(GP_ID_LOCAL, 3), "dimension 3 of local_id");
    REFUSES(find_op(k, GP_OP_ID)->sub, GP_ID_SUB(GP_ID_LANE, 1), "dimension 1 of lane_id");
    REFUSES(find_op(k, GP_OP_ID)->sub, GP_ID_SUB(GP_ID_COUNT, 0), "unknown id");
    REFUSES(find_op(k, GP_OP_STORE)->bits, 32, "no result");
    REFUSES(load->record, 1, "memory record 1");
    REFUSES(load->record, GP_NONE, "memory record");
    REFUSES(find_op(k, GP_OP_SWITCH)->record, 1, "branch record 1");
    REFUSES(find_op(k, GP_OP_CALL)->record, 2, "callee 2");
    gp_profile_free(profile);
}

static void test_references(void **state)
{
    (void)state;
    struct gp_profile *profile = golden_profile("every_field");
    struct gp_kernel *k = &profile->kernels[0];
    struct gp_inst *add = find_op(k, GP_OP_ADD), *expression = &k->insts[k->inst_count - 2];
    uint32_t store = (uint32_t)(find_op(k, GP_OP_STORE) - k->insts);
    gp_ref *operand = &k->operands[add->operand];
    REFUSES(*operand, gp_ref_make(GP_REF_INST, k->inst_count), "does not exist");
    REFUSES(*operand, gp_ref_make(GP_REF_CONST, k->constant_count), "constant");
    REFUSES(*operand, gp_ref_make(GP_REF_PARAM, k->param_count), "parameter");
    REFUSES(*operand, gp_ref_make(GP_REF_LOCAL, 2), "local array 2");
    REFUSES(*operand, gp_ref_make(GP_REF_GLOBAL, 1), "global array 1");
    REFUSES(*operand, gp_ref_make(GP_REF_PRIVATE, 2), "private array 2");
    REFUSES(*operand, gp_ref_make(GP_REF_NONE, 1), "nothing 1");
    REFUSES(*operand, gp_ref_make(GP_REF_BLOCK, 1), "a block");
    REFUSES(*operand, gp_ref_make(GP_REF_INST, store), "no result");
    REFUSES(*operand, gp_ref_make(GP_REF_INST, k->inst_count - 1), "no block computes");
    REFUSES(k->operands[find_op(k, GP_OP_BR)->operand], gp_ref_make(GP_REF_CONST, 0), "no block");
    REFUSES(k->operands[find_op(k, GP_OP_BR)->operand], gp_ref_make(GP_REF_BLOCK, 8), "block 8 does not exist");
    REFUSES(k->operands[find_op(k, GP_OP_SWITCH)->operand + 2], gp_ref_make(GP_REF_PARAM, 1), "no constant");
    REFUSES(k->operands[expression->operand], gp_ref_make(GP_REF_INST, k->inst_count - 1), "not earlier");
    REFUSES(expression->op, GP_OP_BARRIER, "");
    gp_profile_free(profile);
}

static void test_phis(void **state)
{
    (void)state;
    struct gp_profile *profile = golden_profile("every_field");
    struct gp_kernel *k = &profile->kernels[0];
    struct gp_inst *phi = find_op(k, GP_OP_PHI);
    gp_ref *operands = &k->operands[phi->operand]; /* blocks 0, 1 and 4 */
    REFUSES(operands[0], gp_ref_make(GP_REF_BLOCK, 3), "no predecessor");
    REFUSES(operands[0], gp_ref_make(GP_REF_BLOCK, 1), "twice");
    REFUSES(operands[0], gp_ref_make(GP_REF_CONST, 0), "no block");
    REFUSES(phi->operand_count, 4, "2 values in a block with 3 predecessors");
    REFUSES(phi->operand_count, 5, "5 operands");
    gp_profile_free(profile);
}

static void test_phi_order(void **state)
{
    (void)state;
    struct gp_error error = {""};
    struct gp_profile *profile = golden_profile("data_loop");
    struct gp_inst *phi = find_op(&profile->kernels[0], GP_OP_PHI), swapped[3];
    /* j, sum, j64 -> j, j64, sum: as far as references go, still a program */
    memcpy(swapped, (struct gp_inst[]){phi[0], phi[2], phi[1]}, sizeof swapped);
    memcpy(phi, swapped, sizeof swapped);
    assert_false(gp_profile_check(profile, &error));
    assert_non_null(strstr(error.text, "kernel 'spmv', block 2, instruction %14: a phi stands behind"));
    gp_profile_free(profile);
}

static void test_records(void **state)
{
    (void)state;
    struct gp_profile *profile = golden_profile("every_field");
    struct gp_kernel *k = &profile->kernels[0];
    struct gp_memory *load = &k->memory[find_op(k, GP_OP_LOAD)->record],
                     *store = &k->memory[find_op(k, GP_OP_STORE)->record];
    struct gp_memory *atomic = &k->memory[find_op(k, GP_OP_ATOMIC)->record];
    REFUSES(load->inst, 0, "record");
    REFUSES(load->space, GP_SPACE_COUNT, "unknown space");
    REFUSES(load->space, GP_SPACE_IMAGE, "image");
    REFUSES(load->flags, GP_MEMORY_COUNTS, "'counts'");
    REFUSES(load->flags, GP_MEMORY_STORE, "'store'");
    REFUSES(load->flags, GP_MEMORY_ATOMIC, "'atomic'");
    REFUSES(load->flags, GP_MEMORY_RETURNS, "'returns'");
    REFUSES(store->flags, 0, "without the flag");
    REFUSES(atomic->flags, 0, "'atomic'");
    REFUSES(load->element_bytes, 0, "no bytes");
    REFUSES(load->vector, 0, "no bytes");
    REFUSES(load->alignment, 3, "power of two");
    REFUSES(load->alignment, 0, "power of two");
    REFUSES(load->base, gp_ref_make(GP_REF_INST, 0), "base");
    REFUSES(load->base, gp_ref_make(GP_REF_PARAM, 99), "parameter 99");
    REFUSES(k->branches[0].kind, GP_BRANCH_KIND_COUNT, "kind of branch");
    REFUSES(k->branches[0].has_probability, 0, "probability");
    REFUSES(k->branches[0].inst, 0, "record");
    gp_profile_free(profile);
}

/* A record that no instruction names. */
static void test_orphans(void **state)
{
    (void)state;
    struct gp_profile *profile = golden_profile("every_field");
    struct gp_kernel *k = &profile->kernels[0];
    struct gp_memory more[64];
    struct gp_branch branches[16];
    memcpy(more, k->memory, k->memory_count * sizeof *more);
    memcpy(branches, k->branches, k->branch_count * sizeof *branches);
    more[k->memory_count] = more[0];
    branches[k->branch_count] = branches[0];
    k->memory = more;
    k->branches = branches;
    REFUSES(k->memory_count, k->memory_count + 1, "memory record 9 belongs to no instruction");
    REFUSES(k->branch_count, k->branch_count + 1, "branch record 5 belongs to no instruction");
    gp_profile_free(profile);
}

static void test_loops(void **state)
{
    (void)state;
    struct gp_profile *profile = golden_profile("every_field");
    struct gp_kernel *k = &profile->kernels[0];
    uint32_t jnext = k->inductions[1].phi + 1, qload = k->inductions[2].phi + 2;
    REFUSES(k->loops[0].header, 3, "header of loop 0");
    REFUSES(k->loops[0].header, 99, "header of loop 0");
    REFUSES(k->loops[0].latch, 1, "latch of loop 0 is not in it");
    REFUSES(k->loops[0].latch, 6, "latch of loop 0 is not in it");
    REFUSES(k->loops[1].latch, 4, "latch of loop 1 is not in it");
    REFUSES(k->loops[0].latch, 3, "does not branch");
    REFUSES(k->loops[1].parent, 1, "before its parent");
    REFUSES(k->loops[1].parent, GP_NONE, "depth 1, not 2");
    REFUSES(k->loops[1].depth, 3, "depth 2, not 3");
    REFUSES(k->loops[0].bound, GP_BOUND_COUNT, "unknown kind of bound");
    REFUSES(k->loops[0].bound, GP_BOUND_CONSTANT, "no constant");
    REFUSES(k->loops[0].bound, GP_BOUND_ASSUMED, "although");
    REFUSES(k->loops[0].bound, GP_BOUND_RETRY, "although");
    REFUSES(k->loops[2].bound, GP_BOUND_SCEV, "no trip count");
    REFUSES(k->loops[0].trip_count, gp_ref_make(GP_REF_LOCAL, 0), "no constant, parameter");
    REFUSES(k->loops[0].trip_count, gp_ref_make(GP_REF_INST, jnext), "computed in the loop");
    REFUSES(k->loops[0].data_dependent, 2, "2 times");
    REFUSES(k->loops[0].irreducible, 2, "irreducible 2 times");
    REFUSES(k->loops[0].unroll, 0, "unrolled 0");
    REFUSES(k->loops[0].location, 9, "location 9");
    REFUSES(k->inductions[0].loop, 3, "loop 3");
    REFUSES(k->inductions[0].loop, 1, "no phi in the header");
    REFUSES(k->inductions[0].phi, 0, "no phi in the header");
    REFUSES(k->inductions[0].step, gp_ref_make(GP_REF_NONE, 0), "no step");
    REFUSES(k->inductions[2].step, gp_ref_make(GP_REF_INST, qload), "computed in the loop");
    REFUSES(k->inductions[0].step, gp_ref_make(GP_REF_INST, 2), "other bits"); /* %z has 64 */
    gp_profile_free(profile);
}

/* Instructions that share their operands: a small profile that would stand for endless work. */
static void test_shared_operands(void **state)
{
    (void)state;
    gp_ref operand = gp_ref_make(GP_REF_NONE, 0);
    struct gp_inst insts[3] = {
        {.op = GP_OP_WEIGHT, .repeat = 1, .operand_count = 1, .location = GP_NONE, .record = GP_NONE},
        {.op = GP_OP_WEIGHT, .repeat = 1, .operand_count = 1, .location = GP_NONE, .record = GP_NONE},
        {.op = GP_OP_RET, .repeat = 1, .location = GP_NONE, .record = GP_NONE}};
    struct gp_block block = {0, 3, GP_NONE, GP_NONE};
    struct gp_kernel kernel = {.name = "k",
                               .symbol = "k",
                               .location = GP_NONE,
                               .blocks = &block,
                               .block_count = 1,
                               .insts = insts,
                               .inst_count = 3,
                               .operands = &operand,
                               .operand_count = 1,
                               .local_size_agnostic = {true, ""},
                               .split_safe = {true, ""}};
    struct gp_profile profile = {
        .producer = "", .source = "", .triple = "", .cpu = "", .language = "", .kernels = &kernel, .kernel_count = 1};
    struct gp_error error = {""};
    assert_false(gp_profile_check(&profile, &error));
    assert_non_null(strstr(error.text, "2 operands, but 1 are there"));
    insts[1].operand_count = 0;
    assert_true(gp_profile_check(&profile, &error));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),        cmocka_unit_test(test_find),           cmocka_unit_test(test_resources),
        cmocka_unit_test(test_local_bytes),  cmocka_unit_test(test_tables),         cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_instructions), cmocka_unit_test(test_references),     cmocka_unit_test(test_phis),
        cmocka_unit_test(test_phi_order),    cmocka_unit_test(test_records),        cmocka_unit_test(test_orphans),
        cmocka_unit_test(test_loops),        cmocka_unit_test(test_shared_operands)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
