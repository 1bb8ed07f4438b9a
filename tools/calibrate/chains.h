/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Pointer chases (probe_chase.c), for the probes of memories. */
#ifndef GPUPERF_TOOLS_CALIBRATE_CHAINS_H
#define GPUPERF_TOOLS_CALIBRATE_CHAINS_H

#include "tools/calibrate/calibration.h"
#include "tools/calibrate/readers.h"

/* Words of a chain: `together` of them `apart` bytes behind each other, in each `stride` bytes. */
struct gp_chain {
    size_t stride, together, apart;
    bool anywhere;      /* in their stride, at a multiple of 128 bytes */
    const char *kernel; /* of chase.cl, or of texture.cl where words stay offsets */
    size_t hops;        /* that it makes a turn; 0: 8 */
    bool offsets;
};

/* Cycles a hop through `count` strides in random order, once the chain has been gone through. */
bool gp_chase(struct gp_calibration *calibration, size_t count, const struct gp_chain *chain, double *latency,
              double *spread, struct gp_error *error);

/* Latencies over bytes: four points to an octave, two where chases are long. */
bool gp_chase_sweep(struct gp_calibration *calibration, const struct gp_chain *chain, double from, double to,
                    struct gp_curve *curve, double *spread, struct gp_error *error);

/* The levels that were read, as the curve's fit. */
void gp_draw_levels(struct gp_curve *curve, const struct gp_levels *levels);

#endif
