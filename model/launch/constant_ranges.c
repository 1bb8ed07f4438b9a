#include "model/launch/constant_ranges.h"

#include <string.h>

#include "model/code/inst_facts.h"
#include "model/code/made_of.h"
#include "model/code/refs.h"
#include "model/launch/orders.h"
#include "model/launch/products.h"

enum { LEAST = 256, LARGEST = 1 << 28 }; /* less than a group tells parts of one */

/* The id that an instruction is, and its dimension. */
static bool is_id(const struct gp_inst *inst, enum gp_id id, uint32_t *dimension)
{
    if (inst == NULL || inst->op != GP_OP_ID || inst->sub >> 2 != id)
        return false;
    *dimension = inst->sub & 3u;
    return true;
}

/* `get_group_id(d) * get_local_size(d)`. */
static bool is_group_start(const struct gp_kernel *kernel, const struct gp_inst *inst, uint32_t *dimension)
{
    for (uint32_t i = 0; inst != NULL && inst->op == GP_OP_MUL && i < 2; i++) {
        const struct gp_inst *group = gp_inst_of(kernel, gp_behind_casts(kernel, gp_operand_of(kernel, inst, i)));
        const struct gp_inst *size = gp_inst_of(kernel, gp_behind_casts(kernel, gp_operand_of(kernel, inst, 1 - i)));
        uint32_t sized;
        if (is_id(group, GP_ID_GROUP, dimension) && is_id(size, GP_ID_LOCAL_SIZE, &sized) && sized == *dimension)
            return true;
    }
    return false;
}

/* The dimension whose global id a sum counts, each by 1, whole or as a group's start and the local id; GP_MAX_DIMS: it is something else. What else is in it is the same for all. */
static uint32_t dimension_counted(const struct gp_kernel *kernel, const struct gp_products *sum)
{
    enum { START = 1, LOCAL = 2, GLOBAL = START | LOCAL };
    unsigned parts = 0;
    uint32_t found = GP_MAX_DIMS;
    for (uint32_t i = 0; i < sum->count; i++) {
        const struct gp_product *product = &sum->product[i];
        const struct gp_inst *inst = gp_inst_of(kernel, product->leaf);
        uint32_t dimension = GP_MAX_DIMS;
        if (product->leaf == GP_REF_NONE)
            continue;
        unsigned part = is_id(inst, GP_ID_GLOBAL, &dimension) ? GLOBAL : is_id(inst, GP_ID_LOCAL, &dimension) ? LOCAL : is_group_start(kernel, inst, &dimension) ? START : 0;
        bool other = part == 0 || (parts & part) != 0 || (found != GP_MAX_DIMS && found != dimension);
        if (other || product->scale != 1 || product->param_count > 0)
            return GP_MAX_DIMS;
        parts |= part;
        found = dimension;
    }
    return sum->whole && parts == GLOBAL ? found : GP_MAX_DIMS;
}

static void see_order(const struct gp_kernel *kernel, gp_ref smaller, gp_ref larger, unsigned bits, void *data)
{
    uint64_t *ranges = data;
    int64_t most = gp_signed_constant(kernel, larger, bits);
    if (most < LEAST || most > LARGEST)
        return;
    struct gp_products sum = gp_products_of(kernel, smaller, bits);
    uint32_t dimension = dimension_counted(kernel, &sum);
    if (dimension < GP_MAX_DIMS && (ranges[dimension] == 0 || (uint64_t)most < ranges[dimension]))
        ranges[dimension] = (uint64_t)most;
}

static bool returns_at_once(const struct gp_kernel *kernel, uint32_t block) { return kernel->blocks[block].inst_count == 1 && gp_block_terminator(kernel, block)->op == GP_OP_RET; }

void gp_constant_ranges(const struct gp_kernel *kernel, uint64_t ranges[3])
{
    memset(ranges, 0, 3 * sizeof *ranges);
    const struct gp_inst *branch = kernel->block_count > 0 ? gp_block_terminator(kernel, 0) : NULL;
    if (branch == NULL || branch->op != GP_OP_CONDBR)
        return;
    for (uint32_t way = 1; way <= 2; way++)
        if (returns_at_once(kernel, gp_ref_index(gp_operand_of(kernel, branch, way))))
            gp_each_order(kernel, gp_operand_of(kernel, branch, 0), way == 2, see_order, ranges);
}
