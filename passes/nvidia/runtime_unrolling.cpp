/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "passes/nvidia/loop_unrolling.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

#include "model/compilers/nvidia_rules.h"
#include "passes/ir/builtins.h"
#include "passes/cost/classify.h"
#include "passes/ir/kernels.h"
#include "passes/nvidia/power_divisors.h"
#include "passes/nvidia/second_unrolling.h"
#include "passes/nvidia/unrolling.h"

using namespace llvm;

namespace gpuperf
{

namespace
{

/* The source, or a pass before, has decided. */
bool isDecided(const Loop &loop)
{
    return any_of(std::initializer_list<const char *>{"llvm.loop.unroll.disable", "llvm.loop.unroll.full",
                                                      "llvm.loop.unroll.count"},
                  [&](const char *name) { return hasAttribute(loop, name); });
}

/* `#pragma unroll` without a number: libNVVM does what it does without, and ptxas, which is told that it has, leaves
 * the loop at that. */
bool isAskedFor(const Loop &loop) { return hasAttribute(loop, "llvm.loop.unroll.enable"); }

/* NVIDIA's OpenCL has fmod() without a loop in line, where nvcc's has one. */
bool isOpenclRemainder(const Instruction &inst)
{
    auto *call = dyn_cast<CallBase>(&inst);
    const Function *callee = call ? calledFunction(*call) : nullptr;
    bool remainder = inst.getOpcode() == Instruction::FRem || (callee && builtinName(callee->getName()).base == "fmod");
    return remainder && inst.getType()->getScalarType()->isFloatTy() &&
           inst.getModule()->getNamedMetadata("opencl.ocl.version");
}

/* Neither reads of images nor barriers hinder libNVVM (driver 580, nvcc 13.0), nor exchanges between lanes, votes and
 * assembly, volatile or not, nor functions that stay functions. */
bool isNoHindrance(const CallBase &call)
{
    const Function *callee = calledFunction(call);
    switch (classifyCall(call, Target::Nvptx).kind) {
    case CallKind::ImageLoad:
    case CallKind::Barrier:
    case CallKind::Fence:
    case CallKind::Shuffle:
    case CallKind::Vote: return true;
    default: return call.isInlineAsm() || (callee && !callee->isDeclaration());
    }
}

/* Of what functions are as code in line only those are calls that are too long, or have loops of their own: so does a
 * remainder of floats. */
bool makesCall(const Instruction &inst)
{
    auto *call = dyn_cast<CallBase>(&inst);
    if (isOpenclRemainder(inst) || (call && isNoHindrance(*call)))
        return false;
    if (!call)
        return inst.getOpcode() == Instruction::FRem;
    bool isFunction = !isa<IntrinsicInst>(call) || classifyCall(*call, Target::Nvptx).kind == CallKind::Arithmetic;
    return !isHiddenDivisor(inst) && (call->isConvergent() || (isFunction && !isStraightLine(*call, Target::Nvptx)));
}

/* What is added to the counter that the loop's end compares: null where none is. */
const SCEV *stepOf(const Loop &loop, ScalarEvolution &evolution)
{
    const SCEVAddRecExpr *counter = comparedCounter(loop, evolution);
    return counter ? counter->getStepRecurrence(evolution) : nullptr;
}

/* A number of work-items is none that these compilers divide by to count iterations; an argument is. */
bool isStepToDivideBy(const SCEV *step)
{
    return !SCEVExprContains(step, [](const SCEV *part) {
        auto *unknown = dyn_cast<SCEVUnknown>(part);
        return unknown && isa<Instruction>(unknown->getValue());
    });
}

bool makesCalls(const Loop &loop)
{
    return any_of(loop.blocks(), [](const BasicBlock *block) { return any_of(*block, makesCall); });
}

/* What LLVM would unroll, since to it a call is short; few iterations it has written out before. */
bool isLeftAsItIs(const Loop &loop, ScalarEvolution &evolution)
{
    bool isWholly = isAskedFor(loop) && isa<SCEVConstant>(evolution.getBackedgeTakenCount(&loop));
    return loop.isInnermost() && !isDecided(loop) && makesCalls(loop) && !isWholly;
}

/* LLVM's own unrolling does as the source says but where there is a barrier. */
unsigned factorAroundBarrier(const Loop &loop)
{
    auto isBarrier = [](const Instruction &inst) {
        auto *call = dyn_cast<CallBase>(&inst);
        return call && classifyCall(*call, Target::Nvptx).kind == CallKind::Barrier;
    };
    MDNode *count = loop.getLoopID() ? GetUnrollMetadata(loop.getLoopID(), "llvm.loop.unroll.count") : nullptr;
    bool hasBarrier = any_of(loop.blocks(), [&](const BasicBlock *block) { return any_of(*block, isBarrier); });
    return count && hasBarrier && loop.isInnermost() && loop.getLoopLatch()
               ? mdconst::extract<ConstantInt>(count->getOperand(1))->getZExtValue()
               : 1;
}

bool isCandidate(const Loop &loop, ScalarEvolution &evolution)
{
    if (!loop.isInnermost() || !loop.getLoopLatch() || loop.getExitingBlock() != loop.getLoopLatch() ||
        isDecided(loop) || makesCalls(loop))
        return false;
    const SCEV *step = stepOf(loop, evolution), *count = evolution.getBackedgeTakenCount(&loop);
    return step && isStepToDivideBy(step) && !isa<SCEVCouldNotCompute>(count) && !isa<SCEVConstant>(count);
}

/* Instructions of LLVM's that an iteration has, addresses included. */
unsigned sizeOf(const Loop &loop)
{
    unsigned size = 0;
    for (const BasicBlock *block : loop.blocks())
        size += count_if(*block, [](const Instruction &inst) {
            return !isa<PHINode>(inst) && !inst.isTerminator() && !inst.isDebugOrPseudoInst();
        });
    return size;
}

LoopUnrollResult unroll(Loop &loop, unsigned factor, const UnrollingAnalyses &a, bool &changed)
{
    changed |= simplifyForUnrolling(loop, a);
    UnrollLoopOptions options = {};
    options.Count = factor;
    options.Force = options.Runtime = options.AllowExpensiveTripCount = options.ForgetAllSCEV = true;
    options.SCEVExpansionBudget = 64;
    LoopUnrollResult result =
        UnrollLoop(&loop, options, &a.loops, &a.evolution, &a.dominators, &a.assumptions, &a.target, nullptr, true);
    changed |= result != LoopUnrollResult::Unmodified;
    return result;
}

/* False: it stays as it is, but that it is marked. */
bool unrollAsNvidia(Loop &loop, const UnrollingAnalyses &a)
{
    const unsigned secondFactor = 4;
    bool changed = false;
    unsigned factor = gp_nvidia_first_factor(sizeOf(loop));
    bool again = factor == 4 && !isAskedFor(loop) && isUnrolledAgain(loop, a.evolution);
    LoopUnrollResult result = factor > 1 ? unroll(loop, factor, a, changed) : LoopUnrollResult::Unmodified;
    if (again && result == LoopUnrollResult::PartiallyUnrolled)
        result = unroll(loop, secondFactor, a, changed);
    if (result != LoopUnrollResult::FullyUnrolled) /* then it is no more */
        loop.setLoopAlreadyUnrolled();
    return changed;
}

bool unrollAsAsked(Loop &loop, const UnrollingAnalyses &a)
{
    bool changed = false;
    if (unroll(loop, factorAroundBarrier(loop), a, changed) == LoopUnrollResult::PartiallyUnrolled)
        loop.setLoopAlreadyUnrolled();
    return changed;
}

/* C's loops need not end, so that LLVM does not count the iterations of one that is unrolled by four; NVIDIA's
 * compilers do, as in CUDA. */
class LoopsEnd
{
public:
    explicit LoopsEnd(Function &function) : function(function), stated(function.mustProgress())
    {
        function.addFnAttr(Attribute::MustProgress);
    }
    ~LoopsEnd()
    {
        if (!stated)
            function.removeFnAttr(Attribute::MustProgress);
    }

private:
    Function &function;
    bool stated;
};

} // namespace

bool unrollRuntimeLoops(Function &function, FunctionAnalysisManager &manager)
{
    LoopsEnd loopsEnd(function);
    UnrollingAnalyses a(function, manager);
    SmallVector<Loop *, 8> candidates, counted;
    copy_if(a.loops.getLoopsInPreorder(), std::back_inserter(candidates),
            [&](const Loop *loop) { return isCandidate(*loop, a.evolution); });
    copy_if(a.loops.getLoopsInPreorder(), std::back_inserter(counted),
            [](const Loop *loop) { return factorAroundBarrier(*loop) > 1; });
    for (Loop *loop : a.loops.getLoopsInPreorder())
        if (isLeftAsItIs(*loop, a.evolution))
            loop->setLoopAlreadyUnrolled();
    bool unrolled = false;
    for (Loop *loop : counted)
        unrolled |= unrollAsAsked(*loop, a);
    for (Loop *loop : candidates)
        unrolled |= unrollAsNvidia(*loop, a);
    return unrolled;
}

} // namespace gpuperf
