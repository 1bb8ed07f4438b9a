#include "passes/runtime_unrolling.h"

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"

#include "passes/classify.h"
#include "passes/kernels.h"
#include "passes/machine_size.h"
#include "passes/power_divisors.h"

using namespace llvm;

namespace gpuperf {

namespace {

struct Analyses {
    LoopInfo &loops;
    DominatorTree &dominators;
    ScalarEvolution &evolution;
    AssumptionCache &assumptions;
    const TargetTransformInfo &target;
};

bool hasAttribute(const Loop &loop, const char *name)
{
    MDNode *attributes = loop.getLoopID();
    return attributes && GetUnrollMetadata(attributes, name);
}

/* The source, or a pass before, has decided. */
bool isDecided(const Loop &loop)
{
    return any_of(std::initializer_list<const char *>{"llvm.loop.unroll.disable", "llvm.loop.unroll.full", "llvm.loop.unroll.count"}, [&](const char *name) { return hasAttribute(loop, name); });
}

/* `#pragma unroll` without a number: libNVVM does what it does without, and ptxas, which is told that it has, leaves the loop at that. */
bool isAskedFor(const Loop &loop) { return hasAttribute(loop, "llvm.loop.unroll.enable"); }

/* Of what functions are as code in line only those are calls that are too long, or have loops of their own: so does a remainder of floats. */
bool makesCall(const Instruction &inst)
{
    auto *call = dyn_cast<CallBase>(&inst);
    if (!call)
        return inst.getOpcode() == Instruction::FRem;
    bool isFunction = !isa<IntrinsicInst>(call) || classifyCall(*call, Target::Nvptx).kind == CallKind::Arithmetic;
    return !isHiddenDivisor(inst) && (call->isConvergent() || (isFunction && !isStraightLine(*call, Target::Nvptx)));
}

/* What is added to the counter that the loop's end compares: null where none is. */
const SCEV *stepOf(const Loop &loop, ScalarEvolution &evolution)
{
    auto *branch = dyn_cast<BranchInst>(loop.getLoopLatch()->getTerminator());
    auto *test = branch && branch->isConditional() ? dyn_cast<ICmpInst>(branch->getCondition()) : nullptr;
    for (unsigned i = 0; test && i < 2; i++) {
        Value *side = test->getOperand(i);
        auto *counter = evolution.isSCEVable(side->getType()) ? dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(side)) : nullptr;
        if (counter && counter->getLoop() == &loop && counter->isAffine())
            return counter->getStepRecurrence(evolution);
    }
    return nullptr;
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

/* What LLVM would unroll, since to it a call is short. */
bool isLeftAsItIs(const Loop &loop, ScalarEvolution &evolution)
{
    return loop.isInnermost() && !isDecided(loop) && !isAskedFor(loop) && makesCalls(loop) && !isa<SCEVConstant>(evolution.getBackedgeTakenCount(&loop));
}

bool isCandidate(const Loop &loop, ScalarEvolution &evolution)
{
    if (!loop.isInnermost() || !loop.getLoopLatch() || loop.getExitingBlock() != loop.getLoopLatch() || isDecided(loop) || makesCalls(loop))
        return false;
    const SCEV *step = stepOf(loop, evolution), *count = evolution.getBackedgeTakenCount(&loop);
    return step && isStepToDivideBy(step) && !isa<SCEVCouldNotCompute>(count) && !isa<SCEVConstant>(count);
}

/* Instructions of LLVM's that an iteration has, addresses included. */
unsigned sizeOf(const Loop &loop)
{
    unsigned size = 0;
    for (const BasicBlock *block : loop.blocks())
        size += count_if(*block, [](const Instruction &inst) { return !isa<PHINode>(inst) && !inst.isTerminator() && !inst.isDebugOrPseudoInst(); });
    return size;
}

unsigned firstFactor(const Loop &loop)
{
    const unsigned most = 180;
    unsigned size = sizeOf(loop);
    return 4 * size <= most ? 4 : 2 * size <= most ? 2 : 1;
}

/* An unsigned number that changes in the loop, widened to an index: it may wrap around, so that no pointer takes steps for it, and ptxas does not see through the loop's end that is left. */
bool isUnsignedIndex(const Instruction &inst, const Loop &loop)
{
    auto *widened = dyn_cast<ZExtInst>(&inst);
    return widened && !widened->hasNonNeg() && widened->getSrcTy()->isIntegerTy(32) && !loop.isLoopInvariant(widened->getOperand(0)) && !isa<LoadInst>(widened->getOperand(0)) &&
           any_of(widened->users(), [](const User *user) { return isa<GetElementPtrInst>(user); });
}

/* Instructions of an iteration that is more than one block: stores count twice, as ptxas has to guard them. */
uint64_t guardedSize(const Loop &loop, ScalarEvolution &evolution)
{
    uint64_t size = 0;
    for (const BasicBlock *block : loop.blocks())
        size += machineInstructions(*block, loop, evolution) + count_if(*block, [](const Instruction &inst) { return isa<StoreInst>(inst); });
    return size;
}

/* As seen of nvcc 11.8 to 13.0, sm_75 and sm_80: a single block of up to ten instructions, three of them loads; with a guard or two (which ptxas makes straight-line code of), six. */
bool isShort(const Loop &loop, ScalarEvolution &evolution)
{
    const unsigned mostInstructions = 10, mostGuarded = 6, mostBlocks = 4, mostLoads = 3;
    bool guarded = loop.getNumBlocks() > 1;
    uint64_t loads = 0, indices = 0;
    for (const BasicBlock *block : loop.blocks()) {
        if (any_of(*block, [](const Instruction &inst) { return isa<MemIntrinsic>(inst); })) /* stores of several places, in truth */
            return false;
        loads += count_if(*block, [](const Instruction &inst) { return isa<LoadInst>(inst); });
        indices += count_if(*block, [&](const Instruction &inst) { return isUnsignedIndex(inst, loop); });
    }
    return loop.getNumBlocks() <= mostBlocks && isa<SCEVConstant>(stepOf(loop, evolution)) && loads <= mostLoads && indices == 0 &&
           (guarded ? guardedSize(loop, evolution) <= mostGuarded : machineInstructions(*loop.getHeader(), loop, evolution) <= mostInstructions);
}

LoopUnrollResult unroll(Loop &loop, unsigned factor, const Analyses &a)
{
    simplifyLoop(&loop, &a.dominators, &a.loops, &a.evolution, &a.assumptions, nullptr, false);
    formLCSSARecursively(loop, a.dominators, &a.loops, &a.evolution);
    UnrollLoopOptions options = {};
    options.Count = factor;
    options.Force = options.Runtime = options.AllowExpensiveTripCount = options.ForgetAllSCEV = true;
    options.SCEVExpansionBudget = 64;
    return UnrollLoop(&loop, options, &a.loops, &a.evolution, &a.dominators, &a.assumptions, &a.target, nullptr, true);
}

/* False: it stays as it is. */
bool unrollAsNvidia(Loop &loop, const Analyses &a)
{
    const unsigned secondFactor = 4;
    unsigned factor = firstFactor(loop);
    bool again = factor == 4 && !isAskedFor(loop) && isShort(loop, a.evolution);
    LoopUnrollResult result = factor > 1 ? unroll(loop, factor, a) : LoopUnrollResult::Unmodified;
    bool changed = result != LoopUnrollResult::Unmodified;
    if (again && result == LoopUnrollResult::PartiallyUnrolled)
        result = unroll(loop, secondFactor, a);
    if (result != LoopUnrollResult::FullyUnrolled) /* then it is no more */
        loop.setLoopAlreadyUnrolled();
    return changed;
}

} // namespace

bool unrollRuntimeLoops(Function &function, FunctionAnalysisManager &manager)
{
    Analyses a = {manager.getResult<LoopAnalysis>(function), manager.getResult<DominatorTreeAnalysis>(function), manager.getResult<ScalarEvolutionAnalysis>(function),
                  manager.getResult<AssumptionAnalysis>(function), manager.getResult<TargetIRAnalysis>(function)};
    SmallVector<Loop *, 8> candidates;
    copy_if(a.loops.getLoopsInPreorder(), std::back_inserter(candidates), [&](const Loop *loop) { return isCandidate(*loop, a.evolution); });
    for (Loop *loop : a.loops.getLoopsInPreorder())
        if (isLeftAsItIs(*loop, a.evolution))
            loop->setLoopAlreadyUnrolled();
    bool unrolled = false;
    for (Loop *loop : candidates)
        unrolled |= unrollAsNvidia(*loop, a);
    return unrolled;
}

} // namespace gpuperf
