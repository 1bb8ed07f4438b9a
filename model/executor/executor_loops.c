/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Loops: how often they go round, which iterations are executed, and what of them stands for the others. */
#include <math.h>
#include <stdlib.h>

#include "model/executor/executor_internal.h"

/* ---- Trip counts for printing ------------------------------------------------------------------------------------ */

/* The trip count of a loop as far as the launch alone decides it, for printing. */

enum { MAX_CHAIN = 256, UNSEEN = 0, UNKNOWN, KNOWN };

struct query {
    const struct gp_kernel *kernel;
    const struct gp_launch *launch;
    uint8_t *state; /* per instruction */
    uint64_t *value;
};

/* What is the same for all work-items of a launch. */
static bool launch_constant(const struct gp_launch *launch, unsigned sub, uint64_t *value)
{
    unsigned id = sub >> 2, dim = sub & 3;
    if (id == GP_ID_WORK_DIM) {
        *value = launch->dims;
        return true;
    }
    if (dim >= GP_MAX_DIMS || launch->local[dim] == 0)
        return false;
    uint64_t global = launch->global[dim], local = launch->local[dim];
    switch (id) {
    case GP_ID_LOCAL_SIZE: *value = local; return true;
    case GP_ID_GLOBAL_SIZE: *value = global; return true;
    case GP_ID_GROUP_COUNT: *value = global / local + (global % local != 0); return true;
    case GP_ID_OFFSET: *value = launch->offset[dim]; return true;
    default: return false;
    }
}

static bool evaluate(struct query *query, gp_ref ref, unsigned chain, uint64_t *value);

static bool evaluate_instruction(struct query *query, uint32_t index, unsigned chain, uint64_t *value)
{
    const struct gp_inst *inst = &query->kernel->insts[index];
    unsigned arity = gp_operation_arity(inst->op);
    uint64_t in[3] = {0, 0, 0};
    if (inst->op == GP_OP_ID) {
        bool constant = launch_constant(query->launch, inst->sub, value);
        *value &= gp_bits_mask(inst->bits);
        return constant;
    }
    if (arity == 0 || arity > inst->operand_count)
        return false;
    for (unsigned i = 0; i < arity; i++)
        if (!evaluate(query, query->kernel->operands[inst->operand + i], chain + 1, &in[i]))
            return false;
    struct gp_operation operation = {inst->op, inst->bits, inst->width, inst->sub};
    return gp_compute(&operation, in[0], in[1], in[2], value);
}

static bool evaluate(struct query *query, gp_ref ref, unsigned chain, uint64_t *value)
{
    uint32_t index = gp_ref_index(ref);
    *value = 0;
    switch (gp_ref_kind(ref)) {
    case GP_REF_CONST: *value = query->kernel->constants[index]; return true;
    case GP_REF_PARAM:
        if (index >= GP_MAX_ARGUMENTS || !query->launch->arguments[index].known)
            return false;
        *value = query->launch->arguments[index].value & gp_bits_mask(query->kernel->params[index].bits);
        return query->kernel->params[index].kind == GP_PARAM_INT || query->kernel->params[index].kind == GP_PARAM_FLOAT;
    case GP_REF_INST:
        if (query->state[index] == UNSEEN && chain < MAX_CHAIN) {
            query->state[index] = UNKNOWN; /* also while it is evaluated: a value that needs itself is not known */
            if (evaluate_instruction(query, index, chain, &query->value[index]))
                query->state[index] = KNOWN;
        }
        *value = query->value[index];
        return query->state[index] == KNOWN;
    default: return false;
    }
}

bool gp_loop_trip_count(struct gp_executor *executor, const struct gp_launch *launch, uint32_t loop, uint64_t *count)
{
    const struct gp_kernel *kernel = executor->kernel;
    if (loop >= kernel->loop_count)
        return false;
    struct query query = {kernel, launch, NULL, NULL};
    query.state = calloc((size_t)kernel->inst_count + 1, sizeof *query.state);
    query.value = calloc((size_t)kernel->inst_count + 1, sizeof *query.value);
    bool known = evaluate(&query, kernel->loops[loop].trip_count, 0, count);
    if (known)
        *count &= gp_bits_mask(executor->loops[loop].trip_bits);
    free(query.state);
    free(query.value);
    return known;
}

/* ---- Assumed iterations ------------------------------------------------------------------------------------------ */

/* Iterations of a loop that nobody knows the end of: so many as are assumed, of which the parts of an unrolled loop do
 * a share each. */

/*
 * Of the iterations that are assumed, what this loop does, in iterations of its own: of an unrolled loop's parts each
 * takes as many as it can of what those before it left over; a lone one a fraction, too.
 */
static double assumed_share(const struct gp_executor *ex, const struct loop *loop)
{
    double rest = ex->launch->assumed_trip_count ? ex->launch->assumed_trip_count : GP_DEFAULT_TRIP_COUNT;
    for (uint32_t i = 0; i < loop->larger_count; i++)
        rest = fmod(rest, loop->larger[i]);
    rest /= loop->body;
    return loop->smaller ? floor(rest) : rest;
}

/* Whole iterations, at least one, and how much of them each stands for: a part that has nothing to do is as rare as
 * what is marked unlikely. */
uint64_t gp_assumed_trips(const struct gp_executor *ex, const struct loop *loop)
{
    return (uint64_t)fmax(1, ceil(assumed_share(ex, loop)));
}

/* ... and how much of them each stands for. */
static double assumed_weight(const struct gp_executor *ex, const struct loop *loop)
{
    return fmax(RARELY, assumed_share(ex, loop) / (double)gp_assumed_trips(ex, loop));
}

/* Some of these parts of an unrolled loop do some of the iterations that are assumed of it. */
bool gp_have_iterations(const struct gp_executor *ex, const struct few_loops *parts)
{
    for (uint32_t i = 0; i < parts->count; i++)
        if (assumed_share(ex, &ex->loops[parts->loops[i]]) > 0)
            return true;
    return false;
}

/* ---- Plans ------------------------------------------------------------------------------------------------------- */

/*
 * Which iterations of a loop are executed when they are alike, and how many each stands for.
 *
 * Where all lanes run the loop equally often: the first two iterations (consecutive, so that an observer sees how
 * addresses move), the last two (of a loop tested at its top the very last is the header alone) and, between them, one
 * of each of a few equal strata (coarse: of one, fine: of more), near its middle, standing for the stratum. Costs that
 * grow linearly, as in triangular loops, come out right that way; the samples differ in their remainders modulo small
 * powers of two, so that what depends on alignment averages out. Where lanes leave at different iterations, the
 * iteration of each departure is executed and the stretches between them are sampled. Sparse, without strata: the
 * iteration before a stretch stands for it, and of the first two and last two one each is executed.
 *
 * Weights are whole numbers and add up to the largest trip count exactly.
 */

static void append(struct plan *plan, uint64_t position, uint64_t weight)
{
    if (plan->count == MAX_POSITIONS)
        return;
    plan->position[plan->count] = position;
    plan->weight[plan->count] = (double)weight;
    plan->count++;
}

/* n * i / k without overflow, for i <= k. */
static uint64_t part(uint64_t n, unsigned i, unsigned k) { return n / k * i + n % k * i / k; }

/*
 * The number nearest to the middle of a stratum with the wanted remainder; the modulus is small against the stratum.
 * The middles of a short loop's few strata, evenly spaced, would be all even, or all odd: their modulus is 2 whatever
 * the length.
 */
static uint64_t near_middle(uint64_t low, uint64_t length, unsigned stratum, unsigned strata)
{
    static const uint8_t few[FEW_SAMPLES] = {1, 14, 19, 28};
    uint64_t modulus = strata > 1 && strata <= FEW_SAMPLES ? 2 : 1, middle = low + (length - 1) / 2;
    while (modulus < 32 && modulus * 16 <= length)
        modulus *= 2;
    uint64_t wanted = strata <= FEW_SAMPLES ? few[stratum] : stratum * 5 + 1;
    uint64_t up = (wanted - middle) % modulus; /* modulus is a power of two: wrapping is harmless */
    uint64_t position = up <= modulus / 2 ? middle + up : middle + up - modulus;
    return position < low + length ? position : position - modulus;
}

static void append_interior(struct plan *plan, uint64_t from, uint64_t to, unsigned strata)
{
    if (to <= from)
        return;
    uint64_t length = to - from;
    if (strata == 0) {
        plan->weight[plan->count - 1] += (double)length;
        return;
    }
    if (length <= 2 * strata) {
        for (uint64_t position = from; position < to; position++)
            append(plan, position, 1);
        return;
    }
    for (unsigned i = 0; i < strata; i++) {
        uint64_t low = part(length, i, strata), high = part(length, i + 1, strata);
        append(plan, near_middle(from + low, high - low, i, strata), high - low);
    }
}

static int compare_counts(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Trip counts of the lanes, in any order and with repetitions. False: not worth it. */
static bool plan_loop(struct plan *plan, const uint64_t *trip_counts, uint32_t count, unsigned strata)
{
    uint64_t sorted[GP_MAX_LANES], from = 0;
    unsigned ends = strata > 0 ? 2 : 1; /* executed of the first iterations, and of the last */
    if (count == 0 || count > GP_MAX_LANES)
        return false;
    for (uint32_t i = 0; i < count; i++)
        sorted[i] = trip_counts[i];
    qsort(sorted, count, sizeof *sorted, compare_counts);
    plan->count = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t to = sorted[i];
        unsigned singles = i + 1 == count ? ends : 1;
        if (to == 0)
            return false;
        if (from == 0) {
            append(plan, 0, 1);
            from = 1;
            if (to > 3 && ends > 1) {
                append(plan, 1, 1);
                from = 2;
            }
            singles = ends;
        }
        if (to <= from)
            continue;
        uint64_t tail = to - from < singles ? from : to - singles;
        append_interior(plan, from, tail, i > 0 && sorted[0] != to && strata > PART_SAMPLES ? PART_SAMPLES : strata);
        for (uint64_t position = tail; position < to; position++)
            append(plan, position, 1);
        from = to;
    }
    return plan->count < MAX_POSITIONS && (uint64_t)plan->count * 2 <= sorted[count - 1];
}

/* ---- Loops that never end ---------------------------------------------------------------------------------------- */

/*
 * Loops that never end, as one whose counter of few bits wraps before it comes to its bound: what decides whether the
 * loop ends (decode_carried.c) comes back to what it was before. It is compared with what it was at the last iteration
 * whose number is a power of two (R. P. Brent, "An improved Monte Carlo factorization algorithm", BIT 20, 1980), of one
 * lane: those that do leave are gone sooner or later.
 */

enum { FIRST_COMPARED = 64 }; /* shorter loops are left alone */

static bool has_returned(const struct gp_executor *ex, const struct loop *loop, const struct loop_state *state,
                         uint32_t lane)
{
    for (uint32_t i = 0; i < loop->decider_count; i++) {
        struct gp_value now = gp_slot_lane(&ex->slots[loop->deciders[i].slot], lane), before = state->before[i];
        if (now.symbol != GP_SYMBOL_KNOWN || before.symbol != GP_SYMBOL_KNOWN ||
            ((now.offset ^ before.offset) & loop->deciders[i].mask) != 0)
            return false;
    }
    return true;
}

void gp_look_for_return(struct gp_executor *ex, uint32_t index, gp_mask mask)
{
    const struct loop *loop = &ex->loops[index];
    struct loop_state *state = &ex->states[index];
    uint32_t lane = (uint32_t)__builtin_ctzll(mask);
    uint64_t position = state->position;
    if (!loop->decides_itself || state->guessed || position < FIRST_COMPARED || ex->result->endless > 0)
        return;
    if (position > FIRST_COMPARED && lane == state->before_lane && has_returned(ex, loop, state, lane))
        ex->result->endless = index + 1;
    if ((position & (position - 1)) != 0)
        return;
    state->before_lane = lane;
    for (uint32_t i = 0; i < loop->decider_count; i++)
        state->before[i] = gp_slot_lane(&ex->slots[loop->deciders[i].slot], lane);
}

/* ---- From iteration to iteration --------------------------------------------------------------------------------- */

/*
 * A loop from iteration to iteration: where it starts its trip count is found and a plan made; each
 * time lanes come back to its header, the next iteration of the plan is the one to execute.
 */

/* ---- Trip counts ------------------------------------------------------------------------------------------------- */

static void execute_expressions(struct gp_executor *ex, const struct loop *loop, gp_mask mask)
{
    for (uint32_t i = 0; i < loop->expression_count; i++) {
        const struct op *op = &ex->expression_ops[loop->expressions + i];
        if (!op->has_result)
            continue;
        if (op->kind == KIND_PURE)
            gp_execute_pure(ex, op, mask);
        else if (op->kind == KIND_ID)
            gp_execute_id(ex, op, mask);
        else
            gp_slot_set_unknown(ex, &ex->slots[op->dest], mask, false);
    }
}

/* The lanes' trip counts: where not known, the assumed one, in which case *known is false. 0: no lane's can be told. */
static uint32_t trip_counts(const struct gp_executor *ex, const struct loop *loop, gp_mask mask, uint64_t *counts,
                            bool *known)
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
            trips = gp_assumed_trips(ex, loop);
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

/* ---- Iterations -------------------------------------------------------------------------------------------------- */

/* Of how many parts of a loop's iterations one is executed. Sparse: of none. Fine: of as many as make it half of the
 * iterations, or many. */
static unsigned strata_of(const struct gp_executor *ex, const struct loop *loop, uint64_t trips)
{
    const struct gp_exec_options *options = ex->options;
    if (options->sparse)
        return 0;
    if (options->coarse || loop->varied || !options->fine)
        return options->coarse ? 1 : loop->varied ? MANY_SAMPLES : FEW_SAMPLES;
    uint64_t half = trips / 2 > 4 ? trips / 2 - 4 : 0; /* beside the first and last two */
    return half < FEW_SAMPLES ? FEW_SAMPLES : half < MANY_SAMPLES ? (unsigned)half : MANY_SAMPLES;
}

void gp_loop_start(struct gp_executor *ex, uint32_t index, gp_mask mask)
{
    const struct loop *loop = &ex->loops[index];
    struct loop_state *state = &ex->states[index];
    uint64_t counts[GP_MAX_LANES];
    state->position = 0;
    state->next = 0;
    state->planned = state->checked = state->guessed = state->guess_varies = state->known_exit = false;
    state->passed_count = 0;
    state->winners = 0;
    state->outer_factor = (loop->parent == GP_NONE ? 1.0 : ex->states[loop->parent].factor) *
                          (loop->assumed ? assumed_weight(ex, loop) : 1);
    state->factor = state->outer_factor;
    execute_expressions(ex, loop, mask);
    bool known;
    uint32_t count = trip_counts(ex, loop, mask, counts, &known);
    state->trip_count = known ? largest_of(counts, count) : 0;
    if (ex->options->exhaustive || !loop->can_jump)
        return;
    if (count == 0 && loop->assumed) {
        counts[0] = gp_assumed_trips(ex, loop);
        count = 1;
    }
    state->planned = count && plan_loop(state->plan, counts, count, strata_of(ex, loop, counts[0]));
    for (uint32_t i = 0; state->planned && i < ex->blocks[loop->header].phi_count; i++) {
        const struct phi *phi = &ex->phis[ex->blocks[loop->header].first_phi + i];
        if (phi->induction == GP_NONE)
            continue;
        struct slot *start = &ex->slots[ex->inductions[phi->induction].start];
        start->owner = 0;
        gp_slot_copy(ex, start, mask, &ex->slots[phi->dest]);
    }
}

void gp_loop_next(struct gp_executor *ex, uint32_t index, const struct block *header, gp_mask mask)
{
    struct loop_state *state = &ex->states[index];
    state->position++;
    state->factor = state->outer_factor;
    if (state->planned && !state->checked) {
        state->checked = true;
        bool may = gp_may_jump(ex, header, mask);
        state->carries = !may && gp_carries(ex, index, header, mask);
        state->planned = may || state->carries;
    }
    if (!state->planned || ++state->next >= state->plan->count)
        return;
    uint64_t position = state->plan->position[state->next];
    if (position > state->position) {
        if (ex->observer->skip)
            ex->observer->skip(ex->observer->context, index, position - state->position);
        if (state->carries)
            gp_carry(ex, index, header, position - state->position, mask);
        else
            gp_jump_phis(ex, header, position, mask);
        state->position = position;
    }
    state->factor = fmin(state->outer_factor * state->plan->weight[state->next], 1e300);
}
