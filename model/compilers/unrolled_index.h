/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Indices of private arrays that are constants once loops are unrolled whole. Code that was compiled for no device
 * (spir64) is unrolled less than a device's compiler will: LLVM's limit for a target that it does not know is 150 of
 * its units at -O2, for AMD's GPUs 2700 where that takes an array out of memory (AMDGPUTargetTransformInfo.cpp,
 * "amdgpu-unroll-threshold-private"), NVIDIA's 2426, of instructions without phis, jumps and what counts
 * (passes/nvidia/private_unrolling.cpp).
 */
#ifndef GPUPERF_MODEL_UNROLLED_INDEX_H
#define GPUPERF_MODEL_UNROLLED_INDEX_H

#include "model/profile/profile.h"

/*
 * Whether the access is at a place that only counters of loops decide, whose numbers of turns are constants, or
 * counters' of such loops around (a bubble sort), and these loops unrolled, each as often as it turns at most, are 2426
 * instructions at most. True, too, for a constant place.
 */
bool gp_index_is_known_unrolled(const struct gp_kernel *kernel, const struct gp_memory *memory);

/* The same however large these loops become. */
bool gp_index_follows_from_counters(const struct gp_kernel *kernel, const struct gp_memory *memory);

/* Whether the access is at such a place, and the place is no constant as the code is. */
bool gp_index_needs_unrolling(const struct gp_kernel *kernel, const struct gp_memory *memory);

#endif
