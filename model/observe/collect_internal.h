/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Inside the collector: what it keeps of a kernel, of the run at hand and of the warp at hand.
 *
 *   collect.c          which warps and groups are run, and what they stand for
 *   collect_make.c     all of this, made and freed
 *   collect_group.c    the warps of a group, what they touch and wait for, what L2 fetches beside that, and what of it
 *                      neighbours are compared with
 *   collect_neighbours.c  which groups are, and what they share with it
 *   collect_further.c  how far those are that share what the next one does not
 *   collect_extent.c   how much of a buffer all groups touch at most
 *   collect_texels.c   whether a group has an image's texels to itself
 *   collect_access.c   a memory access: its request and what it costs; on how many addresses atomics fall
 *   collect_touch.c    the lines that it touches, and whether they are new
 *   collect_trajectory.c   where an operation goes from one execution to the next, and what lies between
 *   collect_probe.c    an access of a neighbouring group: what it shares
 *   collect_blocks.c   a visit of a block: pipes, divergence
 *   collect_chain.c    the lone warp's time
 */
#ifndef GPUPERF_MODEL_COLLECT_INTERNAL_H
#define GPUPERF_MODEL_COLLECT_INTERNAL_H

#include <math.h>
#include <stdlib.h>

#include "model/compilers/driver_turns.h"
#include "model/compilers/held_registers.h"
#include "model/compilers/machine_code.h"
#include "model/compilers/schedule.h"
#include "model/cache/footprint.h"
#include "model/memory/image_memo.h"
#include "model/memory/lanes.h"
#include "model/memory/request_memo.h"
#include "model/cache/reuse.h"
#include "model/memory/scatter.h"
#include "model/cache/touched_ranges.h"
#include "model/cache/unit_set.h"
#include "model/observe/block_times.h"
#include "model/observe/divergence.h"
#include "model/observe/skipped_iterations.h"
#include "model/observe/sampled_window.h"
#include "model/observe/address_streams.h"
#include "model/observe/work.h"
#include "model/compilers/inst_cost.h"
#include "support/extremes.h"
#include "support/saturate.h"

/* An instruction as the scoreboard sees it. */
struct entry {
    uint32_t inst;
    uint32_t record;  /* memory record, or GP_NONE */
    uint32_t operand; /* in collector->code.operands */
    uint16_t operand_count;
    uint16_t repeat;
    uint8_t cost;
    uint8_t scalar; /* uniform, and of a class that a scalar unit takes */
    uint8_t call;   /* an unknown call or inline assembly */
    uint8_t uniform;
    uint8_t bank; /* load at a constant address of constant memory: an operand c[bank][offset] on NVIDIA */
    bool address; /* gp_find_load_addresses() */
};

struct block_entries {
    uint32_t first, count;
};

/* Where an atomic was seen to fall: low, low + step ... high of one symbol. */
struct spots {
    bool seen, scattered;
    uint32_t symbol;
    uint64_t first, step;
    int64_t low, high; /* from first */
};

/* The bytes of a buffer that sampled groups were seen to touch, and which of the launch's groups these are. */
struct reach {
    uint32_t symbol; /* loaded, that addresses belong to; GP_SYMBOL_UNKNOWN: none so far */
    bool open;       /* there is another one, or an address that nobody knows: the bytes seen bound nothing */
    double low, high;
    uint64_t first[3], last[3];
};

/* What one group was counted to touch first by one memory operation, and the addresses between which all of it lies. */
struct hull {
    double low, high;
    uint32_t symbol; /* that all addresses belong to; GP_SYMBOL_UNKNOWN: none seen yet */
    bool open;       /* they do not, or some are not known */
    double group_bytes, useful_bytes, stored_bytes, rewritten_bytes; /* as in gp_buffer_work */
    double apart_bytes;                                              /* as in gp_buffer_work */
    double scattered_bytes, scattered_useful; /* of group_bytes and useful_bytes, at addresses that nobody knows */
};

/*
 * The texels between which all lie that an operation asks for in the group whose neighbours are followed. first: where
 * it began there; moved: how much further it did in a neighbour. open: some are not known, or a request stood for
 * others.
 */
struct texel_box {
    bool seen, open, met;
    uint32_t dims;
    int64_t low[3], high[3], first[3], moved[3];
};

/*
 * What neighbours touch of a buffer, and how much of that the group had touched: lines and 4-byte words. Of the group
 * itself the bytes of the words that it asks for. written: lines of buffers that are read as well.
 */
struct probe {
    double lines, shared_lines, words, shared_words, written, shared_written;
};

/* Lines of a buffer: that the group touches, and that come from DRAM beside these. */
struct gp_fetches {
    double lines, beside;
};

/* Of so many bytes of touched lines, some of them at addresses that nobody knows: these may as well lie side by side.
 */
static inline double gp_fetched_beside(const struct gp_fetches *f, double bytes, double scattered)
{
    return f->lines > 0 && bytes > scattered ? (bytes - scattered) * f->beside / f->lines : 0;
}

/*
 * What the group whose neighbours are probed touches of a buffer, in bytes: its lines and what it asks for of them; of
 * both what lies at addresses that nobody knows, where no probe can look, and what of that a neighbour touches by
 * chance. known_words: what it asks for at known addresses, each 4-byte word once. asked: what its accesses do, each
 * counted.
 */
struct kept {
    double asked, known_words, lines, words, scattered_lines, scattered_words, found_lines, found_words;
};

/*
 * Lines and words that warps of one group, but its first, touch first by one memory operation; few_lines: the executed
 * ones only, times what each stands for. fewer: of the lines, the former over the latter, by which what executed warps
 * seem to touch first is to be multiplied. low, high: bytes between which all warps' addresses lie. skipped: the
 * operation was executed in iterations that nobody looked at, too. between: of what these touch not all was looked at
 * either.
 */
struct surveyed {
    double all_lines, all_words, few_lines, fewer, low, high;
    bool skipped, between;
};

/* Of a buffer that is read and written: lines that the group stores first whose neighbours are probed, and of these
 * which any of them reads. */
struct crossed {
    double stored, read;
};

/* Where an operation's first access of a group begins. */
struct began {
    bool known;
    uint32_t symbol;
    uint64_t offset;
};

/* An access that joined a set of units, with all iterations that it stands for, and what that cost: gp_work.effort. */
struct joined {
    const struct gp_unit_set *set; /* NULL: none */
    uint32_t generation;           /* of the set */
    uint32_t symbol;
    uint64_t offset, distances; /* of the first active lane; their id, 0 where all lanes are at one address */
    gp_mask active;
    struct gp_gap gap;
    uint64_t effort;
};

/* Warps that a group may have which are all looked at. */
enum { MOST_SURVEYED = 64 };

/* Why a warp is executed: for what it costs; to see what the group's warps share, or its neighbours, how far addresses
 * reach, or where a neighbour's texels lie, and nothing else. */
enum purpose { COUNT, SURVEY, PROBE, REACH, FOLLOW };

/* Where a memory operation was executed last, what that stood for: executions, and runs of the loop around it,
 * movement.runs, and collector->touch.brought_once then. */
struct visit {
    uint32_t symbol;
    uint64_t offset;
    double weight, runs, listed_runs, brought_once;
};

/* Where a walk (address_streams.h) went on last: brought_once and the request's number then. */
struct walked {
    double brought_once;
    uint64_t request;
    uint32_t memory;
};

/*
 * Lines of some accesses: not found, and as gp_memory_work has them; of those not found that another operation had
 * touched before, how many and the sum of what their warp had brought since, bytes; written for the first time though
 * they had to be fetched.
 */
struct tally {
    double missing, entered, crossed, apart, lost, since, rewritten;
};

/* What a store touched in iterations that were left out, looked at when the load was that reads it in later ones; till
 * its own turn comes. fresh: lines that nobody had touched. */
struct ahead {
    bool touched;
    double fresh;
    struct tally tally;
};

/* What a warp waited for one memory operation, and how often it asked. */
struct waited {
    double cycles, requests;
};

/* The line of blocks that the warp at hand is in: those it has executed, in the line's order, and the divergence that
 * these were entered under. */
struct line_at_hand {
    uint32_t head;
    uint32_t number; /* counts lines */
    uint32_t *seen;  /* per block: the last line that it was entered in */
    uint32_t *blocks, count;
    double weight, idle;
    uint32_t branch; /* GP_NONE: no lane is idle */
};

/* What the kernel's code is, on the device at hand; made once. */
struct collected_code {
    struct block_entries *blocks;
    struct entry *entries;
    uint32_t *operands;
    bool *in_bank;        /* memory record -> entry.bank */
    uint32_t *block_of;   /* memory record -> block */
    uint32_t *next_store; /* memory record -> the next one of its block that writes, or GP_NONE */
    uint32_t *branch_block;
    uint32_t *held_words;                 /* per block: gp_held_words() */
    uint32_t *heads;                      /* per block: the loop whose header it is, or GP_NONE */
    struct gp_code_factors *code_factors; /* per block (gp_machine_code_factors()) */
    double *block_calls;                  /* issue slots of calls that are not known, by estimate */
    struct gp_schedule *schedule;
    struct gp_predication straight; /* blocks that are one straight line on the device at hand */
    uint32_t *buffer_of;            /* memory record -> buffer */
    struct gp_cost costs[GP_CLASS_COUNT];
    const struct gp_device *costs_of;
    bool summed, scalar_unit, nvidia; /* what the sums of the blocks, and slots, were made for, beside `costs` */
    bool groups_may_differ;           /* of the kernel: gp_groups_may_differ() */
    bool at_points;                   /* they do: those at places all over the range are looked at (two_phase.h) */
    bool for_drivers;                 /* the code is for no device: a driver unrolls it further */
    struct gp_driver_turns *turns;    /* [memory] where it does */
    uint8_t *counted;                 /* [instructions] gp_find_counted_turns() */
};

/* What warps wait for: slots, chains, what passes between loads and uses. */
struct collected_waits {
    struct gp_path_work (*block_paths)[GP_NARROW_COUNT];
    uint8_t *block_has_paths;     /* bits 1 << GP_NARROW_... */
    struct gp_slot *slots;        /* per entry, of blocks that have them */
    bool *has_slots;              /* per block */
    struct gp_block_times *times; /* of these lines */
    struct line_at_hand line_at_hand;
    double *pending_latency; /* per memory record, of the access just made */
    struct waited *waited;   /* [GP_MOST_ALONE][memory records], of the group at hand */
    double *parted;          /* [GP_MOST_ALONE][branches], of the same: cycles behind the branch that idle lanes wait */
    struct gp_steps *steps;
    struct gp_trajectories *trajectories;
    double chain, chain_memory; /* of the warp at hand: cycles alone, of these waiting for off-chip memory */
    double *spent;              /* [blocks] of that chain */
    struct longest {
        double chain;
        uint32_t block;
    } longest, longest_light; /* group that stands for many, for few, and where its slowest warp is most of the time */
    struct waited *waited_by_warp; /* in waited */
    double *parted_by_warp;        /* in parted */
};

/* What accesses touch: lines, footprints, bounds of what data decides. */
struct collected_touch {
    double *loop_bytes;                          /* per loop, and outside of all: that its operations bring to L1 */
    struct gp_skipped *skipped, *skipped_within; /* before the access at hand: gp_collector_list() */
    struct visit *visits;                        /* per memory record */
    struct gp_request_memo *requests;
    struct gp_image_memo *images;
    struct spots *spots;       /* per memory record */
    struct gp_scatter *bounds; /* per memory record */
    struct gp_walks *walks;
    struct walked *walked;   /* per walk */
    struct ahead *ahead;     /* per memory record */
    bool looked_ahead;       /* some of them was touched */
    double *drawn;           /* per buffer: lines that a group's unknown addresses within a bound have touched */
    struct reach *reaches;   /* per buffer */
    struct hull *hulls;      /* per memory operation, of the group at hand */
    struct texel_box *boxes; /* per memory operation, of boxed_group */
    struct gp_footprints *footprints;
    struct gp_line_set lines;
    struct gp_fetches *fetches; /* per buffer */
    bool boxing;                /* the group at hand is the one whose texels' boxes are kept */
    uint64_t boxed_group[3];
    double private_bytes; /* of private arrays, as far as touched; while known: no reach has grown since they were
                             summed up */
    bool private_bytes_known;
    double brought, brought_once; /* by the warp at hand to L1: bytes, in all iterations and in those executed */
    double *brought_at;           /* [loops] brought when the iteration at hand began */
    double constants;             /* of constant memory that the group at hand has touched: bytes */
};

/* The survey of a group's warps. */
struct collected_survey {
    struct surveyed *surveyed; /* per memory operation */
    struct visited {
        double few, all;
    } * visited; /* [blocks] by the mean warp of the group that is surveyed: of those executed of each group, of all */
    bool surveying_all; /* not only those executed of each group */
    bool was_surveyed;  /* c->survey.surveyed is known, and what the group touches that it is known of is kept */
};

/* How much of the launch is executed. */
struct collected_effort {
    bool quick, every_iteration;
    double affordable; /* effort of a quick collection; 0: any */
    bool lone;         /* quick: one warp stands for all where no more is affordable */
    bool dear; /* in full it would take much effort: of long loops fewer iterations are executed, as in a quick one */
    size_t undecided; /* samples of a full one of which no warp was executed yet that would tell; else 0 */
    bool stops_at_overrun;
    bool thinned; /* one warp stands for whole groups: what lies between its addresses does not bound what they touch */
    uint32_t most_visits; /* of blocks, by one warp: then it is cut off */
};

/* What groups share with their neighbours: collect_neighbours.c, collect_probe.c. */
struct collected_near {
    struct gp_unit_set kept_lines, words; /* of the group whose neighbours are probed: lines and 4-byte words */
    struct gp_stretch *stretches;         /* of the same; at most one per memory operation */
    size_t stretch_count;
    bool some_filled;    /* of a stretch: what was not seen of it is touched, too (gp_stretch_fill()) */
    bool keeping_words;  /* remember which words the group touches, for the probe */
    uint32_t kept_warps; /* of that group, whose trajectories are remembered */
    struct gp_unit_set probed_lines, probed_words; /* by the probe at hand, each counts once */
    struct joined *joined;                         /* to these sets, or to the kept ones; by their hashes */
    uint32_t joined_count, joined_clashes;    /* of entries, a power of two; how often one made way for another since */
    bool *read_and_written;                   /* per buffer: off the chip, by some operations and by others */
    struct gp_unit_set read, written, stored; /* lines of such buffers, of the group whose neighbours are probed: that
                                                 it reads, that it writes, that it writes before it reads them */
    struct gp_unit_set probed_written, read_elsewhere; /* that one of its neighbours writes, that any of these reads */
    struct crossed *crossed;                           /* per buffer */
    struct probe *probes; /* [1 + GP_MOST_FURTHER][buffers], of the next groups along a dimension and of further ones */
    uint32_t probing;     /* which of these */
    struct began *began,
        *next_began;   /* per memory operation: of the group whose neighbours are probed, of the next one */
    struct kept *kept; /* per buffer */
};

struct gp_collector {
    const struct gp_kernel *kernel;
    struct gp_executor *executor;
    struct gp_block_work *block_work;
    struct gp_memory_work *memory;
    struct gp_branch_work *branches;
    struct gp_buffer_work *buffers;
    uint32_t buffer_count;
    /* of the run at hand */
    const struct gp_device *device;
    struct gp_work *work;
    uint64_t request, first_request, block_request; /* number of the request at hand, of the warp's first, of the one
                                                       before the visit of the block at hand */
    size_t leading; /* of the samples, the first of the group that stands for most of the work */
    const struct gp_sample *leading_samples; /* these */
    uint32_t row;                            /* work-items of the first row of a group in its first warp */
    double resident_warps, l1_bytes, registers;
    struct gp_unit line;
    uint32_t sectors;  /* of that size in a line of L1: 1 where it is one */
    double lsu_port;   /* bytes per cycle between an SM and L2 */
    uint64_t group[3]; /* at hand */
    uint32_t warp_of_group;
    double sample_weight; /* of the warp at hand, over all warps of the launch */
    double group_weight;  /* to make one group of its sampled warps, for buffers */
    uint32_t warp;        /* number of the one at hand */
    struct gp_divergences divergences;
    enum purpose purpose;
    bool behind_first; /* the warp at hand is not the first of its group */
    bool failed;
    struct collected_code code;
    struct collected_waits waits;
    struct collected_touch touch;
    struct collected_survey survey;
    struct collected_effort effort;
    struct collected_near near;
};

static inline bool gp_is_on_chip(const struct gp_memory *memory) { return memory->space == GP_SPACE_LOCAL; }

/* ---- collect_group.c: running warps ------------------------------------------------------------------------------ */

/* Warp `index` of those of a group that are run. *result: NULL, or what it did. */
bool gp_collector_run_warp(struct gp_collector *collector, const struct gp_launch *launch, const uint64_t group[3],
                           uint32_t warp, uint32_t index, struct gp_exec_result *result, struct gp_error *error);

/*
 * The sampled groups' shares of one average group's footprint: its first sampled warp counts once, the others stand for
 * the rest of its warps (what they share with the first is no longer fresh), as many as each was taken for.
 */
double gp_collector_footprint_weight(const struct gp_collector *collector, const struct gp_sample *samples,
                                     size_t index, size_t sampled);

/* What all of `count` samples would take, where `done` of them took what was taken so far. */
double gp_collector_effort(const struct gp_collector *collector, size_t count, size_t done);

/* Of a full collection: then it is `dear`. Some tenths of a second. */
#define GP_DEAR 2e7

/* Runs the sampled warps of one group. */
bool gp_collector_run_group(struct gp_collector *collector, const struct gp_launch *launch,
                            const struct gp_sample *samples, size_t in_group, double warps, struct gp_error *error);

/* The same of the group whose neighbours gp_collector_probe_neighbours() looks at. */
bool gp_collector_run_and_keep(struct gp_collector *collector, const struct gp_launch *launch,
                               const struct gp_sample *samples, size_t in_group, double warps, struct gp_error *error);

/* ---- collect_neighbours.c: which groups are probed --------------------------------------------------------------- */

/* What the neighbours of the heaviest group along each dimension touch of the lines that it touches itself. */
bool gp_collector_probe_neighbours(struct gp_collector *collector, const struct gp_launch *launch,
                                   const struct gp_sample *samples, size_t count, struct gp_error *error);

/* ---- collect_further.c: at which distances groups share ---------------------------------------------------------- */

void gp_collector_begin(struct began *began, const struct gp_access *access);

/* Bytes from where an operation began in a group to where it did in the next one; 0: it did not in both, or relative to
 * something else. */
static inline uint64_t gp_began_apart(const struct began *group, const struct began *next)
{
    bool comparable = group->known && next->known && group->symbol == next->symbol;
    return comparable ? (uint64_t)gp_size_of((int64_t)(next->offset - group->offset)) : 0;
}

/* After the next group along a dimension was probed: further ones that share something, no more than `most` away, and 0
 * behind them. */
void gp_collector_find_further(const struct gp_collector *collector, uint64_t most, double distances[GP_MOST_FURTHER]);

/* ---- collect_extent.c: what all groups touch together ------------------------------------------------------------ */

/*
 * Where groups at the launch's edges may touch nothing, since a guard leaves them out (cuts: gp_guard_cuts()), the
 * first and the last of those that do as the sampled one does are followed, for their addresses alone.
 */
bool gp_collector_reach_corners(struct gp_collector *collector, const struct gp_launch *launch,
                                const struct gp_cuts cuts[3], const struct gp_sample *sample, struct gp_error *error);

void gp_collector_bound_by_extent(struct gp_collector *collector, const uint64_t groups[3], bool probed,
                                  struct gp_work *work);

/* ---- collect_texels.c: whether a group has texels to itself ------------------------------------------------------ */

/* An access to an image by the group whose texels' boxes are kept; by the first warp of a neighbour of it. */
void gp_collector_note_box(struct gp_collector *collector, const struct gp_access *access);
void gp_collector_note_moved(struct gp_collector *collector, const struct gp_access *access);

/* ---- collect_trajectory.c: where an operation goes
 * ------------------------------------------------------------------- */

/*
 * How an operation's addresses moved since its execution before, from where on, and the bytes that the warp brought to
 * L1 since, in one iteration. runs: how often what is listed of its trajectory counts, and what was listed the time
 * before.
 */
struct movement {
    const struct gp_access *source;
    struct gp_window_move move;
    uint64_t from;
    double brought, runs, runs_before;
    enum gp_trajectory trajectory;
};

/* `source`: the access with coordinates, where it has some; `at`: by addresses. Sees each execution once. */
void gp_collector_movement(struct gp_collector *collector, const struct gp_access *source, const struct gp_access *at,
                           struct movement *movement);

/* Room for the texels of an access in an iteration that was left out. */
struct texels {
    struct gp_access access;
    uint64_t coordinate[3][GP_MAX_LANES];
    struct gp_image_addresses image;
};

/* An access in such an iteration: `by` bytes beside. */
struct beside {
    const struct gp_access *access;
    int64_t by;
};

/* The texels so much beside `source`. */
const struct gp_access *gp_collector_texels(struct gp_collector *collector, struct texels *room,
                                            const struct gp_access *source, int64_t by);

/* `at` so much beside, as listed; valid as long as `room`. */
static inline struct beside gp_collector_beside(struct gp_collector *c, struct texels *room, const struct movement *m,
                                                const struct gp_access *at, int64_t by)
{
    return m->source->coordinates > 0 ? (struct beside){gp_collector_texels(c, room, m->source, by), 0}
                                      : (struct beside){at, by};
}

/*
 * What gp_trajectories_list() lists, or gp_trajectories_list_within(), for units of so many bytes; of an image, for
 * texels. Nothing where nothing was left out. Valid until the next call for the same of the two.
 */
const struct gp_skipped *gp_collector_list(struct gp_collector *collector, const struct movement *m, double bytes,
                                           bool within);

/* ---- collect_probe.c: what neighbours share ---------------------------------------------------------------------- */

enum { GP_FEW_JOINED = 32 };

/* Lines or words that an access and all that it stands for touch and are not in the set, which they join. */
double gp_collector_new_units(struct gp_collector *collector, struct gp_unit_set *set, const struct gp_access *access,
                              const struct movement *m, struct gp_unit unit);
extern const struct gp_unit gp_word;

/* Of the group whose neighbours are probed; of a neighbour. */
double gp_collector_keep_words(struct gp_collector *collector, const struct gp_access *access,
                               const struct movement *m);
void gp_collector_probe(struct gp_collector *collector, const struct gp_access *access, const struct movement *m);

static inline double gp_units_between(struct gp_unit unit, uint64_t from, uint64_t to)
{
    return fabs((double)(int64_t)(gp_unit_of(unit, to) - gp_unit_of(unit, from)));
}

/* ---- collect_survey.c: what warps of a group share --------------------------------------------------------------- */

/* After gp_collector_survey() and the run: those executed of a group visit some blocks more or less often than its mean
 * warp, as in the steps of a reduction. */
void gp_collector_count_all_warps(struct gp_collector *collector);

/* Looks at all warps of a group of which `in_group` are executed elsewhere; fills collector->survey.surveyed, and keeps
 * what the group touches for its neighbours' probes. */
bool gp_collector_survey(struct gp_collector *collector, const struct gp_launch *launch,
                         const struct gp_sample *samples, size_t in_group, struct gp_error *error);
void gp_collector_survey_access(struct gp_collector *collector, const struct gp_access *access,
                                const struct movement *m);

/* ---- collect_access.c: what the executor tells of memory --------------------------------------------------------- */

void gp_collector_access(void *collector, const struct gp_access *access);

/* On how many addresses, and lines of L2, an atomic falls, and from where to where: by what was seen of them, from the
 * launch's corners, too, and what they can be at most. Infinite: not known, or no atomic. */
void gp_collector_addresses(struct gp_collector *collector, uint32_t memory, struct gp_memory_work *work);

/* ---- collect_touch.c: the lines of an access --------------------------------------------------------------------- */

/*
 * Of the average execution that one access stands for, in lines: touched for the first time, not found in L1, all.
 * deep: the share of those that miss which wait for a line that nobody touched before. Of all executions that it stands
 * for, in lines: touched for the first time, of these at addresses that nobody knows, not found, not touched before in
 * the same iteration, not found though the operation had touched them in the iteration before, and written for the
 * first time though they had to be fetched. awaited: of those that miss, the share that is under way for the warp
 * already. room: bytes of L1 that each missed one takes up. asked: the share of what
 * is touched for the first time that is asked for, where lanes go along lines that nobody knows; else 0. waited: as
 * `missed`, of the first of turns that wait together; `deep` is a share of it. at_lines: the share of its requests that
 * may come to a line.
 */
struct touch {
    double fresh, missed, all, deep, room, all_fresh, all_scattered, all_missed, all_apart, all_stayed, all_rewritten;
    double awaited, asked, waited, at_lines;
    double hit;
    bool constant;
};

/* `access`: with its addresses, an image's in the layout assumed for it. */
struct touch gp_collector_touch(struct gp_collector *collector, const struct gp_access *access,
                                const struct movement *m, const struct gp_request *request);

/* Notes how far an access reaches, and nothing else of it. */
void gp_collector_reach(struct gp_collector *collector, const struct gp_access *access);

/* Of the lines within the operation's bound, the share that the group at hand has drawn of the buffer; 0 without a
 * bound, or where each work-item has its own. */
double gp_collector_share_drawn(struct gp_collector *collector, uint32_t memory);

/* ---- collect_blocks.c: what it tells of control flow ------------------------------------------------------------- */

/* Once per kernel: what of its instructions costs time. */
void gp_collector_decode(struct gp_collector *collector);

/* What so many visits of a block put on the pipes, of the average warp; fewer than none take it away. */
void gp_collector_add_visits(struct gp_collector *collector, uint32_t block, double times);

/* Once per run, for its device. */
void gp_collector_take_costs(struct gp_collector *collector);

/* When all is executed: what predicated accesses take of the load/store unit for warps that make none. */
void gp_collector_access_for_nothing(struct gp_collector *collector);

/* ---- collect_chain.c: the lone warp's time ----------------------------------------------------------------------- */

/* For another device's costs. */
void gp_collector_take_lines(struct gp_collector *collector);

/* Turns of a memory operation's loop that a driver makes one block of, and those that wait together for its loads. */
struct gp_driver_turns gp_collector_turns(const struct gp_collector *collector, uint32_t record);

/* Turns that share an instruction, likewise. */
uint8_t gp_collector_counted(const struct gp_collector *collector, uint32_t inst);

void gp_collector_start_chain(struct gp_collector *collector);
void gp_collector_enter_line(struct gp_collector *collector, uint32_t block, double weight);

/* `branch`: where lanes parted of which the share `idle` waits meanwhile; GP_NONE: none does. */
void gp_collector_leave_line(struct gp_collector *collector, uint32_t block, double weight, uint32_t branch,
                             double idle);

/* The line at hand is over, as where the warp ends. */
void gp_collector_end_line(struct gp_collector *collector);

void gp_collector_start_warp(struct gp_collector *collector);
void gp_collector_enter(void *collector, uint32_t block, gp_mask active, double weight);
void gp_collector_leave(void *collector, uint32_t block, gp_mask active, double weight);
void gp_collector_diverge(void *collector, uint32_t branch, gp_mask taken, gp_mask not_taken, double weight);
void gp_collector_barrier(void *collector, uint32_t inst, gp_mask active, double weight);

#endif
