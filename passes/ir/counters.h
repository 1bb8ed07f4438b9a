/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Counters of loops, told by a few operations: what need not be asked of scalar evolution, which writes out all that a
 * value is computed from. */
#ifndef GPUPERF_PASSES_COUNTERS_H
#define GPUPERF_PASSES_COUNTERS_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"

namespace gpuperf
{

/*
 * What is computed from what a loop carries on, and from nothing in it that scalar evolution knows by its name only:
 * what is loaded, or computed in floats or vectors. Nothing else takes steps in it. Most of a hash is computed from
 * what was loaded.
 */
class CounterReach
{
public:
    bool reach(const llvm::Instruction &inst, const llvm::Loop &loop);

private:
    using Values = llvm::DenseSet<const llvm::Instruction *>;
    llvm::DenseMap<const llvm::Loop *, Values> reached;
};

} // namespace gpuperf
#endif
