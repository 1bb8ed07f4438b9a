/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "passes/tidy/tidy.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace gpuperf
{

enum { NARROW = 32 };

static bool isTruncated(const Value *value) { return isa<TruncInst>(value) && value->getType()->isIntegerTy(NARROW); }

/* The half of a sign extension that throws the upper bits away. */
static bool isLowerHalf(const Value *value)
{
    return match(value, m_Shl(m_Value(), m_SpecificInt(NARROW))) && all_of(value->users(), [](const User *user) {
               return match(user, m_AShr(m_Value(), m_SpecificInt(NARROW)));
           });
}

/* A phi of 64 bits of which nothing but the lower 32 are used. */
static bool isWideCounter(const PHINode &phi)
{
    return phi.getType()->isIntegerTy(64) && !phi.use_empty() &&
           all_of(phi.users(), [](const User *user) { return isTruncated(user) || isLowerHalf(user); });
}

struct Narrowing {
    PHINode &wide, &narrow;
};

/* The lower bits of a value; what is made of the counter's is made of the narrow one. */
static Value *lowerBits(IRBuilder<> &builder, const Narrowing &counter, Value *value, unsigned depth)
{
    Value *inner = nullptr, *other = nullptr;
    if (value == &counter.wide ||
        match(value, m_AShr(m_Shl(m_Specific(&counter.wide), m_SpecificInt(NARROW)), m_SpecificInt(NARROW))))
        return &counter.narrow;
    if (match(value, m_ZExtOrSExt(m_Value(inner))) && inner->getType()->isIntegerTy(NARROW))
        return inner;
    if (depth > 0 &&
        (match(value, m_Add(m_Value(inner), m_Value(other))) || match(value, m_Sub(m_Value(inner), m_Value(other))))) {
        auto op = cast<BinaryOperator>(value)->getOpcode();
        return builder.CreateBinOp(op, lowerBits(builder, counter, inner, depth - 1),
                                   lowerBits(builder, counter, other, depth - 1));
    }
    return builder.CreateTrunc(value, builder.getInt32Ty());
}

/* Behind the value's definition, so that others that cut it off can use what is made of it, too. */
static Value *narrowed(const Narrowing &counter, Value *value, BasicBlock *from)
{
    enum { DEPTH = 4 };
    auto *inst = dyn_cast<Instruction>(value);
    bool behind = inst && !isa<PHINode>(inst) && !inst->isTerminator();
    IRBuilder<> builder(behind ? inst->getNextNode() : from->getTerminator());
    Value *lower = lowerBits(builder, counter, value, DEPTH);
    for (User *user : behind ? to_vector(inst->users()) : SmallVector<User *>())
        if (isTruncated(user) && user != lower)
            user->replaceAllUsesWith(lower);
    return lower;
}

static void narrow(PHINode &phi)
{
    IRBuilder<> builder(&phi);
    PHINode *counter = builder.CreatePHI(builder.getInt32Ty(), phi.getNumIncomingValues());
    Narrowing narrowing{phi, *counter};
    for (unsigned i = 0; i < phi.getNumIncomingValues(); i++)
        counter->addIncoming(narrowed(narrowing, phi.getIncomingValue(i), phi.getIncomingBlock(i)),
                             phi.getIncomingBlock(i));
    for (User *user : to_vector(phi.users())) {
        if (isTruncated(user)) {
            user->replaceAllUsesWith(counter);
            continue;
        }
        for (User *extended : to_vector(user->users())) {
            IRBuilder<> at(cast<Instruction>(extended));
            extended->replaceAllUsesWith(at.CreateSExt(counter, phi.getType()));
        }
    }
}

void narrowCounters(Function &function)
{
    SmallVector<WeakTrackingVH, 16> wide;
    for (BasicBlock &block : function) {
        for (PHINode &phi : make_early_inc_range(block.phis())) {
            if (!isWideCounter(phi))
                continue;
            narrow(phi);
            wide.push_back(&phi);
        }
    }
    for (WeakTrackingVH &phi : wide)
        if (auto *dead = dyn_cast_or_null<PHINode>(phi))
            RecursivelyDeleteDeadPHINode(dead);
}

} // namespace gpuperf
