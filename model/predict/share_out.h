/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * One range shared out over several devices, each of which gets the next stretch of it, so that all end as early as
 * they can together (Lee and others, "sharing out", sections 1 and 7). What a stretch costs a device is asked for, not
 * assumed to be a line through its length: work that differs along the range is shared out as it is.
 */
#ifndef GPUPERF_MODEL_SHARE_OUT_H
#define GPUPERF_MODEL_SHARE_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { GP_MOST_SHARES = 16 /* devices */, GP_MOST_PARTS = 40 /* that a range is cut into */ };

/* Time in ns of `parts` parts of the range from part `first` on, on a device; INFINITY: it cannot run them. Never asked
 * for no parts. */
typedef double gp_part_time(void *context, size_t device, uint32_t first, uint32_t parts);

/* A range cut into parts along one dimension. */
struct gp_cut {
    uint32_t dimension;
    uint64_t items; /* of a part, along it; the last may have fewer */
    uint32_t parts;
};

/* Large groups make coarse parts, and leave cores idle at the end. `finer` becomes `local`, halved until four times
 * GP_MOST_PARTS of it fit into the range; false: it is small enough, or is no power of two times that. */
bool gp_share_finer(uint32_t dims, const uint64_t global[3], const uint32_t local[3], uint32_t finer[3]);

/* Whether the finer size is taken: where it is as fast within a hundredth. */
bool gp_share_takes(double finer_ns, double ns);

/* Along the dimension with most groups, where groups have so many work-items along each on every device; at most
 * GP_MOST_PARTS parts, of whole groups. */
struct gp_cut gp_cut_range(uint32_t dims, const uint64_t global[3], const uint64_t group[3]);

/* Work-items along the dimension, of some parts of the range. */
uint64_t gp_cut_items(const struct gp_cut *cut, const uint64_t global[3], uint32_t first, uint32_t parts);

/*
 * How many parts of a range of `parts` each device gets, in order; 0: it would only delay the others. Returns the time
 * until all have ended, ns; INFINITY: no device runs its part.
 */
double gp_share_out(size_t devices, uint32_t parts, gp_part_time *time, void *context, uint32_t share[]);

/* Until all have ended with these shares, ns. */
double gp_shares_end(size_t devices, const uint32_t share[], gp_part_time *time, void *context);

#endif
