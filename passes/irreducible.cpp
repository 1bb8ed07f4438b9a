#include "passes/irreducible.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/FixIrreducible.h"
#include "llvm/Transforms/Utils/LowerSwitch.h"

using namespace llvm;

namespace gpuperf {

/* A computed goto is a choice by a number that nobody knows. The edges stay as they are. */
static void chooseInComputedGotos(Function &function)
{
    for (BasicBlock &block : function) {
        auto *jump = dyn_cast<IndirectBrInst>(block.getTerminator());
        if (!jump || jump->getNumDestinations() == 0)
            continue;
        IRBuilder<> builder(jump);
        SwitchInst *choice = builder.CreateSwitch(builder.CreatePtrToInt(jump->getAddress(), builder.getInt64Ty()), jump->getDestination(0), jump->getNumDestinations() - 1);
        for (unsigned i = 1; i < jump->getNumDestinations(); i++)
            choice->addCase(builder.getInt64(i), jump->getDestination(i));
        jump->eraseFromParent();
    }
}

static bool isIrreducible(Function &function, FunctionAnalysisManager &manager)
{
    bool known = all_of(function, [](const BasicBlock &block) { return isa<BranchInst, SwitchInst, ReturnInst, UnreachableInst>(block.getTerminator()); });
    if (!known) /* the pass below would break the function */
        return false;
    ReversePostOrderTraversal<const Function *> order(&function);
    return containsIrreducibleCFG<const BasicBlock *>(order, manager.getResult<LoopAnalysis>(function));
}

BlockSet makeReducible(Function &function, FunctionAnalysisManager &manager)
{
    BlockSet before, headers;
    chooseInComputedGotos(function);
    if (!isIrreducible(function, manager))
        return headers;
    /* The pass knows branches only. */
    if (any_of(instructions(function), [](const Instruction &inst) { return isa<SwitchInst>(inst); }))
        manager.invalidate(function, LowerSwitchPass().run(function, manager));
    for (const BasicBlock &block : function)
        before.insert(&block);
    manager.invalidate(function, FixIrreduciblePass().run(function, manager));
    manager.invalidate(function, PreservedAnalyses::none());
    for (const Loop *loop : manager.getResult<LoopAnalysis>(function).getLoopsInPreorder())
        if (!before.contains(loop->getHeader()))
            headers.insert(loop->getHeader());
    return headers;
}

} // namespace gpuperf
