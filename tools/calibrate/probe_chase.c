/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Latency, size, line and ways of each level of memory, by pointer chases.
 *
 *   - dense: a word in each 64 bytes, four neighbours after each other, these in random order. It tells the bytes that
 *     a level holds, however long its lines are.
 *   - sparse: a word in each 512 bytes, in a place by chance, in random order. It tells the lines that a level holds;
 *     bytes over lines is the line. Each hop needs another line, so that plateaus are the levels' latencies.
 *   - pairs: a word, then another one so far behind it, where no cache holds any. It tells what a miss fetches.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/random.h"
#include "tools/calibrate/calibration.h"
#include "tools/calibrate/chains.h"
#include "tools/calibrate/readers.h"

enum { WORD = 8, UNROLLED = 8, MOST_PAIRS = 1 << 19 };

static const struct gp_chain dense = {256, 4, 64, false, "chase", 0, false},
                             sparse = {512, 1, 0, true, "chase", 0, false},
                             every_line = {64, 1, 0, false, "chase", 0, false};

/* A CPU has pages, which few words each would cost more than lines: there each line of 64 bytes has its word. */
static const struct gp_chain *sparse_of(const struct gp_calibration *c)
{
    return c->target->is_cpu ? &every_line : &sparse;
}

/* Of a chain: a GPU's L2 of 60 MB has a million lines of 64 bytes, and DRAM shows where several times as many are gone
 * through. */
static double most_hops(const struct gp_calibration *c) { return c->target->is_cpu ? 1 << 20 : 1 << 22; }

/* One cycle through `count` strides in random order. False: out of memory. */
static bool make_chain(uint64_t *words, size_t count, const struct gp_chain *p)
{
    uint64_t state = 1, *order = malloc(count * sizeof *order);
    if (order == NULL)
        return false;
    size_t room = (p->stride - (p->together - 1) * p->apart) / 128;
    for (size_t i = 0; i < count; i++)
        order[i] = i * p->stride + (p->anywhere ? (gp_next_random(&state) >> 33) % room * 128 : 0);
    for (size_t i = count; i-- > 1;) {
        size_t k = (gp_next_random(&state) >> 33) % (i + 1);
        uint64_t other = order[k];
        order[k] = order[i];
        order[i] = other;
    }
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < p->together; k++)
            words[(order[i] + k * p->apart) / WORD] =
                k + 1 < p->together ? order[i] + (k + 1) * p->apart : order[(i + 1) % count];
    if (words[0] == 0)
        words[0] = order[0]; /* the chase begins here, also where this is no place of the chain */
    free(order);
    return true;
}

bool gp_chase(struct gp_calibration *c, size_t count, const struct gp_chain *p, double *latency, double *spread,
              struct gp_error *error)
{
    const int32_t least = c->target->known != NULL ? 128 : 4096; /* turns: of a real device some 50 us */
    size_t bytes = count * p->stride, hops = p->hops > 0 ? p->hops : UNROLLED;
    int32_t turns = (int32_t)((count * p->together + hops - 1) / hops);
    uint64_t *words = calloc(bytes / WORD + 1, WORD);
    if (words == NULL || !make_chain(words, count, p)) {
        free(words);
        return gp_fail(error, "out of memory");
    }
    struct gp_run run = {.program = p->offsets ? "texture" : "chase",
                         .kernel = p->kernel,
                         .groups = 1,
                         .local = 1,
                         .in_bytes = bytes,
                         .out_bytes = 64,
                         .chain = words,
                         .offsets = p->offsets};
    /* A real cache is warm from the launch before; a simulated one from the first round. */
    int32_t many = turns > least ? turns : least, few = c->target->known != NULL ? turns : many / 16;
    bool done = gp_measure_turn(c, run, few, few + many, latency, spread, error);
    *latency /= (double)hops;
    free(words);
    return done;
}

/* ---- Sweeps ------------------------------------------------------------------------------------------------------ */

bool gp_chase_sweep(struct gp_calibration *c, const struct gp_chain *p, double from, double to, struct gp_curve *curve,
                    double *spread, struct gp_error *error)
{
    const double LONG = 16384;
    double spreads[GP_MOST_POINTS];
    size_t points = 0;
    for (double count = from / (double)p->stride; count * (double)p->stride <= to;) {
        double hops = round(count) * (double)p->together, latency, one;
        if (hops > most_hops(c))
            break;
        if (!gp_chase(c, (size_t)round(count), p, &latency, &one, error))
            return false;
        gp_add_point(curve, round(count) * (double)p->stride, latency);
        if (points < GP_MOST_POINTS)
            spreads[points++] = one;
        count *= hops < LONG ? pow(2, 0.25) : pow(2, 0.5);
    }
    *spread = points > 0 ? gp_median(spreads, points, NULL) : 0; /* levels are medians of points, too */
    return true;
}

void gp_draw_levels(struct gp_curve *curve, const struct gp_levels *levels)
{
    for (size_t i = 0; i < curve->count; i++) {
        double y = levels->count > 0 ? levels->levels[0].latency : NAN;
        for (size_t k = 0; k + 1 < levels->count; k++)
            y +=
                (levels->levels[k + 1].latency - levels->levels[k].latency) *
                gp_chase_misses(curve->x[i], levels->levels[k].bytes, levels->levels[k].ways, levels->levels[k].hashed);
        curve->fit[i] = y;
    }
}

/* The distance from which on a pair's second word misses, too, in a range of which no cache holds half. */
static bool find_fetch(struct gp_calibration *c, double cache, double *fetch, double *spread, struct gp_error *error)
{
    struct gp_curve *curve =
        gp_new_curve(c, "Pairs of words: what a miss fetches", "bytes apart", "cycles a hop", true);
    enum { APART = 2048 };
    double most = fmin((double)c->target->most_bytes / 2, (double)MOST_PAIRS * APART);
    size_t count = (size_t)(fmin(most, fmax(1 << 20, 32 * cache)) / APART);
    *spread = 0;
    for (size_t apart = 8; apart <= 512; apart *= 2) {
        const struct gp_chain pairs = {APART, 2, apart, true, "chase", 0, false};
        double latency, one;
        if (!gp_chase(c, count, &pairs, &latency, &one, error))
            return false;
        gp_add_point(curve, (double)apart, latency);
        *spread = fmax(*spread, one);
    }
    return curve != NULL && gp_read_first_step(curve->x, curve->y, curve->count, fetch);
}

/* Where the way from the first points to the last is half done. */
static bool read_pages(struct gp_curve *curve, double *bytes, double *rise)
{
    enum { FEW = 3 };
    if (curve->count < 2 * FEW)
        return false;
    double first[FEW], last[FEW];
    memcpy(first, curve->y, sizeof first);
    memcpy(last, curve->y + curve->count - FEW, sizeof last);
    double low = gp_median(first, FEW, NULL), high = gp_median(last, FEW, NULL);
    size_t i = 0;
    while (i < curve->count && curve->y[i] < (low + high) / 2)
        i++;
    *bytes = i > 0 && i < curve->count ? sqrt(curve->x[i - 1] * curve->x[i]) : 0;
    *rise = high - low;
    for (size_t k = 0; k < curve->count; k++)
        curve->fit[k] = k < i ? low : high;
    return high > GP_FLAT_PAGED * low && *bytes > 0;
}

/*
 * A line in each page: which translations a core holds, and what it takes to look one up. Each page's line is another
 * one of its page, so that all lie in L2, whose latency is part of both plateaus.
 */
static bool say_pages(struct gp_calibration *c, struct gp_error *error)
{
    const struct gp_chain pages = {4096 + 64, 1, 0, false, "chase", 0, false};
    const struct gp_finding *l1 = gp_finding_of(c, "l1_size"), *l2 = gp_finding_of(c, "l2_size");
    struct gp_curve *curve = gp_new_curve(c, "A line in each page", "bytes", "cycles a hop", true);
    double spread, least = l1 != NULL ? 1.5 * l1->value / 64 : 0, most = l2 != NULL ? l2->value / 64 / 2 : 0;
    most = fmin(most, (double)c->target->most_bytes / 2 / (double)pages.stride);
    if (curve == NULL || least == 0 || most < 4 * least) {
        gp_not_identifiable(c, "tlb_entries", "no L2 was found that holds lines of many pages");
        gp_not_identifiable(c, "page_walk_clk", "no L2 was found that holds lines of many pages");
        return true;
    }
    if (!gp_chase_sweep(c, &pages, least * (double)pages.stride, most * (double)pages.stride, curve, &spread, error))
        return false;
    double held, walk;
    if (!read_pages(curve, &held, &walk)) {
        gp_not_identifiable(c, "tlb_entries", "a line in each of up to %.0f pages takes as long", most);
        gp_not_identifiable(c, "page_walk_clk", "a line in each of up to %.0f pages takes as long", most);
        return true;
    }
    gp_found(c, "tlb_entries", round(held / (double)pages.stride), spread, "a line in each page");
    gp_found(c, "page_walk_clk", walk, spread, "a line in each of more pages than the core has translations of");
    return true;
}

/* ---- Fields ------------------------------------------------------------------------------------------------------ */

static const struct names {
    const char *size, *latency, *line, *ways;
} names[] = {{"l1_size", "l1_latency", "l1_line", "l1_ways"},
             {"l2_size", "l2_latency", "l2_line", "l2_ways"},
             {"llc_size", "llc_latency", NULL, NULL}};
enum { NAMES = sizeof names / sizeof *names };

static void say_none(struct gp_calibration *c, const struct names *n, const char *why)
{
    const char *const fields[] = {n->size, n->latency, n->line, n->ways};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (fields[i] != NULL)
            gp_not_identifiable(c, fields[i], "%s", why);
}

static void say_level(struct gp_calibration *c, const struct names *n, const struct gp_level *bytes,
                      const struct gp_level *lines, double spread)
{
    double held = lines->bytes / (double)sparse_of(c)->stride, line = pow(2, round(log2(bytes->bytes / held)));
    gp_found(c, n->latency, lines->latency, spread, "sparse chase, %zu points", lines->last - lines->first + 1);
    double told = n->line == NULL && c->target->is_cpu ? (double)c->target->told_cache : 0, found = held * line;
    if (told >= 0.8 * found && told <= 8 * found)
        gp_found(c, n->size, told, 0, "the driver says so; the chase found %.1f MB that others left",
                 found / (1 << 20));
    else if (held > 0 && bytes->bytes > 0)
        gp_found(c, n->size, held * line / (n == names ? c->target->halves : 1), 0, "sparse chase: %.0f lines are held",
                 held);
    else
        gp_not_identifiable(c, n->size, "another level lies behind it, of which others left no plateau; measure again");
    if (n->line == NULL)
        return;
    if (c->target->is_cpu)
        gp_not_identifiable(c, n->line, "chases had a word in each 64 bytes");
    else
        gp_found(c, n->line, line, 0, "dense chase over sparse one: bytes over lines");
    gp_not_identifiable(c, n->ways, "how addresses choose a set is not known");
}

/* A plateau that begins within what the last cache holds is that cache's: the chase was too short. */
static bool is_dram(const struct gp_calibration *c, const struct gp_curve *by_lines, const struct gp_level *last)
{
    return c->target->is_cpu || by_lines->x[last->first] >= (double)c->target->told_cache;
}

/* The last plateau is DRAM. A lone cache of more than half a megabyte is L2: no SM has as much of its own. */
static void say_levels(struct gp_calibration *c, const struct gp_levels *bytes, const struct gp_levels *lines,
                       const struct gp_curve *by_lines, double spread)
{
    const double MOST_OF_AN_SM = 512 * 1024;
    size_t caches = lines->count > 0 ? lines->count - 1 : 0, first = 0;
    const char *why_not = bytes->count != lines->count         ? "dense and sparse chases do not show the same levels"
                          : c->target->told_last && caches > 2 ? "chases show more plateaus than there are caches"
                                                               : NULL;
    if (c->target->is_cpu && caches > NAMES) /* what comes behind DRAM are pages whose places are looked up */
        caches = NAMES;
    if (why_not == NULL && !c->target->is_cpu && caches == 1 && bytes->levels[0].bytes > MOST_OF_AN_SM)
        first = 1;
    for (size_t i = 0; i < NAMES; i++) {
        size_t level = i - first;
        if (i < first || level >= caches)
            say_none(c, &names[i], "the chases show no such level");
        else if (why_not != NULL)
            say_none(c, &names[i], why_not);
        else
            say_level(c, &names[i], &bytes->levels[level], &lines->levels[level], spread);
    }
    if (lines->count > 0 && !is_dram(c, by_lines, &lines->levels[caches]))
        gp_not_identifiable(c, "dram_latency", "chases end within the cache that the driver tells of");
    else if (lines->count > 0 && why_not == NULL)
        gp_found(c, "dram_latency", lines->levels[caches].latency, spread, "sparse chase beyond all caches");
    else
        gp_not_identifiable(c, "dram_latency", "%s", why_not != NULL ? why_not : "no plateau is seen");
}

static bool hides_level(const struct gp_levels *levels)
{
    bool hides = false;
    for (size_t k = 0; k + 1 < levels->count; k++)
        hides |= levels->levels[k].bytes == 0;
    return hides;
}

/* Others use a CPU's last cache, now more and now less: where its plateau is not seen, the least of some passes counts.
 */
static bool sweep_lines(struct gp_calibration *c, double from, double to, struct gp_curve *curve,
                        struct gp_levels *levels, double *spread, struct gp_error *error)
{
    enum { MOST_PASSES = 4 };
    double flat = c->target->is_cpu ? GP_FLAT_PAGED : GP_FLAT;
    if (!gp_chase_sweep(c, sparse_of(c), from, to, curve, spread, error))
        return false;
    gp_read_levels(curve->x, curve->y, curve->count, flat, levels);
    for (int pass = 1; c->target->is_cpu && pass < MOST_PASSES && hides_level(levels); pass++) {
        struct gp_curve again = {0};
        double other;
        if (!gp_chase_sweep(c, sparse_of(c), from, to, &again, &other, error))
            return false;
        for (size_t i = 0; i < curve->count && i < again.count; i++)
            curve->y[i] = fmin(curve->y[i], again.y[i]);
        gp_read_levels(curve->x, curve->y, curve->count, flat, levels);
    }
    return true;
}

bool gp_probe_chase(struct gp_calibration *c, struct gp_error *error)
{
    const double LEAST = 1024, FAR = 4 << 20;
    double told = (double)c->target->told_cache, most = (double)c->target->most_bytes / 2, spread = 0, fetch, other;
    struct gp_curve *by_bytes = gp_new_curve(c, "Dense pointer chase", "bytes", "cycles a hop", true),
                    *by_lines = gp_new_curve(c, "Sparse pointer chase", "bytes", "cycles a hop", true);
    struct gp_levels bytes, lines;
    if (by_bytes == NULL || by_lines == NULL)
        return gp_fail(error, "too many curves");
    if (!gp_chase_sweep(c, &dense, LEAST, fmin(most, fmax(FAR, 4 * told)), by_bytes, &other, error) ||
        !sweep_lines(c, 4 * LEAST, fmin(most, fmax(4 * FAR, 16 * told)), by_lines, &lines, &spread, error))
        return false;
    gp_read_levels(by_bytes->x, by_bytes->y, by_bytes->count, GP_FLAT, &bytes);
    if (c->target->told_last) {
        gp_end_levels(by_bytes->x, told, &bytes);
        gp_end_levels(by_lines->x, told, &lines);
    }
    if (c->target->is_cpu) /* which fetches neighbours, so that dense chases show bandwidth */
        bytes = lines;
    gp_draw_levels(by_bytes, &bytes);
    gp_draw_levels(by_lines, &lines);
    say_levels(c, &bytes, &lines, by_lines, spread);
    error->text[0] = '\0';
    if (c->target->is_cpu) { /* a pair's second line comes by itself there */
        gp_not_identifiable(c, "l1_sector", "a CPU fetches neighbours, too");
        return say_pages(c, error);
    }
    if (find_fetch(c, bytes.count > 1 ? bytes.levels[bytes.count - 2].bytes : 0, &fetch, &other, error))
        gp_found(c, "l1_sector", fetch, other, "pairs of words: what a miss fetches");
    else if (error->text[0] == '\0')
        gp_not_identifiable(c, "l1_sector", "pairs of words show no step");
    return error->text[0] == '\0';
}
