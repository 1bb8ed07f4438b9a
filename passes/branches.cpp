#include "passes/branches.h"

#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/ProfDataUtils.h"

#include "passes/classify.h"
#include "passes/constant_tables.h"

using namespace llvm;

namespace gpuperf {

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

/* The magnitude of a floating-point number, or its bits (which LLVM writes so for bits less the sign): the kind of number. */
static const fltSemantics *magnitude(const Value *value)
{
    if (auto *bits = dyn_cast<BitCastInst>(value))
        value = bits->getOperand(0);
    auto *call = dyn_cast<CallBase>(value);
    const Function *callee = call ? call->getCalledFunction() : nullptr;
    bool isAbs = callee && (callee->getIntrinsicID() == Intrinsic::fabs || callee->getName().starts_with("llvm.nvvm.fabs"));
    return isAbs && value->getType()->isFloatingPointTy() ? &value->getType()->getFltSemantics() : nullptr;
}

/*
 * Mathematical functions leave their fast path for large arguments: |x| > 105615 in a sine, |x| = infinity. Beyond what half precision holds
 * a magnitude is taken to be as unlikely as what a program marks so (LLVM's weights of expected branches). 1: the first way
 * is that one, -1: the second is, 0: the condition is of another kind.
 */
static int rareWay(const Instruction &terminator)
{
    const Value *condition = conditionOf(terminator);
    auto *compare = condition ? dyn_cast<CmpInst>(condition) : nullptr;
    if (!compare)
        return 0;
    const fltSemantics *semantics = magnitude(compare->getOperand(0));
    if (!semantics)
        return 0;
    APFloat bound(*semantics), large(*semantics, "65504");
    if (auto *number = dyn_cast<ConstantFP>(compare->getOperand(1)))
        bound = number->getValueAPF();
    else if (auto *bits = dyn_cast<ConstantInt>(compare->getOperand(1)))
        bound = APFloat(*semantics, bits->getValue());
    if (bound < large)
        return 0;
    switch (compare->getPredicate()) {
    case CmpInst::FCMP_OGT: case CmpInst::FCMP_OGE: case CmpInst::FCMP_UGT: case CmpInst::FCMP_UGE: case CmpInst::FCMP_OEQ: case CmpInst::FCMP_UEQ:
    case CmpInst::ICMP_UGT: case CmpInst::ICMP_UGE: case CmpInst::ICMP_SGT: case CmpInst::ICMP_SGE: case CmpInst::ICMP_EQ:
        return 1;
    case CmpInst::FCMP_OLT: case CmpInst::FCMP_OLE: case CmpInst::FCMP_ULT: case CmpInst::FCMP_ULE: case CmpInst::FCMP_ONE: case CmpInst::FCMP_UNE:
    case CmpInst::ICMP_ULT: case CmpInst::ICMP_ULE: case CmpInst::ICMP_SLT: case CmpInst::ICMP_SLE: case CmpInst::ICMP_NE:
        return -1;
    default:
        return 0;
    }
}

bool branchProbability(const Instruction &terminator, uint16_t &probability)
{
    constexpr unsigned likely = 2000, unlikely = 1;
    SmallVector<uint32_t, 4> weights;
    if (!extractBranchWeights(terminator, weights) || weights.empty()) {
        int rare = isa<BranchInst>(terminator) ? rareWay(terminator) : 0;
        if (rare == 0)
            return false;
        weights = rare > 0 ? SmallVector<uint32_t, 4>{unlikely, likely} : SmallVector<uint32_t, 4>{likely, unlikely};
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
        bool followed = !call->isInlineAsm() || found.cost.cost == GP_CLASS_FREE; /* what assembly costs may be known, what it gives is not */
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
