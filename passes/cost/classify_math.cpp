/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Mathematical functions by name, in single, double and half precision. */
#include "passes/cost/classify_parts.h"

#include "llvm/IR/Operator.h"

#include "model/compilers/cost.h"

using namespace llvm;

namespace gpuperf
{

namespace
{

/* A function's class in single precision: as the full-range library function, and as the hardware's approximation. */
struct MathRow {
    const char *name;
    Cost full, fast;
};

const MathRow mathRows[] = {
    {"sin", {GP_CLASS_MATH32_TRIG}, {GP_CLASS_SFU_SIN}},
    {"cos", {GP_CLASS_MATH32_TRIG}, {GP_CLASS_SFU_COS}},
    {"tan", {GP_CLASS_MATH32_TRIG}, {GP_CLASS_SFU_SIN, 3}}, /* sin, cos and a quotient */
    {"sincos", {GP_CLASS_MATH32_TRIG, 2}, {GP_CLASS_SFU_SIN, 2}},
    {"sinpi", {GP_CLASS_MATH32_TRIG}, {GP_CLASS_SFU_SIN}},
    {"cospi", {GP_CLASS_MATH32_TRIG}, {GP_CLASS_SFU_COS}},
    {"tanpi", {GP_CLASS_MATH32_TRIG}, {GP_CLASS_SFU_SIN, 3}},
    {"asin", {GP_CLASS_MATH32_OTHER}, {GP_CLASS_MATH32_OTHER}},
    {"acos", {GP_CLASS_MATH32_OTHER}, {GP_CLASS_MATH32_OTHER}},
    {"atan", {GP_CLASS_MATH32_OTHER}, {GP_CLASS_MATH32_OTHER}},
    {"atan2", {GP_CLASS_MATH32_OTHER}, {GP_CLASS_MATH32_OTHER}},
    {"asinpi", {GP_CLASS_MATH32_OTHER}, {GP_CLASS_MATH32_OTHER}},
    {"acospi", {GP_CLASS_MATH32_OTHER}, {GP_CLASS_MATH32_OTHER}},
    {"atanpi", {GP_CLASS_MATH32_OTHER}, {GP_CLASS_MATH32_OTHER}},
    {"atan2pi", {GP_CLASS_MATH32_OTHER}, {GP_CLASS_MATH32_OTHER}},
    {"sinh", {GP_CLASS_MATH32_EXP, 2}, {GP_CLASS_SFU_EXP2, 2}},
    {"cosh", {GP_CLASS_MATH32_EXP, 2}, {GP_CLASS_SFU_EXP2, 2}},
    {"tanh", {GP_CLASS_MATH32_OTHER}, {GP_CLASS_SFU_EXP2, 2}},
    {"asinh", {GP_CLASS_MATH32_LOG}, {GP_CLASS_MATH32_LOG}},
    {"acosh", {GP_CLASS_MATH32_LOG}, {GP_CLASS_MATH32_LOG}},
    {"atanh", {GP_CLASS_MATH32_LOG}, {GP_CLASS_MATH32_LOG}},
    {"exp", {GP_CLASS_MATH32_EXP}, {GP_CLASS_SFU_EXP2}},
    {"exp2", {GP_CLASS_MATH32_EXP}, {GP_CLASS_SFU_EXP2}},
    {"exp10", {GP_CLASS_MATH32_EXP}, {GP_CLASS_SFU_EXP2}},
    {"expm1", {GP_CLASS_MATH32_EXP}, {GP_CLASS_SFU_EXP2}},
    {"log", {GP_CLASS_MATH32_LOG}, {GP_CLASS_SFU_LOG2}},
    {"log2", {GP_CLASS_MATH32_LOG}, {GP_CLASS_SFU_LOG2}},
    {"log10", {GP_CLASS_MATH32_LOG}, {GP_CLASS_SFU_LOG2}},
    {"log1p", {GP_CLASS_MATH32_LOG}, {GP_CLASS_SFU_LOG2}},
    {"logb", {GP_CLASS_INT_BITS, 2}, {GP_CLASS_INT_BITS, 2}},
    {"ilogb", {GP_CLASS_INT_BITS, 2}, {GP_CLASS_INT_BITS, 2}},
    {"pow", {GP_CLASS_MATH32_POW}, {GP_CLASS_SFU_EXP2, 2}}, /* exp2(y * log2(x)) */
    {"powr", {GP_CLASS_MATH32_POW}, {GP_CLASS_SFU_EXP2, 2}},
    {"pown", {GP_CLASS_MATH32_POW}, {GP_CLASS_SFU_EXP2, 2}},
    {"powi", {GP_CLASS_MATH32_POW}, {GP_CLASS_SFU_EXP2, 2}},
    {"rootn", {GP_CLASS_MATH32_POW}, {GP_CLASS_SFU_EXP2, 2}},
    {"cbrt", {GP_CLASS_MATH32_OTHER}, {GP_CLASS_SFU_EXP2, 2}},
    {"hypot", {GP_CLASS_MATH32_OTHER}, {GP_CLASS_FLOAT_SQRT_FAST}},
    {"sqrt", {GP_CLASS_FLOAT_SQRT}, {GP_CLASS_FLOAT_SQRT_FAST}},
    {"rsqrt", {GP_CLASS_FLOAT_RSQRT}, {GP_CLASS_FLOAT_RSQRT}},
    {"recip", {GP_CLASS_FLOAT_RCP}, {GP_CLASS_FLOAT_RCP}},
    {"rcp", {GP_CLASS_FLOAT_RCP}, {GP_CLASS_FLOAT_RCP}},
    {"divide", {GP_CLASS_FLOAT_DIV}, {GP_CLASS_FLOAT_DIV_FAST}},
    {"fdivide", {GP_CLASS_FLOAT_DIV}, {GP_CLASS_FLOAT_DIV_FAST}},
    {"fmod", {GP_CLASS_MATH32_OTHER}, {GP_CLASS_FLOAT_DIV_FAST, 2}},
    {"remainder", {GP_CLASS_MATH32_OTHER}, {GP_CLASS_MATH32_OTHER}},
    {"remquo", {GP_CLASS_MATH32_OTHER}, {GP_CLASS_MATH32_OTHER}},
    {"ldexp", {GP_CLASS_FLOAT_MUL, 2}, {GP_CLASS_FLOAT_MUL}},
    {"scalbn", {GP_CLASS_FLOAT_MUL, 2}, {GP_CLASS_FLOAT_MUL}},
    {"frexp", {GP_CLASS_INT_LOGIC, 4}, {GP_CLASS_INT_LOGIC, 4}},
    {"fract", {GP_CLASS_FLOAT_ADD, 3}, {GP_CLASS_FLOAT_ADD, 2}},
    {"modf", {GP_CLASS_FLOAT_ADD, 2}, {GP_CLASS_FLOAT_ADD, 2}},
    {"nextafter", {GP_CLASS_INT_ADD, 6}, {GP_CLASS_INT_ADD, 6}},
    {"fdim", {GP_CLASS_FLOAT_ADD, 2}, {GP_CLASS_FLOAT_ADD, 2}},
    {"maxmag", {GP_CLASS_FLOAT_CMP, 3}, {GP_CLASS_FLOAT_CMP, 3}},
    {"minmag", {GP_CLASS_FLOAT_CMP, 3}, {GP_CLASS_FLOAT_CMP, 3}},
    {"erf", {GP_CLASS_MATH32_EXP, 2}, {GP_CLASS_MATH32_EXP, 2}},
    {"erfc", {GP_CLASS_MATH32_EXP, 2}, {GP_CLASS_MATH32_EXP, 2}},
    {"lgamma", {GP_CLASS_MATH32_LOG, 3}, {GP_CLASS_MATH32_LOG, 3}},
    {"lgamma_r", {GP_CLASS_MATH32_LOG, 3}, {GP_CLASS_MATH32_LOG, 3}},
    {"tgamma", {GP_CLASS_MATH32_EXP, 3}, {GP_CLASS_MATH32_EXP, 3}},
    {"normalize", {GP_CLASS_FLOAT_RSQRT}, {GP_CLASS_FLOAT_RSQRT}},
    {"fast_normalize", {GP_CLASS_FLOAT_RSQRT}, {GP_CLASS_FLOAT_RSQRT}},
    {"smoothstep", {GP_CLASS_FLOAT_FMA, 5}, {GP_CLASS_FLOAT_FMA, 4}},
    {"sign", {GP_CLASS_FLOAT_CMP, 3}, {GP_CLASS_FLOAT_CMP, 2}},
    {"cross", {GP_CLASS_FLOAT_FMA, 2}, {GP_CLASS_FLOAT_FMA, 2}},
    {"nan", {GP_CLASS_INT_LOGIC}, {GP_CLASS_INT_LOGIC}},
    {"isinf", {GP_CLASS_FLOAT_CMP}, {GP_CLASS_FLOAT_CMP}},
    {"isnan", {GP_CLASS_FLOAT_CMP}, {GP_CLASS_FLOAT_CMP}},
    {"isfinite", {GP_CLASS_FLOAT_CMP}, {GP_CLASS_FLOAT_CMP}},
    {"signbit", {GP_CLASS_INT_SHIFT}, {GP_CLASS_INT_SHIFT}},
    {"isnormal", {GP_CLASS_FLOAT_CMP, 2}, {GP_CLASS_FLOAT_CMP, 2}},
    {"hadd", {GP_CLASS_INT_ADD, 4}, {GP_CLASS_INT_ADD, 4}},
    {"rhadd", {GP_CLASS_INT_ADD, 4}, {GP_CLASS_INT_ADD, 4}},
    {"mad_sat", {GP_CLASS_INT_MAD, 3}, {GP_CLASS_INT_MAD, 3}},
    {"upsample", {GP_CLASS_INT_LOGIC, 2}, {GP_CLASS_INT_LOGIC, 2}},
    {"any", {GP_CLASS_INT_LOGIC}, {GP_CLASS_INT_LOGIC}},
    {"all", {GP_CLASS_INT_LOGIC}, {GP_CLASS_INT_LOGIC}},
    {"bitselect", {GP_CLASS_INT_LOGIC}, {GP_CLASS_INT_LOGIC}},
    {"select", {GP_CLASS_SELECT}, {GP_CLASS_SELECT}},
    {"shuffle", {GP_CLASS_SELECT, 2}, {GP_CLASS_SELECT, 2}},
    {"shuffle2", {GP_CLASS_SELECT, 3}, {GP_CLASS_SELECT, 3}},
    {"clamp", {GP_CLASS_FLOAT_MINMAX, 2}, {GP_CLASS_FLOAT_MINMAX, 2}},
    {"min", {GP_CLASS_FLOAT_MINMAX}, {GP_CLASS_FLOAT_MINMAX}},
    {"max", {GP_CLASS_FLOAT_MINMAX}, {GP_CLASS_FLOAT_MINMAX}},
    {"fmin", {GP_CLASS_FLOAT_MINMAX}, {GP_CLASS_FLOAT_MINMAX}},
    {"fmax", {GP_CLASS_FLOAT_MINMAX}, {GP_CLASS_FLOAT_MINMAX}},
    {"mad", {GP_CLASS_FLOAT_FMA}, {GP_CLASS_FLOAT_FMA}},
    {"fma", {GP_CLASS_FLOAT_FMA}, {GP_CLASS_FLOAT_FMA}},
    {"mix", {GP_CLASS_FLOAT_FMA, 2}, {GP_CLASS_FLOAT_FMA, 2}},
    {"step", {GP_CLASS_FLOAT_CMP, 2}, {GP_CLASS_FLOAT_CMP, 2}},
    {"fabs", {GP_CLASS_FREE}, {GP_CLASS_FREE}},
    {"floor", {GP_CLASS_FLOAT_ROUND}, {GP_CLASS_FLOAT_ROUND}},
    {"ceil", {GP_CLASS_FLOAT_ROUND}, {GP_CLASS_FLOAT_ROUND}},
    {"trunc", {GP_CLASS_FLOAT_ROUND}, {GP_CLASS_FLOAT_ROUND}},
    {"round", {GP_CLASS_FLOAT_ROUND, 3}, {GP_CLASS_FLOAT_ROUND, 3}},
    {"rint", {GP_CLASS_FLOAT_ROUND}, {GP_CLASS_FLOAT_ROUND}},
    {"amd_pack", {GP_CLASS_CVT_NARROW, 4}, {GP_CLASS_CVT_NARROW, 4}},
    {"amd_unpack0", {GP_CLASS_CVT}, {GP_CLASS_CVT}}, /* v_cvt_f32_ubyte0 */
    {"amd_unpack1", {GP_CLASS_CVT}, {GP_CLASS_CVT}},
    {"amd_unpack2", {GP_CLASS_CVT}, {GP_CLASS_CVT}},
    {"amd_unpack3", {GP_CLASS_CVT}, {GP_CLASS_CVT}},
    {"amd_lerp", {GP_CLASS_INT_ADD}, {GP_CLASS_INT_ADD}},
    {"amd_sad", {GP_CLASS_INT_ADD}, {GP_CLASS_INT_ADD}},
    {"amd_sad4", {GP_CLASS_INT_ADD, 4}, {GP_CLASS_INT_ADD, 4}},
    {"amd_sadhi", {GP_CLASS_INT_ADD}, {GP_CLASS_INT_ADD}},
    {"amd_sadw", {GP_CLASS_INT_ADD}, {GP_CLASS_INT_ADD}},
    {"amd_sadd", {GP_CLASS_INT_ADD}, {GP_CLASS_INT_ADD}},
    {"amd_msad", {GP_CLASS_INT_ADD}, {GP_CLASS_INT_ADD}},
    {"amd_qsad", {GP_CLASS_INT_ADD, 4}, {GP_CLASS_INT_ADD, 4}},
    {"amd_mqsad", {GP_CLASS_INT_ADD, 4}, {GP_CLASS_INT_ADD, 4}},
    {"amd_bfm", {GP_CLASS_INT_SHIFT}, {GP_CLASS_INT_SHIFT}},
    {"amd_bfe", {GP_CLASS_INT_SHIFT}, {GP_CLASS_INT_SHIFT}},
    {"amd_median3", {GP_CLASS_INT_MINMAX, 2}, {GP_CLASS_INT_MINMAX, 2}},
    {"amd_min3", {GP_CLASS_FLOAT_MINMAX, 2}, {GP_CLASS_FLOAT_MINMAX, 2}},
    {"amd_max3", {GP_CLASS_FLOAT_MINMAX, 2}, {GP_CLASS_FLOAT_MINMAX, 2}},
    {"saturatef", {GP_CLASS_FLOAT_ADD}, {GP_CLASS_FLOAT_ADD}},
};

/* Functions whose code for double precision is another one than for single precision: of libdevice, sm_80, they have
 * 23, 13, 14, 42 and 62 instructions of the FP64 pipe (cost.c). */
const struct {
    const char *name;
    Cost cost;
} doubleRows[] = {
    {"tan", {GP_CLASS_MATH64}},        {"cbrt", {GP_CLASS_MATH64_EXP}},    {"hypot", {GP_CLASS_MATH64_EXP}},
    {"erf", {GP_CLASS_MATH64_EXP, 3}}, {"erfc", {GP_CLASS_MATH64_EXP, 4}},
};

} // namespace

/* ---- Precision ------------------------------------------------------------------------------------------------ */

/* The type that decides a function's precision: its result, or for integers (ilogb) its argument. */
Type *precisionType(const CallBase &call)
{
    Type *type = call.getType()->getScalarType();
    if (!type->isFloatingPointTy() && call.arg_size() > 0)
        type = call.getArgOperand(0)->getType()->getScalarType();
    return type;
}

Cost inPrecision(Cost cost, const Type *type)
{
    if (type->isDoubleTy())
        cost.cost = gp_double_class(cost.cost);
    else if (type->isHalfTy() || type->isBFloatTy())
        cost.cost = gp_half_class(cost.cost);
    else if (type->isIntegerTy() && cost.cost == GP_CLASS_FLOAT_MINMAX)
        cost.cost = GP_CLASS_INT_MINMAX;
    return cost;
}

/* Whether the function's code treats denormal numbers of single precision as zero: -ftz=true, -cl-denorms-are-zero,
 * -fgpu-flush-denormals-to-zero. */
bool flushesDenormals(const Instruction &inst)
{
    DenormalMode mode = inst.getFunction()->getDenormalMode(APFloat::IEEEsingle());
    return mode.Output == DenormalMode::PreserveSign || mode.Output == DenormalMode::PositiveZero;
}

/* PTX says it of each instruction, LLVM's intrinsics for PTX do in their names. */
bool isFlushedApproximation(StringRef name) { return name.contains(".approx") && name.contains(".ftz"); }

Cost whereFlushed(Cost cost, bool flushed) { return {flushed ? gp_flushed_class(cost.cost) : cost.cost, cost.repeat}; }

/* Nobody has approximations in double precision. */
bool isApproximate(const CallBase &call)
{
    auto *op = dyn_cast<FPMathOperator>(&call);
    return op && op->hasApproxFunc() && !precisionType(call)->isDoubleTy();
}

/* ---- Functions ------------------------------------------------------------------------------------------------ */

static bool mathCost(StringRef name, bool fast, Cost &cost)
{
    for (const MathRow &row : mathRows)
        if (name == row.name) {
            cost = fast ? row.fast : row.full;
            return true;
        }
    return false;
}

/* The function's price; its name may be none that has another one in double precision. */
static Cost namedCost(StringRef name, Cost cost, const Type *type)
{
    for (const auto &row : doubleRows)
        if (type->isDoubleTy() && name == row.name)
            return row.cost;
    return inPrecision(cost, type);
}

/* Those that AMD's libraries make one instruction of (and of exp() and exp10() a product); their logarithms and roots
 * are no simpler as native ones. */
static bool hasNativeInstruction(StringRef name)
{
    return name == "recip" || name == "rsqrt" || name == "exp" || name == "exp2" || name == "exp10";
}

/* OpenCL C, libdevice (__nv_sinf, __nv_fast_sinf), AMD's device libraries (__ocml_sin_f32, __ocml_native_sin_f32). */
bool mathCall(const CallBase &call, StringRef name, Target target, CallClass &found)
{
    bool native = false, half = false, fast = isApproximate(call);
    if (name.consume_front("__nv_")) {
        fast |= name.consume_front("fast_");
        if (!mathCost(name, fast, found.cost))
            (void)(name.consume_back("f") || name.consume_back("d"));
    } else if (name.consume_front("__ocml_")) {
        native = name.consume_front("native_");
        name = name.rsplit("_f").first;
    } else {
        native = name.consume_front("native_");
        half = name.consume_front("half_");
        name.consume_front("__clc_");
    }
    if (!mathCost(name, fast || native || half, found.cost))
        return false;
    found.kind = CallKind::Arithmetic;
    if (target == Target::Host && libraryCall(name, native, precisionType(call), found.cost))
        return true;
    auto *op = dyn_cast<FPMathOperator>(&call);
    if (found.cost.cost == GP_CLASS_FLOAT_SQRT && op && op->getFPAccuracy() >= 2.0f)
        found.cost.cost = GP_CLASS_FLOAT_SQRT_LOOSE;
    found.cost = whereFlushed(namedCost(name, found.cost, precisionType(call)), flushesDenormals(call));
    if ((native || half) && hasNativeInstruction(name))
        found.cost.cost = gp_native_class(found.cost.cost);
    return true;
}

} // namespace gpuperf
