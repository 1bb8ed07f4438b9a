#include "passes/machine_size.h"

#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace gpuperf {

static bool isMachineInstruction(const Instruction &inst, const Loop &loop, ScalarEvolution &evolution)
{
    if (isa<PHINode, GetElementPtrInst, CmpInst>(inst) || inst.isTerminator())
        return false;
    if (inst.getType()->isIntegerTy() && !isa<LoadInst>(inst)) {
        const SCEV *value = evolution.getSCEVAtScope(const_cast<Instruction *>(&inst), &loop);
        return !evolution.isLoopInvariant(value, &loop) && !evolution.hasComputableLoopEvolution(value, &loop);
    }
    return !(inst.getOpcode() == Instruction::FMul && inst.hasOneUse() && inst.user_back()->getOpcode() == Instruction::FAdd);
}

uint64_t machineInstructions(const BasicBlock &block, const Loop &loop, ScalarEvolution &evolution)
{
    return count_if(block, [&](const Instruction &inst) { return isMachineInstruction(inst, loop, evolution); });
}

} // namespace gpuperf
