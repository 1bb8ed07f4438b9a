/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What to expect of addresses that data decides, within a range that is known: each is as likely as any other. */
#ifndef GPUPERF_MODEL_SCATTER_H
#define GPUPERF_MODEL_SCATTER_H

#include "model/launch/launch.h"
#include "model/memory/requests.h"

/* Of `cells`, those that at least one of `draws` falls into: m (1 - (1 - 1/m)^n). */
double gp_expected_distinct(double cells, double draws);

/*
 * How many of `draws` (at most 64) fall into the fullest of `cells`, exactly: 1 + sum over k >= 1 of P(fullest > k),
 * where P(fullest <= k) = n!/m^n [x^n] (sum of x^i/i! for i <= k)^m. Some ten thousand operations.
 */
double gp_expected_in_fullest(uint64_t cells, unsigned draws);

/* gp_expected_distinct() of what it was asked for last. */
struct gp_distinct {
    double cells, draws, expected;
};

/* Where a memory operation can fall whatever the data is (range.h); looked up when first asked for. */
struct gp_scatter {
    bool looked, known;
    uint64_t buffer_bytes; /* size of the buffer, where the launch says, or what it may have at most; else 0 */
    const struct gp_launch *launch;
    uint64_t arguments; /* hash of the launch's scalar ones */
    int64_t low;        /* first byte, from the start of the buffer */
    uint64_t addresses;
    double bytes;   /* of one work-item's */
    unsigned lanes; /* in_fullest is gp_expected_in_fullest() for so many of them, if not 0 */
    double in_fullest;
    struct gp_distinct lines, sectors; /* that a warp meets */
};

/* bounds: [kernel->memory_count], zeroed before the first call. */
const struct gp_scatter *gp_scatter_of(struct gp_scatter *bounds, const struct gp_kernel *kernel, uint32_t memory);

/* Takes the sizes of buffers, beyond which no access goes, and scalar arguments from a launch, which must live as long
 * as bounds are asked for. */
void gp_scatter_take_sizes(struct gp_scatter *bounds, const struct gp_kernel *kernel, const struct gp_launch *launch);

/* Bytes within which the accesses of a warp of so many lanes fall; private memory is interleaved by words
 * (docs/memory.md). */
double gp_scatter_warp_bytes(const struct gp_scatter *bound, const struct gp_memory *memory, uint32_t lanes);

/*
 * Lanes that fall anywhere within a bound meet in its sectors, and atomics on its addresses: fewer transactions, more
 * contention. False: not all of them are unknown, or there is no bound; the request is as it was.
 */
bool gp_meet_within_bound(struct gp_scatter *bounds, const struct gp_kernel *kernel, const struct gp_access *access,
                          uint32_t warp_lanes, struct gp_request *request);

#endif
