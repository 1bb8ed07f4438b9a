/*
 * What loads find in L1 once their lanes' accesses are coalesced. Lanes that walk, each along a row of its own, bring whole lines and find their next elements there; side by side they ask for
 * elements that nobody has brought, in each iteration anew. The repair saves transactions, and may cost waiting.
 */
#ifndef GPUPERF_MODEL_MENDED_MISSES_H
#define GPUPERF_MODEL_MENDED_MISSES_H

#include "model/work/work.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Of a load of elements `width` bytes wide that moved so far since the iteration before (negative: not known): in requests, what of its bytes it had not asked for then, and what its walk goes over, others' elements included. */
struct gp_walked { double anew, whole; };
struct gp_walked gp_walked(double step, double width, double line);

/* line: bytes that L1 brings at once, so many a cycle (port). */
struct gp_l1_fill { double l2_latency, dram_latency, line, port; };

/*
 * When all executions are summed up: of loads, ideal_misses, ideal_latency, ideal_dram_latency and ideal_l2_bytes become those of requests that bring what all loads of the buffer bring to L1 as they are, less what it
 * had lost since the iteration before. hit: per operation, latency of the cache that may serve it; 0: its misses stay as they are. False: out of memory.
 */
bool gp_mend_misses(const struct gp_l1_fill *fill, const double *hit, struct gp_memory_work *memory, uint32_t count, uint32_t buffer_count);

#ifdef __cplusplus
}
#endif
#endif
