/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "passes/analysis/branches.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/ProfDataUtils.h"

#include "passes/cost/classify.h"
#include "passes/analysis/constant_tables.h"
#include "passes/ir/joined_conditions.h"
#include "passes/analysis/nan_comparisons.h"

using namespace llvm;

namespace gpuperf
{

const Value *conditionOf(const Instruction &terminator)
{
    if (auto *branch = dyn_cast<BranchInst>(&terminator))
        return branch->isConditional() ? branch->getCondition() : nullptr;
    if (auto *choice = dyn_cast<SwitchInst>(&terminator))
        return choice->getCondition();
    return nullptr;
}

gp_branch_kind branchKind(uint8_t origin)
{
    if (origin & OriginData)
        return GP_BRANCH_DATA;
    if (origin & OriginInduction)
        return GP_BRANCH_INDUCTION;
    return origin & OriginThread ? GP_BRANCH_THREAD : GP_BRANCH_ARGUMENT;
}

static bool isCallOf(const Value *value, Intrinsic::ID id)
{
    auto *call = dyn_cast<IntrinsicInst>(value);
    return call && call->getIntrinsicID() == id;
}

/* The upper half of a double, with sign and exponent; also of one of several. */
static bool isUpperHalf(const Value *value)
{
    if (auto *phi = dyn_cast<PHINode>(value))
        return all_of(phi->incoming_values(), [](const Use &use) { return isCallOf(use, Intrinsic::nvvm_d2i_hi); });
    return isCallOf(value, Intrinsic::nvvm_d2i_hi);
}

/* The number whose magnitude a value is, or its bits (which LLVM writes so for bits less the sign); or null. */
static const Value *magnitudeOf(const Value *value)
{
    if (auto *bits = dyn_cast<BitCastInst>(value))
        value = bits->getOperand(0);
    auto *call = dyn_cast<CallBase>(value);
    const Function *callee = call ? call->getCalledFunction() : nullptr;
    bool isAbs =
        callee && (callee->getIntrinsicID() == Intrinsic::fabs || callee->getName().starts_with("llvm.nvvm.fabs"));
    return isAbs && value->getType()->isFloatingPointTy() ? call->getArgOperand(0) : nullptr;
}

/* The order of magnitudes is that of their bits. */
static CmpInst::Predicate orderOfBits(CmpInst::Predicate predicate)
{
    switch (predicate) {
    case CmpInst::FCMP_OGT:
    case CmpInst::FCMP_UGT: return CmpInst::ICMP_UGT;
    case CmpInst::FCMP_OGE:
    case CmpInst::FCMP_UGE: return CmpInst::ICMP_UGE;
    case CmpInst::FCMP_OLT:
    case CmpInst::FCMP_ULT: return CmpInst::ICMP_ULT;
    case CmpInst::FCMP_OLE:
    case CmpInst::FCMP_ULE: return CmpInst::ICMP_ULE;
    case CmpInst::FCMP_OEQ:
    case CmpInst::FCMP_UEQ: return CmpInst::ICMP_EQ;
    case CmpInst::FCMP_ONE:
    case CmpInst::FCMP_UNE: return CmpInst::ICMP_NE;
    default: return predicate;
    }
}

/* Bits that a condition holds for, and those that ordinary numbers have. */
struct Bits {
    ConstantRange holds, ordinary;
};

/* The upper halves of doubles: where half precision ends, about where the exponential function does, where denormal
 * numbers do. */
static const unsigned upperOf65504 = 0x40effc00, upperOf512 = 0x40800000, upperOfLeastNormal = 0x00100000;

static std::optional<Bits> magnitudeBits(const CmpInst &compare)
{
    const Value *number = magnitudeOf(compare.getOperand(0));
    auto *constant = dyn_cast<Constant>(compare.getOperand(1));
    CmpInst::Predicate predicate = orderOfBits(compare.getPredicate());
    if (!number || !constant || !CmpInst::isIntPredicate(predicate))
        return std::nullopt;
    auto *real = dyn_cast<ConstantFP>(constant);
    auto *integer = dyn_cast<ConstantInt>(constant);
    if ((!real || real->isNegative()) && !integer)
        return std::nullopt;
    APInt bound = real ? real->getValueAPF().bitcastToAPInt() : integer->getValue();
    auto *view = dyn_cast<BitCastInst>(number);
    bool half = view && isUpperHalf(view->getOperand(0)); /* libdevice's way to compare doubles */
    APInt end = half ? APInt(32, upperOf512) : APFloat(number->getType()->getFltSemantics(), "65504").bitcastToAPInt();
    return Bits{ConstantRange::makeExactICmpRegion(predicate, bound),
                ConstantRange(APInt(bound.getBitWidth(), 0), end)};
}

/* Comparisons of a double's upper half, as libdevice makes them where negative numbers are none that the function is
 * made for. */
static std::optional<Bits> upperHalfBits(const CmpInst &compare)
{
    const Value *value = compare.getOperand(0);
    auto *bound = dyn_cast<ConstantInt>(compare.getOperand(1));
    APInt added(32, 0);
    auto *sum = dyn_cast<BinaryOperator>(value);
    if (auto *number =
            sum && sum->getOpcode() == Instruction::Add ? dyn_cast<ConstantInt>(sum->getOperand(1)) : nullptr;
        number && number->getBitWidth() == 32) {
        added = number->getValue();
        value = sum->getOperand(0);
    }
    if (!bound || !isUpperHalf(value) || bound->isZero() || bound->isMinusOne()) /* signs */
        return std::nullopt;
    return Bits{ConstantRange::makeExactICmpRegion(compare.getPredicate(), bound->getValue()).subtract(added),
                ConstantRange(APInt(32, upperOfLeastNormal), APInt(32, upperOf65504))};
}

/*
 * Mathematical functions leave their fast path for extraordinary arguments: |x| > 105615 in a sine, infinity. Nobody
 * computes with these: magnitudes beyond what half precision holds, NaNs; for libdevice's functions of doubles,
 * exponentials beyond 512, logarithms of less than the least normal number. Whether the condition holds for others;
 * nothing where it is of another kind.
 */
static std::optional<bool> holdsForOrdinary(const Value &condition)
{
    if (std::optional<bool> isNumber = nanTest(condition))
        return isNumber;
    auto *compare = dyn_cast<CmpInst>(&condition);
    std::optional<Bits> bits = compare ? magnitudeBits(*compare) : std::nullopt;
    if (!bits && compare && compare->getOperand(0)->getType()->isIntegerTy(32))
        bits = upperHalfBits(*compare);
    if (bits && bits->holds.contains(bits->ordinary))
        return true;
    return bits && bits->holds.intersectWith(bits->ordinary).isEmptySet() ? std::optional<bool>(false) : std::nullopt;
}

/* Whether all that is done on a way is to compute, as in a mathematical function. */
static bool onlyComputes(const BasicBlock &way, const DominatorTree &dominators)
{
    if (!way.getSinglePredecessor()) /* where the other way leads to as well */
        return true;
    return all_of(*way.getParent(), [&](const BasicBlock &block) {
        return !dominators.dominates(&way, &block) || all_of(block, [](const Instruction &inst) {
            const Value *pointer = getLoadStorePointerOperand(&inst);
            return !inst.mayWriteToMemory() || (pointer && isa<AllocaInst>(getUnderlyingObject(pointer)));
        });
    });
}

bool branchProbability(const Instruction &terminator, const DominatorTree &dominators, uint16_t &probability)
{
    constexpr unsigned likely = 2000, unlikely = 1;
    SmallVector<uint32_t, 4> weights;
    if (!extractBranchWeights(terminator, weights) || weights.empty()) {
        std::optional<bool> holds = conditionOf(terminator) && isa<BranchInst>(terminator)
                                        ? joinedAnswer(*conditionOf(terminator), holdsForOrdinary)
                                        : std::nullopt;
        if (!holds)
            return false;
        unsigned otherwise = onlyComputes(*terminator.getSuccessor(*holds ? 1 : 0), dominators) ? 0 : unlikely;
        weights = *holds ? SmallVector<uint32_t, 4>{likely, otherwise} : SmallVector<uint32_t, 4>{otherwise, likely};
    }
    uint64_t sum = 0;
    for (uint32_t weight : weights)
        sum += weight;
    if (sum == 0)
        return false;
    probability = (uint16_t)((uint64_t)weights[0] * 65535 / sum);
    return true;
}

/* What the compiler knows to stand in a table is decided by where it is looked up. */
uint8_t Origins::originOfTable(const LoadInst &load) const
{
    TableLookup lookup = tableLookup(load);
    uint8_t origin = lookup ? 0 : OriginData;
    for (const AddressTerm &term : lookup.terms)
        origin |= origins.lookup(term.index);
    return origin;
}

uint8_t Origins::compute(const Instruction &inst) const
{
    auto id = ids.reads.find(&inst);
    if (id != ids.reads.end()) {
        gp_id kind = id->second.id;
        bool varies = kind == GP_ID_LOCAL || kind == GP_ID_GROUP || kind == GP_ID_GLOBAL || kind == GP_ID_LANE ||
                      kind == GP_ID_SUBGROUP;
        return varies ? OriginThread : 0;
    }
    uint8_t origin = 0;
    if (auto *load = dyn_cast<LoadInst>(&inst)) { /* members of a struct passed by value are arguments */
        const Value *base = load->getPointerOperand()->stripInBoundsOffsets();
        auto *argument = dyn_cast<Argument>(base);
        bool byValue = argument && (argument->hasByValAttr() || argument->hasByRefAttr());
        return byValue ? 0 : originOfTable(*load);
    }
    if (isa<AtomicRMWInst>(inst) || isa<AtomicCmpXchgInst>(inst))
        return OriginData;
    if (auto *call = dyn_cast<CallBase>(&inst)) {
        CallClass found = classifyCall(*call, target);
        bool followed = !call->isInlineAsm() || found.cost.cost == GP_CLASS_FREE ||
                        lowerElement(*call, 0).kind !=
                            Lowering::Opaque; /* what assembly costs may be known though what it gives is not */
        if ((found.kind != CallKind::Arithmetic && found.kind != CallKind::Free) || !followed)
            return OriginData;
    }
    for (const Value *operand : inst.operands())
        origin |= origins.lookup(operand);
    if (auto *phi = dyn_cast<PHINode>(&inst)) {
        const Loop *loop = loops.getLoopFor(phi->getParent());
        if (loop && loop->getHeader() == phi->getParent())
            return origin | OriginInduction;
        /* Which value arrives is decided by the branch above, unless all are the same. */
        const auto *node = dominators.getNode(phi->getParent());
        const auto *above = node ? node->getIDom() : nullptr;
        const Value *condition = above ? conditionOf(*above->getBlock()->getTerminator()) : nullptr;
        if (condition && !phi->hasConstantValue())
            origin |= origins.lookup(condition) & ~OriginInduction;
    }
    return origin;
}

void Origins::look(ArrayRef<BasicBlock *> order)
{
    for (const BasicBlock *block : order)
        for (const Instruction &inst : *block)
            if (uint8_t origin = inst.getType()->isVoidTy() ? 0 : compute(inst))
                origins[&inst] |= origin;
}

/* Only what phis take from blocks further down can have changed since they were looked at. */
bool Origins::isSettled(ArrayRef<BasicBlock *> order) const
{
    for (const BasicBlock *block : order)
        for (const PHINode &phi : block->phis())
            if (compute(phi) & ~origins.lookup(&phi))
                return false;
    return true;
}

Origins::Origins(const LoopInfo &loops, const DominatorTree &dominators, const WorkItemIds &ids,
                 ArrayRef<BasicBlock *> order, Target target)
    : loops(loops), dominators(dominators), ids(ids), target(target)
{
    /* Sets only grow, and a fact crosses a back edge per round: as many rounds as loops are nested, and some. */
    for (unsigned round = 0; round == 0 || (round < 16 && !isSettled(order)); round++)
        look(order);
}

} // namespace gpuperf
