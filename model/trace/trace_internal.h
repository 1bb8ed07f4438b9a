/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the simulation's files share: the state of one SM and its part of the memory system. */
#ifndef GPUPERF_MODEL_TRACE_INTERNAL_H
#define GPUPERF_MODEL_TRACE_INTERNAL_H

#include "model/trace/channel_spread.h"
#include "model/trace/trace.h"
#include "model/trace/trace_queue.h"

/* ---- trace_cache.c ----------------------------------------------------------------------------------------------- */

/* A cache of the simulated SM: sets of sectored lines; the one that nobody used or waited for longest is replaced. */

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

/* ---- trace_memory.c ---------------------------------------------------------------------------------------------- */

struct gp_sim_memory {
    const struct gp_simulation *in;
    struct gp_cache l1, texture, constant, l2;
    struct gp_in_flight lines;    /* MSHR: a missing line each */
    struct gp_in_flight requests; /* PRT: a warp's request each */
    struct gp_in_flight turning;  /* the same of requests with several transactions, which take turns ... */
    double turns_end;             /* ... and all end by then */
    struct gp_in_flight
        pipeline; /* bytes on their way through the cluster's memory pipeline (TEG's C_mem); `lanes` are bytes */
    double replays[GP_MOST_REPLAYS]; /* when each of the loads that go out side by side lets the next transaction out */
    struct gp_queue to_registers;    /* data of missing loads */
    double pipeline_free;            /* it has room for the next transaction: they enter in order */
    struct gp_queue port, l2_port, cluster, channels[GP_MOST_CHANNELS];
    /* cycles per byte: of the port, of L2 and DRAM with what all active SMs do, of the cluster's way to memory (0:
     * none) */
    double port_cost, l2_cost, l2_write_cost, dram_cost, cluster_cost;
    const float *spread;                   /* of the segment at hand over the channels; NULL: all on its own */
    double channel_time[GP_MOST_CHANNELS]; /* what each had to do */
    float even_spread[GP_MOST_CHANNELS], slid_spread[GP_MOST_CHANNELS];
    struct gp_sim_result *result;
    uint32_t pipeline_bytes; /* TEG's C_mem in bytes, this SM's share; 0: no such pipeline */
    uint64_t segments;       /* looked at so far */
    uint64_t visit;          /* of the access at hand: warp, and number of its visit */
    bool moved;              /* GP_ACCESS_MOVED of it */
};

void gp_sim_memory_start(struct gp_sim_memory *memory, const struct gp_simulation *in, struct gp_sim_result *result);
void gp_sim_memory_free(struct gp_sim_memory *memory);
void gp_sim_memory_share(struct gp_sim_memory *memory, double active_sms);

/* How an access goes. */
struct gp_sim_reply {
    double start;    /* when the load/store unit could begin with it: entries of MSHR or PRT were free */
    double occupied; /* cycles from then on in which the load/store unit takes no other access */
    double work;     /* cycles of it that the access takes */
    double accepted; /* the warp is held until its last transaction has left the SM */
    double done;     /* when its data is there */
    bool full;       /* an MSHR or PRT table kept it waiting */
};
/* last: the same operation's access that the warp's trace shows before this one, with segments; NULL: none. */
struct gp_sim_reply gp_sim_memory_access(struct gp_sim_memory *memory, const struct gp_sim_warp *warp,
                                         const struct gp_trace_access *access, const struct gp_trace_access *last,
                                         const uint64_t *segments, uint64_t own, uint32_t visit, double time,
                                         double weight);

#endif
