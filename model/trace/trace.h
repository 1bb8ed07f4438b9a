/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The trace model: event-driven simulation of one SM with its resident work-groups, on the warp executor's execution
 * traces.
 *
 *   gp_sm_of()          device -> the SM as the simulation sees it                                  trace_machine.c
 *   gp_program_new()    kernel + SM -> what each instruction of each block occupies and waits for   trace_program.c
 *   gp_traces_record()  launch -> traces of the groups that one SM gets                             trace_record.c
 *   gp_simulate()       SM + program + traces -> cycles, start and finish of every group            trace_sm.c,
 * trace_memory.c gp_trace_time()     the whole launch: waves, tail, floors trace_model.c
 *
 * The simulation follows Wang et al.'s section IV (their equation 8 becomes list scheduling with the real occupancy
 * rules), Lai & Seznec's TEG for issue and memory timing, Lashgar et al. for outstanding requests, and section 4 of the
 * sampling and learning paper for one of the scheduling policies. docs/models.md tells which of their equations stands
 * where.
 *
 * Programs and traces can also be made by hand: that is how the papers' examples are tested.
 */
#ifndef GPUPERF_MODEL_TRACE_H
#define GPUPERF_MODEL_TRACE_H

#include "model/compilers/cost.h"
#include "model/executor/executor.h"
#include "model/memory/requests.h"

/* ---- The SM ---------------------------------------------------------------------------------------------------- */

/* What instructions contend for. Integer work runs on FP32 where the device says so. */
/* clang-format off */
#define GP_UNITS(X) X(FP32, "fp32") X(FP64, "fp64") X(INT, "int") X(MUL, "mul") X(SFU, "sfu") X(SCALAR, "scalar") X(LSU, "lsu") X(LDS, "lds") X(BARRIER, "barrier") X(MATRIX, "matrix")
/* clang-format on */
enum gp_unit {
#define X(name, text) GP_UNIT_##name,
    GP_UNITS(X)
#undef X
        GP_UNIT_COUNT
};

enum gp_policy {
    GP_POLICY_ROUND_ROBIN,   /* the next ready warp in turn */
    GP_POLICY_GREEDY_OLDEST, /* the same warp as long as it is ready, then the oldest */
    GP_POLICY_OLDEST_GROUP /* in turn; when a warp's turn comes and its unit is busy, the first ready warp of the oldest
                              group */
};

/* bytes 0: there is no such cache. */
struct gp_cache_shape {
    double bytes;
    uint32_t line, ways;
    double latency; /* of a hit, cycles */
};

/*
 * All in cycles of the SM and bytes. An RDNA "SM" is a whole work-group processor, since a group lies on both of its
 * CUs. Device-wide bandwidths are those of the whole device: a simulated request books them for every active SM.
 */
enum { GP_MOST_REPLAYS = 8 };

struct gp_sm {
    uint32_t schedulers;
    double issue_interval;   /* between two instructions of one scheduler */
    double same_warp;        /* between two instructions of one warp (TEG, Table 1) */
    double same_warp_memory; /* the same after an off-chip access (TEG, 3.2.2) */
    enum gp_policy policy;
    double quantum;                  /* GP_POLICY_OLDEST_GROUP: cycles for which a warp keeps its turn */
    bool partitioned[GP_UNIT_COUNT]; /* each scheduler has its own; else one for the SM */
    double lsu_units;    /* load/store units that share the wavefronts: 2 in a work-group processor, else 1 */
    uint32_t warp_loads; /* loads of one warp in flight */
    double barrier_latency, dispatch;
    double local_latency, local_replay, local_atomic;
    bool issues_beside; /* scalar instructions, branches and accesses take no issue slot of vector instructions (GCN
                           architecture whitepaper: up to five instructions a cycle, each of another wave and kind) */
    bool
        replays_hold; /* a warp issues nothing else before all passes over local memory have been issued (TEG, 3.2.2) */
    struct gp_cache_shape l1, texture, constant, l2;
    uint32_t segment; /* bytes that a transaction moves: the unit of traces' addresses */
    double dram_latency;
    double port_bytes;                             /* per cycle between this SM and L2 */
    double l2_bytes, l2_written_bytes, dram_bytes; /* per cycle, whole device; l2_bytes: read */
    double cluster_bytes; /* per cycle, of a cluster of SMs that share a way to memory (GT200's TPC); 0: none */
    uint32_t cluster_sms;
    uint32_t channels, channel_bytes; /* DRAM; 1 channel where addresses are hashed */
    double departure;                 /* between accesses leaving the SM (Hong & Kim, coalesced) */
    double global_atomic;
    uint32_t mshr_entries, mshr_merges, prt_entries, prt_lanes; /* Lashgar et al.; 0: no such limit */
    uint32_t load_replays; /* loads of several transactions that go out side by side, each its own that many passes
                              apart: 1, one after the other */
    double return_lanes;   /* per cycle: lanes whose missing loads' data reach registers; 0: no such limit */
    uint32_t sm_count;
};

void gp_sm_of(const struct gp_device *device, double clock_mhz, double l1_bytes, struct gp_sm *sm);

/* ---- What a program makes an SM do ----------------------------------------------------------------------------- */

enum gp_sim_kind {
    GP_SIM_COMPUTE,
    GP_SIM_MEMORY, /* takes the visit's accesses of `memory`; its issue slot alone where there is none */
    GP_SIM_BARRIER,
    GP_SIM_FREE /* no instruction of its own: its result is ready `latency` after its operands */
};

struct gp_sim_op {
    uint8_t kind; /* enum gp_sim_kind */
    uint8_t unit; /* the one it waits for: its busiest; GP_UNIT_COUNT: none */
    uint16_t operand_count;
    bool waits;       /* nothing of the warp issues before its result is there */
    uint16_t rank;    /* GP_SIM_MEMORY: so many accesses of the visit come before its own, if none is left out */
    uint32_t operand; /* first of its slots in program->operands */
    uint32_t result;  /* slot, or GP_NONE */
    uint32_t memory;  /* GP_SIM_MEMORY: memory operation, or GP_NONE */
    float issue;      /* warp instructions */
    float latency;    /* from issue until a dependent one may issue */
    float hold;       /* until the same warp may issue its next one, same_warp aside */
    float busy[GP_UNIT_COUNT]; /* cycles for which it occupies each unit (a scheduler's own where partitioned) */
};

struct gp_sim_block {
    uint32_t first, count, issued; /* of these, not free */
};

struct gp_program {
    struct gp_sim_op *ops;
    uint32_t op_count;
    struct gp_sim_block *blocks;
    uint32_t block_count;
    uint32_t *operands;
    uint32_t operand_count;
    uint32_t slot_count;   /* values of a warp that somebody waits for */
    uint32_t memory_count; /* memory operations; spills are one */
    uint32_t spill_block;  /* blocks from here on are accesses to spilled registers */
};

/*
 * A kernel's program. repaired_paths: bits 1 << GP_NARROW_... (inst_facts.h). merge: so many neighbouring arithmetic
 * instructions of a block become one (1: none). registers: instructions are ordered as compilers do (block_order.h),
 * with so many per work-item; 0: they stay in program order.
 */
struct gp_program *gp_program_new(const struct gp_kernel *kernel, const struct gp_device *device,
                                  const struct gp_sm *sm, uint32_t repaired_paths, uint32_t merge, double registers);
void gp_program_free(struct gp_program *program);

/* One arithmetic instruction of a class, for programs made by hand: kind, units, issue slots, latency. Operands and
 * result are the caller's. */
void gp_sim_op_of(const struct gp_device *device, const struct gp_sm *sm, enum gp_class cost_class,
                  struct gp_sim_op *op);

/*
 * A kernel's program has two blocks behind the kernel's: an access to spilled registers, store and load, as memory
 * operation kernel->memory_count.
 */

/* ---- Traces ---------------------------------------------------------------------------------------------------- */

enum gp_path { GP_PATH_LOCAL, GP_PATH_L1, GP_PATH_TEXTURE, GP_PATH_CONSTANT, GP_PATH_L2 };

enum gp_access_flags {
    GP_ACCESS_STORE = 1,
    GP_ACCESS_ATOMIC = 2,
    GP_ACCESS_RETURNS = 4,
    GP_ACCESS_OWN = 8 /* memory that no other warp has */,
    GP_ACCESS_MOVED =
        16 /* what its warp touched in the iterations shown before says nothing of this one: only `share` does */
};

struct gp_trace_access {
    uint32_t memory;     /* in kernel->memory */
    uint8_t path, flags; /* enum gp_path, enum gp_access_flags */
    uint16_t lanes;
    float wavefronts, ideal_wavefronts; /* cycles of a load/store unit */
    float replays;                      /* local memory: further passes */
    float bytes, ideal_bytes;           /* moved if all of it misses */
    float share;                        /* of the iterations that this one stands for, how many enter new segments */
    float step;       /* bytes by which it moves from one of them to the next; 0: not at all, or nobody knows */
    float contention; /* atomics: further lanes on one address */
    float together;   /* segments that all accesses of its visit touch */
    uint32_t segment, segment_count, ideal_segments; /* in trace->segments: numbers of aligned segments */
};

/*
 * In trace->segments: any segment of its memory operation's range, nobody knows which; the rest of the number tells
 * such segments apart. The simulation takes one at random, another for each warp. Of those of a walk
 * (address_streams.h), neighbours within so many lie side by side.
 */
#define GP_SEGMENT_ANY    (UINT64_C(1) << 63)
#define GP_SEGMENT_WALKED (UINT64_C(1) << 62)
enum { GP_WALKED_TOGETHER = 16 };
struct gp_segment_range {
    uint64_t first, count;
};

/* A visit of a block. Its accesses are in the order of the block's memory operations. */
struct gp_visit {
    uint32_t block;
    uint32_t access;    /* first of its accesses */
    float weight;       /* so many visits does it stand for */
    float instructions; /* of one of them, as gp_recording.instructions */
    float idle;         /* share of the warp's lanes that wait elsewhere ... */
    uint32_t branch;    /* ... because of this branch; GP_NONE */
};

struct gp_trace {
    const struct gp_visit *visits;
    uint32_t visit_count;
    const struct gp_trace_access *accesses;
    uint32_t access_count;
    const uint64_t *segments;
};

/* A warp of a simulated group: a recorded trace, moved so many group and warp steps further on. */
struct gp_sim_warp {
    const struct gp_trace *trace; /* NULL: the group has no such warp */
    int32_t group_steps, warp_steps;
};

/*
 * Records the groups that one SM gets of a launch, spread over `sms` SMs: `rows` of them in the order in which the SM
 * gets them, from the middle of the launch on. Only some groups and warps are executed; the others are recorded ones
 * moved on by the distance that was seen between neighbours. Where `like` names a group, that group and those beside it
 * that execute as much are recorded instead.
 */
struct gp_recorder;
struct gp_recorder *gp_recorder_new(const struct gp_kernel *kernel); /* the kernel must stay alive */
void gp_recorder_free(struct gp_recorder *recorder);

struct gp_record_options {
    uint32_t rows; /* groups */
    double sms;
    double spill_store_bytes, spill_load_bytes,
        spill_slot_bytes; /* per work-item: accesses to so many distinct bytes are spread over the trace */
    double instructions;  /* of the launch's average warp: what they are spread over */
    double affordable; /* every iteration of every loop is recorded where that is so many instructions and segments of a
                          warp, or fewer */
    bool exhaustive;   /* every iteration, whatever it costs */
    bool uneven_warps; /* of a group, known to do different work */
    const uint64_t *like; /* [3]: the group whose like are recorded; NULL: those from the middle of the launch on */
};

struct gp_recording {
    struct gp_sim_warp *warps; /* [rows][warps_per_group] */
    uint32_t rows, warps_per_group;
    const int64_t *group_step, *warp_step; /* per memory operation (and one for spills), in segments */
    const int64_t *neighbour_step; /* likewise: to the next group of the launch, which another SM has; zeros where
                                      channels do not matter */
    const bool *neighbour_known;   /* likewise: it was seen */
    const struct gp_segment_range *ranges; /* likewise: of GP_SEGMENT_ANY */
    double visited, accesses, segments; /* instructions, accesses and segments of an average warp's trace as recorded:
                                           what simulating it costs */
    double instructions;                /* the same weighted, without those of a scalar unit: as gp_work.pipes.issue */
    double touched;                     /* segments of an average warp, weighted */
    double least, most;                 /* of the instructions, of an executed group's average warp */
    uint64_t effort;                    /* as gp_work.effort */
};

/* What a recording holds belongs to the recorder and is valid until its next use. */
bool gp_record(struct gp_recorder *recorder, const struct gp_device *device, const struct gp_sm *sm,
               const struct gp_launch *launch, const struct gp_record_options *options, struct gp_recording *recording,
               struct gp_error *error);

/* ---- Simulation ------------------------------------------------------------------------------------------------ */

enum gp_repaired {
    GP_REPAIR_COALESCE = 1,
    GP_REPAIR_CONFLICTS = 2,
    GP_REPAIR_ATOMICS = 4,
    GP_REPAIR_REGISTERS = 8,
    GP_REPAIR_LANES = 16,
    GP_REPAIR_WAITS = 32
};

/* Effects left out, to see what they cost (TEG, section 4). */
struct gp_sim_repairs {
    bool no_latency, no_bandwidth, no_barrier, even_channels, no_spills;
    const uint8_t *memory;   /* per memory operation: enum gp_repaired; NULL: none */
    const uint8_t *branches; /* per branch: each side is paid by its share of the lanes; NULL: of none */
};

struct gp_simulation {
    const struct gp_sm *sm;
    const struct gp_program *program;
    uint32_t resident_groups, groups; /* at the same time; in all, on this SM */
    uint32_t warps_per_group;
    const struct gp_sim_warp *warps; /* [rows][warps_per_group]; group g has row g % rows */
    uint32_t rows;
    const int64_t *group_step,
        *warp_step; /* per memory operation: segments from one group or warp to the next; NULL: 0 */
    const struct gp_segment_range *ranges; /* per memory operation: of GP_SEGMENT_ANY; NULL: none has such segments */
    const float *dram_share; /* per memory operation: first touches that no other SM has brought to L2, and more than 1
                                where DRAM delivers bytes beside them; NULL: all */
    const float *brought; /* per memory operation: of the segments that a warp enters, those that another one brought in
                             another iteration; NULL: none */
    const float *fresh; /* per memory operation: of the segments that nobody of the group touched in the same iteration,
                           those that nobody touched before; NULL: all that are entered */
    const float *channel_spread; /* [memory operation][channels]: where the active SMs' accesses like this one's lie,
                                    counted from its channel on; adds up to 1. NULL: all in the same channel */
    double active_sms;           /* that share L2 and DRAM while this SM works on its first ... */
    uint32_t common_groups;      /* ... so many groups; with fewer active SMs afterwards: */
    double late_sms;
    double l2_share;     /* of L2 that this SM's lines may fill */
    bool whole_caches;   /* however large: else L2 has no more than GP_CACHE_MOST_LINES lines, what an SM's simulated
                            groups   hardly ever touch more of */
    uint64_t most_steps; /* stop after that many instructions (a memory segment counts as one); 0: no limit */
    struct gp_sim_repairs repairs;
};

/* REQUESTS: the load/store unit has no room for another outstanding request. */
enum gp_sim_wait {
    GP_WAIT_ISSUE,
    GP_WAIT_UNIT,
    GP_WAIT_PIPELINE,
    GP_WAIT_MEMORY,
    GP_WAIT_REQUESTS,
    GP_WAIT_BARRIER,
    GP_WAIT_COUNT
};

struct gp_sim_result {
    double cycles;               /* until the last group finishes */
    double busy[GP_UNIT_COUNT];  /* weighted cycles, of the average scheduler's unit where partitioned */
    double issue;                /* weighted cycles of the average scheduler */
    double port, l2, dram;       /* weighted cycles of these, with what all active SMs do */
    double channel;              /* of the DRAM channel that has most to do */
    double waits[GP_WAIT_COUNT]; /* weighted cycles of the SM's schedulers without anything to issue, by what the next
                                    warp waited for */
    double instructions;         /* weighted, issued */
    double l1_hits, l2_hits, dram_segments, segments; /* weighted */
    uint64_t steps;                                   /* instructions simulated: what the simulation cost */
    bool stopped;    /* at most_steps: cycles and sums are those of what was simulated by then ... */
    double progress; /* instructions of the trace that were done, whatever repairs leave of them */
    double touched;  /* segments of the trace that were accessed, those of spilled registers among them, likewise */
    double half_cycles, half_progress; /* ... and when about half of these were done */
};

struct gp_simulator;
struct gp_simulator *gp_simulator_new(void);
void gp_simulator_free(struct gp_simulator *simulator);

/*
 * Runs the groups of one SM: resident_groups start at once, each further one when one has finished. start and finish
 * may be NULL, else [groups]: cycles from the beginning. The same inputs give the same result, bit for bit.
 */
void gp_simulate(struct gp_simulator *simulator, const struct gp_simulation *simulation, double *start, double *finish,
                 struct gp_sim_result *result);

#endif
