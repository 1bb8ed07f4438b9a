/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The warp executor: runs a kernel's skeleton for one warp, all lanes at once, with lanes that part at branches and
 * meet again (executor_paths.c). What it sees is the hybrid framework's execution trace, computed instead of guessed.
 *
 * A value is, per lane, known; or a symbol plus a known offset; or unknown. What a uniform load returns is a fresh
 * symbol, the same for all lanes; what a lane-varying load returns is unknown. Buffers are symbols. A branch on an
 * unknown condition takes both ways; a loop whose end is unknown takes the assumed trip count. Each guess is counted.
 */
#ifndef GPUPERF_MODEL_EXECUTOR_H
#define GPUPERF_MODEL_EXECUTOR_H

#include "model/value/distances.h"
#include "model/launch/launch.h"
#include "model/value/value.h"
#include "model/profile/profile.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef uint64_t gp_mask; /* a bit per lane */

/* How a place in the code is reached: as is known; by a branch of which the source says how often it goes there; by one
 * that nobody knows, of which one way is the right one; or in iterations of which nobody knows how many there are. */
enum gp_guess { GP_GUESS_NONE, GP_GUESS_STATED, GP_GUESS_WAY, GP_GUESS_TURNS };

static inline enum gp_guess gp_guess_worse(enum gp_guess a, enum gp_guess b) { return a > b ? a : b; }

/* What the lanes of one execution of one memory operation touch. */
struct gp_access {
    uint32_t memory; /* index in kernel->memory */
    gp_mask active;
    double weight;          /* this execution stands for that many of this warp's */
    const uint32_t *symbol; /* [warp_width] per lane: the address is symbol + offset, symbols by their names (value.h);
                               GP_SYMBOL_UNKNOWN: not known */
    const uint64_t *offset; /* [warp_width] bytes. Buffers start at a multiple of 256 of their symbol */
    bool uniform;           /* all active lanes are known to be at one address */
    bool one_symbol;        /* symbol[] is the same for all of them; false: it may be or not */
    enum gp_guess guessed;  /* how it is reached */
    bool drawn;             /* data decides the addresses, within a bound: each lane's is a place drawn within it */
    gp_mask succeeds;       /* of an exchange that its loop retries: lanes whose exchange is taken to succeed; else 0 */
    const struct gp_distances
        *distances; /* of offset[], where one_symbol; valid during the callback, its id for good. NULL: not said */
    /* IMAGE operations: coordinates instead of addresses; texel x, y, z of each lane */
    uint32_t coordinates; /* 0 for memory operations */
    const uint32_t *coordinate_symbol[3];
    const uint64_t *coordinate[3];
    const struct gp_distances *coordinate_distances[3]; /* of coordinate[], where its symbol is the same for all active
                                                           lanes; valid during the callback. NULL: not said */
    gp_mask assumed; /* lanes whose texel is not known: the coordinates are those of the work-item in the range, as
                        neighbours mostly read neighbours */
};

/* The lane's offset, also where the observer has asked for few. */
static inline uint64_t gp_access_offset(const struct gp_access *access, uint32_t lane)
{
    return access->distances != NULL ? access->offset[0] + access->distances->lane[lane] : access->offset[lane];
}

/* All lanes' offsets, in an array of the caller's where the access has few. */
static inline const uint64_t *gp_access_offsets(const struct gp_access *access, uint64_t offsets[GP_MAX_LANES])
{
    const struct gp_distances *d = access->distances;
    if (d == NULL)
        return access->offset;
    gp_distances_spread(d, access->offset[0], offsets);
    return offsets;
}

/* Lanes that are off get the number of the first that is on, so that accesses that differ in them only are alike. */
static inline void gp_fill_idle_lanes(uint64_t *numbers, gp_mask active, uint32_t lanes)
{
    uint64_t first = numbers[__builtin_ctzll(active)];
    for (uint32_t lane = 0; lane < lanes; lane++)
        numbers[lane] = active >> lane & 1 ? numbers[lane] : first;
}

/* A visit of a basic block by (part of) the warp. All callbacks may be NULL. */
struct gp_observer {
    void *context;
    void (*enter)(void *context, uint32_t block, gp_mask active, double weight);
    void (*access)(void *context, const struct gp_access *access); /* in program order, between enter and leave */
    void (*barrier)(void *context, uint32_t inst, gp_mask active, double weight);
    void (*leave)(void *context, uint32_t block, gp_mask active, double weight);
    /* a branch that sent lanes both ways: divergence */
    void (*diverge)(void *context, uint32_t branch, gp_mask taken, gp_mask not_taken, double weight);
    /* sampled execution jumps from one iteration of a loop to a later one; the time between is in the weights */
    void (*skip)(void *context, uint32_t loop, uint64_t skipped); /* skipped: how many iterations */
    bool few_offsets; /* of an access that says distances, offset[] need hold no more than lane 0's and the first active
                         one's (gp_access_offset()), nor coordinate[] (gp_access_coordinate()) */
};

struct gp_exec_options {
    uint32_t warp_width; /* 32 or 64; 1 for a CPU's work-item */
    bool exhaustive;     /* every iteration of every loop */
    bool coarse;         /* one iteration in the middle of a long loop stands for all but the first and last two */
    bool sparse;  /* the first iteration does for all but the last: enough to tell how often blocks are visited */
    bool fine;    /* many do, though all lanes run the loop equally often */
    bool in_turn; /* lanes are work-items that run one after the other, as on a CPU: none of them is in another's way */
    uint64_t max_block_visits; /* after that many the rest is cut off and counted in `cut_off`; 0: 1<<20 (exhaustive:
                                  1<<32) */
    uint64_t max_effort;       /* likewise after so much effort; 0: any */
};

/* What was guessed, as shares of the warp's weighted dynamic instructions. */
struct gp_exec_result {
    double instructions;         /* weighted, of this warp: visits x instructions of the block that are not FREE */
    double guessed_instructions; /* of these, reached through a guessed branch or trip count */
    double guessed_ways;         /* of these, through branches alone */
    uint64_t guessed_branches;   /* dynamic: unknown condition */
    uint64_t guessed_trips;      /* dynamic: assumed trip count */
    bool cut_off;                /* max_block_visits or max_effort was reached */
    uint32_t endless;            /* ... in a loop that never ends, as far as was seen: 1 + its index; 0: none was */
    uint64_t effort; /* what the execution cost us: operations executed, each as often as it was, and blocks visited */
};

struct gp_executor;

/*
 * Prepares a kernel for execution (decoded once, run for many warps, groups and launches). The kernel must stay alive.
 * An executor is used by one thread at a time.
 */
struct gp_executor *gp_executor_new(const struct gp_kernel *kernel);
void gp_executor_free(struct gp_executor *executor);

/* Runs warp number `warp` (lanes warp*width .. of the group in linear local order, x fastest) of one group. */
bool gp_execute_warp(struct gp_executor *executor, const struct gp_launch *launch, const uint64_t group[3],
                     uint32_t warp, const struct gp_exec_options *options, const struct gp_observer *observer,
                     struct gp_exec_result *result, struct gp_error *error);

/*
 * Sampling of a launch: the groups (first, last, middle, edges) and warps of a group that stand for all, with weights
 * that add up to all groups x warps. `max_groups` 0, or hardly less than all: every group; `max_warps` 0: every warp of
 * a group.
 */
struct gp_sample {
    uint64_t group[3];
    uint32_t warp;
    double weight; /* warps of the launch it stands for */
    bool alone;    /* a branch turns in its group (gp_guard_cuts()), all of whose warps are samples */
};
size_t gp_sample_launch(const struct gp_launch *launch, uint32_t warp_width, uint32_t max_groups, uint32_t max_warps,
                        struct gp_sample **samples);

/* Warps of one group; fewer than of others where the launch ends in it. full: whether the last of them has work in all
 * lanes. */
uint64_t gp_group_warps(const struct gp_launch *launch, const uint64_t group[3], uint32_t warp_width, bool *full);

/* Per dimension places, ascending, at which groups begin to do otherwise than those before them: no sample stands for
 * groups on both sides. */
enum { GP_MOST_CUTS = 6, GP_MOST_ALONE = 64 };
struct gp_cuts {
    uint32_t count;
    uint64_t at[GP_MOST_CUTS];
};
/* Whether a branch may turn within a group with this number along the dimension, or it is the first that goes another
 * way. */
bool gp_is_cut_at(const struct gp_cuts *cuts, uint64_t group);
/* The first and the last group, per dimension, between the cuts around one of `groups`. */
void gp_cuts_around(const struct gp_cuts cuts[3], const uint64_t group[3], const uint64_t groups[3], uint64_t first[3],
                    uint64_t last[3]);
/*
 * As gp_sample_launch(), which knows of no cuts. Of a group at which each dimension that has cuts is cut, all warps, if
 * they are GP_MOST_ALONE at most. */
size_t gp_sample_between(const struct gp_launch *launch, const struct gp_cuts cuts[3], uint32_t warp_width,
                         uint32_t max_groups, uint32_t max_warps, struct gp_sample **samples);

/*
 * The same where groups do different work (varied_groups.h): groups at `points` places spread evenly over the range, at
 * the same places whatever the local size, so that sizes are compared on the same work; each group where there are no
 * more.
 */
size_t gp_sample_points(const struct gp_launch *launch, uint32_t warp_width, uint32_t points, uint32_t max_warps,
                        struct gp_sample **samples);

/* The group at such a place, whose number may be any. */
void gp_sample_point(const struct gp_launch *launch, uint32_t number, uint64_t group[3]);

/* How many groups to look at: 9; of small ones more, up to 48, as alignment differs from group to group. */
uint32_t gp_sample_groups(const struct gp_launch *launch, uint32_t warp_width);

/* Within a callback: times the innermost execution of the loop has entered its header before, iterations that were left
 * out included. */
uint64_t gp_executor_position(const struct gp_executor *executor, uint32_t loop);

/* Within a callback: how often the innermost execution of the loop goes round, of the lane that does most often; 0: not
 * known. */
uint64_t gp_executor_trips(const struct gp_executor *executor, uint32_t loop);

/* Within a callback: iterations of the loop that the one at hand stands for, of one execution of the loop. */
double gp_executor_stands_for(const struct gp_executor *executor, uint32_t loop);

/* Within a callback: the warp is followed no further than the block at hand; gp_exec_result.cut_off says so. */
void gp_executor_stop(struct gp_executor *executor);

/* Trip count of a loop for one work-item's worth of known arguments, for printing: false where it is not known before
 * the loop. */
bool gp_loop_trip_count(struct gp_executor *executor, const struct gp_launch *launch, uint32_t loop, uint64_t *count);

#ifdef __cplusplus
}
#endif
#endif
