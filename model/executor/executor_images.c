/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Reads and writes of images: the texels that the lanes' coordinates fall into. Where nobody knows a coordinate, it is
 * the work-item's own place in the range. */
#include "model/executor/executor_internal.h"

static bool is_float_operand(const struct gp_executor *ex, gp_ref ref, unsigned *bits)
{
    uint32_t index = gp_ref_index(ref);
    if (gp_ref_kind(ref) == GP_REF_INST) {
        *bits = ex->kernel->insts[index].bits;
        return ex->facts.float_value[index];
    }
    if (gp_ref_kind(ref) == GP_REF_PARAM) {
        *bits = ex->kernel->params[index].bits;
        return ex->kernel->params[index].kind == GP_PARAM_FLOAT;
    }
    *bits = 32;
    return false;
}

/* The texel that one floating-point coordinate falls into: it is rounded down. False: it is none. */
static bool round_down(unsigned bits, uint64_t *offset)
{
    struct gp_operation down = {GP_OP_FLOOR, (uint8_t)bits, 0, 0}, convert = {GP_OP_FPTOSI, 64, (uint8_t)bits, 0};
    return gp_compute(&down, *offset, 0, 0, offset) && gp_compute(&convert, *offset, 0, 0, offset);
}

/* One coordinate of the lanes: the texels' symbols and numbers, in arrays of our own, and what is told of them. */
struct coordinate {
    uint32_t *symbols;
    uint64_t *offsets;
    gp_mask assumed;                      /* lanes whose own place stands for what nobody knows */
    const struct gp_distances *distances; /* NULL: lanes have symbols of their own */
};

static void spread(const struct gp_executor *ex, gp_mask mask, const struct coordinate *c, uint32_t symbol,
                   uint64_t first, const struct gp_distances *distances)
{
    unsigned lane = (unsigned)__builtin_ctzll(mask);
    for (uint32_t i = 0; i < ex->lanes; i += 4)
        for (uint32_t j = i; j < i + 4; j++)
            c->symbols[j] = symbol;
    if (!ex->observer->few_offsets)
        gp_distances_spread(distances, first, c->offsets);
    c->offsets[0] = first;
    c->offsets[lane] = first + distances->lane[lane];
}

/* ---- Lanes alike ------------------------------------------------------------------------------------------------- */

/* Numbers of so many bits, so far from the first one: none of them wraps around. */
static bool stays_in_bits(unsigned bits, int64_t first, const struct gp_distances *d)
{
    if (bits == 0 || bits >= 64)
        return true;
    int64_t beyond = INT64_C(1) << (bits - 1);
    return d->low >= -beyond - first && d->high <= beyond - 1 - first;
}

/* Integers of one symbol move as one. False: lanes are looked at one by one. */
static bool take_integers(struct gp_executor *ex, gp_ref ref, const struct slot *slot, gp_mask mask,
                          struct coordinate *c)
{
    unsigned bits;
    if (slot->shape == SHAPE_MIXED || slot->symbol == GP_SYMBOL_UNKNOWN || is_float_operand(ex, ref, &bits))
        return false;
    const struct gp_distances *distances = slot->shape == SHAPE_VECTOR ? slot->distances : ex->distances.none;
    uint64_t first = gp_sign_extend(slot->offset, bits);
    if (!stays_in_bits(bits, (int64_t)first, distances))
        return false;
    spread(ex, mask, c, gp_symbols_name(&ex->symbols, slot->symbol), first, distances);
    c->distances = distances;
    return true;
}

static uint64_t own_place(const struct gp_executor *ex, uint32_t dim, unsigned lane)
{
    return dim < 2 ? ex->launch->offset[dim] + ex->at.group[dim] * ex->launch->local[dim] + ex->at.local_id[dim][lane]
                   : 0;
}

/* A whole warp of which nobody knows the coordinate. False: it is none. */
static bool take_own_places(struct gp_executor *ex, uint32_t dim, const struct slot *slot, gp_mask mask,
                            struct coordinate *c)
{
    if (slot->shape != SHAPE_UNIFORM || slot->symbol != GP_SYMBOL_UNKNOWN || mask != gp_bits_mask(ex->lanes))
        return false;
    if (dim < 2 && ex->own_place[dim] == NULL)
        ex->own_place[dim] = gp_distances_of(&ex->distances, ex->at.local_id[dim]);
    c->distances = dim < 2 ? ex->own_place[dim] : ex->distances.none;
    spread(ex, mask, c, GP_SYMBOL_KNOWN, own_place(ex, dim, 0), c->distances);
    c->assumed = mask;
    return true;
}

/* ---- Lanes one by one -------------------------------------------------------------------------------------------- */

/* The texels that the lanes' coordinates fall into, in two arrays of our own. True: those of all lanes are known,
 * relative to nothing. */
static bool texels(struct gp_executor *ex, gp_ref ref, const struct slot *slot, gp_mask mask, uint32_t *symbols,
                   uint64_t *offsets)
{
    unsigned bits;
    struct slot one = *slot;
    bool is_float = is_float_operand(ex, ref, &bits), uniform = slot->shape == SHAPE_UNIFORM;
    if (uniform && is_float && one.symbol == GP_SYMBOL_KNOWN && !round_down(bits, &one.offset))
        one.symbol = GP_SYMBOL_UNKNOWN;
    else if (!is_float)
        one.offset = gp_sign_extend(one.offset, bits);
    gp_slot_expand(ex, &one, symbols, offsets);
    if (uniform)
        return one.symbol == GP_SYMBOL_KNOWN;
    if (!is_float)
        for (uint32_t i = 0; i < ex->lanes; i += 4)
            for (uint32_t j = i; j < i + 4; j++)
                offsets[j] = gp_sign_extend(offsets[j], bits);
    for (gp_mask rest = is_float ? mask : 0; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(rest);
        if (symbols[lane] == GP_SYMBOL_KNOWN && !round_down(bits, &offsets[lane]))
            symbols[lane] = GP_SYMBOL_UNKNOWN;
    }
    return slot->shape == SHAPE_VECTOR && slot->symbol == GP_SYMBOL_KNOWN && !is_float;
}

/* Unknown coordinates become the work-item's own place in the range. Returns the lanes concerned. */
static gp_mask assume_own_place(const struct gp_executor *ex, uint32_t dim, gp_mask mask, uint32_t *symbols,
                                uint64_t *offsets)
{
    gp_mask assumed = 0;
    for (gp_mask rest = mask; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(rest);
        if (symbols[lane] != GP_SYMBOL_UNKNOWN)
            continue;
        symbols[lane] = GP_SYMBOL_KNOWN;
        offsets[lane] = own_place(ex, dim, lane);
        assumed |= rest & -rest;
    }
    return assumed;
}

/* Of the texels in an array of our own; lanes that are off lie where the first of the mask does. NULL: lanes have
 * symbols of their own. */
static const struct gp_distances *distances_of_texels(struct gp_executor *ex, const struct slot *slot, gp_mask mask,
                                                      gp_mask assumed, uint64_t *offsets)
{
    if (slot->shape == SHAPE_MIXED)
        return NULL;
    if (slot->shape == SHAPE_UNIFORM && assumed == 0)
        return ex->distances.none;
    if (slot->shape == SHAPE_VECTOR && gp_distances_are(slot->distances, offsets))
        return slot->distances;
    gp_fill_idle_lanes(offsets, mask, ex->lanes);
    return gp_distances_of(&ex->distances, offsets);
}

static void take_each(struct gp_executor *ex, gp_ref ref, uint32_t dim, const struct slot *slot, gp_mask mask,
                      struct coordinate *c)
{
    bool known = texels(ex, ref, slot, mask, c->symbols, c->offsets);
    c->assumed = known ? 0 : assume_own_place(ex, dim, mask, c->symbols, c->offsets);
    c->distances = distances_of_texels(ex, slot, mask, c->assumed, c->offsets);
    if (!known)
        gp_names_of_symbols(ex, c->symbols, c->symbols);
}

void gp_execute_image(struct gp_executor *ex, const struct op *op, gp_mask mask, double weight, enum gp_guess guessed)
{
    const gp_ref *refs = ex->kernel->operands + ex->kernel->insts[op->inst].operand;
    struct gp_access access = {.memory = op->memory, .active = mask, .weight = weight, .uniform = true};
    uint32_t count = op->more_count ? op->more_count - 1 : 0;
    struct gp_value value;
    access.coordinates = count > 3 ? 3 : count;
    for (uint32_t i = 0; i < access.coordinates; i++) {
        const struct slot *slot = &ex->slots[ex->more[op->more + 1 + i]];
        access.uniform = gp_slot_uniform(slot, mask, &value) && value.symbol != GP_SYMBOL_UNKNOWN && access.uniform;
        struct coordinate c = {.symbols = ex->scratch.symbols[i], .offsets = ex->scratch.offsets[i]};
        if (!take_integers(ex, refs[1 + i], slot, mask, &c) && !take_own_places(ex, i, slot, mask, &c))
            take_each(ex, refs[1 + i], i, slot, mask, &c);
        access.assumed |= c.assumed;
        access.coordinate_distances[i] = c.distances;
        access.coordinate_symbol[i] = c.symbols;
        access.coordinate[i] = c.offsets;
    }
    if (ex->observer->access)
        gp_report_access(ex, &access, &ex->slots[op->more_count ? ex->more[op->more] : SLOT_UNKNOWN], guessed);
    if (op->has_result)
        gp_slot_set_unknown(ex, &ex->slots[op->dest], mask, (op->flags & GP_INST_UNIFORM) || access.uniform);
}
