/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "passes/cost/machine_size.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

#include "model/compilers/cost.h"
#include "passes/cost/classify.h"

using namespace llvm;

namespace gpuperf
{

/* An access is one instruction of 16 bytes at most, anything else one for each element; vectors are put together and
 * taken apart by name. */
static uint64_t piecesOf(const Instruction &inst)
{
    const uint64_t widest = 16;
    if (isa<LoadInst, StoreInst>(inst))
        return divideCeil(inst.getDataLayout().getTypeStoreSize(getLoadStoreType(&inst)).getKnownMinValue(), widest);
    if (isa<ExtractElementInst, InsertElementInst, ShuffleVectorInst>(inst))
        return 0;
    auto *vector = dyn_cast<FixedVectorType>(inst.getType());
    return vector ? vector->getNumElements() : 1;
}

/* Several where it is a function or a division. */
static uint64_t sizeOf(const Instruction &inst)
{
    auto *call = dyn_cast<CallBase>(&inst);
    auto *quotient = dyn_cast<BinaryOperator>(&inst);
    CallClass found = call ? classifyCall(*call, Target::Nvptx) : CallClass{CallKind::Unknown, {}};
    if (found.kind == CallKind::Arithmetic)
        return gp_ptx_instructions(found.cost.cost) * found.cost.repeat * piecesOf(inst);
    if (inst.getOpcode() == Instruction::FRem)
        return gp_ptx_instructions(GP_CLASS_MATH32_OTHER) * piecesOf(inst);
    if (!quotient || !(quotient->isIntDivRem() || quotient->getOpcode() == Instruction::FDiv))
        return piecesOf(inst);
    Cost cost = quotientCost(*quotient);
    return gp_ptx_instructions(cost.cost) * cost.repeat * piecesOf(inst);
}

/* Only these take steps of their own; a minimum of a counter and a bound is an instruction. */
static bool isCounter(const SCEV *value, const Loop &loop)
{
    while (isa<SCEVZeroExtendExpr, SCEVSignExtendExpr>(value))
        value = cast<SCEVCastExpr>(value)->getOperand();
    auto *counter = dyn_cast<SCEVAddRecExpr>(value);
    return counter && counter->isAffine() && counter->getLoop() == &loop;
}

static bool isMachineInstruction(const Instruction &inst, const Loop &loop, ScalarEvolution &evolution)
{
    if (isa<PHINode, GetElementPtrInst, CmpInst>(inst) || inst.isTerminator())
        return false;
    if (inst.getType()->isIntegerTy() && !isa<LoadInst>(inst)) {
        const SCEV *value = evolution.getSCEVAtScope(const_cast<Instruction *>(&inst), &loop);
        return !evolution.isLoopInvariant(value, &loop) && !isCounter(value, loop);
    }
    return !(inst.getOpcode() == Instruction::FMul && inst.hasOneUse() &&
             inst.user_back()->getOpcode() == Instruction::FAdd);
}

uint64_t machineInstructions(const BasicBlock &block, const Loop &loop, ScalarEvolution &evolution)
{
    uint64_t size = 0;
    for (const Instruction &inst : block)
        if (isMachineInstruction(inst, loop, evolution))
            size += sizeOf(inst);
    return size;
}

} // namespace gpuperf
