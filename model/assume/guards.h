/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Guards: an argument that an index made of ids is compared to (`if (get_global_id(0) / 32 >= rows) return;`) is as
 * large as lets all work-items of a launch pass, where nobody says otherwise.
 */
#ifndef GPUPERF_MODEL_GUARDS_H
#define GPUPERF_MODEL_GUARDS_H

#include "model/executor/executor.h"
#include "model/launch/launch.h"

/*
 * Per parameter the least round number that no such index of the launch reaches: for `4 * i < n` four times the global
 * size; for `n - i < 1` as much, and what is compared with `n - i` as much as that is at the first work-item. 0: no
 * index that grows with the group's number is compared to it, or nothing below 2^40 will do. Where it is a global id,
 * bounds_dim says so as well. What the indices depend on besides must be constants or arguments that are stated or
 * bound a global id.
 */
void gp_guard_limits(const struct gp_kernel *kernel, const struct gp_launch *launch, uint64_t limits[GP_MAX_ARGUMENTS]);

/*
 * Per dimension the groups from which on a branch goes another way, where its condition compares an index that grows
 * with the group's number along that dimension alone to what is the same for all work-items
 * (`if (get_group_id(0) == 500)`, `if (x >= 100000)`), or of rows of groups (`if (y * width + x >= n)`); at most
 * GP_MOST_CUTS. Arguments have the numbers that are assumed of them, as the warps that are followed see them.
 */
void gp_guard_cuts(const struct gp_kernel *kernel, const struct gp_launch *launch, struct gp_cuts cuts[3]);

#endif
