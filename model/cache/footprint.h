/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Which units of memory (words, lines) the lanes of an access touch, in the order of the lanes, as runs of neighbours.
 * Lanes at the same distances touch the same units, moved: these are remembered.
 */
#ifndef GPUPERF_MODEL_FOOTPRINT_H
#define GPUPERF_MODEL_FOOTPRINT_H

#include "model/executor/executor.h"

/* Pieces of memory: lines, or words. */
struct gp_unit {
    uint32_t bytes;
    int bits; /* of bytes, where they are a power of two; else -1 */
};

static inline uint64_t gp_unit_of(struct gp_unit unit, uint64_t offset)
{
    return unit.bits >= 0 ? offset >> unit.bits : offset / unit.bytes;
}

struct gp_run {
    uint64_t first; /* unit */
    uint32_t count; /* that one and those behind it */
    uint32_t symbol;
};

struct gp_footprint {
    const struct gp_run *runs;
    const uint8_t *lanes; /* of each unit of each run: the lane that touches it */
    uint32_t count;
    uint32_t stretches;      /* of neighbours, upwards or downwards */
    uint64_t from;           /* to be added to each run's first unit */
    int64_t lowest, highest; /* offsets of lanes, where any is known */
};

struct gp_footprints;

/* The caller frees it. */
struct gp_footprints *gp_footprints_new(void);
void gp_footprints_free(struct gp_footprints *footprints);

/*
 * Each lane touches the units of its `width` bytes (at most 16 units); width 1: that of its first byte. Units that a
 * lane shares with the one before count once; lanes whose address is not known touch none; of a uniform access one lane
 * counts. Valid until the next call.
 */
struct gp_footprint gp_footprint_of(struct gp_footprints *footprints, const struct gp_access *access,
                                    struct gp_unit unit, uint32_t width);
/* Of the access so many bytes beside. */
struct gp_footprint gp_footprint_beside(struct gp_footprints *footprints, const struct gp_access *access, int64_t by,
                                        struct gp_unit unit, uint32_t width);

#endif
