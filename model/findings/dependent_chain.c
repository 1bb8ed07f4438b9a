/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/findings/dependent_chain.h"
#include "model/compilers/inst_cost.h"

#include <math.h>
#include <stdlib.h>

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
    for (uint32_t i = kernel->blocks[block].inst; i < kernel->blocks[block].inst + kernel->blocks[block].inst_count;
         i++)
        if (gp_inst_accesses(&kernel->insts[i]))
            stall += work->memory[kernel->insts[i].record].stall;
    return stall;
}

double gp_chain_saved(const struct gp_kernel *kernel, const struct gp_work *work, const struct gp_device *device,
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
