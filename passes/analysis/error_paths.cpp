/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "passes/analysis/error_paths.h"

#include <optional>

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Local.h"

#include "passes/cost/classify.h"

using namespace llvm;

namespace gpuperf
{

using Blocks = SmallPtrSet<const BasicBlock *, 8>;

/* The blocks that hold a failure: mostly none. */
static Blocks findFailures(const Function &function, Target target)
{
    Blocks failing;
    for (const BasicBlock &block : function)
        if (any_of(block, [&](const Instruction &inst) { return isFailure(inst, target); }))
            failing.insert(&block);
    return failing;
}

/* Whether all that can come behind a block's beginning is a failure; where a message is printed first, some blocks
 * further down. */
static bool onlyFails(const BasicBlock &block, const Blocks &failing, unsigned depth = 4)
{
    if (failing.contains(&block))
        return true;
    return depth > 0 && !succ_empty(&block) &&
           all_of(successors(&block), [&](const BasicBlock *next) { return onlyFails(*next, failing, depth - 1); });
}

/* The way that only fails, if the other one does not. */
static std::optional<unsigned> failingWay(const Instruction &terminator, const Blocks &failing)
{
    auto *branch = dyn_cast<BranchInst>(&terminator);
    if (!branch || !branch->isConditional())
        return std::nullopt;
    bool first = onlyFails(*branch->getSuccessor(0), failing), second = onlyFails(*branch->getSuccessor(1), failing);
    return first != second ? std::optional<unsigned>(second) : std::nullopt;
}

static void goOn(BranchInst &branch, unsigned failing)
{
    BasicBlock *block = branch.getParent(), *next = branch.getSuccessor(1 - failing);
    IRBuilder<> builder(&branch);
    FunctionCallee passed =
        block->getModule()->getOrInsertFunction(passedAssertion, builder.getVoidTy(), builder.getInt1Ty());
    builder.CreateCall(passed, branch.getCondition());
    branch.getSuccessor(failing)->removePredecessor(block);
    builder.CreateBr(next);
    branch.eraseFromParent();
}

bool leaveOutFailures(Function &function, Target target)
{
    SmallVector<std::pair<BranchInst *, unsigned>, 8> branches;
    Blocks failing = findFailures(function, target);
    if (failing.empty())
        return false;
    for (BasicBlock &block : function)
        if (std::optional<unsigned> way = failingWay(*block.getTerminator(), failing))
            branches.push_back({cast<BranchInst>(block.getTerminator()), *way});
    for (auto [branch, way] : branches)
        goOn(*branch, way);
    return !branches.empty() && removeUnreachableBlocks(function);
}

} // namespace gpuperf
