/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The addresses of a warp's lanes, brought into a form in which distinct segments, bank conflicts and shared addresses
 * are counted fast. Regular access (constant difference between neighbouring active lanes, one symbol) is counted by
 * arithmetic; anything else is sorted once, so that each count is one pass over the lanes.
 *
 * Lanes with the same symbol compare by offset; different symbols are different memory. A buffer's symbol starts at a
 * multiple of 256 bytes (clCreateBuffer and cudaMalloc give no less). Of the symbols that loads return (row pointers
 * and the like) no alignment is known: they are taken as aligned, too.
 */
#ifndef GPUPERF_MODEL_LANES_H
#define GPUPERF_MODEL_LANES_H

#include "model/executor/executor.h"

struct gp_lanes {
    uint32_t width; /* bytes per lane */
    uint32_t warp;  /* lanes of a warp */
    gp_mask active;
    gp_mask known;  /* active lanes whose address is known, or is the same unknown one for all */
    uint32_t count; /* active lanes */
    bool regular;   /* all known, one symbol, constant stride */
    int64_t stride; /* bytes between neighbouring active lanes, if regular; 0 for one lane and for one address */
    uint64_t first; /* position of the first active lane, if regular */
    uint64_t shift; /* added to every position: the part of a wide access that is looked at */
    const uint32_t *symbol;
    const uint64_t *offset;
    uint32_t known_count;
    uint8_t order[GP_MAX_LANES]; /* known lanes by (symbol, position), if not regular */
};

void gp_lanes_init(struct gp_lanes *lanes, const struct gp_access *access, uint32_t width, uint32_t warp);

/* The lanes as they access bytes [begin, begin + width) of what each accesses. */
struct gp_lanes gp_lanes_part(const struct gp_lanes *lanes, uint32_t begin, uint32_t width);

/* All active lanes are at one address. */
static inline bool gp_lanes_uniform(const struct gp_lanes *lanes) { return lanes->regular && lanes->stride == 0; }

/* A group is a range of neighbouring lanes, in all of the following; inactive lanes in it do not count. */

/* Distinct aligned segments of `size` bytes (a power of two) that the group's lanes touch; an unknown lane has its own.
 */
uint32_t gp_lanes_segments(const struct gp_lanes *lanes, gp_mask group, uint32_t size);

/* Distinct bytes that the group's lanes touch. */
static inline uint32_t gp_lanes_bytes(const struct gp_lanes *lanes, gp_mask group)
{
    return gp_lanes_segments(lanes, group, 1);
}

/*
 * Most distinct 32-bit words that the group's lanes need from one of `banks` banks, successive words in successive
 * banks: the passes that a memory with multicast takes. Unknown lanes fall into random banks: the expected fullest one.
 */
double gp_lanes_bank_passes(const struct gp_lanes *lanes, gp_mask group, uint32_t banks);

/*
 * The same for banks of 64 bits as compute capability 3.x has them in its 32-bit mode: words i and i + banks of one
 * aligned segment of 2 x banks words come together.
 */
double gp_lanes_wide_bank_passes(const struct gp_lanes *lanes, gp_mask group, uint32_t banks);

/*
 * Most distinct lines of `line` bytes (a power of two) that the group's lanes need from one of `banks` banks of a
 * cache's tags, successive lines in successive banks. Unknown lanes fall into random ones.
 */
double gp_lanes_tag_passes(const struct gp_lanes *lanes, gp_mask group, uint32_t line, uint32_t banks);

/* Most active lanes on one address. */
uint32_t gp_lanes_same_address(const struct gp_lanes *lanes);

/* Positions count from a common, well-aligned origin, so that offsets below a symbol's start sort below it. */
#define GP_LANES_ORIGIN ((uint64_t)1 << 63)

/* Position and symbol of a known lane. */
static inline uint64_t gp_lanes_position(const struct gp_lanes *lanes, uint32_t lane)
{
    return gp_lanes_uniform(lanes) ? lanes->first : lanes->offset[lane] + lanes->shift + GP_LANES_ORIGIN;
}
static inline uint32_t gp_lanes_symbol(const struct gp_lanes *lanes, uint32_t lane)
{
    return gp_lanes_uniform(lanes) ? GP_SYMBOL_KNOWN : lanes->symbol[lane];
}

/* Expected number of balls in the fullest of `bins` bins (4, 8, 16, 32 or 64) when `balls` are thrown in at random. */
double gp_expected_fullest(uint32_t balls, uint32_t bins);

/* By sums of neighbours: not every machine has an instruction for it, without which the compiler calls a function. */
static inline uint32_t gp_lanes_in(gp_mask mask)
{
    const gp_mask pairs = UINT64_C(0x5555555555555555), quads = UINT64_C(0x3333333333333333),
                  bytes = UINT64_C(0x0f0f0f0f0f0f0f0f);
    mask -= mask >> 1 & pairs;
    mask = (mask & quads) + (mask >> 2 & quads);
    return (uint32_t)(((mask + (mask >> 4)) & bytes) * UINT64_C(0x0101010101010101) >> 56);
}

static inline gp_mask gp_lanes_below(uint32_t lane) { return lane >= 64 ? ~(gp_mask)0 : ((gp_mask)1 << lane) - 1; }

#endif
