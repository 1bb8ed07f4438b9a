/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Indices of private arrays that are constants once loops are unrolled whole. Code that was compiled for no device
 * (spir64) is unrolled less than a device's compiler will (amd_rules.h, nvidia_rules.h).
 */
#ifndef GPUPERF_MODEL_UNROLLED_INDEX_H
#define GPUPERF_MODEL_UNROLLED_INDEX_H

#include "model/profile/profile.h"

/* Whether a compiler unrolls loops whole that are so many instructions then, without phis, jumps and what counts. */
typedef bool gp_unrolls(double instructions);

/*
 * Whether the access is at a place that only counters of loops decide, whose numbers of turns are constants, or
 * counters' of such loops around (a bubble sort), and these loops are unrolled, each as often as it turns at most;
 * NULL: however large they become. True, too, for a constant place.
 */
bool gp_index_is_known_unrolled(const struct gp_kernel *kernel, const struct gp_memory *memory, gp_unrolls *unrolls);

/* Whether the access is at such a place, and the place is no constant as the code is. */
bool gp_index_needs_unrolling(const struct gp_kernel *kernel, const struct gp_memory *memory);

#endif
