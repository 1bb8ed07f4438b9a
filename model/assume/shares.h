/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Arguments that a launch shares out: in `n / get_num_groups(0)` each group has a share of n, in `n / 4 /
 * get_num_groups(0)` of its quarter. */
#ifndef GPUPERF_MODEL_SHARES_H
#define GPUPERF_MODEL_SHARES_H

#include "model/launch/launch.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * shared[GP_MAX_ARGUMENTS]: per parameter that is divided by a number of groups or of work-items, the work-items of the
 * launch along that dimension, and so many times that as the shared part goes into it. 0: it is not.
 */
void gp_shared_out(const struct gp_kernel *kernel, const struct gp_launch *launch, uint64_t shared[GP_MAX_ARGUMENTS]);

/*
 * The parameter in a sum, as in `(n + size - 1) / size`, or in a part of one, as in `n / 4 / groups`, where each is so
 * many times what is shared; GP_NONE: none. times: multiplied by that. left: values that may be looked at.
 */
uint32_t gp_parameter_shared(const struct gp_kernel *kernel, gp_ref ref, unsigned *left, uint64_t *times);

#ifdef __cplusplus
}
#endif
#endif
