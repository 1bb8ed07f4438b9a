#include "model/launch/byte_strides.h"

#include <string.h>

#include "model/code/made_of.h"
#include "model/code/refs.h"

enum { MOST_LOOKED_AT = 64, NO_ID = -1, OF_GROUP = 3 };

/* The first dimension whose local or global id a value is made of; OF_GROUP: groups' numbers only; NO_ID: none of them. */
static int id_of(const struct gp_kernel *kernel, gp_ref ref)
{
    struct gp_made_of made = gp_made_of(kernel, ref);
    return made.items ? __builtin_ctz(made.items) : made.groups ? OF_GROUP : NO_ID;
}

/* The same of a counter: what it starts with. */
static int id_behind(const struct gp_kernel *kernel, gp_ref ref)
{
    ref = gp_behind_casts(kernel, ref);
    const struct gp_inst *inst = gp_inst_of(kernel, ref);
    int found = id_of(kernel, ref);
    for (uint32_t i = 0; inst != NULL && inst->op == GP_OP_PHI && found == NO_ID && i + 1 < inst->operand_count; i += 2)
        found = id_of(kernel, gp_operand_of(kernel, inst, i + 1));
    return found;
}

/* Whether an id's factor has the elements' size already, as compilers write `in + get_group_id(0) * rows * 256`: what is multiplied with it counts elements or more. */
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
    uint64_t within[4];          /* elements that lie within one step of each dimension's id, or of a group's number */
    uint64_t *bytes;             /* per parameter */
};

/* Products in the sum that an address is, of accesses of so many bytes. A product that is scaled further does not count bytes. */
static void look_at(struct strides *s, gp_ref ref, uint32_t bytes, unsigned *left)
{
    const struct gp_inst *inst = gp_inst_of(s->kernel, ref);
    if (inst == NULL || *left == 0)
        return;
    --*left;
    bool sum = inst->op == GP_OP_ADD || inst->op == GP_OP_SUB;
    for (uint32_t i = 0; i < (sum ? 2u : gp_op_is_cast((enum gp_op)inst->op)); i++)
        look_at(s, gp_operand_of(s->kernel, inst, i), bytes, left);
    for (uint32_t side = 0; inst->op == GP_OP_MUL && side < 2; side++) {
        uint32_t param = gp_integer_parameter(s->kernel, gp_behind_casts(s->kernel, gp_operand_of(s->kernel, inst, side)));
        gp_ref other = gp_operand_of(s->kernel, inst, 1 - side);
        int id = param != GP_NONE && !has_size_of(s->kernel, other, bytes) ? id_behind(s->kernel, other) : NO_ID;
        uint64_t dense = id != NO_ID ? bytes * s->within[id] : 0;
        if (dense > 0 && (s->bytes[param] == 0 || s->bytes[param] > dense))
            s->bytes[param] = dense;
    }
}

void gp_byte_strides(const struct gp_kernel *kernel, const struct gp_launch *launch, uint32_t row, uint64_t strides[GP_MAX_ARGUMENTS])
{
    struct strides s = {kernel, {1, launch->global[0], launch->global[0] * launch->global[1], row}, strides};
    memset(strides, 0, GP_MAX_ARGUMENTS * sizeof *strides);
    for (uint32_t m = 0; m < kernel->memory_count; m++) {
        const struct gp_memory *memory = &kernel->memory[m];
        const struct gp_inst *inst = &kernel->insts[memory->inst];
        unsigned left = MOST_LOOKED_AT;
        if (memory->space == GP_SPACE_GLOBAL && memory->element_bytes > 1 && inst->operand_count > 0)
            look_at(&s, gp_operand_of(kernel, inst, 0), memory->element_bytes, &left);
    }
}
