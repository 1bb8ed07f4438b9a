/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Bytes of an image's texels. The code of a kernel tells what its colours have, a float for each channel, not what the
 * image's format has: that is the launch's, where it says (gp_argument.bytes).
 */
#ifndef GPUPERF_MODEL_TEXELS_H
#define GPUPERF_MODEL_TEXELS_H

#include "model/launch/launch.h"

enum { GP_MOST_TEXEL_BYTES = 16 };

/* Whether the operation's texels are those of an image argument whose format nobody has stated and that may have fewer
 * bytes than its colours. */
bool gp_texel_is_assumed(const struct gp_kernel *kernel, const struct gp_launch *launch, uint32_t memory);

/* Writes to `to`, memory operations of the kernel, those of `kernel` with the texels that are stated. True: they are
 * other ones than `to` had. */
bool gp_take_texels(const struct gp_kernel *kernel, const struct gp_launch *launch, struct gp_memory *to);

#endif
