/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Arguments at which loops end that step by all that the launch has: in `for (i = get_global_id(0); i < n; i +=
 * get_global_size(0))` a work-item's share of n is as many iterations. Where n were the range, as it is assumed of
 * guards, there would be one, and what follows the loop would seem to be most of the work.
 */
#ifndef GPUPERF_MODEL_STRIDED_ENDS_H
#define GPUPERF_MODEL_STRIDED_ENDS_H

#include "model/launch/launch.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * end[GP_MAX_ARGUMENTS]: per parameter that the counter of such a loop is compared with, or that is a factor of what it
 * is, what it is where the loop turns `share` times in the launch. What the counter steps by is a multiple of the
 * number of groups, or of work-items, along a dimension. 0: it is no such end.
 */
void gp_strided_ends(const struct gp_kernel *kernel, const struct gp_launch *launch, uint64_t share,
                     uint64_t end[GP_MAX_ARGUMENTS]);

/* What is cast, or cut to 32 bits: a narrow number that an optimiser keeps in 64 is cut to its own width wherever it is
 * used. */
gp_ref gp_behind_width(const struct gp_kernel *kernel, gp_ref ref);

/* Whether a value is a loop's counter, a phi, or what it is some steps on, in its own width or a larger one. */
bool gp_leads_to_counter(const struct gp_kernel *kernel, gp_ref ref, uint32_t phi);

#ifdef __cplusplus
}
#endif
#endif
