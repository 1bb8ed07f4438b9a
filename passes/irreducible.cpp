#include "passes/irreducible.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/FixIrreducible.h"
#include "llvm/Transforms/Utils/LowerSwitch.h"

using namespace llvm;

namespace gpuperf {

static bool isIrreducible(Function &function, FunctionAnalysisManager &manager)
{
    ReversePostOrderTraversal<const Function *> order(&function);
    return containsIrreducibleCFG<const BasicBlock *>(order, manager.getResult<LoopAnalysis>(function));
}

BlockSet makeReducible(Function &function, FunctionAnalysisManager &manager)
{
    BlockSet before, headers;
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
