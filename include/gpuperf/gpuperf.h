/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * gpuperf: picks the local size of a kernel launch from its profile.
 *
 *     gpuperf_profile *profile = gpuperf_profile_load("kernels.gpuperf", &error);
 *     gpuperf_device *device = gpuperf_device_open("a100", &error);
 *     gpuperf_launch launch = { .dims = 2, .global = {4096, 4096, 1} };
 *     gpuperf_choice choice;
 *     if (gpuperf_choose(profile, "transpose", device, &launch, &choice, &error) == 0)
 *         use(choice.local);
 *
 * Every function that can fail returns 0 (or a pointer) on success and a negative GPUPERF_E... code (or NULL) on
 * failure, with one sentence in *error (error may be NULL). Objects are freed with the function of their own name. A
 * profile and a device may be used by several threads at once; nothing is global.
 *
 * Stable: everything in this file. The numbers behind the decisions (cycles, bottlenecks) may change with the models.
 */
#ifndef GPUPERF_GPUPERF_H
#define GPUPERF_GPUPERF_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GPUPERF_VERSION "0.1.0"
#define GPUPERF_API     __attribute__((visibility("default")))

enum {
    GPUPERF_OK = 0,
    GPUPERF_EINPUT = -1,    /* a file, profile or argument is wrong */
    GPUPERF_ENOTFOUND = -2, /* no such kernel, device, argument */
    GPUPERF_ELAUNCH = -3,   /* the launch is impossible on this device */
    GPUPERF_ESYSTEM = -4    /* out of memory */
};

typedef struct gpuperf_error {
    char text[1024];
} gpuperf_error;
typedef struct gpuperf_profile gpuperf_profile;
typedef struct gpuperf_device gpuperf_device;

/* A scalar argument, or a vector of integers of up to 8 bytes, by its index in the kernel's source; value: its bytes,
 * zero-extended (a float: its bit pattern). */
typedef struct gpuperf_argument {
    uint32_t index;
    uint64_t value;
} gpuperf_argument;

typedef struct gpuperf_launch {
    uint32_t dims;      /* 1..3 */
    uint64_t global[3]; /* work-items; CUDA: grid x block */
    uint64_t offset[3];
    const gpuperf_argument *arguments; /* scalars that are known; the others are symbols */
    size_t argument_count;
    uint32_t local_memory_bytes; /* dynamic work-group memory (local pointer arguments, CUDA's third parameter) */
    int uniform;                 /* not 0: only local sizes that divide the global size (OpenCL 1.x) */
    uint32_t max_local;          /* the runtime's limit for this kernel (CL_KERNEL_WORK_GROUP_SIZE); 0: the device's */
} gpuperf_launch;

typedef struct gpuperf_choice {
    uint32_t local[3]; /* 1 beyond dims */
    double time_ns;    /* predicted */
    double cycles;
    double confidence;   /* 0..1: how probable it is that the time is within 1.5 times of the truth */
    double gain;         /* predicted time of the worst candidate over the chosen one's: how much the choice matters */
    uint32_t candidates; /* how many were predicted */
    double known_share;  /* 0..1: of the time; rests on no guess */
    double time_ns_low, time_ns_high; /* holds the truth in four of five cases */
} gpuperf_choice;

/* From a profile file, or found in bitcode, SPIR-V or an object file that the plugin annotated. */
GPUPERF_API gpuperf_profile *gpuperf_profile_load(const char *path, gpuperf_error *error);
/* The same from memory; the bytes are not kept. */
GPUPERF_API gpuperf_profile *gpuperf_profile_from_memory(const void *bytes, size_t size, gpuperf_error *error);
/* Compiles OpenCL C (the text itself) out of process with clang and the plugin for the device's own target; options as
 * for clang, separated by spaces. Takes a second or so. */
GPUPERF_API gpuperf_profile *gpuperf_profile_compile(const char *source, const char *options,
                                                     const gpuperf_device *device, gpuperf_error *error);
GPUPERF_API void gpuperf_profile_free(gpuperf_profile *profile);

/* Number of kernels and their names; NULL beyond the last. The name lives as long as the profile. */
GPUPERF_API size_t gpuperf_profile_kernels(const gpuperf_profile *profile);
GPUPERF_API const char *gpuperf_profile_kernel_name(const gpuperf_profile *profile, size_t index);

/* A device of the database ("a100"; $GPUPERF_HWDB directories first), or the nearest of them to a compile target
 * ("sm_87", "gfx1030"), at less confidence. */
GPUPERF_API gpuperf_device *gpuperf_device_open(const char *name, gpuperf_error *error);
GPUPERF_API void gpuperf_device_free(gpuperf_device *device);
/* What the machine at hand says of itself overrides the database: 0 leaves a number alone. */
GPUPERF_API void gpuperf_device_override(gpuperf_device *device, uint32_t compute_units, uint32_t clock_mhz);

/* The best local size for a launch, taken for one of many on the same data: what the one before has left in the last
 * cache need not come again (here and below). GPUPERF_ELAUNCH when none is possible. */
GPUPERF_API int gpuperf_choose(const gpuperf_profile *profile, const char *kernel, const gpuperf_device *device,
                               const gpuperf_launch *launch, gpuperf_choice *choice, gpuperf_error *error);

/*
 * Predicted time of one local size, ns. GPUPERF_ELAUNCH when it is impossible or against the launch's own limits. It
 * looks at more work-groups than gpuperf_choose(), which a launch waits for: their times differ by some percent.
 */
GPUPERF_API int gpuperf_predict_time(const gpuperf_profile *profile, const char *kernel, const gpuperf_device *device,
                                     const gpuperf_launch *launch, const uint32_t local[3], double *time_ns,
                                     gpuperf_error *error);

/* What a share of a range costs a device beside the kernel. Zeros: it has the memory at hand. */
typedef struct gpuperf_transfer {
    double latency_ns;     /* before the first byte */
    double sent_bytes;     /* before the kernel, whatever the share: buffers that it reads */
    double returned_bytes; /* of the whole range: a share brings back its part */
    double gbps;           /* GB/s, 10^9 bytes; 0: nothing is sent */
} gpuperf_transfer;

/* What one device gets of a range that is shared out. */
typedef struct gpuperf_share {
    uint64_t offset, items; /* work-items along the dimension; 0 items: it would only delay the others */
    uint32_t local[3];      /* the best size for the whole range there; 1 beyond dims */
    double time_ns;         /* predicted, transfer included */
} gpuperf_share;

/*
 * Shares one launch out over `count` devices (1 to 16) so that they end together: each gets a stretch of the range
 * along
 * `*dimension`, in order, of whole groups (the launch's offset + share's offset, share's items). profiles[i] is for
 * devices[i], and may be the same one; transfers: one for each, or NULL. Fills shares[count] and when all have ended.
 * GPUPERF_ELAUNCH: the kernel's results depend on the range's size, so that parts of it would not be the same, or no
 * device runs it.
 */
GPUPERF_API int gpuperf_split(const gpuperf_profile *const profiles[], const char *kernel,
                              const gpuperf_device *const devices[], size_t count, const gpuperf_launch *launch,
                              const gpuperf_transfer transfers[], gpuperf_share shares[], uint32_t *dimension,
                              double *time_ns, gpuperf_error *error);

/*
 * The bytes of a buffer (the kernel's argument of that number) that a launch can read, or a share of one (offset and
 * global size are its own): from `*from` up to, not including, `*to`, counted from the buffer's start, whatever memory
 * holds. No others need be there. 0 and UINT64_MAX where no bound is found; 0 and 0 where nothing is read. local: the
 * launch's size.
 */
GPUPERF_API int gpuperf_read_range(const gpuperf_profile *profile, const char *kernel, const gpuperf_device *device,
                                   const gpuperf_launch *launch, const uint32_t local[3], uint32_t argument,
                                   uint64_t *from, uint64_t *to, gpuperf_error *error);

/*
 * What a predicted time is made of: every term of the equations in docs/models.md, by the symbols there and in the
 * papers, with its unit. Terms of another model than the one that made the prediction are 0. Fields are only added, at
 * the end.
 */
typedef struct gpuperf_terms {
    const char *model; /* "throughput", "mwp-cwp", "trace", "cpu"; static */
    double time_ns;

    /* Of every model. */
    double clock_mhz;       /* f, MHz, clock that the cycles are of */
    double groups;          /* groups, work-groups of the launch */
    double warps_per_group; /* warps, warps of a work-group */
    double resident_groups; /* groups, work-groups that fit an SM */
    double atomics_cycles;  /* cycles, floor: atomics on one address, or in one part of L2, one after the other */
    double launch_cycles;   /* cycles, added: until the device begins */
    double cycles;          /* cycles, all of it */

    /* How long one group (on CPUs one work-item) keeps each unit of its SM busy. */
    double unit_issue;   /* S_issue, cycles, schedulers, for one group */
    double unit_fp32;    /* S_fp32, cycles, FP32 lanes and matrix units */
    double unit_fp64;    /* S_fp64, cycles, FP64 lanes */
    double unit_sfu;     /* S_sfu, cycles, special functions and conversions */
    double unit_int;     /* S_int, cycles, integer lanes */
    double unit_lsu;     /* S_lsu, cycles, load/store unit and local memory */
    double unit_l2;      /* S_l2, cycles, the SM's share of L2 */
    double unit_dram;    /* S_dram, cycles, the SM's share of DRAM */
    double unit_barrier; /* S_barrier, cycles, barriers */

    /* Of the GPU models that know caches. */
    double groups_per_sm;      /* groups, work-groups that the busiest SM gets */
    double concurrent_groups;  /* groups, work-groups that the device runs at a time */
    double l2_bytes;           /* bytes, of the launch, beyond L1 */
    double dram_bytes;         /* bytes, of the launch, from and to DRAM */
    double dram_bytes_per_clk; /* bytes/clk, that DRAM moves of such traffic */
    double llc_cycles;         /* cycles, a third level's, for what L2 lacks */
    double dram_cycles;        /* cycles, floor: dram_bytes over dram_bytes_per_clk, or llc_cycles */
    double start_cycles;       /* cycles, floor: groups start one after the other */

    /* T(b) = max(b S + Z / sqrt(n) + W, ((L + W)^k + (b D)^k)^(1/k)). */
    double part;             /* groups, of a group that lies on one SM */
    double batch_groups;     /* b, groups, work-groups that an SM runs at a time */
    double busiest;          /* S, cycles, the busiest unit, for one group */
    double scheduler_cycles; /* cycles, floor: the fullest scheduler */
    double sooner;           /* cycles, L is shorter by: what other groups had brought */
    double spill_wait;       /* cycles, part of L: a lone warp waits for spilled registers */
    double chain;            /* L, cycles, a lone group, its start included */
    double longest;          /* L_max, cycles, the longest group alone */
    double waiting;          /* Z, cycles, of L, waiting for memory, barriers and the start */
    double independent;      /* n, parts, of a batch that run independently: warps, or groups with barriers */
    double beyond_l2;        /* W, cycles, all wait together for what L2 lacks */
    double dram_busy;        /* D, cycles, DRAM, for one group on each SM */
    double knee;             /* k, exponent of DRAM's queues */
    double emptying;         /* factor of L beside D: large groups empty slowly */
    double at_units;         /* b S + Z / sqrt(n) + W, cycles, a batch, as units have it */
    double in_queues;        /* ((L + W)^k + (b D)^k)^(1/k), cycles, a batch, as latency and DRAM have it */
    double batch;            /* T(b), cycles, the larger: a batch */
    double full_batches;     /* batches, of the busiest SM */
    double last_groups;      /* groups, of its last, partial batch */
    double last_batch;       /* cycles, T of these */
    double groups_cycles;    /* cycles, floor: the SM's groups one after the other in each place */
    double batches;          /* cycles, all batches of the busiest SM */
    double filling;          /* cycles, beside dram_cycles: until the first bytes come */

    /* Hong & Kim, ISCA 2009: symbols of its Table 1, numbers of its equations. */
    double issue_cycles;           /* #Issue_cycles, to issue one warp instruction */
    double total_insts;            /* #Total_insts, insts, of a warp */
    double comp_insts;             /* #Comp_insts, insts, of these, computation */
    double coal_mem_insts;         /* #Coal_Mem_insts, insts, of these, coalesced requests */
    double uncoal_mem_insts;       /* #Uncoal_Mem_insts, insts, of these, uncoalesced requests */
    double synch_insts;            /* #Synch_insts, insts, barriers */
    double uncoal_per_mw;          /* #Uncoal_per_mw, transactions of an uncoalesced request */
    double load_bytes_per_warp;    /* Load_bytes_per_warp, bytes, of a request, from DRAM */
    double mem_ld;                 /* Mem_LD, cycles, round trip of a transaction */
    double departure_del_coal;     /* Departure_del_coal, cycles, between two coalesced requests */
    double departure_del_uncoal;   /* Departure_del_uncoal, cycles, between two transactions of an uncoalesced one */
    double mem_bandwidth;          /* Mem_Bandwidth, GB/s, of DRAM */
    double active_sms;             /* #Active_SMs, SMs */
    double active_blocks_per_sm;   /* #Active_blocks_per_SM, groups */
    double n_warps;                /* N, warps, of an SM (20) */
    double mem_l;                  /* Mem_L, cycles, latency of a request (12) */
    double departure_delay;        /* Departure_delay, cycles, between two requests (15) */
    double mem_cycles;             /* Mem_cycles, a warp waits for memory (18) */
    double comp_cycles;            /* Comp_cycles, a warp computes (19) */
    double comp_p;                 /* Comp_p, cycles, of these between two requests (2) */
    double mwp_without_bw;         /* MWP_Without_BW, warps, (16), (17) */
    double mwp_peak_bw;            /* MWP_peak_BW, warps, (6) */
    double mwp;                    /* MWP, warps, that access memory at once (5) */
    double cwp_full;               /* CWP_full, warps, (8) */
    double cwp;                    /* CWP, warps, that compute meanwhile (9) */
    double equation;               /* that holds: 22, 23, 24; 0: no memory instructions */
    double rep;                    /* #Rep, rounds of active blocks (21) */
    double exec_cycles_app;        /* Exec_cycles_app, cycles, (22) to (24), times #Rep */
    double synch_cost;             /* Synch_cost, cycles, barriers (26) */
    double exec_cycles_with_synch; /* Exec_cycles_with_synch, cycles, (27) */
    double cpi;                    /* CPI, cycles/inst, of a warp instruction (25) */

    /* The simulation of the busiest SM. */
    double simulated_groups;  /* groups, of the busiest SM, simulated */
    double sm_cycles;         /* cycles, of these, the rest after those simulated, at least what its units need */
    double imbalance;         /* factor: the launch's warps against the recorded ones */
    double idle_for_memory;   /* share of the time that schedulers have nothing to issue: memory */
    double idle_for_requests; /* share, schedulers idle: room for requests */
    double idle_for_results;  /* the same: results of earlier instructions */
    double dram_channel;      /* cycles, the DRAM channel that has most to do, for one group */

    /* Of PoCL-like devices. */
    double computing;       /* cycles, of a work-item on its busiest port */
    double missing;         /* cycles, a work-item waits for caches and memory, meanwhile */
    double group_items;     /* work-items, of a group */
    double barriers_cycles; /* cycles, a group keeps values in memory */
    double group_cycles;    /* cycles, of a group: group_items x the larger of computing and missing */
    double groups_per_core; /* groups, that the busiest core gets */
    double cores_cycles;    /* cycles, groups_per_core x (group_cycles + barriers_cycles + start) */
    double touched_bytes;   /* bytes, that come from DRAM */
    double memory_cycles;   /* cycles, floor: touched_bytes at DRAM's bandwidth */
} gpuperf_terms;

/* The terms of the time that gpuperf_predict_time() gives for the same arguments; errors likewise. */
GPUPERF_API int gpuperf_predict_terms(const gpuperf_profile *profile, const char *kernel, const gpuperf_device *device,
                                      const gpuperf_launch *launch, const uint32_t local[3], gpuperf_terms *terms,
                                      gpuperf_error *error);

/* Why: a few lines of text (the candidates with their times, the limiter, what was guessed). Free with free(). */
GPUPERF_API char *gpuperf_explain(const gpuperf_profile *profile, const char *kernel, const gpuperf_device *device,
                                  const gpuperf_launch *launch, gpuperf_error *error);

#ifdef __cplusplus
}
#endif
#endif
