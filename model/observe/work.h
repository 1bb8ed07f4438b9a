/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The work of a launch: what one average warp of it makes the hardware do, gathered from sampled executions. The
 * throughput model turns work into time; repairing a cause is changing the work and asking for the time again.
 */
#ifndef GPUPERF_MODEL_WORK_H
#define GPUPERF_MODEL_WORK_H

#include "model/compilers/cost.h"
#include "model/value/inst_facts.h"
#include "model/executor/executor.h"
#include "model/assume/array_overrun.h"
#include "model/launch/occupancy.h"
#include "model/observe/group_overlap.h"
#include "model/compilers/driver_turns.h"
#include "model/compilers/inst_cost.h"

/* Parts of an SM that have a scheduler each, on NVIDIA's devices since Maxwell. */
enum { GP_PARTITIONS = 4 };

/* Instructions of a warp, by where they go. */
struct gp_pipe_work {
    double issue;              /* warp instructions through the schedulers */
    double ops[GP_PIPE_COUNT]; /* warp instructions per pipe */
    double sums;               /* additions of integers: part of ops[GP_PIPE_INT] */
};

/* What a CPU's core lacks of an access of one work-item (cpu_locality.h); lines of 64 bytes, translations of pages. */
struct gp_core_misses {
    bool known;
    double l1; /* lines that L1 lacks */
    double
        crowded; /* of these, that prefetchers have not asked for, and that L1 loses while a store waits for its turn */
    double l2;   /* of those that prefetchers have not asked for, that L2 lacks, too */
    double streamed; /* of the others, that L2 lacks */
    double pages;
    double anywhere;          /* bytes that addresses nobody knows are spread over; 0: they are known */
    double queued, queued_l2; /* shares of the accesses before that wait for lines of the same set of L1 */
    double contended;         /* stores to lines that other groups write, too */
    double turns;             /* of these, to another line than the store before */
    double contended_lines;   /* how many such lines there are */
};

/* What takes a narrow path (gp_inst_path()), a part of the work: as it is, and as the cause `throughput` repairs it. */
struct gp_path_work {
    struct gp_pipe_work before, repaired;
};

/* The same requests once coalesced (coalesced_misses.h): as few transactions, cycles and misses as their bytes allow.
 */
struct gp_ideal_access {
    double transactions, wavefronts, passes, misses, l2_bytes;
    double latency, dram_latency;
    double again, lost, since;
};

/* Which lines a memory operation finds where it was before. */
struct gp_line_reuse {
    double asked_anew, walked_over; /* in requests: bytes that it had not asked for in the iteration before; those
                                       between, of other operations, included */
    double entered, crossed; /* lines: that a warp had not touched before; of these brought to L1 by another one in
                                another iteration. Of all sampled warps */
    double apart, fresh; /* lines: that nobody of the group had touched in the same iteration; that nobody had touched
                            at all */
    double again;        /* of misses, what the group had touched before */
    double at_lines;     /* requests that may come to a line: of turns that a driver unrolls all warps' same ones do */
    double waited; /* requests that wait for one that L1 does not serve: a turn beside it that a driver has unrolled */
    double lost, since; /* lines that another operation had brought and L1 lost, and the sum of what the warp that looks
                           for them had brought meanwhile, bytes. Of all sampled warps */
    double stayed_bytes;    /* part of l2_bytes: brought again though the iteration before had it */
    double awaited_bytes;   /* part of l2_bytes: of lines that the warp had asked for just before and not waited for, as
                               where each unrolled iteration goes on in them; the last cache has them */
    double iteration_bytes; /* that the operations of its innermost loop bring in one iteration, without awaited ones */
};

/* Atomic operations off chip, and where they fall. */
struct gp_atomic_work {
    double contention;       /* further lanes on one address */
    double least_contention; /* of contention at guessed addresses, what stays however they fall */
    double operations;       /* lanes that make one */
    double successes;        /* of operations, exchanges that a loop retries and that succeed */
    bool keeps;              /* the largest, or the least: few of them change anything */
    double asked_lines;      /* lines of L2 that the requests with these ask for, each */
    double addresses,
        lines; /* and lines of L2, that all the launch's operations fall on, at most; infinite: not known */
    double lowest, highest; /* of these addresses, bytes from the same place for all of a buffer; infinite: not known */
};

/* How the lanes of the first request lie. */
struct gp_access_shape {
    int64_t stride; /* bytes between neighbouring lanes where constant, of the first request that has such: also where
                       those that take part are further apart */
    uint32_t lanes_apart;  /* those that take part in it, where all are as far; else 0 */
    bool strides_differ;   /* others have another one, or none */
    bool by_address;       /* served one address at a time: no line gathers lanes that read different ones */
    uint32_t first_symbol; /* where the first request's first lane goes */
    uint64_t first_offset;
    uint32_t walk;  /* where nobody knows: the walk that it is on (address_streams.h); GP_NONE: on none */
    int64_t walked; /* bytes from the walk's start */
};

/* One memory operation of the kernel; sums over the average warp's executions. */
struct gp_memory_work {
    double requests;
    double transactions;
    double uncoalesced;              /* requests that take more transactions than the fewest for their bytes */
    double uncoalesced_transactions; /* of these requests */
    double misses;                   /* requests that L1 does not serve; one served in part counts in part */
    double wavefronts;               /* cycles of the load/store unit */
    double passes;                   /* local memory */
    double bytes, useful_bytes;
    double l2_bytes; /* what L1 does not hold, and all stores */
    double l2_busy;  /* bytes that L2 could read while it is busy with l2_bytes, by these: 1, and more where it looks up
                        lines for little of each */
    bool writes;     /* these are stores or atomics */
    uint32_t buffer; /* in work->buffers */
    double stall;    /* cycles a lone warp waits for its result */
    double chain_stall;         /* the same of a group's slowest warp: part of gp_work.chain */
    double waits;               /* how often it does; requests that are under way together count once */
    double together;            /* turns of its loop whose requests are, where a driver unrolls it; else 1 */
    double kept_apart;          /* turns that a driver unrolls, whose requests stores keep apart; else 1 */
    double latency;             /* sum of the requests', cycles; what the group touches first comes from DRAM */
    double dram_latency;        /* part of it that is DRAM's over L2's */
    double guessed;             /* requests whose addresses were guessed, or that were reached by a guess */
    double guessed_ways;        /* of these, only which way branches go */
    double scattered;           /* of these, the ones whose addresses were guessed */
    struct gp_core_misses core; /* on a CPU, per request */
    double worst_transactions;  /* of one request */
    double worst_conflict;      /* degree, of one request */
    struct gp_ideal_access ideal;
    struct gp_line_reuse reuse;
    struct gp_atomic_work atomics;
    struct gp_access_shape shape;
};

/* One branch that sent the lanes of a warp both ways. */
struct gp_branch_work {
    double divergences;                     /* of the average warp */
    double behind;                          /* instructions that it issues while lanes are parted */
    struct gp_pipe_work excess;             /* what its sides cost beyond their share of the lanes */
    double excess_on_path[GP_NARROW_COUNT]; /* of excess.issue, what belongs to each path */
    double stall; /* the same for the cycles of a group's slowest warp alone: of gp_work.chain */
};

/* What the work-groups touch of one buffer. */
struct gp_buffer_work {
    gp_ref base;
    double group_bytes;    /* of the distinct lines that one group touches */
    double fetched_beside; /* bytes that come from DRAM with them, though the group touches none of their lines */
    double apart_bytes;    /* of group_bytes, that come a few at a time from lines far apart; twice where L2 fetches the
                              same half of all of these */
    struct gp_shared shared;         /* of these, by other groups */
    double useful_bytes;             /* of these lines, the bytes that the group asks for */
    struct gp_shared shared_words;   /* of the words it asks for */
    double stored_bytes;             /* of group_bytes, that a store or an atomic touches first */
    double rewritten_bytes;          /* of group_bytes, fetched and then written */
    bool read_and_written;           /* off the chip, by some operations and by others: only then known are */
    struct gp_shared shared_written; /* of what it writes, by other groups that write it (next ones only) */
    double read_elsewhere;           /* share of stored_bytes that other groups read */
    bool read_again;                 /* a group reads lines of it that L1 has lost since */
    double extent;                   /* bytes between the lowest and the highest address seen; infinite: none known */
};

/* One block of the kernel, of the average warp. */
struct gp_block_work {
    double visits;
    uint32_t parted_by;            /* the branch in whose sides all of them are; GP_NONE: none, or several */
    double chain;                  /* cycles that a lone warp spends in it */
    struct gp_pipe_work pipes;     /* of one visit */
    struct gp_pipe_work addresses; /* part of it: what only addresses of loads from off the chip need */
};

/* A sampled group: the instructions that its mean warp executes. */
struct gp_group_work {
    uint64_t group[3];
    double instructions;
};

struct gp_work {
    double groups;  /* of the launch */
    double rows[2]; /* of a launch along one dimension: after so many groups one shares as buffers' shared.next[1] says,
                       after so many as next[2] does (row_neighbours.h); 0: none does */
    gp_distances further; /* of buffers' shared.further */
    double warps_per_group;
    double lanes_used; /* work-items of a group over lanes of its warps */
    struct gp_pipe_work pipes;
    struct gp_path_work paths[GP_NARROW_COUNT];
    double
        chain; /* cycles a group's slowest warp would take alone on an idle SM: issue and waiting; mean of all groups */
    double chain_memory;    /* of these, waiting for global, constant and image memory */
    double longest;         /* chain of the group with the longest one over the mean of all groups' */
    uint32_t longest_block; /* where that group's slowest warp is most of the time: in kernel->blocks */
    double barriers;
    double instructions, guessed_instructions, guessed_ways; /* as in gp_exec_result */
    double unknown_calls; /* part of pipes.issue: of unknown calls, inline assembly and divisions of loaded 64-bit
                             numbers, by estimate */
    uint64_t effort;      /* what the sampling cost us: instructions and accesses looked at */
    uint64_t executed;    /* ... and what executing warps did: gp_exec_result.effort, which decides nothing here */
    uint64_t piloted;     /* and the pilot runs before it (pilots.h) */
    bool cut_off;
    uint32_t endless; /* as in gp_exec_result, of the first warp that was not followed to its end there */
    bool varied;      /* groups do different work at different places, not only at the edges (varied_groups.h) */
    double uncertain; /* where groups all over the range stand for it (two_phase.h), the standard error of what the
                         average one executes, as a share of it; else 0 */
    struct gp_overrun overrun;        /* that executed warps were seen to make */
    struct gp_group_work least, most; /* of the sampled groups, those that execute least and most */
    struct gp_group_work
        leading; /* of these one that stands for much of the work, that whose neighbours are looked at */
    double
        uneven_groups; /* share of the launch's groups whose warps were seen to run different numbers of instructions */
    bool uneven_warps; /* these are many */
    double of_every_fourth[GP_PARTITIONS]; /* instructions of a group's warps w, w + 4, ...; all 0 where not all warps
                                              of a group were executed */
    uint32_t block_count;
    struct gp_block_work *blocks; /* as kernel->blocks */
    uint32_t memory_count;
    struct gp_memory_work *memory; /* as kernel->memory */
    uint32_t branch_count;
    struct gp_branch_work *branches; /* as kernel->branches */
    uint32_t buffer_count;
    struct gp_buffer_work *buffers;
    double registers; /* per work-item: gp_collect()'s */
};

/* Groups like the leading one that would do all that groups do beyond the one that executes least, which may only find
 * that it has no work, as a share of all groups; 1: they do not differ. */
static inline double gp_work_busy(const struct gp_work *work)
{
    double own = work->leading.instructions - work->least.instructions;
    double share = work->varied && own > 0 ? (work->instructions - work->least.instructions) / own : 1;
    return share < 1 ? share : 1;
}

/* How many groups there are in each direction in which neighbours share: `grid` has those of each dimension. */
static inline void gp_work_lattice(const struct gp_work *work, const uint64_t grid[3], double lattice[3])
{
    for (int d = 0; d < 3; d++)
        lattice[d] = (double)grid[d];
    for (int d = 0; d < 2 && work->rows[d] > 0; d++) {
        lattice[d] = work->rows[d] / (d > 0 ? work->rows[d - 1] : 1);
        lattice[d + 1] = work->groups / work->rows[d];
    }
}

/* Lanes that execute together: a warp; on a CPU the 32-bit elements of a SIMD register. At most GP_MAX_LANES. */
static inline uint32_t gp_device_lanes(const struct gp_device *device)
{
    uint32_t lanes =
        (uint32_t)(device->vector_bytes.value > 0 ? device->vector_bytes.value / 4 : device->warp_width.value);
    return lanes < 1 ? 1 : lanes > GP_MAX_LANES ? GP_MAX_LANES : lanes;
}

/* Warps that are executed of a group, at most, where more than its first and last are. */
enum { GP_MOST_EXECUTED = 8 };

/*
 * How much is executed: many groups and warps and neighbours of a group; the same and every iteration of their loops;
 * few; few groups but their warps; few groups but their warps, and the neighbours; few and the neighbours; many groups,
 * few warps, and the neighbours.
 */
enum gp_sampling {
    GP_SAMPLE_FULL,
    GP_SAMPLE_EVERY_ITERATION,
    GP_SAMPLE_QUICK,
    GP_SAMPLE_QUICK_WARPS,
    GP_SAMPLE_QUICK_SHARING,
    GP_SAMPLE_QUICK_NEIGHBOURS,
    GP_SAMPLE_QUICK_GROUPS
};

/* A kernel prepared for collecting: decoded blocks and scratch memory. Used by one thread at a time. */
struct gp_collector;
struct gp_collector *gp_collector_new(const struct gp_kernel *kernel);
void gp_collector_free(struct gp_collector *collector);
/* The code is for no device (spir64), or is told of as NVIDIA's compilers make it: what they make of its loops is taken
 * into account on their devices. */
void gp_collector_for_drivers(struct gp_collector *collector, enum gp_unrolled_by unrolled_by);
/* Effort that a quick collection may take: where that of the first group tells that all would take more, one warp
 * stands for the others. 0: no bound. lone: for all, where it takes that much itself. */
void gp_collector_afford(struct gp_collector *collector, double effort, bool lone);
/* Whether a collection ends where a warp is seen to overrun an array: work.overrun says so then, and the rest of `work`
 * says nothing. It does not at first. */
void gp_collector_stop_at_overrun(struct gp_collector *collector, bool stop);
/*
 * After a quick collection of `launch` that looked at no neighbours: who asks for the same blocks of images' texels. Of
 * several groups, too, where not all texels are known. A warp of each neighbour is followed, for its texels alone.
 * False with an error: that could not be executed.
 */
enum gp_texels_of { GP_TEXELS_OF_WARP, GP_TEXELS_OF_GROUP, GP_TEXELS_OF_SEVERAL };
bool gp_collector_texels_of(struct gp_collector *collector, const struct gp_launch *launch, enum gp_texels_of *of,
                            struct gp_error *error);
/* The collector's own, for other looks at single warps between collections. */
struct gp_executor *gp_collector_executor(struct gp_collector *collector);

/*
 * Executes sampled warps of the launch and sums up. resident_warps: per SM, decides what L1 can hold; registers: per
 * work-item, how many loads may be under way. The arrays of `work` belong to the collector and are valid until its next
 * use.
 */
bool gp_collect(struct gp_collector *collector, const struct gp_device *device, const struct gp_launch *launch,
                double resident_warps, double l1_bytes, double registers, enum gp_sampling sampling,
                struct gp_work *work, struct gp_error *error);

#endif
