/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* In which DRAM channels the accesses lie that the active SMs make beside one of the simulated SM's. */
#ifndef GPUPERF_MODEL_CHANNEL_SPREAD_H
#define GPUPERF_MODEL_CHANNEL_SPREAD_H

#include "model/trace/trace.h"

enum { GP_MOST_CHANNELS = 64 };

/*
 * Adds to places[channels], counted from the channel of an access, what share of the iterations it stands for lies
 * where: some of them are asked, at uneven distances, lest a pattern of theirs looks like one of the channels'. step:
 * bytes from one to the next.
 */
void gp_place_iterations(const struct gp_sm *sm, double step, double weight, float *places);

/* found[memory operation][channels]: how often the recorded warps access each channel by each operation, zeros before.
 * The last operation is spills. */
void gp_count_channels(const struct gp_recording *recording, const struct gp_sm *sm, float *found);

/*
 * spread[memory operation][channels]: gp_simulation.channel_spread, for so many memory operations. The SMs work on
 * neighbouring groups: their accesses lie a neighbour's distance apart. waves: groups that each place of an SM gets.
 * Those of the first wave start together; where a later one is, nobody knows: in any phase of its group, of which
 * `found` tells.
 */
void gp_channel_spread(const struct gp_recording *recording, const struct gp_sm *sm, uint32_t operations,
                       double active_sms, double waves, const float *found, float *spread);

#endif
