/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What is rewritten in a kernel's copy before a profile is made of it, and the analyses that see it. */
#ifndef GPUPERF_PASSES_REWRITES_H
#define GPUPERF_PASSES_REWRITES_H

#include "llvm/IR/PassManager.h"

#include "passes/analysis/work_items.h"
#include "passes/tidy/follow_calls.h"

namespace gpuperf
{

/* Where lanes of a warp differ; read by the uniformity analysis. */
struct LaneContext {
    const WorkItemIds *ids;
    Target target;
    bool joinsWords; /* BuildOptions::joinsWords */
};

/* The stock analyses, on a target of our own. */
struct Analyses {
    LaneContext lanes;
    llvm::FunctionAnalysisManager manager;

    Analyses(Target target, bool joinsWords);
};

/*
 * Brings the copy to what code is made from. inHaste: where time counts, what takes as long as the rest of the compile
 * stays as it is. widensLocalLoads: loads from local arrays are joined as the device's compiler does.
 */
void tidy(const llvm::Function &kernel, KernelCopy &copy, Analyses &analyses, bool inHaste, bool widensLocalLoads);

} // namespace gpuperf

#endif
