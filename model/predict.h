/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Predictions: what all timing models answer with, and how to ask for one.
 *
 *   gp_predictor_new(kernel) -> gp_predict(predictor, device, launch, options, &prediction) ... -> gp_predictor_free
 *
 * The same inputs give the same prediction, bit for bit.
 */
#ifndef GPUPERF_MODEL_PREDICT_H
#define GPUPERF_MODEL_PREDICT_H

#include "hwdb/hwdb.h"
#include "model/launch/launch.h"
#include "model/launch/occupancy.h"
#include "model/profile/profile.h"
#include "model/timing/limiter.h"
#include "model/timing/terms.h"

#ifdef __cplusplus
extern "C" {
#endif

/* X(NAME, text, warns): warns by default; of the others what gp_bottleneck.repairable marks, the rest are remarks. */
/* clang-format off */
#define GP_CAUSES(X) \
    X(UNCOALESCED, "uncoalesced", 1) X(BANK_CONFLICT, "bank-conflict", 1) X(DIVERGENCE, "divergence", 1) \
    X(OCCUPANCY, "occupancy", 1) X(LOCAL_SIZE, "local-size", 1) X(ATOMICS, "atomics", 1) X(SPILL, "spill", 1) \
    X(LATENCY, "latency", 0) X(BANDWIDTH, "bandwidth", 0) X(THROUGHPUT, "throughput", 0) X(TAIL, "tail", 0) \
    X(BARRIER, "barrier", 0) X(CHANNEL_SKEW, "channel-skew", 0) X(DATA_DEPENDENT, "data-dependent", 0)
/* clang-format on */
enum gp_cause {
#define X(name, text, warns) GP_CAUSE_##name,
    GP_CAUSES(X)
#undef X
        GP_CAUSE_COUNT
};
const char *gp_cause_name(enum gp_cause cause);
bool gp_cause_warns(enum gp_cause cause);

/* Latency and bandwidth: what the device has; others are what a program does with it. */
bool gp_cause_is_a_limit(enum gp_cause cause);

/* A cause with the time the kernel would take with that cause repaired. */
enum { GP_MAX_ALSO = 11, GP_BESIDE_TEXT = 112 };
struct gp_bottleneck {
    enum gp_cause cause;
    uint32_t location;          /* in profile->locations; GP_NONE: the kernel as a whole */
    uint32_t inst;              /* GP_NONE: the kernel as a whole */
    uint32_t also[GP_MAX_ALSO]; /* further lines that the same change fixes, in profile->locations */
    uint32_t also_count;
    double speedup;        /* time / repaired time */
    double share;          /* 1 - 1/speedup */
    double speedup_beside; /* what it gains under a condition: causes hide each other, and a buffer whose size nobody
                              has stated hides them where it is taken to come from DRAM; 0: no more than alone */
    char beside[GP_BESIDE_TEXT]; /* "once all else is fixed, too" (all that the source could repair), "if 'x' fits L2",
                                    "if 'n' is 1024, not 1 as assumed" */
    bool only_then;  /* where `beside` does not hold there is no such cause at all; `measure` says so itself */
    bool repairable; /* the way the source is written is the cause, whatever causes of its kind mostly are: warns by
                      default */
    const char
        *repaired;     /* "in single precision": the repaired state, where the cause alone does not say it; else NULL */
    char measure[224]; /* "uncoalesced global load: 32 transactions per warp, stride 4096 bytes along dimension 0" */
    char advice[224];  /* "neighbouring work-items differ in 'row'; make 'col' follow get_global_id(0)" or "" */
};

/* A cause that costs less of the time is no warning, and no finding of `check` (the plugin's `threshold` is another).
 */
#define GP_TOLD_FROM 0.2

/* The share of the time it costs, alone or beside others, whichever is more: 0..1. */
double gp_bottleneck_worth(const struct gp_bottleneck *bottleneck);

/* When it gains `speedup_beside`, behind its measure: `beside`, or "then". */
const char *gp_bottleneck_when(const struct gp_bottleneck *bottleneck);

/* Adds a line to `also`, unless it is there or the bottleneck's own. */
void gp_bottleneck_add_line(const struct gp_profile *profile, struct gp_bottleneck *bottleneck, uint32_t location);

/* "blur.cl:14:20", or "" where the place is not known: of a location in the profile, of the kernel's where that is
 * GP_NONE. */
void gp_print_place(const struct gp_profile *profile, const struct gp_kernel *kernel, uint32_t location, char *text,
                    size_t size);

/* One of `count` further lines of a finding, of a file if it is another's (else NULL): " (and lines 7", ", vec.h:12)".
 * Returns what snprintf() does. */
int gp_print_further_line(char *text, size_t size, size_t index, size_t count, const char *file, uint32_t line);

/* All of them: "", " (and line 7)", " (and lines 7, 8, vec.h:12)". */
void gp_bottleneck_also(const struct gp_profile *profile, const struct gp_bottleneck *bottleneck, char *text,
                        size_t size);

/*
 * How far a launch is from what the device could do. Ideal: each byte that it must touch moves once (what it reads and
 * writes back, twice) at the bandwidth that DRAM achieves, or L2 what it already holds; meanwhile each operation that
 * it must do runs at its pipe's rate, without divergence and what repairable paths do in vain; the device's start of a
 * kernel comes before. Loads, stores, branches and barriers are no operations, nor are integers beside
 * floats, which are counters and addresses: the fewest are not known.
 */
struct gp_headroom {
    double ideal_ns;
    double headroom;                /* time_ns / ideal_ns, at least 1 */
    double launch_ns;               /* of ideal_ns */
    double moving_ns;               /* of the bytes alone */
    double gbps;                    /* at which they move */
    double computing_ns;            /* of the operations alone */
    enum gp_limiter by;             /* what takes longest: GP_LIMITER_DRAM, _L2, a pipe, _LAUNCH */
    bool at_roof;                   /* within a tenth: nothing to repair */
    double share[GP_LIMITER_COUNT]; /* of its peak that each unit reaches (speed of light), 0..1; DRAM of what it
                                       achieves of such traffic */
};

enum { GP_MAX_BOTTLENECKS = 24 };

/* A line of the source and its share of what limits the kernel (limiter_shares.h). */
enum { GP_MAX_LINES = 32 };
struct gp_line_share {
    uint32_t location; /* in profile->locations */
    double share;      /* 0..1 */
};

/* What a prediction rests on, as far as predictions that rest on others were off by other factors. */
struct gp_circumstances {
    enum gp_arch arch;
    enum gp_limiter limiter;
    double known_share;  /* of the time: rests on no guess */
    double transactions; /* per request of memory */
    bool compiled;       /* the registers are those of a device compiler's code, not an estimate */
    bool spills;
};

/* The measured rows in such circumstances that a confidence and a range come from (model/predict/calibration.h). */
struct gp_evidence {
    const char *cell; /* "nvidia/known/coalesced"; "all": of all rows */
    uint32_t rows, kernels;
    double confidence; /* that a predicted time is within 1.5 times of the truth */
    double low, high;  /* four of five measured times lie between these multiples of the predicted one */
};

/* What confidence and range of a prediction rest on. */
struct gp_prediction_basis {
    struct gp_circumstances circumstances;
    struct gp_evidence evidence; /* before what is assumed of the launch */
    bool assumes_arguments;      /* numbers that nobody has stated take part in what the kernel does */
    bool assumes_range;          /* nobody has stated the range */
    bool assumes_texels;         /* the format of an image decides its time, and nobody has stated it: as many bytes as
                                    its colours have are assumed (texels.h) */
};

struct gp_prediction {
    uint32_t dims;
    uint64_t global[3];
    uint32_t local[3];
    bool cold;     /* the launch found nothing in the caches; else what the same launch before it left */
    bool feasible; /* false: the device cannot run this launch, or it must not; `why` says it, the numbers are 0 */
    bool overruns; /* it must not: work-items access what lies beyond an array that the kernel declares
                      (array_overrun.h) */
    uint32_t overruns_range; /* where it does: the dimension along which the range is too large, not the group; else
                                GP_NONE */
    char why[160];
    double cycles; /* of the device's clock */
    double time_ns;
    double occupancy;      /* 0..1 */
    double resident_warps; /* per SM */
    double full_group;     /* work-items: of such groups four fill an SM */
    enum gp_limiter limiter;
    const char *model;  /* "throughput", "cpu" ... */
    double confidence;  /* 0..1: how probable it is that the time is within 1.5 times of the truth, as far as measured
                           rows tell (docs/accuracy.md) */
    double known_share; /* 0..1: share of the time that rests on no guess */
    double time_ns_low, time_ns_high; /* holds the truth in four of five cases */
    struct gp_prediction_basis basis;
    double waves;
    struct gp_terms terms; /* what the time is made of */
    bool cut_off;          /* a warp executed so long that it was not followed to its end; the known share is halved */
    uint32_t endless;  /* that is since a loop never ends: its number in kernel->loops, from 1 on; 0: no loop was seen
                          not to. Such sizes stand behind all others; their time is the least, and they have neither
                          an upper time nor a headroom. */
    bool does_nothing; /* no work-item that was looked at stores anything (of a kernel that does not: gets to any of its
                          memory operations) or computes for longer than a group takes to start; the known share is a
                          tenth, and there are no bottlenecks */
    uint64_t
        effort; /* instructions and memory accesses that the prediction looked at: what it cost, about 10 ns each */
    struct gp_headroom headroom;
    double resident_groups;                  /* per SM */
    struct gp_occupancy_step occupancy_next; /* what would be needed for more */
    uint32_t registers;
    uint32_t spill_bytes;  /* per work-item, stores and loads */
    uint32_t local_memory; /* bytes per group */
    uint32_t
        hot_loop; /* in kernel->loops: the innermost one with more than half of what limits the kernel; GP_NONE: none */
    double hot_share; /* of what limits it */
    uint32_t bottleneck_count;
    double repaired_all_ns; /* with the causes of all bottlenecks repaired at once, but those that nobody can
                               (gp_cause_is_a_limit()); 0 where there are fewer than two */
    uint32_t rank;          /* 1 is the best; ties within 3% share no rank but see gp_prediction_tied() */
    uint32_t line_count;    /* 0 where bottlenecks are not asked for, too */
    struct gp_line_share lines[GP_MAX_LINES]; /* largest share first */
    struct gp_bottleneck
        bottlenecks[GP_MAX_BOTTLENECKS]; /* by share, largest first; last and mostly empty: gp_predict() leaves what is
                                            behind the last one as it was */
};

enum gp_model { GP_MODEL_AUTO, GP_MODEL_THROUGHPUT, GP_MODEL_MWP_CWP, GP_MODEL_TRACE };
/* "auto", ...; false and a sentence that lists the models. */
bool gp_model_parse(const char *name, enum gp_model *model, struct gp_error *error);

struct gp_predict_options {
    enum gp_model model;
    double clock_mhz;     /* 0: the device's default */
    bool bottlenecks;     /* compute the repaired states (costs a few times the prediction) */
    bool quick;           /* fewer sampled groups and warps: compile time and launch time */
    bool lone_groups;     /* quick: as if neighbouring groups shared nothing: a tenth of the effort */
    bool every_iteration; /* not quick: of every loop, slow; what is otherwise told by few is measured against it. Not
                             for simulations */
    uint32_t without; /* causes (bits 1 << GP_CAUSE_...) that are taken not to exist: the time with them repaired is the
                         prediction */
    double filled_cycles; /* of the fastest local size of the launch that fills its warps, where such were predicted:
                             full warps promise no more. 0: none was */
    double affordable;    /* quick: effort; where the first group tells that it would be more, one warp stands for the
                             other groups. 0: no bound */
    uint32_t resident_warps; /* no more per SM than so many, but one group at least (gp_occupancy_hold()); 0: as many as
                                the device holds */
    bool foreign_target;     /* the profile was not compiled for this device: lowers the known share */
};

/* Holds a prepared kernel; used by one thread at a time. The profile must stay alive. */
struct gp_predictor;
struct gp_predictor *gp_predictor_new(const struct gp_profile *profile, const struct gp_kernel *kernel);
void gp_predictor_free(struct gp_predictor *predictor);

/* False and a sentence: the launch itself is wrong (zero sizes, local size beyond the device or against
 * reqd_work_group_size). */
bool gp_predict(struct gp_predictor *predictor, const struct gp_device *device, const struct gp_launch *launch,
                const struct gp_predict_options *options, struct gp_prediction *prediction, struct gp_error *error);

/*
 * Of local sizes that nobody asked for, how many are looked at where the first `done` of them have taken so much effort
 * together (gp_prediction.effort): a prediction of a kernel that goes through long loops takes as long as a hundred
 * others. Those of `kernels` that are asked for at once may take some ten seconds together. At least six, or three
 * where these take as long; at most GP_MAX_CANDIDATES.
 */
uint32_t gp_endurable_candidates(uint64_t effort, size_t done, size_t kernels);

/*
 * Candidate local sizes for a launch on a device: whole warps and the usual shapes, the required size if there is one;
 * only sizes that divide the global size when `uniform` (OpenCL 1.x needs it), never beyond the device's or kernel's
 * limits. Deterministic order. Returns how many (at most max).
 */
enum { GP_MAX_CANDIDATES = 64 };
uint32_t gp_candidates(const struct gp_device *device, const struct gp_kernel *kernel, const struct gp_launch *launch,
                       bool uniform, uint32_t (*candidates)[3], uint32_t max);

/*
 * At times that nobody can tell apart, within 1%: the smallest group that is a quarter of what an SM holds, or more,
 * else the largest. Groups come and go in lumps, of 512 and 1024 in large ones, which on an H200 take 10 to 25% longer
 * than smaller ones where DRAM or L2 is the limit (docs/hopper.md); that a quarter is the better choice all the same
 * the kernels measured there say (docs/accuracy.md, in the table of constants). `full`: gp_prediction.full_group.
 */
#define GP_EQUAL_TIMES 1.01
bool gp_prefers_group(double items, double other, double full);

/*
 * Ranks predictions and sorts them: feasible first, faster first; at equal times the larger occupancy, then the order
 * given. The first is the preferred one of those that take as long as the fastest (gp_prefers_group()), but on CPUs.
 */
void gp_predictions_rank(struct gp_prediction *predictions, size_t count);
/* The same of predictions wherever they lie, which stay there. */
void gp_predictions_rank_each(struct gp_prediction **predictions, size_t count);

/* Why the first in rank is first although another takes less time; NULL: it does not. */
const char *gp_why_preferred(const struct gp_prediction *first, const struct gp_prediction *other);

/* What a table says of what limits the time: the limiter's name, or "endless" where a loop never ends. */
const char *gp_limit_told(const struct gp_prediction *prediction);

/* Within 3%: nobody can tell them apart. */
bool gp_prediction_tied(const struct gp_prediction *a, const struct gp_prediction *b);

#ifdef __cplusplus
}
#endif
#endif
