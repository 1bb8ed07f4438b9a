/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "passes/analysis/retries.h"
#include "passes/analysis/exchanges.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace gpuperf
{

/* A loop, and what is asked of it at each of its ways out. */
struct Turns {
    const Loop &loop;
    const LoopInfo &loops;
    const DominatorTree &dominators;

    /* Whether an instruction of this very loop is executed before each passage of the block. */
    bool precedes(const Instruction *inst, const BasicBlock *block) const
    {
        return inst && loops.getLoopFor(inst->getParent()) == &loop && dominators.dominates(inst->getParent(), block);
    }
};

/* The exchange that gave the value, if it is made in each turn of this very loop at an address that stays the same;
 * null: there is none. */
static const Instruction *exchangeOf(const Loop &loop, const Value *value, unsigned part)
{
    if (auto *cast = dyn_cast<BitCastInst>(value))
        value = cast->getOperand(0);
    if (auto *extract = dyn_cast<ExtractValueInst>(value))
        value = extract->getIndices()[0] == part ? extract->getAggregateOperand() : nullptr;
    else if (part != 0)
        return nullptr;
    auto *exchange = dyn_cast_or_null<AtomicCmpXchgInst>(value);
    auto *swap = dyn_cast_or_null<AtomicRMWInst>(value);
    const Value *address = exchange                                              ? exchange->getPointerOperand()
                           : swap && swap->getOperation() == AtomicRMWInst::Xchg ? swap->getPointerOperand()
                                                                                 : nullptr;
    return address && loop.contains(cast<Instruction>(value)) && loop.isLoopInvariant(address)
               ? cast<Instruction>(value)
               : nullptr;
}

static const Value *withoutCast(const Value *value)
{
    return isa<BitCastInst>(value) ? cast<BitCastInst>(value)->getOperand(0) : value;
}

/* Whether `old == other` says that the exchange has succeeded: that what was expected stood there, and is something
 * else now; or that a lock was free, and no longer is. */
static bool saysSuccess(const Loop &loop, const Instruction &inst, const Value *other)
{
    if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&inst))
        return withoutCast(other) == withoutCast(exchange->getCompareOperand()) &&
               exchange->getNewValOperand() != exchange->getCompareOperand();
    auto &swap = cast<AtomicRMWInst>(inst);
    const Value *stored = withoutCast(swap.getValOperand());
    /* or a number is carried there, and what was there taken along: nothing was */
    auto *taken = dyn_cast<Constant>(other);
    bool carried = taken && taken->isNullValue() && !loop.isLoopInvariant(stored);
    return carried || (isa<Constant>(stored) && isa<Constant>(other) && stored != other);
}

/* Whether a condition says that an exchange made before it in this turn has succeeded. */
static bool asksForSuccess(const Turns &turns, const CmpInst &test, bool leavesIfTrue, const BasicBlock *exit)
{
    auto predicate = test.getPredicate();
    bool equal = predicate == CmpInst::ICMP_EQ || predicate == CmpInst::FCMP_OEQ || predicate == CmpInst::FCMP_UEQ;
    for (unsigned side = 0; test.isEquality() && side < 2; side++) {
        const Instruction *exchange = exchangeOf(turns.loop, test.getOperand(side), 0);
        if (turns.precedes(exchange, exit) && saysSuccess(turns.loop, *exchange, test.getOperand(1 - side)))
            return equal == leavesIfTrue;
    }
    return false;
}

/* Whether a branch goes on only while what stands there is less, or more, than what the exchange puts there, the same
 * in each turn. Once that is there, or something beyond it, the loop ends. `<=` would go on for ever. */
static bool goesOnByOrder(const Loop &loop, const Value *condition, bool ifTrue, const AtomicCmpXchgInst &swap)
{
    auto *test = dyn_cast<CmpInst>(condition);
    const Value *mine = test ? orderedWithPlaceOf(swap, *test) : nullptr;
    return mine && loop.isLoopInvariant(mine) &&
           CmpInst::isStrictPredicate(ifTrue ? test->getPredicate() : test->getInversePredicate());
}

/* Whether a compare-and-swap is made in each turn, or in those in which it would change something. */
static bool isMadeWhereNeeded(const Turns &turns, const AtomicCmpXchgInst &swap)
{
    const BasicBlock *block = swap.getParent(), *guard = block->getSinglePredecessor();
    auto *branch = guard ? dyn_cast<BranchInst>(guard->getTerminator()) : nullptr;
    if (turns.loops.getLoopFor(block) != &turns.loop || !turns.loop.isLoopInvariant(swap.getPointerOperand()))
        return false;
    return turns.precedes(&swap, turns.loop.getLoopLatch()) ||
           (branch && branch->isConditional() && turns.precedes(branch, turns.loop.getLoopLatch()) &&
            goesOnByOrder(turns.loop, branch->getCondition(), branch->getSuccessor(0) == block, swap));
}

/* Whether a condition says, before the exchange of the turn or behind it, that none is needed: `while (old < mine) old
 * = exchange(place, old, mine)`, `while (*place < mine) ...`. */
static bool asksForOrder(const Turns &turns, const Value *condition, bool leavesIfTrue)
{
    for (const BasicBlock *block : turns.loop.blocks())
        for (const Instruction &inst : *block) {
            auto *swap = dyn_cast<AtomicCmpXchgInst>(&inst);
            if (swap && isMadeWhereNeeded(turns, *swap) && goesOnByOrder(turns.loop, condition, !leavesIfTrue, *swap))
                return true;
        }
    return false;
}

/* Whether a condition with which the loop is left at a block says that an exchange has succeeded, or that none is
 * needed any longer; of several that each lead out, all. */
static bool saysDone(const Turns &turns, const Value *condition, bool leavesIfTrue, const BasicBlock *exit,
                     unsigned depth = 0)
{
    const unsigned deepest = 4;
    const Value *a, *b;
    if (depth < deepest && (leavesIfTrue ? match(condition, m_LogicalOr(m_Value(a), m_Value(b)))
                                         : match(condition, m_LogicalAnd(m_Value(a), m_Value(b)))))
        return saysDone(turns, a, leavesIfTrue, exit, depth + 1) && saysDone(turns, b, leavesIfTrue, exit, depth + 1);
    if (const Instruction *exchange = exchangeOf(turns.loop, condition, 1))
        return turns.precedes(exchange, exit) && leavesIfTrue &&
               saysSuccess(turns.loop, *exchange, cast<AtomicCmpXchgInst>(exchange)->getCompareOperand());
    auto *test = dyn_cast<CmpInst>(condition);
    return test && (asksForSuccess(turns, *test, leavesIfTrue, exit) || asksForOrder(turns, condition, leavesIfTrue));
}

/* Whether that is so of the way out at this block, which is passed in each turn. */
static bool leavesBySuccess(const Turns &turns, const BasicBlock *exit)
{
    const BasicBlock *latch = turns.loop.getLoopLatch();
    auto *branch = dyn_cast<BranchInst>(exit->getTerminator());
    return branch && branch->isConditional() && latch && turns.precedes(branch, latch) &&
           saysDone(turns, branch->getCondition(), !turns.loop.contains(branch->getSuccessor(0)), exit);
}

bool isRetry(const Loop &loop, const LoopInfo &loops, const DominatorTree &dominators)
{
    const Turns turns = {loop, loops, dominators};
    SmallVector<BasicBlock *, 4> exiting;
    loop.getExitingBlocks(exiting);
    return !exiting.empty() && all_of(exiting, [&](const BasicBlock *exit) { return leavesBySuccess(turns, exit); });
}

} // namespace gpuperf
