/*
 * Control flow of one warp. Phis of a block where paths meet (executor_paths.c) take each lane's value from the edge by which it came.
 *
 * A branch whose condition is not known sends its lanes both ways, so that a lane may come by two edges; one that could
 * leave a loop stays until the loop's trip count, or the assumed one, is reached.
 */
#include "model/executor/executor.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/executor/executor_internal.h"

static bool is_single(gp_mask mask) { return mask && !(mask & (mask - 1)); }

/* ---- Making and freeing ---------------------------------------------------------------------------------------- */

static bool make_state(struct gp_executor *ex)
{
    const struct gp_kernel *kernel = ex->kernel;
    uint32_t largest = 1;
    for (uint32_t b = 0; b < kernel->block_count; b++)
        largest = ex->blocks[b].out_count > largest ? ex->blocks[b].out_count : largest;
    ex->arrivals = calloc((size_t)ex->edge_count + 1, sizeof *ex->arrivals);
    ex->merge_varies = calloc((size_t)kernel->block_count + 1, sizeof *ex->merge_varies);
    ex->states = calloc((size_t)kernel->loop_count + 1, sizeof *ex->states);
    ex->fork_iteration = calloc((size_t)kernel->block_count + 1, sizeof *ex->fork_iteration);
    ex->fork_count = calloc((size_t)kernel->block_count + 1, sizeof *ex->fork_count);
    ex->paths = calloc((size_t)kernel->block_count + 1, sizeof *ex->paths);
    ex->forks = malloc(MAX_FORKS * sizeof *ex->forks);
    ex->case_masks = calloc(largest, sizeof *ex->case_masks);
    ex->remembered_count = FEW_REMEMBERED;
    ex->remembered = calloc(ex->remembered_count, sizeof *ex->remembered);
    if (!ex->remembered || !ex->arrivals || !ex->merge_varies || !ex->states || !ex->fork_iteration || !ex->fork_count || !ex->paths ||
        !ex->forks || !ex->case_masks)
        return false;
    for (uint32_t i = 0; i < kernel->loop_count; i++)
        if (ex->loops[i].can_jump && !(ex->states[i].plan = malloc(sizeof *ex->states[i].plan)))
            return false;
    return true;
}

struct gp_executor *gp_executor_new(const struct gp_kernel *kernel)
{
    struct gp_executor *ex = calloc(1, sizeof *ex);
    if (!ex)
        return NULL;
    ex->kernel = kernel;
    if (!gp_executor_decode(ex) || !make_state(ex)) {
        gp_executor_free(ex);
        return NULL;
    }
    gp_symbols_init(&ex->symbols, ex->symbol_count, ex->alignment);
    return ex;
}

void gp_executor_free(struct gp_executor *ex)
{
    if (!ex)
        return;
    for (uint32_t i = 0; ex->states && i < ex->kernel->loop_count; i++)
        free(ex->states[i].plan);
    for (uint32_t i = 0; i < ex->slot_count; i++)
        free(ex->slots[i].offsets);
    void *owned[] = {ex->blocks, ex->ops, ex->phis, ex->edges, ex->out, ex->cases, ex->more, ex->loops, ex->inductions, ex->expression_ops, ex->varying, ex->slots,
                     ex->alignment, ex->float_value, ex->arrivals, ex->merge_varies, ex->states, ex->fork_iteration, ex->fork_count, ex->paths,
                     ex->forks, ex->case_masks, ex->remembered};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
        free(owned[i]);
    gp_symbols_free(&ex->symbols);
    gp_distances_free(&ex->distances);
    free(ex);
}

/* ---- Work-item ids --------------------------------------------------------------------------------------------- */

static void set_id_slot(struct gp_executor *ex, const struct op *op, gp_mask mask, uint64_t base, const uint64_t *lanes)
{
    struct slot *dest = &ex->slots[op->dest];
    uint64_t bits = gp_bits_mask(op->operation.bits), first = lanes[__builtin_ctzll(mask)];
    bool same = true;
    for (gp_mask rest = mask; rest && same; rest &= rest - 1)
        same = lanes[__builtin_ctzll(rest)] == first;
    if (same) {
        gp_slot_set_uniform(ex, dest, mask, (struct gp_value){GP_SYMBOL_KNOWN, (base + first) & bits});
        return;
    }
    for (uint32_t i = 0; i < ex->lanes; i++)
        ex->scratch_offsets[3][i] = (base + lanes[i]) & bits;
    gp_slot_set_vector(ex, dest, mask, GP_SYMBOL_KNOWN, ex->scratch_offsets[3]);
}

static void execute_id(struct gp_executor *ex, const struct op *op, gp_mask mask)
{
    static const uint64_t no_lanes[GP_MAX_LANES];
    uint64_t lane_numbers[GP_MAX_LANES];
    const struct gp_launch *launch = ex->launch;
    const uint64_t *lanes = no_lanes;
    unsigned id = op->operation.sub >> 2, dim = op->operation.sub & 3;
    bool in_range = dim < GP_MAX_DIMS;
    dim = in_range ? dim : 0;
    uint64_t base = 0;
    switch (id) {
    case GP_ID_LOCAL: lanes = in_range ? ex->local_id[dim] : no_lanes; break;
    case GP_ID_GROUP: base = in_range ? ex->group[dim] : 0; break;
    case GP_ID_GLOBAL:
        base = in_range ? launch->offset[dim] + ex->group[dim] * launch->local[dim] : 0;
        lanes = in_range ? ex->local_id[dim] : no_lanes;
        break;
    case GP_ID_LOCAL_SIZE: base = in_range ? ex->local[dim] : 1; break;
    case GP_ID_GLOBAL_SIZE: base = in_range ? launch->global[dim] : 1; break;
    case GP_ID_GROUP_COUNT: base = in_range ? ex->groups[dim] : 1; break;
    case GP_ID_OFFSET: base = in_range ? launch->offset[dim] : 0; break;
    case GP_ID_WORK_DIM: base = launch->dims; break;
    case GP_ID_LANE:
        for (uint32_t i = 0; i < GP_MAX_LANES; i++)
            lane_numbers[i] = i;
        lanes = lane_numbers;
        break;
    case GP_ID_SUBGROUP: base = ex->warp; break;
    case GP_ID_SUBGROUP_SIZE: base = ex->width; break;
    case GP_ID_SUBGROUP_COUNT: base = (ex->items + ex->width - 1) / ex->width; break;
    default: break;
    }
    set_id_slot(ex, op, mask, base, lanes);
}

/* ---- Memory operations ----------------------------------------------------------------------------------------- */

static uint32_t fresh(struct gp_executor *ex) { return gp_symbols_fresh(&ex->symbols, gp_symbols_own_name(&ex->symbols)); }

static void set_unknown(struct gp_executor *ex, const struct op *op, gp_mask mask, bool uniform)
{
    uint32_t symbol = uniform || is_single(mask) ? fresh(ex) : GP_SYMBOL_UNKNOWN;
    gp_slot_set_uniform(ex, &ex->slots[op->dest], mask, (struct gp_value){symbol, 0});
}

/* What is loaded from one address: the same wherever that address is loaded from, but for memory that groups or lanes have of their own. */
static uint32_t loaded_from(struct gp_executor *ex, const struct op *op, struct gp_value address)
{
    const struct gp_memory *memory = &ex->kernel->memory[op->memory];
    bool shared = memory->space == GP_SPACE_GLOBAL || memory->space == GP_SPACE_CONSTANT;
    if (!shared || address.symbol == GP_SYMBOL_UNKNOWN)
        return fresh(ex);
    return gp_symbols_fresh(&ex->symbols, gp_symbols_loaded_name(&ex->symbols, address, op->operation.bits));
}

/* Lanes that share addresses (a row of a matrix for each eighth of the warp, say) load a symbol per address; so do lanes at few. */
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
        ex->scratch_symbols[3][lane] = first[lane] == lane ? loaded_from(ex, op, gp_slot_lane(address, lane)) : ex->scratch_symbols[3][first[lane]];
        ex->scratch_offsets[3][lane] = 0;
    }
    gp_slot_set_mixed(ex, &ex->slots[op->dest], mask, ex->scratch_symbols[3], ex->scratch_offsets[3]);
    return true;
}

static bool is_private(const struct gp_memory *memory)
{
    return memory->space == GP_SPACE_PRIVATE || gp_ref_kind(memory->base) == GP_REF_PRIVATE;
}

/* A counter's old values: lane after lane, from a place on that nobody knows, and another one each time. */
static void set_counted(struct gp_executor *ex, const struct op *op, gp_mask mask)
{
    uint32_t symbol = fresh(ex);
    uint64_t offset = 0;
    for (gp_mask rest = mask; rest; rest &= rest - 1, offset += op->step) {
        unsigned lane = (unsigned)__builtin_ctzll(rest);
        ex->scratch_symbols[3][lane] = symbol;
        ex->scratch_offsets[3][lane] = offset;
    }
    gp_slot_set_mixed(ex, &ex->slots[op->dest], mask, ex->scratch_symbols[3], ex->scratch_offsets[3]);
}

static void set_to_one(struct gp_executor *ex, const struct op *op, gp_mask mask)
{
    uint64_t one = op->operation.bits == 64 ? 0x3ff0000000000000u : 0x3f800000u;
    gp_slot_set_uniform(ex, &ex->slots[op->dest], mask, (struct gp_value){GP_SYMBOL_KNOWN, one});
}

/* An element of a vector: one for each place that the first is from, the same wherever that is loaded from. */
static struct gp_value element_beside(struct gp_executor *ex, const struct op *op, struct gp_value first)
{
    bool placed = first.symbol != GP_SYMBOL_UNKNOWN && first.symbol != GP_SYMBOL_KNOWN;
    struct gp_value place = {first.symbol, op->inst};
    return (struct gp_value){placed ? gp_symbols_fresh(&ex->symbols, gp_symbols_loaded_name(&ex->symbols, place, op->operation.bits)) : fresh(ex), 0};
}

static void set_element(struct gp_executor *ex, const struct op *op, gp_mask mask)
{
    const struct slot *first = &ex->slots[ex->more[op->more]];
    struct gp_value one, last = {GP_SYMBOL_UNKNOWN, 0}, beside = last;
    if (op->taken_as_one) {
        set_to_one(ex, op, mask);
        return;
    }
    if (gp_slot_uniform(first, mask, &one)) {
        gp_slot_set_uniform(ex, &ex->slots[op->dest], mask, one.symbol == GP_SYMBOL_UNKNOWN ? one : element_beside(ex, op, one));
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
        ex->scratch_symbols[3][lane] = beside.symbol;
        ex->scratch_offsets[3][lane] = 0;
    }
    gp_slot_set_mixed(ex, &ex->slots[op->dest], mask, ex->scratch_symbols[3], ex->scratch_offsets[3]);
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
    if (!own && (proved || one_address || is_single(mask))) {
        struct gp_value address = gp_slot_lane(&ex->slots[op->in[0]], (uint32_t)__builtin_ctzll(mask));
        gp_slot_set_uniform(ex, &ex->slots[op->dest], mask, (struct gp_value){loaded_from(ex, op, address), 0});
    } else if (own || !load_shared_symbols(ex, op, mask)) {
        set_unknown(ex, op, mask, proved);
    }
}

/* Symbols' names, in an array of our own, which may be that of the symbols. Lanes side by side mostly have the same. */
static const uint32_t *names_of(struct gp_executor *ex, const uint32_t *symbols, uint32_t *names)
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
    ex->scratch_offsets[4][first] = slot->offset + access->distances->lane[first];
    ex->scratch_offsets[4][0] = slot->offset;
    return ex->scratch_offsets[4];
}

static void report(struct gp_executor *ex, struct gp_access *access, const struct slot *slot, bool guessed)
{
    access->one_symbol = slot->shape != SHAPE_MIXED;
    access->symbol = access->one_symbol ? one_symbol(ex, gp_symbols_name(&ex->symbols, slot->symbol)) : names_of(ex, slot->symbols, ex->scratch_symbols[4]);
    access->distances = slot->shape == SHAPE_MIXED ? NULL : slot->shape == SHAPE_VECTOR ? slot->distances : ex->distances.none;
    access->offset = ex->observer->few_offsets && access->distances != NULL ? few_offsets(ex, slot, access) : gp_slot_offsets(ex, slot, ex->scratch_offsets[4]);
    access->guessed = guessed;
    ex->observer->access(ex->observer->context, access);
}

/* Of each address that lanes meet at, the first. Where nobody knows where a lane's is, it is alone there. */
static gp_mask winners_of(struct gp_executor *ex, const struct slot *address, gp_mask mask)
{
    struct gp_value values[GP_MAX_LANES], one;
    gp_mask winners = 0;
    uint32_t count = 0;
    if (ex->options->in_turn)
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

static void execute_memory(struct gp_executor *ex, const struct op *op, gp_mask mask, double weight, bool guessed)
{
    const struct slot *address = &ex->slots[op->in[0]];
    struct gp_value value;
    bool one_address = gp_slot_uniform(address, mask, &value) && value.symbol != GP_SYMBOL_UNKNOWN;
    if (ex->observer->access) {
        struct gp_access access = {.memory = op->memory, .active = mask, .weight = weight, .uniform = one_address};
        report(ex, &access, address, guessed || op->guessed_address);
    }
    if (op->retried != GP_NONE)
        ex->states[op->retried].winners = winners_of(ex, address, mask);
    if (op->has_result && op->step != 0 && one_address)
        set_counted(ex, op, mask);
    else if (op->has_result)
        set_loaded(ex, op, mask, one_address);
}

static bool is_float_operand(const struct gp_executor *ex, gp_ref ref, unsigned *bits)
{
    uint32_t index = gp_ref_index(ref);
    if (gp_ref_kind(ref) == GP_REF_INST) {
        *bits = ex->kernel->insts[index].bits;
        return ex->float_value[index];
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

/* The texels that the lanes' coordinates fall into, in two arrays of our own. True: those of all lanes are known, relative to nothing. */
static bool texels(struct gp_executor *ex, gp_ref ref, const struct slot *slot, gp_mask mask, uint32_t *symbols, uint64_t *offsets)
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
static gp_mask assume_own_place(const struct gp_executor *ex, uint32_t dim, gp_mask mask, uint32_t *symbols, uint64_t *offsets)
{
    gp_mask assumed = 0;
    for (gp_mask rest = mask; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(rest);
        if (symbols[lane] != GP_SYMBOL_UNKNOWN)
            continue;
        symbols[lane] = GP_SYMBOL_KNOWN;
        offsets[lane] = dim < 2 ? ex->launch->offset[dim] + ex->group[dim] * ex->launch->local[dim] + ex->local_id[dim][lane] : 0;
        assumed |= rest & -rest;
    }
    return assumed;
}

/* Of the texels in an array of our own; lanes that are off lie where the first of the mask does. NULL: lanes have symbols of their own. */
static const struct gp_distances *distances_of_texels(struct gp_executor *ex, const struct slot *slot, gp_mask mask, gp_mask assumed, uint64_t *offsets)
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

static void execute_image(struct gp_executor *ex, const struct op *op, gp_mask mask, double weight, bool guessed)
{
    const gp_ref *refs = ex->kernel->operands + ex->kernel->insts[op->inst].operand;
    struct gp_access access = {.memory = op->memory, .active = mask, .weight = weight, .uniform = true};
    uint32_t count = op->more_count ? op->more_count - 1 : 0;
    struct gp_value value;
    access.coordinates = count > 3 ? 3 : count;
    for (uint32_t i = 0; i < access.coordinates; i++) {
        const struct slot *slot = &ex->slots[ex->more[op->more + 1 + i]];
        access.uniform = gp_slot_uniform(slot, mask, &value) && value.symbol != GP_SYMBOL_UNKNOWN && access.uniform;
        bool known = texels(ex, refs[1 + i], slot, mask, ex->scratch_symbols[i], ex->scratch_offsets[i]);
        gp_mask assumed = known ? 0 : assume_own_place(ex, i, mask, ex->scratch_symbols[i], ex->scratch_offsets[i]);
        access.assumed |= assumed;
        access.coordinate_distances[i] = distances_of_texels(ex, slot, mask, assumed, ex->scratch_offsets[i]);
        access.coordinate_symbol[i] = known ? ex->scratch_symbols[i] : names_of(ex, ex->scratch_symbols[i], ex->scratch_symbols[i]);
        access.coordinate[i] = ex->scratch_offsets[i];
    }
    if (ex->observer->access)
        report(ex, &access, &ex->slots[op->more_count ? ex->more[op->more] : SLOT_UNKNOWN], guessed);
    if (op->has_result)
        set_unknown(ex, op, mask, (op->flags & GP_INST_UNIFORM) || access.uniform);
}

/* One operand of a bulk copy, the same for all lanes; `otherwise` and a guess where it is not known. */
static uint64_t bulk_number(const struct gp_executor *ex, const struct op *op, uint32_t which, gp_mask mask,
                            uint64_t otherwise, bool *guessed)
{
    struct gp_value value;
    if (which < op->more_count && gp_slot_uniform(&ex->slots[ex->more[op->more + which]], mask, &value) &&
        value.symbol == GP_SYMBOL_KNOWN)
        return value.offset;
    *guessed = true;
    return otherwise;
}

/* The lanes move element `element` and the following ones. */
static void report_bulk(struct gp_executor *ex, const struct op *op, gp_mask mask, uint64_t element, uint64_t step,
                        double weight, bool guessed)
{
    const struct gp_memory *memory = &ex->kernel->memory[op->memory];
    const struct slot *side = &ex->slots[ex->more[op->more + (memory->flags & GP_MEMORY_STORE ? 0 : 1)]];
    struct slot *moved = &ex->slots[SLOT_PRODUCT];
    struct gp_value base;
    bool one_address = gp_slot_uniform(side, mask, &base) && base.symbol != GP_SYMBOL_UNKNOWN;
    for (uint32_t i = 0; i < ex->lanes; i++)
        ex->scratch_offsets[3][i] = base.offset + (element + i) * step;
    moved->owner = 0;
    gp_slot_set_vector(ex, moved, mask, one_address ? base.symbol : GP_SYMBOL_UNKNOWN, ex->scratch_offsets[3]);
    struct gp_access access = {
        .memory = op->memory, .active = mask, .weight = weight, .uniform = one_address && is_single(mask)};
    report(ex, &access, moved, guessed);
}

/*
 * async_work_group_copy: the group's work-items take elements in turn, neighbours neighbouring ones, round by round.
 * Reported is the side in global memory. Unless execution is exhaustive, the first round stands for all but the last.
 */
static void execute_bulk(struct gp_executor *ex, const struct op *op, gp_mask mask, double weight, bool guessed)
{
    enum { MAX_ROUNDS = 4096 };
    const struct gp_memory *memory = &ex->kernel->memory[op->memory];
    uint64_t elements = bulk_number(ex, op, 2, mask, ex->items, &guessed), first = (uint64_t)ex->warp * ex->width;
    uint64_t stride = op->more_count > 3 ? bulk_number(ex, op, 3, mask, 1, &guessed) : 1;
    uint64_t step = (uint64_t)memory->element_bytes * memory->vector * stride;
    if (op->more_count < 3 || !ex->observer->access || elements <= first)
        return;
    uint64_t rounds = (elements - first - 1) / ex->items + 1, last = (rounds - 1) * ex->items + first;
    bool each = rounds <= 2 || (ex->options->exhaustive && rounds <= MAX_ROUNDS);
    for (uint64_t round = 0; round + 1 < rounds && (each || round == 0); round++)
        report_bulk(ex, op, mask, round * ex->items + first, step, each ? weight : weight * (double)(rounds - 1), guessed);
    for (gp_mask rest = mask; rest; rest &= rest - 1)
        if (last + (uint64_t)__builtin_ctzll(rest) >= elements)
            mask &= ~(rest & -rest);
    if (mask)
        report_bulk(ex, op, mask, last, step, weight, guessed);
}

static void execute_opaque(struct gp_executor *ex, const struct op *op, gp_mask mask)
{
    bool uniform = op->more_count > 0;
    struct gp_value value;
    for (uint32_t i = 0; i < op->more_count && uniform; i++)
        uniform = gp_slot_uniform(&ex->slots[ex->more[op->more + i]], mask, &value);
    set_unknown(ex, op, mask, uniform || (op->flags & GP_INST_UNIFORM));
}

static void execute_op(struct gp_executor *ex, const struct op *op, gp_mask mask, double weight, bool guessed)
{
    switch (op->kind) {
    case KIND_PURE: gp_execute_pure(ex, op, mask); break;
    case KIND_ID: execute_id(ex, op, mask); break;
    case KIND_MEMORY: execute_memory(ex, op, mask, weight, guessed); break;
    case KIND_IMAGE: execute_image(ex, op, mask, weight, guessed); break;
    case KIND_BULK:
        execute_bulk(ex, op, mask, weight, guessed);
        if (op->has_result)
            set_unknown(ex, op, mask, true); /* the event */
        break;
    case KIND_BARRIER:
        if (ex->observer->barrier)
            ex->observer->barrier(ex->observer->context, op->inst, mask, weight);
        break;
    default:
        if (op->has_result && op->other_element)
            set_element(ex, op, mask);
        else if (op->has_result)
            execute_opaque(ex, op, mask);
        break;
    }
}

/* ---- Phis ------------------------------------------------------------------------------------------------------ */

static bool are_equal(struct gp_value a, struct gp_value b) { return a.symbol == b.symbol && a.offset == b.offset; }

/* The lanes came by two edges, since a branch on an unknown condition was taken both ways: one of two values. */
static void merge_lanes(struct gp_executor *ex, struct slot *to, gp_mask mask, const struct slot *from, unsigned bits)
{
    struct gp_value condition = {GP_SYMBOL_UNKNOWN, 0};
    if (!ex->merge_varies_now) {
        ex->merge_atom = ex->merge_atom ? ex->merge_atom : fresh(ex);
        condition.symbol = ex->merge_atom;
    }
    bool alike = to->shape == SHAPE_UNIFORM && from->shape == SHAPE_UNIFORM, same = true;
    unsigned lane = (unsigned)__builtin_ctzll(mask);
    struct gp_value one = gp_slot_lane(to, lane), other = gp_slot_lane(from, lane);
    struct gp_value first = gp_value_either(&ex->symbols, condition, one, other, bits), value = first;
    for (gp_mask rest = alike ? 0 : mask; rest; rest &= rest - 1) {
        lane = (unsigned)__builtin_ctzll(rest);
        struct gp_value a = gp_slot_lane(to, lane), b = gp_slot_lane(from, lane);
        if (!are_equal(a, one) || !are_equal(b, other)) /* else as for the lane before */
            value = gp_value_either(&ex->symbols, condition, one = a, other = b, bits);
        ex->scratch_symbols[3][lane] = value.symbol;
        ex->scratch_offsets[3][lane] = value.offset;
        same = same && are_equal(value, first);
    }
    if (same)
        gp_slot_set_uniform(ex, to, mask, first);
    else
        gp_slot_set_mixed(ex, to, mask, ex->scratch_symbols[3], ex->scratch_offsets[3]);
}

static void phi_joined(struct gp_executor *ex, const struct block *block, const struct phi *phi, struct slot *to,
                       gp_mask mask)
{
    gp_mask seen = 0;
    to->owner &= ~mask;
    for (uint32_t k = 0; k < block->in_count; k++) {
        gp_mask came = ex->arrivals[block->first_in + k] & mask;
        const struct slot *from = &ex->slots[ex->more[phi->sources + k]];
        if (came & ~seen)
            gp_slot_copy(ex, to, came & ~seen, from);
        if (came & seen)
            merge_lanes(ex, to, came & seen, from, phi->bits);
        seen |= came;
    }
}

static void execute_phis(struct gp_executor *ex, const struct block *block, const struct path *path)
{
    for (uint32_t i = 0; i < block->phi_count; i++) {
        const struct phi *phi = &ex->phis[block->first_phi + i];
        struct slot *to = &ex->slots[phi->staged != GP_NONE ? phi->staged : phi->dest];
        if (phi->staged != GP_NONE)
            to->owner = 0;
        if (path->joined)
            phi_joined(ex, block, phi, to, path->mask);
        else if (path->edge != GP_NONE)
            gp_slot_copy(ex, to, path->mask, &ex->slots[ex->more[phi->sources + path->edge - block->first_in]]);
    }
    for (uint32_t i = 0; block->staged && i < block->phi_count; i++) {
        const struct phi *phi = &ex->phis[block->first_phi + i];
        if (phi->staged != GP_NONE)
            gp_slot_copy(ex, &ex->slots[phi->dest], path->mask, &ex->slots[phi->staged]);
    }
}

/* ---- Loops ----------------------------------------------------------------------------------------------------- */

/*
 * Of the iterations that are assumed, what this loop does, in iterations of its own: of an unrolled loop's parts each takes as many as it can of what those before it left over; a lone one a fraction, too.
 */
static double assumed_share(const struct gp_executor *ex, const struct loop *loop)
{
    double rest = ex->launch->assumed_trip_count ? ex->launch->assumed_trip_count : GP_DEFAULT_TRIP_COUNT;
    for (uint32_t i = 0; i < loop->larger_count; i++)
        rest = fmod(rest, loop->larger[i]);
    rest /= loop->body;
    return loop->smaller ? floor(rest) : rest;
}

/* Whole iterations, at least one, and how much of them each stands for: a part that has nothing to do is as rare as what is marked unlikely. */
static uint64_t assumed_trips(const struct gp_executor *ex, const struct loop *loop) { return (uint64_t)fmax(1, ceil(assumed_share(ex, loop))); }

static double assumed_weight(const struct gp_executor *ex, const struct loop *loop)
{
    return fmax(RARELY, assumed_share(ex, loop) / (double)assumed_trips(ex, loop));
}

static void execute_expressions(struct gp_executor *ex, const struct loop *loop, gp_mask mask)
{
    for (uint32_t i = 0; i < loop->expression_count; i++) {
        const struct op *op = &ex->expression_ops[loop->expressions + i];
        if (!op->has_result)
            continue;
        if (op->kind == KIND_PURE)
            gp_execute_pure(ex, op, mask);
        else if (op->kind == KIND_ID)
            execute_id(ex, op, mask);
        else
            set_unknown(ex, op, mask, false);
    }
}

/* The lanes' trip counts: where not known, the assumed one, in which case *known is false. 0: no lane's can be told. */
static uint32_t trip_counts(const struct gp_executor *ex, const struct loop *loop, gp_mask mask, uint64_t *counts, bool *known)
{
    uint32_t count = 0;
    *known = true;
    if (loop->trip_count == GP_NONE)
        return 0;
    const struct slot *slot = &ex->slots[loop->trip_count];
    if (slot->shape == SHAPE_UNIFORM)
        mask &= -mask;
    for (gp_mask rest = mask; rest; rest &= rest - 1) {
        struct gp_value value = gp_slot_lane(slot, (uint32_t)__builtin_ctzll(rest));
        uint64_t trips = value.offset & gp_bits_mask(loop->trip_bits);
        if (value.symbol != GP_SYMBOL_KNOWN) {
            *known = false;
            trips = assumed_trips(ex, loop);
        }
        if (trips == 0)
            return 0;
        counts[count++] = trips;
    }
    return count;
}

static uint64_t largest_of(const uint64_t *counts, uint32_t count)
{
    uint64_t largest = 0;
    for (uint32_t i = 0; i < count; i++)
        largest = counts[i] > largest ? counts[i] : largest;
    return largest;
}

/* Of how many parts of a loop's iterations one is executed. Fine: of as many as make it half of the iterations, or many. */
static unsigned strata_of(const struct gp_executor *ex, const struct loop *loop, uint64_t trips)
{
    const struct gp_exec_options *options = ex->options;
    if (options->coarse || loop->varied || !options->fine)
        return options->coarse ? 1 : loop->varied ? MANY_SAMPLES : FEW_SAMPLES;
    uint64_t half = trips / 2 > 4 ? trips / 2 - 4 : 0; /* beside the first and last two */
    return half < FEW_SAMPLES ? FEW_SAMPLES : half < MANY_SAMPLES ? (unsigned)half : MANY_SAMPLES;
}

static void start_loop(struct gp_executor *ex, uint32_t index, gp_mask mask)
{
    const struct loop *loop = &ex->loops[index];
    struct loop_state *state = &ex->states[index];
    uint64_t counts[GP_MAX_LANES];
    state->position = 0;
    state->next = 0;
    state->planned = state->checked = state->guessed = state->guess_varies = state->known_exit = false;
    state->passed_count = 0;
    state->winners = 0;
    state->outer_factor = (loop->parent == GP_NONE ? 1.0 : ex->states[loop->parent].factor) * (loop->assumed ? assumed_weight(ex, loop) : 1);
    state->factor = state->outer_factor;
    execute_expressions(ex, loop, mask);
    bool known;
    uint32_t count = trip_counts(ex, loop, mask, counts, &known);
    state->trip_count = known ? largest_of(counts, count) : 0;
    if (ex->options->exhaustive || !loop->can_jump)
        return;
    if (count == 0 && loop->assumed) {
        counts[0] = assumed_trips(ex, loop);
        count = 1;
    }
    state->planned = count && gp_plan_loop(state->plan, counts, count, strata_of(ex, loop, counts[0]));
    for (uint32_t i = 0; state->planned && i < ex->blocks[loop->header].phi_count; i++) {
        const struct phi *phi = &ex->phis[ex->blocks[loop->header].first_phi + i];
        if (phi->induction == GP_NONE)
            continue;
        struct slot *start = &ex->slots[ex->inductions[phi->induction].start];
        start->owner = 0;
        gp_slot_copy(ex, start, mask, &ex->slots[phi->dest]);
    }
}

/* A phi that follows no induction may be skipped over only if nothing was known of it anyway, as of what was just
 * loaded. */
static bool may_jump(struct gp_executor *ex, const struct block *header, gp_mask mask)
{
    struct gp_value value;
    for (uint32_t i = 0; i < header->phi_count; i++) {
        const struct phi *phi = &ex->phis[header->first_phi + i];
        const struct slot *slot = &ex->slots[phi->dest];
        if (phi->induction != GP_NONE || phi->behind.induction != GP_NONE)
            continue;
        if (gp_slot_uniform(slot, mask, &value)) {
            bool loaded = value.offset == 0 && gp_symbol_is_fresh(&ex->symbols, value.symbol);
            if (!loaded && value.symbol != GP_SYMBOL_UNKNOWN)
                return false;
            continue;
        }
        for (gp_mask rest = mask; rest; rest &= rest - 1)
            if (gp_slot_lane(slot, (uint32_t)__builtin_ctzll(rest)).symbol != GP_SYMBOL_UNKNOWN)
                return false;
    }
    return true;
}

/* start + iteration * step */
static void set_induction(struct gp_executor *ex, const struct induction *induction, uint32_t dest, uint64_t iteration, gp_mask mask)
{
    struct op multiply = {.operation = {GP_OP_MUL, induction->bits, 0, 0}, .arity = 2, .dest = SLOT_PRODUCT,
                          .in = {induction->step, SLOT_NUMBER}};
    struct op add = {.operation = {GP_OP_ADD, induction->bits, 0, 0}, .arity = 2, .dest = dest,
                     .in = {induction->start, SLOT_PRODUCT}};
    ex->slots[SLOT_NUMBER].offset = iteration;
    ex->slots[SLOT_PRODUCT].owner = 0;
    gp_execute_pure(ex, &multiply, mask);
    gp_execute_pure(ex, &add, mask);
}

static void set_behind(struct gp_executor *ex, const struct phi *phi, uint64_t iteration, gp_mask mask)
{
    const struct induction *induction = &ex->inductions[phi->behind.induction];
    if (phi->behind.number == GP_NONE) {
        set_induction(ex, induction, phi->dest, iteration, mask);
        return;
    }
    struct op and_then = {.operation = {phi->behind.and_then, phi->bits, 0, 0}, .arity = 2, .dest = phi->dest, .in = {SLOT_BEHIND, phi->behind.number}};
    ex->slots[SLOT_BEHIND].owner = 0;
    set_induction(ex, induction, SLOT_BEHIND, iteration, mask);
    gp_execute_pure(ex, &and_then, mask);
}

static void jump_phis(struct gp_executor *ex, const struct block *header, uint64_t iteration, gp_mask mask)
{
    for (uint32_t i = 0; i < header->phi_count; i++) {
        const struct phi *phi = &ex->phis[header->first_phi + i];
        struct slot *slot = &ex->slots[phi->dest];
        struct gp_value value;
        if (phi->induction != GP_NONE)
            set_induction(ex, &ex->inductions[phi->induction], phi->dest, iteration, mask);
        else if (phi->behind.induction != GP_NONE) /* jumps lead forward */
            set_behind(ex, phi, iteration - 1, mask);
        else if (gp_slot_uniform(slot, mask, &value))
            gp_slot_set_uniform(ex, slot, mask, (struct gp_value){fresh(ex), 0});
        else
            gp_slot_set_uniform(ex, slot, mask, (struct gp_value){GP_SYMBOL_UNKNOWN, 0});
    }
}

static void next_iteration(struct gp_executor *ex, uint32_t index, const struct block *header, gp_mask mask)
{
    struct loop_state *state = &ex->states[index];
    state->position++;
    state->factor = state->outer_factor;
    if (state->planned && !state->checked) {
        state->checked = true;
        state->planned = may_jump(ex, header, mask);
    }
    if (!state->planned || ++state->next >= state->plan->count)
        return;
    uint64_t position = state->plan->position[state->next];
    if (position > state->position) {
        if (ex->observer->skip)
            ex->observer->skip(ex->observer->context, index, position - state->position);
        jump_phis(ex, header, position, mask);
        state->position = position;
    }
    state->factor = fmin(state->outer_factor * state->plan->weight[state->next], 1e300);
}

/* The lanes came (all or in part) from inside the loop. */
static bool comes_back(const struct gp_executor *ex, const struct block *header, const struct path *path)
{
    if (!path->joined)
        return path->edge != GP_NONE && ex->edges[path->edge].back;
    bool back = false;
    for (uint32_t k = 0; k < header->in_count; k++)
        if (ex->arrivals[header->first_in + k] & path->mask) {
            if (!ex->edges[header->first_in + k].back)
                return false;
            back = true;
        }
    return back;
}

static bool is_guessed(const struct gp_executor *ex, const struct path *path, uint32_t loop)
{
    bool guessed = path->guessed;
    for (; loop != GP_NONE && !guessed; loop = ex->loops[loop].parent)
        guessed = ex->states[loop].guessed;
    return guessed;
}

/* ---- Branches -------------------------------------------------------------------------------------------------- */

/* Which way each lane goes: a mask per outgoing edge in ex->case_masks; the rest is not known. */
struct decision {
    gp_mask unknown;
    bool uniform;            /* what is not known is the same for all lanes */
};

static uint32_t pick(const struct gp_executor *ex, const struct block *block, uint64_t value)
{
    if (block->end == END_BRANCH)
        return value & 1 ? 0 : 1;
    uint64_t bits = gp_bits_mask(block->width ? block->width : 64);
    for (uint32_t i = 1; i < block->target_count; i++)
        if (((ex->cases[block->targets + i].value ^ value) & bits) == 0)
            return ex->cases[block->targets + i].out;
    return ex->cases[block->targets].out;
}

/* How far apart the lanes' values are, of one symbol; UINT64_MAX: nobody knows. */
static uint64_t spread_of(const struct slot *slot, gp_mask mask)
{
    struct gp_value value;
    uint64_t least = UINT64_MAX, most = 0;
    if (gp_slot_uniform(slot, mask, &value))
        return value.symbol == GP_SYMBOL_UNKNOWN ? UINT64_MAX : 0;
    if (slot->shape == SHAPE_MIXED || slot->symbol == GP_SYMBOL_UNKNOWN)
        return UINT64_MAX;
    for (gp_mask rest = mask; rest; rest &= rest - 1) {
        uint64_t offset = gp_slot_lane(slot, (uint32_t)__builtin_ctzll(rest)).offset + (UINT64_C(1) << 63);
        least = offset < least ? offset : least;
        most = offset > most ? offset : most;
    }
    return most - least;
}

/* Lanes that count from places less than a step apart to the same end go round equally often, or once more: `for (j = first + lane; j < end; j += 32)`. */
static bool count_alike(const struct gp_executor *ex, const struct block *block, gp_mask mask)
{
    if (block->from == GP_NONE || spread_of(&ex->slots[block->until], mask) != 0)
        return false;
    return spread_of(&ex->slots[block->from], mask) < (uint64_t)block->stride;
}

static struct decision decide_by_lane(struct gp_executor *ex, const struct block *block, gp_mask mask)
{
    const struct slot *slot = &ex->slots[block->condition];
    struct decision decision = {0, false};
    struct gp_value value;
    memset(ex->case_masks, 0, block->out_count * sizeof *ex->case_masks);
    if (gp_slot_uniform(slot, mask, &value)) {
        if (value.symbol == GP_SYMBOL_KNOWN)
            ex->case_masks[pick(ex, block, value.offset)] = mask;
        else
            decision = (struct decision){mask, true};
        return decision;
    }
    if (slot->shape == SHAPE_UNIFORM)
        return (struct decision){mask, false};
    for (gp_mask rest = mask; rest; rest &= rest - 1) {
        value = gp_slot_lane(slot, (uint32_t)__builtin_ctzll(rest));
        if (value.symbol == GP_SYMBOL_KNOWN)
            ex->case_masks[pick(ex, block, value.offset)] |= rest & -rest;
        else
            decision.unknown |= rest & -rest;
    }
    return decision;
}

/*
 * Whether lanes that do not know leave the loop here and now: at the loop's trip count, or at the assumed one. Where an
 * exit with a known condition finds the end, the others do not come first; of several exits that are not known, one
 * does. The others leave only when that has failed to.
 */
static bool may_leave(const struct gp_executor *ex, uint32_t block, const struct loop *loop,
                      const struct loop_state *state)
{
    uint64_t limit = state->trip_count ? state->trip_count : assumed_trips(ex, loop), done = state->position + 1;
    if (state->known_exit && !loop->assumed)
        return state->trip_count && done > limit;
    return block == loop->exit ? done >= limit : done > limit;
}

static struct decision decide(struct gp_executor *ex, const struct block *block, gp_mask mask)
{
    struct decision decision = decide_by_lane(ex, block, mask);
    decision.uniform = decision.uniform || (decision.unknown == mask && count_alike(ex, block, mask));
    return decision;
}

/* An exit that lanes may have taken. */
static void pass_over(struct loop_state *state, uint32_t edge)
{
    for (uint32_t i = 0; i < state->passed_count; i++)
        if (state->passed[i] == edge)
            return;
    if (state->passed_count < MOST_PASSED)
        state->passed[state->passed_count++] = edge;
}

/* Lanes whose exchange has succeeded leave; all do, where none was made. */
static void retry(struct gp_executor *ex, struct loop_state *state, uint32_t stay, uint32_t leave, gp_mask lanes)
{
    gp_mask winners = lanes & state->winners ? lanes & state->winners : lanes;
    ex->case_masks[leave] |= winners;
    ex->case_masks[stay] |= lanes & ~winners;
    state->winners = 0;
}

/*
 * A branch with ways out of its loop and ways to stay. Lanes that know where to go, go; the others stay until the
 * loop's trip count or the assumed one is reached, then leave. False: there is no such choice here.
 */
static bool decide_exit(struct gp_executor *ex, uint32_t number, const struct block *block, struct decision *decision)
{
    uint32_t stay = GP_NONE, leave = GP_NONE, fewest = 0;
    if (block->loop == GP_NONE)
        return false;
    for (uint32_t i = 0; i < block->out_count; i++) {
        uint32_t leaves = ex->edges[ex->out[block->first_out + i]].leaves;
        if (leaves == 0) {
            stay = stay == GP_NONE ? i : stay;
        } else if (leave == GP_NONE || leaves < fewest) {
            leave = i;
            fewest = leaves;
        }
    }
    if (stay == GP_NONE || leave == GP_NONE)
        return false;
    struct loop_state *state = &ex->states[block->loop];
    if (decision->unknown && ex->loops[block->loop].retries) {
        retry(ex, state, stay, leave, decision->unknown);
        decision->unknown = 0;
    }
    if (!decision->unknown) {
        state->known_exit = true;
        return true;
    }
    if (!state->guessed)
        ex->result->guessed_trips++;
    bool leaves = may_leave(ex, number, &ex->loops[block->loop], state);
    ex->case_masks[leaves ? leave : stay] |= decision->unknown;
    decision->unknown = 0;
    state->guessed = true;
    state->guess_varies |= !decision->uniform;
    for (uint32_t i = 0; i < block->out_count; i++)
        if (ex->edges[ex->out[block->first_out + i]].leaves > 0)
            pass_over(state, ex->out[block->first_out + i]);
    return true;
}

/* Cycles that are no loops (irreducible ones) could take both ways for ever: after the assumed number of turns, ways
 * alternate. */
static bool forks_too_often(struct gp_executor *ex, uint32_t number, const struct block *block)
{
    uint64_t iteration = block->loop == GP_NONE ? 1 : ex->states[block->loop].headers + 2;
    uint32_t limit = ex->launch->assumed_trip_count ? ex->launch->assumed_trip_count : GP_DEFAULT_TRIP_COUNT;
    if (ex->fork_iteration[number] != iteration) {
        ex->fork_iteration[number] = iteration;
        ex->fork_count[number] = 0;
    }
    if (ex->fork_count[number] < UINT32_MAX)
        ex->fork_count[number]++;
    return ex->fork_count[number] > limit;
}

static double way_weight(const struct block *block, uint32_t out)
{
    double least = 1.0 / 65535.0, probability;
    if (block->end == END_SWITCH)
        return 1.0 / block->out_count;
    probability = fmin(fmax(block->probability, least), 1.0 - least);
    return out == 0 ? probability : 1.0 - probability;
}

/*
 * Where each lane goes by itself: how often a warp takes a way at all, 1 - (1 - p)^lanes, if that is known of the branch; else each
 * warp takes both.
 */
static double warp_weight(const struct block *block, uint32_t out, gp_mask known, gp_mask unknown)
{
    if (known || block->end == END_SWITCH || block->probability == 0.5)
        return 1;
    return 1 - pow(1 - way_weight(block, out), __builtin_popcountll(unknown));
}

static void report_divergence(struct gp_executor *ex, const struct block *block, const gp_mask *masks, double weight)
{
    if (!ex->observer->diverge)
        return;
    for (uint32_t i = 0; i < block->out_count; i++) {
        gp_mask others = 0;
        for (uint32_t k = i + 1; k < block->out_count; k++)
            others |= masks[k];
        if (masks[i] && others)
            ex->observer->diverge(ex->observer->context, block->branch, masks[i], others, weight);
    }
}

/* Some of these parts of an unrolled loop do some of the iterations that are assumed of it. */
static bool have_iterations(const struct gp_executor *ex, const struct few_loops *parts)
{
    for (uint32_t i = 0; i < parts->count; i++)
        if (assumed_share(ex, &ex->loops[parts->loops[i]]) > 0)
            return true;
    return false;
}

/* Lanes that do not know whether an unrolled loop has iterations for some of its parts go where the assumed number of iterations leads. */
static void choose_parts(struct gp_executor *ex, const struct block *block, const struct decision *decision)
{
    uint32_t way = have_iterations(ex, &block->parts) ? block->to_parts : 1 - block->to_parts;
    ex->case_masks[way] |= decision->unknown;
}

/* How much of the path's weight goes a way on which there are lanes that do not know. */
static double guessed_weight(const struct gp_executor *ex, const struct block *block, uint32_t out, const struct decision *decision)
{
    if (block->parts.count > 0)
        return 1;
    return decision->uniform ? way_weight(block, out) : warp_weight(block, out, ex->case_masks[out] & ~decision->unknown, decision->unknown);
}

/* The path at the top splits into one per mask. `forked`: lanes that do not know may be in several. */
static void split(struct gp_executor *ex, const struct block *block, bool forked, const struct decision *decision)
{
    const gp_mask *masks = ex->case_masks;
    struct path parent = ex->paths[--ex->depth];
    uint32_t fork = forked ? gp_path_fork(ex, &parent, block->ipdom, decision->uniform) : parent.fork;
    for (uint32_t i = 0; i < block->out_count; i++) {
        if (!masks[i])
            continue;
        struct path side = parent;
        side.fork = fork;
        side.mask = masks[i];
        side.guessed = parent.guessed || forked;
        if (forked)
            side.weight *= guessed_weight(ex, block, i, decision);
        gp_path_add(ex, side, ex->out[block->first_out + i]);
    }
}

/* ---- Leaving a loop of which an exit was passed over by guess ---------------------------------------------------- */

/* Lanes that leave such loops, and the exits that they may have taken before. */
struct leaving {
    gp_mask lanes;
    bool varies;             /* in different iterations */
    bool counts_on;          /* all for another part of the loop, which does iterations that this one left over */
    uint32_t outermost;      /* of the loops that are left */
    uint32_t exits[MOST_PASSED], exit_count;
};

static uint32_t loops_around(const struct gp_executor *ex, uint32_t block)
{
    uint32_t count = 0;
    for (uint32_t loop = ex->blocks[block].loop; loop != GP_NONE; loop = ex->loops[loop].parent)
        count++;
    return count;
}

/* An exit that leaves more loops than the one that is taken now is passed over in the loop around as well. */
static void note_exits(struct gp_executor *ex, const struct loop_state *state, uint32_t taken, struct leaving *leaving)
{
    uint32_t to = ex->edges[taken].to, around = loops_around(ex, to);
    for (uint32_t i = 0; i < state->passed_count; i++) {
        uint32_t edge = state->passed[i], loops = loops_around(ex, ex->edges[edge].to);
        bool known = edge == taken || loops > around;
        for (uint32_t k = 0; k < leaving->exit_count && !known; k++)
            known = leaving->exits[k] == edge;
        if (loops < around) {
            struct loop_state *outer = &ex->states[ex->blocks[to].loop];
            outer->guessed = true;
            outer->guess_varies |= state->guess_varies;
            pass_over(outer, edge);
        } else if (!known && leaving->exit_count < MOST_PASSED) {
            leaving->exits[leaving->exit_count++] = edge;
        }
    }
}

static struct leaving find_leaving(struct gp_executor *ex, const struct block *block)
{
    struct leaving leaving = {.counts_on = true, .outermost = GP_NONE};
    for (uint32_t i = 0; block->loop != GP_NONE && i < block->out_count; i++) {
        uint32_t edge = ex->out[block->first_out + i], loop = block->loop;
        for (uint32_t n = ex->case_masks[i] ? ex->edges[edge].leaves : 0; n > 0; n--, loop = ex->loops[loop].parent) {
            const struct loop_state *state = &ex->states[loop];
            if (!state->guessed)
                continue;
            leaving.lanes |= ex->case_masks[i];
            leaving.counts_on &= ex->edges[edge].leaves == 1 && have_iterations(ex, &ex->loops[loop].parts_behind);
            leaving.varies |= state->guess_varies;
            leaving.outermost = leaving.outermost == GP_NONE || loop < leaving.outermost ? loop : leaving.outermost;
            note_exits(ex, state, edge, &leaving);
        }
    }
    return leaving;
}

/* After how many iterations lanes left nobody knows (but of a part of a loop: those that are assumed), so nor what changes with them: the same for all lanes, or each its own. */
static void forget_iteration(struct gp_executor *ex, uint32_t innermost, const struct leaving *leaving)
{
    struct gp_value value;
    for (uint32_t loop = innermost; loop != GP_NONE && loop >= leaving->outermost; loop = ex->loops[loop].parent)
        for (uint32_t i = 0; i < ex->loops[loop].varying_count; i++) {
            struct slot *slot = &ex->slots[ex->varying[ex->loops[loop].varying + i]];
            bool one_symbol = slot->shape != SHAPE_MIXED && slot->symbol != GP_SYMBOL_UNKNOWN;
            if (leaving->varies || !one_symbol)
                gp_slot_set_uniform(ex, slot, leaving->lanes, (struct gp_value){GP_SYMBOL_UNKNOWN, 0});
            else if (gp_slot_uniform(slot, leaving->lanes, &value))
                gp_slot_set_uniform(ex, slot, leaving->lanes, (struct gp_value){fresh(ex), 0});
            else
                gp_slot_set_vector(ex, slot, leaving->lanes, fresh(ex), gp_slot_offsets(ex, slot, ex->scratch_offsets[3]));
        }
}

/* The way that lanes take now, and those that they may have taken before: all of them, as at a fork. */
static void leave_by_all(struct gp_executor *ex, const struct block *block, const struct leaving *leaving)
{
    struct path parent = ex->paths[--ex->depth];
    uint32_t rejoin = block->ipdom;
    while (rejoin != GP_NONE && gp_executor_inside(ex, rejoin, leaving->outermost))
        rejoin = ex->blocks[rejoin].ipdom;
    uint32_t fork = gp_path_fork(ex, &parent, rejoin, !leaving->varies);
    struct path leaves = parent;
    leaves.fork = fork;
    leaves.guessed = true;
    leaves.weight *= leaving->varies ? 1 : 1.0 / (1 + leaving->exit_count);
    ex->result->guessed_branches++;
    for (uint32_t i = 0; i < block->out_count; i++) {
        uint32_t edge = ex->out[block->first_out + i];
        struct path side = ex->edges[edge].leaves > 0 ? leaves : parent;
        side.mask = ex->case_masks[i];
        if (side.mask)
            gp_path_add(ex, side, edge);
    }
    leaves.mask = leaving->lanes;
    for (uint32_t i = 0; i < leaving->exit_count; i++)
        gp_path_add(ex, leaves, leaving->exits[i]);
}

/* A branch of which one way is never taken. */
static bool is_certain(const struct block *block) { return block->end == END_BRANCH && (block->probability == 0 || block->probability == 1); }

/* Where the path at the top goes from here. */
static void branch(struct gp_executor *ex, uint32_t number, double weight)
{
    const struct block *block = &ex->blocks[number];
    struct path *path = &ex->paths[ex->depth - 1];
    struct decision decision = decide(ex, block, path->mask);
    bool forked = !decide_exit(ex, number, block, &decision) && decision.unknown;
    if (forked && is_certain(block)) {
        ex->case_masks[block->probability == 0] |= decision.unknown;
        forked = false;
    } else if (forked) {
        ex->result->guessed_branches++;
        if (block->parts.count > 0) {
            choose_parts(ex, block, &decision);
        } else if (forks_too_often(ex, number, block)) {
            ex->case_masks[ex->fork_count[number] % block->out_count] |= decision.unknown;
            path->guessed = true;
            forked = false;
        } else {
            for (uint32_t i = 0; i < block->out_count; i++)
                ex->case_masks[i] |= decision.unknown;
        }
    }
    struct leaving leaving = find_leaving(ex, block);
    if (leaving.lanes && (leaving.exit_count > 0 || !leaving.counts_on))
        forget_iteration(ex, block->loop, &leaving);
    if (leaving.exit_count > 0) {
        leave_by_all(ex, block, &leaving);
        return;
    }
    uint32_t ways = 0, last = 0;
    for (uint32_t i = 0; i < block->out_count; i++)
        if (ex->case_masks[i]) {
            ways++;
            last = i;
        }
    if (ways == 1 && !forked) {
        gp_path_go(ex, ex->out[block->first_out + last]);
        return;
    }
    if (ways > 1 && !(forked && decision.uniform))
        report_divergence(ex, block, ex->case_masks, weight);
    split(ex, block, forked, &decision);
}

/* ---- Execution ------------------------------------------------------------------------------------------------- */

static void pop_returned(struct gp_executor *ex)
{
    ex->depth--;
    ex->live = 0;
    for (uint32_t i = 0; i < ex->depth; i++)
        ex->live |= ex->paths[i].mask;
}

static void clear_arrivals(struct gp_executor *ex, const struct block *block, uint32_t number)
{
    memset(ex->arrivals + block->first_in, 0, block->in_count * sizeof *ex->arrivals);
    ex->merge_varies[number] = false;
}

static void clear_scratch(struct gp_executor *ex)
{
    memset(ex->scratch_offsets, 0, sizeof ex->scratch_offsets);
    memset(ex->scratch_symbols, 0, sizeof ex->scratch_symbols);
}

/* Scratch may hold symbols that nobody needs; it is cleared rather than moved along. */
static void compact_symbols(struct gp_executor *ex)
{
    uint32_t *used = gp_symbols_begin_compact(&ex->symbols);
    if (!used)
        return;
    for (uint32_t i = ex->first_dynamic; i < ex->slot_count; i++) {
        gp_symbols_mark(used, ex->slots[i].symbol);
        for (uint32_t lane = 0; ex->slots[i].shape == SHAPE_MIXED && lane < ex->lanes; lane++)
            gp_symbols_mark(used, ex->slots[i].symbols[lane]);
    }
    gp_symbols_finish_compact(&ex->symbols, used);
    for (uint32_t i = ex->first_dynamic; i < ex->slot_count; i++) {
        ex->slots[i].symbol = gp_symbols_moved(used, ex->slots[i].symbol);
        for (uint32_t lane = 0; ex->slots[i].shape == SHAPE_MIXED && lane < ex->lanes; lane++)
            ex->slots[i].symbols[lane] = gp_symbols_moved(used, ex->slots[i].symbols[lane]);
    }
    free(used);
    clear_scratch(ex);
}

/* Loop bookkeeping and phis. */
static void enter_block(struct gp_executor *ex, struct path *path)
{
    uint32_t number = path->block;
    const struct block *block = &ex->blocks[number];
    bool back = block->heads != GP_NONE && comes_back(ex, block, path);
    ex->merge_varies_now = ex->merge_varies[number];
    ex->merge_atom = 0;
    execute_phis(ex, block, path);
    if (path->joined) {
        clear_arrivals(ex, block, number);
        path->joined = false;
        path->edge = GP_NONE;
    }
    if (block->heads == GP_NONE)
        return;
    ex->states[block->heads].headers = ++ex->iterations;
    if (back)
        next_iteration(ex, block->heads, block, path->mask);
    else
        start_loop(ex, block->heads, path->mask);
}

/* Lanes that the loop may still need. Those that run are among them: a phi where they meet is written edge by edge. */
static gp_mask waiting_inside(const struct gp_executor *ex, uint32_t loop)
{
    gp_mask waiting = 0;
    for (uint32_t i = 0; loop != GP_NONE && i < ex->depth; i++)
        if (gp_executor_inside(ex, ex->paths[i].block, loop))
            waiting |= ex->paths[i].mask;
    return waiting;
}

static void visit(struct gp_executor *ex)
{
    struct path *path = &ex->paths[ex->depth - 1];
    uint32_t number = path->block;
    const struct block *block = &ex->blocks[number];
    const struct gp_observer *observer = ex->observer;
    if (gp_symbols_crowded(&ex->symbols))
        compact_symbols(ex);
    if (gp_distances_crowded(&ex->distances))
        gp_sweep_distances(ex);
    ex->waiting = waiting_inside(ex, block->loop);
    enter_block(ex, path);
    gp_mask mask = path->mask;
    double weight = path->weight * (block->loop == GP_NONE ? 1.0 : ex->states[block->loop].factor);
    bool guessed = is_guessed(ex, path, block->loop);
    ex->result->instructions += weight * block->instructions;
    ex->result->guessed_instructions += guessed ? weight * block->instructions : 0.0;
    if (observer->enter)
        observer->enter(observer->context, number, mask, weight);
    for (uint32_t i = 0; i < block->op_count; i++)
        execute_op(ex, &ex->ops[block->first_op + i], mask, weight, guessed);
    if (block->end == END_JUMP)
        gp_path_go(ex, ex->out[block->first_out]);
    else if (block->end == END_RETURN)
        pop_returned(ex);
    else
        branch(ex, number, weight);
    if (observer->leave)
        observer->leave(observer->context, number, mask, weight);
}

static void run(struct gp_executor *ex)
{
    while (ex->depth) {
        if (ex->visits++ >= ex->max_visits) {
            ex->result->cut_off = true;
            return;
        }
        visit(ex);
    }
}

/* ---- One warp -------------------------------------------------------------------------------------------------- */

static void reset(struct gp_executor *ex)
{
    const struct gp_kernel *kernel = ex->kernel;
    gp_symbols_reset(&ex->symbols, ((ex->group[2] << 20 ^ ex->group[1]) << 20 ^ ex->group[0]) << 10 ^ ex->warp);
    for (uint32_t i = ex->first_dynamic; i < ex->slot_count; i++) {
        ex->slots[i].shape = SHAPE_UNIFORM;
        ex->slots[i].symbol = GP_SYMBOL_UNKNOWN;
        ex->slots[i].offset = 0;
        ex->slots[i].owner = 0;
    }
    ex->slots[SLOT_PRODUCT].shape = ex->slots[SLOT_BEHIND].shape = SHAPE_UNIFORM;
    for (uint32_t i = 0; i < kernel->param_count; i++) {
        bool known = i < GP_MAX_ARGUMENTS && ex->launch->arguments[i].known &&
                     (kernel->params[i].kind == GP_PARAM_INT || kernel->params[i].kind == GP_PARAM_FLOAT);
        ex->slots[ex->first_param + i].symbol = known ? GP_SYMBOL_KNOWN : 1 + i;
        ex->slots[ex->first_param + i].offset =
            known ? ex->launch->arguments[i].value & gp_bits_mask(kernel->params[i].bits) : 0;
    }
    memset(ex->arrivals, 0, ex->edge_count * sizeof *ex->arrivals);
    memset(ex->merge_varies, 0, kernel->block_count * sizeof *ex->merge_varies);
    memset(ex->fork_iteration, 0, kernel->block_count * sizeof *ex->fork_iteration);
    for (uint32_t i = 0; i < kernel->loop_count; i++)
        ex->states[i] = (struct loop_state){.factor = 1.0, .outer_factor = 1.0, .plan = ex->states[i].plan};
    ex->iterations = ex->visits = 0;
    clear_scratch(ex);
}

/* The work-items that this warp's lanes are; work-items of a group count with dimension 0 fastest. */
static gp_mask place_lanes(struct gp_executor *ex)
{
    gp_mask mask = 0;
    uint64_t item = (uint64_t)ex->warp * ex->width;
    uint64_t x = item % ex->local[0], y = item / ex->local[0] % ex->local[1], z = item / (ex->local[0] * ex->local[1]);
    memset(ex->local_id, 0, sizeof ex->local_id);
    for (uint32_t lane = 0; lane < ex->width && item + lane < ex->items; lane++) {
        ex->local_id[0][lane] = x;
        ex->local_id[1][lane] = y;
        ex->local_id[2][lane] = z;
        mask |= (gp_mask)1 << lane;
        if (++x < ex->local[0])
            continue;
        x = 0;
        if (++y < ex->local[1])
            continue;
        y = 0;
        z++;
    }
    return mask;
}

/* Sizes of the group, the last one of a dimension may be smaller. */
static bool place_group(struct gp_executor *ex, const uint64_t group[3], struct gp_error *error)
{
    const struct gp_launch *launch = ex->launch;
    uint64_t items = 1;
    for (int d = 0; d < GP_MAX_DIMS; d++) {
        uint64_t global = launch->global[d], local = launch->local[d];
        if (global == 0 || local == 0)
            return gp_fail(error, "a launch's global and local size must not be 0 (dimension %d)", d);
        ex->groups[d] = global / local + (global % local != 0);
        if (group[d] >= ex->groups[d])
            return gp_fail(error, "there is no work-group %llu in dimension %d: the launch has %llu",
                           (unsigned long long)group[d], d, (unsigned long long)ex->groups[d]);
        uint64_t rest = global - group[d] * local;
        ex->group[d] = group[d];
        ex->local[d] = rest < local ? rest : local;
        if (items > UINT32_MAX / ex->local[d])
            return gp_fail(error, "a work-group of %u x %u x %u work-items is too large", launch->local[0],
                           launch->local[1], launch->local[2]);
        items *= ex->local[d];
    }
    ex->items = (uint32_t)items;
    return true;
}

/* Distances between lanes are kept from warp to warp, unless warps are of another width now. */
static bool place_distances(struct gp_executor *ex)
{
    if (ex->distances.lanes == ex->lanes)
        return true;
    memset(ex->remembered, 0, ex->remembered_count * sizeof *ex->remembered);
    return gp_distances_start(&ex->distances, ex->lanes);
}

uint64_t gp_executor_position(const struct gp_executor *ex, uint32_t loop) { return ex->states[loop].position; }

double gp_executor_stands_for(const struct gp_executor *ex, uint32_t loop) { return ex->states[loop].factor / ex->states[loop].outer_factor; }

bool gp_execute_warp(struct gp_executor *ex, const struct gp_launch *launch, const uint64_t group[3], uint32_t warp,
                     const struct gp_exec_options *options, const struct gp_observer *observer,
                     struct gp_exec_result *result, struct gp_error *error)
{
    static const struct gp_observer nobody;
    struct gp_exec_result unused;
    if (options->warp_width == 0 || options->warp_width > GP_MAX_LANES)
        return gp_fail(error, "a warp has 1 to %d lanes, not %u", GP_MAX_LANES, options->warp_width);
    ex->launch = launch;
    ex->options = options;
    ex->observer = observer ? observer : &nobody;
    ex->result = result ? result : &unused;
    memset(ex->result, 0, sizeof *ex->result);
    if (!place_group(ex, group, error))
        return false;
    ex->width = options->warp_width;
    ex->lanes = (ex->width + 3) / 4 * 4;
    ex->warp = warp;
    ex->max_visits = options->max_block_visits ? options->max_block_visits
                     : options->exhaustive     ? UINT64_C(1) << 32
                                               : UINT64_C(1) << 20;
    gp_mask mask = place_lanes(ex);
    if (!mask || ex->kernel->block_count == 0)
        return true;
    reset(ex);
    if (!place_distances(ex))
        return gp_fail(error, "out of memory");
    ex->live = mask;
    gp_path_start(ex, mask);
    run(ex);
    return true;
}
