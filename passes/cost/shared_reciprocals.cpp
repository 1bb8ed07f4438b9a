/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * ptxas divides integers of 32 bits by the divisor's reciprocal (I2F, MUFU.RCP, F2I and a step of Newton's), which it
 * makes once: in front of the loop that does not change the divisor, and for all divisions behind the first (nvcc 13.0;
 * sm_75, sm_80 and sm_90 alike). What it takes in front of a loop is left out.
 */
#include "passes/cost/classify.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace gpuperf
{

void Costs::shareReciprocals(const Function &function, const LoopInfo &loops, const DominatorTree &dominators)
{
    if (target == Target::Amdgcn || target == Target::Host)
        return;
    DenseMap<std::pair<const Value *, unsigned>, SmallVector<const Instruction *, 2>> first;
    for (const Instruction &inst : instructions(function)) {
        if (!inst.isIntDivRem() || !inst.getType()->isIntegerTy(32) || isa<Constant>(inst.getOperand(1)))
            continue;
        const Value *divisor = inst.getOperand(1);
        const Loop *loop = loops.getLoopFor(inst.getParent());
        bool isSigned = inst.getOpcode() == Instruction::SDiv || inst.getOpcode() == Instruction::SRem;
        SmallVector<const Instruction *, 2> &paying = first[{divisor, isSigned ? 1u : 0u}];
        bool known = (loop && loop->isLoopInvariant(divisor)) ||
                     any_of(paying, [&](const Instruction *other) { return dominators.dominates(other, &inst); });
        if (known)
            fused[&inst] = {isSigned ? GP_CLASS_INT_DIV_NEXT : GP_CLASS_INT_UDIV_NEXT, 1};
        else
            paying.push_back(&inst);
    }
}

} // namespace gpuperf
