/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Inside the search for causes: a file each. A cause is repaired in a copy of the launch's work, the copy timed, and
 * what that gains written down. gp_try_...() repairs a cause, and adds it to the findings where that gains;
 * gp_repair_...() repairs it once more, beside others.
 */
#ifndef GPUPERF_MODEL_CAUSES_H
#define GPUPERF_MODEL_CAUSES_H

#include "model/compilers/inst_cost.h"
#include "model/findings/bottlenecks.h"
#include "model/findings/repair.h"
#include "model/observe/work.h"
#include "model/predict.h"
#include "model/profile/profile.h"

/* ---- finder.c ---------------------------------------------------------------------------------------------------- */

enum { GP_NAME_TEXT = 56, GP_MAX_HIDDEN = 16, GP_MEMORY_CAUSES = 3 };

/* What is worth telling of a gain that others hide. */
#define GP_WORTH_TELLING 1.1

/* A cause that gains nothing alone. */
struct gp_hidden {
    enum gp_cause cause;
    uint32_t inst;
    double cycles;         /* with it repaired, alone */
    double speedup_beside; /* gp_bottleneck's; 0: not worth telling */
    const char *beside;    /* the condition of that */
};

struct gp_finder {
    const struct gp_bottleneck_inputs *in;
    struct gp_repair repair;
    uint32_t
        *groups; /* per cause of GP_MEMORY_CAUSES and memory operation: gp_group_accesses(), when first asked for */
    uint32_t grouped;  /* the causes that were, as bits */
    uint32_t *group;   /* of the cause at hand, in `groups` */
    uint32_t *scratch; /* for gp_group_accesses() */
    double *at_place;  /* [profile->location_count + 1], 0 between uses */
    struct gp_prediction *prediction;
    struct gp_hidden hidden[GP_MAX_HIDDEN]; /* hidden_causes.c */
    uint32_t hidden_count;
    char in_cache[GP_BESIDE_TEXT]; /* unknown_sizes.c: "if 'x' fits L2" */
    bool telling_hidden;           /* the search is run once more, for the descriptions of these */
};

/* Cycles of the launch as it is repaired now. */
double gp_finder_cycles(struct gp_finder *f);

/* The gain of a finding with which the launch takes so many cycles. */
void gp_finder_gain(const struct gp_finder *f, struct gp_bottleneck *b, double cycles);

/* A finding with whose repair the launch takes so many cycles. NULL: the list is full of larger ones. */
struct gp_bottleneck *gp_finder_add(struct gp_finder *f, enum gp_cause cause, uint32_t inst, double cycles);

/*
 * Times the repaired state and adds it to the findings, at an instruction or GP_NONE. NULL where the cause costs less
 * than one percent (or the list is full of larger ones); such a one is kept among the hidden, if the source could
 * repair it.
 */
struct gp_bottleneck *gp_finder_record(struct gp_finder *f, enum gp_cause cause, uint32_t inst);

/* ---- Words: as the source's language and the device's vendor have them; not to be freed -------------------------- */

const char *gp_base_name(const struct gp_kernel *kernel, gp_ref base); /* "" where it has none */
const char *gp_access_word(const struct gp_memory *memory);
bool gp_speaks_cuda(const struct gp_finder *f);
const char *gp_warp_word(const struct gp_finder *f);

/* "in 'name'", or nothing where the name is not known. */
void gp_print_name(char text[GP_NAME_TEXT], const char *preposition, const char *name);

/* ---- The causes -------------------------------------------------------------------------------------------------- */

/* memory_causes.c: uncoalesced accesses, bank conflicts, contended atomics. */
void gp_try_memory_causes(struct gp_finder *f);
void gp_repair_memory_again(struct gp_finder *f, const struct gp_bottleneck *b); /* what one finding was about */
bool gp_walks_apart(const struct gp_finder *f, uint32_t m); /* each work-item goes through a row of its own */
void gp_repair_memory_everywhere(struct gp_finder *f, enum gp_cause cause);

/* divergence_cause.c */
void gp_try_divergence(struct gp_finder *f);
void gp_repair_divergence_again(struct gp_finder *f, const struct gp_bottleneck *b);
void gp_repair_divergence_everywhere(struct gp_finder *f);

/* size_causes.c: what other work-group and launch sizes would repair. */
void gp_try_occupancy(struct gp_finder *f);
void gp_try_local_size(struct gp_finder *f);
void gp_try_start(struct gp_finder *f);
void gp_try_tail(struct gp_finder *f);
double gp_most_resident(
    const struct gp_finder *f);              /* groups, when nothing but the device's maximum of warps limits them */
bool gp_enlarge_groups(struct gp_finder *f); /* where their number limits how many are resident, more of their work is;
                                                false: it does not */
bool gp_leaves_sms_idle(const struct gp_finder *f);
bool gp_waits_for_longest(const struct gp_finder *f); /* one group runs on when the others are done */

/* private_arrays.c: arrays that stay in memory since their indices are not known. */
void gp_try_private(struct gp_finder *f, uint32_t index);
void gp_repair_private(struct gp_finder *f, gp_ref array);
void gp_repair_private_arrays(struct gp_finder *f);

/* repeated_stores.c: places that are stored to time and again. */
void gp_try_kept_values(struct gp_finder *f);
void gp_repair_kept_value(struct gp_finder *f, uint32_t store); /* a memory operation */
void gp_repair_kept_values(struct gp_finder *f);

/* product_cause.c: loops whose operands other work-items load as well, along another dimension each. */
void gp_try_product(struct gp_finder *f);
void gp_repair_product(struct gp_finder *f);

/* table_copies.c: tables in local memory, an array of the kernel each, that data indexes. */
void gp_try_table(struct gp_finder *f, uint32_t index);
void gp_repair_table(struct gp_finder *f, const struct gp_bottleneck *b);
bool gp_is_table(const struct gp_finder *f, uint32_t m); /* whether an operation looks something up in one */

/* spelling_causes.c: repairs of any cause, beside what is repaired already. */
void gp_repair_paths(struct gp_finder *f, uint32_t paths);                /* bits 1 << GP_NARROW_... */
void gp_repair_again(struct gp_finder *f, const struct gp_bottleneck *b); /* what one finding is about */
void gp_repair_everywhere(struct gp_finder *f, enum gp_cause cause);

/* hidden_causes.c: causes of which one alone gains little, since what another takes as long stays. */
bool gp_source_repairs(const struct gp_finder *f, enum gp_cause cause,
                       uint32_t inst); /* the kernel's text does, other than its launch */
void gp_keep_hidden(struct gp_finder *f, enum gp_cause cause, uint32_t inst, double cycles);
struct gp_bottleneck *gp_record_hidden(struct gp_finder *f, enum gp_cause cause,
                                       uint32_t inst); /* NULL: is none of those worth telling */
bool gp_find_hidden(struct gp_finder *f);              /* whether any is; also what findings gain beside each other */
void gp_drop_told(struct gp_finder *f);                /* of the hidden, those that have been told */
void gp_tell_beside(struct gp_bottleneck *b, double speedup, const char *beside); /* unless it tells of a larger gain */

/* unknown_sizes.c: causes that gain little where a buffer of unknown size is taken to come from DRAM. Whether any of
 * the hidden gains if it fits the last cache; also what findings gain then. */
bool gp_find_in_cache(struct gp_finder *f);

/* condition_causes.c: what a condition of the launch repairs alone: latency, bandwidth, the last groups, channels,
 * barriers, spills. */
void gp_try_conditions(struct gp_finder *f);

/* narrow_path.c: the cause `throughput` in words: of a narrow path, where it costs most and what to try. */
/* Fills measure, advice, the place of the instruction that keeps the path busy longest, and the further lines that do
 * so. */
void gp_describe_narrow_path(const struct gp_bottleneck_inputs *inputs, enum gp_narrow_path path,
                             struct gp_bottleneck *bottleneck);

/* ---- stride_kind.c ----------------------------------------------------------------------------------------------- */

/* What the distance between neighbouring work-items' addresses comes from: which change of the source would repair it.
 */

/*
 * NONE: no distance is known. ELEMENTS: they ask for neighbouring elements. VECTOR: each goes to all of so few bytes
 * that one access could, in several; PACKED: the same, but no vector has as many, or they are not aligned as one.
 * RECORDS: of structs. CHUNKS: each goes through a stretch of its own, by a loop of so many iterations or by what the
 * compiler made of one. OTHER: none of these, such as rows of a matrix, or every second element.
 */
enum gp_stride_kind {
    GP_STRIDE_NONE,
    GP_STRIDE_ELEMENTS,
    GP_STRIDE_VECTOR,
    GP_STRIDE_PACKED,
    GP_STRIDE_RECORDS,
    GP_STRIDE_CHUNKS,
    GP_STRIDE_OTHER
};

/* Of memory operation `m`; `work` is as kernel->memory. */
enum gp_stride_kind gp_stride_kind(const struct gp_kernel *kernel, const struct gp_memory_work *work, uint32_t m);

/* Bytes; what is further apart are rows. */
enum { GP_LARGEST_GAP = 256 };

/* What becomes of the bytes from one work-item's to the next one's, where these are no more than GP_LARGEST_GAP apart:
 * how many are accessed, by how many operations like `m`, and the offset of the first. Else 0. */
struct gp_stride_use {
    uint32_t bytes, accesses;
    uint64_t first;
};
struct gp_stride_use gp_stride_use(const struct gp_kernel *kernel, const struct gp_memory_work *work, uint32_t m);

/* Whether each work-item goes from one element to the next as the innermost loop around turns, or from some to the next
 * few where that is unrolled: through a row of its own where work-items are further apart. */
bool gp_walks_rows(const struct gp_kernel *kernel, uint32_t m);

/* ---- data_branch.c ----------------------------------------------------------------------------------------------- */

/*
 * Accesses under a condition that data decides, `if (a[i] < b[j]) out[atomic_inc(count)] = j`. How often that is true
 * nobody knows: all work-items are taken to go both ways, so that what is said of such an access holds if they do.
 */

/*
 * The branch, in kernel->branches, that decides by data whether a block is come by, where nothing says how often
 * (__builtin_expect()); the nearest of several. The ends of loops are none. GP_NONE: there is none, or memory is out.
 */
uint32_t gp_data_branch_before(const struct gp_kernel *kernel, uint32_t block);

#endif
