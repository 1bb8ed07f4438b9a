/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Tables of requests in flight and queues: what the simulated memory system makes requests wait with. */
#include "model/trace/trace_queue.h"

static void sift_up(struct gp_waiting *heap, uint32_t i)
{
    while (i > 0 && heap[(i - 1) / 2].time > heap[i].time) {
        struct gp_waiting swap = heap[i];
        heap[i] = heap[(i - 1) / 2];
        heap[(i - 1) / 2] = swap;
        i = (i - 1) / 2;
    }
}

static void sift_down(struct gp_waiting *heap, uint32_t count, uint32_t i)
{
    for (;;) {
        uint32_t least = i;
        for (uint32_t child = 2 * i + 1; child <= 2 * i + 2 && child < count; child++)
            if (heap[child].time < heap[least].time)
                least = child;
        if (least == i)
            return;
        struct gp_waiting swap = heap[i];
        heap[i] = heap[least];
        heap[least] = swap;
        i = least;
    }
}

static double pop(struct gp_in_flight *f)
{
    double time = f->heap[0].time;
    f->lanes -= f->heap[0].lanes;
    f->heap[0] = f->heap[--f->count];
    sift_down(f->heap, f->count, 0);
    return time;
}

void gp_in_flight_push(struct gp_in_flight *f, double time, uint32_t lanes)
{
    if (f->count == f->most)
        pop(f);
    f->heap[f->count] = (struct gp_waiting){time, lanes};
    f->lanes += lanes;
    sift_up(f->heap, f->count++);
}

double gp_in_flight_room(struct gp_in_flight *f, double time, uint32_t lanes, uint32_t entries, uint32_t most_lanes)
{
    while (f->count > 0 && f->heap[0].time <= time)
        pop(f);
    while (f->count > 0 && ((entries > 0 && f->count >= entries) || (most_lanes > 0 && f->lanes + lanes > most_lanes)))
        time = gp_later(time, pop(f));
    return time;
}

/* ---- Gaps -------------------------------------------------------------------------------------------------------- */

void gp_queue_add_gap(struct gp_queue *q, double from, double to)
{
    if (to > from)
        q->gaps[q->gap_count++ % GP_MOST_GAPS] = (struct gp_gap){from, to};
}

bool gp_queue_take_gap(struct gp_queue *q, double time, double service, double *start)
{
    uint32_t count = q->gap_count < GP_MOST_GAPS ? q->gap_count : GP_MOST_GAPS;
    struct gp_gap *first = NULL;
    for (uint32_t i = 0; i < count; i++) {
        struct gp_gap *gap = &q->gaps[i];
        if (gap->to - gp_later(gap->from, time) >= service && (first == NULL || gap->from < first->from))
            first = gap;
    }
    if (first == NULL)
        return false;
    double from = first->from;
    *start = gp_later(from, time);
    first->from = *start + service;
    gp_queue_add_gap(q, from, *start);
    return true;
}
