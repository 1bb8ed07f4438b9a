/*
 * DESCRIPTION
 *
 * In C an operation on a float and a constant without an f is made in double precision: x * 0.999 + 1.0 widens x, computes, and rounds. What of
 * a kernel's double precision is of this kind follows from the flow of values.
 *
 * ALGORITHM
 *
 * From each number that becomes one in double precision the values in double precision are followed, to those who use them and back to their operands, until all
 * that hang together are known. They are there for constants only if
 *
 *   - all come from floats, integers and constants, none from memory, an argument, or bits put together;
 *   - all end as floats, integers or comparisons, and floats are among them or among what they come from: what is worked out of integers for
 *     integers may need the precision;
 *   - no value goes round a loop: a sum kept in double precision is meant to be;
 *   - each operation has an operand that is a constant or made with one. Two floats that meet in double precision were widened by a cast. Adding 0 does
 *     not count: it is how sums start.
 *
 * Functions are those that the profile knows by name; a library's code that was inlined takes numbers apart into bits.
 */
#include "passes/mendable.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

#include "passes/builtins.h"
#include "passes/chosen_elements.h"
#include "passes/classify_parts.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace gpuperf {

namespace {

/* ---- Double precision for constants ------------------------------------------------------------------------------ */

/* What a class of double precision is in single precision. */
gp_class inSinglePrecision(gp_class cost)
{
    switch (cost) {
    case GP_CLASS_DOUBLE_ADD: return GP_CLASS_FLOAT_ADD;
    case GP_CLASS_DOUBLE_MUL: return GP_CLASS_FLOAT_MUL;
    case GP_CLASS_DOUBLE_FMA: return GP_CLASS_FLOAT_FMA;
    case GP_CLASS_DOUBLE_CMP: return GP_CLASS_FLOAT_CMP;
    case GP_CLASS_DOUBLE_MINMAX: return GP_CLASS_FLOAT_MINMAX;
    case GP_CLASS_DOUBLE_ROUND: return GP_CLASS_FLOAT_ROUND;
    case GP_CLASS_DOUBLE_DIV: return GP_CLASS_FLOAT_DIV;
    case GP_CLASS_DOUBLE_SQRT: return GP_CLASS_FLOAT_SQRT;
    case GP_CLASS_MATH64: return GP_CLASS_MATH32_OTHER;
    case GP_CLASS_MATH64_TRIG: return GP_CLASS_MATH32_TRIG;
    case GP_CLASS_MATH64_EXP: return GP_CLASS_MATH32_EXP;
    case GP_CLASS_MATH64_LOG: return GP_CLASS_MATH32_LOG;
    case GP_CLASS_MATH64_POW: return GP_CLASS_MATH32_POW;
    default: return cost;
    }
}

bool isFloat(const Value *value) { return value->getType()->isFloatTy() || value->getType()->isHalfTy(); }
bool isDouble(const Value *value) { return value->getType()->isDoubleTy(); }

bool isFunctionOfDoubles(const CallBase &call, Target target)
{
    return isDouble(&call) && all_of(call.args(), [](const Use &use) { return isDouble(use.get()); }) &&
           classifyCall(call, target).kind == CallKind::Arithmetic;
}

enum class Role { Source, Operation, Choice, Sink, Foreign };

/* What an instruction that has to do with double precision does there. */
Role roleOf(const Instruction &inst, const LoopInfo &loops, Target target)
{
    switch (inst.getOpcode()) {
    case Instruction::FPExt: return isFloat(inst.getOperand(0)) ? Role::Source : Role::Foreign;
    case Instruction::SIToFP: case Instruction::UIToFP: return Role::Source;
    case Instruction::FPTrunc: case Instruction::FPToSI: case Instruction::FPToUI: return Role::Sink;
    case Instruction::FCmp: case Instruction::FAdd: case Instruction::FSub: case Instruction::FMul: case Instruction::FDiv: case Instruction::FRem:
        return Role::Operation;
    case Instruction::FNeg: case Instruction::Select: return Role::Choice;
    case Instruction::PHI: return loops.isLoopHeader(inst.getParent()) ? Role::Foreign : Role::Choice;
    case Instruction::Call: return isFunctionOfDoubles(cast<CallBase>(inst), target) ? Role::Operation : Role::Foreign;
    default: return Role::Foreign;
    }
}

using Values = SmallSetVector<const Instruction *, 16>;

/* All that hangs together with a value in double precision. */
Values collect(const Instruction &source)
{
    Values found;
    found.insert(&source);
    for (size_t i = 0; i < found.size(); i++) {
        if (isDouble(found[i]))
            for (const User *user : found[i]->users())
                found.insert(cast<Instruction>(user));
        for (const Use &operand : found[i]->operands())
            if (auto *inst = dyn_cast<Instruction>(operand); inst && isDouble(inst))
                found.insert(inst);
    }
    return found;
}

bool takesForeign(const Instruction &inst)
{
    return any_of(inst.operands(), [](const Use &use) { return isDouble(use) && !isa<Instruction>(use) && !isa<ConstantFP>(use); });
}

/* a * b + 0.5 as one operation: the product is in double precision if a factor was. */
bool isAddend(const Use &use)
{
    auto *call = dyn_cast<IntrinsicInst>(use.getUser());
    return call && (call->getIntrinsicID() == Intrinsic::fmuladd || call->getIntrinsicID() == Intrinsic::fma) && use.getOperandNo() == 2;
}

bool isForConstants(const Values &values, const LoopInfo &loops, Target target)
{
    Values made; /* with a constant */
    size_t operations = 0, known = 0;
    if (none_of(values, [](const Instruction *inst) { return isa<FPExtInst>(inst) || isa<FPTruncInst>(inst); }))
        return false;
    for (const Instruction *inst : values) {
        Role role = roleOf(*inst, loops, target);
        if (role == Role::Foreign || takesForeign(*inst))
            return false;
        operations += role == Role::Operation;
    }
    auto counts = [&](const Instruction &inst, const Use &use) {
        bool start = inst.getOpcode() == Instruction::FAdd && match(use.get(), m_AnyZeroFP());
        auto *from = dyn_cast<Instruction>(use);
        return isDouble(use) && !isAddend(use) && (from ? made.contains(from) : isa<ConstantFP>(use) && !start);
    };
    for (size_t before = SIZE_MAX; before != made.size();) {
        before = made.size();
        for (const Instruction *inst : values) {
            Role role = roleOf(*inst, loops, target);
            if ((role != Role::Operation && role != Role::Choice) || !any_of(inst->operands(), [&](const Use &use) { return counts(*inst, use); }))
                continue;
            known += made.insert(inst) && role == Role::Operation;
        }
    }
    return operations > 0 && known == operations;
}

/* What becomes of a value's class: widening and rounding a float goes, an integer becomes a float at once. */
gp_class mendedClass(const Instruction &inst)
{
    const Value *integer = nullptr;
    switch (inst.getOpcode()) {
    case Instruction::FPExt: return inst.getOperand(0)->getType()->isFloatTy() ? GP_CLASS_FREE : GP_CLASS_CVT;
    case Instruction::FPTrunc: return inst.getType()->isFloatTy() ? GP_CLASS_FREE : GP_CLASS_CVT;
    case Instruction::SIToFP: case Instruction::UIToFP: integer = inst.getOperand(0); break;
    case Instruction::FPToSI: case Instruction::FPToUI: integer = &inst; break;
    default: return GP_CLASS_COUNT;
    }
    return integer->getType()->getScalarSizeInBits() <= 32 ? GP_CLASS_CVT : GP_CLASS_CVT_64;
}

/* ---- Powers ------------------------------------------------------------------------------------------------------ */

bool isPower(const CallBase &call)
{
    if (auto *intrinsic = dyn_cast<IntrinsicInst>(&call))
        return intrinsic->getIntrinsicID() == Intrinsic::pow || intrinsic->getIntrinsicID() == Intrinsic::powi;
    const Function *callee = calledFunction(call);
    StringRef name = callee ? builtinName(callee->getName()).base : "";
    name.consume_front("native_") || name.consume_front("half_") || name.consume_front("__clc_");
    return name == "pow" || name == "powr" || name == "pown";
}

/* An exponent from 2 to 8, the same for all elements; 0: another one. */
unsigned smallExponent(const Value *value)
{
    auto *constant = dyn_cast<Constant>(value);
    if (constant && constant->getType()->isVectorTy())
        constant = constant->getSplatValue();
    APSInt exponent(32, true);
    bool exact = false;
    if (auto *number = dyn_cast_or_null<ConstantFP>(constant))
        number->getValueAPF().convertToInteger(exponent, APFloat::rmTowardZero, &exact);
    else if (auto *integer = dyn_cast_or_null<ConstantInt>(constant); integer && integer->getValue().getActiveBits() < 32)
        exponent = APSInt(integer->getValue().zextOrTrunc(32), true), exact = true;
    return exact && exponent.getZExtValue() >= 2 && exponent.getZExtValue() <= 8 ? (unsigned)exponent.getZExtValue() : 0;
}

/* Squaring for each bit below the highest, a further product for each bit set (Knuth, The Art of Computer Programming 2, 4.6.3, the binary method). */
unsigned binaryProducts(unsigned exponent)
{
    unsigned count = 0;
    for (; exponent > 1; exponent >>= 1)
        count += 1 + (exponent & 1);
    return count;
}

} // namespace

unsigned productsInsteadOf(const CallBase &call)
{
    return call.arg_size() == 2 && isPower(call) ? productsOf(call.getArgOperand(1)) : 0;
}

unsigned productsOf(const Value *exponent)
{
    unsigned small = smallExponent(exponent);
    return small != 0 ? binaryProducts(small) : 0;
}

static gp_class productClass(gp_class paid)
{
    return paid == GP_CLASS_MATH64_POW ? GP_CLASS_DOUBLE_MUL : paid == GP_CLASS_HALF_MATH ? GP_CLASS_HALF_MUL : GP_CLASS_FLOAT_MUL;
}

/* What a power's logarithm and exponential end with: the product stands there, all else goes. */
static bool isExponential(const Instruction &inst)
{
    auto *call = dyn_cast<CallBase>(&inst);
    const Function *callee = call ? calledFunction(*call) : nullptr;
    return callee && (callee->getName().starts_with("llvm.nvvm.ex2.approx") || callee->getName().starts_with("llvm.exp2"));
}

Mendable::Mendable(const Function &function, const LoopInfo &loops, Target target, const PowerSites *powers, bool looseDivisions)
    : powers(powers), target(target), looseDivisions(looseDivisions)
{
    SmallPtrSet<const Instruction *, 32> seen;
    for (const Instruction &inst : instructions(function)) {
        if (auto *call = dyn_cast<CallBase>(&inst))
            if (unsigned count = productsInsteadOf(*call))
                products[call] = count;
        bool source = isDouble(&inst) && (isa<FPExtInst>(inst) || isa<SIToFPInst>(inst) || isa<UIToFPInst>(inst));
        if (!source || seen.contains(&inst))
            continue;
        Values values = collect(inst);
        seen.insert(values.begin(), values.end());
        if (isForConstants(values, loops, target))
            for (const Instruction *value : values)
                singles[value] = mendedClass(*value);
    }
}

/* Divisions and roots as the language's rules for single precision and the flags have them. */
Cost Mendable::inSingle(const Instruction &inst, Cost paid) const
{
    gp_class single = inSinglePrecision(paid.cost);
    auto *op = dyn_cast<FPMathOperator>(&inst);
    if (inst.getOpcode() == Instruction::FDiv)
        return {singleDivision(cast<BinaryOperator>(inst), looseDivisions).cost, paid.repeat};
    if (single == GP_CLASS_FLOAT_SQRT && op && op->hasApproxFunc())
        return whereFlushed({GP_CLASS_FLOAT_SQRT_FAST, paid.repeat}, flushesDenormals(inst));
    return {single == GP_CLASS_FLOAT_SQRT && looseDivisions ? GP_CLASS_FLOAT_SQRT_LOOSE : single, paid.repeat};
}

std::optional<Cost> Mendable::of(const Instruction *inst, Cost paid) const
{
    auto single = singles.find(inst);
    if (single != singles.end()) {
        Cost mended = single->second == GP_CLASS_COUNT ? inSingle(*inst, paid) : Cost{single->second, paid.repeat};
        return mended.cost != paid.cost ? std::optional<Cost>(mended) : std::nullopt;
    }
    if (paid.cost == GP_CLASS_FREE)
        return std::nullopt;
    if (target == Target::Amdgcn && paid.cost == GP_CLASS_SELECT && choosesElement(*inst))
        return Cost{GP_CLASS_MOV, 1};
    if (unsigned count = powers ? powers->productsAt(*inst) : 0)
        return isExponential(*inst) ? Cost{GP_CLASS_FLOAT_MUL, count} : Cost{GP_CLASS_FREE, paid.repeat};
    auto power = products.find(inst);
    if (power == products.end())
        return std::nullopt;
    unsigned each = paid.cost == GP_CLASS_SFU_EXP2 || paid.cost == GP_CLASS_SFU_EXP2_FLUSH ? 2 : 1; /* instructions of an element: a logarithm, an exponential */
    return Cost{productClass(paid.cost), std::max(1u, paid.repeat / each) * power->second};
}

} // namespace gpuperf
