#include "passes/loops.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Constants.h"

#include "passes/slice.h"

using namespace llvm;

namespace gpuperf {

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

PhiMatch phiFor(const SCEVAddRecExpr &recurrence, ScalarEvolution &evolution)
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

namespace {

/* Finds values and recurrences; stops at what an expression cannot hold. */
struct LeafFinder {
    ScalarEvolution &evolution;
    SmallVectorImpl<const Value *> &values;
    bool possible = true;
    unsigned depth = 0;

    bool visit(const SCEV *expression)
    {
        if (++depth > 200 || !possible)
            return possible = false;
        switch (expression->getSCEVType()) {
        case scConstant:
            return possible = cast<SCEVConstant>(expression)->getAPInt().getBitWidth() <= 64;
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
        case scSMaxExpr: case scSMinExpr:
            if (!elementBitsFit(expression->getType()))
                return possible = false;
            [[fallthrough]];
        case scAddExpr: case scMulExpr: case scUMaxExpr: case scUMinExpr: case scSequentialUMinExpr:
            for (const SCEV *operand : cast<SCEVNAryExpr>(expression)->operands())
                if (!visit(operand))
                    return false;
            return true;
        case scUDivExpr:
            return visit(cast<SCEVUDivExpr>(expression)->getLHS()) && visit(cast<SCEVUDivExpr>(expression)->getRHS());
        case scAddRecExpr: {
            PhiMatch match = phiFor(*cast<SCEVAddRecExpr>(expression), evolution);
            if (!match.phi || !elementBitsFit(match.phi->getType()) || !elementBitsFit(expression->getType()))
                return possible = false;
            values.push_back(match.phi);
            return visit(match.difference);
        }
        default:
            return possible = false;
        }
    }

    static bool elementBitsFit(const Type *type)
    {
        bool exact;
        elementBits(type, &exact);
        return exact;
    }
};

} // namespace

bool collectLeaves(const SCEV *expression, ScalarEvolution &evolution, SmallVectorImpl<const Value *> &values)
{
    LeafFinder finder{evolution, values};
    return finder.visit(expression);
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

static const SCEV *tripCountOf(Loop &loop, ScalarEvolution &evolution)
{
    const SCEV *taken = evolution.getBackedgeTakenCount(&loop);
    if (isa<SCEVCouldNotCompute>(taken)) { /* the exit that every iteration passes bounds the others */
        BasicBlock *latch = loop.getLoopLatch();
        if (latch && loop.isLoopExiting(latch))
            taken = evolution.getExitCount(&loop, latch);
        if (isa<SCEVCouldNotCompute>(taken) && loop.isLoopExiting(loop.getHeader()))
            taken = evolution.getExitCount(&loop, loop.getHeader());
    }
    if (isa<SCEVCouldNotCompute>(taken) || !taken->getType()->isIntegerTy() ||
        taken->getType()->getIntegerBitWidth() > 64)
        return nullptr;
    return evolution.getTripCountFromExitCount(taken, Type::getInt64Ty(loop.getHeader()->getContext()), &loop);
}

static LoopFact factOf(Loop &loop, ScalarEvolution &evolution, const Origins &origins)
{
    LoopFact fact;
    fact.loop = &loop;
    fact.location = loop.getStartLoc();
    fact.unroll = unrollFactor(loop);
    uint8_t exits = 0;
    SmallVector<BasicBlock *, 4> exiting;
    loop.getExitingBlocks(exiting);
    for (BasicBlock *block : exiting)
        if (const Value *condition = conditionOf(*block->getTerminator()))
            exits |= origins.of(condition);
    fact.dataDependent = exits & OriginData;

    if (const SCEV *trips = tripCountOf(loop, evolution)) {
        SmallVector<const Value *, 8> values;
        bool usable = collectLeaves(trips, evolution, values) &&
                      all_of(values, [&](const Value *value) { return !(origins.of(value) & OriginData); });
        if (usable) {
            fact.tripCount = trips;
            fact.bound = isa<SCEVConstant>(trips) ? GP_BOUND_CONSTANT : GP_BOUND_SCEV;
        }
    }
    if (!fact.tripCount)
        fact.bound = fact.dataDependent || exiting.empty() ? GP_BOUND_ASSUMED : GP_BOUND_EXECUTED;

    for (PHINode &phi : loop.getHeader()->phis()) {
        if (!evolution.isSCEVable(phi.getType()))
            continue;
        auto *recurrence = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(&phi));
        if (!recurrence || recurrence->getLoop() != &loop || !recurrence->isAffine())
            continue;
        const SCEV *step = recurrence->getStepRecurrence(evolution);
        SmallVector<const Value *, 8> values;
        if (collectLeaves(step, evolution, values))
            fact.inductions.push_back({&phi, step});
    }
    return fact;
}

std::vector<LoopFact> findLoops(const LoopInfo &loops, ScalarEvolution *evolution, const Origins &origins)
{
    std::vector<LoopFact> facts;
    for (Loop *loop : const_cast<LoopInfo &>(loops).getLoopsInPreorder())
        facts.push_back(factOf(*loop, *evolution, origins));
    return facts;
}

} // namespace gpuperf
