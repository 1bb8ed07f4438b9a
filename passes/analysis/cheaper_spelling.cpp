/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "passes/analysis/cheaper_spelling.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

#include "model/compilers/cost.h"
#include "passes/ir/builtins.h"
#include "passes/cost/chosen_elements.h"
#include "passes/cost/classify_parts.h"
#include "passes/analysis/double_flow.h"

using namespace llvm;

namespace gpuperf
{

namespace
{

/* ---- Double precision for constants ------------------------------------------------------------------------------ */

bool isDouble(const Value *value) { return value->getType()->isDoubleTy(); }

/* Functions that the profile knows by name; a library's code that was inlined takes numbers apart into bits
 * (double_sites.h). */
bool isFunctionOfDoubles(const CallBase &call, Target target)
{
    return isDouble(&call) && all_of(call.args(), [](const Use &use) { return isDouble(use.get()); }) &&
           classifyCall(call, target).kind == CallKind::Arithmetic;
}

/* What becomes of a value's class: widening and rounding a float goes, an integer becomes a float at once. */
gp_class repairedClass(const Instruction &inst)
{
    const Value *integer = nullptr;
    switch (inst.getOpcode()) {
    case Instruction::FPExt: return inst.getOperand(0)->getType()->isFloatTy() ? GP_CLASS_FREE : GP_CLASS_CVT;
    case Instruction::FPTrunc: return inst.getType()->isFloatTy() ? GP_CLASS_FREE : GP_CLASS_CVT;
    case Instruction::SIToFP:
    case Instruction::UIToFP: integer = inst.getOperand(0); break;
    case Instruction::FPToSI:
    case Instruction::FPToUI: integer = &inst; break;
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
    else if (auto *integer = dyn_cast_or_null<ConstantInt>(constant);
             integer && integer->getValue().getActiveBits() < 32)
        exponent = APSInt(integer->getValue().zextOrTrunc(32), true), exact = true;
    return exact && exponent.getZExtValue() >= 2 && exponent.getZExtValue() <= 8 ? (unsigned)exponent.getZExtValue()
                                                                                 : 0;
}

/* Squaring for each bit below the highest, a further product for each bit set (Knuth, The Art of Computer Programming
 * 2, 4.6.3, the binary method). */
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

/* A library's function, whatever it takes, is one product, or some, for each element. */
static Cost libraryProducts(const Instruction &call, unsigned products)
{
    auto *vector = dyn_cast<FixedVectorType>(call.getType());
    return inPrecision({GP_CLASS_FLOAT_MUL, (vector ? vector->getNumElements() : 1) * products},
                       call.getType()->getScalarType());
}

static gp_class productClass(gp_class paid)
{
    return paid == GP_CLASS_MATH64_POW  ? GP_CLASS_DOUBLE_MUL
           : paid == GP_CLASS_HALF_MATH ? GP_CLASS_HALF_MUL
                                        : GP_CLASS_FLOAT_MUL;
}

/* What a power has one of, a float's its exponential, a double's the quotient of its logarithm: the product stands
 * there, all else goes. */
static bool isOneOfPower(const Instruction &inst)
{
    auto *call = dyn_cast<CallBase>(&inst);
    const Function *callee = call ? calledFunction(*call) : nullptr;
    StringRef name = callee ? callee->getName() : "";
    return name.starts_with("llvm.nvvm.ex2.approx") || name.starts_with("llvm.exp2") ||
           name.starts_with("llvm.nvvm.rcp.approx.ftz.d");
}

Repairable::Repairable(const Function &function, const LoopInfo &loops, Target target, const PowerSites *powers,
                       const DoubleSites *doubles, bool looseDivisions)
    : powers(powers), doubles(doubles), target(target), looseDivisions(looseDivisions)
{
    SmallPtrSet<const Instruction *, 32> seen;
    auto isFunction = [&](const CallBase &call) { return isFunctionOfDoubles(call, target); };
    auto isHeader = [&](const BasicBlock &block) { return loops.isLoopHeader(&block); };
    DoubleFlow flow{isFunction, isHeader};
    for (const Instruction &inst : instructions(function)) {
        if (auto *call = dyn_cast<CallBase>(&inst))
            if (unsigned count = productsInsteadOf(*call))
                products[call] = count;
        if (!isSourceOfDoubles(inst) || seen.contains(&inst))
            continue;
        DoubleValues values = doublesAround(inst);
        seen.insert(values.begin(), values.end());
        if (isNeedless(values, flow))
            for (const Instruction *value : values)
                singles[value] = repairedClass(*value);
    }
}

/* Divisions and roots as the language's rules for single precision and the flags have them. */
Cost Repairable::inSingle(const Instruction &inst, Cost paid) const
{
    gp_class single = gp_single_class(paid.cost);
    auto *op = dyn_cast<FPMathOperator>(&inst);
    if (inst.getOpcode() == Instruction::FDiv)
        return {singleDivision(cast<BinaryOperator>(inst), looseDivisions).cost, paid.repeat};
    if (single == GP_CLASS_FLOAT_SQRT && op && op->hasApproxFunc())
        return whereFlushed({GP_CLASS_FLOAT_SQRT_FAST, paid.repeat}, flushesDenormals(inst));
    return {single == GP_CLASS_FLOAT_SQRT && looseDivisions ? GP_CLASS_FLOAT_SQRT_LOOSE : single, paid.repeat};
}

std::optional<Cost> Repairable::of(const Instruction *inst, Cost paid) const
{
    auto single = singles.find(inst);
    if (single != singles.end()) {
        Cost repaired = single->second == GP_CLASS_COUNT ? inSingle(*inst, paid) : Cost{single->second, paid.repeat};
        return repaired.cost != paid.cost ? std::optional<Cost>(repaired) : std::nullopt;
    }
    if (paid.cost == GP_CLASS_FREE)
        return std::nullopt;
    if (target == Target::Amdgcn && paid.cost == GP_CLASS_SELECT && choosesElement(*inst))
        return Cost{GP_CLASS_MOV, 1};
    if (const PowerSite *site = powers ? powers->at(*inst) : nullptr)
        return isOneOfPower(*inst) ? Cost{site->ofDoubles ? GP_CLASS_DOUBLE_MUL : GP_CLASS_FLOAT_MUL, site->products}
                                   : Cost{GP_CLASS_FREE, paid.repeat};
    if (doubles && gp_single_class(paid.cost) != paid.cost && doubles->contains(*inst))
        return paid.cost == GP_CLASS_CVT_64
                   ? Cost{repairedClass(*inst) == GP_CLASS_COUNT ? GP_CLASS_CVT : repairedClass(*inst), paid.repeat}
                   : inSingle(*inst, paid);
    auto power = products.find(inst);
    if (power == products.end())
        return std::nullopt;
    if (paid.cost == GP_CLASS_LIBRARY)
        return libraryProducts(*inst, power->second);
    unsigned each = paid.cost == GP_CLASS_SFU_EXP2 || paid.cost == GP_CLASS_SFU_EXP2_FLUSH
                        ? 2
                        : 1; /* instructions of an element: a logarithm, an exponential */
    return Cost{productClass(paid.cost), std::max(1u, paid.repeat / each) * power->second};
}

} // namespace gpuperf
