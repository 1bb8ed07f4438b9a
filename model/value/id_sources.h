/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Which ids a value is made of. */
#ifndef GPUPERF_MODEL_MADE_OF_H
#define GPUPERF_MODEL_MADE_OF_H

#include "model/profile/profile.h"

/* Dimensions, a bit each: of local and global ids; of groups' numbers. */
struct gp_made_of {
    uint8_t items, groups;
};

/* By operations alone: nothing that was loaded, that a call returns or that a phi joins is looked through. The nearest
 * 64 values are looked at. */
struct gp_made_of gp_made_of(const struct gp_kernel *kernel, gp_ref ref);

/* The same through loops' counters, which are what they start with: in `for (i = get_local_id(0); ...) in[i % n]` the
 * index is made of a local id. */
struct gp_made_of gp_made_of_start(const struct gp_kernel *kernel, gp_ref ref);

bool gp_starts_with_ids(const struct gp_kernel *kernel, gp_ref ref);

/* What is cast, and cast again. */
gp_ref gp_behind_casts(const struct gp_kernel *kernel, gp_ref ref);

/* The integer parameter that an instruction divides by, for a quotient or a remainder; GP_NONE: it does not divide, or
 * by something else. */
uint32_t gp_divisor_of(const struct gp_kernel *kernel, const struct gp_inst *inst);

#endif
