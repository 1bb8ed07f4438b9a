/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "passes/analysis/loops.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/PatternMatch.h"

#include "passes/ir/counters.h"
#include "passes/analysis/retries.h"
#include "passes/analysis/slice.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace gpuperf
{

/* A phi of the recurrence's loop from which it differs by a loop-invariant amount: recurrence = extended phi +
 * difference. */
struct PhiMatch {
    const PHINode *phi = nullptr; /* null: there is none */
    const SCEV *difference = nullptr;
    gp_op extension = GP_OP_COPY; /* GP_OP_ZEXT or GP_OP_SEXT where the phi is narrower */
};

/* The recurrence of a phi in the type asked for: itself, or extended where that keeps it a recurrence. */
static const SCEVAddRecExpr *recurrenceOf(PHINode &phi, Type *type, const Loop *loop, gp_op extension,
                                          ScalarEvolution &evolution)
{
    const SCEV *own = evolution.getSCEV(&phi);
    if (extension != GP_OP_COPY) {
        if (!phi.getType()->isIntegerTy() || !type->isIntegerTy() ||
            phi.getType()->getIntegerBitWidth() >= type->getIntegerBitWidth())
            return nullptr;
        own = extension == GP_OP_ZEXT ? evolution.getZeroExtendExpr(own, type) : evolution.getSignExtendExpr(own, type);
    }
    auto *recurrence = dyn_cast<SCEVAddRecExpr>(own);
    return own->getType() == type && recurrence && recurrence->getLoop() == loop && recurrence->isAffine() ? recurrence
                                                                                                           : nullptr;
}

static PhiMatch phiFor(const SCEVAddRecExpr &recurrence, ScalarEvolution &evolution)
{
    PhiMatch best;
    const Loop *loop = recurrence.getLoop();
    if (!recurrence.isAffine())
        return best;
    for (PHINode &phi : loop->getHeader()->phis()) {
        if (!evolution.isSCEVable(phi.getType()))
            continue;
        for (gp_op extension : {GP_OP_COPY, GP_OP_ZEXT, GP_OP_SEXT}) {
            const SCEVAddRecExpr *own = recurrenceOf(phi, recurrence.getType(), loop, extension, evolution);
            if (!own || own->getStepRecurrence(evolution) != recurrence.getStepRecurrence(evolution))
                continue;
            const SCEV *apart = evolution.getMinusSCEV(recurrence.getStart(), own->getStart());
            if (isa<SCEVCouldNotCompute>(apart))
                continue;
            best = {&phi, apart, extension};
            if (apart->isZero())
                return best;
        }
    }
    return best;
}

namespace
{

/*
 * Recurrences of the loops around as expressions of those loops' phis: of one that moves alike, or of one that counts.
 */
struct WithoutRecurrences : SCEVRewriteVisitor<WithoutRecurrences> {
    bool possible = true;
    unsigned depth = 0;

    explicit WithoutRecurrences(ScalarEvolution &evolution) : SCEVRewriteVisitor(evolution) {}

    /* Iterations of the loop so far, from a phi that grows or shrinks by one. */
    const SCEV *iterationOf(const Loop &loop, Type *type)
    {
        for (PHINode &phi : loop.getHeader()->phis()) {
            if (!phi.getType()->isIntegerTy() || phi.getType()->getIntegerBitWidth() > 64)
                continue;
            auto *own = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(&phi));
            if (!own || own->getLoop() != &loop || !own->isAffine())
                continue;
            auto *step = dyn_cast<SCEVConstant>(own->getStepRecurrence(SE));
            if (!step || !(step->getAPInt().isOne() || step->getAPInt().isAllOnes()))
                continue;
            const SCEV *here = SE.getUnknown(&phi), *start = own->getStart();
            const SCEV *passed = step->getAPInt().isOne() ? SE.getMinusSCEV(here, start) : SE.getMinusSCEV(start, here);
            return SE.getTruncateOrZeroExtend(passed, type);
        }
        return nullptr;
    }
    const SCEV *fail(const SCEV *expression)
    {
        possible = false;
        return expression;
    }
    const SCEV *visitAddRecExpr(const SCEVAddRecExpr *recurrence)
    {
        if (!possible || ++depth > 32)
            return fail(recurrence);
        if (PhiMatch match = phiFor(*recurrence, SE); match.phi) {
            const SCEV *phi = SE.getUnknown(const_cast<PHINode *>(match.phi));
            if (match.extension == GP_OP_ZEXT)
                phi = SE.getZeroExtendExpr(phi, recurrence->getType());
            else if (match.extension == GP_OP_SEXT)
                phi = SE.getSignExtendExpr(phi, recurrence->getType());
            return match.difference->isZero() ? phi : SE.getAddExpr(phi, visit(match.difference));
        }
        Type *type = SE.getEffectiveSCEVType(recurrence->getType());
        const SCEV *iteration = recurrence->getNumOperands() <= 3 ? iterationOf(*recurrence->getLoop(), type) : nullptr;
        if (!iteration)
            return fail(recurrence);
        return visit(recurrence->evaluateAtIteration(iteration, SE));
    }
};

/* The expression without recurrences; null: it has parts that a profile cannot hold. */
const SCEV *withoutRecurrences(const SCEV *expression, ScalarEvolution &evolution)
{
    WithoutRecurrences rewriter(evolution);
    const SCEV *result = rewriter.visit(expression);
    return rewriter.possible && !isa<SCEVCouldNotCompute>(result) ? result : nullptr;
}

/* Finds values; stops at what an expression cannot hold. */
struct LeafFinder {
    SmallVectorImpl<const Value *> &values;
    bool possible = true;
    unsigned depth = 0;

    bool visit(const SCEV *expression)
    {
        bool wide = expression->getType()->isIntegerTy() && expression->getType()->getIntegerBitWidth() > 64;
        if (++depth > 200 || !possible || wide)
            return possible = false;
        switch (expression->getSCEVType()) {
        case scConstant: return possible = cast<SCEVConstant>(expression)->getAPInt().getBitWidth() <= 64;
        case scUnknown:
            if (!elementBitsFit(expression->getType()))
                return possible = false;
            values.push_back(cast<SCEVUnknown>(expression)->getValue());
            return true;
        case scTruncate:
        case scZeroExtend:
        case scPtrToInt: /* widths between (i31) are kept in the next one, upper bits zero */
            return visit(cast<SCEVCastExpr>(expression)->getOperand());
        case scSignExtend:
            possible = elementBitsFit(cast<SCEVCastExpr>(expression)->getOperand()->getType());
            return possible && visit(cast<SCEVCastExpr>(expression)->getOperand());
        case scSMaxExpr:
        case scSMinExpr:
            if (!elementBitsFit(expression->getType()))
                return possible = false;
            [[fallthrough]];
        case scAddExpr:
        case scMulExpr:
        case scUMaxExpr:
        case scUMinExpr:
        case scSequentialUMinExpr:
            for (const SCEV *operand : cast<SCEVNAryExpr>(expression)->operands())
                if (!visit(operand))
                    return false;
            return true;
        case scUDivExpr:
            return visit(cast<SCEVUDivExpr>(expression)->getLHS()) && visit(cast<SCEVUDivExpr>(expression)->getRHS());
        default: return possible = false;
        }
    }

    static bool elementBitsFit(const Type *type)
    {
        bool exact;
        elementBits(type, &exact);
        return exact;
    }
};

bool collectLeaves(const SCEV *expression, SmallVectorImpl<const Value *> &values)
{
    LeafFinder finder{values};
    return finder.visit(expression);
}

} // namespace

void collectLeaves(const LoopFact &fact, SmallVectorImpl<const Value *> &values)
{
    if (fact.tripCount)
        collectLeaves(fact.tripCount, values);
    for (const TripOperation &operation : fact.inductionCount)
        for (const TripOperand &operand : operation.operands)
            if (operand.kind == TripOperand::Value)
                values.push_back(operand.value);
    for (const InductionFact &induction : fact.inductions)
        collectLeaves(induction.step, values);
}

/*
 * LLVM's runtime unrolling counts the old iterations in an induction of its own: from 0 by the factor, used for nothing
 * but the comparison that ends the loop.
 */
static unsigned unrollFactor(const Loop &loop)
{
    const BasicBlock *latch = loop.getLoopLatch();
    auto *branch = latch ? dyn_cast<BranchInst>(latch->getTerminator()) : nullptr;
    auto *test = branch && branch->isConditional() ? dyn_cast<ICmpInst>(branch->getCondition()) : nullptr;
    if (!test || !test->isEquality())
        return 1;
    for (const PHINode &phi : loop.getHeader()->phis()) {
        const Value *start = nullptr;
        for (unsigned i = 0; i < phi.getNumIncomingValues(); i++)
            if (!loop.contains(phi.getIncomingBlock(i)))
                start = phi.getIncomingValue(i);
        auto *next = dyn_cast<BinaryOperator>(phi.getIncomingValueForBlock(latch));
        auto *zero = dyn_cast_or_null<ConstantInt>(start);
        auto *step = next && next->getOpcode() == Instruction::Add && next->getOperand(0) == &phi
                         ? dyn_cast<ConstantInt>(next->getOperand(1))
                         : nullptr;
        if (!zero || !zero->isZero() || !step || !phi.hasOneUse() || !next->hasNUses(2) || test->getOperand(0) != next)
            continue;
        if (step->getValue().ugt(1) && step->getValue().ule(64))
            return (unsigned)step->getZExtValue();
    }
    return 1;
}

/* By two nothing is left over but one turn, which an `if` makes: a counter starts where it would or half a step on. */
static bool isUnrolledByTwo(const Loop &loop, ArrayRef<InductionFact> inductions, ScalarEvolution &evolution)
{
    const BasicBlock *before = loop.getLoopPredecessor();
    for (const InductionFact &induction : inductions) {
        auto *step = dyn_cast<SCEVConstant>(induction.step);
        auto *start = before ? dyn_cast<PHINode>(induction.phi->getIncomingValueForBlock(before)) : nullptr;
        if (!step || !start || start->getNumIncomingValues() != 2)
            continue;
        const SCEV *first = evolution.getSCEV(start->getIncomingValue(0)),
                   *second = evolution.getSCEV(start->getIncomingValue(1));
        auto *apart = dyn_cast<SCEVConstant>(evolution.getMinusSCEV(second, first));
        if (apart && !apart->isZero() && step->getAPInt().abs() == apart->getAPInt().abs() * 2)
            return true;
    }
    return false;
}

static const SCEV *lesser(const SCEV *a, const SCEV *b, ScalarEvolution &evolution)
{
    if (isa<SCEVCouldNotCompute>(a) || isa<SCEVCouldNotCompute>(b))
        return isa<SCEVCouldNotCompute>(a) ? b : a;
    return evolution.getUMinFromMismatchedTypes(a, b);
}

/* Of conditions any of which ends the loop, `k >= n || loaded`: the least count of those that have one. */
static const SCEV *partialExitCount(Loop &loop, Value &condition, bool leavesIfTrue, ScalarEvolution &evolution,
                                    unsigned depth = 0)
{
    Value *a, *b;
    bool joined = leavesIfTrue ? match(&condition, m_LogicalOr(m_Value(a), m_Value(b)))
                               : match(&condition, m_LogicalAnd(m_Value(a), m_Value(b)));
    if (joined && depth < 8)
        return lesser(partialExitCount(loop, *a, leavesIfTrue, evolution, depth + 1),
                      partialExitCount(loop, *b, leavesIfTrue, evolution, depth + 1), evolution);
    if (depth == 0) /* nothing is joined: scalar evolution has looked at it as a whole */
        return evolution.getCouldNotCompute();
    return evolution.computeExitLimitFromCond(&loop, &condition, leavesIfTrue, false).ExactNotTaken;
}

/* Every exit that each iteration passes bounds the loop: the least of those that are known. */
static const SCEV *leastExitCount(Loop &loop, ScalarEvolution &evolution, const DominatorTree &dominators,
                                  const Origins &origins)
{
    const SCEV *least = evolution.getCouldNotCompute();
    SmallVector<BasicBlock *, 4> exiting;
    loop.getExitingBlocks(exiting);
    for (BasicBlock *block : exiting) {
        if (!loop.getLoopLatch() || !dominators.dominates(block, loop.getLoopLatch()))
            continue;
        const SCEV *count = evolution.getExitCount(&loop, block);
        auto *branch = dyn_cast<BranchInst>(block->getTerminator());
        /* Where nothing is loaded execution finds the end, and a bound that may be too large would only mislead it. */
        if (isa<SCEVCouldNotCompute>(count) && branch && branch->isConditional() &&
            (origins.of(branch->getCondition()) & OriginData))
            count = partialExitCount(loop, *branch->getCondition(), !loop.contains(branch->getSuccessor(0)), evolution);
        least = lesser(least, count, evolution);
    }
    return least;
}

/* Times the header is entered, free of recurrences and of loaded values; null: not known. */
static const SCEV *tripCountOf(Loop &loop, ScalarEvolution &evolution, const DominatorTree &dominators,
                               const Origins &origins)
{
    const SCEV *taken = evolution.getBackedgeTakenCount(&loop);
    if (isa<SCEVCouldNotCompute>(taken))
        taken = leastExitCount(loop, evolution, dominators, origins);
    if (isa<SCEVCouldNotCompute>(taken) || !taken->getType()->isIntegerTy() ||
        taken->getType()->getIntegerBitWidth() > 64)
        return nullptr;
    const SCEV *trips =
        evolution.getTripCountFromExitCount(taken, Type::getInt64Ty(loop.getHeader()->getContext()), &loop);
    trips = withoutRecurrences(trips, evolution);
    SmallVector<const Value *, 8> values;
    if (!trips || !collectLeaves(trips, values))
        return nullptr;
    bool data = any_of(values, [&](const Value *value) { return origins.of(value) & OriginData; });
    return data ? nullptr : trips;
}

/* The same by the analysis of inductions; empty: not known. */
static TripExpression inductionCountOf(const Loop &loop, const DominatorTree &dominators, const Origins &origins)
{
    TripExpression trips = inductionTripCount(loop, dominators);
    for (const TripOperation &operation : trips)
        for (const TripOperand &operand : operation.operands)
            if (operand.kind == TripOperand::Value && (origins.of(operand.value) & OriginData))
                return {};
    return trips;
}

/* Where the loop starts; a header that the source does not have (makeReducible()) is where its first block is. */
static DebugLoc placeOf(const Loop &loop)
{
    DebugLoc start = loop.getStartLoc();
    for (const BasicBlock *block : loop.blocks())
        for (const Instruction &inst : *block)
            if (!start)
                start = inst.getDebugLoc();
    return start;
}

/* What takes a step in each iteration that is known before the loop. */
static std::vector<InductionFact> inductionsOf(const Loop &loop, ScalarEvolution &evolution, CounterReach &counters)
{
    std::vector<InductionFact> inductions;
    for (PHINode &phi : loop.getHeader()->phis()) {
        if (!evolution.isSCEVable(phi.getType()) || !counters.reach(phi, loop))
            continue;
        auto *recurrence = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(&phi));
        if (!recurrence || recurrence->getLoop() != &loop || !recurrence->isAffine())
            continue;
        const SCEV *step = withoutRecurrences(recurrence->getStepRecurrence(evolution), evolution);
        SmallVector<const Value *, 8> values;
        if (step && collectLeaves(step, values))
            inductions.push_back({&phi, step});
    }
    return inductions;
}

static LoopFact factOf(Loop &loop, const LoopInfo &loops, ScalarEvolution &evolution, const DominatorTree &dominators,
                       const Origins &origins, CounterReach &counters)
{
    LoopFact fact;
    fact.loop = &loop;
    fact.location = placeOf(loop);
    fact.unroll = unrollFactor(loop);
    uint8_t exits = 0;
    SmallVector<BasicBlock *, 4> exiting;
    loop.getExitingBlocks(exiting);
    for (BasicBlock *block : exiting)
        if (const Value *condition = conditionOf(*block->getTerminator()))
            exits |= origins.of(condition);
    fact.dataDependent = exits & OriginData;

    fact.tripCount = tripCountOf(loop, evolution, dominators, origins);
    if (!fact.tripCount)
        fact.inductionCount = inductionCountOf(loop, dominators, origins);
    if (fact.tripCount)
        fact.bound = isa<SCEVConstant>(fact.tripCount) ? GP_BOUND_CONSTANT : GP_BOUND_SCEV;
    else if (!fact.inductionCount.empty())
        fact.bound = GP_BOUND_INDUCTION;
    else
        fact.bound = isRetry(loop, loops, dominators)        ? GP_BOUND_RETRY
                     : fact.dataDependent || exiting.empty() ? GP_BOUND_ASSUMED
                                                             : GP_BOUND_EXECUTED;

    fact.inductions = inductionsOf(loop, evolution, counters);
    if (fact.unroll == 1 && isUnrolledByTwo(loop, fact.inductions, evolution))
        fact.unroll = 2;
    return fact;
}

/* The longest constant step of the loop's integer counters; 0: it has none. */
static uint64_t longestStep(const LoopFact &fact)
{
    uint64_t longest = 0;
    for (const InductionFact &induction : fact.inductions) {
        auto *step = induction.phi->getType()->isIntegerTy() ? dyn_cast<SCEVConstant>(induction.step) : nullptr;
        if (step)
            longest = std::max(longest, step->getAPInt().abs().getLimitedValue());
    }
    return longest;
}

/*
 * An unrolled loop and what is left over stand side by side at one place of the source; of some the unrolled one can be
 * told by its longer steps only. That of the remainders, too, so that few iterations are assumed of them.
 */
static void findUnrolledFamilies(std::vector<LoopFact> &facts)
{
    const uint64_t mostUnrolled = 64;
    for (LoopFact &fact : facts)
        for (const LoopFact &other : facts) {
            if (&other == &fact || !fact.location || other.location != fact.location ||
                other.loop->getParentLoop() != fact.loop->getParentLoop())
                continue;
            uint64_t longer = std::max(longestStep(fact), longestStep(other)),
                     shorter = std::min(longestStep(fact), longestStep(other));
            if (shorter > 0 && longer % shorter == 0 && longer / shorter <= mostUnrolled)
                fact.unroll = std::max(fact.unroll, unsigned(longer / shorter));
        }
}

std::vector<LoopFact> findLoops(const LoopInfo &loops, ScalarEvolution *evolution, const DominatorTree &dominators,
                                const Origins &origins, const BlockSet &irreducible)
{
    std::vector<LoopFact> facts;
    CounterReach counters;
    for (Loop *loop : const_cast<LoopInfo &>(loops).getLoopsInPreorder()) {
        facts.push_back(factOf(*loop, loops, *evolution, dominators, origins, counters));
        facts.back().irreducible = irreducible.contains(loop->getHeader());
    }
    findUnrolledFamilies(facts);
    return facts;
}

} // namespace gpuperf
