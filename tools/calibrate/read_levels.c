/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Levels of memory from a pointer chase. A plateau is a run of points near to each other; where the
 * curve rises from one to the next, the share of the rise is the share of accesses that miss. A chase goes round: with
 * the line that was used longest ago replaced, a set that has more lines than ways misses all of them, one that has no
 * more misses none. Lines that fall into sets in turn all miss within one way's worth beyond the size; lines that fall
 * there by chance begin to miss before it, at a pace that tells the ways: a set's lines are then Poisson-distributed
 * around touched / bytes x ways, and the share that misses is the chance that a set has as many as ways beside the one
 * at hand.
 */
#include "tools/calibrate/readers.h"

#include <math.h>
#include <string.h>

enum { MOST_POINTS = 256 };

double gp_chase_misses(double touched, double bytes, unsigned ways, bool hashed)
{
    double load = touched / bytes * ways, term = exp(-load), below = 0;
    if (!hashed)
        return fmin(1, fmax(0, (touched / bytes - 1) * ways));
    if (load > 600) /* exp() has no such small numbers */
        return 1;
    for (unsigned k = 0; k < ways; k++) {
        below += term;
        term *= load / (k + 1);
    }
    return fmax(0, 1 - below);
}

/* The longest flat run from a point on: its end, behind the last. */
static size_t flat_end(const double *y, size_t from, size_t count, double flat)
{
    double least = y[from], most = y[from];
    size_t i = from;
    for (; i < count; i++) {
        least = fmin(least, y[i]);
        most = fmax(most, y[i]);
        if (most > flat * least)
            break;
    }
    return i;
}

/* The median of a run. */
static double middle(const double *y, size_t first, size_t end)
{
    double run[MOST_POINTS];
    size_t count = end - first < MOST_POINTS ? end - first : MOST_POINTS;
    memcpy(run, y + first, count * sizeof *run);
    return gp_median(run, count, NULL);
}

/* Runs of points, the next always higher; what lies between two of them belongs to neither. Where plateaus rise, a slow
 * way from one to the next looks like a short one. */
static void find_plateaus(const double *x, const double *y, size_t count, double flat, struct gp_levels *l)
{
    enum { FEW = 3 };
    const double rise = 1.07 * flat, span = flat > GP_FLAT ? 2.5 : 1; /* from one plateau to the next; of bytes */
    for (size_t i = 0; i < count && l->count < GP_MOST_LEVELS;) {
        size_t end = flat_end(y, i, count, flat);
        bool last = end == count && end - i >= 2, shortly = end - i < FEW || x[end - 1] < span * x[i];
        double level = middle(y, i, end), before = l->count > 0 ? l->levels[l->count - 1].latency : 0;
        if (shortly && !last) {
            i++;
        } else if (level < rise * before) { /* the same one, with a bump within */
            l->levels[l->count - 1].last = end - 1;
            i = end;
        } else {
            l->levels[l->count++] = (struct gp_level){.latency = level, .first = i, .last = end - 1};
            i = end;
        }
    }
}

struct fit {
    double bytes, error;
    unsigned ways;
    bool hashed;
};

static void try_fit(const double *x, const double *y, const struct gp_level *low, const struct gp_level *high,
                    struct fit try, struct fit *best)
{
    try.error = 0;
    for (size_t i = low->first; i <= high->last; i++) {
        double share = (y[i] - low->latency) / (high->latency - low->latency);
        double off = share - gp_chase_misses(x[i], try.bytes, try.ways, try.hashed);
        try.error += off * off;
    }
    if (try.error < best->error)
        *best = try;
}

/*
 * Where the level ends: all sizes between its middle and the next one's, with any usual number of ways. Between two
 * points of a sharp end many sizes are as good: their middle.
 */
static void fit_end(const double *x, const double *y, struct gp_level *low, const struct gp_level *high)
{
    static const unsigned ways[] = {1, 2, 4, 6, 8, 10, 12, 16, 20, 24, 32, 64};
    enum { STEPS = 400, WAYS = sizeof ways / sizeof *ways };
    static const double AS_GOOD = 0.0005; /* squares of shares */
    double errors[STEPS + 1], from = x[low->first], to = x[high->last], sum = 0;
    struct fit best = {0, INFINITY, 0, false};
    size_t count = 0;
    for (int s = 0; s <= STEPS; s++) {
        struct fit here = {0, INFINITY, 0, false};
        for (size_t w = 0; w < 2 * WAYS; w++)
            try_fit(x, y, low, high, (struct fit){from * pow(to / from, (double)s / STEPS), 0, ways[w / 2], w % 2 != 0},
                    &here);
        errors[s] = here.error;
        best = here.error < best.error ? here : best;
    }
    for (int s = 0; s <= STEPS; s++)
        if (errors[s] <= best.error + AS_GOOD) {
            sum += s;
            count++;
        }
    low->bytes = from * pow(to / from, sum / (double)count / STEPS);
    low->ways = best.ways;
    low->hashed = best.hashed;
}

/* A quarter of a cache is held whole. Where the chase is twice as slow there as on the level's plateau, another level
 * lies between, whose plateau is not seen. */
static bool hides_another(const double *bytes, const double *latency, size_t count, const struct gp_level *level)
{
    for (size_t i = level->last + 1; i < count && bytes[i] <= level->bytes / 4; i++)
        if (latency[i] > 2 * level->latency)
            return true;
    return false;
}

void gp_read_levels(const double *bytes, const double *measured, size_t count, double flat, struct gp_levels *levels)
{
    double latency[MOST_POINTS];
    *levels = (struct gp_levels){0};
    count = count < MOST_POINTS ? count : MOST_POINTS;
    memcpy(latency, measured, count * sizeof *latency);
    if (flat > GP_FLAT) /* others use the caches, too, now and then: more bytes never take less */
        for (size_t i = count; i-- > 1;)
            latency[i - 1] = fmin(latency[i - 1], latency[i]);
    find_plateaus(bytes, latency, count, flat, levels);
    if (levels->count > 0) { /* it begins before all misses do */
        struct gp_level *last = &levels->levels[levels->count - 1];
        last->latency = middle(latency, (last->first + last->last + 1) / 2, last->last + 1);
    }
    for (size_t k = 0; k + 1 < levels->count; k++) {
        struct gp_level *level = &levels->levels[k];
        fit_end(bytes, latency, level, level + 1);
        if (flat > GP_FLAT && hides_another(bytes, latency, count, level))
            level->bytes = 0;
    }
}

void gp_end_levels(const double *bytes, double last_cache, struct gp_levels *levels)
{
    for (size_t i = 0; i + 1 < levels->count; i++)
        if (bytes[levels->levels[i].first] >= last_cache) {
            levels->count = i + 1;
            levels->levels[i].bytes = 0;
        }
}
