/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * DESCRIPTION
 *    How calls are computed whose price classify.cpp knows. A value that is one operation of a profile is that
 * operation; one that is several is a formula, whose last operation stands for the instruction and has its price.
 *
 *    Approximations (sqrt.approx, div.full) are taken as exact and denormal numbers are kept: that is what an index
 * means. Directed rounding, which a profile's operations do not know, is computed only where it makes an integer.
 * Logarithms and powers are right to the digits of a float. What is not here is not known.
 */
#include "passes/analysis/formulas.h"

#include <limits>

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicInst.h"

#include "passes/ir/builtins.h"
#include "passes/analysis/constant_functions.h"

using namespace llvm;

namespace gpuperf
{

namespace
{

class Formula
{
public:
    using Ref = int; /* of an operand, or (negative) of a step, as Lowering::Step has it */

    Formula(const Instruction &inst, unsigned element) : inst(inst), element(element)
    {
        bits = elementBits(inst.getType(), &exact);
    }

    unsigned bits; /* of the result */

    Ref operand(unsigned i, unsigned at)
    {
        const Value *value = inst.getOperand(i);
        bool known = false;
        elementBits(value->getType(), &known);
        exact = exact && known;
        lowering.operands.push_back({value, at});
        return (Ref)lowering.operands.size() - 1;
    }
    Ref arg(unsigned i) { return operand(i, inst.getOperand(i)->getType()->isVectorTy() ? element : 0); }
    unsigned argBits(unsigned i) const { return elementBits(inst.getOperand(i)->getType()); }
    Ref number(unsigned width, uint64_t value)
    {
        lowering.operands.push_back({ConstantInt::get(inst.getContext(), APInt(width, value, false, true)), 0});
        return (Ref)lowering.operands.size() - 1;
    }
    /* `width` is the operands', where an operation has another width than they have. */
    Ref make(gp_op op, unsigned width, std::initializer_list<Ref> operands, unsigned from = 0, uint8_t sub = 0)
    {
        lowering.steps.push_back({op, (uint8_t)width, (uint8_t)from, sub, operands});
        return ~((Ref)lowering.steps.size() - 1);
    }
    Lowering done()
    {
        bool known = exact && !lowering.steps.empty();
        lowering.kind = known ? Lowering::Formula : Lowering::Opaque;
        return known ? lowering : Lowering();
    }

private:
    const Instruction &inst;
    unsigned element;
    bool exact = true;
    Lowering lowering;
};

using Ref = Formula::Ref;

/* ---- Integers -------------------------------------------------------------------------------------------------- */

/* The operation whose operands are the call's arguments. */
void operation(Formula &f, int op, unsigned operands, unsigned from = 0)
{
    Ref x = f.arg(0);
    if (operands == 1)
        f.make((gp_op)op, f.bits, {x}, from);
    else if (Ref y = f.arg(1); operands == 2)
        f.make((gp_op)op, f.bits, {x, y}, from);
    else
        f.make((gp_op)op, f.bits, {x, y, f.arg(2)}, from);
}

Ref low24(Formula &f, unsigned i, bool isSigned)
{
    Ref up = f.make(GP_OP_SHL, 32, {f.arg(i), f.number(32, 8)});
    return f.make(isSigned ? GP_OP_ASHR : GP_OP_LSHR, 32, {up, f.number(32, 8)});
}

void product24(Formula &f, bool isSigned)
{
    Ref x = low24(f, 0, isSigned), y = low24(f, 1, isSigned);
    f.make(GP_OP_MUL, 32, {x, y});
}

/* |a - b| + c */
void differenceAndSum(Formula &f, bool isSigned)
{
    Ref a = f.arg(0), b = f.arg(1);
    Ref greater = f.make(isSigned ? GP_OP_SMAX : GP_OP_UMAX, f.bits, {a, b});
    Ref less = f.make(isSigned ? GP_OP_SMIN : GP_OP_UMIN, f.bits, {a, b});
    Ref difference = f.make(GP_OP_SUB, f.bits, {greater, less});
    f.make(GP_OP_ADD, f.bits, {difference, f.arg(2)});
}

/* The upper half and the lower one as one number. */
Ref joined(Formula &f, Ref upper, Ref lower, unsigned half)
{
    Ref wide = f.make(GP_OP_ZEXT, 2 * half, {upper}, half);
    Ref shifted = f.make(GP_OP_SHL, 2 * half, {wide, f.number(2 * half, half)});
    return f.make(GP_OP_OR, 2 * half, {shifted, f.make(GP_OP_ZEXT, 2 * half, {lower}, half)});
}

/* (a:b) >> c, the lower word; c is taken modulo the bits. */
void funnelRight(Formula &f)
{
    Ref a = f.arg(0), b = f.arg(1);
    Ref right = f.make(GP_OP_AND, f.bits, {f.arg(2), f.number(f.bits, f.bits - 1)});
    Ref left = f.make(GP_OP_SUB, f.bits, {f.number(f.bits, f.bits), right});
    Ref moved = f.make(GP_OP_FSHL, f.bits, {a, b, left});
    Ref stays = f.make(GP_OP_ICMP, 1, {right, f.number(f.bits, 0)}, f.bits, GP_PRED_EQ);
    f.make(GP_OP_SELECT, f.bits, {stays, b, moved});
}

/* shf.l.clamp: the upper word of (b:a) << c; shf.r.clamp: the lower one of (b:a) >> c. What is above 32 of c is 32. */
void clampedFunnel(Formula &f, bool left)
{
    Ref lower = f.arg(0), both = joined(f, f.arg(1), lower, 32);
    Ref by = f.make(GP_OP_UMIN, 32, {f.arg(2), f.number(32, 32)});
    Ref wide = f.make(GP_OP_ZEXT, 64, {by}, 32);
    Ref moved = f.make(left ? GP_OP_SHL : GP_OP_LSHR, 64, {both, wide});
    if (left)
        moved = f.make(GP_OP_LSHR, 64, {moved, f.number(64, 32)});
    f.make(GP_OP_TRUNC, 32, {moved}, 64);
}

/* Four bytes, each one of the eight of (b:a), or its sign. */
void permuteBytes(Formula &f, uint64_t selector)
{
    Ref lower = f.arg(0), both = joined(f, f.arg(1), lower, 32), result = f.number(32, 0);
    for (unsigned i = 0; i < 4; i++) {
        unsigned which = selector >> 4 * i & 15;
        Ref byte = f.make(GP_OP_TRUNC, 8, {f.make(GP_OP_LSHR, 64, {both, f.number(64, 8 * (which & 7))})}, 64);
        if (which & 8)
            byte = f.make(GP_OP_ASHR, 8, {byte, f.number(8, 7)});
        Ref placed = f.make(GP_OP_SHL, 32, {f.make(GP_OP_ZEXT, 32, {byte}, 8), f.number(32, 8 * i)});
        result = f.make(GP_OP_OR, 32, {result, placed});
    }
}

/* The number of the highest bit that is set, or how far it is from the top; -1 of 0. */
void highestBit(Formula &f, bool distance)
{
    Ref x = f.arg(0), zeros = f.make(GP_OP_CLZ, 32, {x});
    if (!distance) {
        f.make(GP_OP_SUB, 32, {f.number(32, 31), zeros});
        return;
    }
    Ref none = f.make(GP_OP_ICMP, 1, {x, f.number(32, 0)}, 32, GP_PRED_EQ);
    f.make(GP_OP_SELECT, 32, {none, f.number(32, UINT32_MAX), zeros});
}

/* Of signed numbers up to 32 bits, in 64 bits. */
void saturated(Formula &f, gp_op op)
{
    if (f.bits > 32)
        return;
    Ref x = f.make(GP_OP_SEXT, 64, {f.arg(0)}, f.bits), y = f.make(GP_OP_SEXT, 64, {f.arg(1)}, f.bits);
    uint64_t greatest = (UINT64_C(1) << (f.bits - 1)) - 1;
    Ref above = f.make(GP_OP_SMIN, 64, {f.make(op, 64, {x, y}), f.number(64, greatest)});
    f.make(GP_OP_TRUNC, f.bits, {f.make(GP_OP_SMAX, 64, {above, f.number(64, ~greatest)})}, 64);
}

/* ---- Floating point -------------------------------------------------------------------------------------------- */

const uint64_t oneHalf = 0x3c00, oneFloat = 0x3f800000, oneDouble = UINT64_C(0x3ff0000000000000);

void reciprocalOf(Formula &f, Ref x)
{
    f.make(GP_OP_FDIV, f.bits, {f.number(f.bits, f.bits == 16 ? oneHalf : f.bits == 32 ? oneFloat : oneDouble), x});
}

/* To an integer, as the rounding of a name says. */
void roundedToInteger(Formula &f, StringRef rounding, bool isSigned)
{
    gp_op op = (gp_op)StringSwitch<int>(rounding.take_front(2))
                   .Case("rn", GP_OP_RINT)
                   .Case("rm", GP_OP_FLOOR)
                   .Case("rp", GP_OP_CEIL)
                   .Default(GP_OP_FTRUNC);
    Ref whole = f.make(op, f.argBits(0), {f.arg(0)});
    f.make(isSigned ? GP_OP_FPTOSI : GP_OP_FPTOUI, f.bits, {whole}, f.argBits(0));
}

/* A number of the width of the result. */
Ref real(Formula &f, double value)
{
    return f.number(f.bits, f.bits == 32 ? APFloat((float)value).bitcastToAPInt().getZExtValue()
                                         : APFloat(value).bitcastToAPInt().getZExtValue());
}

unsigned mantissaBits(const Formula &f) { return f.bits == 32 ? 23 : 52; }
uint64_t exponentOfOne(const Formula &f) { return f.bits == 32 ? 127 : 1023; }

/* c[0] + c[1] x + c[2] x^2 ... */
Ref polynomial(Formula &f, Ref x, ArrayRef<double> coefficients)
{
    Ref sum = real(f, coefficients.back());
    for (double coefficient : reverse(coefficients.drop_back()))
        sum = f.make(GP_OP_FMA, f.bits, {sum, x, real(f, coefficient)});
    return sum;
}

/*
 * The exponent and the mantissa's logarithm, 2 / ln(2) (z + z^3 / 3 + z^5 / 5 ...) with z = (m - 1) / (m + 1), at most
 * 1/3: exact for powers of two, right to 2e-7 otherwise. Not a number, of negative ones.
 */
Ref logarithm(Formula &f, Ref x)
{
    const double first = 2.885390081777927;
    uint64_t one = exponentOfOne(f) << mantissaBits(f), mask = (UINT64_C(1) << mantissaBits(f)) - 1;
    Ref biased = f.make(GP_OP_LSHR, f.bits, {x, f.number(f.bits, mantissaBits(f))});
    Ref exponent =
        f.make(GP_OP_SITOFP, f.bits, {f.make(GP_OP_SUB, f.bits, {biased, f.number(f.bits, exponentOfOne(f))})}, f.bits);
    Ref mantissa =
        f.make(GP_OP_OR, f.bits, {f.make(GP_OP_AND, f.bits, {x, f.number(f.bits, mask)}), f.number(f.bits, one)});
    Ref less = f.make(GP_OP_FADD, f.bits, {mantissa, real(f, -1)}),
        more = f.make(GP_OP_FADD, f.bits, {mantissa, real(f, 1)});
    Ref z = f.make(GP_OP_FDIV, f.bits, {less, more}), square = f.make(GP_OP_FMUL, f.bits, {z, z});
    Ref series = polynomial(f, square, {first, first / 3, first / 5, first / 7, first / 9, first / 11});
    Ref sum = f.make(GP_OP_FMA, f.bits, {z, series, exponent});
    Ref negative = f.make(GP_OP_ICMP, 1, {x, f.number(f.bits, 0)}, f.bits, GP_PRED_SLT);
    return f.make(GP_OP_SELECT, f.bits, {negative, real(f, std::numeric_limits<double>::quiet_NaN()), sum});
}

/* The nearest whole number is added to the exponent of the power of what is left, e^(r ln(2)): as exact as that. What
 * leaves the type is its greatest or least power. */
Ref powerOfTwo(Formula &f, Ref exponent)
{
    double most = (double)exponentOfOne(f);
    Ref kept = f.make(GP_OP_FMAX, f.bits, {f.make(GP_OP_FMIN, f.bits, {exponent, real(f, most)}), real(f, 1 - most)});
    Ref whole = f.make(GP_OP_RINT, f.bits, {kept}), rest = f.make(GP_OP_FSUB, f.bits, {kept, whole});
    Ref power = polynomial(f, rest,
                           {1, 0.6931471805599453, 0.2402265069591007, 0.05550410866482158, 0.009618129107628477,
                            0.0013333558146428443, 0.00015403530393381606});
    Ref moved =
        f.make(GP_OP_SHL, f.bits, {f.make(GP_OP_FPTOSI, f.bits, {whole}, f.bits), f.number(f.bits, mantissaBits(f))});
    return f.make(GP_OP_ADD, f.bits, {power, moved});
}

/* Of a constant that is a power of two: which; 0: it is none, or 1. */
int exponentOf(const Value &base)
{
    auto *number = dyn_cast<ConstantFP>(&base);
    if (!number)
        return 0;
    int exponent = number->getValueAPF().getExactLog2();
    return exponent == INT_MIN ? 0 : exponent;
}

/* pow(2.0f, i); the exponent may be an integer. Powers of other numbers are not known. */
void powerOfConstant(Formula &f, const CallBase &call)
{
    int times = exponentOf(*call.getArgOperand(0));
    if (times == 0 || call.arg_size() != 2)
        return;
    bool whole = call.getArgOperand(1)->getType()->isIntegerTy(32);
    Ref exponent = whole ? f.make(GP_OP_SITOFP, f.bits, {f.arg(1)}, 32) : f.arg(1);
    powerOfTwo(f, f.make(GP_OP_FMUL, f.bits, {exponent, real(f, times)}));
}

/* By their names in OpenCL, CUDA's math API and LLVM's intrinsics: loops over halves of a number end by them. Of 32 and
 * 64 bits. */
void logarithmOrPower(Formula &f, const CallBase &call, StringRef name)
{
    const double log2OfTen = 3.321928094887362, log2OfE = 1.4426950408889634;
    double toLogarithm =
        StringSwitch<double>(name).Case("log2", 1).Case("log", 1 / log2OfE).Case("log10", 1 / log2OfTen).Default(0);
    double toPower =
        StringSwitch<double>(name).Case("exp2", 1).Case("exp", log2OfE).Case("exp10", log2OfTen).Default(0);
    if ((f.bits != 32 && f.bits != 64) || !call.getType()->isFPOrFPVectorTy())
        return;
    if (toLogarithm == 1)
        logarithm(f, f.arg(0));
    else if (toLogarithm != 0)
        f.make(GP_OP_FMUL, f.bits, {logarithm(f, f.arg(0)), real(f, toLogarithm)});
    else if (toPower == 1)
        powerOfTwo(f, f.arg(0));
    else if (toPower != 0)
        powerOfTwo(f, f.make(GP_OP_FMUL, f.bits, {f.arg(0), real(f, toPower)}));
    else if (name == "pow" || name == "powr" || name == "pown")
        powerOfConstant(f, call);
}

bool isFloating(const Value &value) { return value.getType()->isFPOrFPVectorTy(); }

/* ---- PTX's intrinsics ------------------------------------------------------------------------------------------ */

/* f2i.rn, ull2d.rn: false for what is none. Integers of 32 bits are doubles whatever the rounding. */
bool nvvmConversion(Formula &f, const CallBase &call, StringRef base, StringRef rounding)
{
    auto [from, to] = base.split('2');
    auto isReal = [](StringRef type) { return type == "f" || type == "d"; };
    auto isInteger = [](StringRef type) { return type == "i" || type == "ui" || type == "ll" || type == "ull"; };
    bool exact = rounding.starts_with("rn") || (to == "d" && !from.contains("ll"));
    if (isReal(from) && isInteger(to) && isFloating(*call.getArgOperand(0)))
        roundedToInteger(f, rounding, !to.starts_with("u"));
    else if (isInteger(from) && isReal(to) && isFloating(call) && exact)
        operation(f, from.starts_with("u") ? GP_OP_UITOFP : GP_OP_SITOFP, 1, f.argBits(0));
    else
        return false;
    return true;
}

/* GP_OP_WEIGHT: none. */
gp_op nvvmFloatOp(StringRef base, unsigned &operands)
{
    operands = base == "fma" ? 3 : 2;
    gp_op op = (gp_op)StringSwitch<int>(base)
                   .Case("add", GP_OP_FADD)
                   .Case("sub", GP_OP_FSUB)
                   .Case("mul", GP_OP_FMUL)
                   .Case("div", GP_OP_FDIV)
                   .Case("fma", GP_OP_FMA)
                   .Case("fmin", GP_OP_FMIN)
                   .Case("fmax", GP_OP_FMAX)
                   .Default(GP_OP_WEIGHT);
    if (op != GP_OP_WEIGHT)
        return op;
    operands = 1;
    return (gp_op)StringSwitch<int>(base)
        .Case("fabs", GP_OP_FABS)
        .Case("neg", GP_OP_FNEG)
        .Case("floor", GP_OP_FLOOR)
        .Case("ceil", GP_OP_CEIL)
        .Case("trunc", GP_OP_FTRUNC)
        .Case("round", GP_OP_RINT) /* cvt.rni */
        .Case("sqrt", GP_OP_SQRT)
        .Default(GP_OP_WEIGHT);
}

void nvvmFloat(Formula &f, const CallBase &call, StringRef base)
{
    unsigned operands;
    gp_op op = nvvmFloatOp(base, operands);
    if (base == "rcp")
        reciprocalOf(f, f.arg(0));
    else if (base == "rsqrt")
        reciprocalOf(f, f.make(GP_OP_SQRT, f.bits, {f.arg(0)}));
    else if (base == "lg2" || base == "ex2")
        logarithmOrPower(f, call, base == "lg2" ? "log2" : "exp2");
    else if (op != GP_OP_WEIGHT)
        operation(f, op, operands);
}

void nvvmInteger(Formula &f, const CallBase &call, StringRef base, bool isSigned)
{
    if (base == "mulhi")
        operation(f, isSigned ? GP_OP_SMULHI : GP_OP_UMULHI, 2);
    else if (base == "mul24")
        product24(f, isSigned);
    else if (base == "sad")
        differenceAndSum(f, isSigned);
    else if (auto *selector = base == "prmt" ? dyn_cast<ConstantInt>(call.getArgOperand(2)) : nullptr)
        permuteBytes(f, selector->getZExtValue());
}

/* Of "base.rounding.kind...type", kinds that a profile's operations do not have. */
bool isOtherwiseRounded(StringRef details)
{
    SmallVector<StringRef, 4> words;
    details.split(words, '.');
    return any_of(words, [](StringRef word) {
        return StringSwitch<bool>(word)
            .Cases({"rz", "rm", "rp", "nan", "xorsign", "sat", "relu", "oob"}, true)
            .Default(false);
    });
}

/* d2i.hi, d2i.lo, lohi.i2d: a double's words, of which libdevice makes its logarithms and powers. False: it is another.
 */
bool nvvmWords(Formula &f, StringRef name)
{
    if (name == "lohi.i2d") {
        Ref lower = f.arg(0);
        joined(f, f.arg(1), lower, 32);
    } else if (name == "d2i.hi") {
        f.make(GP_OP_TRUNC, 32, {f.make(GP_OP_LSHR, 64, {f.arg(0), f.number(64, 32)})}, 64);
    } else if (name == "d2i.lo") {
        f.make(GP_OP_TRUNC, 32, {f.arg(0)}, 64);
    } else {
        return false;
    }
    return true;
}

void nvvmCall(Formula &f, const CallBase &call, StringRef name)
{
    auto [base, details] = name.split('.');
    if (nvvmWords(f, name) || nvvmConversion(f, call, base, details))
        return;
    if (!isFloating(call))
        nvvmInteger(f, call, base, !details.starts_with("u"));
    else if (!isOtherwiseRounded(details))
        nvvmFloat(f, call, base);
}

/* ---- AMD's intrinsics ------------------------------------------------------------------------------------------ */

void amdgcnCall(Formula &f, const CallBase &call, StringRef name)
{
    auto [base, details] = name.split('.');
    if (base == "mul" && (details == "u24" || details == "i24"))
        product24(f, details == "i24");
    else if (base == "rcp" && isFloating(call))
        reciprocalOf(f, f.arg(0));
    else if (base == "rsq" && details.empty() && isFloating(call))
        reciprocalOf(f, f.make(GP_OP_SQRT, f.bits, {f.arg(0)}));
    else if (base == "sqrt" && isFloating(call))
        operation(f, GP_OP_SQRT, 1);
    else if (base == "log" || base == "exp2")
        logarithmOrPower(f, call, base == "log" ? "log2" : "exp2");
}

/* ---- PTX in assembly ------------------------------------------------------------------------------------------- */

/* "shf.l.clamp.b32" of "shf.l.clamp.b32 $0, $1, $2, $3;", one instruction that takes all arguments in their order;
 * empty: another form. */
StringRef instructionOf(const CallBase &call)
{
    StringRef text = StringRef(cast<InlineAsm>(call.getCalledOperand())->getAsmString()).trim(" \t\n;");
    auto [mnemonic, rest] = text.split(' ');
    SmallVector<StringRef, 4> operands;
    rest.split(operands, ',');
    if (operands.size() != call.arg_size() + 1)
        return {};
    for (unsigned i = 0; i < operands.size(); i++)
        if (operands[i].trim(" \t") != "$" + std::to_string(i))
            return {};
    return mnemonic;
}

void assemblyCall(Formula &f, StringRef mnemonic)
{
    if (mnemonic == "shf.l.clamp.b32" || mnemonic == "shf.r.clamp.b32")
        return clampedFunnel(f, mnemonic.starts_with("shf.l"));
    if (mnemonic == "bfind.u32" || mnemonic == "bfind.shiftamt.u32")
        return highestBit(f, mnemonic.contains(".shiftamt"));
    if (mnemonic == "rcp.approx.ftz.f32" || mnemonic == "rcp.approx.f32")
        return reciprocalOf(f, f.arg(0));
    gp_op op = (gp_op)StringSwitch<int>(mnemonic)
                   .Case("mul.hi.u32", GP_OP_UMULHI)
                   .Case("mul.hi.s32", GP_OP_SMULHI)
                   .Case("div.approx.ftz.f32", GP_OP_FDIV)
                   .Case("div.approx.f32", GP_OP_FDIV)
                   .Case("brev.b32", GP_OP_BITREVERSE)
                   .Case("popc.b32", GP_OP_POPCOUNT)
                   .Case("clz.b32", GP_OP_CLZ)
                   .Default(GP_OP_WEIGHT);
    if (op != GP_OP_WEIGHT)
        operation(f, op, gp_op_operands(op));
}

/* ---- LLVM's intrinsics and OpenCL's functions ------------------------------------------------------------------- */

void intrinsicCall(Formula &f, const CallBase &call, Intrinsic::ID id)
{
    switch (id) {
    case Intrinsic::fshr: return funnelRight(f);
    case Intrinsic::sadd_sat: return saturated(f, GP_OP_ADD);
    case Intrinsic::ssub_sat: return saturated(f, GP_OP_SUB);
    case Intrinsic::log2: return logarithmOrPower(f, call, "log2");
    case Intrinsic::log: return logarithmOrPower(f, call, "log");
    case Intrinsic::log10: return logarithmOrPower(f, call, "log10");
    case Intrinsic::exp2: return logarithmOrPower(f, call, "exp2");
    case Intrinsic::exp: return logarithmOrPower(f, call, "exp");
    case Intrinsic::exp10: return logarithmOrPower(f, call, "exp10");
    case Intrinsic::pow:
    case Intrinsic::powi: return logarithmOrPower(f, call, "pow");
    default: return;
    }
}

void namedCall(Formula &f, const CallBase &call, StringRef name)
{
    if (name == "upsample" && call.arg_size() == 2 && !isFloating(call) && f.bits == 2 * f.argBits(0) &&
        f.argBits(0) == f.argBits(1)) {
        Ref upper = f.arg(0);
        joined(f, upper, f.arg(1), f.bits / 2);
    } else if (isFloating(call)) {
        logarithmOrPower(f, call, plainMathName(call));
    }
}

} // namespace

Lowering formulaOf(const CallBase &call, unsigned element)
{
    Formula f(call, element);
    const Function *callee = call.getCalledFunction();
    StringRef name = callee ? callee->getName() : "";
    if (f.bits == 0)
        return {};
    if (call.isInlineAsm())
        assemblyCall(f, instructionOf(call));
    else if (name.consume_front("llvm.nvvm."))
        nvvmCall(f, call, name);
    else if (name.consume_front("llvm.amdgcn."))
        amdgcnCall(f, call, name);
    else if (callee && callee->isIntrinsic())
        intrinsicCall(f, call, callee->getIntrinsicID());
    else if (callee && callee->isDeclaration())
        namedCall(f, call, builtinName(name).base);
    return f.done();
}

/* Elements are numbered from the lower end. */
Lowering formulaOf(const BitCastInst &cast, unsigned element)
{
    const unsigned mostParts = 8;
    Formula f(cast, element);
    unsigned from = f.argBits(0), parts = f.bits / from;
    if (f.bits < from) {
        Ref whole = f.operand(0, element * f.bits / from), skipped = f.number(from, element * f.bits % from);
        f.make(GP_OP_TRUNC, f.bits, {f.make(GP_OP_LSHR, from, {whole, skipped})}, from);
    } else if (parts <= mostParts) {
        Ref result = f.make(GP_OP_ZEXT, f.bits, {f.operand(0, element * parts)}, from);
        for (unsigned i = 1; i < parts; i++) {
            Ref wide = f.make(GP_OP_ZEXT, f.bits, {f.operand(0, element * parts + i)}, from);
            result = f.make(GP_OP_OR, f.bits, {result, f.make(GP_OP_SHL, f.bits, {wide, f.number(f.bits, i * from)})});
        }
    }
    return f.done();
}

} // namespace gpuperf
