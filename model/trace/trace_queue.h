/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Tables of requests in flight and queues: what the simulated memory system makes requests wait with. Times are cycles,
 * never NaN. */
#ifndef GPUPERF_MODEL_TRACE_QUEUE_H
#define GPUPERF_MODEL_TRACE_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* No need for fmax()'s care, which costs a call. */
static inline double gp_later(double a, double b) { return a > b ? a : b; }
static inline double gp_sooner(double a, double b) { return a < b ? a : b; }

/* Requests that wait, the earliest to complete first: a binary heap. */
struct gp_waiting {
    double time;
    uint32_t lanes;
};
struct gp_in_flight {
    struct gp_waiting *heap;
    uint32_t count, capacity; /* allocated */
    uint32_t most;            /* held at once; beyond it the earliest leaves */
    uint32_t lanes;           /* sum over the heap */
};

void gp_in_flight_push(struct gp_in_flight *f, double time, uint32_t lanes);

/* The time from which there is room for one more of so many lanes; limits of 0 do not limit. What is done by then has
 * left the table. */
double gp_in_flight_room(struct gp_in_flight *f, double time, uint32_t lanes, uint32_t entries, uint32_t most_lanes);

enum { GP_MOST_GAPS = 128 };

/*
 * One thing at a time. The transactions of an access are looked at together: where those of several go out side by
 * side, one that arrives earlier may be looked at later, and finds its place in a gap.
 */
struct gp_gap {
    double from, to;
};
struct gp_queue {
    double free;                      /* behind all so far */
    uint32_t gap_count;               /* so far */
    struct gp_gap gaps[GP_MOST_GAPS]; /* before that: a ring of the latest */
};

static inline void gp_queue_clear(struct gp_queue *q)
{
    q->free = 0;
    q->gap_count = 0;
}

void gp_queue_add_gap(struct gp_queue *q, double from, double to);

/* The first gap in which something that arrives at `time` can be served; false: there is none. */
bool gp_queue_take_gap(struct gp_queue *q, double time, double service, double *start);

/* From when on something that arrives at `time` is served; gaps: what came later than it may have left it one. */
static inline double gp_queue_serve(struct gp_queue *q, double time, double service, bool gaps)
{
    double start = gp_later(q->free, time);
    if (gaps && time < q->free && gp_queue_take_gap(q, time, service, &start))
        return start;
    if (gaps)
        gp_queue_add_gap(q, q->free, start);
    q->free = start + service;
    return start;
}

#endif
