/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "passes/analysis/inductions.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

#include "llvm/ADT/STLExtras.h"

#include "model/value/value.h"
#include "passes/analysis/lowering.h"

using namespace llvm;

namespace gpuperf
{

namespace
{

/* What happens to the variable from one iteration to the next. */
struct Step {
    enum Kind { None, Add, Subtract, ShiftLeft, ShiftRight } kind = None;
    const Value *by = nullptr;                           /* Add, Subtract: does not change in the loop */
    unsigned bits = 0;                                   /* of a shift */
    bool logical = false;                                /* a shift that brings zeros into the sign */
    bool staysInSigned = false, staysInUnsigned = false; /* no wrapping flags */
};

/* The loop stays while VALUE is below (above) the bound, or not equal to it. */
struct Test {
    const Value *value = nullptr, *bound = nullptr;
    enum Kind { None, Below, Above, Unequal } kind = None;
    bool isSigned = false, inclusive = false;
};

bool changes(const Loop &loop, const Value *value)
{
    auto *inst = dyn_cast<Instruction>(value);
    return inst && loop.contains(inst);
}

Step stepOf(const Loop &loop, const PHINode &phi, const Value *next)
{
    Step step;
    auto *op = dyn_cast<BinaryOperator>(next);
    if (!op)
        return step;
    bool left = op->getOperand(0) == &phi, right = op->getOperand(1) == &phi && op->isCommutative();
    if (!left && !right)
        return step;
    const Value *other = op->getOperand(left ? 1 : 0);
    auto *number = dyn_cast<ConstantInt>(other);
    if (auto *flags = dyn_cast<OverflowingBinaryOperator>(op)) {
        step.staysInSigned = flags->hasNoSignedWrap();
        step.staysInUnsigned = flags->hasNoUnsignedWrap();
    }
    bool power = number && number->getValue().isPowerOf2() && number->getValue().ugt(1);
    switch (op->getOpcode()) {
    case Instruction::Add:
    case Instruction::Sub:
        if (changes(loop, other))
            break;
        step.kind = op->getOpcode() == Instruction::Add ? Step::Add : Step::Subtract;
        step.by = other;
        if (number && number->isNegative() && step.kind == Step::Add) { /* x + -3, as LLVM writes x - 3 */
            step.kind = Step::Subtract;
            step.by = ConstantInt::get(number->getType(), -number->getValue());
        }
        break;
    case Instruction::Shl:
    case Instruction::LShr:
    case Instruction::AShr:
        if (number && left && number->getValue().ugt(0) && number->getValue().ult(number->getBitWidth())) {
            step.kind = op->getOpcode() == Instruction::Shl ? Step::ShiftLeft : Step::ShiftRight;
            step.bits = (unsigned)number->getZExtValue();
            step.logical = op->getOpcode() == Instruction::LShr;
        }
        break;
    case Instruction::Mul:
    case Instruction::UDiv:
    case Instruction::SDiv:
        if (power && (left || op->getOpcode() == Instruction::Mul)) {
            step.kind = op->getOpcode() == Instruction::Mul ? Step::ShiftLeft : Step::ShiftRight;
            step.bits = number->getValue().logBase2();
            step.logical = op->getOpcode() == Instruction::UDiv;
        }
        break;
    default: break;
    }
    return step;
}

Test testOf(const Loop &loop, const BranchInst &branch)
{
    Test test;
    auto *compare = dyn_cast<ICmpInst>(branch.getCondition());
    if (!compare || !compare->getOperand(0)->getType()->isIntegerTy())
        return test;
    CmpInst::Predicate predicate = compare->getPredicate();
    if (!loop.contains(branch.getSuccessor(0)))
        predicate = CmpInst::getInversePredicate(predicate);
    test.value = compare->getOperand(0);
    test.bound = compare->getOperand(1);
    if (!changes(loop, test.value)) {
        std::swap(test.value, test.bound);
        predicate = CmpInst::getSwappedPredicate(predicate);
    }
    if (!changes(loop, test.value) || changes(loop, test.bound))
        return test;
    test.isSigned = CmpInst::isSigned(predicate);
    test.inclusive = CmpInst::isNonStrictPredicate(predicate);
    switch (predicate) {
    case CmpInst::ICMP_NE: test.kind = Test::Unequal; break;
    case CmpInst::ICMP_ULT:
    case CmpInst::ICMP_ULE:
    case CmpInst::ICMP_SLT:
    case CmpInst::ICMP_SLE: test.kind = Test::Below; break;
    case CmpInst::ICMP_UGT:
    case CmpInst::ICMP_UGE:
    case CmpInst::ICMP_SGT:
    case CmpInst::ICMP_SGE: test.kind = Test::Above; break;
    default: break;
    }
    return test;
}

/* Builds the expression, in 64 bits. */
struct Maker {
    TripExpression nodes;
    unsigned width; /* of the variable's type */
    bool isSigned;

    static TripOperand number(uint64_t n) { return {TripOperand::Number, nullptr, n}; }
    TripOperand make(gp_op op, std::vector<TripOperand> operands, unsigned bits = 64, unsigned from = 0,
                     unsigned sub = 0)
    {
        if (all_of(operands, [](const TripOperand &operand) { return operand.kind == TripOperand::Number; })) {
            gp_operation operation = {(uint8_t)op, (uint8_t)bits, (uint8_t)from, (uint8_t)sub};
            uint64_t in[3] = {0, 0, 0}, result;
            for (size_t i = 0; i < operands.size(); i++)
                in[i] = operands[i].number;
            if (gp_compute(&operation, in[0], in[1], in[2], &result))
                return number(result);
        }
        bool byOne = operands.size() == 2 && operands[1].kind == TripOperand::Number && operands[1].number == 1;
        if (byOne && (op == GP_OP_UDIV || op == GP_OP_MUL))
            return operands[0];
        nodes.push_back({op, (uint8_t)bits, (uint8_t)from, (uint8_t)sub, std::move(operands)});
        return {TripOperand::Earlier, nullptr, nodes.size() - 1};
    }
    TripOperand wide(const Value *value) /* in 64 bits */
    {
        if (auto *constant = dyn_cast<ConstantInt>(value))
            return number(isSigned ? (uint64_t)constant->getSExtValue() : constant->getZExtValue());
        TripOperand operand{TripOperand::Value, value, 0};
        unsigned bits = value->getType()->getIntegerBitWidth();
        return bits == 64 ? operand : make(isSigned ? GP_OP_SEXT : GP_OP_ZEXT, {operand}, 64, bits);
    }
    TripOperand narrow(const Value *value) const /* in its own type */
    {
        auto *constant = dyn_cast<ConstantInt>(value);
        return constant ? number(constant->getZExtValue()) : TripOperand{TripOperand::Value, value, 0};
    }
    TripOperand compare(gp_predicate predicate, TripOperand a, TripOperand b)
    {
        return make(GP_OP_ZEXT, {make(GP_OP_ICMP, {a, b}, 1, 64, predicate)}, 64, 1);
    }
    TripOperand length(TripOperand value) { return make(GP_OP_SUB, {number(64), make(GP_OP_CLZ, {value})}); }
    TripOperand ceilDivide(TripOperand value, TripOperand by)
    {
        if (by.kind == TripOperand::Number && by.number == 1)
            return value;
        TripOperand up = make(GP_OP_SUB, {make(GP_OP_ADD, {value, by}), number(1)});
        return make(GP_OP_UDIV, {up, by});
    }
    /* The count where the condition holds, and not known where it does not. */
    TripOperand provided(TripOperand count, TripOperand condition) { return make(GP_OP_UDIV, {count, condition}); }
    uint64_t largest() const { return UINT64_MAX >> (64 - width + (isSigned ? 1 : 0)); }
};

/* T for additions: distance over step, the last value within the type. */
TripOperand arithmetic(Maker &m, const Step &step, const Test &test, TripOperand first, TripOperand bound,
                       TripOperand by)
{
    bool up = step.kind == Step::Add;
    if (test.inclusive)
        bound = m.make(up ? GP_OP_ADD : GP_OP_SUB, {bound, Maker::number(1)});
    gp_op nearest = up ? (m.isSigned ? GP_OP_SMAX : GP_OP_UMAX) : (m.isSigned ? GP_OP_SMIN : GP_OP_UMIN);
    TripOperand end = test.kind == Test::Unequal ? bound : m.make(nearest, {bound, first});
    TripOperand distance = m.make(GP_OP_SUB, {up ? end : first, up ? first : end});
    TripOperand count = m.ceilDivide(distance, by);
    if (m.isSigned && by.kind != TripOperand::Number)
        count = m.provided(count, m.compare(GP_PRED_SGT, by, Maker::number(0)));
    TripOperand way = m.make(GP_OP_MUL, {count, by});
    if (test.kind == Test::Unequal) /* reached exactly, and not by wrapping */
        return m.provided(m.provided(count, m.compare(GP_PRED_EQ, way, distance)),
                          m.compare(m.isSigned ? GP_PRED_SLE : GP_PRED_ULE, up ? first : end, up ? end : first));
    if (m.isSigned ? step.staysInSigned : step.staysInUnsigned)
        return count;
    TripOperand last = m.make(up ? GP_OP_ADD : GP_OP_SUB, {first, way});
    TripOperand inside = up && m.width < 64
                             ? m.compare(m.isSigned ? GP_PRED_SLE : GP_PRED_ULE, last, Maker::number(m.largest()))
                         : up                         ? m.compare(m.isSigned ? GP_PRED_SGE : GP_PRED_UGE, last, first)
                         : m.isSigned && m.width < 64 ? m.compare(GP_PRED_SGE, last, Maker::number(~m.largest()))
                                                      : m.compare(m.isSigned ? GP_PRED_SLE : GP_PRED_ULE, last, first);
    return m.provided(count, inside);
}

/*
 * T until V equals the bound: V - B in the variable's own type, in which V comes round to it however it wraps, if the
 * step divides the distance. first, bound: of that type.
 */
TripOperand untilEqual(Maker &m, const Step &step, TripOperand first, TripOperand bound, TripOperand by)
{
    bool up = step.kind == Step::Add;
    TripOperand distance = m.make(GP_OP_SUB, {up ? bound : first, up ? first : bound}, m.width);
    distance = m.width < 64 ? m.make(GP_OP_ZEXT, {distance}, 64, m.width) : distance;
    TripOperand count = m.make(GP_OP_UDIV, {distance, by});
    return by.number == 1 ? count : m.provided(count, m.compare(GP_PRED_EQ, m.make(GP_OP_MUL, {count, by}), distance));
}

/* T for shifts: the length of a quotient over the bits of a step. */
TripOperand geometric(Maker &m, const Step &step, const Test &test, TripOperand first, TripOperand bound)
{
    TripOperand one = Maker::number(1), by = Maker::number(step.bits);
    if (step.kind == Step::ShiftRight) { /* stays while V >= limit */
        TripOperand limit = test.inclusive ? bound : m.make(GP_OP_ADD, {bound, one});
        limit = m.make(GP_OP_SMAX, {limit, one});
        TripOperand start = m.isSigned ? m.make(GP_OP_SMAX, {first, Maker::number(0)}) : first;
        TripOperand count = m.ceilDivide(m.length(m.make(GP_OP_UDIV, {start, limit})), by);
        return m.isSigned && step.logical ? m.provided(count, m.compare(GP_PRED_SGE, first, Maker::number(0))) : count;
    }
    TripOperand limit = test.inclusive ? m.make(GP_OP_ADD, {bound, one}) : bound;
    limit = m.make(GP_OP_SUB, {m.make(GP_OP_SMAX, {limit, one}), one});
    TripOperand count = m.ceilDivide(m.length(m.make(GP_OP_UDIV, {limit, first})), by);
    count = m.provided(count, m.compare(GP_PRED_SGT, first, Maker::number(0))); /* 0 and below never grow */
    if (m.isSigned ? step.staysInSigned : step.staysInUnsigned)
        return count;
    TripOperand bits = m.make(GP_OP_ADD, {m.length(first), m.make(GP_OP_MUL, {count, by})});
    return m.provided(count, m.compare(GP_PRED_ULE, bits, Maker::number(m.width - (m.isSigned ? 1 : 0))));
}

/* The first value that is compared: the phi's start, or one step on. */
TripOperand firstValue(Maker &m, const Value *start, const Step &step, bool stepped, TripOperand by)
{
    TripOperand first = m.wide(start);
    if (!stepped)
        return first;
    switch (step.kind) {
    case Step::Add: return m.make(GP_OP_ADD, {first, by});
    case Step::Subtract: return m.make(GP_OP_SUB, {first, by});
    case Step::ShiftLeft: return m.make(GP_OP_SHL, {first, by});
    default: return m.make(m.isSigned ? GP_OP_ASHR : GP_OP_LSHR, {first, by});
    }
}

/* What is tested is the variable and a number: as unrolled loops test what the last of their turns has. */
struct Offset {
    bool found = false;
    uint64_t number = 0; /* in the variable's type */
    bool staysInSigned = true, staysInUnsigned = true;
};

Offset offsetFrom(const PHINode &phi, const Value *tested)
{
    if (tested == &phi)
        return {true};
    auto *op = dyn_cast<BinaryOperator>(tested);
    auto *number = op && op->getOperand(0) == &phi ? dyn_cast<ConstantInt>(op->getOperand(1)) : nullptr;
    if (!number || number->getBitWidth() > 64)
        return {};
    if (auto *either = dyn_cast<PossiblyDisjointInst>(op); either && either->isDisjoint())
        return {true, number->getZExtValue()};
    if (op->getOpcode() != Instruction::Add)
        return {};
    return {true, number->getZExtValue(), op->hasNoSignedWrap(), op->hasNoUnsignedWrap()};
}

TripExpression tripsAt(const Loop &loop, const BranchInst &branch)
{
    const BasicBlock *latch = loop.getLoopLatch();
    Test test = testOf(loop, branch);
    const Value *tested = test.value;
    bool zeros = false;
    if (test.kind != Test::None && (isa<SExtInst>(tested) || isa<ZExtInst>(tested))) {
        zeros = isa<ZExtInst>(tested);
        if (!zeros && !test.isSigned && test.kind != Test::Unequal)
            return {};
        tested = cast<CastInst>(tested)->getOperand(0);
    }
    for (const PHINode &phi : loop.getHeader()->phis()) {
        if (test.kind == Test::None || !phi.getType()->isIntegerTy() || phi.getNumIncomingValues() != 2)
            continue;
        const Value *next = phi.getIncomingValueForBlock(latch);
        const Value *start = phi.getIncomingValue(phi.getIncomingBlock(0) == latch ? 1 : 0);
        Step step = stepOf(loop, phi, next);
        bool up = step.kind == Step::Add || step.kind == Step::ShiftLeft;
        bool shift = step.kind == Step::ShiftLeft || step.kind == Step::ShiftRight;
        bool toZero = step.kind == Step::ShiftRight && test.kind == Test::Unequal && isa<ConstantInt>(test.bound) &&
                      cast<ConstantInt>(test.bound)->isZero();
        Offset offset = tested == next ? Offset{true} : offsetFrom(phi, tested);
        if (step.kind == Step::None || !offset.found || (shift && offset.number != 0) ||
            tested->getType() != phi.getType())
            continue;
        if (test.kind == Test::Unequal ? shift && !toZero : (test.kind == Test::Below) != up)
            continue;
        bool exact, exactBound;
        unsigned width = elementBits(phi.getType(), &exact);
        elementBits(test.bound->getType(), &exactBound);
        if (!exact || !exactBound || width < 8)
            continue;
        bool isSigned =
            !zeros && (test.kind == Test::Unequal ? step.staysInSigned && !step.staysInUnsigned : test.isSigned);
        Maker m{{}, width, isSigned};
        TripOperand by = shift ? Maker::number(step.bits) : m.wide(step.by);
        TripOperand count;
        if (test.kind == Test::Unequal && !shift && by.kind == TripOperand::Number && test.value == tested) {
            TripOperand first = m.make(GP_OP_ADD, {m.narrow(start), Maker::number(offset.number)}, width);
            if (tested == next)
                first = m.make(step.kind == Step::Add ? GP_OP_ADD : GP_OP_SUB, {first, by}, width);
            count = untilEqual(m, step, first, m.narrow(test.bound), by);
        } else {
            if (offset.number != 0 && !(isSigned ? offset.staysInSigned : offset.staysInUnsigned))
                continue;
            TripOperand first = firstValue(m, start, step, tested == next, by);
            if (offset.number != 0)
                first = m.make(GP_OP_ADD,
                               {first, Maker::number(isSigned ? gp_sign_extend(offset.number, width) : offset.number)});
            count = shift ? geometric(m, step, test, first, m.wide(test.bound))
                          : arithmetic(m, step, test, first, m.wide(test.bound), by);
        }
        count = m.make(GP_OP_ADD, {count, Maker::number(1)});
        if (count.kind != TripOperand::Earlier) /* a number after all */
            m.nodes = {{GP_OP_COPY, 64, 0, 0, {count}}};
        return std::move(m.nodes);
    }
    return {};
}

} // namespace

TripExpression inductionTripCount(const Loop &loop, const DominatorTree &dominators)
{
    const BasicBlock *latch = loop.getLoopLatch();
    SmallVector<BasicBlock *, 4> exiting;
    loop.getExitingBlocks(exiting);
    for (const BasicBlock *block : exiting) {
        auto *branch = dyn_cast<BranchInst>(block->getTerminator());
        if (!latch || !branch || !branch->isConditional() || !dominators.dominates(block, latch))
            continue;
        TripExpression trips = tripsAt(loop, *branch);
        if (!trips.empty())
            return trips;
    }
    return {};
}

} // namespace gpuperf
