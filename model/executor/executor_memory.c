/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Memory operations: the access that is reported, and what is known of the value that is loaded. */
#include <string.h>

#include "model/executor/executor_internal.h"

/* ---- What observers are told ------------------------------------------------------------------------------------- */

/* What observers are told of an access: symbols by the names that outlive the execution of a warp, and how far lanes
 * are apart. */

/* Symbols' names, in an array of our own, which may be that of the symbols. Lanes side by side mostly have the same. */
const uint32_t *gp_names_of_symbols(struct gp_executor *ex, const uint32_t *symbols, uint32_t *names)
{
    uint32_t symbol = symbols[0], name = gp_symbols_name(&ex->symbols, symbol);
    for (uint32_t lane = 0; lane < ex->lanes; lane++) {
        if (symbols[lane] != symbol)
            name = gp_symbols_name(&ex->symbols, symbol = symbols[lane]);
        names[lane] = name;
    }
    return names;
}

/* The same name for all lanes; mostly it is that of the access before. */
static const uint32_t *one_symbol(struct gp_executor *ex, uint32_t symbol)
{
    if (ex->one_symbol[0] != symbol)
        for (uint32_t lane = 0; lane < GP_MAX_LANES; lane++)
            ex->one_symbol[lane] = symbol;
    return ex->one_symbol;
}

static const uint64_t *few_offsets(struct gp_executor *ex, const struct slot *slot, const struct gp_access *access)
{
    unsigned first = (unsigned)__builtin_ctzll(access->active);
    ex->scratch.offsets[4][first] = slot->offset + access->distances->lane[first];
    ex->scratch.offsets[4][0] = slot->offset;
    return ex->scratch.offsets[4];
}

void gp_report_access(struct gp_executor *ex, struct gp_access *access, const struct slot *slot, enum gp_guess guessed)
{
    access->one_symbol = slot->shape != SHAPE_MIXED;
    access->symbol = access->one_symbol ? one_symbol(ex, gp_symbols_name(&ex->symbols, slot->symbol))
                                        : gp_names_of_symbols(ex, slot->symbols, ex->scratch.symbols[4]);
    access->distances = slot->shape == SHAPE_MIXED    ? NULL
                        : slot->shape == SHAPE_VECTOR ? slot->distances
                                                      : ex->distances.none;
    access->offset = ex->observer->few_offsets && access->distances != NULL
                         ? few_offsets(ex, slot, access)
                         : gp_slot_offsets(ex, slot, ex->scratch.offsets[4]);
    access->guessed = guessed;
    ex->observer->access(ex->observer->context, access);
}

/* ---- Contents that the launch states ----------------------------------------------------------------------------- */

/*
 * Loads from buffers whose contents the launch states (struct gp_contents): what is loaded is what stands there, so
 * that pointer chases and tables that decide where a kernel goes are executed as they are.
 *
 * A store may change what stands there, and stores are not executed: a buffer that the kernel may write to, directly or
 * by a pointer that nobody knows, has no contents. Where a lane loads from beyond the contents, or from elsewhere,
 * nothing is known of the whole load.
 */

static bool may_write(const struct gp_kernel *kernel, uint32_t symbol)
{
    for (uint32_t m = 0; m < kernel->memory_count; m++) {
        const struct gp_memory *memory = &kernel->memory[m];
        bool writes = memory->flags & (GP_MEMORY_STORE | GP_MEMORY_ATOMIC);
        bool off_chip = memory->space == GP_SPACE_GLOBAL;
        uint32_t base = gp_symbol_of(kernel, memory->base);
        if (writes && off_chip && (base == symbol || base == GP_SYMBOL_UNKNOWN))
            return true;
    }
    return false;
}

/* The argument that an address lies in; NULL: none whose contents are stated. */
static const struct gp_contents *contents_at(const struct gp_executor *ex, struct gp_value address)
{
    uint32_t param = address.symbol - 1;
    bool is_param = address.symbol != GP_SYMBOL_UNKNOWN && address.symbol != GP_SYMBOL_KNOWN &&
                    param < ex->kernel->param_count && param < GP_MAX_ARGUMENTS;
    return is_param ? ex->launch->arguments[param].contents : NULL;
}

static bool load_lane(const struct gp_executor *ex, const struct op *op, struct gp_value address,
                      struct gp_value *loaded)
{
    const struct gp_contents *contents = contents_at(ex, address);
    uint32_t bytes = op->operation.bits / 8;
    uint64_t word = 0;
    if (contents == NULL || bytes == 0 || bytes > sizeof word || (contents->addresses && bytes != sizeof word) ||
        address.offset > contents->size || contents->size - address.offset < bytes)
        return false;
    memcpy(&word, (const char *)contents->bytes + address.offset, bytes);
    *loaded = (struct gp_value){contents->addresses ? address.symbol : GP_SYMBOL_KNOWN, word};
    return true;
}

/* A load from a buffer whose contents are stated: its result, where all lanes of the mask load what is. False: not so,
 * and nothing is set. */
static bool load_contents(struct gp_executor *ex, const struct op *op, gp_mask mask)
{
    const struct slot *address = &ex->slots[op->in[0]];
    if (op->operation.op != GP_OP_LOAD)
        return false;
    struct gp_value first = gp_slot_lane(address, (uint32_t)__builtin_ctzll(mask));
    if (contents_at(ex, first) == NULL || may_write(ex->kernel, first.symbol))
        return false;
    for (gp_mask rest = mask; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(rest);
        struct gp_value at = gp_slot_lane(address, lane), loaded;
        if (at.symbol != first.symbol || !load_lane(ex, op, at, &loaded))
            return false;
        ex->scratch.symbols[3][lane] = loaded.symbol;
        ex->scratch.offsets[3][lane] = loaded.offset;
    }
    gp_slot_set_mixed(ex, &ex->slots[op->dest], mask, ex->scratch.symbols[3], ex->scratch.offsets[3]);
    return true;
}

/* ---- Loads, stores and atomics ----------------------------------------------------------------------------------- */

/*
 * Loads, stores and atomics: the access that is reported, and what is known of the value that is loaded. What stands at
 * one address is one symbol, the same wherever it is loaded from; what memory holds, nobody knows, unless the launch
 * states it.
 */

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
    else if (op->has_result && !load_contents(ex, op, mask))
        set_loaded(ex, op, mask, one_address);
}

/* ---- Bulk copies ------------------------------------------------------------------------------------------------- */

/* Bulk copies, which a whole group makes between global and local memory. */

/* One operand of a bulk copy, the same for all lanes; `otherwise` and a guess where it is not known. */
static uint64_t bulk_number(const struct gp_executor *ex, const struct op *op, uint32_t which, gp_mask mask,
                            uint64_t otherwise, enum gp_guess *guessed)
{
    struct gp_value value;
    if (which < op->more_count && gp_slot_uniform(&ex->slots[ex->more[op->more + which]], mask, &value) &&
        value.symbol == GP_SYMBOL_KNOWN)
        return value.offset;
    *guessed = GP_GUESS_TURNS;
    return otherwise;
}

/* The lanes move element `element` and the following ones. */
static void report_bulk(struct gp_executor *ex, const struct op *op, gp_mask mask, uint64_t element, uint64_t step,
                        double weight, enum gp_guess guessed)
{
    const struct gp_memory *memory = &ex->kernel->memory[op->memory];
    const struct slot *side = &ex->slots[ex->more[op->more + (memory->flags & GP_MEMORY_STORE ? 0 : 1)]];
    struct slot *moved = &ex->slots[SLOT_PRODUCT];
    struct gp_value base;
    bool one_address = gp_slot_uniform(side, mask, &base) && base.symbol != GP_SYMBOL_UNKNOWN;
    for (uint32_t i = 0; i < ex->lanes; i++)
        ex->scratch.offsets[3][i] = base.offset + (element + i) * step;
    moved->owner = 0;
    gp_slot_set_vector(ex, moved, mask, one_address ? base.symbol : GP_SYMBOL_UNKNOWN, ex->scratch.offsets[3]);
    struct gp_access access = {
        .memory = op->memory, .active = mask, .weight = weight, .uniform = one_address && gp_is_single(mask)};
    gp_report_access(ex, &access, moved, guessed);
}

/*
 * async_work_group_copy: the group's work-items take elements in turn, neighbours neighbouring ones, round by round.
 * Reported is the side in global memory. Unless execution is exhaustive, the first round stands for all but the last.
 */
void gp_execute_bulk(struct gp_executor *ex, const struct op *op, gp_mask mask, double weight, enum gp_guess guessed)
{
    enum { MAX_ROUNDS = 4096 };
    const struct gp_memory *memory = &ex->kernel->memory[op->memory];
    uint64_t elements = bulk_number(ex, op, 2, mask, ex->at.items, &guessed), first = (uint64_t)ex->at.warp * ex->width;
    uint64_t stride = op->more_count > 3 ? bulk_number(ex, op, 3, mask, 1, &guessed) : 1;
    uint64_t step = (uint64_t)memory->element_bytes * memory->vector * stride;
    if (op->more_count < 3 || !ex->observer->access || elements <= first)
        return;
    uint64_t rounds = (elements - first - 1) / ex->at.items + 1, last = (rounds - 1) * ex->at.items + first;
    bool each = rounds <= 2 || (ex->options->exhaustive && rounds <= MAX_ROUNDS);
    for (uint64_t round = 0; round + 1 < rounds && (each || round == 0); round++)
        report_bulk(ex, op, mask, round * ex->at.items + first, step, each ? weight : weight * (double)(rounds - 1),
                    guessed);
    for (gp_mask rest = mask; rest; rest &= rest - 1)
        if (last + (uint64_t)__builtin_ctzll(rest) >= elements)
            mask &= ~(rest & -rest);
    if (mask)
        report_bulk(ex, op, mask, last, step, weight, guessed);
}
