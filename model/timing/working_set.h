/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What groups touch together, and what a cache that is gone through in rounds loses of it. Counts of groups are of
 * groups that start one after the other.
 */
#ifndef GPUPERF_MODEL_TIMING_WORKING_SET_H
#define GPUPERF_MODEL_TIMING_WORKING_SET_H

#include "model/timing/conditions.h"

/* Share of a round of so many bytes, out of a stretch of addresses, that a cache has lost when its turn comes again; 1
 * without a cache. */
double gp_beyond_cache(double round, double stretch, double cache, double ways);

/* The block that `count` groups make: how many in each direction. */
void gp_block_of(const struct gp_work *work, const struct gp_conditions *conditions, double count, double n[3]);

/* Distinct bytes of a buffer that such a block touches: at most what its addresses span, or whatever that is. */
double gp_footprint_of_buffer(const struct gp_work *work, const struct gp_buffer_work *buffer, const double n[3]);
double gp_unbounded_footprint(const struct gp_work *work, const struct gp_buffer_work *buffer, const double n[3]);

/* Of what so many groups touch of a buffer, each for itself, the share that is left where each line counts once. */
double gp_alone_of_buffer(const struct gp_work *work, const struct gp_conditions *conditions,
                          const struct gp_buffer_work *buffer, double count);

/* Of all buffers, of so many groups. */
double gp_working_set(const struct gp_work *work, const struct gp_conditions *conditions, double count);

/* Bytes that the launch touches, each counted once; of what it stores first, the share `of_stored` of each. */
double gp_touched_bytes(const struct gp_work *work, const struct gp_conditions *conditions, double of_stored);

/* Of what a buffer's groups bring, the share that they write first; that they read and write back. */
double gp_share_stored(const struct gp_buffer_work *buffer);
double gp_share_rewritten(const struct gp_buffer_work *buffer);

/* The largest cache that all SMs share, bytes. */
double gp_last_cache(const struct gp_device *device);

/* Share of what the launch touches that a cache does not hold from the launch before, which did the same. */
double gp_lost_since_before(const struct gp_work *work, const struct gp_conditions *conditions, double cache);

/* Share of what the resident groups read (`again`: read again) that L2 does not hold. */
double gp_beyond_l2(const struct gp_work *work, const struct gp_conditions *conditions, double concurrent, bool again);

/* Bytes of a group's spilled registers that are stored and loaded, and the share that a cache does not hold of those of
 * so many groups. */
double gp_spill_bytes(const struct gp_work *work, const struct gp_conditions *conditions);
double gp_spills_beyond(const struct gp_work *work, const struct gp_conditions *conditions, double concurrent,
                        double cache);

#endif
