/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Blocks, the edges between them, and what is computed in them. */
#include <stdlib.h>
#include <string.h>

#include "model/executor/decoder.h"
#include "model/value/inst_facts.h"

/* ---- Edges ------------------------------------------------------------------------------------------------------- */

/* Edges from block to block, grouped by where they lead, with the loops that each leaves. */

/* The k-th target of a terminator, GP_NONE beyond the last. A switch: default first. */
static uint32_t target_at(const struct decoder *d, const struct gp_inst *inst, uint32_t k)
{
    uint32_t operand;
    if (inst->op == GP_OP_BR)
        operand = k;
    else if (inst->op == GP_OP_CONDBR)
        operand = 1 + k;
    else if (inst->op == GP_OP_SWITCH)
        operand = k == 0 ? 1 : 1 + 2 * k;
    else
        return GP_NONE;
    if (operand >= inst->operand_count || gp_ref_kind(gp_operands(d, inst)[operand]) != GP_REF_BLOCK)
        return GP_NONE;
    return gp_ref_index(gp_operands(d, inst)[operand]);
}

/* The k-th target of a terminator, k below the limit; GP_NONE beyond the last. A switch: default first. */
static uint32_t target_limit(const struct gp_inst *inst) { return inst->operand_count; }

/* Loops that an edge leaves, from its block's innermost loop outwards. */
static uint32_t loops_left(const struct gp_executor *ex, uint32_t block, uint32_t target)
{
    uint32_t count = 0;
    for (uint32_t loop = ex->blocks[block].loop; loop != GP_NONE && !gp_block_is_within(ex->kernel, target, loop);
         loop = ex->loops[loop].parent)
        count++;
    return count;
}

/* First the number of edges, then the edges themselves, grouped by where they lead. */
void gp_make_edges(struct decoder *d)
{
    struct gp_executor *ex = d->ex;
    uint32_t blocks = d->kernel->block_count, *seen = d->edge_from;
    memset(seen, 0, blocks * sizeof *seen);
    for (uint32_t b = 0; b < blocks; b++) {
        const struct gp_inst *inst = gp_block_terminator(d->kernel, b);
        ex->blocks[b].first_out = d->out_count;
        for (uint32_t k = 0; k < target_limit(inst); k++) {
            uint32_t to = target_at(d, inst, k);
            if (to == GP_NONE || seen[to] == b + 1)
                continue;
            seen[to] = b + 1;
            ex->blocks[b].out_count++;
            ex->blocks[to].in_count++;
            d->out_count++;
        }
    }
    ex->edge_count = d->out_count;
    ex->edges = calloc((size_t)d->out_count + 1, sizeof *ex->edges);
    ex->out = calloc((size_t)d->out_count + 1, sizeof *ex->out);
    uint32_t first = 0;
    for (uint32_t b = 0; b < blocks; b++) {
        ex->blocks[b].first_in = first;
        first += ex->blocks[b].in_count;
        ex->blocks[b].in_count = 0;
    }
    memset(seen, 0, blocks * sizeof *seen);
    for (uint32_t b = 0; b < blocks; b++) {
        const struct gp_inst *inst = gp_block_terminator(d->kernel, b);
        uint32_t out = ex->blocks[b].first_out;
        for (uint32_t k = 0; k < target_limit(inst); k++) {
            uint32_t to = target_at(d, inst, k);
            if (to == GP_NONE || seen[to] == b + 1)
                continue;
            seen[to] = b + 1;
            uint32_t edge = ex->blocks[to].first_in + ex->blocks[to].in_count++;
            uint32_t heads = ex->blocks[to].heads;
            ex->edges[edge] = (struct edge){b, to, heads != GP_NONE && gp_block_is_within(ex->kernel, b, heads),
                                            loops_left(ex, b, to)};
            ex->out[out++] = edge;
        }
    }
}

/* ---- Phis -------------------------------------------------------------------------------------------------------- */

/* Phis: a source per edge, which of them are a loop's inductions or follow these an iteration behind, and which must be
 * written first. */

static uint32_t induction_of(const struct decoder *d, uint32_t block, uint32_t inst)
{
    for (uint32_t i = 0; i < d->kernel->induction_count; i++)
        if (d->kernel->inductions[i].phi == inst && d->kernel->loops[d->kernel->inductions[i].loop].header == block)
            return i;
    return GP_NONE;
}

/* A value that comes from inside the loop of which `block` is the header, as what the next iteration keeps of this
 * one's induction. */
static struct behind behind_of_value(const struct decoder *d, uint32_t block, gp_ref value)
{
    struct behind none = {GP_NONE, 0, GP_NONE}, behind = none;
    if (gp_ref_kind(value) != GP_REF_INST)
        return none;
    const struct gp_inst *inst = &d->kernel->insts[gp_ref_index(value)];
    behind.induction = induction_of(d, block, gp_ref_index(value));
    if (behind.induction != GP_NONE || (inst->op != GP_OP_ADD && inst->op != GP_OP_OR) || inst->operand_count != 2)
        return behind;
    const gp_ref *in = gp_operands(d, inst);
    if (gp_ref_kind(in[0]) != GP_REF_INST || gp_ref_kind(in[1]) != GP_REF_CONST)
        return none;
    return (struct behind){induction_of(d, block, gp_ref_index(in[0])), inst->op, gp_slot_of(d, in[1])};
}

/* By every edge from inside the loop. */
static struct behind behind_of_phi(const struct decoder *d, uint32_t block, const struct gp_inst *phi)
{
    const struct block *b = &d->ex->blocks[block];
    const gp_ref *in = gp_operands(d, phi);
    struct behind none = {GP_NONE, 0, GP_NONE}, found = none;
    for (uint32_t k = 0; k + 1 < phi->operand_count; k += 2) {
        uint32_t edge = gp_ref_kind(in[k]) == GP_REF_BLOCK ? d->edge_from[gp_ref_index(in[k])] : 0;
        if (edge == 0 || !d->ex->edges[b->first_in + edge - 1].back)
            continue;
        struct behind one = behind_of_value(d, block, in[k + 1]);
        bool same = one.induction == found.induction && one.and_then == found.and_then && one.number == found.number;
        if (one.induction == GP_NONE || (found.induction != GP_NONE && !same))
            return none;
        found = one;
    }
    return found;
}

static void decode_phi(struct decoder *d, uint32_t block, uint32_t index)
{
    struct gp_executor *ex = d->ex;
    struct block *b = &ex->blocks[block];
    const struct gp_inst *inst = &d->kernel->insts[index];
    struct phi *phi = &ex->phis[d->phi_count++];
    *phi = (struct phi){inst->bits, d->slot[index], d->more_count, induction_of(d, block, index), {GP_NONE, 0, GP_NONE},
                        GP_NONE};
    if (phi->induction == GP_NONE)
        phi->behind = behind_of_phi(d, block, inst);
    for (uint32_t k = 0; k < b->in_count; k++)
        ex->more[d->more_count + k] = SLOT_UNKNOWN;
    for (uint32_t k = 0; k + 1 < inst->operand_count; k += 2) {
        uint32_t from = gp_ref_index(gp_operands(d, inst)[k]);
        if (gp_ref_kind(gp_operands(d, inst)[k]) == GP_REF_BLOCK && d->edge_from[from])
            ex->more[d->more_count + d->edge_from[from] - 1] = gp_slot_of(d, gp_operands(d, inst)[k + 1]);
    }
    d->more_count += b->in_count;
    b->phi_count++;
}

/* Phis of a block are read before any is written. Those that a later one reads go through a slot of their own. */
static void stage_phis(struct decoder *d, struct block *b)
{
    struct gp_executor *ex = d->ex;
    for (uint32_t i = 0; i < b->phi_count; i++) {
        struct phi *phi = &ex->phis[b->first_phi + i];
        for (uint32_t later = i + 1; later < b->phi_count && phi->staged == GP_NONE; later++)
            for (uint32_t k = 0; k < b->in_count; k++)
                if (ex->more[ex->phis[b->first_phi + later].sources + k] == phi->dest)
                    phi->staged = ex->slot_count;
        if (phi->staged != GP_NONE) {
            ex->slot_count++;
            b->staged = true;
        }
    }
}

/* ---- Blocks ------------------------------------------------------------------------------------------------------ */

/* A block: the instructions that are executed, and how it ends. */

/* ---- Instructions ------------------------------------------------------------------------------------------------ */

static bool is_executed(const struct decoder *d, uint32_t index)
{
    switch (d->kernel->insts[index].op) {
    case GP_OP_LOAD:
    case GP_OP_STORE:
    case GP_OP_ATOMIC:
    case GP_OP_IMAGE_LOAD:
    case GP_OP_IMAGE_STORE:
    case GP_OP_BULK_COPY:
    case GP_OP_BARRIER: return true;
    case GP_OP_PHI:
    case GP_OP_BR:
    case GP_OP_CONDBR:
    case GP_OP_SWITCH:
    case GP_OP_RET: return false;
    default: return d->needed[index];
    }
}

enum op_kind gp_kind_of(const struct gp_inst *inst)
{
    switch (inst->op) {
    case GP_OP_ID: return KIND_ID;
    case GP_OP_LOAD:
    case GP_OP_STORE:
    case GP_OP_ATOMIC: return KIND_MEMORY;
    case GP_OP_IMAGE_LOAD:
    case GP_OP_IMAGE_STORE: return KIND_IMAGE;
    case GP_OP_BULK_COPY: return KIND_BULK;
    case GP_OP_BARRIER: return KIND_BARRIER;
    default: {
        unsigned arity = gp_operation_arity(inst->op);
        return arity && arity <= inst->operand_count ? KIND_PURE : KIND_OPAQUE;
    }
    }
}

void gp_decode_op(struct decoder *d, uint32_t index, struct op *op)
{
    struct gp_executor *ex = d->ex;
    const struct gp_inst *inst = &d->kernel->insts[index];
    const gp_ref *in = gp_operands(d, inst);
    memset(op, 0, sizeof *op);
    op->operation = (struct gp_operation){inst->op, inst->bits, inst->width, inst->sub};
    op->kind = (uint8_t)gp_kind_of(inst);
    op->flags = inst->flags;
    op->has_result = d->needed[index];
    op->dest = op->has_result ? d->slot[index] : SLOT_UNKNOWN;
    op->inst = index;
    op->retried = GP_NONE;
    op->memory = inst->record;
    op->taken_as_one = gp_is_loaded(d->kernel, inst) && d->scale[index] && op->has_result;
    op->other_element = gp_load_of_element(d->kernel, inst) != NULL;
    op->guessed_address = op->kind == KIND_MEMORY && inst->operand_count > 0 && gp_ref_kind(in[0]) == GP_REF_INST &&
                          d->scaled[gp_ref_index(in[0])];
    if (op->kind == KIND_PURE)
        for (op->arity = 0; op->arity < gp_operation_arity(inst->op); op->arity++)
            op->in[op->arity] = gp_slot_of(d, in[op->arity]);
    if (op->kind == KIND_MEMORY)
        op->in[0] = inst->operand_count ? gp_slot_of(d, in[0]) : SLOT_UNKNOWN;
    if (inst->op == GP_OP_ATOMIC && (d->kernel->memory[inst->record].flags & GP_MEMORY_COUNTS))
        op->step = gp_sign_extend(d->kernel->constants[gp_ref_index(in[1])], inst->bits);
    if (op->kind != KIND_IMAGE && op->kind != KIND_BULK && op->kind != KIND_OPAQUE)
        return;
    op->more = d->more_count;
    op->more_count = inst->operand_count;
    for (uint32_t i = 0; i < inst->operand_count; i++)
        ex->more[d->more_count++] = gp_slot_of(d, in[i]);
}

struct op *gp_op_of(struct decoder *d, uint32_t block, uint32_t inst)
{
    const struct block *b = &d->ex->blocks[block];
    for (uint32_t i = 0; i < b->op_count; i++)
        if (d->ex->ops[b->first_op + i].inst == inst)
            return &d->ex->ops[b->first_op + i];
    return NULL;
}

/* ---- Blocks ------------------------------------------------------------------------------------------------------ */

static unsigned bits_of(const struct gp_kernel *kernel, gp_ref ref)
{
    uint32_t index = gp_ref_index(ref);
    if (gp_ref_kind(ref) == GP_REF_INST)
        return kernel->insts[index].bits;
    return gp_ref_kind(ref) == GP_REF_PARAM ? kernel->params[index].bits : 64;
}

static void decode_end(struct decoder *d, uint32_t block)
{
    struct gp_executor *ex = d->ex;
    struct block *b = &ex->blocks[block];
    const struct gp_inst *inst = gp_block_terminator(d->kernel, block);
    b->branch = b->from = b->until = GP_NONE;
    b->probability = 0.5;
    b->end = b->out_count == 0          ? END_RETURN
             : b->out_count == 1        ? END_JUMP
             : inst->op == GP_OP_SWITCH ? END_SWITCH
                                        : END_BRANCH;
    if (b->end != END_BRANCH && b->end != END_SWITCH)
        return;
    b->condition = gp_slot_of(d, gp_operands(d, inst)[0]);
    b->branch = inst->record;
    if (b->branch != GP_NONE && d->kernel->branches[b->branch].has_probability)
        b->probability = d->kernel->branches[b->branch].probability / 65535.0;
    if (b->end == END_BRANCH)
        return;
    b->width = (uint8_t)bits_of(d->kernel, gp_operands(d, inst)[0]);
    b->targets = d->case_count;
    for (uint32_t k = 0; k < target_limit(inst); k++) {
        uint32_t to = target_at(d, inst, k), out = 0;
        if (to == GP_NONE)
            continue;
        while (ex->edges[ex->out[b->first_out + out]].to != to)
            out++;
        gp_ref value = k ? gp_operands(d, inst)[2 * k] : 0;
        uint64_t number = gp_ref_kind(value) == GP_REF_CONST ? d->kernel->constants[gp_ref_index(value)] : 0;
        ex->cases[d->case_count++] = (struct switch_case){number, out};
        b->target_count++;
    }
}

void gp_decode_block(struct decoder *d, uint32_t block)
{
    struct gp_executor *ex = d->ex;
    const struct gp_block *source = &d->kernel->blocks[block];
    struct block *b = &ex->blocks[block];
    b->first_op = d->op_count;
    b->first_phi = d->phi_count;
    for (uint32_t k = 0; k < b->in_count; k++)
        d->edge_from[ex->edges[b->first_in + k].from] = k + 1;
    for (uint32_t i = source->inst; i < source->inst + source->inst_count; i++) {
        b->instructions += d->kernel->insts[i].cost != GP_CLASS_FREE;
        if (is_executed(d, i)) {
            struct op *op = &ex->ops[d->op_count];
            gp_decode_op(d, i, op);
            if (op->kind == KIND_PURE)
                ex->makers[op->dest] = d->op_count;
            d->op_count++;
            b->op_count++;
        } else if (d->needed[i] && d->kernel->insts[i].op == GP_OP_PHI) {
            decode_phi(d, block, i);
        }
    }
    for (uint32_t k = 0; k < b->in_count; k++)
        d->edge_from[ex->edges[b->first_in + k].from] = 0;
    stage_phis(d, b);
    decode_end(d, block);
}

/* Sizes of the arrays that gp_decode_block() fills. */
void gp_make_block_arrays(struct decoder *d)
{
    struct gp_executor *ex = d->ex;
    const struct gp_kernel *kernel = d->kernel;
    size_t ops = 0, more = 0, phis = 0, cases = 0;
    for (uint32_t b = 0; b < kernel->block_count; b++)
        for (uint32_t i = 0; i < kernel->blocks[b].inst_count; i++) {
            uint32_t index = kernel->blocks[b].inst + i;
            const struct gp_inst *inst = &kernel->insts[index];
            ops += is_executed(d, index);
            if (inst->op == GP_OP_SWITCH)
                cases += inst->operand_count;
            if (inst->op != GP_OP_PHI)
                more += inst->operand_count;
            else if (d->needed[index]) {
                phis++;
                more += ex->blocks[b].in_count;
            }
        }
    for (uint32_t i = d->first_expression; i < kernel->inst_count; i++)
        more += kernel->insts[i].operand_count;
    more += (size_t)kernel->loop_count *
            (kernel->inst_count - d->first_expression); /* an expression may serve several loops */
    ex->ops = calloc(ops + 1, sizeof *ex->ops);
    ex->more = calloc(more + 1, sizeof *ex->more);
    ex->phis = calloc(phis + 1, sizeof *ex->phis);
    ex->cases = calloc(cases + 1, sizeof *ex->cases);
}

/* ---- Expressions ------------------------------------------------------------------------------------------------- */

/* What is computed where a loop starts: its trip count and its inductions' steps. */

/* Stamps the expressions that a value is computed from. */
static void stamp_expression(struct decoder *d, gp_ref ref, uint32_t stamp)
{
    if (gp_ref_kind(ref) == GP_REF_INST && gp_ref_index(ref) >= d->first_expression)
        d->stamp[gp_ref_index(ref)] = stamp;
}

/* Expressions of a loop, each after those it uses: these have smaller indices. Counts them only where `ops` is NULL. */
static uint32_t loop_expressions(struct decoder *d, uint32_t loop, struct op *ops)
{
    const struct gp_kernel *kernel = d->kernel;
    uint32_t stamp = loop + 1, count = 0;
    memset(d->stamp, 0, kernel->inst_count * sizeof *d->stamp);
    stamp_expression(d, kernel->loops[loop].trip_count, stamp);
    for (uint32_t i = 0; i < kernel->induction_count; i++)
        if (kernel->inductions[i].loop == loop)
            stamp_expression(d, kernel->inductions[i].step, stamp);
    for (uint32_t i = kernel->inst_count; i-- > d->first_expression;)
        for (uint32_t k = 0; d->stamp[i] == stamp && k < kernel->insts[i].operand_count; k++)
            stamp_expression(d, gp_operands(d, &kernel->insts[i])[k], stamp);
    for (uint32_t i = d->first_expression; i < kernel->inst_count; i++)
        if (d->stamp[i] == stamp && gp_kind_of(&kernel->insts[i]) != KIND_MEMORY) {
            if (ops)
                gp_decode_op(d, i, &ops[count]);
            count++;
        }
    return count;
}

void gp_decode_expressions(struct decoder *d)
{
    struct gp_executor *ex = d->ex;
    const struct gp_kernel *kernel = d->kernel;
    size_t total = 0;
    if (kernel->inst_count > d->first_expression)
        for (uint32_t i = 0; i < kernel->loop_count; i++)
            total += loop_expressions(d, i, NULL);
    ex->expression_ops = calloc(total + 1, sizeof *ex->expression_ops);
    for (uint32_t i = 0; i < kernel->loop_count; i++) {
        struct loop *loop = &ex->loops[i];
        gp_ref trip_count = kernel->loops[i].trip_count;
        loop->expressions = d->expression_count;
        if (kernel->inst_count > d->first_expression)
            loop->expression_count = loop_expressions(d, i, ex->expression_ops + d->expression_count);
        d->expression_count += loop->expression_count;
        if (gp_ref_kind(trip_count) != GP_REF_NONE) {
            loop->trip_count = gp_slot_of(d, trip_count);
            loop->trip_bits = (uint8_t)bits_of(kernel, trip_count);
        }
    }
}

void gp_decode_inductions(struct decoder *d)
{
    struct gp_executor *ex = d->ex;
    const struct gp_kernel *kernel = d->kernel;
    for (uint32_t i = 0; i < kernel->induction_count; i++) {
        const struct gp_induction *source = &kernel->inductions[i];
        ex->inductions[i] =
            (struct induction){ex->slot_count++, gp_slot_of(d, source->step), kernel->insts[source->phi].bits};
    }
}
