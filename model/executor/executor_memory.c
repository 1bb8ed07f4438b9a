/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Loads, stores and atomics: the access that is reported, and what is known of the value that is loaded. What stands at
 * one address is one symbol, the same wherever it is loaded from; what memory holds, nobody knows, unless the launch
 * states it (executor_contents.c).
 */
#include "model/executor/executor_internal.h"

/* ---- What is loaded ---------------------------------------------------------------------------------------------- */

/* What is loaded from one address: the same wherever that address is loaded from, but for memory that groups or lanes
 * have of their own. */
static uint32_t loaded_from(struct gp_executor *ex, const struct op *op, struct gp_value address)
{
    const struct gp_memory *memory = &ex->kernel->memory[op->memory];
    bool shared = memory->space == GP_SPACE_GLOBAL || memory->space == GP_SPACE_CONSTANT;
    if (!shared || address.symbol == GP_SYMBOL_UNKNOWN)
        return gp_fresh_symbol(ex);
    return gp_symbols_fresh(&ex->symbols, gp_symbols_loaded_name(&ex->symbols, address, op->operation.bits));
}

/* Lanes that share addresses (a row of a matrix for each eighth of the warp, say) load a symbol per address; so do
 * lanes at few. */
static bool load_shared_symbols(struct gp_executor *ex, const struct op *op, gp_mask mask)
{
    enum { FEW = 4 };
    const struct slot *address = &ex->slots[op->in[0]];
    unsigned most = gp_most_shared(mask);
    uint8_t first[GP_MAX_LANES];
    if (!gp_slots_find_alike(&address, 1, mask, most < FEW ? FEW : most, first))
        return false;
    for (gp_mask rest = mask; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(rest);
        ex->scratch.symbols[3][lane] = first[lane] == lane ? loaded_from(ex, op, gp_slot_lane(address, lane))
                                                           : ex->scratch.symbols[3][first[lane]];
        ex->scratch.offsets[3][lane] = 0;
    }
    gp_slot_set_mixed(ex, &ex->slots[op->dest], mask, ex->scratch.symbols[3], ex->scratch.offsets[3]);
    return true;
}

static bool is_private(const struct gp_memory *memory)
{
    return memory->space == GP_SPACE_PRIVATE || gp_ref_kind(memory->base) == GP_REF_PRIVATE;
}

/* A counter's old values: lane after lane, from a place on that nobody knows, and another one each time. */
static void set_counted(struct gp_executor *ex, const struct op *op, gp_mask mask)
{
    uint32_t symbol = gp_fresh_symbol(ex);
    uint64_t offset = 0;
    for (gp_mask rest = mask; rest; rest &= rest - 1, offset += op->step) {
        unsigned lane = (unsigned)__builtin_ctzll(rest);
        ex->scratch.symbols[3][lane] = symbol;
        ex->scratch.offsets[3][lane] = offset;
    }
    gp_slot_set_mixed(ex, &ex->slots[op->dest], mask, ex->scratch.symbols[3], ex->scratch.offsets[3]);
}

static void set_to_one(struct gp_executor *ex, const struct op *op, gp_mask mask)
{
    uint64_t one = op->operation.bits == 64 ? 0x3ff0000000000000u : 0x3f800000u;
    gp_slot_set_uniform(ex, &ex->slots[op->dest], mask, (struct gp_value){GP_SYMBOL_KNOWN, one});
}

static void set_loaded(struct gp_executor *ex, const struct op *op, gp_mask mask, bool one_address)
{
    /* An atomic gives each lane another old value; a private array is another one in each lane. */
    bool own = op->operation.op == GP_OP_ATOMIC || is_private(&ex->kernel->memory[op->memory]);
    bool proved = op->flags & GP_INST_UNIFORM;
    if (op->taken_as_one) {
        set_to_one(ex, op, mask);
        return;
    }
    if (!own && (proved || one_address || gp_is_single(mask))) {
        struct gp_value address = gp_slot_lane(&ex->slots[op->in[0]], (uint32_t)__builtin_ctzll(mask));
        gp_slot_set_uniform(ex, &ex->slots[op->dest], mask, (struct gp_value){loaded_from(ex, op, address), 0});
    } else if (own || !load_shared_symbols(ex, op, mask)) {
        gp_slot_set_unknown(ex, &ex->slots[op->dest], mask, proved);
    }
}

/* ---- A vector's other elements ----------------------------------------------------------------------------------- */

/* An element of a vector: one for each place that the first is from, the same wherever that is loaded from. */
static struct gp_value element_beside(struct gp_executor *ex, const struct op *op, struct gp_value first)
{
    bool placed = first.symbol != GP_SYMBOL_UNKNOWN && first.symbol != GP_SYMBOL_KNOWN;
    struct gp_value place = {first.symbol, op->inst};
    return (struct gp_value){
        placed ? gp_symbols_fresh(&ex->symbols, gp_symbols_loaded_name(&ex->symbols, place, op->operation.bits))
               : gp_fresh_symbol(ex),
        0};
}

void gp_set_element(struct gp_executor *ex, const struct op *op, gp_mask mask)
{
    const struct slot *first = &ex->slots[ex->more[op->more]];
    struct gp_value one, last = {GP_SYMBOL_UNKNOWN, 0}, beside = last;
    if (op->taken_as_one) {
        set_to_one(ex, op, mask);
        return;
    }
    if (gp_slot_uniform(first, mask, &one)) {
        gp_slot_set_uniform(ex, &ex->slots[op->dest], mask,
                            one.symbol == GP_SYMBOL_UNKNOWN ? one : element_beside(ex, op, one));
        return;
    }
    for (gp_mask rest = mask; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(rest);
        struct gp_value at = gp_slot_lane(first, lane);
        if (at.symbol == GP_SYMBOL_UNKNOWN || at.symbol == GP_SYMBOL_KNOWN)
            beside = (struct gp_value){GP_SYMBOL_UNKNOWN, 0};
        else if (at.symbol != last.symbol)
            beside = element_beside(ex, op, at);
        last = at;
        ex->scratch.symbols[3][lane] = beside.symbol;
        ex->scratch.offsets[3][lane] = 0;
    }
    gp_slot_set_mixed(ex, &ex->slots[op->dest], mask, ex->scratch.symbols[3], ex->scratch.offsets[3]);
}

/* ---- The access -------------------------------------------------------------------------------------------------- */

/* Of each address that lanes meet at, the first. Where nobody knows where a lane's is, it is alone there. Of what keeps
 * the largest all: hardly one changes anything. */
static gp_mask winners_of(struct gp_executor *ex, const struct op *op, const struct slot *address, gp_mask mask)
{
    struct gp_value values[GP_MAX_LANES], one;
    gp_mask winners = 0;
    uint32_t count = 0;
    if (ex->options->in_turn || (ex->kernel->memory[op->memory].flags & GP_MEMORY_KEEPS))
        return mask;
    if (gp_slot_uniform(address, mask, &one))
        return one.symbol == GP_SYMBOL_UNKNOWN ? mask : mask & -mask;
    for (gp_mask rest = mask; rest; rest &= rest - 1) {
        struct gp_value value = gp_slot_lane(address, (uint32_t)__builtin_ctzll(rest));
        uint32_t k = 0;
        while (k < count && (values[k].symbol != value.symbol || values[k].offset != value.offset))
            k++;
        if (k < count && value.symbol != GP_SYMBOL_UNKNOWN)
            continue;
        values[count++] = value;
        winners |= rest & -rest;
    }
    return winners;
}

/* Work-group memory at an address that nobody knows in some lane. */
static bool is_unknown_place(const struct gp_executor *ex, const struct op *op, const struct slot *address,
                             gp_mask mask)
{
    return ex->kernel->memory[op->memory].space == GP_SPACE_LOCAL && gp_slot_is_unknown_somewhere(address, mask);
}

void gp_execute_memory(struct gp_executor *ex, const struct op *op, gp_mask mask, double weight, enum gp_guess guessed)
{
    const struct slot *address = &ex->slots[op->in[0]];
    struct gp_value value;
    bool one_address = gp_slot_uniform(address, mask, &value) && value.symbol != GP_SYMBOL_UNKNOWN;
    gp_mask winners = op->retried != GP_NONE ? winners_of(ex, op, address, mask) : 0;
    if (ex->observer->access) {
        struct gp_access access = {
            .memory = op->memory, .active = mask, .weight = weight, .uniform = one_address, .succeeds = winners};
        struct slot found;
        bool by_column = is_unknown_place(ex, op, address, mask) && gp_find_columns(ex, op->in[0], mask, &found);
        access.drawn = !by_column && gp_find_near(ex, op, mask, &found);
        gp_report_access(ex, &access, by_column || access.drawn ? &found : address,
                         op->guessed_address ? GP_GUESS_TURNS : guessed);
    }
    if (op->retried != GP_NONE)
        ex->states[op->retried].winners = winners;
    if (op->has_result && op->step != 0 && one_address)
        set_counted(ex, op, mask);
    else if (op->has_result && !gp_load_contents(ex, op, mask))
        set_loaded(ex, op, mask, one_address);
}
