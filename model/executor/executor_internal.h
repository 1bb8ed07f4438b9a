/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Inside the executor: the decoded kernel and the state of one warp.
 *
 *   decode.c             kernel -> blocks of the instructions that must be executed, edges, facts about loops:
 * decoder.h executor.c           one warp, block by block executor_vector.c    slots: values of all lanes
 *   executor_pure.c      operations on them
 *   executor_ids.c       which work-items the lanes are
 *   executor_memory.c    accesses, what observers are told of them, and what is loaded
 *   executor_images.c    texels
 *   executor_near.c      what is known of addresses that are known in part
 *   executor_paths.c     where lanes part and meet again
 *   executor_branches.c  which way each lane goes, and how loops are left whose end is not known
 *   executor_phis.c      values where paths meet, and behind iterations that are left out
 *   executor_loops.c     which iterations are executed and what they stand for
 *
 * An SSA value lives in a slot. Slots 0..: unknown, scratch, then what is fixed for a launch (constants, parameters,
 * arrays), then a slot per instruction that decides control flow or an address; nothing else is computed.
 */
#ifndef GPUPERF_MODEL_EXECUTOR_INTERNAL_H
#define GPUPERF_MODEL_EXECUTOR_INTERNAL_H

#include "model/value/value.h"
#include "model/executor/executor.h"
#include "model/launch/range.h"

/* ---- Decoded kernel -------------------------------------------------------------------------------------------- */

enum op_kind {
    KIND_PURE, /* computed from its operands */
    KIND_ID,
    KIND_MEMORY, /* load, store, atomic: reports an access */
    KIND_IMAGE,
    KIND_BULK,
    KIND_BARRIER,
    KIND_OPAQUE /* its result is never known: calls, shuffles, weights that the skeleton uses */
};

struct op {
    struct gp_operation operation;
    uint8_t kind;          /* enum op_kind */
    uint8_t flags;         /* enum gp_inst_flags */
    uint8_t arity;         /* KIND_PURE: operands */
    bool has_result;       /* somebody needs the result */
    bool taken_as_one;     /* what was loaded only scales indices */
    bool other_element;    /* KIND_OPAQUE: of a vector that was loaded, an element other than the first, which is the
                              operand */
    bool asks_for_overlap; /* half of the question whether parts of two buffers overlap */
    bool guessed_address;  /* its address depends on such a load */
    uint32_t retried;      /* the loop that goes round until this exchange succeeds; GP_NONE */
    uint32_t dest;         /* slot */
    uint32_t in[3];        /* slots: operands of KIND_PURE; the address of KIND_MEMORY */
    uint32_t more, more_count; /* KIND_IMAGE, KIND_BULK, KIND_OPAQUE: all operands, in executor->more */
    uint32_t inst;
    uint32_t memory; /* in kernel->memory */
    uint64_t step;   /* GP_MEMORY_COUNTS: from one lane's result to the next one's; else 0 */
};

/* What an induction of the same header was an iteration ago (the vertex before, say), or that number `and_then`
 * another: the last of an unrolled loop's turns is i + 3. */
struct behind {
    uint32_t induction; /* in kernel->inductions; GP_NONE: the phi is nothing of that kind */
    uint8_t and_then;   /* enum gp_op */
    uint32_t number;    /* slot; GP_NONE: nothing is done to it */
};

struct phi {
    uint8_t bits;
    uint32_t dest;
    uint32_t sources;   /* slot per incoming edge of the block: executor->more[sources + k] */
    uint32_t induction; /* in kernel->inductions, of this header; GP_NONE */
    struct behind behind;
    uint32_t staged; /* a later phi of the block reads this one's old value: write here first. Else GP_NONE */
};

struct edge {
    uint32_t from, to;
    bool back;       /* from inside the loop whose header `to` is */
    uint32_t leaves; /* so many loops */
};

enum end_kind { END_RETURN, END_JUMP, END_BRANCH, END_SWITCH };

enum { MOST_PARTS = 3 };

struct few_loops {
    uint32_t loops[MOST_PARTS + 1], count;
};

struct block {
    uint32_t first_op, op_count;
    uint32_t first_phi, phi_count;
    bool staged;                   /* some phi is */
    uint32_t first_in, in_count;   /* incoming edges: contiguous in executor->edges */
    uint32_t first_out, out_count; /* outgoing edges: executor->out; in the order of the targets, each once */
    uint32_t ipdom;
    uint32_t order;                 /* its place among all blocks: decode.c */
    uint32_t loop;                  /* innermost, or GP_NONE */
    uint32_t heads;                 /* the loop whose header this is, or GP_NONE */
    uint8_t end;                    /* enum end_kind */
    uint32_t condition;             /* slot */
    uint32_t targets, target_count; /* END_SWITCH: executor->cases */
    uint32_t branch;                /* in kernel->branches, or GP_NONE */
    double probability;             /* of the first target */
    uint32_t from,
        until; /* slots: between them a loop counts, as this branch asks, its exit or its guard; GP_NONE: it does not */
    int64_t stride;         /* by so much, at least 1 */
    uint8_t width;          /* bits of a switch's value; 0 where not known */
    struct few_loops parts; /* of an unrolled loop, that one way leads to and the other passes by; none: the branch asks
                               something else */
    uint32_t to_parts;      /* that way: counts the block's outgoing edges */
    uint32_t instructions;  /* that are not FREE */
};

/* A target of a switch: default first. `out` counts the block's outgoing edges. */
struct switch_case {
    uint64_t value;
    uint32_t out;
};

#define RARELY (1.0 / 2001) /* how often a way is taken that LLVM's __builtin_expect marks unlikely */

/* A phi's slot, and the bits of it that decide whether a loop ends. */
enum { MOST_DECIDERS = 4 };
struct decider {
    uint32_t slot;
    uint64_t mask;
};

struct loop {
    uint32_t header, parent;
    uint32_t last; /* its last block in that order */
    uint32_t end;  /* order of the place behind it, where lanes wait for the next iteration */
    uint32_t body; /* unroll factor: so many iterations of the source's in one */
    uint32_t larger[MOST_PARTS],
        larger_count; /* of the other parts of the same loop, unrolled more: their factors, the largest first */
    bool smaller;     /* another part has a smaller one: what is left over goes there */
    struct few_loops parts_behind; /* the other parts that come behind this one */
    bool assumed;                  /* the profile says that the end depends on data */
    bool retries;                  /* until an exchange succeeds: see winners_of() */
    bool can_jump;                 /* iterations may be left out */
    bool varied;                   /* a branch inside depends on the iteration: look at more of them */
    uint32_t trip_count;           /* slot; GP_NONE */
    uint8_t trip_bits;
    uint32_t expressions, expression_count; /* ops to compute trip count and steps: executor->expression_ops */
    uint32_t carried, carried_count; /* ops that compute from the header's phis what they are in the next iteration:
                                        executor->carried.ops; 0: other things decide that, or they are all counters */
    uint32_t operations;             /* of its blocks */
    bool decides_itself;             /* the header's phis in deciders[], and what does not change, decide all exits */
    struct decider deciders[MOST_DECIDERS];
    uint32_t decider_count;
    uint32_t exit;                   /* the block by which it is left when no condition is known: see may_leave() */
    uint32_t varying, varying_count; /* slots of values that change from iteration to iteration and are used behind it:
                                        executor->varying */
};

struct induction {
    uint32_t start, step; /* slots */
    uint8_t bits;
};

/* ---- Values of all lanes --------------------------------------------------------------------------------------- */

enum shape {
    SHAPE_UNIFORM, /* symbol and offset; where the symbol is GP_SYMBOL_UNKNOWN: unknown in every lane */
    SHAPE_VECTOR,  /* one symbol; offset is lane 0's, the others' are so far from it */
    SHAPE_MIXED    /* symbols[], offsets[] */
};

struct slot {
    uint8_t shape;   /* enum shape */
    bool local;      /* nobody outside the loop where it is computed uses it */
    uint32_t symbol; /* of SHAPE_MIXED: unused, 0 */
    uint64_t offset;
    gp_mask owner;                        /* lanes that have a value here */
    const struct gp_distances *distances; /* of SHAPE_VECTOR */
    uint64_t *offsets;                    /* of SHAPE_MIXED: [GP_MAX_LANES]; NULL until it was that */
    uint32_t *symbols;                    /* behind the offsets */
};

/* Numbers of all lanes: lane 0's, and how far the others are from it. */
struct numbers {
    uint64_t first;
    const struct gp_distances *distances;
};

/* What an operation on numbers gave; the mask counts where some lanes may have no result. */
struct remembered {
    struct gp_operation operation;
    gp_mask mask;
    struct numbers in[3], result;
};

/* What an instruction's result can be, for arguments of this number. */
struct span {
    uint64_t arguments; /* 0: not looked at */
    struct gp_range range;
    bool known;
};

enum { FEW_REMEMBERED = 32, MOST_REMEMBERED = 512 };

enum { SLOT_UNKNOWN, SLOT_NUMBER, SLOT_PRODUCT, SLOT_BEHIND, SLOT_FIRST_FIXED };

/* ---- State of a loop ------------------------------------------------------------------------------------------- */

/* Positions in a plan: first, last two, interior of the common part; a few around each trip count where lanes leave. */
enum { FEW_SAMPLES = 4, MANY_SAMPLES = 16, PART_SAMPLES = 2 };
enum { MAX_POSITIONS = MANY_SAMPLES * 2 + GP_MAX_LANES * (PART_SAMPLES * 2 + 1) + 8 };

struct plan {
    uint32_t count;
    uint64_t position[MAX_POSITIONS];
    double weight[MAX_POSITIONS];
};

enum { MOST_PASSED = 4 };

struct loop_state {
    uint64_t position;   /* of the iteration: times the header was entered before, left-out ones included */
    uint64_t trip_count; /* the largest of the lanes; 0: not known */
    double factor;       /* what one visit stands for: the product of this and the enclosing loops' weights */
    double outer_factor;
    struct plan *plan; /* allocated for loops that can jump */
    bool planned;
    bool checked;                               /* the phis without induction have been looked at */
    bool carries;                               /* iterations are left out by doing loop.carried as often */
    uint32_t next;                              /* in the plan */
    bool guessed;                               /* an exit that is not known was passed over ... */
    bool guess_varies;                          /* ... and lanes may have taken it in different iterations */
    uint32_t passed[MOST_PASSED], passed_count; /* edges of such exits */
    bool known_exit;                            /* an exit whose condition is known was passed */
    gp_mask winners;      /* of a loop that retries: lanes whose exchange of this iteration succeeded */
    uint64_t headers;     /* changes with every iteration: tells visits of a block within one iteration */
    uint32_t before_lane; /* executor_loops.c: of this lane ... */
    struct gp_value before[MOST_DECIDERS]; /* ... what decided some iterations ago */
};

/* ---- The executor ---------------------------------------------------------------------------------------------- */

/* A branch on an unknown condition that the same lanes took both ways. */
struct fork {
    uint32_t rejoin;       /* the block where it ends; GP_NONE: the exit */
    uint32_t outer;        /* the fork around it, an earlier one; GP_NONE */
    bool uniform;          /* what is not known is the same for all lanes */
    enum gp_guess guessed; /* before it, like the weight */
    double weight;
};

/* Which way each lane goes at a branch: a mask per outgoing edge in executor->case_masks; the rest is not known. */
struct decision {
    gp_mask unknown;
    bool uniform; /* what is not known is the same for all lanes */
};

/* Lanes that run together. */
struct path {
    uint32_t block; /* to be executed next */
    uint32_t edge;  /* by which it comes; GP_NONE at the entry */
    uint32_t order; /* paths of lower ones run first */
    uint32_t fork;  /* the innermost one that it is a side of; GP_NONE */
    uint32_t came;  /* the same before it came to the block, where forks may end */
    bool joined;    /* lanes came by several edges: executor->arrivals */
    enum gp_guess guessed;
    gp_mask mask;
    double weight;
};

enum { MAX_FORKS = 1024 };

/* What an operation's result may be in the lanes of `mask`, operations before it followed so far back. */
struct near_values {
    uint32_t slot;
    int depth;
    bool unknown;
    gp_mask mask;
    struct gp_value lane[GP_MAX_LANES];
}; /* unknown: in all of these lanes */

/* Of a visit of a block by the warp at hand. newest: per slot, the last place in `values` that was its own; whether it
 * still is, is told there. */
struct near_found {
    struct near_values *values;
    uint32_t *newest, count, room;
    uint64_t visit;
};

/* Where the warp at hand stands in the launch. */
struct place_of_warp {
    uint64_t local_id[GP_MAX_DIMS][GP_MAX_LANES];
    uint64_t group[GP_MAX_DIMS], local[GP_MAX_DIMS], groups[GP_MAX_DIMS];
    uint32_t items, warp; /* items of this group */
};

/* Which ways its lanes have gone: executor_paths.c. */
struct flow {
    struct path *paths;
    uint32_t depth;           /* by order, the one that runs last; at most one at each block */
    struct fork *forks;       /* [MAX_FORKS] */
    gp_mask live;             /* lanes that some path still holds */
    gp_mask waiting;          /* lanes of paths that wait or run inside the loop of the block at hand */
    gp_mask *arrivals;        /* per edge */
    bool *merge_varies;       /* per block: paths that differ by lane come together here */
    bool merge_varies_now;    /* of the block whose phis are evaluated ... */
    uint32_t merge_atom;      /* ... and what decides between its paths, once made; else 0 */
    uint64_t *fork_iteration; /* per block: the iteration in which ... */
    uint32_t *fork_count;     /* ... its unknown branch was taken both ways so often */
};

/* What it may do, and has done. */
struct spending {
    uint64_t iterations; /* headers entered */
    uint64_t visits, max_visits, max_effort;
};

/* Cleared before each warp: what lanes that are off hold never depends on what ran before. */
struct scratch {
    gp_mask *case_masks; /* [largest out_count] */
    uint64_t offsets[6][GP_MAX_LANES];
    uint32_t symbols[5][GP_MAX_LANES];
};

/* Results that come again. */
struct result_memo {
    struct remembered *entries; /* by their hash; in[0].distances is NULL in empty ones */
    uint32_t count, clashes;    /* a power of two; how often one made way for another since */
};

/* Operations that make loops' next values out of those before (decode_carried.c), one loop's behind another's. */
struct carried {
    struct op *ops;
    uint32_t count;
};

/* What is known of values without a warp. */
struct value_facts {
    uint8_t *alignment;      /* per fixed symbol */
    bool *float_value;       /* per instruction: a floating-point number (coordinates of images) */
    struct span *spans;      /* per instruction: looked up when first asked for */
    uint64_t span_arguments; /* of the launch at hand; not 0 */
};

struct gp_executor {
    const struct gp_kernel *kernel;

    struct block *blocks;
    struct op *ops;
    struct phi *phis;
    struct edge *edges;
    uint32_t edge_count;
    uint32_t *out;
    struct switch_case *cases;
    uint32_t *more;
    struct loop *loops;
    struct induction *inductions;
    struct op *expression_ops;
    struct carried carried;
    uint32_t *varying;
    struct slot *slots;
    uint32_t slot_count;
    uint32_t *makers;       /* per slot: the pure operation in `ops` whose result it is; GP_NONE */
    uint32_t first_param;   /* slots: parameters; constants and arrays follow and never change */
    uint32_t first_dynamic; /* slots that a warp writes */
    struct value_facts facts;
    struct near_found near; /* executor_near.c */
    uint32_t symbol_count;

    /* One warp */
    const struct gp_launch *launch;
    const struct gp_exec_options *options;
    const struct gp_observer *observer;
    struct gp_exec_result *result;
    struct gp_symbols symbols;
    uint32_t width;
    uint32_t lanes; /* width rounded up to 4: what vector loops run over */
    struct loop_state *states;

    struct place_of_warp at;
    struct flow flow;
    struct spending spent;
    struct scratch scratch;
    struct result_memo memo;
    struct gp_distance_table distances;
    const struct gp_distances *own_place[2]; /* of at.local_id[]; NULL: not asked for in this warp */
    uint32_t rows[GP_MAX_LANES];             /* symbols, of this execution: executor_near.c; 0: not made yet */
    uint32_t one_symbol[GP_MAX_LANES];       /* of the access reported last where its lanes had one; all the same */
};

/* ---- decode.c ---------------------------------------------------------------------------------------------------- */

void gp_executor_decode(struct gp_executor *executor);

/* ---- decode_parts.c ---------------------------------------------------------------------------------------------- */

/* Fills in which parts of unrolled loops come behind which, and between which parts branches choose. False: out of
 * memory. */
void gp_executor_find_parts(struct gp_executor *executor);

/* ---- executor_paths.c -------------------------------------------------------------------------------------------- */

void gp_path_start(struct gp_executor *executor, gp_mask mask);
/* The path at the top goes on by an edge; another one may be at the top then. */
void gp_path_go(struct gp_executor *executor, uint32_t edge);
/* A path more, which comes by an edge. */
void gp_path_add(struct gp_executor *executor, struct path side, uint32_t edge);
/* A fork for the sides of a path that is no longer among the paths. */
uint32_t gp_path_fork(struct gp_executor *executor, const struct path *parent, uint32_t rejoin, bool uniform);

/* ---- executor_vector.c ------------------------------------------------------------------------------------------- */

static inline struct gp_value gp_slot_lane(const struct slot *slot, uint32_t lane)
{
    if (slot->shape == SHAPE_UNIFORM)
        return (struct gp_value){slot->symbol, slot->offset};
    if (slot->shape == SHAPE_VECTOR)
        return (struct gp_value){slot->symbol, slot->offset + slot->distances->lane[lane]};
    return (struct gp_value){slot->symbols[lane], slot->offsets[lane]};
}
static inline bool gp_is_single(gp_mask mask) { return mask && !(mask & (mask - 1)); }
/* A symbol that equals no other, named as what is of this execution only. */
static inline uint32_t gp_fresh_symbol(struct gp_executor *executor)
{
    return gp_symbols_fresh(&executor->symbols, gp_symbols_own_name(&executor->symbols));
}
/* The same known or symbolic value in all lanes of the mask. A single lane counts even when its value is unknown. */
bool gp_slot_uniform(const struct slot *slot, gp_mask mask, struct gp_value *value);
/* Whether nobody knows the value of some lane of the mask. */
bool gp_slot_is_unknown_somewhere(const struct slot *slot, gp_mask mask);
/* One of scratch_symbols[3] and scratch_offsets[3], which holds until these are used again: 0 in all lanes, to be
 * filled lane by lane. */
struct slot gp_slot_of_scratch(struct gp_executor *executor);
/*
 * Of each lane of the mask the first lane that has the same values in these slots. False: lanes have more than so many
 * different ones, or some that nobody knows.
 */
bool gp_slots_find_alike(const struct slot *const *slots, unsigned count, gp_mask mask, unsigned most,
                         uint8_t first[GP_MAX_LANES]);
/*
 * So many different things may lanes have as symbols. Where each lane has another one nothing is known of any two, as
 * of what is unknown, which is what they are then: whoever counts on addresses being apart should know that nobody has
 * seen it.
 */
static inline unsigned gp_most_shared(gp_mask mask) { return (unsigned)__builtin_popcountll(mask) / 2; }
void gp_slot_set_uniform(struct gp_executor *executor, struct slot *slot, gp_mask mask, struct gp_value value);
/* offsets[executor->lanes] */
void gp_slot_set_vector(struct gp_executor *executor, struct slot *slot, gp_mask mask, uint32_t symbol,
                        const uint64_t *offsets);
void gp_slot_set_numbers(struct gp_executor *executor, struct slot *slot, gp_mask mask, uint32_t symbol,
                         struct numbers numbers);
void gp_slot_set_mixed(struct gp_executor *executor, struct slot *slot, gp_mask mask, const uint32_t *symbols,
                       const uint64_t *offsets);
void gp_slot_copy(struct gp_executor *executor, struct slot *to, gp_mask mask, const struct slot *from);
/* What nobody knows: where it is the same in all lanes, or there is but one, a symbol. */
void gp_slot_set_unknown(struct gp_executor *executor, struct slot *slot, gp_mask mask, bool uniform);
/* Every lane's offset: the slot's own array, or written into scratch. */
const uint64_t *gp_slot_offsets(const struct gp_executor *executor, const struct slot *slot, uint64_t *scratch);
/* Writes every lane's symbol and offset into arrays. */
void gp_slot_expand(const struct gp_executor *executor, const struct slot *slot, uint32_t *symbols, uint64_t *offsets);
/* Forgets distances between lanes that no slot has. */
void gp_sweep_distances(struct gp_executor *executor);

/* ---- executor_pure.c --------------------------------------------------------------------------------------------- */

void gp_execute_pure(struct gp_executor *executor, const struct op *op, gp_mask mask);

/* ---- executor_loops.c -------------------------------------------------------------------------------------------- */

/* Whole iterations, at least one, that are assumed of a loop ... */
uint64_t gp_assumed_trips(const struct gp_executor *executor, const struct loop *loop);
/* Some of these parts of an unrolled loop do some of the iterations that are assumed of it. */
bool gp_have_iterations(const struct gp_executor *executor, const struct few_loops *parts);

/* Lanes come to a loop's header from outside, or from inside. */
void gp_loop_start(struct gp_executor *executor, uint32_t loop, gp_mask mask);
void gp_loop_next(struct gp_executor *executor, uint32_t loop, const struct block *header, gp_mask mask);

/* In each iteration: notes a loop that comes back to where it was before. */
void gp_look_for_return(struct gp_executor *executor, uint32_t loop, gp_mask mask);

/* ---- executor_ids.c ---------------------------------------------------------------------------------------------- */

void gp_execute_id(struct gp_executor *executor, const struct op *op, gp_mask mask);

/* Sizes of the group and of the grid. */
bool gp_place_group(struct gp_executor *executor, const uint64_t group[3], struct gp_error *error);
/* Local ids of the lanes. Returns those that are work-items. */
gp_mask gp_place_lanes(struct gp_executor *executor);

/* ---- executor_memory.c ------------------------------------------------------------------------------------------- */

/* Symbols' names, in an array of the caller's, which may be that of the symbols. */
const uint32_t *gp_names_of_symbols(struct gp_executor *executor, const uint32_t *symbols, uint32_t *names);
/* Tells the observer of an access at the address in a slot; fills in what follows from the slot. */
void gp_report_access(struct gp_executor *executor, struct gp_access *access, const struct slot *slot,
                      enum gp_guess guessed);

void gp_execute_memory(struct gp_executor *executor, const struct op *op, gp_mask mask, double weight,
                       enum gp_guess guessed);
/* Of a vector that was loaded, an element other than the first. */
void gp_set_element(struct gp_executor *executor, const struct op *op, gp_mask mask);

void gp_execute_bulk(struct gp_executor *executor, const struct op *op, gp_mask mask, double weight,
                     enum gp_guess guessed);

/* ---- executor_near.c --------------------------------------------------------------------------------------------- */

/*
 * Of an address in local memory that nobody knows: whether its low bits are, and no two of 32 neighbouring lanes are in
 * one bank. Then `columns`, until scratch is used again, has these bits, and a symbol of its own for each lane's row.
 */
bool gp_find_columns(struct gp_executor *executor, uint32_t address, gp_mask mask, struct slot *columns);

/*
 * Of an access off the chip whose address lanes do not know: whether it is a place that each knows and something
 * bounded. Then `near`, until scratch is used again, has a place that each lane draws; where there is one such place
 * for the whole launch none is drawn.
 */
bool gp_find_near(struct gp_executor *executor, const struct op *op, gp_mask mask, struct slot *near);

/* ---- executor_images.c ------------------------------------------------------------------------------------------- */

void gp_execute_image(struct gp_executor *executor, const struct op *op, gp_mask mask, double weight,
                      enum gp_guess guessed);

/* ---- executor_phis.c --------------------------------------------------------------------------------------------- */

void gp_execute_phis(struct gp_executor *executor, const struct block *block, const struct path *path);

/* Whether the header's phis are numbers in all lanes and what the loop carries is worth doing alone. */
bool gp_carries(const struct gp_executor *executor, uint32_t loop, const struct block *header, gp_mask mask);
/* Sets the header's phis to what they are so many iterations on. */
void gp_carry(struct gp_executor *executor, uint32_t loop, const struct block *header, uint64_t iterations,
              gp_mask mask);

/* Iterations may be left out: what the header's phis are behind them follows from the number of the iteration, or was
 * not known anyway. */
bool gp_may_jump(struct gp_executor *executor, const struct block *header, gp_mask mask);
/* Sets the header's phis to what they are in an iteration. */
void gp_jump_phis(struct gp_executor *executor, const struct block *header, uint64_t iteration, gp_mask mask);

/* ---- executor_branches.c ----------------------------------------------------------------------------------------- */

/* Sends the lanes of the path at the top on from the block's end. */
void gp_branch(struct gp_executor *executor, uint32_t number, double weight);

#endif
