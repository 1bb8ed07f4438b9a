/* Counters of loops, told by a few operations: what need not be asked of scalar evolution, which writes out all that a value is computed from. */
#ifndef GPUPERF_PASSES_COUNTERS_H
#define GPUPERF_PASSES_COUNTERS_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"

namespace gpuperf {

/* Whether a phi of the loop's header may be a count: something that does not change in the loop is added to it in each iteration. */
bool mayCount(const llvm::PHINode &phi, const llvm::Loop &loop);

/*
 * What is computed from what may count in a loop. Nothing else takes steps in it, as scalar evolution has it: it knows what is loaded, or computed in floats or vectors,
 * by its name only. Most of a hash is computed from what was loaded.
 */
class CounterReach {
public:
    bool reach(const llvm::Instruction &inst, const llvm::Loop &loop);

private:
    using Values = llvm::DenseSet<const llvm::Instruction *>;
    llvm::DenseMap<const llvm::Loop *, Values> reached;
};

} // namespace gpuperf
#endif
