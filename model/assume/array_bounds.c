/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/assume/array_bounds.h"

#include <string.h>

#include "model/value/inst_facts.h"
#include "model/value/refs.h"
#include "model/launch/launch_index.h"
#include "model/assume/joined_orders.h"
#include "model/assume/products.h"
#include "model/launch/range.h"
#include "model/assume/rules.h"

enum { LARGEST_BITS = 24, LARGEST = 1 << LARGEST_BITS };

struct search {
    const struct gp_kernel *kernel;
    struct gp_launch *launch;
    uint64_t *most;
};

/* A counter that indexes an array: how many numbers from 0 on it may have, and of how many elements the row is that it
 * goes along. */
struct index {
    const struct search *search;
    uint32_t phi, loop;
    int64_t elements, row;
};

/* Whether all ways round a loop, or through the kernel, lead through a block. */
static bool leads_through(const struct gp_kernel *kernel, uint32_t loop, uint32_t block)
{
    uint32_t at = loop != GP_NONE ? kernel->loops[loop].header : 0;
    while (at != GP_NONE && at != block && gp_block_is_within(kernel, at, loop))
        at = kernel->blocks[at].ipdom;
    return at == block;
}

/* Whether a block's end asks for nothing but what bounds a loop. */
static bool asks_for_bound(const struct gp_kernel *kernel, uint32_t block, uint32_t bound)
{
    const struct gp_block *b = &kernel->blocks[block];
    const struct gp_inst *end = &kernel->insts[b->inst + b->inst_count - 1];
    return kernel->branches[end->record].kind == GP_BRANCH_ARGUMENT &&
           gp_value_parameter(kernel, gp_operand_of(kernel, end, 0)) == bound;
}

/* Whether a loop comes past a block within each time that it goes round, but for a parameter's values of which
 * compilers ask before and behind the loops that it bounds: whether they turn at all, or by fours. */
static bool is_entered(const struct gp_kernel *kernel, uint32_t loop, uint32_t block, uint32_t bound, unsigned depth)
{
    bool some = false;
    if (leads_through(kernel, loop, block))
        return true;
    for (uint32_t from = 0; from < kernel->block_count && depth > 0; from++) {
        if (from == block || !gp_block_is_within(kernel, from, loop) || !gp_branch_decides(kernel, loop, from, block))
            continue;
        if (gp_block_is_within(kernel, from, kernel->blocks[block].loop) && kernel->blocks[block].loop != loop)
            continue; /* the loop's own way round */
        if (!asks_for_bound(kernel, from, bound) || !is_entered(kernel, loop, from, bound, depth - 1))
            return false;
        some = true;
    }
    return some;
}

/* Whether a loop comes past a block each time that it goes round, or the kernel each time that it runs, if the loops
 * within turn at all: what stands under a condition of its own bounds nothing. */
static bool always_passes(const struct gp_kernel *kernel, uint32_t loop, uint32_t block)
{
    const unsigned depth = 8;
    if (leads_through(kernel, loop, block))
        return true;
    uint32_t inner = kernel->blocks[block].loop;
    if (inner == loop || inner == GP_NONE || !leads_through(kernel, inner, block))
        return false;
    while (inner != GP_NONE && inner != loop) {
        uint32_t bound = gp_loop_parameter(kernel, inner), outer = kernel->loops[inner].parent;
        if (bound >= GP_MAX_ARGUMENTS || !is_entered(kernel, outer, kernel->loops[inner].header, bound, depth))
            return false;
        inner = outer;
    }
    return inner == loop;
}

static void lower(const struct index *index, uint32_t param, uint64_t most)
{
    uint64_t *known = &index->search->most[param];
    *known = most > 0 && (*known == 0 || most < *known) ? most : *known;
}

/* `k < n` for a counter k: n, or what n is a part of. */
static void see_order(const struct gp_kernel *kernel, gp_ref smaller, gp_ref larger, unsigned bits, enum gp_order order,
                      void *data)
{
    const struct index *index = data;
    uint64_t times = 1;
    uint32_t param = order == GP_LESS ? gp_parameter_shared(kernel, larger, &times) : GP_NONE;
    (void)bits;
    if (param != GP_NONE && gp_leads_to_counter(kernel, smaller, index->phi))
        lower(index, param, (uint64_t)index->elements * times);
}

/* Where the counter starts, a constant; negative: it starts elsewhere, as behind another loop's end. */
static int64_t start_of(const struct index *index)
{
    const struct gp_kernel *kernel = index->search->kernel;
    const struct gp_inst *phi = &kernel->insts[index->phi];
    int64_t start = -1;
    for (uint32_t k = 0; k + 1 < phi->operand_count; k += 2) {
        gp_ref value = gp_operand_of(kernel, phi, k + 1);
        bool enters = !gp_block_is_within(kernel, gp_ref_index(gp_operand_of(kernel, phi, k)), index->loop);
        if (enters && (start >= 0 || gp_ref_kind(value) != GP_REF_CONST))
            return -1;
        start = enters ? gp_signed_constant(kernel, value, phi->bits) : start;
    }
    return start < 1 << 16 ? start : -1;
}

static int64_t step_of(const struct index *index, const struct gp_induction *counter)
{
    int64_t step =
        gp_signed_constant(index->search->kernel, counter->step, index->search->kernel->insts[index->phi].bits);
    return step > 0 && step < 1 << 16 ? step : 0;
}

/* The last number of the counter where the parameter has this value; -1: it has none, or it is not known. */
static int64_t last_number(const struct index *index, const struct gp_induction *counter, uint32_t param,
                           uint64_t value)
{
    const struct gp_kernel *kernel = index->search->kernel;
    struct gp_launch *launch = index->search->launch;
    uint64_t before = launch->arguments[param].value;
    launch->arguments[param].value = value;
    struct gp_index turns =
        gp_index_at(kernel, launch, kernel->loops[index->loop].trip_count, 64, (struct gp_item){0}, GP_INDEX_ASSUMED);
    launch->arguments[param].value = before;
    bool turned = turns.known && turns.value > 0 && turns.value < GP_INDEX_BEYOND;
    return turned ? start_of(index) + (turns.value - 1) * step_of(index, counter) : -1;
}

/* Values from it on are not asked about: a narrow parameter has none, and another one would wrap round. */
static uint64_t first_not_asked(const struct gp_kernel *kernel, uint32_t param)
{
    unsigned bits = kernel->params[param].bits - ((kernel->params[param].flags & GP_PARAM_SIGNED) != 0);
    return bits < LARGEST_BITS ? UINT64_C(1) << bits : LARGEST;
}

/* The least value from which on the last number is more than that; where none is known it is not. The first that is not
 * asked about: none is. */
static uint64_t least_beyond(const struct index *index, const struct gp_induction *counter, uint32_t param,
                             int64_t number)
{
    uint64_t low = 0, high = first_not_asked(index->search->kernel, param);
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (last_number(index, counter, param, middle) > number)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* An optimiser's loop of several elements each turn leaves the rest to another one, which begins where it ends: so many
 * turns, and the rest of the row. One whose turn is longer than the row does not turn at all. */
static void see_trip_count(const struct index *index)
{
    const struct gp_kernel *kernel = index->search->kernel;
    const struct gp_induction *counter = gp_counter_of(kernel, index->phi);
    uint32_t param = counter != NULL && step_of(index, counter) > 0 && start_of(index) >= 0
                         ? gp_loop_parameter(kernel, index->loop)
                         : GP_NONE;
    if (param >= GP_MAX_ARGUMENTS)
        return;
    bool never = step_of(index, counter) > index->row;
    if (!never && index->elements < 2)
        return;
    uint64_t beyond = least_beyond(index, counter, param, never ? -1 : index->elements - 1);
    if (beyond < 2 || beyond == first_not_asked(index->search->kernel, param))
        return;
    if (never) {
        lower(index, param, (uint64_t)index->row < beyond - 1 ? (uint64_t)index->row : beyond - 1);
        return;
    }
    int64_t last = last_number(index, counter, param, beyond - 1), rest = index->row - last - step_of(index, counter);
    uint64_t most = least_beyond(index, counter, param, last - 1) + (uint64_t)(rest > 0 ? rest : 0);
    lower(index, param, most < beyond - 1 ? most : beyond - 1);
}

static void see_loop(const struct index *index)
{
    if (index->elements > 1)
        gp_each_order_within(index->search->kernel, index->loop, see_order, (struct index *)index);
    see_trip_count(index);
}

/* ---- Accesses ---------------------------------------------------------------------------------------------------- */

/* Elements from a product's own place to the array's end, or to that of the row, `w[y * 5 + x]` has rows of 5; and of
 * all of it. */
static int64_t elements_along(const struct gp_products *address, const struct gp_product *own, int64_t bytes,
                              int64_t *row)
{
    int64_t end = bytes, start = 0;
    for (uint32_t i = 0; i < address->count; i++) {
        const struct gp_product *other = &address->product[i];
        if (other->leaf == GP_REF_NONE && other->param_count == 0)
            start += other->scale;
        else if (other != own && other->leaf != GP_REF_NONE && other->scale > own->scale && other->scale < end)
            end = other->scale;
    }
    start %= end;
    *row = end / own->scale;
    return start < 0 ? 0 : (end - start + own->scale - 1) / own->scale;
}

/* The loop of which a value is a phi of the header, and that a block is in; GP_NONE. */
static uint32_t loop_of(const struct gp_kernel *kernel, gp_ref leaf, uint32_t block)
{
    const struct gp_inst *phi = gp_inst_of(kernel, leaf);
    uint32_t at = phi != NULL && phi->op == GP_OP_PHI ? gp_inst_block(kernel, gp_ref_index(leaf)) : GP_NONE,
             loop = at != GP_NONE ? kernel->blocks[at].loop : GP_NONE;
    bool counts = loop != GP_NONE && kernel->loops[loop].header == at && gp_block_is_within(kernel, block, loop) &&
                  always_passes(kernel, loop, block);
    return counts ? loop : GP_NONE;
}

static void see_access(const struct search *search, const struct gp_memory *memory)
{
    const struct gp_kernel *kernel = search->kernel;
    int64_t bytes = gp_array_bytes(kernel, memory->base);
    uint32_t block = bytes > 0 ? gp_inst_block(kernel, memory->inst) : GP_NONE;
    if (block == GP_NONE || kernel->insts[memory->inst].operand_count == 0)
        return;
    struct gp_products address = gp_products_of(kernel, gp_memory_address(kernel, memory), 64);
    for (uint32_t i = 0; i < address.count; i++) {
        const struct gp_product *product = &address.product[i];
        uint32_t loop = product->param_count == 0 && product->scale > 0 && product->scale < bytes
                            ? loop_of(kernel, product->leaf, block)
                            : GP_NONE;
        struct index index = {.search = search, .phi = gp_ref_index(product->leaf), .loop = loop};
        if (loop != GP_NONE)
            index.elements = elements_along(&address, product, bytes, &index.row);
        if (index.row > 1)
            see_loop(&index);
    }
}

void gp_array_bounds(const struct gp_kernel *kernel, struct gp_launch *launch, uint64_t most[GP_MAX_ARGUMENTS])
{
    struct search search = {kernel, launch, most};
    memset(most, 0, GP_MAX_ARGUMENTS * sizeof *most);
    for (uint32_t m = 0; m < kernel->memory_count; m++)
        see_access(&search, &kernel->memory[m]);
}

static void see_group(const struct gp_kernel *kernel, const struct gp_memory *memory, uint64_t most[3])
{
    int64_t bytes = gp_ref_kind(memory->base) == GP_REF_LOCAL ? gp_array_bytes(kernel, memory->base) : 0;
    uint32_t block = bytes > 0 ? gp_inst_block(kernel, memory->inst) : GP_NONE;
    if (block == GP_NONE || kernel->insts[memory->inst].operand_count == 0 || !always_passes(kernel, GP_NONE, block))
        return;
    struct gp_products address = gp_products_of(kernel, gp_memory_address(kernel, memory), 64);
    for (uint32_t i = 0; i < address.count; i++) {
        const struct gp_product *product = &address.product[i];
        const struct gp_inst *id = gp_inst_of(kernel, gp_behind_width(kernel, product->leaf));
        int64_t row;
        if (id == NULL || id->op != GP_OP_ID || id->sub >> 2 != GP_ID_LOCAL || (id->sub & 3) >= GP_MAX_DIMS ||
            product->param_count > 0 || product->scale <= 0 || product->scale >= bytes)
            continue;
        int64_t items = elements_along(&address, product, bytes, &row);
        if (items > 0 && (uint64_t)items < most[id->sub & 3])
            most[id->sub & 3] = (uint64_t)items;
    }
}

void gp_array_groups(const struct gp_kernel *kernel, uint64_t most[3])
{
    for (int d = 0; d < 3; d++)
        most[d] = UINT64_MAX;
    for (uint32_t m = 0; m < kernel->memory_count; m++)
        see_group(kernel, &kernel->memory[m], most);
}
