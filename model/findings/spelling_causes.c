/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How the source spells what is computed, and repairs of any cause beside others. */
#include <math.h>
#include <stdlib.h>

#include "model/compilers/inst_cost.h"
#include "model/findings/causes.h"
#include "model/value/inst_facts.h"

/* ---- The longest chain of a block -------------------------------------------------------------------------------- */

/*
 * Cycles of one visit, as long as its instructions take to issue at least; with paths of a mask repaired
 * (gp_inst_cost()). ready: scratch, [instructions of the kernel].
 */
static double dependent_chain(const struct gp_kernel *kernel, uint32_t block, const struct gp_device *device,
                              const struct gp_cost costs[GP_CLASS_COUNT], uint32_t repaired_paths, double *ready)
{
    uint32_t first = kernel->blocks[block].inst;
    double longest = 0, issued = 0, fence = 0;
    for (uint32_t i = first; i < first + kernel->blocks[block].inst_count; i++) {
        const struct gp_inst *inst = &kernel->insts[i];
        struct gp_cost cost = gp_inst_cost(inst, costs, repaired_paths);
        bool free = gp_inst_is_free(inst, repaired_paths);
        double start = fence;
        for (uint32_t k = 0; k < inst->operand_count; k++) {
            gp_ref ref = kernel->operands[inst->operand + k];
            if (gp_ref_kind(ref) == GP_REF_INST && gp_ref_index(ref) >= first && gp_ref_index(ref) < i)
                start = fmax(start, ready[gp_ref_index(ref)]);
        }
        ready[i] = free ? start
                        : start + (gp_inst_accesses(inst)
                                       ? 0
                                       : fmax(cost.latency, cost.issue / device->issue_per_scheduler.value));
        if (!free && !gp_inst_accesses(inst))
            issued += cost.issue / device->issue_per_scheduler.value;
        if (inst->op == GP_OP_BARRIER) {
            fence = longest = fmax(longest, issued) + device->barrier_latency.value;
            issued = longest;
        }
        longest = fmax(longest, ready[i]);
    }
    return fmax(longest, issued);
}

static double stall_of_block(const struct gp_kernel *kernel, const struct gp_work *work, uint32_t block)
{
    double stall = 0;
    for (uint32_t i = kernel->blocks[block].inst; i < gp_block_end(kernel, block); i++)
        if (gp_inst_accesses(&kernel->insts[i]))
            stall += work->memory[kernel->insts[i].record].stall;
    return stall;
}

/*
 * Cycles by which a group's slowest warp, alone on its SM, is sooner done with these paths repaired: apart from waiting
 * for memory each block's time shrinks as its longest chain does.
 */
static double chain_saved(const struct gp_kernel *kernel, const struct gp_work *work, const struct gp_device *device,
                          uint32_t repaired_paths)
{
    struct gp_cost costs[GP_CLASS_COUNT];
    double *ready = malloc((kernel->inst_count + 1) * sizeof *ready), all = 0, sooner = 0;
    gp_cost_table(device, costs, NULL);
    for (uint32_t b = 0; b < work->block_count; b++) {
        double waits = fmax(0, work->blocks[b].chain - stall_of_block(kernel, work, b));
        all += work->blocks[b].chain;
        if (waits <= 0)
            continue;
        double before = dependent_chain(kernel, b, device, costs, 0, ready),
               after = dependent_chain(kernel, b, device, costs, repaired_paths, ready);
        if (before > 0)
            sooner += waits * fmax(0, 1 - after / before);
    }
    free(ready);
    return all > 0 ? work->chain * sooner / all : 0; /* blocks are those of the average warp */
}

/* ---- Repairs ----------------------------------------------------------------------------------------------------- */

/* How the source spells divisions, functions, constants, powers, precision and indices decides latencies, too. */
void gp_repair_paths(struct gp_finder *f, uint32_t paths)
{
    uint32_t spelt = paths & (1u << GP_NARROW_CONSTANT | 1u << GP_NARROW_POWER | 1u << GP_NARROW_DIVISION |
                              1u << GP_NARROW_DOUBLE | 1u << GP_NARROW_EXACT | 1u << GP_NARROW_ELEMENT);
    double saved = spelt != 0 ? chain_saved(f->in->kernel, f->in->work, f->in->conditions->device, spelt) : 0;
    gp_widen(&f->repair, paths, saved);
}

static uint32_t paths_at_work(const struct gp_finder *f)
{
    uint32_t paths = 0;
    for (unsigned path = 0; path < GP_NARROW_COUNT; path++)
        if (f->in->work->paths[path].before.issue > 0)
            paths |= 1u << path;
    return paths;
}

/* A cause of the whole kernel. */
static void repair_whole(struct gp_finder *f, enum gp_cause cause)
{
    struct gp_conditions *c = &f->repair.conditions;
    switch (cause) {
    case GP_CAUSE_OCCUPANCY: c->resident_groups = gp_most_resident(f); break;
    case GP_CAUSE_LOCAL_SIZE:
        if (f->repair.work.lanes_used < 1)
            gp_fill_warps(&f->repair);
        c->no_start = true;
        gp_enlarge_groups(f);
        break;
    case GP_CAUSE_LATENCY: c->hide_latency = true; break;
    case GP_CAUSE_BANDWIDTH: c->no_bandwidth = true; break;
    case GP_CAUSE_THROUGHPUT: gp_repair_paths(f, paths_at_work(f) & ~(1u << GP_NARROW_ELEMENT)); break;
    case GP_CAUSE_TAIL:
        c->no_tail = true;
        c->split_items = gp_leaves_sms_idle(f);
        break;
    case GP_CAUSE_BARRIER: c->no_barrier = true; break;
    case GP_CAUSE_SPILL: c->spill_store_bytes = c->spill_load_bytes = 0; break;
    case GP_CAUSE_CHANNEL_SKEW: c->even_channels = true; break;
    default: break;
    }
}

/* What registers would hold. */
static void keep_in_registers(struct gp_finder *f, uint32_t m)
{
    gp_ref base = f->in->kernel->memory[m].base;
    if (gp_ref_kind(base) == GP_REF_PRIVATE)
        gp_repair_private(f, base);
    else
        gp_repair_kept_value(f, m);
}

void gp_repair_again(struct gp_finder *f, const struct gp_bottleneck *b)
{
    const struct gp_kernel *kernel = f->in->kernel;
    switch (b->cause) {
    case GP_CAUSE_SPILL:
        if (b->inst != GP_NONE && gp_inst_path(&kernel->insts[b->inst]) == GP_NARROW_ELEMENT)
            gp_repair_paths(f, 1u << GP_NARROW_ELEMENT);
        else if (b->inst != GP_NONE)
            keep_in_registers(f, kernel->insts[b->inst].record);
        else
            repair_whole(f, GP_CAUSE_SPILL);
        break;
    case GP_CAUSE_BANK_CONFLICT:
        if (gp_is_table(f, kernel->insts[b->inst].record))
            gp_repair_table(f, b);
        else
            gp_repair_memory_again(f, b);
        break;
    case GP_CAUSE_UNCOALESCED:
    case GP_CAUSE_ATOMICS: gp_repair_memory_again(f, b); break;
    case GP_CAUSE_DIVERGENCE: gp_repair_divergence_again(f, b); break;
    case GP_CAUSE_THROUGHPUT:
        if (gp_inst_accesses(&kernel->insts[b->inst]))
            gp_repair_product(f);
        else
            gp_repair_paths(f, 1u << gp_inst_path(&kernel->insts[b->inst]));
        break;
    default: repair_whole(f, b->cause); break;
    }
}

void gp_repair_everywhere(struct gp_finder *f, enum gp_cause cause)
{
    switch (cause) {
    case GP_CAUSE_UNCOALESCED:
    case GP_CAUSE_BANK_CONFLICT:
    case GP_CAUSE_ATOMICS: gp_repair_memory_everywhere(f, cause); break;
    case GP_CAUSE_DIVERGENCE: gp_repair_divergence_everywhere(f); break;
    case GP_CAUSE_SPILL:
        gp_repair_private_arrays(f);
        gp_repair_kept_values(f);
        gp_repair_paths(f, paths_at_work(f) & 1u << GP_NARROW_ELEMENT);
        repair_whole(f, cause);
        break;
    default: repair_whole(f, cause); break;
    }
}
