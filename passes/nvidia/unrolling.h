/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What unrolling a loop asks of a function. */
#ifndef GPUPERF_PASSES_UNROLLING_H
#define GPUPERF_PASSES_UNROLLING_H

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"

namespace gpuperf
{

/* The manager's; valid until it drops them. */
struct UnrollingAnalyses {
    llvm::LoopInfo &loops;
    llvm::DominatorTree &dominators;
    llvm::ScalarEvolution &evolution;
    llvm::AssumptionCache &assumptions;
    const llvm::TargetTransformInfo &target;

    UnrollingAnalyses(llvm::Function &function, llvm::FunctionAnalysisManager &manager)
        : loops(manager.getResult<llvm::LoopAnalysis>(function)),
          dominators(manager.getResult<llvm::DominatorTreeAnalysis>(function)),
          evolution(manager.getResult<llvm::ScalarEvolutionAnalysis>(function)),
          assumptions(manager.getResult<llvm::AssumptionAnalysis>(function)),
          target(manager.getResult<llvm::TargetIRAnalysis>(function))
    {
    }
};

/* Whether the loop's metadata have an attribute, such as "llvm.loop.unroll.disable". */
inline bool hasAttribute(const llvm::Loop &loop, const char *name)
{
    llvm::MDNode *attributes = loop.getLoopID();
    return attributes && llvm::GetUnrollMetadata(attributes, name);
}

/* Brings a loop to the form that LLVM unrolls. False: nothing was changed. */
inline bool simplifyForUnrolling(llvm::Loop &loop, const UnrollingAnalyses &a)
{
    bool changed = llvm::simplifyLoop(&loop, &a.dominators, &a.loops, &a.evolution, &a.assumptions, nullptr, false);
    return llvm::formLCSSARecursively(loop, a.dominators, &a.loops, &a.evolution) || changed;
}

} // namespace gpuperf
#endif
