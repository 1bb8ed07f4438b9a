/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What the recorder's files share: the traces so far.
 *
 *   trace_record.c     which warps are executed, and traces of all
 *   record_warps.c     which are executed where they do different work, the trace of one, how far others' accesses lie
 *                      from it, and what the average warp's holds
 *   record_accesses.c  a trace's accesses, and the segments that these touch
 */
#ifndef GPUPERF_MODEL_TRACE_RECORDER_H
#define GPUPERF_MODEL_TRACE_RECORDER_H

#include "model/compilers/machine_code.h"
#include "model/compilers/predication.h"
#include "model/memory/request_memo.h"
#include "model/memory/scatter.h"
#include "model/trace/trace.h"
#include "model/observe/divergence.h"
#include "model/observe/address_streams.h"
#include "model/observe/work.h"

/* Arrays that grow while traces are recorded; traces name places in them and get pointers at the end. */
struct growing {
    void *items;
    size_t count, capacity, size;
};

/* Of a trace: where it begins in them; what it holds, as gp_recording's sums. */
struct place {
    size_t visit, access, segment;
    double visited, instructions, touched;
};

/* What the code at hand has per block, branch and memory operation. */
struct recorded_code {
    uint32_t *branch_block;
    uint32_t *memory_block;          /* memory record -> block */
    uint32_t *block_insts;           /* that are not free */
    struct gp_code_factors *factors; /* per block (gp_machine_code_factors()) */
    double *block_issue;             /* issue slots they take on the device at hand */
};

/* How addresses go on: from group to group, from warp to warp, along walks. */
struct recorded_steps {
    struct gp_steps *steps;
    struct gp_walks *walks;
    struct gp_walk_step walked; /* by the access at hand */
    int64_t *group, *warp, *neighbour;
    bool *neighbour_known;
};

/* Spilled words, which are stored and loaded at a rate. */
struct spilling {
    double stores, loads;         /* per issue slot ... */
    double store_debt, load_debt; /* ... and how many are due */
    double in_line;               /* issue slots since then, of blocks without a visit of their own */
    uint32_t words, next_word;
};

/* What has been recorded so far. */
struct recorded {
    double visited, instructions;
    double touched; /* segments, weighted, those of spilled words among them */
    double whole;   /* instructions and segments with every iteration of every loop */
};

struct gp_recorder {
    const struct gp_kernel *kernel;
    struct gp_executor *executor;
    bool has_images;
    struct recorded_code code;
    struct recorded_steps moves;
    struct spilling spills;
    struct recorded done;
    struct gp_request_memo *requests;
    struct gp_scatter *bounds;       /* per memory operation */
    struct gp_segment_range *ranges; /* of those that data decides */
    uint64_t *first_segment;         /* of the trace at hand, per memory operation; 0: none */
    uint64_t *origin;                /* the same of the first trace */
    struct growing visits, accesses, segments, traces, places, warps;

    const struct gp_device *device;
    const struct gp_sm *sm;
    struct gp_predication predication; /* on the device at hand */
    struct gp_divergences divergences;
    uint64_t scattered;  /* segments nobody knows so far */
    uint32_t last_array; /* the symbols behind it are made up by execution: nobody knows where they lie */
    uint64_t effort;
    bool exhaustive, coarse, fine;
    uint64_t most_visits; /* of blocks by a warp; 0: no limit */
};

/* ---- record_accesses.c ------------------------------------------------------------------------------------------- */

/*
 * Every symbol has a stretch of virtual memory of its own; offsets may be negative. Arrays start at its middle, what
 * execution made up (a loaded pointer, a row that was looked up) in any channel.
 */
enum {
    SYMBOL_BITS = 40,
    START_BITS = 24,
    NAMED = 0x400000,
    ANY_STRETCH = NAMED - 1,
    SPILLED_STRETCH = NAMED - 2,
    ANOTHER_WARP = (1 << 16) + 3,
    ANOTHER_GROUP = (1 << 22) + 5
};

/* Room for so many items more. */
void *gp_recorder_grow(struct growing *g, size_t more);

/* The segment of a byte. */
uint64_t gp_recorder_segment(const struct gp_recorder *r, uint32_t symbol, uint64_t offset);
/* To an access, unless it is one of the last few. */
void gp_recorder_add_segment(struct gp_recorder *r, struct gp_trace_access *a, uint64_t segment);

void gp_recorder_access(void *recorder, const struct gp_access *access);

/* ---- record_warps.c ---------------------------------------------------------------------------------------------- */

/* Adds the trace of a warp; an empty one where a partial group has no such warp. */
bool gp_recorder_warp(struct gp_recorder *r, const struct gp_launch *launch, const uint64_t group[3], uint32_t warp,
                      struct gp_error *error);

void gp_recorder_group_at(uint64_t index, const uint64_t groups[3], uint64_t group[3]);
uint64_t gp_recorder_index_of(const uint64_t group[3], const uint64_t groups[3]);

/* From the first trace to the one at hand. elsewhere: segments to where the next one may be whose place was loaded;
 * further than any row is long. */
void gp_recorder_note_steps(const struct gp_recorder *r, int64_t *steps, int64_t elsewhere);

/* How far a group's accesses lie from those of the first recorded one: of the SM's next group, or of the launch's.
 * *executed: instructions of its warp at hand. */
bool gp_recorder_see_steps(struct gp_recorder *r, const struct gp_launch *launch, uint64_t index,
                           const uint64_t groups[3], uint32_t warp, bool neighbour, double *executed,
                           struct gp_error *error);

/* The same from a group to one beside it that executes as much; where there is none, nothing is known. */
bool gp_recorder_see_alike(struct gp_recorder *r, const struct gp_launch *launch, const uint64_t group[3],
                           const uint64_t groups[3], uint32_t warp, double instructions, struct gp_error *error);

enum { MOST_WARPS = 64 }; /* of a group that are executed */

/* What each of a group's first so many warps executes, without a trace. */
bool gp_recorder_scout(struct gp_recorder *r, const struct gp_launch *launch, const uint64_t group[3], uint32_t warps,
                       double *executed, struct gp_error *error);

/* Another that executes as much as the lead, the nearest behind it or before it, to see how far warps lie apart; where
 * there is none, one beside it. */
uint32_t gp_recorder_partner(const double *executed, uint32_t warps, uint32_t lead);
/* Which of the chosen ones a warp is taken to be like. */
uint32_t gp_recorder_like(const double *executed, const uint32_t *chosen, uint32_t count, uint32_t w);

/*
 * Of so many warps that execute so much: one of each kind, if that is `most` at the most; the lead, which executes
 * most, and its partner in any case; others evenly between. In their order, the first among them. Returns how many.
 */
uint32_t gp_recorder_choose_kinds(const double *executed, uint32_t warps, uint32_t most, uint32_t lead,
                                  uint32_t *chosen);

/* The recording's sums, over all warps of its first groups, which are executed. */
void gp_recorder_sum(const struct gp_recorder *r, uint32_t groups, struct gp_recording *recording);

#endif
