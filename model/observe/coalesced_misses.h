/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What loads find in L1 once their lanes' accesses are coalesced. Lanes that walk, each along a row of its own, bring
 * whole lines and find their next elements there; side by side they ask for elements that nobody has brought, in each
 * iteration anew. The repair saves transactions, and may cost waiting. A later loop over the same elements brings them
 * once more, unless L1 holds till then all that the warps bring meanwhile.
 */
#ifndef GPUPERF_MODEL_MENDED_MISSES_H
#define GPUPERF_MODEL_MENDED_MISSES_H

#include "model/observe/work.h"

/* Of a load of elements `width` bytes wide that moved so far since the iteration before (negative: not known): in
 * requests, what of its bytes it had not asked for then, and what its walk goes over, others' elements included. */
struct gp_walked {
    double anew, whole;
};
struct gp_walked gp_walked(double step, double width, double line);

/* line: bytes that L1 brings at once, so many a cycle (port); held: bytes that it holds for each warp. */
struct gp_l1_fill {
    double l2_latency, dram_latency, line, port, held;
};

/* An operation: latency of the cache that may serve it (0: its misses stay as they are), and its innermost loop. */
struct gp_l1_access {
    double hit;
    uint32_t loop;
};

/*
 * When all executions are summed up: of loads, ideal_misses, ideal_latency, ideal_dram_latency, ideal_l2_bytes,
 * ideal_again, ideal_lost and ideal_since become those of requests that bring what all loads of the buffer bring to L1
 * as they are, less what it had lost since the iteration before.
 */
void gp_repair_misses(const struct gp_l1_fill *fill, const struct gp_l1_access *access, struct gp_memory_work *memory,
                      uint32_t count, uint32_t buffer_count);

#endif
