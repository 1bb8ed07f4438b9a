/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Which values are floating-point numbers: coordinates of images, which are rounded down to texels, and numbers that
 * only scale indices. */
#include <stdlib.h>
#include <string.h>

#include "model/executor/decoder.h"

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
    gp_rooted_operands(inst, &first, &end);
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
