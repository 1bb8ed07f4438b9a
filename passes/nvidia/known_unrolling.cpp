/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "passes/nvidia/loop_unrolling.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/LoopPeel.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

#include "model/compilers/nvidia_rules.h"
#include "passes/cost/classify.h"
#include "passes/cost/machine_size.h"
#include "passes/nvidia/second_unrolling.h"
#include "passes/nvidia/unrolling.h"

using namespace llvm;

namespace gpuperf
{

namespace
{

const char askedFor[] = "gpuperf.asked";

/* Reads of images, and functions that are no code in line, are more than their one instruction. */
bool isLong(const Instruction &inst)
{
    auto *call = dyn_cast<CallBase>(&inst);
    auto *quotient = dyn_cast<BinaryOperator>(&inst);
    if (quotient && (quotient->isIntDivRem() || quotient->getOpcode() == Instruction::FDiv))
        return gp_nvidia_keeps_loop(quotientCost(*quotient).cost);
    if (!call)
        return inst.getOpcode() == Instruction::FRem;
    CallClass found = classifyCall(*call, Target::Nvptx);
    if (found.kind == CallKind::Arithmetic && gp_nvidia_keeps_loop(found.cost.cost))
        return true;
    return !isa<IntrinsicInst>(call) && found.kind != CallKind::Barrier &&
           !(found.kind == CallKind::Arithmetic && isStraightLine(*call, Target::Nvptx));
}

bool isCandidate(const Loop &loop)
{
    return loop.isInnermost() && loop.getNumBlocks() == 1 && !hasAttribute(loop, askedFor) &&
           none_of(*loop.getHeader(), isLong);
}

/* Loads of constant memory whose place is the counter's: operands of instructions, once the counter is a number. */
uint64_t tableLoads(const Loop &loop, ScalarEvolution &evolution)
{
    return count_if(*loop.getHeader(), [&](const Instruction &inst) {
        auto *load = dyn_cast<LoadInst>(&inst);
        if (!load || !isConstantMemory(*load->getPointerOperand()))
            return false;
        auto *place = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(const_cast<Value *>(load->getPointerOperand())));
        return place && place->getLoop() == &loop;
    });
}

/*
 * As seen of ptxas 13 with 22 bodies and 16 numbers of iterations from 5 to 77777 (sm_75, sm_86 and sm_90 alike): all,
 * where the product of iterations and the square of the body's size is below a limit, which each look-up in a table
 * raises; else as many as are 350 instructions, with what is left over, which stands behind the loop.
 */
bool isUnrolledWhole(uint64_t trips, uint64_t size, uint64_t lookUps)
{
    const uint64_t limit = 7700;
    return trips * size * (size + 3) <= limit * (3 + 7 * lookUps);
}

uint64_t factorOf(uint64_t trips, uint64_t size)
{
    const uint64_t most = 350;
    for (uint64_t factor = most / size; factor > 1; factor--)
        if ((factor + trips % factor) * size <= most)
            return factor;
    return 1;
}

bool unroll(Loop &loop, unsigned trips, unsigned factor, const UnrollingAnalyses &a)
{
    bool changed = simplifyForUnrolling(loop, a);
    ValueToValueMapTy copies;
    if (trips % factor != 0 && !peelLoop(&loop, trips % factor, false, &a.loops, &a.evolution, a.dominators,
                                         &a.assumptions, true, copies)) /* before the loop, in truth behind it */
        return changed;
    UnrollLoopOptions options = {};
    options.Count = factor;
    options.Force = options.ForgetAllSCEV = true;
    LoopUnrollResult result =
        UnrollLoop(&loop, options, &a.loops, &a.evolution, &a.dominators, &a.assumptions, &a.target, nullptr, true);
    return changed || result != LoopUnrollResult::Unmodified || trips % factor != 0;
}

/* `size`: how many instructions a function has; compiles are to stay short. True: the loop is another. */
bool unrollAsPtxas(Loop &loop, uint64_t &size, const UnrollingAnalyses &a)
{
    const uint64_t most = 4000;
    uint64_t trips = a.evolution.getSmallConstantTripCount(&loop), own = ptxSize(loop, a.evolution),
             body = loop.getHeader()->size();
    if (trips <= 1 || own == 0)
        return false;
    bool whole = isUnrolledWhole(trips, own, tableLoads(loop, a.evolution)) && size + body * trips <= most;
    uint64_t factor = whole ? trips : factorOf(trips, own);
    if (factor == 1 || size + body * factor > most)
        return false;
    size += body * factor;
    return unroll(loop, (unsigned)trips, (unsigned)factor, a);
}

} // namespace

bool markAskedFor(Function &function, FunctionAnalysisManager &manager)
{
    bool marked = false;
    for (Loop *loop : manager.getResult<LoopAnalysis>(function).getLoopsInPreorder())
        if (any_of(std::initializer_list<const char *>{"llvm.loop.unroll.disable", "llvm.loop.unroll.full",
                                                       "llvm.loop.unroll.count", "llvm.loop.unroll.enable"},
                   [&](const char *name) { return hasAttribute(*loop, name); })) {
            addStringMetadataToLoop(loop, askedFor, 1);
            marked = true;
        }
    return marked;
}

bool unrollKnownLoops(Function &function, FunctionAnalysisManager &manager)
{
    UnrollingAnalyses a(function, manager);
    uint64_t size = function.getInstructionCount();
    bool unrolled = false;
    SmallVector<Loop *, 4> loops = a.loops.getLoopsInPreorder();
    for (Loop *loop : reverse(loops))
        if (isCandidate(*loop))
            unrolled |= unrollAsPtxas(*loop, size, a);
    return unrolled;
}

} // namespace gpuperf
