/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Indices that grow with the ids of work-items, computed without executing: what `4 * get_global_id(0) + 1` is for one
 * work-item of a launch. Arguments are what was stated of them, or assumed.
 */
#ifndef GPUPERF_MODEL_LAUNCH_INDEX_H
#define GPUPERF_MODEL_LAUNCH_INDEX_H

#include "model/launch/launch.h"
#include "model/profile/profile.h"

#define GP_INDEX_BEYOND (INT64_C(1) << 40) /* numbers of this size and more are not told apart */

/* A work-item, or one that there would be if the launch were longer. */
struct gp_item {
    uint64_t group[3];
    uint32_t local[3];
};

/* The one with the largest ids. */
struct gp_item gp_last_item(const struct gp_launch *launch);

/* An index that grows with the ids, at that work-item. */
struct gp_index {
    bool known, of_group, of_item;
    int64_t value;
}; /* made from the group's place; from the item's in the group */

/* Arguments that nobody has stated: are not known; have the numbers that are assumed of them; and buffers are at 0,
 * too. */
enum gp_index_of { GP_INDEX_STATED, GP_INDEX_ASSUMED, GP_INDEX_ADDRESS };

/* A value of so many bits for a work-item. Loops' counters are what they start with. Not known: what was loaded, and
 * what need not grow with the ids, such as a remainder. */
struct gp_index gp_index_at(const struct gp_kernel *kernel, const struct gp_launch *launch, gp_ref ref, unsigned bits,
                            struct gp_item item, enum gp_index_of what);

#endif
