/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Arrays of known size bound the loops that index them: in `float mine[512]; for (k = 0; k < n; k++) mine[k] = ...` n
 * is at most 512, whatever else is assumed of it.
 */
#ifndef GPUPERF_MODEL_ARRAY_BOUNDS_H
#define GPUPERF_MODEL_ARRAY_BOUNDS_H

#include "model/launch/launch.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * most[GP_MAX_ARGUMENTS]: per parameter that alone tells how often a loop goes round whose counter indexes a private,
 * local or constant array in every iteration, the most with which it stays within the array, or within the row of it
 * that the counter goes along; 0: nothing bounds it. The launch has numbers for all arguments, which are as they were
 * afterwards.
 */
void gp_array_bounds(const struct gp_kernel *kernel, struct gp_launch *launch, uint64_t most[GP_MAX_ARGUMENTS]);

/* most[3]: per dimension the most work-items of a group with which local ids stay within the rows of the kernel's own
 * local arrays that all of them access, `tile[get_local_id(1)][get_local_id(0)]`. */
void gp_array_groups(const struct gp_kernel *kernel, uint64_t most[3]);

#ifdef __cplusplus
}
#endif
#endif
