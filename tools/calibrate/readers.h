/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * From curves to numbers: pure functions, each of which may say that the curve does not tell. A curve is `count` points
 * of x ascending and y. They stand noise of 5% in y.
 */
#ifndef GPUPERF_TOOLS_CALIBRATE_READERS_H
#define GPUPERF_TOOLS_CALIBRATE_READERS_H

#include <stdbool.h>
#include <stddef.h>

/* Median of the numbers, which are sorted; and how far apart the middle half of them lies, over the median. */
double gp_median(double *numbers, size_t count, double *spread);

/* The median of the slopes between all pairs of points (Theil and Sen). False: fewer than two x. */
bool gp_read_slope(const double *x, const double *y, size_t count, double *slope);

/*
 * Levels of memory in a curve of latency over the bytes that a pointer chase goes through (read_levels.c). A level is a
 * plateau of two points at least; between two of them one more and more of the cache is short of room.
 */
enum { GP_MOST_LEVELS = 5 };
struct gp_levels {
    size_t count;
    struct gp_level {
        double latency;
        double bytes;       /* that the level holds; 0: of the last, or the curve does not tell */
        unsigned ways;      /* that describe its end best; 0: it does not tell */
        bool hashed;        /* lines fall into sets by chance; else in turn */
        size_t first, last; /* points of its plateau */
    } levels[GP_MOST_LEVELS];
};
/* `flat`: the most that a plateau's highest point is of its lowest one. */
void gp_read_levels(const double *bytes, const double *latency, size_t count, double flat, struct gp_levels *levels);

/* Behind a last cache of so many bytes is one memory: later plateaus come from translations that are missing. */
void gp_end_levels(const double *bytes, double last_cache, struct gp_levels *levels);

/* Of a GPU's plateaus; of a CPU's, which rise with the pages whose translations are missing. */
#define GP_FLAT       1.08
#define GP_FLAT_PAGED 1.3

/* Of a cache of so many bytes the share of accesses that miss where a chase goes round `touched` bytes: all lines of a
 * set that has more of them than ways. */
double gp_chase_misses(double touched, double bytes, unsigned ways, bool hashed);

/*
 * The step in a curve of y over x, powers of two: x from which on y stays at its upper level. False: it does not rise
 * by a fifth, or not at one place.
 */
bool gp_read_step(const double *x, const double *y, size_t count, double *at);

/* The first x behind which y has left its first level by an eighth. False: it never does, or at once. */
bool gp_read_first_step(const double *x, const double *y, size_t count, double *at);

/*
 * The sampling paper's staircase (read_policy.c): of the groups of an SM, how much earlier the first ends than the
 * last, as a share of the time.
 */
double gp_read_staircase(const double *finish, size_t count);

/* From the staircases of loops of a single-precision addition, whose lanes are many, and of one to three
 * double-precision ones, whose lanes are few. `busy`: those of single precision are, too, so that the oldest warp is as
 * good as one of the oldest group. */
enum gp_policy_reading { GP_READ_IN_TURN, GP_READ_OLDEST_FIRST, GP_READ_OLDEST_GROUP, GP_READ_NO_POLICY };
enum gp_policy_reading gp_read_policy(double single, double once, double twice, double thrice, bool busy);

/* Whether a group starts as soon as another ends, or a wave of `resident` ones when all before have. */
enum gp_refill { GP_REFILL_AT_ONCE, GP_REFILL_BY_WAVES, GP_REFILL_UNKNOWN };
enum gp_refill gp_read_refill(const double *start, const double *finish, size_t count, size_t resident);

/* How much an SM has, from how many groups that hold `each` it holds: at least `low`, less than `high` (read_room.c).
 * False: no number of bytes explains them. */
bool gp_read_room(const double *each, const double *groups, size_t count, double *low, double *high);

/*
 * The exponent of (latency^k + transfer^k)^(1/k), and the latency, that describe cycles over warps best, each of which
 * takes `transfer` cycles of the bandwidth (read_knee.c). False: cycles are on one side of the knee alone.
 */
bool gp_read_knee(const double *warps, const double *cycles, size_t count, double transfer, double *latency, double *k,
                  double *misfit);

/* Where y stops growing with x, from the origin on a line up to there (read_end.c). False: it does not. */
bool gp_read_end(const double *x, const double *y, size_t count, double *end, double *slope);

/*
 * Hong & Kim's Mem_LD and departure delays from their micro-benchmarks (read_departures.c). A point: cycles of an SM
 * for one turn of all its warps, each of so many instructions, of which some are loads; `compute`: cycles that the
 * instructions of one warp take without its loads (Comp_cycles, their equation 19).
 */
enum { GP_DEPARTURE_LATENCY, GP_DEPARTURE_UNCOALESCED, GP_DEPARTURE_COALESCED, GP_DEPARTURE_COUNT };
struct gp_departure_machine {
    double clock_ghz, gbps, transactions, load_bytes; /* of a warp's uncoalesced load; of a warp's load */
};
struct gp_departure_point {
    double loads, instructions, compute, warps, sms, barriers;
    bool coalesced;
    double cycles;
};
struct gp_departures {
    double value[GP_DEPARTURE_COUNT];
    double low[GP_DEPARTURE_COUNT], high[GP_DEPARTURE_COUNT]; /* from where to where the equations fit as well */
    bool told[GP_DEPARTURE_COUNT];                            /* within a factor of two */
    double misfit; /* root of the mean square of the logarithms of cycles over cycles */
};
/* What the equations say (5 to 27). */
double gp_departure_cycles(const struct gp_departure_machine *machine, const struct gp_departure_point *point,
                           const double parameters[GP_DEPARTURE_COUNT]);
/* False: too few points, or one that is no time. */
bool gp_read_departures(const struct gp_departure_machine *machine, const struct gp_departure_point *points,
                        size_t count, struct gp_departures *departures);

#endif
