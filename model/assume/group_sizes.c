/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/assume/group_sizes.h"

#include <string.h>

#include "model/value/inst_facts.h"
#include "model/value/id_sources.h"
#include "model/value/operand_walk.h"
#include "model/value/refs.h"
#include "model/assume/products.h"
#include "model/assume/rules.h"

enum { MOST_PLACES = 256, MOST_ITEMS = 1024, DEEPEST = 4 };

/* Where a local id stands in an address: it is multiplied with `scale`, and the next larger step beside it, of groups,
 * of a loop or of another id, is `next`. */
struct place {
    gp_ref base;
    bool stores;
    uint32_t dimension;
    int64_t scale, next, constant;
};

struct places {
    const struct gp_kernel *kernel;
    struct place list[MOST_PLACES];
    uint32_t count;
    uint8_t stored; /* dimensions whose local ids stand beside groups' numbers where something is stored */
    bool whole;
};

/* ---- Conditions on local ids ------------------------------------------------------------------------------------- */

static enum gp_visit see_comparison(const struct gp_kernel *kernel, gp_ref ref, const struct gp_inst *inst,
                                    void *dimensions)
{
    if (inst == NULL || inst->op != GP_OP_ICMP)
        return GP_VISIT_OPERANDS;
    struct gp_made_of made = gp_made_of_start(kernel, ref);
    if (made.groups == 0)
        *(uint8_t *)dimensions |= made.items;
    return GP_VISIT_NEXT;
}

/* The dimensions of whose ids alone something decides whether a block is come to. */
static uint8_t guarded_by(const struct gp_kernel *kernel, uint32_t block, unsigned depth)
{
    uint8_t dimensions = 0;
    for (uint32_t from = 0; depth > 0 && from < kernel->block_count; from++) {
        if (from == block || !gp_branch_decides(kernel, kernel->blocks[block].loop, from, block))
            continue;
        gp_walk_operands(kernel, gp_operand_of(kernel, gp_block_terminator(kernel, from), 0), see_comparison,
                         &dimensions);
        dimensions |= guarded_by(kernel, from, depth - 1);
    }
    return dimensions;
}

/* ---- Addresses --------------------------------------------------------------------------------------------------- */

/* The dimension whose local id a value is; GP_MAX_DIMS or more: it is none. */
static uint32_t local_dimension(const struct gp_kernel *kernel, gp_ref leaf)
{
    const struct gp_inst *id = gp_inst_of(kernel, gp_behind_width(kernel, leaf));
    return id != NULL && id->op == GP_OP_ID && id->sub >> 2 == GP_ID_LOCAL ? id->sub & 3u : GP_MAX_DIMS;
}

/* A quotient may stand in the remainder besides, which is taken apart: `group - group / n * n`. */
static bool is_of_groups(const struct gp_kernel *kernel, gp_ref leaf)
{
    const struct gp_inst *inst = gp_inst_of(kernel, gp_behind_width(kernel, leaf));
    struct gp_made_of made = gp_made_of_start(kernel, leaf);
    return made.groups != 0 && made.items == 0 && inst != NULL && inst->op != GP_OP_UDIV && inst->op != GP_OP_SDIV;
}

/* What is added to an id, by multiples: of groups' numbers, of a loop's counter, of another id. reach: where a loop
 * ends; 0: elsewhere. step is 0 for what is something else. */
struct part {
    int64_t step, reach;
    bool of_groups;
};

static struct part part_of(const struct gp_kernel *kernel, const struct gp_product *product)
{
    const struct gp_induction *counter = gp_counter_at(kernel, product->leaf);
    struct part part = {product->scale, 0, is_of_groups(kernel, product->leaf)};
    if (part.of_groups || local_dimension(kernel, product->leaf) < GP_MAX_DIMS)
        return part;
    gp_ref trips = counter != NULL ? kernel->loops[counter->loop].trip_count : GP_REF_NONE;
    if (counter == NULL || gp_ref_kind(counter->step) != GP_REF_CONST || gp_ref_kind(trips) != GP_REF_CONST)
        return (struct part){0};
    part.step *= gp_signed_constant(kernel, counter->step, gp_inst_of(kernel, product->leaf)->bits);
    bool beyond = __builtin_mul_overflow(part.step, gp_signed_constant(kernel, trips, 64), &part.reach);
    return beyond || part.reach <= 0 ? (struct part){0} : part;
}

/* Whether a part leaves an id's own step its place: what has smaller steps, as rows of tiles, stays below it, and a
 * loop with larger ones fills what is between two groups. */
static bool suits(const struct part *part, int64_t own, int64_t groups)
{
    return part->step < own ? part->step > 0 && part->reach <= own
                            : part->step > own && (part->reach == 0 || groups % part->reach == 0);
}

/* The next step larger than an id's own; 0: there are no groups' numbers, or something else does not suit. */
static int64_t next_step(const struct gp_kernel *kernel, const struct gp_products *sum, const struct gp_product *own)
{
    struct part parts[GP_MOST_PRODUCTS];
    uint32_t count = 0;
    int64_t groups = 0, next;
    for (uint32_t i = 0; i < sum->count; i++) {
        const struct gp_product *other = &sum->product[i];
        bool varies = gp_ref_kind(other->leaf) == GP_REF_INST; /* no constant, and not the buffer itself */
        if (other == own || !varies || !gp_have_same_parameters(own, other))
            continue;
        parts[count] = part_of(kernel, other);
        bool ends = parts[count].of_groups && parts[count].step > own->scale;
        if (ends && (groups == 0 || parts[count].step < groups))
            groups = parts[count].step;
        count++;
    }
    next = groups;
    for (uint32_t i = 0; i < count; i++) {
        bool larger = parts[i].step > groups; /* another row */
        if (!larger && !suits(&parts[i], own->scale, groups))
            return 0;
        next = parts[i].step > own->scale && parts[i].step < next ? parts[i].step : next;
    }
    return next % own->scale == 0 ? next : 0;
}

static int64_t constant_beside(const struct gp_products *sum, const struct gp_product *own)
{
    for (uint32_t i = 0; i < sum->count; i++)
        if (sum->product[i].leaf == GP_REF_NONE && gp_have_same_parameters(own, &sum->product[i]))
            return sum->product[i].scale;
    return 0;
}

static void see_sum(struct places *places, const struct gp_memory *memory, const struct gp_products *sum)
{
    for (uint32_t i = 0; i < sum->count && sum->whole; i++) {
        const struct gp_product *own = &sum->product[i];
        uint32_t dimension = local_dimension(places->kernel, own->leaf);
        int64_t next = dimension < GP_MAX_DIMS && own->scale > 0 ? next_step(places->kernel, sum, own) : 0;
        if (next == 0)
            continue;
        bool stores = gp_memory_writes(memory);
        places->stored |= stores ? 1u << dimension : 0;
        if (guarded_by(places->kernel, gp_inst_block(places->kernel, memory->inst), DEEPEST) >> dimension & 1)
            continue;
        if (places->count == MOST_PLACES) {
            places->whole = false;
            return;
        }
        places->list[places->count++] =
            (struct place){memory->base, stores, dimension, own->scale, next, constant_beside(sum, own)};
    }
}

/* The coordinates of an image are places, each in its own dimension. */
static void see_access(struct places *places, const struct gp_memory *memory)
{
    const struct gp_kernel *kernel = places->kernel;
    const struct gp_inst *inst = &kernel->insts[memory->inst];
    bool image = memory->space == GP_SPACE_IMAGE,
         global = memory->space == GP_SPACE_GLOBAL || memory->space == GP_SPACE_GENERIC;
    bool placed = (image || global) && gp_inst_block(kernel, memory->inst) != GP_NONE;
    for (uint32_t i = image; placed && i < (image ? inst->operand_count : inst->operand_count > 0); i++) {
        struct gp_products sum = gp_products_of(kernel, gp_operand_of(kernel, inst, i), image ? 32 : 64);
        see_sum(places, memory, &sum);
    }
}

/* ---- Sizes ------------------------------------------------------------------------------------------------------- */

static bool are_alike(const struct place *a, const struct place *b)
{
    return a->base == b->base && a->stores == b->stores && a->dimension == b->dimension && a->scale == b->scale &&
           a->next == b->next;
}

/* Elements of one work-item, a group's size apart, fill what is left up to the next step: `out[i] = ...; out[i + 256] =
 * ...`. 0: they do not. */
static uint64_t size_at(const struct places *places, const struct place *place)
{
    int64_t items = place->next / place->scale, apart[MOST_PLACES], least = place->constant;
    uint32_t count = 0;
    for (uint32_t i = 0; i < places->count; i++)
        if (are_alike(&places->list[i], place) && places->list[i].constant < least)
            least = places->list[i].constant;
    for (uint32_t i = 0; i < places->count; i++) {
        int64_t distance = (places->list[i].constant - least) / place->scale;
        uint32_t k = 0;
        while (k < count && apart[k] != distance)
            k++;
        if (k == count && are_alike(&places->list[i], place))
            apart[count++] = distance;
    }
    int64_t size = items % count == 0 ? items / count : 0;
    for (uint32_t k = 0; k < count && size > 0; k++)
        if (apart[k] >= items || apart[k] % size != 0)
            size = 0;
    return (uint64_t)size;
}

static void take(const struct places *places, uint32_t dimension, uint32_t *size)
{
    uint64_t found = 0;
    for (uint32_t i = 0; i < places->count; i++) {
        const struct place *place = &places->list[i];
        if (place->dimension != dimension || (!place->stores && places->stored >> dimension & 1))
            continue;
        uint64_t one = size_at(places, place);
        if (one < 2 || one > MOST_ITEMS || (found > 0 && one != found))
            return;
        found = one;
    }
    *size = (uint32_t)found;
}

static bool asks_for(const struct gp_kernel *kernel, enum gp_id id)
{
    uint32_t i = 0;
    while (i < kernel->inst_count && !(kernel->insts[i].op == GP_OP_ID && kernel->insts[i].sub >> 2 == id))
        i++;
    return i < kernel->inst_count;
}

void gp_group_sizes(const struct gp_kernel *kernel, uint32_t sizes[3])
{
    struct places places = {.kernel = kernel, .whole = true};
    memset(sizes, 0, 3 * sizeof *sizes);
    bool told = kernel->stated.required_local[0] == 0 && asks_for(kernel, GP_ID_GROUP) && asks_for(kernel, GP_ID_LOCAL);
    for (uint32_t m = 0; told && m < kernel->memory_count && places.whole; m++)
        see_access(&places, &kernel->memory[m]);
    uint64_t items = 1;
    for (uint32_t d = 0; d < GP_MAX_DIMS && places.whole; d++) {
        take(&places, d, &sizes[d]);
        items *= sizes[d] > 0 ? sizes[d] : 1;
    }
    if (items > MOST_ITEMS || (kernel->stated.max_local > 0 && items > kernel->stated.max_local))
        memset(sizes, 0, 3 * sizeof *sizes);
}
