/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/assume/rules.h"

#include <string.h>

#include "model/value/inst_facts.h"
#include "model/value/id_sources.h"
#include "model/value/refs.h"
#include "model/assume/joined_orders.h"
#include "model/assume/products.h"

enum { LARGEST = 1 << 28, MOST_BRANCHES = 4 };

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

enum { START = 1, LOCAL = 2, GLOBAL = START | LOCAL, GROUP = 4 };

/* What of a dimension's ids a leaf is; 0: none of them. */
static unsigned part_of(const struct gp_kernel *kernel, gp_ref leaf, uint32_t *dimension)
{
    const struct gp_inst *inst = gp_inst_of(kernel, leaf);
    if (is_id(inst, GP_ID_GLOBAL, dimension))
        return GLOBAL;
    return is_id(inst, GP_ID_LOCAL, dimension)       ? LOCAL
           : is_id(inst, GP_ID_GROUP, dimension)     ? GROUP
           : is_group_start(kernel, inst, dimension) ? START
                                                     : 0;
}

/* The dimension whose global id a sum counts, each by 1, whole or as a group's start and the local id, or whose groups;
 * GP_MAX_DIMS: it is something else. What else is in it is the same for all. */
static uint32_t dimension_counted(const struct gp_kernel *kernel, const struct gp_products *sum, bool *groups)
{
    unsigned parts = 0;
    uint32_t found = GP_MAX_DIMS;
    for (uint32_t i = 0; i < sum->count; i++) {
        const struct gp_product *product = &sum->product[i];
        uint32_t dimension = GP_MAX_DIMS;
        if (product->leaf == GP_REF_NONE)
            continue;
        unsigned part = part_of(kernel, product->leaf, &dimension);
        bool other = part == 0 || (parts & part) != 0 || (found != GP_MAX_DIMS && found != dimension);
        if (other || product->scale != 1 || product->param_count > 0)
            return GP_MAX_DIMS;
        parts |= part;
        found = dimension;
    }
    *groups = parts == GROUP;
    return sum->whole && (parts == GLOBAL || parts == GROUP) ? found : GP_MAX_DIMS;
}

static void bound(const struct gp_kernel *kernel, const struct gp_products *sum, int64_t most,
                  struct gp_constant_ranges *ranges)
{
    bool groups = false;
    uint32_t dimension = most >= 1 && most <= LARGEST ? dimension_counted(kernel, sum, &groups) : GP_MAX_DIMS;
    uint64_t *range = groups ? ranges->groups : ranges->items;
    if (dimension < GP_MAX_DIMS && (range[dimension] == 0 || (uint64_t)most < range[dimension]))
        range[dimension] = (uint64_t)most;
}

/* `(x & ~15) == 0` and `x >> 4 == 0` are `x < 16`: what has to be less, and than what; else the value itself, than 1.
 */
static gp_ref behind_upper_bits(const struct gp_kernel *kernel, gp_ref ref, int64_t *end)
{
    const struct gp_inst *inst = gp_inst_of(kernel, gp_behind_casts(kernel, ref));
    gp_ref by = inst != NULL && (inst->op == GP_OP_AND || inst->op == GP_OP_LSHR) ? gp_operand_of(kernel, inst, 1)
                                                                                  : GP_REF_NONE;
    uint64_t number = gp_ref_kind(by) == GP_REF_CONST ? kernel->constants[gp_ref_index(by)] : 0;
    unsigned bits = number == 0              ? 0
                    : inst->op == GP_OP_LSHR ? (unsigned)(number & 63)
                                             : (unsigned)__builtin_ctzll(number);
    bool upper = bits > 0 && bits < 31 && (inst->op == GP_OP_LSHR || (uint32_t)number == UINT32_MAX << bits);
    *end = INT64_C(1) << (upper ? bits : 0);
    return upper ? gp_operand_of(kernel, inst, 0) : ref;
}

static bool is_of_ids_alone(const struct gp_products *sum)
{
    for (uint32_t i = 0; i < sum->count; i++)
        if (sum->product[i].leaf == GP_REF_NONE)
            return false;
    return true;
}

static bool is_constant(const struct gp_products *sum)
{
    for (uint32_t i = 0; i < sum->count; i++)
        if (sum->product[i].leaf != GP_REF_NONE || sum->product[i].param_count > 0)
            return false;
    return true;
}

/* `x < 1` may have become `x == 0`, and of a sum `local == 0 - start`. */
static void see_order(const struct gp_kernel *kernel, gp_ref smaller, gp_ref larger, unsigned bits, enum gp_order order,
                      void *data)
{
    struct gp_products second = gp_products_of(kernel, larger, bits);
    bool equal = order == GP_EQUAL, zero = equal && second.count == 0;
    if (!equal && !is_constant(&second))
        return; /* i <= last: an argument bounds it */
    int64_t end = equal ? 1 : gp_signed_constant(kernel, larger, bits) + (order == GP_LESS_OR_EQUAL);
    struct gp_products first = gp_products_of(kernel, zero ? behind_upper_bits(kernel, smaller, &end) : smaller, bits);
    struct gp_products sum = equal ? gp_products_less(&first, &second) : first;
    if (!equal || is_of_ids_alone(&sum))
        bound(kernel, &sum, end, data);
}

static bool returns_at_once(const struct gp_kernel *kernel, uint32_t block)
{
    return kernel->blocks[block].inst_count == 1 && gp_block_terminator(kernel, block)->op == GP_OP_RET;
}

/* Whether something is done before a block's end. */
static bool does_something(const struct gp_kernel *kernel, uint32_t block)
{
    const struct gp_block *b = &kernel->blocks[block];
    for (uint32_t i = b->inst; i < b->inst + b->inst_count; i++)
        if (gp_op_is_memory((enum gp_op)kernel->insts[i].op) || gp_inst_is_fence(&kernel->insts[i]))
            return true;
    return false;
}

/* Where a block's branch leads if the kernel does not end there; GP_NONE: it ends on neither way. */
static uint32_t pass(const struct gp_kernel *kernel, uint32_t block, struct gp_constant_ranges *ranges)
{
    const struct gp_inst *branch = gp_block_terminator(kernel, block);
    uint32_t next = GP_NONE;
    for (uint32_t way = 1; branch->op == GP_OP_CONDBR && way <= 2; way++)
        if (returns_at_once(kernel, gp_ref_index(gp_operand_of(kernel, branch, way)))) {
            gp_each_order(kernel, gp_operand_of(kernel, branch, 0), way == 2, see_order, ranges);
            next = gp_ref_index(gp_operand_of(kernel, branch, 3 - way));
        }
    return next;
}

void gp_constant_ranges(const struct gp_kernel *kernel, struct gp_constant_ranges *ranges)
{
    memset(ranges, 0, sizeof *ranges);
    uint32_t block = kernel->block_count > 0 ? 0 : GP_NONE;
    for (unsigned i = 0; i < MOST_BRANCHES && block != GP_NONE && !does_something(kernel, block); i++)
        block = pass(kernel, block, ranges);
}
