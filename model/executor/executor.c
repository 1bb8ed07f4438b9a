/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* One warp, from its start to its end: block by block, the path at the top, which is the one that is at the earliest
 * block (executor_paths.c). */
#include "model/executor/executor.h"

#include <stdlib.h>
#include <string.h>

#include "model/executor/executor_internal.h"
#include "model/value/inst_facts.h"

/* ---- Making and freeing ------------------------------------------------------------------------------------------ */

static void make_state(struct gp_executor *ex)
{
    const struct gp_kernel *kernel = ex->kernel;
    uint32_t largest = 1;
    for (uint32_t b = 0; b < kernel->block_count; b++)
        largest = ex->blocks[b].out_count > largest ? ex->blocks[b].out_count : largest;
    ex->flow.arrivals = calloc((size_t)ex->edge_count + 1, sizeof *ex->flow.arrivals);
    ex->flow.merge_varies = calloc((size_t)kernel->block_count + 1, sizeof *ex->flow.merge_varies);
    ex->states = calloc((size_t)kernel->loop_count + 1, sizeof *ex->states);
    ex->flow.fork_iteration = calloc((size_t)kernel->block_count + 1, sizeof *ex->flow.fork_iteration);
    ex->flow.fork_count = calloc((size_t)kernel->block_count + 1, sizeof *ex->flow.fork_count);
    ex->flow.paths = calloc((size_t)kernel->block_count + 1, sizeof *ex->flow.paths);
    ex->facts.spans = calloc((size_t)kernel->inst_count + 1, sizeof *ex->facts.spans);
    ex->flow.forks = malloc(MAX_FORKS * sizeof *ex->flow.forks);
    ex->scratch.case_masks = calloc(largest, sizeof *ex->scratch.case_masks);
    ex->memo.count = FEW_REMEMBERED;
    ex->memo.entries = calloc(ex->memo.count, sizeof *ex->memo.entries);
    for (uint32_t i = 0; i < kernel->loop_count; i++)
        if (ex->loops[i].can_jump)
            ex->states[i].plan = malloc(sizeof *ex->states[i].plan);
}

struct gp_executor *gp_executor_new(const struct gp_kernel *kernel)
{
    struct gp_executor *ex = calloc(1, sizeof *ex);
    ex->kernel = kernel;
    gp_executor_decode(ex);
    make_state(ex);
    gp_symbols_init(&ex->symbols, ex->symbol_count, ex->facts.alignment);
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
    void *owned[] = {ex->blocks,
                     ex->ops,
                     ex->phis,
                     ex->edges,
                     ex->out,
                     ex->cases,
                     ex->more,
                     ex->loops,
                     ex->inductions,
                     ex->expression_ops,
                     ex->carried.ops,
                     ex->varying,
                     ex->slots,
                     ex->makers,
                     ex->facts.alignment,
                     ex->facts.float_value,
                     ex->facts.spans,
                     ex->flow.arrivals,
                     ex->flow.merge_varies,
                     ex->states,
                     ex->flow.fork_iteration,
                     ex->flow.fork_count,
                     ex->flow.paths,
                     ex->flow.forks,
                     ex->scratch.case_masks,
                     ex->memo.entries,
                     ex->near.values,
                     ex->near.newest};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
        free(owned[i]);
    gp_symbols_free(&ex->symbols);
    gp_distances_free(&ex->distances);
    free(ex);
}

/* ---- Blocks ------------------------------------------------------------------------------------------------------ */

static void execute_opaque(struct gp_executor *ex, const struct op *op, gp_mask mask)
{
    bool uniform = op->more_count > 0;
    struct gp_value value;
    for (uint32_t i = 0; i < op->more_count && uniform; i++)
        uniform = gp_slot_uniform(&ex->slots[ex->more[op->more + i]], mask, &value);
    gp_slot_set_unknown(ex, &ex->slots[op->dest], mask, uniform || (op->flags & GP_INST_UNIFORM));
}

static void execute_op(struct gp_executor *ex, const struct op *op, gp_mask mask, double weight, enum gp_guess guessed)
{
    switch (op->kind) {
    case KIND_PURE: gp_execute_pure(ex, op, mask); break;
    case KIND_ID: gp_execute_id(ex, op, mask); break;
    case KIND_MEMORY: gp_execute_memory(ex, op, mask, weight, guessed); break;
    case KIND_IMAGE: gp_execute_image(ex, op, mask, weight, guessed); break;
    case KIND_BULK:
        gp_execute_bulk(ex, op, mask, weight, guessed);
        if (op->has_result)
            gp_slot_set_unknown(ex, &ex->slots[op->dest], mask, true); /* the event */
        break;
    case KIND_BARRIER:
        if (ex->observer->barrier)
            ex->observer->barrier(ex->observer->context, op->inst, mask, weight);
        break;
    default:
        if (op->has_result && op->other_element)
            gp_set_element(ex, op, mask);
        else if (op->has_result)
            execute_opaque(ex, op, mask);
        break;
    }
}

/* The lanes came (all or in part) from inside the loop. */
static bool comes_back(const struct gp_executor *ex, const struct block *header, const struct path *path)
{
    if (!path->joined)
        return path->edge != GP_NONE && ex->edges[path->edge].back;
    bool back = false;
    for (uint32_t k = 0; k < header->in_count; k++)
        if (ex->flow.arrivals[header->first_in + k] & path->mask) {
            if (!ex->edges[header->first_in + k].back)
                return false;
            back = true;
        }
    return back;
}

static void clear_arrivals(struct gp_executor *ex, const struct block *block, uint32_t number)
{
    memset(ex->flow.arrivals + block->first_in, 0, block->in_count * sizeof *ex->flow.arrivals);
    ex->flow.merge_varies[number] = false;
}

/* Loop bookkeeping and phis. */
static void enter_block(struct gp_executor *ex, struct path *path)
{
    uint32_t number = path->block;
    const struct block *block = &ex->blocks[number];
    bool back = block->heads != GP_NONE && comes_back(ex, block, path);
    ex->flow.merge_varies_now = ex->flow.merge_varies[number];
    ex->flow.merge_atom = 0;
    if (block->phi_count > 0)
        gp_execute_phis(ex, block, path);
    if (path->joined) {
        clear_arrivals(ex, block, number);
        path->joined = false;
        path->edge = GP_NONE;
    }
    if (block->heads == GP_NONE)
        return;
    ex->states[block->heads].headers = ++ex->spent.iterations;
    if (back)
        gp_loop_next(ex, block->heads, block, path->mask);
    else
        gp_loop_start(ex, block->heads, path->mask);
    if (path->guessed == GP_GUESS_NONE)
        gp_look_for_return(ex, block->heads, path->mask);
}

static void pop_returned(struct gp_executor *ex)
{
    ex->flow.depth--;
    ex->flow.live = 0;
    for (uint32_t i = 0; i < ex->flow.depth; i++)
        ex->flow.live |= ex->flow.paths[i].mask;
}

/* Lanes that the loop may still need. Those that run are among them: a phi where they meet is written edge by edge. */
static gp_mask waiting_inside(const struct gp_executor *ex, uint32_t loop)
{
    gp_mask waiting = 0;
    for (uint32_t i = 0; loop != GP_NONE && i < ex->flow.depth; i++)
        if (gp_block_is_within(ex->kernel, ex->flow.paths[i].block, loop))
            waiting |= ex->flow.paths[i].mask;
    return waiting;
}

static enum gp_guess guess_of(const struct gp_executor *ex, const struct path *path, uint32_t loop)
{
    for (; loop != GP_NONE; loop = ex->loops[loop].parent)
        if (ex->states[loop].guessed)
            return GP_GUESS_TURNS;
    return path->guessed;
}

/* ---- Scratch and symbols ----------------------------------------------------------------------------------------- */

static void clear_scratch(struct gp_executor *ex)
{
    memset(ex->scratch.offsets, 0, sizeof ex->scratch.offsets);
    memset(ex->scratch.symbols, 0, sizeof ex->scratch.symbols);
}

/* Scratch may hold symbols that nobody needs; it is cleared rather than moved along. */
static void compact_symbols(struct gp_executor *ex)
{
    uint32_t *used = gp_symbols_begin_compact(&ex->symbols);
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

/* ---- Execution --------------------------------------------------------------------------------------------------- */

static void visit(struct gp_executor *ex)
{
    struct path *path = &ex->flow.paths[ex->flow.depth - 1];
    uint32_t number = path->block;
    const struct block *block = &ex->blocks[number];
    const struct gp_observer *observer = ex->observer;
    if (gp_symbols_crowded(&ex->symbols))
        compact_symbols(ex);
    if (gp_distances_crowded(&ex->distances))
        gp_sweep_distances(ex);
    ex->flow.waiting = waiting_inside(ex, block->loop);
    enter_block(ex, path);
    gp_mask mask = path->mask;
    double weight = path->weight * (block->loop == GP_NONE ? 1.0 : ex->states[block->loop].factor);
    enum gp_guess guessed = guess_of(ex, path, block->loop);
    ex->result->instructions += weight * block->instructions;
    ex->result->effort += 1 + block->op_count;
    ex->result->guessed_instructions += guessed != GP_GUESS_NONE ? weight * block->instructions : 0.0;
    ex->result->guessed_ways +=
        guessed == GP_GUESS_WAY || guessed == GP_GUESS_STATED ? weight * block->instructions : 0.0;
    if (observer->enter)
        observer->enter(observer->context, number, mask, weight);
    for (uint32_t i = 0; i < block->op_count; i++)
        execute_op(ex, &ex->ops[block->first_op + i], mask, weight, guessed);
    if (block->end == END_JUMP)
        gp_path_go(ex, ex->out[block->first_out]);
    else if (block->end == END_RETURN)
        pop_returned(ex);
    else
        gp_branch(ex, number, weight);
    if (observer->leave)
        observer->leave(observer->context, number, mask, weight);
}

static void run(struct gp_executor *ex)
{
    while (ex->flow.depth) {
        if (ex->spent.visits++ >= ex->spent.max_visits || ex->result->effort >= ex->spent.max_effort) {
            ex->result->cut_off = true;
            return;
        }
        visit(ex);
    }
}

/* ---- One warp ---------------------------------------------------------------------------------------------------- */

static void reset(struct gp_executor *ex)
{
    const struct gp_kernel *kernel = ex->kernel;
    gp_symbols_reset(&ex->symbols,
                     ((ex->at.group[2] << 20 ^ ex->at.group[1]) << 20 ^ ex->at.group[0]) << 10 ^ ex->at.warp);
    memset(ex->rows, 0, sizeof ex->rows);
    ex->facts.span_arguments = gp_range_arguments(kernel, ex->launch) | 1;
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
    memset(ex->flow.arrivals, 0, ex->edge_count * sizeof *ex->flow.arrivals);
    memset(ex->flow.merge_varies, 0, kernel->block_count * sizeof *ex->flow.merge_varies);
    memset(ex->flow.fork_iteration, 0, kernel->block_count * sizeof *ex->flow.fork_iteration);
    for (uint32_t i = 0; i < kernel->loop_count; i++)
        ex->states[i] = (struct loop_state){.factor = 1.0, .outer_factor = 1.0, .plan = ex->states[i].plan};
    ex->spent.iterations = ex->spent.visits = 0;
    ex->near.count = 0;
    ex->own_place[0] = ex->own_place[1] = NULL;
    clear_scratch(ex);
}

/* Distances between lanes are kept from warp to warp, unless warps are of another width now. */
static void place_distances(struct gp_executor *ex)
{
    if (ex->distances.lanes == ex->lanes)
        return;
    memset(ex->memo.entries, 0, ex->memo.count * sizeof *ex->memo.entries);
    gp_distances_start(&ex->distances, ex->lanes);
}

uint64_t gp_executor_position(const struct gp_executor *ex, uint32_t loop) { return ex->states[loop].position; }

uint64_t gp_executor_trips(const struct gp_executor *ex, uint32_t loop) { return ex->states[loop].trip_count; }

void gp_executor_stop(struct gp_executor *ex) { ex->spent.max_visits = ex->spent.visits; }

double gp_executor_stands_for(const struct gp_executor *ex, uint32_t loop)
{
    return ex->states[loop].factor / ex->states[loop].outer_factor;
}

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
    if (!gp_place_group(ex, group, error))
        return false;
    ex->width = options->warp_width;
    ex->lanes = (ex->width + 3) / 4 * 4;
    ex->at.warp = warp;
    ex->spent.max_visits = options->max_block_visits ? options->max_block_visits
                           : options->exhaustive     ? UINT64_C(1) << 32
                                                     : UINT64_C(1) << 20;
    ex->spent.max_effort = options->max_effort ? options->max_effort : UINT64_MAX;
    gp_mask mask = gp_place_lanes(ex);
    if (!mask || ex->kernel->block_count == 0)
        return true;
    reset(ex);
    place_distances(ex);
    ex->flow.live = mask;
    gp_path_start(ex, mask);
    run(ex);
    return true;
}
