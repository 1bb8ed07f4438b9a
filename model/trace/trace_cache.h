/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A cache of the simulated SM: sets of sectored lines; the one that nobody used or waited for longest is replaced. */
#ifndef GPUPERF_MODEL_TRACE_CACHE_H
#define GPUPERF_MODEL_TRACE_CACHE_H

#include "model/trace/trace.h"

struct gp_cache_line {
    uint64_t tag;     /* number + 1; 0: empty, and so are the ways behind it */
    uint64_t sectors; /* a bit per sector that is there or on its way */
    double ready;     /* when the last missing sector arrives; not replaced before */
    double used;      /* when it was last touched */
    uint64_t bringer; /* who missed it last: the caller's */
    uint32_t merged;  /* requests that wait for `ready` */
    uint32_t stamp;   /* of that */
};

struct gp_cache {
    struct gp_cache_line *lines; /* [sets][ways] */
    uint32_t capacity;           /* allocated */
    uint32_t sets, ways;
    uint32_t line_shift; /* segments of a line: a power of two */
    uint32_t stamp;
    uint32_t age; /* of the line touched last: touches since it was touched before */
};

enum { GP_CACHE_MOST_LINES = 1 << 14 }; /* 2 MB of 128-byte lines: what an SM's simulated groups hardly ever touch */

/* Empties the cache and gives it a shape; segment: bytes of what gp_cache_touch() asks for; most: lines. Too small for
 * a line: no cache, sets 0. */
void gp_cache_reset(struct gp_cache *cache, const struct gp_cache_shape *shape, double bytes, uint32_t segment,
                    uint32_t most);
void gp_cache_free(struct gp_cache *cache);

/*
 * The line of a segment, used at that time; *present: the segment was there. A missing one is added; where all that it
 * could replace is on its way it waits until the first of these is there (*time), or gets no line. NULL: that, or no
 * cache.
 */
struct gp_cache_line *gp_cache_touch(struct gp_cache *cache, uint64_t segment, double *time, bool waits, bool *present);

/* The line of a segment that is there, else NULL. Changes nothing. */
struct gp_cache_line *gp_cache_peek(const struct gp_cache *cache, uint64_t segment);

#endif
