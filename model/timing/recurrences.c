/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/timing/recurrences.h"

#include <math.h>
#include <stdlib.h>

#include "model/compilers/cost.h"
#include "model/value/inst_facts.h"

struct search {
    const struct gp_kernel *kernel;
    struct gp_cost costs[GP_CLASS_COUNT];
    double from_l1;
    double *longest; /* [instruction] cycles from the phi at hand to its result; below 0: it does not depend on it */
};

static double latency_of(const struct search *s, const struct gp_inst *inst)
{
    return inst->cost == GP_CLASS_MEMORY ? s->from_l1 : s->costs[inst->cost].latency;
}

/* The most of an instruction's operands. */
static double longest_operand(const struct search *s, const struct gp_inst *inst)
{
    double most = -1;
    for (uint32_t o = 0; o < inst->operand_count; o++) {
        gp_ref operand = s->kernel->operands[inst->operand + o];
        if (gp_ref_kind(operand) == GP_REF_INST)
            most = fmax(most, s->longest[gp_ref_index(operand)]);
    }
    return most;
}

/* The value that a header's phi takes from the iteration before. */
static gp_ref latch_value(const struct gp_kernel *kernel, const struct gp_inst *phi, uint32_t latch)
{
    for (uint32_t o = 0; o + 1 < phi->operand_count; o += 2)
        if (kernel->operands[phi->operand + o] == gp_ref_make(GP_REF_BLOCK, latch))
            return kernel->operands[phi->operand + o + 1];
    return gp_ref_make(GP_REF_NONE, 0);
}

/* From one iteration's value of the phi to the next one's. Blocks stand in the order in which they may be executed. */
static double recurrence_of(struct search *s, uint32_t loop, uint32_t phi)
{
    const struct gp_kernel *kernel = s->kernel;
    gp_ref last = latch_value(kernel, &kernel->insts[phi], kernel->loops[loop].latch);
    if (gp_ref_kind(last) != GP_REF_INST)
        return 0;
    for (uint32_t b = kernel->loops[loop].header; b < kernel->block_count; b++) {
        const struct gp_block *block = &kernel->blocks[b];
        for (uint32_t i = block->inst; block->loop == loop && i < block->inst + block->inst_count; i++) {
            const struct gp_inst *inst = &kernel->insts[i];
            double before = gp_is_header_phi(kernel, loop, i) ? -1 : longest_operand(s, inst);
            s->longest[i] = i == phi ? 0 : before >= 0 ? before + latency_of(s, inst) : -1;
        }
    }
    return fmax(0, s->longest[gp_ref_index(last)]);
}

static double longest_of_loop(struct search *s, uint32_t loop)
{
    const struct gp_block *header = &s->kernel->blocks[s->kernel->loops[loop].header];
    double longest = 0;
    for (uint32_t i = 0; i < s->kernel->inst_count; i++)
        s->longest[i] = -1;
    for (uint32_t i = header->inst; i < header->inst + header->inst_count; i++)
        if (s->kernel->insts[i].op == GP_OP_PHI)
            longest = fmax(longest, recurrence_of(s, loop, i));
    return longest;
}

/* All work-items of a group come to a barrier before the first goes on: what an iteration needs is there. */
static bool meets_at_barrier(const struct gp_kernel *kernel, uint32_t loop)
{
    for (uint32_t b = 0; b < kernel->block_count; b++)
        for (uint32_t i = kernel->blocks[b].inst; i < gp_block_end(kernel, b); i++)
            if (kernel->blocks[b].loop == loop && kernel->insts[i].op == GP_OP_BARRIER)
                return true;
    return false;
}

/* How often the loop is come to: visits of the blocks that a header's phi takes its first value from. */
static double entries_of(const struct gp_kernel *kernel, const struct gp_work *work, uint32_t loop)
{
    const struct gp_block *header = &kernel->blocks[kernel->loops[loop].header];
    const struct gp_inst *phi = &kernel->insts[header->inst];
    double entries = 0;
    for (uint32_t o = 0; header->inst_count > 0 && phi->op == GP_OP_PHI && o + 1 < phi->operand_count; o += 2) {
        uint32_t from = gp_ref_index(kernel->operands[phi->operand + o]);
        entries += from != kernel->loops[loop].latch ? work->blocks[from].visits : 0;
    }
    return entries;
}

double gp_recurrence_cycles(const struct gp_kernel *kernel, const struct gp_work *work, const struct gp_device *device)
{
    struct search s = {.kernel = kernel, .from_l1 = device->l1_latency.value};
    double cycles = 0;
    if (kernel->loop_count == 0)
        return 0;
    s.longest = malloc((kernel->inst_count + 1) * sizeof *s.longest);
    gp_cost_table(device, s.costs, NULL);
    for (uint32_t l = 0; l < kernel->loop_count; l++)
        if (gp_loop_is_innermost(kernel, l) && !meets_at_barrier(kernel, l)) {
            double runs = device->reorder_buffer.value * entries_of(kernel, work, l) / fmax(1, work->pipes.issue);
            cycles += work->blocks[kernel->loops[l].header].visits * longest_of_loop(&s, l) / fmax(1, runs);
        }
    free(s.longest);
    return cycles;
}
