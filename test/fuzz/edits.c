/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "test/fuzz/edits.h"

#include <stdio.h>
#include <stdlib.h>

#include "model/profile/profile_text.h"

void want(bool condition, const char *what)
{
    if (condition)
        return;
    fprintf(stderr, "%s\n", what);
    abort();
}

uint32_t take(struct edits *edits, uint32_t below)
{
    uint32_t number = 0;
    for (int i = 0; i < 3 && edits->size; i++, edits->size--)
        number = number << 8 | *edits->bytes++;
    return below ? number % below : 0;
}

static gp_ref some_ref(const struct gp_kernel *kernel, enum gp_ref_kind kind, struct edits *edits)
{
    const uint32_t counts[] = {1,
                               kernel->inst_count,
                               kernel->constant_count,
                               kernel->param_count,
                               kernel->local_count,
                               kernel->global_count,
                               kernel->private_count,
                               kernel->block_count};
    return counts[kind] ? gp_ref_make(kind, take(edits, counts[kind])) : 0;
}

static void edit_operand(struct gp_kernel *kernel, struct edits *edits)
{
    gp_ref *ref = &kernel->operands[take(edits, kernel->operand_count)];
    enum gp_ref_kind kind = gp_ref_kind(*ref);
    if (kind != GP_REF_BLOCK && take(edits, 2))
        kind = (enum gp_ref_kind)(GP_REF_INST + take(edits, GP_REF_PRIVATE));
    *ref = some_ref(kernel, kind, edits);
}

static void edit_operation(struct gp_kernel *kernel, struct edits *edits)
{
    static const uint8_t others[] = {GP_OP_ADD,  GP_OP_SUB,    GP_OP_MUL,  GP_OP_UDIV, GP_OP_SREM, GP_OP_AND,
                                     GP_OP_OR,   GP_OP_XOR,    GP_OP_SHL,  GP_OP_LSHR, GP_OP_ASHR, GP_OP_UMIN,
                                     GP_OP_SMAX, GP_OP_UMULHI, GP_OP_FADD, GP_OP_FMIN};
    struct gp_inst *inst = &kernel->insts[take(edits, kernel->inst_count)];
    if (inst->op == GP_OP_ICMP)
        inst->sub = (uint8_t)take(edits, GP_PRED_SGE + 1);
    else if (gp_op_operands(inst->op) == 2 && inst->width == 0 && inst->bits)
        inst->op = others[take(edits, sizeof others)];
    else
        inst->flags ^= GP_INST_UNIFORM;
}

static void edit_loop(struct gp_kernel *kernel, struct edits *edits)
{
    struct gp_loop *loop = &kernel->loops[take(edits, kernel->loop_count)];
    gp_ref value = some_ref(kernel, take(edits, 2) ? GP_REF_INST : GP_REF_CONST, edits);
    if (take(edits, 3) == 0)
        loop->bound = (uint8_t)take(edits, GP_BOUND_COUNT);
    else if (kernel->induction_count && take(edits, 2))
        kernel->inductions[take(edits, kernel->induction_count)].step = value;
    else
        loop->trip_count = value;
}

void edit(struct gp_kernel *kernel, struct edits *edits)
{
    uint32_t block = 0;
    switch (take(edits, 8)) {
    case 0:
    case 1:
    case 2:
        if (kernel->operand_count)
            edit_operand(kernel, edits);
        break;
    case 3:
        block = take(edits, kernel->block_count);
        kernel->blocks[block].ipdom = take(edits, 4) ? take(edits, kernel->block_count) : GP_NONE;
        break;
    case 4:
        if (kernel->constant_count)
            kernel->constants[take(edits, kernel->constant_count)] =
                take(edits, 3) ? take(edits, 100) : UINT64_MAX / 3 * take(edits, 1000);
        break;
    case 5: edit_operation(kernel, edits); break;
    case 6:
        if (kernel->loop_count)
            edit_loop(kernel, edits);
        break;
    default:
        if (kernel->branch_count)
            kernel->branches[take(edits, kernel->branch_count)].kind = (uint8_t)take(edits, GP_BRANCH_KIND_COUNT);
        break;
    }
}

static const char *const golden[] = {
    TEST_DATA "/profiles/matrix_multiply.gptext",  TEST_DATA "/profiles/data_loop.gptext",
    TEST_DATA "/profiles/divergent_branch.gptext", TEST_DATA "/profiles/transpose_tiled.gptext",
    TEST_DATA "/profiles/every_field.gptext",      TEST_DATA "/profiles/loop_nest.gptext"};
enum { GOLDEN_COUNT = sizeof golden / sizeof *golden };

uint32_t golden_count(void) { return GOLDEN_COUNT; }

struct gp_profile *golden_profile(uint32_t number)
{
    static char *texts[GOLDEN_COUNT];
    static size_t lengths[GOLDEN_COUNT];
    struct gp_error error = {""};
    if (texts[number] == NULL)
        texts[number] = gp_read_file(golden[number], &lengths[number]);
    want(texts[number] != NULL, golden[number]);
    struct gp_profile *profile = gp_profile_parse(texts[number], lengths[number], &error);
    want(profile != NULL && profile->kernel_count > 0, error.text);
    return profile;
}
