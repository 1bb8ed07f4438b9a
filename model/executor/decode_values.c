/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Which values of a kernel are kept, where, and what is known of them before any warp runs. */
#include <stdlib.h>
#include <string.h>

#include "model/executor/decoder.h"
#include "model/value/inst_facts.h"
#include "model/value/refs.h"

/* ---- What is needed ---------------------------------------------------------------------------------------------- */

/* Which results are needed: what decides control flow or an address, and what that is computed from. */

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
    case GP_OP_CONDBR:
    case GP_OP_SWITCH:
    case GP_OP_LOAD:
    case GP_OP_STORE:
    case GP_OP_ATOMIC: *end = 1; break;
    case GP_OP_BULK_COPY: *end = 4; break;
    case GP_OP_IMAGE_LOAD:
    case GP_OP_IMAGE_STORE: *end = 4; break;
    default: break;
    }
    if (*end > inst->operand_count)
        *end = inst->operand_count;
}

/* The load of which the instruction is another element than the first; NULL: it is none. */
const struct gp_inst *gp_load_of_element(const struct gp_kernel *kernel, const struct gp_inst *inst)
{
    gp_ref of = inst->operand_count == 1 ? kernel->operands[inst->operand] : 0;
    bool element = inst->op == GP_OP_WEIGHT && inst->cost == GP_CLASS_FREE && gp_ref_kind(of) == GP_REF_INST &&
                   kernel->insts[gp_ref_index(of)].op == GP_OP_LOAD;
    return element ? &kernel->insts[gp_ref_index(of)] : NULL;
}

bool gp_is_loaded(const struct gp_kernel *kernel, const struct gp_inst *inst)
{
    return inst->op == GP_OP_LOAD || gp_load_of_element(kernel, inst) != NULL;
}

static void mark_operands(struct decoder *d, uint32_t index)
{
    const struct gp_inst *inst = &d->kernel->insts[index];
    uint32_t first = 0, end = 0;
    if (inst->op == GP_OP_PHI || inst->op == GP_OP_CALL || inst->op == GP_OP_SHUFFLE)
        end = inst->operand_count;
    else if (gp_operation_arity(inst->op))
        end = gp_operation_arity(inst->op);
    else if (gp_load_of_element(d->kernel, inst) != NULL)
        end = 1;
    for (uint32_t i = first; i < end && i < inst->operand_count; i++)
        mark(d, gp_operands(d, inst)[i]);
}

void gp_mark_needed(struct decoder *d)
{
    const struct gp_kernel *kernel = d->kernel;
    for (uint32_t i = 0; i < d->first_expression; i++) {
        uint32_t first, end;
        rooted_operands(&kernel->insts[i], &first, &end);
        for (uint32_t k = first; k < end; k++)
            mark(d, gp_operands(d, &kernel->insts[i])[k]);
    }
    for (uint32_t i = 0; i < kernel->loop_count; i++)
        mark(d, kernel->loops[i].trip_count);
    for (uint32_t i = 0; i < kernel->induction_count; i++)
        mark(d, kernel->inductions[i].step);
    while (d->work_count)
        mark_operands(d, d->work[--d->work_count]);
}

/* ---- Slots ------------------------------------------------------------------------------------------------------- */

/* A slot for every value that is needed, and what is fixed for a launch. */

uint32_t gp_slot_of(const struct decoder *d, gp_ref ref)
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

static uint8_t alignment_bits(uint32_t alignment) { return alignment ? (uint8_t)__builtin_ctz(alignment) : 0; }

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

void gp_make_slots(struct decoder *d)
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
    ex->makers = malloc(ex->slot_count * sizeof *ex->makers);
    ex->facts.alignment = calloc((size_t)ex->first_dynamic + 1, sizeof *ex->facts.alignment);
    ex->near.newest = calloc(ex->slot_count, sizeof *ex->near.newest);
    for (uint32_t i = 0; i < ex->slot_count; i++)
        ex->makers[i] = GP_NONE;
    ex->slot_count = next; /* grows again as phis and inductions take theirs */
    ex->symbol_count = kernel->param_count + kernel->local_count + kernel->global_count + kernel->private_count;
    set_alignments(kernel, ex->facts.alignment);
    set_fixed_slots(d);
}

/* ---- Values that stay in their loop ------------------------------------------------------------------------------ */

/* A value is used in a block: where that lies outside the loop it is computed in, its slot is not local. */
static void note_use(struct decoder *d, const uint32_t *home, gp_ref ref, uint32_t block)
{
    uint32_t index = gp_ref_index(ref);
    if (gp_ref_kind(ref) != GP_REF_INST || !d->needed[index])
        return;
    struct slot *slot = &d->ex->slots[d->slot[index]];
    slot->local = slot->local && block != GP_NONE && gp_block_is_within(d->kernel, block, home[index]);
}

void gp_find_local_values(struct decoder *d)
{
    struct gp_executor *ex = d->ex;
    const struct gp_kernel *kernel = d->kernel;
    uint32_t *home = malloc(((size_t)kernel->inst_count + 1) * sizeof *home); /* innermost loop per instruction */
    memset(home, 0xff, kernel->inst_count * sizeof *home);
    for (uint32_t b = 0; b < kernel->block_count; b++)
        for (uint32_t i = kernel->blocks[b].inst; i < gp_block_end(kernel, b); i++) {
            home[i] = kernel->blocks[b].loop;
            if (d->needed[i])
                ex->slots[d->slot[i]].local = home[i] != GP_NONE;
        }
    for (uint32_t b = 0; b < kernel->block_count; b++)
        for (uint32_t i = kernel->blocks[b].inst; i < gp_block_end(kernel, b); i++)
            for (uint32_t k = 0; k < kernel->insts[i].operand_count; k++)
                if (d->needed[i] || kernel->insts[i].op != GP_OP_WEIGHT)
                    note_use(d, home, gp_operands(d, &kernel->insts[i])[k], b);
    for (uint32_t i = d->first_expression; i < kernel->inst_count; i++)
        for (uint32_t k = 0; k < kernel->insts[i].operand_count; k++)
            note_use(d, home, gp_operands(d, &kernel->insts[i])[k], GP_NONE);
    for (uint32_t i = 0; i < kernel->loop_count; i++)
        note_use(d, home, kernel->loops[i].trip_count, kernel->loops[i].header);
    for (uint32_t i = 0; i < kernel->induction_count; i++)
        note_use(d, home, kernel->inductions[i].step, kernel->loops[kernel->inductions[i].loop].header);
    free(home);
}

/* ---- Floating-point numbers -------------------------------------------------------------------------------------- */

/* Which values are floating-point numbers: coordinates of images, which are rounded down to texels, and numbers that
 * only scale indices. */

static bool makes_float(enum gp_op op)
{
    return gp_operation_is_float(op) || op == GP_OP_UITOFP || op == GP_OP_SITOFP || op == GP_OP_FPTRUNC ||
           op == GP_OP_FPEXT;
}

/* ---- Numbers that scale indices ---------------------------------------------------------------------------------- */

/*
 * A floating-point number that is loaded for the whole warp and used for nothing but indices, as in a[(int)(x *
 * scale[k])], is taken to be 1: neighbours stay about as near to each other as they are, where an unknown number would
 * scatter them. A guess, and counted as one.
 */
static bool is_float_arithmetic(const struct gp_inst *inst)
{
    return makes_float(inst->op) && inst->op != GP_OP_UITOFP && inst->op != GP_OP_SITOFP;
}

static bool may_be_scale(const struct gp_kernel *kernel, const struct gp_inst *inst)
{
    if (is_float_arithmetic(inst))
        return true;
    if (gp_load_of_element(kernel, inst) != NULL)
        inst = gp_load_of_element(kernel, inst);
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
        if (converts || gp_load_of_element(d->kernel, inst) != NULL || (is_float_arithmetic(inst) && d->scale[i]))
            continue;
        for (uint32_t k = 0; k < inst->operand_count; k++) {
            gp_ref ref = gp_operands(d, inst)[k];
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
        bool scaled = gp_is_loaded(d->kernel, inst) && d->scale[i] && d->needed[i];
        for (uint32_t k = 0; k < inst->operand_count && inst->op != GP_OP_LOAD; k++) {
            gp_ref ref = gp_operands(d, inst)[k];
            scaled = scaled || (gp_ref_kind(ref) == GP_REF_INST && d->scaled[gp_ref_index(ref)]);
        }
        changed = changed || (scaled && !d->scaled[i]);
        d->scaled[i] = d->scaled[i] || scaled;
    }
    return changed;
}

void gp_find_scales(struct decoder *d)
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

/* ---- Floating-point coordinates ---------------------------------------------------------------------------------- */

/* Types are not kept, so a float is what comes from a floating-point operation, through selects and phis. */
void gp_find_floats(struct decoder *d)
{
    const struct gp_kernel *kernel = d->kernel;
    bool images = false, changed = true;
    for (uint32_t i = 0; i < d->first_expression; i++)
        images = images || kernel->insts[i].op == GP_OP_IMAGE_LOAD || kernel->insts[i].op == GP_OP_IMAGE_STORE;
    if (!images)
        return;
    bool *is_float = d->ex->facts.float_value = calloc((size_t)kernel->inst_count + 1, sizeof *is_float);
    for (uint32_t i = 0; i < kernel->inst_count; i++)
        is_float[i] = makes_float(kernel->insts[i].op);
    for (int pass = 0; pass < 8 && changed; pass++) {
        changed = false;
        for (uint32_t i = 0; i < kernel->inst_count; i++) {
            const struct gp_inst *inst = &kernel->insts[i];
            if (is_float[i] || (inst->op != GP_OP_PHI && inst->op != GP_OP_SELECT))
                continue;
            for (uint32_t k = inst->op == GP_OP_SELECT; k < inst->operand_count; k++) {
                gp_ref ref = gp_operands(d, inst)[k];
                if (gp_ref_kind(ref) == GP_REF_INST && is_float[gp_ref_index(ref)])
                    is_float[i] = changed = true;
            }
        }
    }
}

/* ---- Do buffers overlap? ----------------------------------------------------------------------------------------- */

/* Comparisons by which compilers ask whether parts of two buffers overlap. */

/* The buffer or array that an address is a sum with; GP_REF_NONE: none, or several. */
static gp_ref buffer_of(const struct gp_kernel *kernel, gp_ref ref, unsigned depth)
{
    const struct gp_inst *inst = gp_inst_of(kernel, ref);
    enum gp_ref_kind kind = gp_ref_kind(ref);
    bool param = kind == GP_REF_PARAM && (kernel->params[gp_ref_index(ref)].kind == GP_PARAM_BUFFER ||
                                          kernel->params[gp_ref_index(ref)].kind == GP_PARAM_LOCAL);
    if (param || kind == GP_REF_LOCAL || kind == GP_REF_GLOBAL || kind == GP_REF_PRIVATE)
        return ref;
    if (inst == NULL || depth == 0 || (inst->op != GP_OP_ADD && inst->op != GP_OP_UMIN && inst->op != GP_OP_UMAX))
        return GP_REF_NONE;
    gp_ref a = buffer_of(kernel, gp_operand_of(kernel, inst, 0), depth - 1),
           b = buffer_of(kernel, gp_operand_of(kernel, inst, 1), depth - 1);
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
        buffers[i] = inst != NULL && inst->op == GP_OP_ICMP ? buffer_of(kernel, gp_operand_of(kernel, inst, i), DEEPEST)
                                                            : GP_REF_NONE;
    return buffers[0] != GP_REF_NONE && buffers[1] != GP_REF_NONE && buffers[0] != buffers[1];
}

/*
 * What compilers ask before they choose between two versions of a loop: `a < b_end && b < a_end`, of two buffers. One
 * comparison alone, or two of other buffers, may be of the ends of one.
 */
void gp_find_overlap_checks(struct decoder *d)
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
        if (!compares_buffers(kernel, one, x) || !compares_buffers(kernel, other, y) ||
            (x[0] != y[0] && x[0] != y[1]) || (x[1] != y[0] && x[1] != y[1]))
            continue;
        for (uint32_t k = 0; k < 2; k++) {
            uint32_t half = gp_ref_index(k ? other : one);
            struct op *op = gp_op_of(d, gp_inst_block(kernel, half), half);
            if (op != NULL)
                op->asks_for_overlap = true;
        }
    }
}
