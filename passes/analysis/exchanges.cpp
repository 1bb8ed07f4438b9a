/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "passes/analysis/exchanges.h"

#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace gpuperf
{

enum { DEEPEST = 8 };

/* The value before it was seen as another type, or as the half or byte of a word that it is. */
static const Value *bare(const Value *value)
{
    for (unsigned steps = 0; steps < DEEPEST; steps++) {
        auto *inst = dyn_cast<Instruction>(value);
        bool part = inst && (inst->getOpcode() == Instruction::LShr || inst->getOpcode() == Instruction::And) &&
                    isa<Constant>(inst->getOperand(1));
        if (!inst || (!isa<CastInst>(inst) && !part))
            return value;
        value = inst->getOperand(0);
    }
    return value;
}

/* Operations whose order does not matter. */
static bool combines(const Instruction &inst)
{
    switch (inst.getOpcode()) {
    case Instruction::Add:
    case Instruction::Sub:
    case Instruction::Mul:
    case Instruction::And:
    case Instruction::Or:
    case Instruction::Xor:
    case Instruction::FAdd:
    case Instruction::FSub:
    case Instruction::FMul:
    case Instruction::Select: return true;
    case Instruction::Call: return isa<MinMaxIntrinsic>(inst) || isa<FPMathOperator>(inst);
    default: return false;
    }
}

/* Whether a value is the old one and something else, combined; of a part of a word, put back beside the rest. */
static bool isCombinedWith(const Value *value, const Value *old, unsigned depth = 0)
{
    auto *inst = dyn_cast<Instruction>(bare(value));
    if (!inst || depth > DEEPEST)
        return false;
    bool puts = inst->getOpcode() == Instruction::Or || inst->getOpcode() == Instruction::Shl;
    if (puts && any_of(inst->operands(), [&](const Use &use) { return isCombinedWith(use, old, depth + 1); }))
        return true;
    return combines(*inst) && any_of(inst->operands(), [&](const Use &use) { return bare(use) == bare(old); });
}

bool exchangesForItself(const Instruction &atomic, bool retried, bool uniform)
{
    if (auto *swap = dyn_cast<AtomicCmpXchgInst>(&atomic))
        return !retried || !isCombinedWith(swap->getNewValOperand(), swap->getCompareOperand());
    auto *exchange = dyn_cast<AtomicRMWInst>(&atomic);
    if (!exchange || exchange->getOperation() != AtomicRMWInst::Xchg)
        return false;
    bool carries =
        retried &&
        !isa<Constant>(exchange->getValOperand()); /* the one of two exchanges that takes the sum out or puts it back */
    return !carries && !(uniform && atomic.use_empty());
}

} // namespace gpuperf
