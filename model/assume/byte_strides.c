/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/assume/rules.h"

#include <string.h>

#include "model/value/id_sources.h"
#include "model/value/operand_walk.h"
#include "model/value/inst_facts.h"
#include "model/value/refs.h"

enum { WAYS = 3, NO_ID = -1, OF_GROUP = 3 };

/* The first dimension whose local or global id a value is made of, or a counter in it starts with; OF_GROUP: groups'
 * numbers only; NO_ID: none of them. */
static int id_of(const struct gp_kernel *kernel, gp_ref ref)
{
    struct gp_made_of made = gp_made_of_start(kernel, ref);
    return made.items ? __builtin_ctz(made.items) : made.groups ? OF_GROUP : NO_ID;
}

/* Whether an id's factor has the elements' size already, as compilers write `in + get_group_id(0) * rows * 256`: what
 * is multiplied with it counts elements or more. */
static bool has_size_of(const struct gp_kernel *kernel, gp_ref ref, uint32_t bytes)
{
    const struct gp_inst *inst = gp_inst_of(kernel, gp_behind_casts(kernel, ref));
    if (inst == NULL || (inst->op != GP_OP_SHL && inst->op != GP_OP_MUL))
        return false;
    int64_t by = gp_signed_constant(kernel, gp_operand_of(kernel, inst, 1), inst->bits);
    uint64_t scale = inst->op == GP_OP_MUL ? (uint64_t)by : by > 0 && by < 48 ? UINT64_C(1) << by : 0;
    return scale > 0 && scale % bytes == 0;
}

struct strides {
    const struct gp_kernel *kernel;
    uint64_t within[4]; /* elements that lie within one step of each dimension's id, or of a group's number */
    uint64_t *bytes;    /* per parameter */
};

/* Of `n / 4 * 4`, as of an index in elements that is made of bytes, or what compilers make of it, `n & ~3`: n. */
static gp_ref behind_rounding(const struct gp_kernel *kernel, const struct gp_inst *inst)
{
    const struct gp_inst *quotient = gp_inst_of(kernel, gp_behind_casts(kernel, gp_operand_of(kernel, inst, 0)));
    return inst->op == GP_OP_AND || quotient == NULL ? gp_operand_of(kernel, inst, 0)
                                                     : gp_operand_of(kernel, quotient, 0);
}

static bool rounds(const struct gp_kernel *kernel, const struct gp_inst *inst, uint32_t bytes)
{
    gp_ref by = inst->operand_count > 1 ? gp_operand_of(kernel, inst, 1) : GP_REF_NONE;
    int64_t number = gp_signed_constant(kernel, by, inst->bits);
    if (inst->op == GP_OP_AND)
        return number == -(int64_t)bytes;
    const struct gp_inst *quotient = inst->op == GP_OP_MUL || inst->op == GP_OP_SHL
                                         ? gp_inst_of(kernel, gp_behind_casts(kernel, gp_operand_of(kernel, inst, 0)))
                                         : NULL;
    bool divides = quotient != NULL && (quotient->op == GP_OP_UDIV || quotient->op == GP_OP_SDIV),
         shifts = quotient != NULL && (quotient->op == GP_OP_LSHR || quotient->op == GP_OP_ASHR);
    int64_t part =
        divides || shifts ? gp_signed_constant(kernel, gp_operand_of(kernel, quotient, 1), quotient->bits) : 0;
    int64_t scale = inst->op == GP_OP_MUL ? number : INT64_C(1) << (number & 15);
    return (divides && part == bytes && scale == bytes) ||
           (shifts && INT64_C(1) << (part & 15) == bytes && scale == bytes);
}

/* A value that is one or another by a condition, `i < n ? a + i * x : b + i * y`; not what a loop goes on with. */
static bool is_one_of_several(const struct gp_kernel *kernel, uint32_t inst)
{
    if (kernel->insts[inst].op != GP_OP_PHI)
        return kernel->insts[inst].op == GP_OP_SELECT;
    uint32_t block = gp_inst_block(kernel, inst), loop = block != GP_NONE ? kernel->blocks[block].loop : GP_NONE;
    return block != GP_NONE && (loop == GP_NONE || kernel->loops[loop].header != block);
}

/* An argument that an id is multiplied with, or one of several by a branch: it steps over so many bytes. */
static void see_factor(struct strides *s, gp_ref ref, uint64_t dense, unsigned left)
{
    gp_ref factor = gp_behind_casts(s->kernel, ref);
    const struct gp_inst *inst = gp_inst_of(s->kernel, factor);
    uint32_t param = gp_integer_parameter(s->kernel, factor);
    if (param != GP_NONE && dense > 0 && (s->bytes[param] == 0 || s->bytes[param] > dense))
        s->bytes[param] = dense;
    bool either = inst != NULL && left > 0 && is_one_of_several(s->kernel, gp_ref_index(factor));
    for (uint32_t i = 1; either && i < inst->operand_count; i += inst->op == GP_OP_PHI ? 2 : 1)
        see_factor(s, gp_operand_of(s->kernel, inst, i), dense, left - 1);
}

/* Products in the sum that an address is, of accesses of so many bytes. A product that is scaled further does not count
 * bytes. */
static void look_at(struct strides *s, gp_ref ref, uint32_t bytes, unsigned *left)
{
    const struct gp_inst *inst = gp_inst_of(s->kernel, ref);
    if (inst == NULL || *left == 0)
        return;
    --*left;
    bool sum = inst->op == GP_OP_ADD || inst->op == GP_OP_SUB;
    if (rounds(s->kernel, inst, bytes))
        look_at(s, behind_rounding(s->kernel, inst), bytes, left);
    for (uint32_t i = 0; i < (sum ? 2u : gp_op_is_cast((enum gp_op)inst->op)); i++)
        look_at(s, gp_operand_of(s->kernel, inst, i), bytes, left);
    bool either = is_one_of_several(s->kernel, gp_ref_index(ref));
    for (uint32_t i = 1; either && i < inst->operand_count; i += inst->op == GP_OP_PHI ? 2 : 1)
        look_at(s, gp_operand_of(s->kernel, inst, i), bytes, left);
    for (uint32_t side = 0; inst->op == GP_OP_MUL && side < 2; side++) {
        gp_ref other = gp_operand_of(s->kernel, inst, 1 - side);
        int id = has_size_of(s->kernel, other, bytes) ? NO_ID : id_of(s->kernel, other);
        if (id != NO_ID)
            see_factor(s, gp_operand_of(s->kernel, inst, side), bytes * s->within[id], WAYS);
    }
}

void gp_byte_strides(const struct gp_kernel *kernel, const struct gp_launch *launch, uint32_t row,
                     uint64_t strides[GP_MAX_ARGUMENTS])
{
    struct strides s = {kernel, {1, launch->global[0], launch->global[0] * launch->global[1], row}, strides};
    memset(strides, 0, GP_MAX_ARGUMENTS * sizeof *strides);
    for (uint32_t m = 0; m < kernel->memory_count; m++) {
        const struct gp_memory *memory = &kernel->memory[m];
        const struct gp_inst *inst = &kernel->insts[memory->inst];
        unsigned left = GP_MOST_FOLDED;
        bool global = memory->space == GP_SPACE_GLOBAL || memory->space == GP_SPACE_GENERIC;
        if (global && memory->element_bytes > 1 && inst->operand_count > 0)
            look_at(&s, gp_operand_of(kernel, inst, 0), memory->element_bytes, &left);
    }
}
