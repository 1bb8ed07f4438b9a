/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/calibrate/outstanding.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void gp_latency_variance(const double *latency, size_t count, double *variance)
{
    for (size_t i = 0; i < count; i++) {
        variance[i] = 0;
        if (i == 0 || i + 1 == count)
            continue;
        double mean = (latency[i - 1] + latency[i] + latency[i + 1]) / 3;
        for (size_t k = i - 1; k <= i + 1; k++)
            variance[i] += (latency[k] - mean) * (latency[k] - mean) / 2;
    }
}

/* Where none is stated each thread has lines of its own. */
static uint32_t sharing_of(const struct gp_latency_curve *curve) { return curve->sharing > 0 ? curve->sharing : 1; }

/* ---- Spikes ------------------------------------------------------------------------------------------------------ */

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* The variance from which a point belongs to a spike; `scratch` has room for all points. */
static double spike_threshold(const struct gp_latency_curve *curve, const double *variance, size_t first,
                              double *scratch)
{
    size_t count = curve->count - first;
    double lowest = INFINITY;
    for (size_t i = 0; i < curve->count; i++)
        lowest = fmin(lowest, curve->latency[i]);
    memcpy(scratch, variance + first, count * sizeof *scratch);
    qsort(scratch, count, sizeof *scratch, by_size);
    double recurring = scratch[(size_t)(0.85 * (double)(count - 1))], largest = scratch[count - 1];
    double least_rise = 0.1 * lowest; /* a lone jump of d has a variance of d^2 / 3 at both of its ends */
    return fmax(fmax(4 * recurring, largest / 4), least_rise * least_rise / 3);
}

/*
 * A limit that is reached stays reached: by how much all latencies behind a point lie above all up to it, from a full
 * warp on. What a curve jumps by and loses again with more threads is chance.
 */
static void lasting_steps(const struct gp_latency_curve *curve, size_t first, double *steps)
{
    double least = INFINITY, most = 0;
    for (size_t i = curve->count; i-- > 0; least = fmin(least, curve->latency[i]))
        steps[i] = least;
    for (size_t i = first; i < curve->count; i++) {
        most = fmax(most, curve->latency[i]);
        steps[i] -= most;
    }
}

/* Whether a jump lasts, and is twice as high as each lasting step before it: else it is one of those by which the curve
 * grows. */
static bool is_of_a_limit(const double *steps, size_t first, size_t jump, double rise)
{
    double highest = 0;
    for (size_t i = first; i < jump; i++)
        highest = fmax(highest, steps[i]);
    return rise > 0 && steps[jump] >= rise / 2 && steps[jump] >= 2 * highest;
}

void gp_find_spike(const struct gp_latency_curve *curve, uint32_t warp_width, struct gp_latency_spike *spike)
{
    *spike = (struct gp_latency_spike){0};
    size_t first = 0;
    while (first < curve->count && curve->threads[first] < warp_width)
        first++;
    if (first + 3 > curve->count)
        return;
    double *variance = malloc(2 * curve->count * sizeof *variance);
    if (variance == NULL)
        return;
    double *scratch = variance + curve->count;
    gp_latency_variance(curve->latency, curve->count, variance);
    double threshold = spike_threshold(curve, variance, first, scratch);
    lasting_steps(curve, first, scratch);
    for (size_t i = first; i < curve->count && !spike->found; i++) {
        /* The jump itself: the steepest step among the points of this spike, the one behind its last included. */
        struct gp_latency_spike here = {.rise = -INFINITY};
        size_t jump = i;
        for (; i + 1 < curve->count && variance[i] >= threshold && variance[i] > 0; i++) {
            double rise = curve->latency[i + 1] - curve->latency[i];
            here.variance = fmax(here.variance, variance[i]);
            if (rise > here.rise) {
                here.rise = rise;
                jump = i;
            }
        }
        if (here.variance > 0 && is_of_a_limit(scratch, first, jump, here.rise))
            *spike = (struct gp_latency_spike){.found = true,
                                               .before = curve->threads[jump],
                                               .after = curve->threads[jump + 1],
                                               .rise = here.rise,
                                               .variance = here.variance};
    }
    free(variance);
}

/* ---- Serialisation ----------------------------------------------------------------------------------------------- */

void gp_find_serialisation(const struct gp_latency_curve *curve, uint32_t warp_width,
                           struct gp_latency_serialisation *found)
{
    *found = (struct gp_latency_serialisation){.flat_to = warp_width};
    size_t full = 0;
    while (full < curve->count && curve->threads[full] < warp_width)
        full++;
    if (full == 0 || full == curve->count || curve->threads[full] != warp_width)
        return;
    uint32_t more = curve->loads * (warp_width - curve->threads[0]) / sharing_of(curve);
    double risen = curve->latency[full] - curve->latency[0];
    if (more == 0 || risen <= 0)
        return;
    found->rise = risen / more;
    for (size_t i = full + 1; i < curve->count && curve->latency[i] <= curve->latency[full] + 0.1 * risen; i++)
        found->flat_to = curve->threads[i];
    found->side_by_side = found->flat_to / warp_width;
}

/* ---- Readings ---------------------------------------------------------------------------------------------------- */

const char *gp_in_flight_kind_name(enum gp_in_flight_kind kind)
{
    static const char *const names[GP_IN_FLIGHT_KINDS] = {"MSHR, an entry per line", "a table of single requests",
                                                          "PRT, an entry per warp load"};
    return names[kind];
}

static uint32_t up(uint32_t value, uint32_t unit) { return (value + unit - 1) / unit; }

/* Entries that so many threads of a curve take. */
static uint32_t entries(const struct gp_latency_curve *curve, enum gp_in_flight_kind kind, uint32_t warp_width,
                        uint32_t threads)
{
    switch (kind) {
    case GP_IN_FLIGHT_LINES: return curve->loads * up(threads, sharing_of(curve));
    case GP_IN_FLIGHT_WARPS: return curve->loads * up(threads, warp_width);
    default: return curve->loads * threads;
    }
}

/* Every capacity in [low, high] is reached at `before` or not yet, and exceeded behind. */
static void narrow(const struct gp_latency_curve *curve, const struct gp_latency_spike *spike, uint32_t warp_width,
                   struct gp_in_flight_reading *reading)
{
    uint32_t after = spike->after;
    if (reading->kind == GP_IN_FLIGHT_WARPS) { /* the paper's reading: the warp that has begun is the last that fits */
        uint32_t whole = up(spike->before, warp_width) * warp_width, past = spike->before % warp_width;
        uint32_t off = past < warp_width - past ? past : warp_width - past;
        after = whole + 1;
        reading->misfit = off > reading->misfit ? off : reading->misfit;
    }
    uint32_t low = entries(curve, reading->kind, warp_width, spike->before),
             high = entries(curve, reading->kind, warp_width, after) - 1;
    reading->low = low > reading->low ? low : reading->low;
    reading->high = high < reading->high ? high : reading->high;
}

static bool better(const struct gp_in_flight_reading *a, const struct gp_in_flight_reading *b)
{
    bool a_explains = a->low <= a->high, b_explains = b->low <= b->high;
    if (a_explains != b_explains)
        return a_explains;
    if (a->misfit != b->misfit)
        return a->misfit < b->misfit;
    if (a->missing != b->missing)
        return a->missing < b->missing;
    return a->kind < b->kind;
}

static void sort_readings(struct gp_in_flight_reading readings[GP_IN_FLIGHT_KINDS])
{
    for (int i = 1; i < GP_IN_FLIGHT_KINDS; i++) {
        for (int k = i; k > 0 && better(&readings[k], &readings[k - 1]); k--) {
            struct gp_in_flight_reading swap = readings[k];
            readings[k] = readings[k - 1];
            readings[k - 1] = swap;
        }
    }
}

size_t gp_read_limits(const struct gp_latency_curve *curves, size_t count, uint32_t warp_width,
                      struct gp_latency_spike *spikes, struct gp_in_flight_reading readings[GP_IN_FLIGHT_KINDS])
{
    size_t found = 0;
    for (size_t c = 0; c < count; c++) {
        gp_find_spike(&curves[c], warp_width, &spikes[c]);
        found += spikes[c].found;
    }
    for (int k = 0; k < GP_IN_FLIGHT_KINDS; k++) {
        struct gp_in_flight_reading *reading = &readings[k];
        *reading = (struct gp_in_flight_reading){.kind = (enum gp_in_flight_kind)k, .high = UINT32_MAX};
        for (size_t c = 0; c < count; c++)
            if (spikes[c].found)
                narrow(&curves[c], &spikes[c], warp_width, reading);
        for (size_t c = 0; c < count; c++) {
            if (spikes[c].found || curves[c].count == 0)
                continue;
            uint32_t most = entries(&curves[c], reading->kind, warp_width, curves[c].threads[curves[c].count - 1]);
            if (found == 0)
                reading->low = most > reading->low ? most : reading->low;
            else
                reading->missing += most > reading->high;
        }
    }
    if (found > 0)
        sort_readings(readings);
    return found;
}
