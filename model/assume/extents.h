/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * How far the addresses of a launch reach. Sizes that are assumed of several arguments make one index together: in
 * `((image + c * images) * height + y) * width + x` three of 1024 each make one that no int holds, so that it would
 * wrap, and a buffer that no device has; in `if (i < n) ... a[i * n + k]` n bounds the range and is the length of a
 * row.
 */
#ifndef GPUPERF_MODEL_EXTENTS_H
#define GPUPERF_MODEL_EXTENTS_H

#include "model/launch/launch.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What makes an index too large: the arguments that are factors of its largest part, or bound the counter in it, and
 * the dimensions, a bit each, of the ids in that. */
struct gp_excess {
    bool factor[GP_MAX_ARGUMENTS];
    uint8_t dimensions;
};

/*
 * Whether an access to global memory reaches beyond what an int can index, or a buffer of 8 GiB, with arguments or
 * along dimensions that may be changed: the first such access.
 */
bool gp_extent_exceeds(const struct gp_kernel *kernel, const struct gp_launch *launch,
                       const bool free[GP_MAX_ARGUMENTS], uint8_t free_dimensions, struct gp_excess *excess);

#ifdef __cplusplus
}
#endif
#endif
