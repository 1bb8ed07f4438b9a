/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What an average warp's trace holds. Executed ones stand for others: of a group of 32 warps of which the first works
 * alone, it is one of 32, not one of the four that are executed. */
#include <math.h>

#include "model/trace/recorder.h"

static void add_trace(const struct gp_recorder *r, size_t trace, struct gp_recording *sum)
{
    const struct place end = {r->visits.count, r->accesses.count,    r->segments.count,
                              r->done.visited, r->done.instructions, r->done.touched};
    const struct place *from = (const struct place *)r->places.items + trace,
                       *to = trace + 1 < r->places.count ? from + 1 : &end;
    sum->visited += to->visited - from->visited;
    sum->accesses += (double)(to->access - from->access);
    sum->segments += (double)(to->segment - from->segment);
    sum->instructions += to->instructions - from->instructions;
    sum->touched += to->touched - from->touched;
}

void gp_recorder_sum(const struct gp_recorder *r, uint32_t groups, struct gp_recording *recording)
{
    const struct gp_sim_warp *warp = r->warps.items;
    uint32_t warps = recording->warps_per_group;
    recording->least = INFINITY, recording->most = 0;
    for (uint32_t g = 0; g < groups; g++) {
        double before = recording->instructions;
        for (uint32_t w = 0; w < warps; w++, warp++)
            add_trace(r, (size_t)(warp->trace - (const struct gp_trace *)r->traces.items), recording);
        double executed = (recording->instructions - before) / warps;
        recording->least = fmin(recording->least, executed);
        recording->most = fmax(recording->most, executed);
    }
    double *sums[] = {&recording->visited, &recording->accesses, &recording->segments, &recording->instructions,
                      &recording->touched};
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++)
        *sums[i] /= (double)groups * warps;
}
