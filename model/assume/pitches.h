/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Arguments that are the distance of rows, or of planes: in `in[y * pitch + x]` rows would overlap where the pitch is
 * less than what x reaches.
 */
#ifndef GPUPERF_MODEL_PITCHES_H
#define GPUPERF_MODEL_PITCHES_H

#include "model/launch/launch.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * least[GP_MAX_ARGUMENTS]: per parameter that something which differs is multiplied with in an address, the least
 * number of which such rows lie side by side: what the ids of other dimensions beside it reach in the launch. 0: there
 * are none, or the parameter cuts ids into rows itself (`i / width`).
 */
void gp_pitches(const struct gp_kernel *kernel, const struct gp_launch *launch, uint64_t least[GP_MAX_ARGUMENTS]);

#ifdef __cplusplus
}
#endif
#endif
