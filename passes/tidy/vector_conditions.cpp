/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "passes/tidy/tidy.h"

#include <optional>

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/IR/ValueHandle.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace gpuperf
{

static bool isConditions(const Value *value)
{
    auto *type = dyn_cast<FixedVectorType>(value->getType());
    return type && type->getElementType()->isIntegerTy(1);
}

static Value *element(IRBuilder<> &builder, Value *vector, unsigned index)
{
    if (auto *frozen = dyn_cast<FreezeInst>(vector))
        vector = frozen->getOperand(0);
    return builder.CreateExtractElement(vector, builder.getInt32(index));
}

static Value *combine(IRBuilder<> &builder, Value *vector, Instruction::BinaryOps op)
{
    Value *combined = element(builder, vector, 0);
    for (unsigned i = 1; i < cast<FixedVectorType>(vector->getType())->getNumElements(); i++)
        combined = builder.CreateBinOp(op, combined, element(builder, vector, i));
    return combined;
}

/* How a reduction of integers combines; nothing for others. */
static std::optional<Instruction::BinaryOps> reductionOf(const Instruction &inst)
{
    auto *call = dyn_cast<IntrinsicInst>(&inst);
    switch (call ? call->getIntrinsicID() : Intrinsic::not_intrinsic) {
    case Intrinsic::vector_reduce_and: return Instruction::And;
    case Intrinsic::vector_reduce_or: return Instruction::Or;
    case Intrinsic::vector_reduce_xor: return Instruction::Xor;
    case Intrinsic::vector_reduce_add: return Instruction::Add;
    case Intrinsic::vector_reduce_mul: return Instruction::Mul;
    default: return std::nullopt;
    }
}

/* Whether all or none of some conditions hold, as a comparison of their bits. Null: it is something else. */
static Value *answer(Instruction &inst)
{
    Value *conditions = nullptr;
    CmpPredicate predicate;
    bool all = match(&inst, m_ICmp(predicate, m_BitCast(m_Value(conditions)), m_AllOnes()));
    if (!all && !match(&inst, m_ICmp(predicate, m_BitCast(m_Value(conditions)), m_Zero())))
        return nullptr;
    bool equal = predicate == CmpInst::ICMP_EQ;
    if ((!equal && predicate != CmpInst::ICMP_NE) || !isConditions(conditions))
        return nullptr;
    IRBuilder<> builder(&inst);
    Value *combined = combine(builder, conditions, all ? Instruction::And : Instruction::Or);
    return equal == all ? combined : builder.CreateNot(combined);
}

static Value *reduced(Instruction &inst)
{
    auto op = reductionOf(inst);
    if (!op || !isa<FixedVectorType>(inst.getOperand(0)->getType()))
        return nullptr;
    IRBuilder<> builder(&inst);
    return combine(builder, inst.getOperand(0), *op);
}

void spellOutVectorConditions(Function &function)
{
    SmallVector<WeakTrackingVH, 8> dead;
    for (Instruction &inst : instructions(function)) {
        Value *value = isa<ICmpInst>(inst) ? answer(inst) : reduced(inst);
        if (!value)
            continue;
        inst.replaceAllUsesWith(value);
        dead.push_back(&inst);
    }
    RecursivelyDeleteTriviallyDeadInstructionsPermissive(dead);
}

} // namespace gpuperf
