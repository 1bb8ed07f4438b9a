/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "passes/nvidia/loop_unrolling.h"

#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

#include "model/compilers/nvidia_rules.h"
#include "passes/nvidia/unrolling.h"

using namespace llvm;

namespace gpuperf
{

namespace
{

/* Whether the access is at a place of a private array that the loop's counter decides. */
bool isByCounter(const Instruction &access, const Loop &loop, ScalarEvolution &evolution)
{
    const Value *pointer = getLoadStorePointerOperand(&access);
    if (!pointer || !isa<AllocaInst>(getUnderlyingObject(pointer)) || !evolution.isSCEVable(pointer->getType()))
        return false;
    return SCEVExprContains(evolution.getSCEV(const_cast<Value *>(pointer)), [&](const SCEV *part) {
        auto *counter = dyn_cast<SCEVAddRecExpr>(part);
        return counter && counter->getLoop() == &loop;
    });
}

bool indexesPrivateArray(const Loop &loop, ScalarEvolution &evolution)
{
    return any_of(loop.blocks(), [&](const BasicBlock *block) {
        return any_of(*block, [&](const Instruction &inst) { return isByCounter(inst, loop, evolution); });
    });
}

/* As gp_nvidia_unrolls_private() counts. */
unsigned sizeOf(const Instruction &inst)
{
    if (isa<PHINode>(inst) || inst.isTerminator() || inst.isDebugOrPseudoInst() || inst.isLifetimeStartOrEnd())
        return 0;
    return isa<MinMaxIntrinsic>(inst) ? 2 : 1;
}

/* What the loop takes when it is unrolled, loops in it whole, as often as they run at most, without steps of counters
 * and comparisons; more than any limit where that is not known. */
uint64_t unrolledSize(const Loop &loop, ScalarEvolution &evolution)
{
    const uint64_t counting = GP_NVIDIA_COUNTING, tooMuch = 1u << 20;
    uint64_t body = 0, trips = evolution.getSmallConstantMaxTripCount(&loop);
    for (const BasicBlock *block : loop.blocks())
        for (const Instruction &inst : *block)
            body += any_of(loop.getSubLoops(), [&](const Loop *inner) { return inner->contains(block); })
                        ? 0
                        : sizeOf(inst);
    body -= std::min(body, counting);
    for (const Loop *inner : loop.getSubLoops())
        body += unrolledSize(*inner, evolution);
    return trips == 0 ? tooMuch : std::min(tooMuch, trips * body);
}

/* By the source, whose wish has a far higher limit (compile/make_profile.c), or by a pass before. */
bool isDecided(const Loop &loop)
{
    return any_of(std::initializer_list<const char *>{"llvm.loop.unroll.disable", "llvm.loop.unroll.full",
                                                      "llvm.loop.unroll.count", "llvm.loop.unroll.enable"},
                  [&](const char *name) { return hasAttribute(loop, name); });
}

} // namespace

PreservedAnalyses UnrollPrivatePass::run(Loop &loop, LoopAnalysisManager &, LoopStandardAnalysisResults &analyses,
                                         LPMUpdater &)
{
    if (analyses.SE.getSmallConstantTripCount(&loop) <= 1 || isDecided(loop) || !indexesPrivateArray(loop, analyses.SE))
        return PreservedAnalyses::all();
    if (gp_nvidia_unrolls_private((double)unrolledSize(loop, analyses.SE)))
        addStringMetadataToLoop(&loop, "llvm.loop.unroll.full", 1);
    else if (!loop.isInnermost()) /* LLVM counts the inner loop's body once */
        addStringMetadataToLoop(&loop, "llvm.loop.unroll.disable", 1);
    return PreservedAnalyses::all();
}

} // namespace gpuperf
