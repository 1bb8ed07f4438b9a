/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Sizes of groups that the kernel's own constants tell: in `out[get_group_id(0) * 16 + get_local_id(0)]` groups step by
 * 16 elements, so that with more work-items two groups store the same, and with fewer some elements are left out.
 */
#ifndef GPUPERF_MODEL_GROUP_SIZES_H
#define GPUPERF_MODEL_GROUP_SIZES_H

#include "model/launch/launch.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * sizes[3]: per dimension the work-items of a group with which its stores, or where none tells its loads, cover each
 * place between two groups once, together with the loops and the further elements of each work-item: `for (j = 0; j <
 * 32; j += 8) out[(group * 32 + local + j) * n]` has groups of 8. 0: nothing tells, or not all say the same. What a
 * condition on local ids leaves out, as a halo, tells nothing. All 0 where the kernel states the size that it requires.
 */
void gp_group_sizes(const struct gp_kernel *kernel, uint32_t sizes[3]);

#ifdef __cplusplus
}
#endif
#endif
