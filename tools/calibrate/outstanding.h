/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Which resource limits the memory requests that an SM waits for, and how large it is, read from thread-latency curves:
 * the method of Lashgar et al., "A Case Study in Reverse Engineering GPGPUs: Outstanding Memory Handling Resources",
 * section 3.2.
 *
 * A curve gives the latency of some independent loads per thread for one work-group of more and more threads. Where a
 * resource is used up, what comes next waits for another trip to memory: the latency jumps, and its variance shows a
 * spike.
 */
#ifndef GPUPERF_CALIBRATE_OUTSTANDING_H
#define GPUPERF_CALIBRATE_OUTSTANDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gp_latency_curve {
    uint32_t loads;   /* of each thread, independent of each other, each of another line (the paper's N) */
    uint32_t sharing; /* neighbouring threads that load from the same line (its "merger"); 1, or 0: none do */
    size_t count;
    const uint32_t *threads; /* [count] ascending */
    const double *latency;   /* [count] cycles */
};

/*
 * variance[i]: the unbiased sample variance of latency i and its two neighbours, as in section 3.2; 0 at both ends.
 */
void gp_latency_variance(const double *latency, size_t count, double *variance);

struct gp_latency_spike {
    bool found;
    uint32_t before, after; /* threads: the last point before the jump, the first behind it */
    double rise;            /* cycles */
    double variance;        /* at the peak */
};

/*
 * The first spike that stands out, from one full warp on: below, a warp's requests are issued and written back one
 * after the other and the curve rises for that reason (section 3.2). A spike stands out when its variance is four times
 * that of the steps that recur all along the curve (the 85th percentile), at least a quarter of the largest, and the
 * jump a tenth of the lowest latency.
 */
void gp_find_spike(const struct gp_latency_curve *curve, uint32_t warp_width, struct gp_latency_spike *spike);

/* How the lines of loads leave an SM (section 3.2: "memory issue and writeback serialization"). */
struct gp_latency_serialisation {
    double rise; /* cycles per line of a warp's loads, up to a full warp; 0: none, or the curve has no such points */
    uint32_t flat_to; /* threads: from a full warp on it stays within a tenth of what it has risen; the warp's width: it
                         goes on rising */
    uint32_t side_by_side; /* warps whose lines go out at the same time: 1, one warp after the other; 0: no rise to tell
                              from */
};

void gp_find_serialisation(const struct gp_latency_curve *curve, uint32_t warp_width,
                           struct gp_latency_serialisation *found);

/* What may be used up. A thread of a curve takes, per load: */
enum gp_in_flight_kind {
    GP_IN_FLIGHT_LINES, /* MSHR: an entry per missing line, 1/sharing */
    GP_IN_FLIGHT_LANES, /* a table of requests of single threads: 1 */
    GP_IN_FLIGHT_WARPS, /* PRT: an entry per load of a warp, whatever its lanes touch */
    GP_IN_FLIGHT_KINDS
};
const char *gp_in_flight_kind_name(enum gp_in_flight_kind kind); /* "MSHR, an entry per line" ... */

/* One reading of a set of curves. */
struct gp_in_flight_reading {
    enum gp_in_flight_kind kind;
    uint32_t low,
        high; /* entries: every number from low to high puts each spike where it was seen; low > high: none does */
    uint32_t misfit;  /* threads: WARPS can jump at warp boundaries only; the furthest that a spike is from one */
    uint32_t missing; /* curves that should have shown a spike and did not */
};

/*
 * All readings, best first: those that explain every spike, then smaller misfit, then fewer missing spikes; at a tie in
 * the order of the enum. spikes: [count]. Returns how many curves have a spike; 0: no limit was reached, and low of
 * each reading is the most that was in flight, high UINT32_MAX.
 */
size_t gp_read_limits(const struct gp_latency_curve *curves, size_t count, uint32_t warp_width,
                      struct gp_latency_spike *spikes, struct gp_in_flight_reading readings[GP_IN_FLIGHT_KINDS]);

#endif
