/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Atomics that compilers combine: of a warp's lanes at one address one makes the operation of all.
 *
 * AMD: LLVM's AMDGPUAtomicOptimizer, part of its amdgcn back end's default pipeline: integer add, sub, and, or, xor,
 * min, max in global and local memory where the address is proved uniform. Where the values are, they are multiplied or
 * taken once; else a loop over the lanes adds them up (its default strategy, Iterative). NVIDIA: ptxas (CUDA 13, sm_75
 * to sm_90; looked at in its machine code) does the same: a lane is elected, values are counted, or reduced by REDUX or
 * shuffles; of 64-bit integers only where the value is uniform. "The NVCC compiler now performs warp aggregation for
 * atomics automatically in many cases" since CUDA 9 (NVIDIA, "CUDA Pro Tip: Optimized Filtering with Warp-Aggregated
 * Atomics"). Neither touches exchanges; ptxas does not touch floating point.
 */
#ifndef GPUPERF_MODEL_COMBINED_ATOMICS_H
#define GPUPERF_MODEL_COMBINED_ATOMICS_H

#include "model/observe/work.h"

bool gp_atomic_is_combined(const struct gp_device *device, const struct gp_kernel *kernel,
                           const struct gp_memory *memory);

/* Of such operations one per warp is left, and what combining costs is added. */
void gp_combine_atomics(const struct gp_device *device, const struct gp_kernel *kernel, struct gp_work *work);

#endif
