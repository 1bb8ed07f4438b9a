/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <stdio.h>

#include "model/findings/causes.h"
#include "model/value/operand_walk.h"
#include "model/value/refs.h"

/* ---- Private arrays ---------------------------------------------------------------------------------------------- */

static bool is_private_array(const struct gp_finder *f, uint32_t m)
{
    return gp_ref_kind(f->in->kernel->memory[m].base) == GP_REF_PRIVATE && f->in->work->memory[m].requests > 0;
}

/* Arrays that stay in memory: a place that the compiler knows could be a register. */
static enum gp_visit see_place(const struct gp_kernel *kernel, gp_ref ref, const struct gp_inst *inst, void *unused)
{
    (void)kernel, (void)unused;
    if (inst == NULL)
        return gp_ref_kind(ref) == GP_REF_PARAM ? GP_VISIT_ENOUGH : GP_VISIT_NEXT;
    bool unknown = inst->op == GP_OP_PHI || inst->op == GP_OP_ID || inst->op == GP_OP_WEIGHT ||
                   gp_op_is_memory((enum gp_op)inst->op);
    return unknown ? GP_VISIT_ENOUGH : GP_VISIT_OPERANDS;
}

static bool is_indexed(const struct gp_finder *f, uint32_t m)
{
    const struct gp_kernel *kernel = f->in->kernel;
    const struct gp_inst *inst = &kernel->insts[kernel->memory[m].inst];
    return inst->operand_count > 0 &&
           gp_walk_operands(kernel, gp_operand_of(kernel, inst, 0), see_place, NULL) != GP_WALK_WHOLE;
}

void gp_repair_private(struct gp_finder *f, gp_ref array)
{
    for (uint32_t m = 0; m < f->in->kernel->memory_count; m++)
        if (f->in->kernel->memory[m].base == array && is_private_array(f, m))
            gp_keep_in_registers(&f->repair, m);
}

void gp_repair_private_arrays(struct gp_finder *f)
{
    for (uint32_t p = 0; p < f->in->kernel->private_count; p++)
        gp_repair_private(f, gp_ref_make(GP_REF_PRIVATE, p));
}

/* Whether an index follows from what is loaded, as of a histogram, or is the top of a stack that data lets grow: no
 * unrolling makes it known. */
static enum gp_visit see_data(const struct gp_kernel *kernel, gp_ref ref, const struct gp_inst *inst, void *unused)
{
    (void)kernel, (void)ref, (void)unused;
    return inst != NULL && gp_op_is_memory((enum gp_op)inst->op) ? GP_VISIT_ENOUGH : GP_VISIT_OPERANDS;
}

static bool is_unrollable(const struct gp_finder *f, uint32_t index)
{
    const struct gp_kernel *kernel = f->in->kernel;
    for (uint32_t m = 0; m < kernel->memory_count; m++) {
        const struct gp_inst *inst = &kernel->insts[kernel->memory[m].inst];
        if (kernel->memory[m].base == gp_ref_make(GP_REF_PRIVATE, index) && inst->operand_count > 0 &&
            gp_walk_operands(kernel, gp_operand_of(kernel, inst, 0), see_data, NULL) == GP_WALK_ENOUGH)
            return false;
    }
    return true;
}

/* Shared memory would hold it, too, but its accesses stay, and fewer groups may be resident: not what the gain is of.
 */
static void advise_on_array(const struct gp_finder *f, uint32_t index, struct gp_bottleneck *b)
{
    enum { MOST_WORDS = 64 }; /* that a compiler would keep in registers */
    const uint32_t *local = f->in->launch->local;
    double bytes = f->in->kernel->privates[index].bytes, of_group = bytes * local[0] * local[1] * local[2];
    if (bytes == 0) { /* alloca() of a number that only the launch knows */
        snprintf(b->advice, sizeof b->advice,
                 "let its length be known at compile time, and its indices, as in loops that are unrolled whole");
        return;
    }
    bool by_data = !is_unrollable(f, index);
    int n = snprintf(b->advice, sizeof b->advice, "%s",
                     by_data ? "its indices follow from data: make it smaller, with a narrower type or several "
                               "elements packed into a word"
                     : bytes <= 4 * MOST_WORDS ? "let its indices be known, as in loops that are unrolled whole"
                                               : "a smaller array, with indices that are known");
    if (of_group <= f->in->conditions->device->smem_per_block.value)
        snprintf(b->advice + n, sizeof b->advice - (size_t)n, "; in local memory it %stakes %.3g KB of each group",
                 by_data ? "" : "gains less, and ", of_group / 1024);
}

void gp_try_private(struct gp_finder *f, uint32_t index)
{
    const struct gp_kernel *kernel = f->in->kernel;
    gp_ref array = gp_ref_make(GP_REF_PRIVATE, index);
    const char *name = kernel->privates[index].name;
    uint32_t place = GP_NONE;
    double accesses = 0, most = -1;
    for (uint32_t m = 0; m < kernel->memory_count; m++) {
        const struct gp_memory_work *memory = &f->in->work->memory[m];
        if (kernel->memory[m].base != array || !is_private_array(f, m))
            continue;
        accesses += memory->requests;
        if (is_indexed(f, m) && memory->l2_bytes + memory->wavefronts > most)
            most = memory->l2_bytes + memory->wavefronts, place = m;
    }
    if (place == GP_NONE)
        return;
    gp_repair_reset(&f->repair);
    gp_repair_private(f, array);
    struct gp_bottleneck *b = gp_finder_record(f, GP_CAUSE_SPILL, kernel->memory[place].inst);
    if (b == NULL)
        return;
    if (*name)
        snprintf(
            b->measure, sizeof b->measure,
            "'%.40s' is indexed by a value unknown at compile time, so it lives in memory: %.0f accesses per work-item",
            name, accesses);
    else
        snprintf(b->measure, sizeof b->measure,
                 "a private array is indexed by a value unknown at compile time, so it lives in memory: %.0f accesses "
                 "per work-item",
                 accesses);
    b->repaired = "in registers";
    advise_on_array(f, index, b);
}
