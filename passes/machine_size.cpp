#include "passes/machine_size.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

#include "passes/classify.h"

using namespace llvm;

namespace gpuperf {

/* Of NVIDIA's code since Volta, as model/code/cost.c has it. */
static uint64_t sizeOfFunction(gp_class cost)
{
    switch (cost) {
    case GP_CLASS_FREE: return 0;
    case GP_CLASS_FLOAT_DIV_FLUSH: case GP_CLASS_SFU_SIN: case GP_CLASS_SFU_COS: return 2;
    case GP_CLASS_FLOAT_SQRT_FAST: case GP_CLASS_FLOAT_SQRT_LOOSE: case GP_CLASS_FLOAT_RSQRT: case GP_CLASS_SFU_EXP2: case GP_CLASS_SFU_LOG2:
    case GP_CLASS_FLOAT_RCP_NATIVE: case GP_CLASS_FLOAT_RSQRT_NATIVE: case GP_CLASS_SFU_EXP2_NATIVE: return 4;
    case GP_CLASS_FLOAT_DIV_FAST: return 5;
    case GP_CLASS_FLOAT_DIV_LOOSE: return 8;
    case GP_CLASS_FLOAT_DIV: case GP_CLASS_FLOAT_SQRT: case GP_CLASS_FLOAT_RCP: return 10;
    case GP_CLASS_DOUBLE_DIV: case GP_CLASS_DOUBLE_SQRT: case GP_CLASS_MATH32_EXP: return 16;
    case GP_CLASS_MATH32_TRIG: case GP_CLASS_MATH32_LOG: case GP_CLASS_MATH32_POW: case GP_CLASS_MATH32_OTHER: case GP_CLASS_MATH64: case GP_CLASS_MATH64_TRIG: case GP_CLASS_MATH64_EXP:
    case GP_CLASS_MATH64_LOG: case GP_CLASS_MATH64_POW: return 24;
    default: return 1;
    }
}

/* Several where it is a function or a division. */
static uint64_t sizeOf(const Instruction &inst)
{
    auto *call = dyn_cast<CallBase>(&inst);
    auto *quotient = dyn_cast<BinaryOperator>(&inst);
    CallClass found = call ? classifyCall(*call, Target::Nvptx) : CallClass{CallKind::Unknown, {}};
    if (found.kind == CallKind::Arithmetic)
        return sizeOfFunction(found.cost.cost) * found.cost.repeat;
    if (inst.getOpcode() == Instruction::FRem)
        return sizeOfFunction(GP_CLASS_MATH32_OTHER);
    if (!quotient || quotient->getOpcode() != Instruction::FDiv)
        return 1;
    bool single = quotient->getType()->isFloatTy();
    return sizeOfFunction(single ? singleDivision(*quotient, cast<FPMathOperator>(quotient)->getFPAccuracy() >= 2.0f).cost : GP_CLASS_DOUBLE_DIV);
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
    return !(inst.getOpcode() == Instruction::FMul && inst.hasOneUse() && inst.user_back()->getOpcode() == Instruction::FAdd);
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
