/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Slots: what the lanes of a warp hold.
 *
 * A slot keeps the simplest shape that says what its lanes hold: one value for all, one symbol with an offset per lane,
 * or both per lane. A write under a mask leaves alone the lanes that still wait elsewhere with an older value (in a
 * loop which they have left, for example); lanes that nobody waits for may be overwritten, which keeps shapes simple.
 */
#include <stdlib.h>
#include <string.h>

#include "model/executor/executor_internal.h"

bool gp_slot_is_unknown_somewhere(const struct slot *slot, gp_mask mask)
{
    for (gp_mask rest = mask; rest; rest = slot->shape == SHAPE_MIXED ? rest & (rest - 1) : 0)
        if (gp_slot_lane(slot, (unsigned)__builtin_ctzll(rest)).symbol == GP_SYMBOL_UNKNOWN)
            return true;
    return false;
}

struct slot gp_slot_of_scratch(struct gp_executor *ex)
{
    struct slot slot = {.shape = SHAPE_MIXED, .symbols = ex->scratch.symbols[3], .offsets = ex->scratch.offsets[3]};
    for (uint32_t lane = 0; lane < ex->lanes; lane++) {
        slot.symbols[lane] = GP_SYMBOL_KNOWN;
        slot.offsets[lane] = 0;
    }
    return slot;
}

bool gp_slot_uniform(const struct slot *slot, gp_mask mask, struct gp_value *value)
{
    if (!mask)
        return false;
    *value = gp_slot_lane(slot, (uint32_t)__builtin_ctzll(mask));
    if (gp_is_single(mask))
        return true;
    if (slot->shape == SHAPE_UNIFORM || value->symbol == GP_SYMBOL_UNKNOWN)
        return value->symbol != GP_SYMBOL_UNKNOWN;
    if (slot->shape == SHAPE_VECTOR && slot->distances->low == slot->distances->high)
        return true;
    for (gp_mask rest = mask & (mask - 1); rest; rest &= rest - 1) {
        struct gp_value other = gp_slot_lane(slot, (uint32_t)__builtin_ctzll(rest));
        if (other.symbol != value->symbol || other.offset != value->offset)
            return false;
    }
    return true;
}

/* Four lanes at a time so that compilers vectorise without a remainder. */
static void spread_symbol(const struct gp_executor *ex, uint32_t symbol, uint32_t *symbols)
{
    for (uint32_t i = 0; i < ex->lanes; i += 4)
        for (uint32_t j = i; j < i + 4; j++)
            symbols[j] = symbol;
}

static void spread_offset(const struct gp_executor *ex, uint64_t offset, uint64_t *offsets)
{
    for (uint32_t i = 0; i < ex->lanes; i += 4)
        for (uint32_t j = i; j < i + 4; j++)
            offsets[j] = offset;
}

const uint64_t *gp_slot_offsets(const struct gp_executor *ex, const struct slot *slot, uint64_t *scratch)
{
    if (slot->shape == SHAPE_MIXED)
        return slot->offsets;
    if (slot->shape == SHAPE_UNIFORM) {
        spread_offset(ex, slot->offset, scratch);
        return scratch;
    }
    gp_distances_spread(slot->distances, slot->offset, scratch);
    return scratch;
}

void gp_slot_expand(const struct gp_executor *ex, const struct slot *slot, uint32_t *symbols, uint64_t *offsets)
{
    const uint64_t *from_offsets = gp_slot_offsets(ex, slot, offsets);
    if (slot->shape == SHAPE_MIXED)
        memcpy(symbols, slot->symbols, ex->lanes * sizeof *symbols);
    else
        spread_symbol(ex, slot->symbol, symbols);
    if (from_offsets != offsets)
        memcpy(offsets, from_offsets, ex->lanes * sizeof *offsets);
}

static uint32_t hash_of(struct gp_value value, uint32_t hash)
{
    uint64_t mixed = (value.offset ^ (uint64_t)(value.symbol ^ hash) << 32) * UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(mixed >> 32);
}

static bool are_alike(const struct slot *const *slots, unsigned count, unsigned lane, unsigned other)
{
    for (unsigned i = 0; i < count; i++) {
        struct gp_value a = gp_slot_lane(slots[i], lane), b = gp_slot_lane(slots[i], other);
        if (a.symbol != b.symbol || a.offset != b.offset)
            return false;
    }
    return true;
}

bool gp_slots_find_alike(const struct slot *const *slots, unsigned count, gp_mask mask, unsigned most,
                         uint8_t first[GP_MAX_LANES])
{
    enum { PLACES = 2 * GP_MAX_LANES };
    uint8_t places[PLACES] = {0}; /* lane + 1, by hash */
    unsigned different = 0, last = GP_MAX_LANES;
    for (gp_mask rest = mask; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(rest);
        if (last < GP_MAX_LANES && are_alike(slots, count, lane, last)) { /* neighbours mostly are */
            first[lane] = first[last];
            continue;
        }
        uint32_t hash = 0;
        for (unsigned i = 0; i < count; i++) {
            struct gp_value value = gp_slot_lane(slots[i], lane);
            if (value.symbol == GP_SYMBOL_UNKNOWN)
                return false;
            hash = hash_of(value, hash);
        }
        uint32_t place = hash % PLACES;
        while (places[place] != 0 && !are_alike(slots, count, lane, places[place] - 1u))
            place = (place + 1) % PLACES;
        if (places[place] == 0) {
            if (++different > most)
                return false;
            places[place] = (uint8_t)(lane + 1);
        }
        first[lane] = (uint8_t)(places[place] - 1);
        last = lane;
    }
    return true;
}

/* ---- Writes ---------------------------------------------------------------------------------------------------- */

/* Lanes outside the mask whose value must survive: not of those that have left the loop in which alone it is used. */
static gp_mask lanes_to_keep(const struct gp_executor *ex, const struct slot *slot, gp_mask mask)
{
    return slot->owner & (slot->local ? ex->flow.waiting : ex->flow.live) & ~mask;
}

static void set_all(struct slot *slot, enum shape shape, struct gp_value value, gp_mask owner)
{
    slot->shape = (uint8_t)shape;
    slot->symbol = value.symbol;
    slot->offset = value.offset;
    slot->owner = owner;
}

static void set_unknown(struct slot *slot, gp_mask owner)
{
    set_all(slot, SHAPE_UNIFORM, (struct gp_value){GP_SYMBOL_UNKNOWN, 0}, owner);
}

/* Room for each lane's symbol and offset. */
static void make_room(struct slot *slot)
{
    if (slot->offsets != NULL)
        return;
    slot->offsets = calloc(GP_MAX_LANES, sizeof *slot->offsets + sizeof *slot->symbols);
    slot->symbols = (uint32_t *)(slot->offsets + GP_MAX_LANES);
}

static void make_mixed(struct gp_executor *ex, struct slot *slot)
{
    if (slot->shape == SHAPE_MIXED)
        return;
    make_room(slot);
    gp_slot_offsets(ex, slot, slot->offsets);
    spread_symbol(ex, slot->symbol, slot->symbols);
    slot->symbol = GP_SYMBOL_KNOWN;
    slot->shape = SHAPE_MIXED;
}

/* The slot has one symbol: lanes of the mask get other offsets, those that it keeps stay as they are. */
static void blend(struct gp_executor *ex, struct slot *slot, gp_mask mask, gp_mask keep, const uint64_t *offsets)
{
    uint64_t *blended = ex->scratch.offsets[5];
    gp_slot_offsets(ex, slot, blended);
    for (gp_mask rest = mask; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(rest);
        blended[lane] = offsets[lane];
    }
    set_all(slot, SHAPE_VECTOR, (struct gp_value){slot->symbol, blended[0]}, keep | mask);
    slot->distances = gp_distances_of(&ex->distances, blended);
}

/* Lanes of the mask get one symbol, which those that are kept have not. */
static void mix(struct gp_executor *ex, struct slot *slot, gp_mask mask, gp_mask keep, uint32_t symbol,
                const uint64_t *offsets)
{
    make_mixed(ex, slot);
    for (gp_mask rest = mask; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(rest);
        slot->symbols[lane] = symbol;
        slot->offsets[lane] = offsets[lane];
    }
    slot->owner = keep | mask;
}

static void write_part(struct gp_executor *ex, struct slot *slot, gp_mask mask, gp_mask keep, uint32_t symbol,
                       const uint64_t *offsets)
{
    if (slot->shape != SHAPE_MIXED && slot->symbol == symbol)
        blend(ex, slot, mask, keep, offsets);
    else
        mix(ex, slot, mask, keep, symbol, offsets);
}

void gp_slot_set_uniform(struct gp_executor *ex, struct slot *slot, gp_mask mask, struct gp_value value)
{
    gp_mask keep = lanes_to_keep(ex, slot, mask);
    bool same = slot->shape == SHAPE_UNIFORM && slot->symbol == value.symbol && slot->offset == value.offset;
    if (!keep || same) {
        set_all(slot, SHAPE_UNIFORM, value, keep | mask);
        return;
    }
    spread_offset(ex, value.offset, ex->scratch.offsets[4]);
    write_part(ex, slot, mask, keep, value.symbol, ex->scratch.offsets[4]);
}

void gp_slot_set_numbers(struct gp_executor *ex, struct slot *slot, gp_mask mask, uint32_t symbol,
                         struct numbers numbers)
{
    gp_mask keep = lanes_to_keep(ex, slot, mask);
    if (keep) {
        struct slot whole = {
            .shape = SHAPE_VECTOR, .symbol = symbol, .offset = numbers.first, .distances = numbers.distances};
        write_part(ex, slot, mask, keep, symbol, gp_slot_offsets(ex, &whole, ex->scratch.offsets[4]));
    } else if (symbol == GP_SYMBOL_UNKNOWN || numbers.distances == NULL) {
        set_unknown(slot, mask);
    } else {
        set_all(slot, SHAPE_VECTOR, (struct gp_value){symbol, numbers.first}, mask);
        slot->distances = numbers.distances;
    }
}

void gp_slot_set_vector(struct gp_executor *ex, struct slot *slot, gp_mask mask, uint32_t symbol,
                        const uint64_t *offsets)
{
    gp_mask keep = lanes_to_keep(ex, slot, mask);
    if (keep)
        write_part(ex, slot, mask, keep, symbol, offsets);
    else
        gp_slot_set_numbers(ex, slot, mask, symbol,
                            (struct numbers){offsets[0], gp_distances_of(&ex->distances, offsets)});
}

void gp_slot_set_mixed(struct gp_executor *ex, struct slot *slot, gp_mask mask, const uint32_t *symbols,
                       const uint64_t *offsets)
{
    gp_mask keep = lanes_to_keep(ex, slot, mask);
    uint32_t first = mask ? symbols[__builtin_ctzll(mask)] : GP_SYMBOL_KNOWN;
    bool same = true;
    for (gp_mask rest = mask; rest && same; rest &= rest - 1)
        same = symbols[__builtin_ctzll(rest)] == first;
    if (same) {
        gp_slot_set_vector(ex, slot, mask, first, offsets);
        return;
    }
    make_room(slot);
    if (!keep) {
        memcpy(slot->offsets, offsets, ex->lanes * sizeof *offsets);
        memcpy(slot->symbols, symbols, ex->lanes * sizeof *symbols);
        slot->symbol = GP_SYMBOL_KNOWN;
        slot->shape = SHAPE_MIXED;
    } else {
        make_mixed(ex, slot);
        for (gp_mask rest = mask; rest; rest &= rest - 1) {
            unsigned lane = (unsigned)__builtin_ctzll(rest);
            slot->symbols[lane] = symbols[lane];
            slot->offsets[lane] = offsets[lane];
        }
    }
    slot->owner = keep | mask;
}

void gp_slot_copy(struct gp_executor *ex, struct slot *to, gp_mask mask, const struct slot *from)
{
    if (from == to)
        return;
    if (from->shape == SHAPE_UNIFORM)
        gp_slot_set_uniform(ex, to, mask, (struct gp_value){from->symbol, from->offset});
    else if (from->shape == SHAPE_VECTOR)
        gp_slot_set_numbers(ex, to, mask, from->symbol, (struct numbers){from->offset, from->distances});
    else
        gp_slot_set_mixed(ex, to, mask, from->symbols, from->offsets);
}

void gp_slot_set_unknown(struct gp_executor *ex, struct slot *slot, gp_mask mask, bool uniform)
{
    uint32_t symbol = uniform || gp_is_single(mask) ? gp_fresh_symbol(ex) : GP_SYMBOL_UNKNOWN;
    gp_slot_set_uniform(ex, slot, mask, (struct gp_value){symbol, 0});
}

void gp_sweep_distances(struct gp_executor *ex)
{
    for (uint32_t i = 0; i < ex->slot_count; i++)
        if (ex->slots[i].shape == SHAPE_VECTOR)
            gp_distances_hold(&ex->distances, ex->slots[i].distances);
    for (uint32_t dim = 0; dim < 2; dim++)
        if (ex->own_place[dim] != NULL)
            gp_distances_hold(&ex->distances, ex->own_place[dim]);
    gp_distances_sweep(&ex->distances);
    memset(ex->memo.entries, 0, ex->memo.count * sizeof *ex->memo.entries);
}
