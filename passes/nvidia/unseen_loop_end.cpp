/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* As seen of nvcc 13.0 and NVIDIA's OpenCL (driver 580) with 234 loops: 39 forms of indices, six types of counter and
 * offset; constants from 1 to 4096 in five forms (sm_90, and ptxas alone on sm_75 and sm_86). */
#include "passes/nvidia/unseen_loop_end.h"

#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace gpuperf
{

namespace
{

/* What an index says of the loop's end: nothing without the counter. */
enum class Index { Other, Plain, Hiding };

class Indices
{
public:
    Indices(const Loop &loop, const SCEVAddRecExpr &counter, ScalarEvolution &evolution)
        : loop(loop), counter(counter), evolution(evolution)
    {
    }

    bool wrapsAround(const Value &index) const;
    Index of(const Value &index, bool offset) const;

private:
    bool changes(const Value &value) const { return !loop.isLoopInvariant(&value); }
    const SCEVAddRecExpr *stepsOf(const Value &value) const;
    bool isProductOfSum(const Value &value) const;
    bool isNearCounter(const SCEV &step) const;
    Index ofNumber(const Value &value, bool offset) const;

    const Loop &loop;
    const SCEVAddRecExpr &counter;
    ScalarEvolution &evolution;
};

const SCEVAddRecExpr *Indices::stepsOf(const Value &value) const
{
    auto *steps = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(const_cast<Value *>(&value)));
    return steps && steps->getLoop() == &loop && steps->isAffine() ? steps : nullptr;
}

/* (t + i) * c, or by an argument. */
bool Indices::isProductOfSum(const Value &value) const
{
    auto *product = dyn_cast<BinaryOperator>(&value);
    if (!product || (product->getOpcode() != Instruction::Mul && product->getOpcode() != Instruction::Shl))
        return false;
    return any_of(product->operands(), [&](const Use &operand) {
        const SCEVAddRecExpr *steps = changes(*operand) ? stepsOf(*operand) : nullptr;
        return steps && !steps->getStart()->isZero();
    });
}

/* A sum of unsigned numbers, or one times a constant, that is widened: no pointer takes steps for it. A counter itself,
 * what is subtracted from, mixed by bits, or multiplied by an argument is none. */
bool Indices::wrapsAround(const Value &index) const
{
    auto *widened = dyn_cast<ZExtInst>(&index);
    if (!widened || widened->hasNonNeg() || !widened->getSrcTy()->isIntegerTy(32))
        return false;
    const Value *number = widened->getOperand(0);
    bool isScaled = match(number, m_CombineOr(m_Mul(m_Value(), m_ConstantInt()), m_Shl(m_Value(), m_ConstantInt())));
    return stepsOf(*number) && (isScaled || isProductOfSum(*number) || match(number, m_Add(m_Value(), m_Value())));
}

/* The counter, or twice it, is not worth a register of its own. */
bool Indices::isNearCounter(const SCEV &step) const
{
    auto *own = dyn_cast<SCEVConstant>(counter.getStepRecurrence(evolution)), *found = dyn_cast<SCEVConstant>(&step);
    if (!found)
        return true;
    return found->getAPInt().abs().ule(2 * (own ? own->getAPInt().abs().getLimitedValue(UINT32_MAX) : 1));
}

/* `offset`: something is added to it elsewhere. */
Index Indices::ofNumber(const Value &value, bool offset) const
{
    const SCEVAddRecExpr *steps = stepsOf(value);
    if (!steps)
        return SCEVExprContains(evolution.getSCEV(const_cast<Value *>(&value)),
                                [&](const SCEV *part) { return isa<SCEVAddRecExpr>(part); })
                   ? Index::Plain
                   : Index::Other;
    if (isProductOfSum(value))
        return Index::Hiding;
    bool fromZero = steps->getStart()->isZero() && !offset;
    return fromZero || isNearCounter(*steps->getStepRecurrence(evolution)) ? Index::Plain : Index::Hiding;
}

Index Indices::of(const Value &index, bool offset) const
{
    const Value *left, *right;
    if (match(&index, m_ZExtOrSExt(m_Value(left))))
        return ofNumber(*left, offset);
    if (match(&index, m_Add(m_Value(left), m_Value(right))) && changes(*left) != changes(*right))
        return of(changes(*left) ? *left : *right, true);
    return index.getType()->isIntegerTy(32) ? ofNumber(index, offset) : Index::Plain;
}

/* How many indices of each kind an access has; `address` may be steps from another address. */
struct Found {
    bool plain = false, hiding = false, wraps = false;
};

void lookAt(const Value *address, const Loop &loop, const Indices &indices, Found &found)
{
    SmallVector<const Value *, 4> changing;
    bool offset = false;
    for (auto *step = dyn_cast<GetElementPtrInst>(address); step;
         step = dyn_cast<GetElementPtrInst>(step->getPointerOperand()))
        for (const Use &index : step->indices())
            if (!loop.isLoopInvariant(index))
                changing.push_back(index);
            else
                offset |= !match(index.get(), m_Zero());
    for (const Value *index : changing) {
        Index kind = indices.of(*index, offset);
        found.plain |= kind == Index::Plain;
        found.hiding |= kind == Index::Hiding;
        found.wraps |= indices.wrapsAround(*index);
    }
}

/* A counter of 64 bits that is more than a counter. */
bool isWideIndex(const Loop &loop, const SCEVAddRecExpr &counter, ScalarEvolution &evolution)
{
    const Type *type = counter.getType();
    if (!type->isIntegerTy() || type->getIntegerBitWidth() <= 32)
        return false;
    return any_of(loop.getHeader()->phis(), [&](PHINode &phi) {
        const Value *next = phi.getIncomingValueForBlock(loop.getLoopLatch());
        auto isIndex = [&](const User *user) { return user != next && user != &phi && !isa<ICmpInst>(user); };
        return phi.getType() == type && isa<SCEVAddRecExpr>(evolution.getSCEV(&phi)) &&
               (any_of(phi.users(), isIndex) || any_of(next->users(), isIndex));
    });
}

bool startsAtZero(const SCEVAddRecExpr &counter, ScalarEvolution &evolution)
{
    return counter.getStart()->isZero() ||
           evolution.getMinusSCEV(counter.getStart(), counter.getStepRecurrence(evolution))->isZero();
}

} // namespace

bool hidesEnd(const Loop &loop, const SCEVAddRecExpr &counter, ScalarEvolution &evolution)
{
    if (isWideIndex(loop, counter, evolution))
        return true;
    Indices indices(loop, counter, evolution);
    Found found;
    for (const BasicBlock *block : loop.blocks())
        for (const Instruction &inst : *block)
            if (const Value *address = getLoadStorePointerOperand(&inst))
                lookAt(address, loop, indices, found);
    return found.wraps || (found.hiding && !found.plain && startsAtZero(counter, evolution));
}

} // namespace gpuperf
