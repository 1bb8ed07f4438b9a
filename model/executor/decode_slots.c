/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A slot for every value that is needed, and what is fixed for a launch. */
#include <stdlib.h>
#include <string.h>

#include "model/executor/decoder.h"

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
    slot->local = slot->local && block != GP_NONE && gp_executor_inside(d->ex, block, home[index]);
}

void gp_find_local_values(struct decoder *d)
{
    struct gp_executor *ex = d->ex;
    const struct gp_kernel *kernel = d->kernel;
    uint32_t *home = malloc(((size_t)kernel->inst_count + 1) * sizeof *home); /* innermost loop per instruction */
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
