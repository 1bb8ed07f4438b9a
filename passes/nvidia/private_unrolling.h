/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Loops over private arrays, as NVIDIA's compilers unroll them. */
#ifndef GPUPERF_PASSES_PRIVATE_UNROLLING_H
#define GPUPERF_PASSES_PRIVATE_UNROLLING_H

#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"

namespace gpuperf
{

/*
 * A loop of a known number of iterations whose counter indexes a private array is unrolled whole up to four times the
 * size of others, so that the array may live in registers: asks LLVM's own unrolling, right behind, for that. For
 * compiles for the profile's sake, at the end of the loops' simplification.
 */
class UnrollPrivatePass : public llvm::PassInfoMixin<UnrollPrivatePass>
{
public:
    llvm::PreservedAnalyses run(llvm::Loop &loop, llvm::LoopAnalysisManager &,
                                llvm::LoopStandardAnalysisResults &analyses, llvm::LPMUpdater &);
    static bool isRequired() { return true; }
};

} // namespace gpuperf
#endif
