/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Inside the search for causes: a file each. gp_try_...() repairs a cause, and adds it to the findings where that
 * gains; gp_mend_...() repairs it once more, beside others.
 */
#ifndef GPUPERF_MODEL_CAUSES_H
#define GPUPERF_MODEL_CAUSES_H

#include "model/findings/finder.h"

/* memory_causes.c: uncoalesced accesses, bank conflicts, contended atomics. */
void gp_try_memory_causes(struct gp_finder *f);
void gp_mend_memory_again(struct gp_finder *f, const struct gp_bottleneck *b); /* what one finding was about */
bool gp_walks_apart(const struct gp_finder *f, uint32_t m); /* each work-item goes through a row of its own */
void gp_mend_memory_everywhere(struct gp_finder *f, enum gp_cause cause);

/* divergence_cause.c */
void gp_try_divergence(struct gp_finder *f);
void gp_mend_divergence_again(struct gp_finder *f, const struct gp_bottleneck *b);
void gp_mend_divergence_everywhere(struct gp_finder *f);

/* size_causes.c: what other work-group and launch sizes would mend. */
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
void gp_mend_private(struct gp_finder *f, gp_ref array);
void gp_mend_private_arrays(struct gp_finder *f);

/* repeated_stores.c: places that are stored to time and again. */
void gp_try_kept_values(struct gp_finder *f);
void gp_mend_kept_value(struct gp_finder *f, uint32_t store); /* a memory operation */
void gp_mend_kept_values(struct gp_finder *f);

/* product_cause.c: loops whose operands other work-items load as well, along another dimension each. */
void gp_try_product(struct gp_finder *f);
void gp_mend_product(struct gp_finder *f);

/* table_copies.c: tables in local memory, an array of the kernel each, that data indexes. */
void gp_try_table(struct gp_finder *f, uint32_t index);
void gp_mend_table(struct gp_finder *f, const struct gp_bottleneck *b);
bool gp_is_table(const struct gp_finder *f, uint32_t m); /* whether an operation looks something up in one */

/* spelling_causes.c: repairs of any cause, beside what is repaired already. */
void gp_mend_paths(struct gp_finder *f, uint32_t paths);                /* bits 1 << GP_NARROW_... */
void gp_mend_again(struct gp_finder *f, const struct gp_bottleneck *b); /* what one finding is about */
void gp_mend_everywhere(struct gp_finder *f, enum gp_cause cause);

/* hidden_causes.c: causes of which one alone gains little, since what another takes as long stays. */
bool gp_source_mends(const struct gp_finder *f, enum gp_cause cause,
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

#endif
