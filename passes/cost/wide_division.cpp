/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "passes/cost/wide_division.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/KnownBits.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace gpuperf
{

namespace
{

constexpr unsigned narrow = 32, deepest = 6;

/* Whether the number fits, has an upper half, or may be either. */
enum class Width { Fits, Data, Wide };

bool isLargeConstant(const Value *value)
{
    const APInt *number;
    return match(value, m_APInt(number)) && number->abs().getActiveBits() > narrow;
}

bool fits(const Value &value, const DataLayout &layout)
{
    return computeKnownBits(&value, layout).countMaxActiveBits() <= narrow;
}

/* Whether what is loaded decides the number. */
bool isLoaded(const Value &value, const DataLayout &layout, unsigned depth = deepest)
{
    auto *inst = dyn_cast<Instruction>(&value);
    if (!inst || depth == 0 || fits(value, layout))
        return false;
    if (isa<LoadInst>(inst))
        return true;
    bool passes = isa<BinaryOperator, PHINode, SelectInst, CastInst, IntrinsicInst, FreezeInst>(inst);
    return passes && any_of(inst->operands(), [&](const Use &use) { return isLoaded(*use.get(), layout, depth - 1); });
}

/* Whether a number's bits are spread over all 64, as those of a hash are, or of a product of two such numbers. */
bool isSpread(const Value &value, const DataLayout &layout, unsigned depth = deepest)
{
    const Value *a, *b;
    if (depth == 0)
        return false;
    if (match(&value, m_Intrinsic<Intrinsic::fshl>()) || match(&value, m_Intrinsic<Intrinsic::fshr>()))
        return true;
    bool product = match(&value, m_Mul(m_Value(a), m_Value(b)));
    if (!product && !match(&value, m_Xor(m_Value(a), m_Value(b))) && !match(&value, m_Add(m_Value(a), m_Value(b))) &&
        !match(&value, m_Sub(m_Value(a), m_Value(b))) && !match(&value, m_Or(m_Value(a), m_Value(b))))
        return false;
    if (isLargeConstant(a) || isLargeConstant(b) || isSpread(*a, layout, depth - 1) || isSpread(*b, layout, depth - 1))
        return true;
    return product && isLoaded(*a, layout) && isLoaded(*b, layout);
}

Width widthOf(const Value &value, const DataLayout &layout)
{
    KnownBits known = computeKnownBits(&value, layout);
    if (known.countMaxActiveBits() <= narrow)
        return Width::Fits;
    if (known.One.getActiveBits() > narrow || isSpread(value, layout))
        return Width::Wide;
    return isLoaded(value, layout) ? Width::Data : Width::Fits;
}

} // namespace

gp_class longDivisionClass(const BinaryOperator &inst)
{
    const DataLayout &layout = inst.getDataLayout();
    bool isSigned = inst.getOpcode() == Instruction::SDiv || inst.getOpcode() == Instruction::SRem;
    Width widest = std::max(widthOf(*inst.getOperand(0), layout), widthOf(*inst.getOperand(1), layout));
    if (widest == Width::Wide)
        return isSigned ? GP_CLASS_LONG_DIV_WIDE : GP_CLASS_LONG_UDIV_WIDE;
    return widest == Width::Data ? GP_CLASS_LONG_DIV_DATA : GP_CLASS_LONG_DIV;
}

} // namespace gpuperf
