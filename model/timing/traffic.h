/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Bytes that a launch moves from and to DRAM, or a third level, and how fast. */
#ifndef GPUPERF_MODEL_TIMING_TRAFFIC_H
#define GPUPERF_MODEL_TIMING_TRAFFIC_H

#include "model/timing/conditions.h"

/*
 * What a launch moves from and to DRAM: bytes, of these those written, and those read from lines far apart as
 * gp_buffer_work.apart_bytes. alone: of what the groups that run at once bring to their SMs, the share that is not
 * brought to others, too. streams: at how many places far apart a warp asks for it. request_cycles: what its requests
 * cost beside.
 */
struct gp_dram_traffic {
    double bytes, written, apart, alone, streams, request_cycles;
};

/* When so many groups run at once. of_buffer: [work->buffer_count], what is brought of each; may be NULL. */
void gp_dram_traffic(const struct gp_work *work, const struct gp_conditions *conditions, double concurrent,
                     double *of_buffer, struct gp_dram_traffic *traffic);

/* Bytes besides gp_dram_traffic()'s that DRAM moves for what a group reads once more after its SM has lost it, as the
 * passes over a row do, and the last cache does not keep till then. alone: the traffic's. */
double gp_reread_bytes(const struct gp_work *work, const struct gp_conditions *conditions, double concurrent,
                       double alone);

/* Bytes per cycle that DRAM moves of such traffic: reading alone goes faster than turning round to write. */
double gp_dram_bytes_per_clk(const struct gp_conditions *conditions, const struct gp_dram_traffic *traffic);

/*
 * Cycles that a third level needs for what it delivers because L2 does not hold what so many groups at once work on; 0
 * where there is none or its bandwidth is not known.
 */
double gp_llc_cycles(const struct gp_work *work, const struct gp_conditions *conditions, double concurrent);

/* Between a number of kernels that read alone and one of kernels that copy, as the traffic is. */
double gp_between_reading_and_copying(double reading, double copying, const struct gp_dram_traffic *traffic);

#endif
