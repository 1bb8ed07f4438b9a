/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * DESCRIPTION
 *    An address is reduced where scalar evolution, which decides that in LLVM too, sees it start somewhere and take a
 * step that does not change in the loop: base + (row * n + k) * 4 does, unless the index may wrap around in fewer bits
 * than the address has. What it was computed from is not computed any more, as long as nothing else needs it. Addresses
 * that are a constant apart share one pointer, which the access's immediate offset reaches from (no GPU adds a scaled
 * register): the first in the order of the program pays its step.
 *
 *    With nvcc 13.0, per iteration as written, of a naive matrix multiplication unrolled by 16: 25 integer instructions
 * (16 IMAD.WIDE, one per step of a row of B; the pointer into A once), where the IR has 4 per iteration; LLVM's code
 * for gfx906 and gfx1032 has v_add_co, v_addc for each of both pointers.
 *
 * NOTES
 *    The last addition of what a pointer starts from, before the loop, is not counted. How many pointers a loop has
 * registers for is not looked at.
 */
#include "passes/analysis/address_steps.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace gpuperf
{

/* Without the constant that it starts with: what addresses of a pointer have in common. */
static const SCEV *withoutConstant(ScalarEvolution &evolution, const SCEV *scev)
{
    if (auto *recurrence = dyn_cast<SCEVAddRecExpr>(scev)) {
        SmallVector<const SCEV *, 2> operands(recurrence->operands());
        operands[0] = withoutConstant(evolution, operands[0]);
        return evolution.getAddRecExpr(operands, recurrence->getLoop(), SCEV::FlagAnyWrap);
    }
    auto *sum = dyn_cast<SCEVAddExpr>(scev);
    if (!sum)
        return isa<SCEVConstant>(scev) ? evolution.getZero(scev->getType()) : scev;
    SmallVector<const SCEV *, 4> operands;
    for (const SCEV *operand : sum->operands())
        if (!isa<SCEVConstant>(operand))
            operands.push_back(isa<SCEVAddRecExpr>(operand) ? withoutConstant(evolution, operand) : operand);
    return evolution.getAddExpr(operands);
}

/* A number of 32 bits or less, and constant factors: what a wide multiply-add takes. */
static bool isNarrowNumber(const SCEV *step)
{
    if (auto *product = dyn_cast<SCEVMulExpr>(step))
        return product->getNumOperands() == 2 && isa<SCEVConstant>(product->getOperand(0)) &&
               isNarrowNumber(product->getOperand(1));
    return isa<SCEVSignExtendExpr>(step) || isa<SCEVZeroExtendExpr>(step);
}

/* An index whose arithmetic does not wrap around, as its instructions say, takes steps in the width of an address, too.
 */
class Widening : public SCEVRewriteVisitor<Widening>
{
public:
    Widening(ScalarEvolution &evolution) : SCEVRewriteVisitor(evolution) {}
    const SCEV *visitSignExtendExpr(const SCEVSignExtendExpr *scev) { return widened(scev, true); }
    const SCEV *visitZeroExtendExpr(const SCEVZeroExtendExpr *scev) { return widened(scev, false); }

private:
    const SCEV *widened(const SCEVCastExpr *scev, bool isSigned)
    {
        auto *recurrence = dyn_cast<SCEVAddRecExpr>(scev->getOperand());
        if (!recurrence || !recurrence->isAffine())
            return scev;
        auto extended = [&](const SCEV *part) {
            return isSigned ? SE.getSignExtendExpr(part, scev->getType()) : SE.getZeroExtendExpr(part, scev->getType());
        };
        const SCEV *start = withoutConstant(SE, recurrence->getStart()),
                   *constant = SE.getMinusSCEV(recurrence->getStart(), start);
        const SCEV *wide = SE.getAddExpr(extended(start), extended(constant));
        return SE.getAddRecExpr(wide, extended(recurrence->getStepRecurrence(SE)), recurrence->getLoop(),
                                SCEV::FlagAnyWrap);
    }
};

/*
 * Whether what an index is computed from inside the loop does not wrap around. Signed arithmetic never does in C,
 * though LLVM forgets that where it moves what does not change out of a loop: a[j * n + i + x] takes steps with
 * nvcc 13.0, not in LLVM's code for AMD's. Unsigned arithmetic has to say so.
 */
static bool neverWraps(const Value *index, const Loop &loop, bool isSigned, unsigned depth = 8)
{
    auto *inst = dyn_cast<Instruction>(index);
    if (!inst || !loop.contains(inst) || isa<PHINode>(inst))
        return true;
    auto *disjoint = dyn_cast<PossiblyDisjointInst>(inst);
    auto *arithmetic = dyn_cast<OverflowingBinaryOperator>(inst);
    bool kept = (disjoint && disjoint->isDisjoint()) || (arithmetic && (isSigned || arithmetic->hasNoUnsignedWrap()));
    return kept && depth > 0 &&
           all_of(inst->operands(), [&](const Use &operand) { return neverWraps(operand, loop, isSigned, depth - 1); });
}

static bool indicesNeverWrap(const Instruction &pointer, const Loop &loop)
{
    auto *gep = dyn_cast<GetElementPtrInst>(&pointer);
    return gep && all_of(gep->indices(), [&](const Use &index) {
               auto *extension = dyn_cast<CastInst>(index);
               bool isSigned = isa<SExtInst>(index) || (isa<ZExtInst>(index) && cast<ZExtInst>(index)->hasNonNeg());
               return extension && isa<SExtInst, ZExtInst>(extension)
                          ? neverWraps(extension->getOperand(0), loop, isSigned)
                          : true;
           });
}

const SCEVAddRecExpr *AddressSteps::stepsThrough(const Instruction &pointer, const Loop &loop)
{
    if (!counters.reach(pointer, loop))
        return nullptr;
    const SCEV *address = evolution->getSCEV(const_cast<Instruction *>(&pointer));
    if (target != Target::Amdgcn && !isa<SCEVAddRecExpr>(address) && indicesNeverWrap(pointer, loop))
        address = Widening(*evolution).visit(address);
    auto *recurrence = dyn_cast<SCEVAddRecExpr>(address);
    return recurrence && recurrence->getLoop() == &loop && recurrence->isAffine() ? recurrence : nullptr;
}

static bool isAccessBy(const Use &use)
{
    auto *inst = cast<Instruction>(use.getUser());
    return getLoadStorePointerOperand(inst) == use.get()
               ? !isa<StoreInst>(inst) || use.getOperandNo() == StoreInst::getPointerOperandIndex()
               : isa<AtomicRMWInst, AtomicCmpXchgInst>(inst) && use.getOperandNo() == 0;
}

/* Only bytes away from its base: an immediate of the access. */
static bool isImmediate(const Instruction &inst)
{
    auto *gep = dyn_cast<GetElementPtrInst>(&inst);
    return gep && gep->hasAllConstantIndices();
}

/* What a loop inside computes from it takes no steps here: it is what that loop's pointer starts from. */
bool AddressSteps::isServed(const Use &use, const Loop &loop) const
{
    auto &user = *cast<Instruction>(use.getUser());
    if (!loop.contains(&user))
        return false;
    bool reducedHere = reduced.contains(&user) && loops.getLoopFor(user.getParent()) == &loop;
    return isAccessBy(use) || reducedHere || (isImmediate(user) && onlyServesAddresses(user, loop));
}

bool AddressSteps::onlyServesAddresses(const Instruction &inst, const Loop &loop) const
{
    return !inst.use_empty() && all_of(inst.uses(), [&](const Use &use) { return isServed(use, loop); });
}

static bool isArithmetic(const Instruction &inst)
{
    return isa<BinaryOperator, CastInst>(inst) && inst.getType()->isIntegerTy() &&
           inst.getOperand(0)->getType()->isIntegerTy();
}

/* Constants of NVIDIA's are addressed by an index (Emitter::constantIndexCost()). */
bool AddressSteps::isInConstantBank(const Instruction &address) const
{
    return target == Target::Nvptx &&
           spaceOf(target, address.getType()->getPointerAddressSpace()) == GP_SPACE_CONSTANT &&
           isa<GlobalVariable>(getUnderlyingObject(&address));
}

bool AddressSteps::takesSteps(const Instruction &inst, const Loop &loop)
{
    if (!counters.reach(inst, loop))
        return false;
    auto *recurrence = dyn_cast<SCEVAddRecExpr>(evolution->getSCEV(const_cast<Instruction *>(&inst)));
    return recurrence && recurrence->getLoop() == &loop && recurrence->isAffine();
}

/*
 * A number that takes steps and is added to what does not: the counter's product in a[k * pitch + x + shift[k]]. It is
 * kept as addresses are; a constant that it starts with is the third operand of the addition (IADD3, v_add3). In 32
 * bits it may wrap around, as its steps do. Dedispersion, unrolled by 8: 25 integer instructions with nvcc 13.0
 * (sm_80), one and two for the address of a byte each.
 */
bool AddressSteps::isSteppedSummand(const Instruction &inst, const Loop &loop)
{
    auto isSum = [&](const User *user) {
        auto *sum = cast<Instruction>(user);
        bool here = loops.getLoopFor(sum->getParent()) == &loop;
        return here && (reduced.contains(sum) || (sum->getOpcode() == Instruction::Add && !takesSteps(*sum, loop)));
    };
    return isa<BinaryOperator>(inst) && inst.getType()->isIntegerTy() && !inst.use_empty() &&
           counters.reach(inst, loop) && all_of(inst.users(), isSum) && takesSteps(inst, loop);
}

/* Users come first. */
void AddressSteps::visit(const Instruction &inst, const Loop &loop)
{
    if (isSteppedSummand(inst, loop)) {
        reduced[&inst] = {};
        summands.insert(&inst);
    }
    bool address =
        isa<GetElementPtrInst>(inst) && inst.getType()->isPointerTy() && !isImmediate(inst) && !isInConstantBank(inst);
    if ((!address && !isArithmetic(inst)) || !onlyServesAddresses(inst, loop))
        return;
    if (!address || stepsThrough(inst, loop))
        reduced[&inst] = {};
}

/* Of a counter or a pointer in the loop's header: what it becomes for the next iteration. */
static const Instruction *nextOf(const PHINode &phi, const Loop &loop, const LoopInfo &loops)
{
    const BasicBlock *latch = loop.getLoopLatch();
    auto *next = latch ? dyn_cast<Instruction>(phi.getIncomingValueForBlock(latch)) : nullptr;
    bool counts = next && isa<BinaryOperator, GetElementPtrInst>(next) && loops.getLoopFor(next->getParent()) == &loop;
    return counts ? next : nullptr;
}

/* Whether nothing is left that needs a counter or a pointer once addresses take steps. */
bool AddressSteps::isDropped(const PHINode &phi, const Instruction &next) const
{
    auto dropped = [&](const User *user) {
        return user == &phi || user == &next || reduced.contains(cast<Instruction>(user));
    };
    return all_of(phi.users(), dropped) && all_of(next.users(), dropped);
}

/* A pointer that the source already lets take steps is one of the loop's. */
void AddressSteps::keepOrDrop(const Loop &loop, Families &paid)
{
    for (const PHINode &phi : loop.getHeader()->phis()) {
        const Instruction *next = nextOf(phi, loop, loops);
        if (!next)
            continue;
        auto *gep = dyn_cast<GetElementPtrInst>(next);
        const SCEVAddRecExpr *address = gep ? stepsThrough(phi, loop) : nullptr;
        if (isDropped(phi, *next)) {
            reduced[next] = {};
        } else if (address) {
            reduced[next] = stepOf(*gep, *address);
            paid.insert({&loop, withoutConstant(*evolution, address)});
        }
    }
}

/* IMAD.WIDE of NVIDIA's since 7.0 takes such a step in one instruction; those before have slow products of 32 bits. */
bool AddressSteps::multipliesWide(const Instruction &inst) const
{
    const unsigned volta = 70;
    StringRef cpu = inst.getFunction()->getFnAttribute("target-cpu").getValueAsString();
    unsigned capability = 0;
    bool older = cpu.consume_front("sm_") && !cpu.consumeInteger(10, capability) && capability < volta;
    return target != Target::Amdgcn && !older;
}

Cost AddressSteps::stepOf(const GetElementPtrInst &gep, const SCEVAddRecExpr &address) const
{
    gp_space space = spaceOf(target, gep.getAddressSpace());
    if (space == GP_SPACE_LOCAL || space == GP_SPACE_PRIVATE)
        return {GP_CLASS_INT_ADD, 1};
    bool wide = multipliesWide(gep) && isNarrowNumber(address.getStepRecurrence(*evolution));
    return {wide ? GP_CLASS_INT_MAD : GP_CLASS_LONG_ADD, 1};
}

void AddressSteps::payOnce(const GetElementPtrInst &gep, Families &paid)
{
    const Loop *loop = loops.getLoopFor(gep.getParent());
    bool accesses = any_of(
        gep.uses(), [](const Use &use) { return isAccessBy(use) || isImmediate(*cast<Instruction>(use.getUser())); });
    if (!accesses)
        return; /* a part of other addresses */
    const SCEVAddRecExpr *address = stepsThrough(gep, *loop);
    if (paid.insert({loop, withoutConstant(*evolution, address)}).second)
        reduced[&gep] = stepOf(gep, *address);
}

/* The first of the numbers that are constants apart; a loop's counters take their steps in any case. */
void AddressSteps::payOnce(const BinaryOperator &number, Families &paid)
{
    const Loop *loop = loops.getLoopFor(number.getParent());
    bool summand = any_of(number.users(), [&](const User *user) { return !reduced.contains(cast<Instruction>(user)); });
    if (!summand)
        return; /* a part of other numbers */
    for (const PHINode &phi : loop->getHeader()->phis())
        if (phi.getType() == number.getType())
            paid.insert({loop, withoutConstant(*evolution, evolution->getSCEV(const_cast<PHINode *>(&phi)))});
    const SCEV *steps = withoutConstant(*evolution, evolution->getSCEV(const_cast<BinaryOperator *>(&number)));
    if (paid.insert({loop, steps}).second)
        reduced[&number] = {number.getType()->getIntegerBitWidth() > 32 ? GP_CLASS_LONG_ADD : GP_CLASS_INT_ADD, 1};
}

AddressSteps::AddressSteps(ArrayRef<BasicBlock *> order, const LoopInfo &loops, ScalarEvolution *evolution,
                           Target target)
    : loops(loops), evolution(evolution), target(target)
{
    if (!evolution || target == Target::Host) /* a CPU's addressing modes scale and add */
        return;
    for (const BasicBlock *block : reverse(order))
        if (const Loop *loop = loops.getLoopFor(block))
            for (const Instruction &inst : reverse(*block))
                visit(inst, *loop);
    Families paid;
    for (const Loop *loop : const_cast<LoopInfo &>(loops).getLoopsInPreorder())
        keepOrDrop(*loop, paid);
    for (const BasicBlock *block : order)
        for (const Instruction &inst : *block) {
            if (!reduced.contains(&inst) || reduced.lookup(&inst).cost != GP_CLASS_FREE)
                continue;
            if (auto *gep = dyn_cast<GetElementPtrInst>(&inst); gep && !isImmediate(*gep))
                payOnce(*gep, paid);
            else if (auto *number = dyn_cast<BinaryOperator>(&inst); number && summands.contains(number))
                payOnce(*number, paid);
        }
}

std::optional<Cost> AddressSteps::of(const Instruction &inst) const
{
    auto found = reduced.find(&inst);
    return found == reduced.end() ? std::nullopt : std::optional<Cost>(found->second);
}

} // namespace gpuperf
