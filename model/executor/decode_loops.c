/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Loops: their nest, how they end, and how many of their iterations may be left out. */
#include <stdlib.h>
#include <string.h>

#include "model/compilers/loop_exit.h"
#include "model/executor/decoder.h"
#include "model/value/inst_facts.h"
#include "model/value/operand_walk.h"
#include "model/value/refs.h"

/* ---- How loops end ----------------------------------------------------------------------------------------------- */

/* How loops end that nobody knows the trip count of: which block is their exit, which exchange they go round for, and
 * which branches ask whether they go round at all. */

/* Whether a branch of a loop (or of a loop inside) leaves it for another reason than data. */
static bool is_known_exit(const struct decoder *d, uint32_t block, uint32_t loop)
{
    const struct gp_executor *ex = d->ex;
    const struct block *b = &ex->blocks[block];
    uint32_t inside = 0;
    for (uint32_t k = 0; k < b->out_count; k++)
        inside += gp_block_is_within(ex->kernel, ex->edges[ex->out[b->first_out + k]].to, loop);
    bool data = b->branch != GP_NONE && d->kernel->branches[b->branch].kind == GP_BRANCH_DATA;
    return inside < b->out_count && !data;
}

/*
 * How well a block suits as the exit of its loop where nothing is known, larger is better: leaves no more than the
 * loop, depends on data (another condition would be known), is at the loop's end or at its start. 0: no exit.
 */
static unsigned exit_rank(const struct decoder *d, uint32_t block)
{
    const struct gp_executor *ex = d->ex;
    const struct block *b = &ex->blocks[block];
    uint32_t left = 0;
    for (uint32_t k = 0; k < b->out_count; k++) {
        uint32_t leaves = ex->edges[ex->out[b->first_out + k]].leaves;
        left = leaves && (left == 0 || leaves < left) ? leaves : left;
    }
    if (left == 0 || b->loop == GP_NONE)
        return 0;
    const struct gp_loop *loop = &d->kernel->loops[b->loop];
    bool data = b->branch == GP_NONE || d->kernel->branches[b->branch].kind == GP_BRANCH_DATA;
    return 1 + (left == 1 ? 8 : 0) + (data ? 4 : 0) + (block == loop->latch ? 2 : block == loop->header ? 1 : 0);
}

/* ---- Loops that go round until an exchange succeeds -------------------------------------------------------------- */

/* The atomic operation that a condition asks about, through comparisons, casts and what joins conditions. */
static enum gp_visit see_exchange(const struct gp_kernel *kernel, gp_ref ref, const struct gp_inst *inst, void *found)
{
    (void)kernel, (void)ref;
    if (inst == NULL)
        return GP_VISIT_NEXT;
    if (inst->op == GP_OP_ATOMIC) {
        *(const struct gp_inst **)found = inst;
        return GP_VISIT_ENOUGH;
    }
    bool through = gp_op_is_cast((enum gp_op)inst->op) || inst->op == GP_OP_COPY || inst->op == GP_OP_ICMP ||
                   inst->op == GP_OP_FCMP || inst->op == GP_OP_XOR || inst->op == GP_OP_WEIGHT ||
                   (inst->bits == 1 && (inst->op == GP_OP_AND || inst->op == GP_OP_OR || inst->op == GP_OP_SELECT));
    return through ? GP_VISIT_OPERANDS : GP_VISIT_NEXT;
}

/* The compare-and-swap of the loop that keeps the largest: its exits may ask for what stands at its place, too. */
static const struct gp_inst *find_keeping(const struct decoder *d, uint32_t loop)
{
    for (uint32_t m = 0; m < d->kernel->memory_count; m++) {
        uint32_t inst = d->kernel->memory[m].inst;
        if ((d->kernel->memory[m].flags & GP_MEMORY_KEEPS) &&
            d->ex->blocks[gp_inst_block(d->kernel, inst)].loop == loop)
            return &d->kernel->insts[inst];
    }
    return NULL;
}

/* Marks the exchange that a loop goes round for: what its exit asks about. Where that is not to be seen, the loop is
 * one of which nothing is known. */
static void find_retried(struct decoder *d, uint32_t loop)
{
    struct gp_executor *ex = d->ex;
    const struct gp_inst *exchange = find_keeping(d, loop);
    for (uint32_t b = 0; exchange == NULL && b < d->kernel->block_count; b++)
        if (ex->blocks[b].loop == loop && ex->blocks[b].end == END_BRANCH && exit_rank(d, b) > 0)
            gp_walk_operands(d->kernel, gp_operands(d, gp_block_terminator(d->kernel, b))[0], see_exchange, &exchange);
    for (uint32_t b = 0; exchange != NULL && b < d->kernel->block_count; b++) {
        struct op *op = ex->blocks[b].loop == loop ? gp_op_of(d, b, (uint32_t)(exchange - d->kernel->insts)) : NULL;
        if (op == NULL)
            continue;
        op->retried = loop;
        return;
    }
    ex->loops[loop].retries = false;
    ex->loops[loop].assumed = true;
}

/* ---- Counters and guards ----------------------------------------------------------------------------------------- */

static void note_count(struct decoder *d, uint32_t block, gp_ref from, const struct gp_loop_exit *out)
{
    struct block *b = &d->ex->blocks[block];
    gp_ref step = out->counter->step;
    int64_t stride = gp_signed_constant(d->kernel, step, d->kernel->insts[out->counter->phi].bits);
    b->from = gp_slot_of(d, from);
    b->until = gp_slot_of(d, out->end);
    b->stride = stride < 0 ? -stride : stride > 0 ? stride : 1;
}

/*
 * Branches that ask whether a loop that ends where data says goes round at all: it is taken to do so, since so many
 * iterations are assumed of it; the way past it is as rare as one that the compiler takes to be (once in 2001).
 */
static void find_guards(struct decoder *d, uint32_t loop, const struct gp_loop_exit *exits)
{
    const struct gp_loop_exit *out = &exits[loop];
    struct gp_loop_exit other = *out;
    do
        note_count(d, other.block, gp_ref_make(GP_REF_INST, other.counter->phi), &other);
    while (gp_find_loop_exit(d->kernel, loop, other.block + 1, &other));
    for (uint32_t i = 0; i < d->kernel->loop_count; i++)
        if (i != loop && exits[i].counter != NULL && d->ex->loops[i].parent == d->ex->loops[loop].parent &&
            gp_is_rest_of_loop(d->kernel, &exits[i], out))
            note_count(d, exits[i].block, out->start, out);
    for (uint32_t b = 0; b < d->kernel->block_count; b++) {
        struct block *block = &d->ex->blocks[b];
        if (block->end != END_BRANCH || block->branch == GP_NONE || !gp_guards_loop(d->kernel, b, loop, out))
            continue;
        note_count(d, b, out->start, out);
        if (!d->kernel->branches[block->branch].has_probability)
            block->probability = d->ex->edges[d->ex->out[block->first_out]].to == block->ipdom ? RARELY : 1 - RARELY;
    }
}

/* How the loops of which so many iterations are assumed end, where that is told: no counter where it is not. */
static void find_ends(struct decoder *d)
{
    uint32_t count = d->kernel->loop_count;
    struct gp_loop_exit *exits = calloc((size_t)count + 1, sizeof *exits);
    for (uint32_t i = 0; i < count; i++)
        if (d->ex->loops[i].assumed && !gp_find_loop_exit(d->kernel, i, 0, &exits[i]))
            exits[i].counter = NULL;
    for (uint32_t i = 0; i < count; i++)
        if (exits[i].counter != NULL)
            find_guards(d, i, exits);
    free(exits);
}

/* ---- By how much parts are unrolled ------------------------------------------------------------------------------ */

/* Of a loop of the source that is in several parts, unrolled and what is left over: by how much each part is.
 * decode_parts.c has what follows from that. */

/* The longest constant step of its counters; 0: it has none. */
static uint64_t longest_step(const struct gp_kernel *kernel, uint32_t loop)
{
    uint64_t longest = 0;
    for (uint32_t i = 0; i < kernel->induction_count; i++) {
        const struct gp_induction *induction = &kernel->inductions[i];
        if (induction->loop != loop)
            continue;
        int64_t step = gp_signed_constant(kernel, induction->step, kernel->insts[induction->phi].bits);
        uint64_t length = step < 0 ? -(uint64_t)step : (uint64_t)step;
        longest = length > longest ? length : longest;
    }
    return longest;
}

/* Parts of one loop, which stand side by side at one place of the source and count by multiples of the shortest step.
 */
static bool are_parts(const struct decoder *d, uint32_t a, uint32_t b)
{
    const struct gp_loop *x = &d->kernel->loops[a], *y = &d->kernel->loops[b];
    return a != b && y->bound == GP_BOUND_ASSUMED && x->parent == y->parent && x->location == y->location &&
           x->location != GP_NONE && longest_step(d->kernel, b) > 0;
}

/* Fills in by how much a loop is unrolled, and which other parts of it are. */
static void find_factors(struct decoder *d, uint32_t index)
{
    struct loop *loop = &d->ex->loops[index];
    uint64_t own = longest_step(d->kernel, index), shortest = own;
    for (uint32_t i = 0; i < d->kernel->loop_count; i++)
        if (are_parts(d, index, i) && longest_step(d->kernel, i) < shortest)
            shortest = longest_step(d->kernel, i);
    for (uint32_t i = 0; own > 0 && i < d->kernel->loop_count; i++) {
        uint64_t step = are_parts(d, index, i) ? longest_step(d->kernel, i) : own;
        if (step == own || own % shortest != 0 || step % shortest != 0 || step / shortest > UINT16_MAX ||
            own / shortest > UINT16_MAX)
            continue;
        loop->body = (uint32_t)(own / shortest);
        loop->smaller = loop->smaller || step < own;
        uint32_t place = loop->larger_count < MOST_PARTS ? loop->larger_count : MOST_PARTS;
        for (; step > own && place > 0 && loop->larger[place - 1] < step / shortest; place--)
            if (place < MOST_PARTS)
                loop->larger[place] = loop->larger[place - 1];
        if (step > own && place < MOST_PARTS) {
            loop->larger[place] = (uint32_t)(step / shortest);
            loop->larger_count += loop->larger_count < MOST_PARTS;
        }
    }
}

/* ---- What varies from iteration to iteration --------------------------------------------------------------------- */

/* Values that change from one iteration of a loop to the next in a known way: branches that depend on them, and what is
 * used of them behind the loop. */

static bool is_stamped(const struct decoder *d, gp_ref ref)
{
    return gp_ref_kind(ref) == GP_REF_INST && d->stamp[gp_ref_index(ref)];
}

/* Stamps what follows the stamped phis of the loop's header, iteration by iteration. What is loaded is not known,
 * whatever its address. */
static void stamp_followers(struct decoder *d, uint32_t loop)
{
    enum { PASSES = 2 }; /* an inner loop's phis follow what stands after them */
    const struct gp_kernel *kernel = d->kernel;
    uint32_t header = kernel->loops[loop].header;
    for (uint32_t n = 0; n < PASSES * d->inside_count; n++) {
        uint32_t block = d->inside[n % d->inside_count];
        const struct gp_block *b = &kernel->blocks[block];
        for (uint32_t i = b->inst; i < b->inst + b->inst_count; i++) {
            const struct gp_inst *inst = &kernel->insts[i];
            bool may = d->needed[i] && (inst->op == GP_OP_PHI ? block != header : gp_kind_of(inst) == KIND_PURE);
            for (uint32_t k = 0; may && !d->stamp[i] && k < inst->operand_count; k++)
                d->stamp[i] = is_stamped(d, gp_operands(d, inst)[k]);
        }
    }
}

/* Takes their stamps from the header's phis that no iteration changes in a known way. False: there were none. */
static bool drop_phis(struct decoder *d, uint32_t loop)
{
    const struct gp_kernel *kernel = d->kernel;
    const struct gp_block *header = &kernel->blocks[kernel->loops[loop].header];
    bool dropped = false;
    for (uint32_t i = header->inst; i < header->inst + header->inst_count; i++) {
        const struct gp_inst *inst = &kernel->insts[i];
        bool changes = false;
        if (inst->op != GP_OP_PHI || !d->stamp[i])
            continue;
        for (uint32_t k = 1; k < inst->operand_count; k += 2)
            changes = changes || is_stamped(d, gp_operands(d, inst)[k]);
        d->stamp[i] = changes;
        dropped = dropped || !changes;
    }
    return dropped;
}

/* The header's phis that change from one iteration to the next in a known way, and what follows from them. */
static void stamp_iteration(struct decoder *d, uint32_t loop)
{
    enum { ROUNDS = 4 };
    const struct gp_kernel *kernel = d->kernel;
    const struct gp_block *header = &kernel->blocks[kernel->loops[loop].header];
    d->inside_count = 0;
    for (uint32_t block = 0; block < kernel->block_count; block++)
        if (gp_block_is_within(d->kernel, block, loop))
            d->inside[d->inside_count++] = block;
    memset(d->stamp, 0, kernel->inst_count * sizeof *d->stamp);
    for (uint32_t i = header->inst; i < header->inst + header->inst_count; i++)
        d->stamp[i] = kernel->insts[i].op == GP_OP_PHI && d->needed[i];
    stamp_followers(d, loop);
    for (int round = 0; round < ROUNDS && drop_phis(d, loop); round++) {
        for (uint32_t n = 0; n < d->inside_count; n++) {
            const struct gp_block *b = &kernel->blocks[d->inside[n]];
            for (uint32_t i = b->inst; i < b->inst + b->inst_count; i++)
                d->stamp[i] = d->stamp[i] && b == header && kernel->insts[i].op == GP_OP_PHI;
        }
        stamp_followers(d, loop);
    }
}

/* Whether a branch that stays in the loop (not an inner loop's exit) goes another way from iteration to iteration, as
 * far as is known. */
static bool depends_on_iteration(struct decoder *d, uint32_t loop)
{
    const struct gp_kernel *kernel = d->kernel;
    const struct gp_executor *ex = d->ex;
    stamp_iteration(d, loop);
    for (uint32_t n = 0; n < d->inside_count; n++) {
        const struct block *b = &ex->blocks[d->inside[n]];
        const struct gp_inst *end = gp_block_terminator(kernel, d->inside[n]);
        bool stays = b->out_count >= 2;
        for (uint32_t k = 0; stays && k < b->out_count; k++)
            stays = ex->edges[ex->out[b->first_out + k]].leaves == 0;
        if (stays && end->operand_count && is_stamped(d, gp_operands(d, end)[0]))
            return true;
    }
    return false;
}

/* ---- Values that nobody knows behind a loop that was left by guess ----------------------------------------------- */

static bool may_end_by_data(const struct decoder *d, uint32_t loop)
{
    const struct gp_executor *ex = d->ex;
    for (uint32_t b = 0; b < d->kernel->block_count; b++) {
        const struct block *block = &ex->blocks[b];
        bool data = block->loop == loop && block->branch != GP_NONE &&
                    d->kernel->branches[block->branch].kind == GP_BRANCH_DATA;
        for (uint32_t k = 0; data && k < block->out_count; k++)
            if (ex->edges[ex->out[block->first_out + k]].leaves > 0)
                return true;
    }
    return false;
}

void gp_find_varying(struct decoder *d)
{
    struct gp_executor *ex = d->ex;
    const struct gp_kernel *kernel = d->kernel;
    uint32_t count = 0, room = 0;
    for (uint32_t i = 0; i < kernel->loop_count; i++) {
        ex->loops[i].varying = count;
        if (!may_end_by_data(d, i))
            continue;
        stamp_iteration(d, i);
        for (uint32_t n = 0; n < d->inside_count; n++) {
            const struct gp_block *b = &kernel->blocks[d->inside[n]];
            for (uint32_t k = b->inst; k < b->inst + b->inst_count; k++) {
                if (!d->stamp[k] || !d->needed[k] || ex->slots[d->slot[k]].local)
                    continue;
                if (count == room)
                    ex->varying = realloc(ex->varying, (room = 2 * room + 16) * sizeof *ex->varying);
                ex->varying[count++] = d->slot[k];
            }
        }
        ex->loops[i].varying_count = count - ex->loops[i].varying;
    }
}

/* ---- The nest ---------------------------------------------------------------------------------------------------- */

void gp_make_loops(struct decoder *d)
{
    struct gp_executor *ex = d->ex;
    const struct gp_kernel *kernel = d->kernel;
    for (uint32_t i = 0; i < kernel->loop_count; i++) {
        const struct gp_loop *source = &kernel->loops[i];
        struct loop *loop = &ex->loops[i];
        loop->header = source->header;
        loop->parent = source->parent < i ? source->parent : GP_NONE; /* parents stand before their children */
        loop->body = source->unroll ? source->unroll : 1;
        loop->assumed = source->bound == GP_BOUND_ASSUMED;
        loop->retries = source->bound == GP_BOUND_RETRY;
        loop->trip_count = GP_NONE;
        loop->exit = GP_NONE;
    }
    for (uint32_t b = 0; b < kernel->block_count; b++) {
        ex->blocks[b].ipdom = kernel->blocks[b].ipdom;
        ex->blocks[b].loop = kernel->blocks[b].loop;
        ex->blocks[b].heads = GP_NONE;
    }
    for (uint32_t i = kernel->loop_count; i-- > 0;)
        ex->blocks[kernel->loops[i].header].heads = i;
}

/* Whether a value is a counter of the loop's, its next value, or what does not change, or sums of these: start + i. */
static enum gp_visit see_counted(const struct gp_kernel *kernel, gp_ref ref, const struct gp_inst *inst, void *context)
{
    uint32_t loop = *(const uint32_t *)context,
             block = inst != NULL ? gp_inst_block(kernel, gp_ref_index(ref)) : GP_NONE;
    if (block == GP_NONE || !gp_block_is_within(kernel, block, loop))
        return GP_VISIT_NEXT;
    const struct gp_induction *counter = gp_counter_of(kernel, gp_ref_index(ref));
    if (counter != NULL && counter->loop == loop)
        return GP_VISIT_NEXT;
    bool sum = inst->op == GP_OP_ADD || inst->op == GP_OP_SUB || gp_op_is_cast((enum gp_op)inst->op);
    return sum ? GP_VISIT_OPERANDS : GP_VISIT_ENOUGH;
}

static bool is_counted(const struct gp_kernel *kernel, uint32_t loop, gp_ref ref)
{
    return gp_walk_operands(kernel, ref, see_counted, &loop) == GP_WALK_WHOLE;
}

/* An exit that compares such, in every iteration: of one that some iterations pass over scalar evolution knows no more
 * than that it may be taken. */
static bool is_counted_exit(const struct decoder *d, uint32_t block, uint32_t loop)
{
    const struct gp_inst *end = gp_block_terminator(d->kernel, block);
    const struct gp_inst *test =
        end->op == GP_OP_CONDBR ? gp_inst_of(d->kernel, gp_operand_of(d->kernel, end, 0)) : NULL;
    return test != NULL && test->op == GP_OP_ICMP && gp_passes_by(d->kernel, loop, block) &&
           is_counted(d->kernel, loop, gp_operand_of(d->kernel, test, 0)) &&
           is_counted(d->kernel, loop, gp_operand_of(d->kernel, test, 1));
}

/* Of exits that all are counted scalar evolution's trip count is the least. */
static bool are_all_counted(const struct decoder *d, uint32_t loop)
{
    uint8_t bound = d->kernel->loops[loop].bound;
    if (bound != GP_BOUND_SCEV && bound != GP_BOUND_CONSTANT)
        return false;
    for (uint32_t b = 0; b < d->kernel->block_count; b++) {
        bool branches = gp_block_is_within(d->kernel, b, loop) &&
                        (d->ex->blocks[b].end == END_BRANCH || d->ex->blocks[b].end == END_SWITCH);
        if (branches && is_known_exit(d, b, loop) && !is_counted_exit(d, b, loop))
            return false;
    }
    return true;
}

void gp_look_at_loops(struct decoder *d)
{
    struct gp_executor *ex = d->ex;
    const struct gp_kernel *kernel = d->kernel;
    uint32_t *exits = calloc((size_t)kernel->loop_count + 1, sizeof *exits); /* that do not depend on data */
    for (uint32_t b = 0; b < kernel->block_count; b++) {
        const struct block *block = &ex->blocks[b];
        if (block->loop == GP_NONE)
            continue;
        struct loop *innermost = &ex->loops[block->loop];
        unsigned rank = exit_rank(d, b);
        if (rank && (innermost->exit == GP_NONE || rank >= exit_rank(d, innermost->exit)))
            innermost->exit = b;
        if (block->end == END_BRANCH || block->end == END_SWITCH)
            for (uint32_t loop = block->loop; loop != GP_NONE; loop = ex->loops[loop].parent)
                exits[loop] += is_known_exit(d, b, loop);
    }
    for (uint32_t i = 0; i < kernel->loop_count; i++) {
        struct loop *loop = &ex->loops[i];
        bool bounded =
            loop->trip_count != GP_NONE ? exits[i] <= 1 || are_all_counted(d, i) : loop->assumed && exits[i] == 0;
        loop->can_jump = bounded && ex->blocks[loop->header].heads == i;
        loop->varied = loop->can_jump && depends_on_iteration(d, i);
        if (loop->retries)
            find_retried(d, i);
        if (loop->assumed)
            find_factors(d, i);
    }
    free(exits);
    find_ends(d);
}
