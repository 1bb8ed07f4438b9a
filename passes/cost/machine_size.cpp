/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "passes/cost/machine_size.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

#include "passes/cost/classify.h"

using namespace llvm;

namespace gpuperf
{

/*
 * As ptxas counts when it unrolls, where that was seen (nvcc 13.0, sm_80, by the factors of loops of 1009
 * iterations): 6.7 to 8.5 for a fast quotient and an exponential, 11.6 to 18.9 for one of 2 ulp, 4.3 to 6.7 for
 * approximate roots, 1.9 to 3.3 for a quotient by a constant, one for __sinf(). Others as model/compilers/cost.c counts
 * them in NVIDIA's code since Volta; library functions at least 24, more than any limit asks for.
 */
static uint64_t sizeOfFunction(gp_class cost)
{
    switch (cost) {
    case GP_CLASS_FREE: return 0;
    case GP_CLASS_FLOAT_DIV_FLUSH:
    case GP_CLASS_INT_MULHI: return 2;
    case GP_CLASS_LONG_MUL:
    case GP_CLASS_SFU_EXP2:
    case GP_CLASS_SFU_LOG2:
    case GP_CLASS_FLOAT_RCP_NATIVE:
    case GP_CLASS_SFU_EXP2_NATIVE: return 4;
    case GP_CLASS_FLOAT_SQRT_FAST:
    case GP_CLASS_FLOAT_SQRT_LOOSE:
    case GP_CLASS_FLOAT_RSQRT:
    case GP_CLASS_FLOAT_RSQRT_NATIVE: return 5;
    case GP_CLASS_FLOAT_DIV_FAST:
    case GP_CLASS_MATH32_EXP: return 8;
    case GP_CLASS_FLOAT_DIV:
    case GP_CLASS_FLOAT_SQRT:
    case GP_CLASS_FLOAT_RCP:
    case GP_CLASS_HALF_DIV: return 10;
    case GP_CLASS_FLOAT_DIV_LOOSE: return 12;
    case GP_CLASS_DOUBLE_DIV: return 16;
    case GP_CLASS_DOUBLE_SQRT:
    case GP_CLASS_INT_POWER_REM:
    case GP_CLASS_INT_UDIV: return 18;
    case GP_CLASS_LONG_DIV:
    case GP_CLASS_LONG_DIV_WIDE:
    case GP_CLASS_LONG_UDIV_WIDE:
    case GP_CLASS_LONG_DIV_DATA:
    case GP_CLASS_MATH32_TRIG:
    case GP_CLASS_MATH32_LOG:
    case GP_CLASS_MATH32_POW:
    case GP_CLASS_MATH32_OTHER:
    case GP_CLASS_MATH64:
    case GP_CLASS_MATH64_TRIG:
    case GP_CLASS_MATH64_EXP:
    case GP_CLASS_MATH64_LOG:
    case GP_CLASS_MATH64_POW: return 24;
    case GP_CLASS_INT_DIV: return 25;
    default: return 1;
    }
}

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
        return sizeOfFunction(found.cost.cost) * found.cost.repeat * piecesOf(inst);
    if (inst.getOpcode() == Instruction::FRem)
        return sizeOfFunction(GP_CLASS_MATH32_OTHER) * piecesOf(inst);
    if (!quotient || !(quotient->isIntDivRem() || quotient->getOpcode() == Instruction::FDiv))
        return piecesOf(inst);
    Cost cost = quotientCost(*quotient);
    return sizeOfFunction(cost.cost) * cost.repeat * piecesOf(inst);
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
