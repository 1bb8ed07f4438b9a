/*
 * A kernel, decoded for execution: only what decides control flow or an address is kept, in dense arrays.
 */
#include <stdlib.h>
#include <string.h>

#include "model/code/inst_facts.h"
#include "model/code/loop_exit.h"
#include "model/code/refs.h"
#include "model/executor/executor_internal.h"

struct decoder {
    struct gp_executor *ex;
    const struct gp_kernel *kernel;
    uint32_t first_expression; /* instructions from here on are expressions */
    bool *needed;             /* per instruction: its result is */
    bool *scale;              /* per instruction: a floating-point number that does nothing but scale indices */
    bool *scaled;             /* per instruction: depends on a load of such a number */
    uint32_t *work;           /* instructions whose operands are to be marked */
    uint32_t work_count;
    uint32_t *slot;           /* per instruction */
    uint32_t *stamp;          /* scratch per instruction */
    uint32_t *inside;         /* scratch per block: blocks of the loop at hand, ascending */
    uint32_t inside_count;
    uint32_t *edge_from;      /* scratch per block: index + 1 of its edge into the block at hand */
    uint32_t first_constant, first_array;
    uint32_t op_count, more_count, phi_count, out_count, case_count, expression_count;
};

static const gp_ref *operands(const struct decoder *d, const struct gp_inst *inst)
{
    return d->kernel->operands + inst->operand;
}

/* ---- What is needed -------------------------------------------------------------------------------------------- */

static void mark(struct decoder *d, gp_ref ref)
{
    uint32_t index = gp_ref_index(ref);
    if (gp_ref_kind(ref) != GP_REF_INST || d->needed[index])
        return;
    d->needed[index] = true;
    d->work[d->work_count++] = index;
}

/* Operands [first, end) of an instruction decide control flow or an address, whoever uses its result. */
static void rooted_operands(const struct gp_inst *inst, uint32_t *first, uint32_t *end)
{
    *first = *end = 0;
    switch (inst->op) {
    case GP_OP_CONDBR: case GP_OP_SWITCH: case GP_OP_LOAD: case GP_OP_STORE: case GP_OP_ATOMIC: *end = 1; break;
    case GP_OP_BULK_COPY: *end = 4; break;
    case GP_OP_IMAGE_LOAD: case GP_OP_IMAGE_STORE: *end = 4; break;
    default: break;
    }
    if (*end > inst->operand_count)
        *end = inst->operand_count;
}

/* The load of which the instruction is another element than the first; NULL: it is none. */
static const struct gp_inst *load_of_element(const struct gp_kernel *kernel, const struct gp_inst *inst)
{
    gp_ref of = inst->operand_count == 1 ? kernel->operands[inst->operand] : 0;
    bool element = inst->op == GP_OP_WEIGHT && inst->cost == GP_CLASS_FREE && gp_ref_kind(of) == GP_REF_INST && kernel->insts[gp_ref_index(of)].op == GP_OP_LOAD;
    return element ? &kernel->insts[gp_ref_index(of)] : NULL;
}

static void mark_operands(struct decoder *d, uint32_t index)
{
    const struct gp_inst *inst = &d->kernel->insts[index];
    uint32_t first = 0, end = 0;
    if (inst->op == GP_OP_PHI || inst->op == GP_OP_CALL || inst->op == GP_OP_SHUFFLE)
        end = inst->operand_count;
    else if (gp_operation_arity(inst->op))
        end = gp_operation_arity(inst->op);
    else if (load_of_element(d->kernel, inst) != NULL)
        end = 1;
    for (uint32_t i = first; i < end && i < inst->operand_count; i++)
        mark(d, operands(d, inst)[i]);
}

static void mark_needed(struct decoder *d)
{
    const struct gp_kernel *kernel = d->kernel;
    for (uint32_t i = 0; i < d->first_expression; i++) {
        uint32_t first, end;
        rooted_operands(&kernel->insts[i], &first, &end);
        for (uint32_t k = first; k < end; k++)
            mark(d, operands(d, &kernel->insts[i])[k]);
    }
    for (uint32_t i = 0; i < kernel->loop_count; i++)
        mark(d, kernel->loops[i].trip_count);
    for (uint32_t i = 0; i < kernel->induction_count; i++)
        mark(d, kernel->inductions[i].step);
    while (d->work_count)
        mark_operands(d, d->work[--d->work_count]);
}

/* ---- Floating-point coordinates -------------------------------------------------------------------------------- */

static bool makes_float(enum gp_op op)
{
    return gp_operation_is_float(op) || op == GP_OP_UITOFP || op == GP_OP_SITOFP || op == GP_OP_FPTRUNC || op == GP_OP_FPEXT;
}

/* ---- Numbers that scale indices --------------------------------------------------------------------------------- */

/*
 * A floating-point number that is loaded for the whole warp and used for nothing but indices, as in a[(int)(x * scale[k])], is taken to
 * be 1: neighbours stay about as near to each other as they are, where an unknown number would scatter them. A guess, and counted as
 * one.
 */
static bool is_float_arithmetic(const struct gp_inst *inst)
{
    return makes_float(inst->op) && inst->op != GP_OP_UITOFP && inst->op != GP_OP_SITOFP;
}

static bool is_loaded(const struct gp_kernel *kernel, const struct gp_inst *inst) { return inst->op == GP_OP_LOAD || load_of_element(kernel, inst) != NULL; }

static bool may_be_scale(const struct gp_kernel *kernel, const struct gp_inst *inst)
{
    if (is_float_arithmetic(inst))
        return true;
    if (load_of_element(kernel, inst) != NULL)
        inst = load_of_element(kernel, inst);
    return inst->op == GP_OP_LOAD && (inst->flags & GP_INST_UNIFORM) && (inst->bits == 32 || inst->bits == 64) &&
           kernel->memory[inst->record].space != GP_SPACE_PRIVATE;
}

static bool is_used_by(const struct decoder *d, const struct gp_inst *inst, uint32_t index, uint32_t operand)
{
    uint32_t first, end;
    if (d->needed[index])
        return inst->op != GP_OP_LOAD || operand == 0;
    rooted_operands(inst, &first, &end);
    return operand >= first && operand < end;
}

/* One round: what is used for anything else is no scale. Returns whether something changed. */
static bool strike_scales(struct decoder *d)
{
    bool changed = false;
    for (uint32_t i = 0; i < d->kernel->inst_count; i++) {
        const struct gp_inst *inst = &d->kernel->insts[i];
        bool converts = inst->op == GP_OP_FPTOUI || inst->op == GP_OP_FPTOSI;
        if (converts || load_of_element(d->kernel, inst) != NULL || (is_float_arithmetic(inst) && d->scale[i]))
            continue;
        for (uint32_t k = 0; k < inst->operand_count; k++) {
            gp_ref ref = operands(d, inst)[k];
            if (gp_ref_kind(ref) != GP_REF_INST || !d->scale[gp_ref_index(ref)] || !is_used_by(d, inst, i, k))
                continue;
            d->scale[gp_ref_index(ref)] = false;
            changed = true;
        }
    }
    return changed;
}

static bool spread_scaled(struct decoder *d)
{
    bool changed = false;
    for (uint32_t i = 0; i < d->kernel->inst_count; i++) {
        const struct gp_inst *inst = &d->kernel->insts[i];
        bool scaled = is_loaded(d->kernel, inst) && d->scale[i] && d->needed[i];
        for (uint32_t k = 0; k < inst->operand_count && inst->op != GP_OP_LOAD; k++) {
            gp_ref ref = operands(d, inst)[k];
            scaled = scaled || (gp_ref_kind(ref) == GP_REF_INST && d->scaled[gp_ref_index(ref)]);
        }
        changed = changed || (scaled && !d->scaled[i]);
        d->scaled[i] = d->scaled[i] || scaled;
    }
    return changed;
}

static void find_scales(struct decoder *d)
{
    enum { ROUNDS = 16 };
    for (uint32_t i = 0; i < d->kernel->inst_count; i++)
        d->scale[i] = may_be_scale(d->kernel, &d->kernel->insts[i]);
    int round = 0;
    while (round < ROUNDS && strike_scales(d))
        round++;
    if (round == ROUNDS) /* a chain too long to follow: nothing is taken for granted */
        memset(d->scale, 0, d->kernel->inst_count * sizeof *d->scale);
    for (round = 0; round < ROUNDS && spread_scaled(d); round++)
        ;
}

/* ---- Slots ----------------------------------------------------------------------------------------------------- */

static uint32_t slot_of(const struct decoder *d, gp_ref ref)
{
    const struct gp_kernel *kernel = d->kernel;
    uint32_t index = gp_ref_index(ref);
    switch (gp_ref_kind(ref)) {
    case GP_REF_INST: return d->needed[index] ? d->slot[index] : SLOT_UNKNOWN;
    case GP_REF_CONST: return d->first_constant + index;
    case GP_REF_PARAM: return d->ex->first_param + index;
    case GP_REF_LOCAL: return d->first_array + index;
    case GP_REF_GLOBAL: return d->first_array + kernel->local_count + index;
    case GP_REF_PRIVATE: return d->first_array + kernel->local_count + kernel->global_count + index;
    default: return SLOT_UNKNOWN;
    }
}

static uint8_t alignment_bits(uint32_t alignment)
{
    return alignment ? (uint8_t)__builtin_ctz(alignment) : 0;
}

/* Buffers start at a multiple of 256 (gp_access says so), arrays at what the compiler gave them. */
static void set_alignments(const struct gp_kernel *kernel, uint8_t *alignment)
{
    uint32_t symbol = 1;
    for (uint32_t i = 0; i < kernel->param_count; i++) {
        uint8_t kind = kernel->params[i].kind;
        alignment[symbol++] = kind == GP_PARAM_BUFFER || kind == GP_PARAM_LOCAL ? 8 : 0;
    }
    for (uint32_t i = 0; i < kernel->local_count; i++)
        alignment[symbol++] = alignment_bits(kernel->locals[i].alignment);
    for (uint32_t i = 0; i < kernel->global_count; i++)
        alignment[symbol++] = alignment_bits(kernel->globals[i].alignment);
    for (uint32_t i = 0; i < kernel->private_count; i++)
        alignment[symbol++] = alignment_bits(kernel->privates[i].alignment);
}

static void set_uniform(struct slot *slot, uint32_t symbol, uint64_t offset)
{
    slot->shape = SHAPE_UNIFORM;
    slot->symbol = symbol;
    slot->offset = offset;
    slot->owner = ~(gp_mask)0;
}

static void set_fixed_slots(struct decoder *d)
{
    struct gp_executor *ex = d->ex;
    const struct gp_kernel *kernel = d->kernel;
    uint32_t arrays = kernel->local_count + kernel->global_count + kernel->private_count;
    set_uniform(&ex->slots[SLOT_UNKNOWN], GP_SYMBOL_UNKNOWN, 0);
    set_uniform(&ex->slots[SLOT_NUMBER], GP_SYMBOL_KNOWN, 0);
    for (uint32_t i = 0; i < kernel->param_count; i++)
        set_uniform(&ex->slots[ex->first_param + i], 1 + i, 0);
    for (uint32_t i = 0; i < kernel->constant_count; i++)
        set_uniform(&ex->slots[d->first_constant + i], GP_SYMBOL_KNOWN, kernel->constants[i]);
    for (uint32_t i = 0; i < arrays; i++)
        set_uniform(&ex->slots[d->first_array + i], 1 + kernel->param_count + i, 0);
}

static bool make_slots(struct decoder *d)
{
    struct gp_executor *ex = d->ex;
    const struct gp_kernel *kernel = d->kernel;
    ex->first_param = SLOT_FIRST_FIXED;
    d->first_constant = ex->first_param + kernel->param_count;
    d->first_array = d->first_constant + kernel->constant_count;
    ex->first_dynamic = d->first_array + kernel->local_count + kernel->global_count + kernel->private_count;
    uint32_t next = ex->first_dynamic;
    for (uint32_t i = 0; i < kernel->inst_count; i++)
        if (d->needed[i])
            d->slot[i] = next++;
    uint32_t phis = 0;
    for (uint32_t i = 0; i < d->first_expression; i++)
        phis += d->needed[i] && kernel->insts[i].op == GP_OP_PHI;
    ex->slot_count = next + phis + kernel->induction_count; /* room for staged phis and starts of inductions */

    ex->slots = calloc(ex->slot_count, sizeof *ex->slots);
    ex->alignment = calloc((size_t)ex->first_dynamic + 1, sizeof *ex->alignment);
    if (!ex->slots || !ex->alignment)
        return false;
    ex->slot_count = next; /* grows again as phis and inductions take theirs */
    ex->symbol_count = kernel->param_count + kernel->local_count + kernel->global_count + kernel->private_count;
    set_alignments(kernel, ex->alignment);
    set_fixed_slots(d);
    return true;
}

/* ---- Edges ----------------------------------------------------------------------------------------------------- */

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
    if (operand >= inst->operand_count || gp_ref_kind(operands(d, inst)[operand]) != GP_REF_BLOCK)
        return GP_NONE;
    return gp_ref_index(operands(d, inst)[operand]);
}

static uint32_t target_limit(const struct gp_inst *inst) { return inst->operand_count; }

/* Loops that an edge leaves, from its block's innermost loop outwards. */
static uint32_t loops_left(const struct gp_executor *ex, uint32_t block, uint32_t target)
{
    uint32_t count = 0;
    for (uint32_t loop = ex->blocks[block].loop; loop != GP_NONE && !gp_executor_inside(ex, target, loop);
         loop = ex->loops[loop].parent)
        count++;
    return count;
}

/* First the number of edges, then the edges themselves, grouped by where they lead. */
static bool make_edges(struct decoder *d)
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
    if (!ex->edges || !ex->out)
        return false;
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
            ex->edges[edge] =
                (struct edge){b, to, heads != GP_NONE && gp_executor_inside(ex, b, heads), loops_left(ex, b, to)};
            ex->out[out++] = edge;
        }
    }
    return true;
}

/* ---- Instructions ---------------------------------------------------------------------------------------------- */

static bool is_executed(const struct decoder *d, uint32_t index)
{
    switch (d->kernel->insts[index].op) {
    case GP_OP_LOAD: case GP_OP_STORE: case GP_OP_ATOMIC: case GP_OP_IMAGE_LOAD: case GP_OP_IMAGE_STORE:
    case GP_OP_BULK_COPY: case GP_OP_BARRIER:
        return true;
    case GP_OP_PHI: case GP_OP_BR: case GP_OP_CONDBR: case GP_OP_SWITCH: case GP_OP_RET:
        return false;
    default:
        return d->needed[index];
    }
}

static enum op_kind kind_of(const struct gp_inst *inst)
{
    switch (inst->op) {
    case GP_OP_ID: return KIND_ID;
    case GP_OP_LOAD: case GP_OP_STORE: case GP_OP_ATOMIC: return KIND_MEMORY;
    case GP_OP_IMAGE_LOAD: case GP_OP_IMAGE_STORE: return KIND_IMAGE;
    case GP_OP_BULK_COPY: return KIND_BULK;
    case GP_OP_BARRIER: return KIND_BARRIER;
    default: {
        unsigned arity = gp_operation_arity(inst->op);
        return arity && arity <= inst->operand_count ? KIND_PURE : KIND_OPAQUE;
    }
    }
}

static void decode_op(struct decoder *d, uint32_t index, struct op *op)
{
    struct gp_executor *ex = d->ex;
    const struct gp_inst *inst = &d->kernel->insts[index];
    const gp_ref *in = operands(d, inst);
    memset(op, 0, sizeof *op);
    op->operation = (struct gp_operation){inst->op, inst->bits, inst->width, inst->sub};
    op->kind = (uint8_t)kind_of(inst);
    op->flags = inst->flags;
    op->has_result = d->needed[index];
    op->dest = op->has_result ? d->slot[index] : SLOT_UNKNOWN;
    op->inst = index;
    op->retried = GP_NONE;
    op->memory = inst->record;
    op->taken_as_one = is_loaded(d->kernel, inst) && d->scale[index] && op->has_result;
    op->other_element = load_of_element(d->kernel, inst) != NULL;
    op->guessed_address = op->kind == KIND_MEMORY && inst->operand_count > 0 && gp_ref_kind(in[0]) == GP_REF_INST && d->scaled[gp_ref_index(in[0])];
    if (op->kind == KIND_PURE)
        for (op->arity = 0; op->arity < gp_operation_arity(inst->op); op->arity++)
            op->in[op->arity] = slot_of(d, in[op->arity]);
    if (op->kind == KIND_MEMORY)
        op->in[0] = inst->operand_count ? slot_of(d, in[0]) : SLOT_UNKNOWN;
    if (inst->op == GP_OP_ATOMIC && (d->kernel->memory[inst->record].flags & GP_MEMORY_COUNTS))
        op->step = gp_sign_extend(d->kernel->constants[gp_ref_index(in[1])], inst->bits);
    if (op->kind != KIND_IMAGE && op->kind != KIND_BULK && op->kind != KIND_OPAQUE)
        return;
    op->more = d->more_count;
    op->more_count = inst->operand_count;
    for (uint32_t i = 0; i < inst->operand_count; i++)
        ex->more[d->more_count++] = slot_of(d, in[i]);
}

static uint32_t induction_of(const struct decoder *d, uint32_t block, uint32_t inst)
{
    for (uint32_t i = 0; i < d->kernel->induction_count; i++)
        if (d->kernel->inductions[i].phi == inst && d->kernel->loops[d->kernel->inductions[i].loop].header == block)
            return i;
    return GP_NONE;
}

/* A value that comes from inside the loop of which `block` is the header, as what the next iteration keeps of this one's induction. */
static struct behind behind_of_value(const struct decoder *d, uint32_t block, gp_ref value)
{
    struct behind none = {GP_NONE, 0, GP_NONE}, behind = none;
    if (gp_ref_kind(value) != GP_REF_INST)
        return none;
    const struct gp_inst *inst = &d->kernel->insts[gp_ref_index(value)];
    behind.induction = induction_of(d, block, gp_ref_index(value));
    if (behind.induction != GP_NONE || (inst->op != GP_OP_ADD && inst->op != GP_OP_OR) || inst->operand_count != 2)
        return behind;
    const gp_ref *in = operands(d, inst);
    if (gp_ref_kind(in[0]) != GP_REF_INST || gp_ref_kind(in[1]) != GP_REF_CONST)
        return none;
    return (struct behind){induction_of(d, block, gp_ref_index(in[0])), inst->op, slot_of(d, in[1])};
}

/* By every edge from inside the loop. */
static struct behind behind_of_phi(const struct decoder *d, uint32_t block, const struct gp_inst *phi)
{
    const struct block *b = &d->ex->blocks[block];
    const gp_ref *in = operands(d, phi);
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
    *phi = (struct phi){inst->bits, d->slot[index], d->more_count, induction_of(d, block, index), {GP_NONE, 0, GP_NONE}, GP_NONE};
    if (phi->induction == GP_NONE)
        phi->behind = behind_of_phi(d, block, inst);
    for (uint32_t k = 0; k < b->in_count; k++)
        ex->more[d->more_count + k] = SLOT_UNKNOWN;
    for (uint32_t k = 0; k + 1 < inst->operand_count; k += 2) {
        uint32_t from = gp_ref_index(operands(d, inst)[k]);
        if (gp_ref_kind(operands(d, inst)[k]) == GP_REF_BLOCK && d->edge_from[from])
            ex->more[d->more_count + d->edge_from[from] - 1] = slot_of(d, operands(d, inst)[k + 1]);
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
    b->condition = slot_of(d, operands(d, inst)[0]);
    b->branch = inst->record;
    if (b->branch != GP_NONE && d->kernel->branches[b->branch].has_probability)
        b->probability = d->kernel->branches[b->branch].probability / 65535.0;
    if (b->end == END_BRANCH)
        return;
    b->width = (uint8_t)bits_of(d->kernel, operands(d, inst)[0]);
    b->targets = d->case_count;
    for (uint32_t k = 0; k < target_limit(inst); k++) {
        uint32_t to = target_at(d, inst, k), out = 0;
        if (to == GP_NONE)
            continue;
        while (ex->edges[ex->out[b->first_out + out]].to != to)
            out++;
        gp_ref value = k ? operands(d, inst)[2 * k] : 0;
        uint64_t number = gp_ref_kind(value) == GP_REF_CONST ? d->kernel->constants[gp_ref_index(value)] : 0;
        ex->cases[d->case_count++] = (struct switch_case){number, out};
        b->target_count++;
    }
}

static void decode_block(struct decoder *d, uint32_t block)
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
            decode_op(d, i, &ex->ops[d->op_count++]);
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

/* Sizes of the arrays that decode_block() fills. */
static bool make_arrays(struct decoder *d)
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
    return ex->ops && ex->more && ex->phis && ex->cases;
}

/* ---- Loops ----------------------------------------------------------------------------------------------------- */

bool gp_executor_inside(const struct gp_executor *ex, uint32_t block, uint32_t loop)
{
    uint32_t at = ex->blocks[block].loop;
    while (at != GP_NONE && at > loop)
        at = ex->loops[at].parent;
    return at == loop;
}

static void make_loops(struct decoder *d)
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
            stamp_expression(d, operands(d, &kernel->insts[i])[k], stamp);
    for (uint32_t i = d->first_expression; i < kernel->inst_count; i++)
        if (d->stamp[i] == stamp && kind_of(&kernel->insts[i]) != KIND_MEMORY) {
            if (ops)
                decode_op(d, i, &ops[count]);
            count++;
        }
    return count;
}

static bool decode_expressions(struct decoder *d)
{
    struct gp_executor *ex = d->ex;
    const struct gp_kernel *kernel = d->kernel;
    size_t total = 0;
    if (kernel->inst_count > d->first_expression)
        for (uint32_t i = 0; i < kernel->loop_count; i++)
            total += loop_expressions(d, i, NULL);
    ex->expression_ops = calloc(total + 1, sizeof *ex->expression_ops);
    if (!ex->expression_ops)
        return false;
    for (uint32_t i = 0; i < kernel->loop_count; i++) {
        struct loop *loop = &ex->loops[i];
        gp_ref trip_count = kernel->loops[i].trip_count;
        loop->expressions = d->expression_count;
        if (kernel->inst_count > d->first_expression)
            loop->expression_count = loop_expressions(d, i, ex->expression_ops + d->expression_count);
        d->expression_count += loop->expression_count;
        if (gp_ref_kind(trip_count) != GP_REF_NONE) {
            loop->trip_count = slot_of(d, trip_count);
            loop->trip_bits = (uint8_t)bits_of(kernel, trip_count);
        }
    }
    return true;
}

static void decode_inductions(struct decoder *d)
{
    struct gp_executor *ex = d->ex;
    const struct gp_kernel *kernel = d->kernel;
    for (uint32_t i = 0; i < kernel->induction_count; i++) {
        const struct gp_induction *source = &kernel->inductions[i];
        ex->inductions[i] = (struct induction){ex->slot_count++, slot_of(d, source->step), kernel->insts[source->phi].bits};
    }
}

/* Whether a branch of a loop (or of a loop inside) leaves it for another reason than data. */
static bool is_known_exit(const struct decoder *d, uint32_t block, uint32_t loop)
{
    const struct gp_executor *ex = d->ex;
    const struct block *b = &ex->blocks[block];
    uint32_t inside = 0;
    for (uint32_t k = 0; k < b->out_count; k++)
        inside += gp_executor_inside(ex, ex->edges[ex->out[b->first_out + k]].to, loop);
    bool data = b->branch != GP_NONE && d->kernel->branches[b->branch].kind == GP_BRANCH_DATA;
    return inside < b->out_count && !data;
}

static bool is_stamped(const struct decoder *d, gp_ref ref) { return gp_ref_kind(ref) == GP_REF_INST && d->stamp[gp_ref_index(ref)]; }

/* Stamps what follows the stamped phis of the loop's header, iteration by iteration. What is loaded is not known, whatever its address. */
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
            bool may = d->needed[i] && (inst->op == GP_OP_PHI ? block != header : kind_of(inst) == KIND_PURE);
            for (uint32_t k = 0; may && !d->stamp[i] && k < inst->operand_count; k++)
                d->stamp[i] = is_stamped(d, operands(d, inst)[k]);
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
            changes = changes || is_stamped(d, operands(d, inst)[k]);
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
        if (gp_executor_inside(d->ex, block, loop))
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

/* Whether a branch that stays in the loop (not an inner loop's exit) goes another way from iteration to iteration, as far as is known. */
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
        if (stays && end->operand_count && is_stamped(d, operands(d, end)[0]))
            return true;
    }
    return false;
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

static struct op *op_of(struct decoder *d, uint32_t block, uint32_t inst)
{
    const struct block *b = &d->ex->blocks[block];
    for (uint32_t i = 0; i < b->op_count; i++)
        if (d->ex->ops[b->first_op + i].inst == inst)
            return &d->ex->ops[b->first_op + i];
    return NULL;
}

/* The atomic operation that a condition asks about, through comparisons and casts; NULL: there is none. */
static const struct gp_inst *asked_about(const struct gp_kernel *kernel, gp_ref ref, unsigned depth)
{
    const struct gp_inst *inst = gp_inst_of(kernel, ref), *found = NULL;
    if (inst == NULL || inst->op == GP_OP_ATOMIC || depth == 0)
        return inst != NULL && inst->op == GP_OP_ATOMIC ? inst : NULL;
    bool through = gp_op_is_cast((enum gp_op)inst->op) || inst->op == GP_OP_COPY || inst->op == GP_OP_ICMP || inst->op == GP_OP_FCMP || inst->op == GP_OP_XOR || inst->op == GP_OP_WEIGHT;
    for (uint32_t i = 0; through && found == NULL && i < inst->operand_count; i++)
        found = asked_about(kernel, gp_operand_of(kernel, inst, i), depth - 1);
    return found;
}

/* Marks the exchange that a loop goes round for: what its exit asks about. Where that is not to be seen, the loop is one of which nothing is known. */
static void find_retried(struct decoder *d, uint32_t loop)
{
    enum { DEEPEST = 6 };
    struct gp_executor *ex = d->ex;
    const struct gp_inst *exchange = NULL;
    for (uint32_t b = 0; exchange == NULL && b < d->kernel->block_count; b++)
        if (ex->blocks[b].loop == loop && ex->blocks[b].end == END_BRANCH && exit_rank(d, b) > 0)
            exchange = asked_about(d->kernel, operands(d, gp_block_terminator(d->kernel, b))[0], DEEPEST);
    for (uint32_t b = 0; exchange != NULL && b < d->kernel->block_count; b++) {
        struct op *op = ex->blocks[b].loop == loop ? op_of(d, b, (uint32_t)(exchange - d->kernel->insts)) : NULL;
        if (op == NULL)
            continue;
        op->retried = loop;
        return;
    }
    ex->loops[loop].retries = false;
    ex->loops[loop].assumed = true;
}

/* The buffer or array that an address is a sum with; GP_REF_NONE: none, or several. */
static gp_ref buffer_of(const struct gp_kernel *kernel, gp_ref ref, unsigned depth)
{
    const struct gp_inst *inst = gp_inst_of(kernel, ref);
    enum gp_ref_kind kind = gp_ref_kind(ref);
    bool param = kind == GP_REF_PARAM && (kernel->params[gp_ref_index(ref)].kind == GP_PARAM_BUFFER || kernel->params[gp_ref_index(ref)].kind == GP_PARAM_LOCAL);
    if (param || kind == GP_REF_LOCAL || kind == GP_REF_GLOBAL || kind == GP_REF_PRIVATE)
        return ref;
    if (inst == NULL || depth == 0 || (inst->op != GP_OP_ADD && inst->op != GP_OP_UMIN && inst->op != GP_OP_UMAX))
        return GP_REF_NONE;
    gp_ref a = buffer_of(kernel, gp_operand_of(kernel, inst, 0), depth - 1), b = buffer_of(kernel, gp_operand_of(kernel, inst, 1), depth - 1);
    if (inst->op != GP_OP_ADD)
        return a == b ? a : GP_REF_NONE;
    return a == GP_REF_NONE ? b : b == GP_REF_NONE ? a : GP_REF_NONE;
}

/* A comparison of addresses in two buffers. */
static bool compares_buffers(const struct gp_kernel *kernel, gp_ref ref, gp_ref buffers[2])
{
    enum { DEEPEST = 8 };
    const struct gp_inst *inst = gp_inst_of(kernel, ref);
    for (uint32_t i = 0; i < 2; i++)
        buffers[i] = inst != NULL && inst->op == GP_OP_ICMP ? buffer_of(kernel, gp_operand_of(kernel, inst, i), DEEPEST) : GP_REF_NONE;
    return buffers[0] != GP_REF_NONE && buffers[1] != GP_REF_NONE && buffers[0] != buffers[1];
}

/*
 * What compilers ask before they choose between two versions of a loop: `a < b_end && b < a_end`, of two buffers. One comparison alone, or two of other buffers, may be of
 * the ends of one.
 */
static void find_overlap_checks(struct decoder *d)
{
    const struct gp_kernel *kernel = d->kernel;
    for (uint32_t i = 0; i < d->first_expression; i++) {
        const struct gp_inst *inst = &kernel->insts[i];
        gp_ref x[2], y[2];
        if (inst->bits != 1 || (inst->op != GP_OP_AND && inst->op != GP_OP_OR && inst->op != GP_OP_SELECT))
            continue;
        gp_ref one = gp_operand_of(kernel, inst, 0), other = gp_operand_of(kernel, inst, 1);
        if (inst->op == GP_OP_SELECT && gp_ref_kind(other) == GP_REF_CONST) /* a || b */
            other = gp_operand_of(kernel, inst, 2);
        if (!compares_buffers(kernel, one, x) || !compares_buffers(kernel, other, y) || (x[0] != y[0] && x[0] != y[1]) || (x[1] != y[0] && x[1] != y[1]))
            continue;
        for (uint32_t k = 0; k < 2; k++) {
            uint32_t half = gp_ref_index(k ? other : one);
            struct op *op = op_of(d, gp_inst_block(kernel, half), half);
            if (op != NULL)
                op->asks_for_overlap = true;
        }
    }
}

static void note_count(struct decoder *d, uint32_t block, gp_ref from, const struct gp_loop_exit *out)
{
    struct block *b = &d->ex->blocks[block];
    gp_ref step = out->counter->step;
    int64_t stride = gp_signed_constant(d->kernel, step, d->kernel->insts[out->counter->phi].bits);
    b->from = slot_of(d, from);
    b->until = slot_of(d, out->end);
    b->stride = stride < 0 ? -stride : stride > 0 ? stride : 1;
}

/*
 * Branches that ask whether a loop that ends where data says goes round at all: it is taken to do so, since so many iterations are assumed of it; the way past it is as rare as one that the compiler
 * takes to be (once in 2001).
 */
static void find_guards(struct decoder *d, uint32_t loop, const struct gp_loop_exit *exits)
{
    const struct gp_loop_exit *out = &exits[loop];
    struct gp_loop_exit other = *out;
    do
        note_count(d, other.block, gp_ref_make(GP_REF_INST, other.counter->phi), &other);
    while (gp_find_loop_exit(d->kernel, loop, other.block + 1, &other));
    for (uint32_t i = 0; i < d->kernel->loop_count; i++)
        if (i != loop && exits[i].counter != NULL && d->ex->loops[i].parent == d->ex->loops[loop].parent && gp_is_rest_of_loop(d->kernel, &exits[i], out))
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
static bool find_ends(struct decoder *d)
{
    uint32_t count = d->kernel->loop_count;
    struct gp_loop_exit *exits = calloc((size_t)count + 1, sizeof *exits);
    if (exits == NULL)
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (d->ex->loops[i].assumed && !gp_find_loop_exit(d->kernel, i, 0, &exits[i]))
            exits[i].counter = NULL;
    for (uint32_t i = 0; i < count; i++)
        if (exits[i].counter != NULL)
            find_guards(d, i, exits);
    free(exits);
    return true;
}

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

/* Parts of one loop, which stand side by side at one place of the source and count by multiples of the shortest step. */
static bool are_parts(const struct decoder *d, uint32_t a, uint32_t b)
{
    const struct gp_loop *x = &d->kernel->loops[a], *y = &d->kernel->loops[b];
    return a != b && y->bound == GP_BOUND_ASSUMED && x->parent == y->parent && x->location == y->location && x->location != GP_NONE && longest_step(d->kernel, b) > 0;
}

static void find_parts(struct decoder *d, uint32_t index)
{
    struct loop *loop = &d->ex->loops[index];
    uint64_t own = longest_step(d->kernel, index), shortest = own;
    for (uint32_t i = 0; i < d->kernel->loop_count; i++)
        if (are_parts(d, index, i) && longest_step(d->kernel, i) < shortest)
            shortest = longest_step(d->kernel, i);
    for (uint32_t i = 0; own > 0 && i < d->kernel->loop_count; i++) {
        uint64_t step = are_parts(d, index, i) ? longest_step(d->kernel, i) : own;
        if (step == own || own % shortest != 0 || step % shortest != 0 || step / shortest > UINT16_MAX || own / shortest > UINT16_MAX)
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

static bool look_at_loops(struct decoder *d)
{
    struct gp_executor *ex = d->ex;
    const struct gp_kernel *kernel = d->kernel;
    uint32_t *exits = calloc((size_t)kernel->loop_count + 1, sizeof *exits); /* that do not depend on data */
    if (!exits)
        return false;
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
        bool bounded = loop->trip_count != GP_NONE ? exits[i] <= 1 : loop->assumed && exits[i] == 0;
        loop->can_jump = bounded && ex->blocks[loop->header].heads == i;
        loop->varied = loop->can_jump && depends_on_iteration(d, i);
        if (loop->retries)
            find_retried(d, i);
        if (loop->assumed)
            find_parts(d, i);
    }
    free(exits);
    return find_ends(d);
}

/* Types are not kept, so a float is what comes from a floating-point operation, through selects and phis. */
static bool find_floats(struct decoder *d)
{
    const struct gp_kernel *kernel = d->kernel;
    bool images = false, changed = true;
    for (uint32_t i = 0; i < d->first_expression; i++)
        images = images || kernel->insts[i].op == GP_OP_IMAGE_LOAD || kernel->insts[i].op == GP_OP_IMAGE_STORE;
    if (!images)
        return true;
    bool *is_float = d->ex->float_value = calloc((size_t)kernel->inst_count + 1, sizeof *is_float);
    if (!is_float)
        return false;
    for (uint32_t i = 0; i < kernel->inst_count; i++)
        is_float[i] = makes_float(kernel->insts[i].op);
    for (int pass = 0; pass < 8 && changed; pass++) {
        changed = false;
        for (uint32_t i = 0; i < kernel->inst_count; i++) {
            const struct gp_inst *inst = &kernel->insts[i];
            if (is_float[i] || (inst->op != GP_OP_PHI && inst->op != GP_OP_SELECT))
                continue;
            for (uint32_t k = inst->op == GP_OP_SELECT; k < inst->operand_count; k++) {
                gp_ref ref = operands(d, inst)[k];
                if (gp_ref_kind(ref) == GP_REF_INST && is_float[gp_ref_index(ref)])
                    is_float[i] = changed = true;
            }
        }
    }
    return true;
}

/* ---- Values that stay in their loop ---------------------------------------------------------------------------- */

/* A value is used in a block: where that lies outside the loop it is computed in, its slot is not local. */
static void note_use(struct decoder *d, const uint32_t *home, gp_ref ref, uint32_t block)
{
    uint32_t index = gp_ref_index(ref);
    if (gp_ref_kind(ref) != GP_REF_INST || !d->needed[index])
        return;
    struct slot *slot = &d->ex->slots[d->slot[index]];
    slot->local = slot->local && block != GP_NONE && gp_executor_inside(d->ex, block, home[index]);
}

static bool find_local_values(struct decoder *d)
{
    struct gp_executor *ex = d->ex;
    const struct gp_kernel *kernel = d->kernel;
    uint32_t *home = malloc(((size_t)kernel->inst_count + 1) * sizeof *home); /* innermost loop per instruction */
    if (!home)
        return false;
    memset(home, 0xff, kernel->inst_count * sizeof *home);
    for (uint32_t b = 0; b < kernel->block_count; b++)
        for (uint32_t i = kernel->blocks[b].inst; i < kernel->blocks[b].inst + kernel->blocks[b].inst_count; i++) {
            home[i] = kernel->blocks[b].loop;
            if (d->needed[i])
                ex->slots[d->slot[i]].local = home[i] != GP_NONE;
        }
    for (uint32_t b = 0; b < kernel->block_count; b++)
        for (uint32_t i = kernel->blocks[b].inst; i < kernel->blocks[b].inst + kernel->blocks[b].inst_count; i++)
            for (uint32_t k = 0; k < kernel->insts[i].operand_count; k++)
                if (d->needed[i] || kernel->insts[i].op != GP_OP_WEIGHT)
                    note_use(d, home, operands(d, &kernel->insts[i])[k], b);
    for (uint32_t i = d->first_expression; i < kernel->inst_count; i++)
        for (uint32_t k = 0; k < kernel->insts[i].operand_count; k++)
            note_use(d, home, operands(d, &kernel->insts[i])[k], GP_NONE);
    for (uint32_t i = 0; i < kernel->loop_count; i++)
        note_use(d, home, kernel->loops[i].trip_count, kernel->loops[i].header);
    for (uint32_t i = 0; i < kernel->induction_count; i++)
        note_use(d, home, kernel->inductions[i].step, kernel->loops[kernel->inductions[i].loop].header);
    free(home);
    return true;
}

/* ---- Values that nobody knows behind a loop that was left by guess ------------------------------------------------ */

static bool may_end_by_data(const struct decoder *d, uint32_t loop)
{
    const struct gp_executor *ex = d->ex;
    for (uint32_t b = 0; b < d->kernel->block_count; b++) {
        const struct block *block = &ex->blocks[b];
        bool data = block->loop == loop && block->branch != GP_NONE && d->kernel->branches[block->branch].kind == GP_BRANCH_DATA;
        for (uint32_t k = 0; data && k < block->out_count; k++)
            if (ex->edges[ex->out[block->first_out + k]].leaves > 0)
                return true;
    }
    return false;
}

static bool find_varying(struct decoder *d)
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
                if (count == room) {
                    uint32_t *more = realloc(ex->varying, (room = 2 * room + 16) * sizeof *more);
                    if (more == NULL)
                        return false;
                    ex->varying = more;
                }
                ex->varying[count++] = d->slot[k];
            }
        }
        ex->loops[i].varying_count = count - ex->loops[i].varying;
    }
    return true;
}

/* ---- All of it ------------------------------------------------------------------------------------------------- */

static bool decode_all(struct decoder *d)
{
    const struct gp_kernel *kernel = d->kernel;
    mark_needed(d);
    find_scales(d);
    make_loops(d);
    if (!make_slots(d) || !make_edges(d) || !make_arrays(d))
        return false;
    for (uint32_t b = 0; b < kernel->block_count; b++)
        decode_block(d, b);
    find_overlap_checks(d);
    decode_inductions(d);
    return gp_executor_order(d->ex) && decode_expressions(d) && look_at_loops(d) && gp_executor_find_parts(d->ex) && find_local_values(d) && find_varying(d) && find_floats(d);
}

bool gp_executor_decode(struct gp_executor *ex)
{
    const struct gp_kernel *kernel = ex->kernel;
    struct decoder d = {.ex = ex, .kernel = kernel};
    size_t insts = (size_t)kernel->inst_count + 1, blocks = (size_t)kernel->block_count + 1;
    for (uint32_t b = 0; b < kernel->block_count; b++)
        d.first_expression += kernel->blocks[b].inst_count;
    d.needed = calloc(insts, sizeof *d.needed);
    d.scale = calloc(insts, sizeof *d.scale);
    d.scaled = calloc(insts, sizeof *d.scaled);
    d.work = calloc(insts, sizeof *d.work);
    d.slot = calloc(insts, sizeof *d.slot);
    d.stamp = calloc(insts, sizeof *d.stamp);
    d.inside = calloc((size_t)kernel->block_count + 1, sizeof *d.inside);
    d.edge_from = calloc(blocks, sizeof *d.edge_from);
    ex->blocks = calloc(blocks, sizeof *ex->blocks);
    ex->loops = calloc((size_t)kernel->loop_count + 1, sizeof *ex->loops);
    ex->inductions = calloc((size_t)kernel->induction_count + 1, sizeof *ex->inductions);
    bool done = d.needed && d.scale && d.scaled && d.work && d.slot && d.stamp && d.inside && d.edge_from && ex->blocks && ex->loops && ex->inductions &&
                decode_all(&d);
    free(d.needed);
    free(d.scale);
    free(d.scaled);
    free(d.work);
    free(d.slot);
    free(d.stamp);
    free(d.inside);
    free(d.edge_from);
    return done;
}
