/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "passes/analysis/nan_comparisons.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/IR/ValueHandle.h"

#include "passes/cost/classify.h"
#include "passes/ir/joined_conditions.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace gpuperf
{

std::optional<bool> nanTest(const Value &test)
{
    CmpPredicate predicate;
    uint64_t classes;
    if (match(&test, m_FCmp(predicate, m_Value(), m_Value())) &&
        (predicate == CmpInst::FCMP_UNO || predicate == CmpInst::FCMP_ORD))
        return predicate == CmpInst::FCMP_ORD;
    if (match(&test, m_Intrinsic<Intrinsic::is_fpclass>(m_Value(), m_ConstantInt(classes))) &&
        (classes == fcNan || classes == (fcAllFlags & ~fcNan)))
        return classes != fcNan;
    return std::nullopt;
}

namespace
{

/* The largest parts of a condition that tests for NaN decide. */
void collectDecided(Value &condition, SmallSetVector<Instruction *, 4> &decided, unsigned depth = 8)
{
    Value *a, *b;
    auto *inst = dyn_cast<Instruction>(&condition);
    if (!inst || depth == 0)
        return;
    if (joinedAnswer(*inst, nanTest)) {
        decided.insert(inst);
    } else if (match(inst, m_LogicalOr(m_Value(a), m_Value(b))) || match(inst, m_LogicalAnd(m_Value(a), m_Value(b)))) {
        collectDecided(*a, decided, depth - 1);
        collectDecided(*b, decided, depth - 1);
    } else if (match(inst, m_Not(m_Value(a))) || match(inst, m_Freeze(m_Value(a)))) {
        collectDecided(*a, decided, depth - 1);
    }
}

BranchInst *exitOf(const BasicBlock &block)
{
    auto *branch = dyn_cast<BranchInst>(block.getTerminator());
    return branch && branch->isConditional() ? const_cast<BranchInst *>(branch) : nullptr;
}

/* Whether something but a NaN ends the loop. */
bool endsOtherwise(const Loop &loop)
{
    SmallVector<BasicBlock *, 4> exiting;
    loop.getExitingBlocks(exiting);
    return any_of(exiting, [&](const BasicBlock *block) {
        const BranchInst *exit = exitOf(*block);
        std::optional<bool> holds = exit ? joinedAnswer(*exit->getCondition(), nanTest) : std::nullopt;
        return !holds || !loop.contains(exit->getSuccessor(*holds ? 0 : 1));
    });
}

void decide(Instruction &test)
{
    Constant *answer = ConstantInt::getBool(test.getContext(), *joinedAnswer(test, nanTest));
    IRBuilder<> builder(test.getParent(), std::next(test.getIterator()));
    builder.SetCurrentDebugLocation(test.getDebugLoc());
    auto *others = cast<Instruction>(builder.Insert(new FreezeInst(&test)));
    test.replaceUsesWithIf(others, [&](const Use &use) { return use.getUser() != others; });
    builder.CreateCall(test.getModule()->getOrInsertFunction(passedAssertion, builder.getVoidTy(), builder.getInt1Ty()),
                       &test);
    replaceAndRecursivelySimplify(others, answer);
}

} // namespace

void leaveOutNanExits(Function &function)
{
    if (none_of(instructions(function), [](const Instruction &inst) { return nanTest(inst).has_value(); }))
        return;
    DominatorTree dominators(function);
    LoopInfo loops(dominators);
    SmallSetVector<Instruction *, 4> decided;
    for (const Loop *loop : loops.getLoopsInPreorder()) {
        SmallVector<BasicBlock *, 4> exiting;
        loop->getExitingBlocks(exiting);
        bool ends = endsOtherwise(*loop);
        for (const BasicBlock *block : exiting)
            if (BranchInst *exit = ends ? exitOf(*block) : nullptr)
                collectDecided(*exit->getCondition(), decided);
    }
    SmallVector<WeakTrackingVH, 4> tests(
        decided.begin(),
        decided.end()); /* one that has another as its part goes with that, or becomes what is left of it */
    SmallPtrSet<const Value *, 4> done;
    for (const WeakTrackingVH &test : tests)
        if (auto *inst = dyn_cast_or_null<Instruction>(test);
            inst && joinedAnswer(*inst, nanTest) && done.insert(inst).second)
            decide(*inst);
}

} // namespace gpuperf
