/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What decides a value: arguments, the work-item, a loop's induction, loaded data. Gives the kinds of branches. */
#ifndef GPUPERF_PASSES_BRANCHES_H
#define GPUPERF_PASSES_BRANCHES_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

#include "passes/analysis/work_items.h"

namespace gpuperf
{

enum Origin : uint8_t {
    OriginThread = 1,
    OriginInduction = 2,
    OriginData = 4
}; /* none of them: arguments and constants */

class Origins
{
public:
    /* `order`: the blocks in reverse post-order. */
    Origins(const llvm::LoopInfo &loops, const llvm::DominatorTree &dominators, const WorkItemIds &ids,
            llvm::ArrayRef<llvm::BasicBlock *> order, Target target);
    uint8_t of(const llvm::Value *value) const { return origins.lookup(value); }

private:
    uint8_t compute(const llvm::Instruction &inst) const;
    uint8_t originOfTable(const llvm::LoadInst &load) const;
    void look(llvm::ArrayRef<llvm::BasicBlock *> order);
    bool isSettled(llvm::ArrayRef<llvm::BasicBlock *> order) const;

    const llvm::LoopInfo &loops;
    const llvm::DominatorTree &dominators;
    const WorkItemIds &ids;
    Target target;
    llvm::DenseMap<const llvm::Value *, uint8_t> origins;
};

/* The condition of a terminator; null where it has none. */
const llvm::Value *conditionOf(const llvm::Instruction &terminator);

gp_branch_kind branchKind(uint8_t origin);

/* Probability of the first target, in 1/65535: from branch weights, or of extraordinary numbers. */
bool branchProbability(const llvm::Instruction &terminator, const llvm::DominatorTree &dominators,
                       uint16_t &probability);

} // namespace gpuperf
#endif
