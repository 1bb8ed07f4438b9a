/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * DESCRIPTION
 *    Branches on what the lanes of a warp say together, as CUDA's __ballot_sync(mask, x) != 0, __any_sync() and
 * __all_sync(), and OpenCL's sub_group_any(): of 32 lanes of which each says yes or no, some near certainly say yes,
 * and near certainly not all.
 */
#ifndef GPUPERF_PASSES_VOTES_H
#define GPUPERF_PASSES_VOTES_H

#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/IR/Value.h"

namespace gpuperf
{

/* Probability that a condition holds, in 1/65535, where it is such a vote on what may differ between lanes. */
bool voteProbability(const llvm::Value *condition, const llvm::UniformityInfo *uniformity, uint16_t &probability);

} // namespace gpuperf
#endif
