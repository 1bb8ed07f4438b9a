/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A simulation that was stopped: what is left of the trace takes as long as the second half of what was done. (In the
 * first, requests queue up that nobody waits for yet.) A repair may leave fewer instructions of it: progress is counted
 * without.
 */
#include <math.h>

#include "model/trace/trace_model.h"

static void grow(double *const sums[], size_t count, double by)
{
    for (size_t i = 0; i < count; i++)
        *sums[i] *= by;
}

/* Cycles when the rest of the instructions is done, at the second half's rate. */
static double by_instructions(const struct gp_sim_result *r, double grown)
{
    return r->cycles +
           (grown - 1) * r->progress * (r->cycles - r->half_cycles) / fmax(1, r->progress - r->half_progress);
}

/*
 * Spilled registers are no instructions of the trace: a warp's are made ahead of the visit that they stand in, and the
 * instructions that are left say little of the time that they take. As far as memory was busy, time goes on as what it
 * moves.
 */
static double with_spills(const struct gp_sim_result *r, double grown, double moved)
{
    double busiest = fmax(fmax(r->port, r->l2), fmax(r->dram, r->channel)),
           share = fmin(1, busiest / fmax(1, r->cycles));
    return (1 - share) * by_instructions(r, grown) + share * moved * r->cycles;
}

void gp_complete_stopped(const struct gp_recording *recording, double groups, bool spills, struct gp_sim_result *r)
{
    double warps = groups * recording->warps_per_group;
    double grown = fmax(1, warps * recording->instructions / fmax(1, r->progress)),
           moved = fmax(1, warps * recording->touched / fmax(1, r->touched));
    double *const issued[] = {&r->issue, &r->instructions}, *const fetched[] = {&r->port,          &r->l2,
                                                                                &r->dram,          &r->channel,
                                                                                &r->l1_hits,       &r->l2_hits,
                                                                                &r->dram_segments, &r->segments};
    r->cycles = spills ? with_spills(r, grown, moved) : by_instructions(r, grown);
    grow(issued, sizeof issued / sizeof *issued, grown);
    grow(fetched, sizeof fetched / sizeof *fetched, moved); /* accesses go ahead of instructions */
    for (int u = 0; u < GP_UNIT_COUNT; u++)
        r->busy[u] *= grown;
    for (int w = 0; w < GP_WAIT_COUNT; w++)
        r->waits[w] *= grown;
}
