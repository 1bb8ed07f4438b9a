/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Which blocks some work-item may come to, where branches have ways that are never taken. */
#ifndef GPUPERF_MODEL_TAKEN_WAYS_H
#define GPUPERF_MODEL_TAKEN_WAYS_H

#include "model/profile/profile.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A flag per block, to be freed. */
bool *gp_blocks_taken(const struct gp_kernel *kernel);

#ifdef __cplusplus
}
#endif
#endif
