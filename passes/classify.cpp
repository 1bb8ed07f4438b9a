#include "passes/classify.h"

#include "passes/matrix_products.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"

#include "model/code/cost.h"
#include "passes/builtins.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace gpuperf {

/* ---- Mathematics by name -------------------------------------------------------------------------------------- */

namespace {

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

/* Functions whose code for double precision is another one than for single precision: of libdevice, sm_80, they have 23, 13, 14, 42 and 62 instructions of the FP64 pipe (cost.c). */
const struct { const char *name; Cost cost; } doubleRows[] = {
    {"tan", {GP_CLASS_MATH64}},
    {"cbrt", {GP_CLASS_MATH64_EXP}},
    {"hypot", {GP_CLASS_MATH64_EXP}},
    {"erf", {GP_CLASS_MATH64_EXP, 3}},
    {"erfc", {GP_CLASS_MATH64_EXP, 4}},
};

/* What the class of a single-precision row is in other precisions. */
gp_class doubled(gp_class cost)
{
    switch (cost) {
    case GP_CLASS_FLOAT_ADD: return GP_CLASS_DOUBLE_ADD;
    case GP_CLASS_FLOAT_MUL: return GP_CLASS_DOUBLE_MUL;
    case GP_CLASS_FLOAT_FMA: return GP_CLASS_DOUBLE_FMA;
    case GP_CLASS_FLOAT_CMP: return GP_CLASS_DOUBLE_CMP;
    case GP_CLASS_FLOAT_MINMAX: return GP_CLASS_DOUBLE_MINMAX;
    case GP_CLASS_FLOAT_ROUND: return GP_CLASS_DOUBLE_ROUND;
    case GP_CLASS_FLOAT_DIV: case GP_CLASS_FLOAT_DIV_FAST: case GP_CLASS_FLOAT_RCP: return GP_CLASS_DOUBLE_DIV;
    case GP_CLASS_FLOAT_SQRT: case GP_CLASS_FLOAT_SQRT_FAST: case GP_CLASS_FLOAT_RSQRT: return GP_CLASS_DOUBLE_SQRT;
    case GP_CLASS_SFU_SIN: case GP_CLASS_SFU_COS: case GP_CLASS_MATH32_TRIG: return GP_CLASS_MATH64_TRIG;
    case GP_CLASS_SFU_EXP2: case GP_CLASS_MATH32_EXP: return GP_CLASS_MATH64_EXP;
    case GP_CLASS_SFU_LOG2: case GP_CLASS_MATH32_LOG: return GP_CLASS_MATH64_LOG;
    case GP_CLASS_MATH32_POW: return GP_CLASS_MATH64_POW;
    case GP_CLASS_SFU_OTHER: case GP_CLASS_MATH32_OTHER: return GP_CLASS_MATH64;
    default: return cost;
    }
}

gp_class halved(gp_class cost)
{
    switch (cost) {
    case GP_CLASS_FLOAT_ADD: return GP_CLASS_HALF_ADD;
    case GP_CLASS_FLOAT_MUL: return GP_CLASS_HALF_MUL;
    case GP_CLASS_FLOAT_FMA: return GP_CLASS_HALF_FMA;
    case GP_CLASS_FLOAT_CMP: case GP_CLASS_FLOAT_MINMAX: return GP_CLASS_HALF_CMP;
    case GP_CLASS_FLOAT_ROUND: return GP_CLASS_HALF_ADD;
    case GP_CLASS_FLOAT_DIV: case GP_CLASS_FLOAT_DIV_FAST: return GP_CLASS_HALF_DIV;
    case GP_CLASS_FLOAT_SQRT: case GP_CLASS_FLOAT_SQRT_FAST: case GP_CLASS_FLOAT_RCP: case GP_CLASS_FLOAT_RSQRT:
    case GP_CLASS_SFU_SIN:
    case GP_CLASS_SFU_COS:
    case GP_CLASS_SFU_EXP2:
    case GP_CLASS_SFU_LOG2:
    case GP_CLASS_SFU_OTHER:
    case GP_CLASS_MATH32_TRIG: case GP_CLASS_MATH32_EXP: case GP_CLASS_MATH32_LOG: case GP_CLASS_MATH32_POW:
    case GP_CLASS_MATH32_OTHER:
        return GP_CLASS_HALF_MATH;
    default: return cost;
    }
}

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
        cost.cost = doubled(cost.cost);
    else if (type->isHalfTy() || type->isBFloatTy())
        cost.cost = halved(cost.cost);
    else if (type->isIntegerTy() && cost.cost == GP_CLASS_FLOAT_MINMAX)
        cost.cost = GP_CLASS_INT_MINMAX;
    return cost;
}

bool mathCost(StringRef name, bool fast, Cost &cost)
{
    for (const MathRow &row : mathRows)
        if (name == row.name) {
            cost = fast ? row.fast : row.full;
            return true;
        }
    return false;
}

/* The function's price; its name may be none that has another one in double precision. */
Cost namedCost(StringRef name, Cost cost, const Type *type)
{
    for (const auto &row : doubleRows)
        if (type->isDoubleTy() && name == row.name)
            return row.cost;
    return inPrecision(cost, type);
}

/* Whether the function's code treats denormal numbers of single precision as zero: -ftz=true, -cl-denorms-are-zero, -fgpu-flush-denormals-to-zero. */
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

/* OpenCL C, libdevice (__nv_sinf, __nv_fast_sinf), AMD's device libraries (__ocml_sin_f32, __ocml_native_sin_f32). */
bool mathCall(const CallBase &call, StringRef name, CallClass &found)
{
    bool fast = isApproximate(call);
    if (name.consume_front("__nv_")) {
        fast |= name.consume_front("fast_");
        if (!mathCost(name, fast, found.cost))
            (void)(name.consume_back("f") || name.consume_back("d"));
    } else if (name.consume_front("__ocml_")) {
        fast |= name.consume_front("native_");
        name = name.rsplit("_f").first;
    } else {
        fast |= name.consume_front("native_") || name.consume_front("half_");
        name.consume_front("__clc_");
    }
    if (!mathCost(name, fast, found.cost))
        return false;
    auto *op = dyn_cast<FPMathOperator>(&call);
    if (found.cost.cost == GP_CLASS_FLOAT_SQRT && op && op->getFPAccuracy() >= 2.0f)
        found.cost.cost = GP_CLASS_FLOAT_SQRT_LOOSE;
    found.kind = CallKind::Arithmetic;
    found.cost = whereFlushed(namedCost(name, found.cost, precisionType(call)), flushesDenormals(call));
    return true;
}

} // namespace

/* ---- Builtin functions of OpenCL that do more than compute ---------------------------------------------------- */

static bool openclCall(const CallBase &call, StringRef name, CallClass &found)
{
    auto kind = [&](CallKind k, gp_class c = GP_CLASS_FREE, unsigned repeat = 1) {
        found = {k, {c, repeat}};
        return true;
    };
    if (name == "barrier" || name == "work_group_barrier" || name == "__spirv_ControlBarrier")
        return kind(CallKind::Barrier, GP_CLASS_BARRIER);
    if (name == "sub_group_barrier" || name == "mem_fence" || name == "read_mem_fence" || name == "write_mem_fence" ||
        name == "atomic_work_item_fence" || name == "__spirv_MemoryBarrier")
        return kind(CallKind::Fence, GP_CLASS_FENCE);
    if (name.starts_with("read_image"))
        return kind(CallKind::ImageLoad, GP_CLASS_MEMORY);
    if (name.starts_with("write_image"))
        return kind(CallKind::ImageStore, GP_CLASS_MEMORY);
    if (name.starts_with("get_image_") || name.contains("sampler_initializer"))
        return kind(CallKind::Arithmetic, GP_CLASS_FREE);
    if ((name == "async_work_group_copy" || name == "async_work_group_strided_copy") && call.arg_size() >= 4 &&
        call.getArgOperand(0)->getType()->isPointerTy() && call.getArgOperand(1)->getType()->isPointerTy())
        return kind(CallKind::BulkCopy, GP_CLASS_MEMORY);
    if (name == "wait_group_events")
        return kind(CallKind::Barrier, GP_CLASS_BARRIER); /* all work-items of the group wait for the copies */
    if (name == "prefetch")
        return kind(CallKind::Prefetch, GP_CLASS_MOV);
    if (name.starts_with("sub_group_broadcast") || name.starts_with("sub_group_shuffle") ||
        name.starts_with("intel_sub_group_shuffle") || name.starts_with("sub_group_non_uniform_broadcast"))
        return kind(CallKind::Shuffle, GP_CLASS_SHUFFLE);
    if (name.starts_with("sub_group_reduce") || name.starts_with("sub_group_scan"))
        return kind(CallKind::Shuffle, GP_CLASS_SHUFFLE, 5); /* log2(32) exchanges */
    if (name.starts_with("sub_group_a") || name.starts_with("sub_group_ballot") || name == "sub_group_elect")
        return kind(CallKind::Vote, GP_CLASS_VOTE);
    if (name.starts_with("work_group_"))
        return kind(CallKind::Barrier, GP_CLASS_BARRIER);
    if (name == "printf" || name == "vprintf" || name == "__printf_alloc")
        return kind(CallKind::Print, GP_CLASS_CALL);
    if (name.starts_with("convert_"))
        return kind(CallKind::Arithmetic,
                    call.getType()->getScalarSizeInBits() == 64 ? GP_CLASS_CVT_64 : GP_CLASS_CVT_NARROW);
    if (name.starts_with("get_") && call.getType()->isIntegerTy())
        return kind(CallKind::Arithmetic,
                    GP_CLASS_MOV); /* an id along a dimension that is not constant, get_local_linear_id */
    return false;
}

static bool nvvmCall(const CallBase &call, StringRef name, CallClass &found)
{
    auto kind = [&](CallKind k, gp_class c = GP_CLASS_FREE, unsigned repeat = 1) {
        found = {k, {c, repeat}};
        return true;
    };
    if (std::optional<Cost> product = productInPtx(name)) {
        found = {CallKind::Arithmetic, *product};
        return true;
    }
    if (name.starts_with("barrier") && !name.contains("warp"))
        return kind(CallKind::Barrier, GP_CLASS_BARRIER);
    if (name.starts_with("bar.warp"))
        return kind(CallKind::Fence, GP_CLASS_VOTE);
    if (name.starts_with("membar") || name.starts_with("fence"))
        return kind(CallKind::Fence, GP_CLASS_FENCE);
    if (name.starts_with("ldg.") || name.starts_with("ldu."))
        return kind(CallKind::LoadCached, GP_CLASS_MEMORY);
    if (name.starts_with("shfl"))
        return kind(CallKind::Shuffle, GP_CLASS_SHUFFLE);
    if (name.starts_with("vote") || name.starts_with("match") || name.starts_with("redux") || name == "activemask")
        return kind(CallKind::Vote, GP_CLASS_VOTE);
    if (name == "exit")
        return kind(CallKind::Exit);
    if (name.starts_with("read.ptx.sreg."))
        return kind(CallKind::Arithmetic, GP_CLASS_MOV);
    if (name.starts_with("reflect"))
        return kind(CallKind::Arithmetic, GP_CLASS_FREE);
    if (name.starts_with("tex.") || name.starts_with("suld.") || name.starts_with("tld4"))
        return kind(CallKind::ImageLoad, GP_CLASS_MEMORY);
    if (name.starts_with("sust."))
        return kind(CallKind::ImageStore, GP_CLASS_MEMORY);
    int cost = StringSwitch<int>(name)
                        .StartsWith("sin.approx", GP_CLASS_SFU_SIN)
                        .StartsWith("cos.approx", GP_CLASS_SFU_COS)
                        .StartsWith("ex2.approx", GP_CLASS_SFU_EXP2)
                        .StartsWith("lg2.approx", GP_CLASS_SFU_LOG2)
                        .StartsWith("rsqrt.approx", GP_CLASS_FLOAT_RSQRT)
                        .StartsWith("rcp.", GP_CLASS_FLOAT_RCP)
                        .StartsWith("sqrt.approx", GP_CLASS_FLOAT_SQRT_FAST)
                        .StartsWith("sqrt.", GP_CLASS_FLOAT_SQRT)
                        .StartsWith("div.approx", GP_CLASS_FLOAT_DIV_FAST)
                        .StartsWith("div.full.ftz", GP_CLASS_FLOAT_DIV_FAST) /* as many instructions */
                        .StartsWith("div.full", GP_CLASS_FLOAT_DIV_LOOSE)
                        .StartsWith("div.", GP_CLASS_FLOAT_DIV)
                        .StartsWith("fma.", GP_CLASS_FLOAT_FMA)
                        .StartsWith("mul24", GP_CLASS_INT_MUL24)
                        .StartsWith("mulhi", GP_CLASS_INT_MULHI)
                        .StartsWith("mul.", GP_CLASS_FLOAT_MUL)
                        .StartsWith("add.", GP_CLASS_FLOAT_ADD)
                        .StartsWith("fmin", GP_CLASS_FLOAT_MINMAX)
                        .StartsWith("fmax", GP_CLASS_FLOAT_MINMAX)
                        .StartsWith("saturate", GP_CLASS_FLOAT_ADD)
                        .StartsWith("floor", GP_CLASS_FLOAT_ROUND)
                        .StartsWith("ceil", GP_CLASS_FLOAT_ROUND)
                        .StartsWith("trunc", GP_CLASS_FLOAT_ROUND)
                        .StartsWith("round", GP_CLASS_FLOAT_ROUND)
                        .StartsWith("fabs", GP_CLASS_FREE)
                        .StartsWith("sub.", GP_CLASS_FLOAT_ADD)
                        .StartsWith("neg.", GP_CLASS_FREE)
                        .StartsWith("mulhi", GP_CLASS_INT_MULHI)
                        .StartsWith("idp", GP_CLASS_INT_MAD)
                        .StartsWith("prmt", GP_CLASS_INT_LOGIC)
                        .StartsWith("fns", GP_CLASS_INT_BITS)
                        .StartsWith("lohi", GP_CLASS_FREE)
                        .StartsWith("bitcast", GP_CLASS_FREE)
                        .StartsWith("isspacep", GP_CLASS_INT_CMP)
                        .StartsWith("mapa", GP_CLASS_INT_LOGIC)
                        .StartsWith("sad", GP_CLASS_INT_ADD)
                        .StartsWith("ull2", GP_CLASS_CVT_64)
                        .StartsWith("ll2", GP_CLASS_CVT_64)
                        .StartsWith("d2i.", GP_CLASS_FREE) /* d2i.hi, d2i.lo: halves of a register pair */
                        .StartsWith("d2", GP_CLASS_CVT_64)
                        .StartsWith("f2ll", GP_CLASS_CVT_64)
                        .StartsWith("f2ull", GP_CLASS_CVT_64)
                        .StartsWith("f2", GP_CLASS_CVT)
                        .StartsWith("ff2", GP_CLASS_CVT)
                        .StartsWith("i2d", GP_CLASS_CVT_64)
                        .StartsWith("ui2d", GP_CLASS_CVT_64)
                        .StartsWith("i2f", GP_CLASS_CVT)
                        .StartsWith("ui2f", GP_CLASS_CVT)
                        .StartsWith("bf2h", GP_CLASS_CVT)
                        .Default(-1);
    if (cost < 0)
        return kind(CallKind::Unknown, GP_CLASS_CALL);
    found = {CallKind::Arithmetic, whereFlushed(inPrecision({(gp_class)cost, 1}, precisionType(call)), isFlushedApproximation(name))};
    return true;
}

static bool amdgcnCall(const CallBase &call, StringRef name, CallClass &found)
{
    auto kind = [&](CallKind k, gp_class c = GP_CLASS_FREE, unsigned repeat = 1) {
        found = {k, {c, repeat}};
        return true;
    };
    if (std::optional<Cost> product = productOnAmd(name, *call.getType())) {
        found = {CallKind::Arithmetic, *product};
        return true;
    }
    if (name == "s.barrier" || name.starts_with("s.barrier.wait"))
        return kind(CallKind::Barrier, GP_CLASS_BARRIER);
    if (name.starts_with("s.barrier") || name.starts_with("wave.barrier") || name.starts_with("sched.") ||
        name.starts_with("s.waitcnt") || name.starts_with("s.sethalt") || name.starts_with("s.setprio") ||
        name.starts_with("s.setreg") || name.starts_with("s.sleep") || name.starts_with("iglp"))
        return kind(CallKind::Free);
    if (name.starts_with("ds.bpermute") || name.starts_with("ds.permute") || name.starts_with("ds.swizzle") ||
        name.starts_with("permlane"))
        return kind(CallKind::Shuffle, GP_CLASS_SHUFFLE);
    if (name.starts_with("mov.dpp") || name.starts_with("update.dpp") || name.starts_with("readlane") ||
        name.starts_with("readfirstlane") || name.starts_with("writelane"))
        return kind(CallKind::Shuffle, GP_CLASS_MOV);
    if (name.starts_with("ballot") || name.starts_with("icmp") || name.starts_with("fcmp"))
        return kind(CallKind::Vote, GP_CLASS_VOTE);
    if (name.starts_with("image.load") || name.starts_with("image.sample") || name.starts_with("image.gather"))
        return kind(CallKind::ImageLoad, GP_CLASS_MEMORY);
    if (name.starts_with("image.store"))
        return kind(CallKind::ImageStore, GP_CLASS_MEMORY);
    if (name == "endpgm")
        return kind(CallKind::Exit);
    if (name.ends_with(".ptr") || name == "dispatch.id" || name == "groupstaticsize" || name.starts_with("is."))
        return kind(CallKind::Arithmetic, GP_CLASS_FREE);
    int cost = StringSwitch<int>(name)
                        .StartsWith("sin", GP_CLASS_SFU_SIN)
                        .StartsWith("cos", GP_CLASS_SFU_COS)
                        .StartsWith("exp2", GP_CLASS_SFU_EXP2)
                        .StartsWith("log", GP_CLASS_SFU_LOG2)
                        .StartsWith("rsq", GP_CLASS_FLOAT_RSQRT)
                        .StartsWith("rcp", GP_CLASS_FLOAT_RCP)
                        .StartsWith("sqrt", GP_CLASS_FLOAT_SQRT_FAST)
                        .StartsWith("fmed3", GP_CLASS_FLOAT_MINMAX)
                        .StartsWith("fract", GP_CLASS_FLOAT_ADD)
                        .StartsWith("fma", GP_CLASS_FLOAT_FMA)
                        .StartsWith("fmul", GP_CLASS_FLOAT_MUL)
                        .StartsWith("div.", GP_CLASS_FLOAT_FMA)
                        .StartsWith("ldexp", GP_CLASS_FLOAT_MUL)
                        .StartsWith("frexp", GP_CLASS_FLOAT_MUL)
                        .StartsWith("class", GP_CLASS_FLOAT_CMP)
                        .StartsWith("cvt", GP_CLASS_CVT)
                        .StartsWith("mul", GP_CLASS_INT_MUL24)
                        .StartsWith("ubfe", GP_CLASS_INT_SHIFT)
                        .StartsWith("sbfe", GP_CLASS_INT_SHIFT)
                        .StartsWith("perm", GP_CLASS_INT_LOGIC)
                        .StartsWith("alignb", GP_CLASS_INT_SHIFT)
                        .StartsWith("mbcnt", GP_CLASS_INT_BITS)
                        .StartsWith("sad", GP_CLASS_INT_ADD)
                        .StartsWith("msad", GP_CLASS_INT_ADD)
                        .StartsWith("lerp", GP_CLASS_INT_ADD)
                        .StartsWith("qsad", GP_CLASS_INT_ADD)
                        .StartsWith("sdot", GP_CLASS_INT_MUL24)
                        .StartsWith("udot", GP_CLASS_INT_MUL24)
                        .StartsWith("sudot", GP_CLASS_INT_MUL24)
                        .StartsWith("fdot", GP_CLASS_FLOAT_FMA)
                        .StartsWith("sffbh", GP_CLASS_INT_BITS)
                        .StartsWith("bfm", GP_CLASS_INT_SHIFT)
                        .StartsWith("s.getreg", GP_CLASS_MOV)
                        .StartsWith("s.memtime", GP_CLASS_MOV)
                        .StartsWith("s.memrealtime", GP_CLASS_MOV)
                        .StartsWith("s.get.", GP_CLASS_MOV)
                        .StartsWith("workgroup", GP_CLASS_MOV)
                        .StartsWith("workitem", GP_CLASS_MOV)
                        .StartsWith("wavefrontsize", GP_CLASS_FREE)
                        .StartsWith("trig.preop", GP_CLASS_DOUBLE_MUL)
                        .Default(-1);
    if (cost < 0)
        return kind(CallKind::Unknown, GP_CLASS_CALL);
    found = {CallKind::Arithmetic, whereFlushed(inPrecision({(gp_class)cost, 1}, precisionType(call)), true)}; /* the instruction itself, nothing around it */
    return true;
}

/* ---- LLVM's own intrinsics ------------------------------------------------------------------------------------ */

static bool isLong(const Type *type) { return type->getScalarSizeInBits() > 32; }

static CallClass intrinsicCall(const IntrinsicInst &call, Target target)
{
    Type *type = call.getType();
    bool fast = isApproximate(call);
    bool onDevice = target == Target::Nvptx || target == Target::Amdgcn;
    auto integer = [&](gp_class narrow, gp_class wide, unsigned repeat = 1) {
        return CallClass{CallKind::Arithmetic, {isLong(type) ? wide : narrow, repeat}};
    };
    auto floating = [&](gp_class cost, unsigned repeat = 1) {
        return CallClass{CallKind::Arithmetic, whereFlushed(inPrecision({cost, repeat}, precisionType(call)), flushesDenormals(call))};
    };
    switch (call.getIntrinsicID()) {
    case Intrinsic::smin: case Intrinsic::smax: case Intrinsic::umin: case Intrinsic::umax:
        return isLong(type) ? CallClass{CallKind::Arithmetic, {GP_CLASS_LONG_CMP, 2}}
                            : CallClass{CallKind::Arithmetic, {GP_CLASS_INT_MINMAX, 1}};
    case Intrinsic::abs: return integer(GP_CLASS_INT_ADD, GP_CLASS_LONG_ADD);
    case Intrinsic::ctpop: return integer(GP_CLASS_INT_BITS, GP_CLASS_LONG_BITS);
    case Intrinsic::ctlz: case Intrinsic::cttz: return integer(GP_CLASS_INT_BITS, GP_CLASS_LONG_BITS);
    case Intrinsic::bitreverse: return integer(GP_CLASS_INT_BITS, GP_CLASS_LONG_BITS);
    case Intrinsic::bswap: return integer(GP_CLASS_INT_LOGIC, GP_CLASS_LONG_LOGIC);
    case Intrinsic::fshl: case Intrinsic::fshr: return integer(GP_CLASS_INT_SHIFT, GP_CLASS_LONG_SHIFT);
    case Intrinsic::uadd_sat: case Intrinsic::usub_sat: case Intrinsic::sadd_sat: case Intrinsic::ssub_sat:
        return integer(GP_CLASS_INT_ADD, GP_CLASS_LONG_ADD, 2);
    case Intrinsic::uadd_with_overflow: case Intrinsic::usub_with_overflow: case Intrinsic::sadd_with_overflow:
    case Intrinsic::ssub_with_overflow:
        return {CallKind::Arithmetic, {GP_CLASS_INT_ADD, 2}};
    case Intrinsic::umul_with_overflow:
    case Intrinsic::smul_with_overflow: return {CallKind::Arithmetic, {GP_CLASS_INT_MUL, 2}};
    case Intrinsic::scmp: case Intrinsic::ucmp: return {CallKind::Arithmetic, {GP_CLASS_INT_CMP, 3}};
    case Intrinsic::fma: case Intrinsic::fmuladd: return floating(GP_CLASS_FLOAT_FMA);
    case Intrinsic::fabs: case Intrinsic::copysign:
        return call.getIntrinsicID() == Intrinsic::fabs ? CallClass{CallKind::Arithmetic, {GP_CLASS_FREE, 1}}
                                                       : CallClass{CallKind::Arithmetic, {GP_CLASS_INT_LOGIC, 1}};
    case Intrinsic::minnum: case Intrinsic::maxnum: case Intrinsic::minimum: case Intrinsic::maximum:
    case Intrinsic::minimumnum: case Intrinsic::maximumnum:
        return floating(GP_CLASS_FLOAT_MINMAX);
    case Intrinsic::floor: case Intrinsic::ceil: case Intrinsic::trunc: case Intrinsic::rint: case Intrinsic::nearbyint:
    case Intrinsic::roundeven:
        return floating(GP_CLASS_FLOAT_ROUND);
    case Intrinsic::round: return floating(GP_CLASS_FLOAT_ROUND, 3);
    case Intrinsic::lround: case Intrinsic::llround: case Intrinsic::lrint: case Intrinsic::llrint:
        return {CallKind::Arithmetic, {GP_CLASS_CVT, 2}};
    case Intrinsic::fptosi_sat: case Intrinsic::fptoui_sat:
        return {CallKind::Arithmetic,
                {isLong(type) || isLong(call.getArgOperand(0)->getType()) ? GP_CLASS_CVT_64
                 : type->getScalarSizeInBits() < 32                       ? GP_CLASS_CVT_NARROW
                                                                          : GP_CLASS_CVT,
                 1}};
    case Intrinsic::sqrt: {
        auto *op = cast<FPMathOperator>(&call);
        return floating(fast ? GP_CLASS_FLOAT_SQRT_FAST : op->getFPAccuracy() >= 2.0f ? GP_CLASS_FLOAT_SQRT_LOOSE : GP_CLASS_FLOAT_SQRT);
    }
    /* The device backends lower these straight to the approximation. */
    case Intrinsic::sin: return floating(fast || onDevice ? GP_CLASS_SFU_SIN : GP_CLASS_MATH32_TRIG);
    case Intrinsic::cos: return floating(fast || onDevice ? GP_CLASS_SFU_COS : GP_CLASS_MATH32_TRIG);
    case Intrinsic::tan:
    case Intrinsic::sincos: return floating(fast || onDevice ? GP_CLASS_SFU_SIN : GP_CLASS_MATH32_TRIG, 2);
    case Intrinsic::exp:
    case Intrinsic::exp2:
    case Intrinsic::exp10: return floating(fast || onDevice ? GP_CLASS_SFU_EXP2 : GP_CLASS_MATH32_EXP);
    case Intrinsic::log:
    case Intrinsic::log2:
    case Intrinsic::log10: return floating(fast || onDevice ? GP_CLASS_SFU_LOG2 : GP_CLASS_MATH32_LOG);
    case Intrinsic::pow:
    case Intrinsic::powi: return fast ? floating(GP_CLASS_SFU_EXP2, 2) : floating(GP_CLASS_MATH32_POW);
    case Intrinsic::ldexp: return floating(GP_CLASS_FLOAT_MUL);
    case Intrinsic::frexp: return floating(GP_CLASS_FLOAT_MUL, 2);
    case Intrinsic::canonicalize: return floating(GP_CLASS_FLOAT_MUL);
    case Intrinsic::is_fpclass: return {CallKind::Arithmetic, {GP_CLASS_FLOAT_CMP, 1}};
    case Intrinsic::vector_reduce_add:
    case Intrinsic::vector_reduce_and:
    case Intrinsic::vector_reduce_or:
    case Intrinsic::vector_reduce_xor:
    case Intrinsic::vector_reduce_smax:
    case Intrinsic::vector_reduce_smin:
    case Intrinsic::vector_reduce_umax:
    case Intrinsic::vector_reduce_umin:
    case Intrinsic::vector_reduce_mul: case Intrinsic::vector_reduce_fadd: case Intrinsic::vector_reduce_fmul:
    case Intrinsic::vector_reduce_fmax: case Intrinsic::vector_reduce_fmin: {
        auto *vector = dyn_cast<FixedVectorType>(call.getArgOperand(call.arg_size() - 1)->getType());
        gp_class cost = type->isFloatingPointTy() ? GP_CLASS_FLOAT_ADD
                        : isLong(type)            ? GP_CLASS_LONG_ADD
                                                  : GP_CLASS_INT_ADD;
        return {CallKind::Arithmetic,
                inPrecision({cost, vector ? std::max(1u, vector->getNumElements() - 1) : 1}, type)};
    }
    case Intrinsic::memcpy:
    case Intrinsic::memmove:
    case Intrinsic::memcpy_inline: return {CallKind::CopyMemory, {GP_CLASS_MEMORY, 1}};
    case Intrinsic::memset: case Intrinsic::memset_inline: return {CallKind::FillMemory, {GP_CLASS_MEMORY, 1}};
    case Intrinsic::masked_load: return {CallKind::MaskedLoad, {GP_CLASS_MEMORY, 1}};
    case Intrinsic::masked_store: return {CallKind::MaskedStore, {GP_CLASS_MEMORY, 1}};
    case Intrinsic::masked_gather: return {CallKind::Gather, {GP_CLASS_MEMORY, 1}};
    case Intrinsic::masked_scatter: return {CallKind::Scatter, {GP_CLASS_MEMORY, 1}};
    case Intrinsic::prefetch: return {CallKind::Prefetch, {GP_CLASS_MOV, 1}};
    case Intrinsic::trap: case Intrinsic::ubsantrap: return {CallKind::Exit, {GP_CLASS_FREE, 1}};
    default: break;
    }
    StringRef name = call.getCalledFunction()->getName();
    CallClass found{CallKind::Free, {}};
    if (name.consume_front("llvm.nvvm."))
        nvvmCall(call, name, found);
    else if (name.consume_front("llvm.amdgcn."))
        amdgcnCall(call, name, found);
    else if (name.starts_with("llvm.spv."))
        found = {CallKind::Arithmetic, {GP_CLASS_FREE, 1}};
    else if (!call.getType()->isVoidTy()) /* llvm.expect, ssa.copy, objectsize ... */
        found = {CallKind::Arithmetic, {GP_CLASS_FREE, 1}};
    return found;
}

/* ---- Inline assembly ------------------------------------------------------------------------------------------ */

/* A statement's first word, behind labels and a predicate ("@%p bra"); empty: no instruction. */
static StringRef mnemonicOf(StringRef statement)
{
    const char blanks[] = " \t\r{}";
    statement = statement.trim(blanks);
    while (true) {
        StringRef word = statement.take_until([](char c) { return c == ' ' || c == '\t'; });
        bool skipped = word.ends_with(":") || word.starts_with("@");
        if (!skipped || word.empty())
            return word.starts_with(".") ? StringRef() : word; /* .reg, .pragma */
        statement = statement.drop_front(word.size()).trim(blanks);
    }
}

SmallVector<StringRef, 4> assemblyMnemonics(const InlineAsm &assembly, Target target)
{
    bool amd = target == Target::Amdgcn; /* there, what follows a semicolon is a comment */
    SmallVector<StringRef, 8> lines, statements;
    SmallVector<StringRef, 4> found;
    assembly.getAsmString().split(lines, '\n');
    for (StringRef line : lines) {
        line = line.substr(0, std::min(line.find("//"), amd ? line.find(';') : StringRef::npos));
        statements.clear();
        line.split(statements, ';');
        for (StringRef statement : statements)
            if (StringRef mnemonic = mnemonicOf(statement); !mnemonic.empty())
                found.push_back(mnemonic);
    }
    return found;
}

/* On 32 bits and fewer: dot products of bytes and what arithmetic of many words is written with. GP_CLASS_COUNT: none that is known here. */
static gp_class classOfIntegerPtx(StringRef mnemonic, StringRef name)
{
    if (mnemonic.contains(".wide") || mnemonic.contains(".hi"))
        return name == "mul" || name == "mad" || name == "madc" ? GP_CLASS_INT_MULHI : GP_CLASS_COUNT;
    return (gp_class)StringSwitch<int>(name)
        .Cases({"dp4a", "dp2a", "mad", "madc"}, GP_CLASS_INT_MAD).Case("mul", GP_CLASS_INT_MUL)
        .Cases({"add", "addc", "sub", "subc", "sad", "abs", "neg"}, GP_CLASS_INT_ADD)
        .Cases({"lop3", "prmt", "and", "or", "xor", "not"}, GP_CLASS_INT_LOGIC)
        .Cases({"shl", "shr", "shf", "bfe", "bfi"}, GP_CLASS_INT_SHIFT)
        .Cases({"popc", "clz", "brev", "bfind"}, GP_CLASS_INT_BITS)
        .Cases({"min", "max"}, GP_CLASS_INT_MINMAX).Case("selp", GP_CLASS_SELECT).Case("setp", GP_CLASS_INT_CMP)
        .Default(GP_CLASS_COUNT);
}

/* One PTX instruction that computes: CUDA's headers write halves and fast reciprocals so. GP_CLASS_COUNT: none that is known here. */
static gp_class classOfPtx(StringRef mnemonic)
{
    StringRef name = mnemonic.split('.').first, type = mnemonic.rsplit('.').second;
    if (mnemonic.starts_with("cp.async.wait") || mnemonic.starts_with("cp.async.commit"))
        return GP_CLASS_FENCE;
    bool half = type.contains("f16"), floating = type == "f32", approximate = mnemonic.contains(".approx");
    if (name == "cvt")
        return type == "f64" || mnemonic.contains(".f64.") ? GP_CLASS_CVT_64 : GP_CLASS_CVT;
    if (floating && approximate)
        return (gp_class)StringSwitch<int>(name)
            .Case("rcp", GP_CLASS_FLOAT_RCP).Case("rsqrt", GP_CLASS_FLOAT_RSQRT).Case("sqrt", GP_CLASS_FLOAT_SQRT_FAST).Case("div", GP_CLASS_FLOAT_DIV_FAST)
            .Case("sin", GP_CLASS_SFU_SIN).Case("cos", GP_CLASS_SFU_COS).Case("ex2", GP_CLASS_SFU_EXP2).Case("lg2", GP_CLASS_SFU_LOG2).Case("tanh", GP_CLASS_SFU_OTHER)
            .Default(GP_CLASS_COUNT);
    if (half)
        return (gp_class)StringSwitch<int>(name)
            .Cases({"add", "sub", "neg", "abs"}, GP_CLASS_HALF_ADD).Case("mul", GP_CLASS_HALF_MUL).Case("fma", GP_CLASS_HALF_FMA)
            .Cases({"min", "max", "set", "setp"}, GP_CLASS_HALF_CMP).Cases({"ex2", "tanh"}, GP_CLASS_SFU_OTHER)
            .Default(GP_CLASS_COUNT);
    if (floating)
        return (gp_class)StringSwitch<int>(name)
            .Cases({"add", "sub"}, GP_CLASS_FLOAT_ADD).Case("mul", GP_CLASS_FLOAT_MUL).Cases({"fma", "mad"}, GP_CLASS_FLOAT_FMA)
            .Cases({"min", "max"}, GP_CLASS_FLOAT_MINMAX)
            .Default(GP_CLASS_COUNT);
    bool narrow = StringSwitch<bool>(type).Cases({"s32", "u32", "b32", "s16", "u16", "b16"}, true).Default(false);
    return narrow ? classOfIntegerPtx(mnemonic, name) : GP_CLASS_COUNT;
}

/* Memory that is touched in a form that memory_assembly.h does not know is more than an estimate of some instructions is off by. */
static bool touchesMemory(StringRef mnemonic)
{
    StringRef name = mnemonic.split('.').first;
    return StringSwitch<bool>(name).Cases({"ld", "st", "atom", "red", "ldmatrix", "stmatrix", "ldu", "cp"}, true).Default(false) || mnemonic.starts_with("wmma.load") || mnemonic.starts_with("wmma.store");
}

static CallClass classifyAssembly(const InlineAsm &assembly, Target target)
{
    SmallVector<StringRef, 4> mnemonics = assemblyMnemonics(assembly, target);
    unsigned count = (unsigned)mnemonics.size();
    if (count == 0)
        return {CallKind::Arithmetic, {GP_CLASS_FREE, 1}}; /* keeps the optimiser off a value */
    if (target == Target::Nvptx) {
        for (StringRef mnemonic : mnemonics) /* perhaps beside what makes its predicate */
            if (std::optional<Cost> product = productInPtx(mnemonic))
                return {CallKind::Arithmetic, *product};
        gp_class known = count == 1 ? classOfPtx(mnemonics[0]) : GP_CLASS_COUNT;
        if (known != GP_CLASS_COUNT)
            return {CallKind::Arithmetic, whereFlushed({known, 1}, isFlushedApproximation(mnemonics[0]))};
        if (any_of(mnemonics, touchesMemory))
            return {CallKind::Unknown, {GP_CLASS_CALL, 1}};
    }
    return {CallKind::Assembly, {GP_CLASS_INT_LOGIC, count}};
}

/* dot_4x8packed_ss_int() and the like (cl_khr_integer_dot_product): v_dot4_i32_i8, at the rate of an addition, or dp4a, at that of a product. */
static bool integerDot(StringRef name, Target target, CallClass &found)
{
    if (!name.starts_with("dot_") || !name.contains("4x8packed"))
        return false;
    found = {CallKind::Arithmetic, {target == Target::Amdgcn ? GP_CLASS_INT_MUL24 : GP_CLASS_INT_MAD, 1}};
    return true;
}

CallClass classifyCall(const CallBase &call, Target target)
{
    if (auto *intrinsic = dyn_cast<IntrinsicInst>(&call))
        return intrinsicCall(*intrinsic, target);
    CallClass found{CallKind::Unknown, {GP_CLASS_CALL, 1}};
    const Function *callee = calledFunction(call);
    if (auto *assembly = dyn_cast<InlineAsm>(call.getCalledOperand()))
        return classifyAssembly(*assembly, target);
    if (!callee)
        return found;
    StringRef name = builtinName(callee->getName()).base;
    if (integerDot(name, target, found) || openclCall(call, name, found) || mathCall(call, name, found))
        return found;
    if (name == "__assertfail" || name == "__assert_fail" || name == "abort")
        return {CallKind::Print, {GP_CLASS_CALL, 1}};
    return found;
}

/* ---- Instructions --------------------------------------------------------------------------------------------- */

static Cost floatingCost(const Instruction &inst, gp_class cost)
{
    return inPrecision({cost, 1}, inst.getType()->getScalarType());
}

static Cost divisionCost(const BinaryOperator &inst)
{
    Type *type = inst.getType()->getScalarType();
    if (!type->isFloatTy())
        return inPrecision({GP_CLASS_FLOAT_DIV, 1}, type);
    auto *op = cast<FPMathOperator>(&inst);
    bool fast = op->hasAllowReciprocal() || op->hasApproxFunc(), loose = op->getFPAccuracy() >= 2.0f;
    bool reciprocal = match(inst.getOperand(0), m_FPOne());
    if ((fast || loose) && reciprocal)
        return whereFlushed({GP_CLASS_FLOAT_RCP, 1}, fast && flushesDenormals(inst));
    if (fast)
        return whereFlushed({GP_CLASS_FLOAT_DIV_FAST, 1}, flushesDenormals(inst));
    return {loose ? GP_CLASS_FLOAT_DIV_LOOSE : GP_CLASS_FLOAT_DIV, 1};
}

/* Division by a constant becomes a high product and shifts; by a power of two a shift or two. */
static Cost integerDivisionCost(const BinaryOperator &inst)
{
    bool wide = isLong(inst.getType());
    bool remainder = inst.getOpcode() == Instruction::URem || inst.getOpcode() == Instruction::SRem;
    bool isSigned = inst.getOpcode() == Instruction::SDiv || inst.getOpcode() == Instruction::SRem;
    if (match(inst.getOperand(1), m_Power2()))
        return {wide ? GP_CLASS_LONG_SHIFT : GP_CLASS_INT_SHIFT, isSigned ? 3u : 1u};
    if (isa<Constant>(inst.getOperand(1)))
        return {wide ? GP_CLASS_LONG_MUL : GP_CLASS_INT_MULHI, (wide ? 3u : 2u) + remainder};
    if (wide)
        return {GP_CLASS_LONG_DIV, 1};
    return {isSigned ? GP_CLASS_INT_DIV : GP_CLASS_INT_UDIV, 1};
}

static Cost castCost(const CastInst &cast)
{
    unsigned from = cast.getSrcTy()->getScalarSizeInBits(), to = cast.getDestTy()->getScalarSizeInBits();
    switch (cast.getOpcode()) {
    case Instruction::SExt:
        if (from == 1)
            return {GP_CLASS_SELECT, 1};
        if (isa<LoadInst>(cast.getOperand(0)) && to <= 32)
            return {}; /* loads extend */
        return {GP_CLASS_INT_SHIFT, 1};
    case Instruction::ZExt:
        return from == 1 ? Cost{GP_CLASS_SELECT, 1} : Cost{}; /* the upper half is a zero register */
    case Instruction::FPToSI: case Instruction::FPToUI: case Instruction::SIToFP: case Instruction::UIToFP:
        return {from == 64 || to == 64 ? GP_CLASS_CVT_64 : GP_CLASS_CVT, 1};
    case Instruction::FPExt: case Instruction::FPTrunc:
        return {from == 64 || to == 64 ? GP_CLASS_CVT_64 : GP_CLASS_CVT, 1};
    default:
        return {}; /* trunc, bitcast, pointer casts */
    }
}

Cost Costs::of(const Instruction &inst) const
{
    auto found = fused.find(&inst);
    if (found != fused.end())
        return found->second;
    bool wide = inst.getType()->isIntOrIntVectorTy() && isLong(inst.getType());
    bool predicate = inst.getType()->isIntOrIntVectorTy(1);
    switch (inst.getOpcode()) {
    case Instruction::Add: case Instruction::Sub: return {wide ? GP_CLASS_LONG_ADD : GP_CLASS_INT_ADD, 1};
    case Instruction::Mul:
        if (match(inst.getOperand(1), m_Power2()))
            return {wide ? GP_CLASS_LONG_SHIFT : GP_CLASS_INT_SHIFT, 1};
        return {wide ? GP_CLASS_LONG_MUL : GP_CLASS_INT_MUL, inst.getType()->getScalarSizeInBits() > 64 ? 2u : 1u}; /* the upper half of a product: twice the parts */
    case Instruction::UDiv: case Instruction::SDiv: case Instruction::URem: case Instruction::SRem:
        return integerDivisionCost(cast<BinaryOperator>(inst));
    case Instruction::And: case Instruction::Or: case Instruction::Xor:
        if (predicate)
            return {}; /* compares combine predicates */
        return {wide ? GP_CLASS_LONG_LOGIC : GP_CLASS_INT_LOGIC, 1};
    case Instruction::Shl:
    case Instruction::LShr:
    case Instruction::AShr: return {wide ? GP_CLASS_LONG_SHIFT : GP_CLASS_INT_SHIFT, 1};
    case Instruction::FAdd: case Instruction::FSub: return floatingCost(inst, GP_CLASS_FLOAT_ADD);
    case Instruction::FMul: return floatingCost(inst, GP_CLASS_FLOAT_MUL);
    case Instruction::FDiv: return divisionCost(cast<BinaryOperator>(inst));
    case Instruction::FRem: return floatingCost(inst, GP_CLASS_MATH32_OTHER);
    case Instruction::FNeg: return {}; /* an operand modifier */
    case Instruction::ICmp: {
        const Type *type = inst.getOperand(0)->getType();
        bool pointer = type->isPtrOrPtrVectorTy();
        return {pointer || isLong(type) ? GP_CLASS_LONG_CMP : GP_CLASS_INT_CMP, 1};
    }
    case Instruction::FCmp: return inPrecision({GP_CLASS_FLOAT_CMP, 1}, inst.getOperand(0)->getType()->getScalarType());
    case Instruction::Select: {
        if (predicate)
            return {};
        bool twice = inst.getType()->isPtrOrPtrVectorTy() || isLong(inst.getType());
        return {GP_CLASS_SELECT, twice ? 2u : 1u};
    }
    case Instruction::ExtractElement: case Instruction::InsertElement: /* a constant element is a register */
        return isa<Constant>(inst.getOperand(inst.getNumOperands() - 1)) ? Cost{} : Cost{GP_CLASS_SELECT, 2};
    case Instruction::Switch: {
        unsigned cases = cast<SwitchInst>(inst).getNumCases(), depth = 1;
        while (cases >>= 1)
            depth++;
        return {GP_CLASS_BRANCH, depth}; /* a tree of compares */
    }
    case Instruction::Br: return {cast<BranchInst>(inst).isConditional() ? GP_CLASS_BRANCH : GP_CLASS_FREE, 1};
    case Instruction::Load:
    case Instruction::Store:
    case Instruction::AtomicRMW:
    case Instruction::AtomicCmpXchg: return {GP_CLASS_MEMORY, 1};
    case Instruction::Fence: return {GP_CLASS_FENCE, 1};
    case Instruction::Call: return classifyCall(cast<CallBase>(inst), target).cost;
    default:
        if (auto *conversion = dyn_cast<CastInst>(&inst))
            return castCost(*conversion);
        return {};
    }
}

/* ---- What backends fold --------------------------------------------------------------------------------------- */

static const Instruction *onlyUser(const Instruction &inst)
{
    if (!inst.hasOneUse())
        return nullptr;
    auto *user = dyn_cast<Instruction>(*inst.user_begin());
    return user && user->getParent() == inst.getParent() ? user : nullptr;
}

static bool contracts(const Instruction &inst)
{
    auto *op = dyn_cast<FPMathOperator>(&inst);
    return op && op->hasAllowContract();
}

static bool isLogic(const Instruction &inst)
{
    return inst.isBitwiseLogicOp() && inst.getType()->getScalarSizeInBits() > 1;
}

/* x * y >> bits, in twice as wide integers: one high product. */
static bool isHighProduct(const Instruction &product)
{
    unsigned bits = product.getType()->getScalarSizeInBits();
    if (product.getOpcode() != Instruction::Mul || bits != 64)
        return false;
    auto extended = [](const Value *value) {
        auto *constant = dyn_cast<ConstantInt>(value);
        return match(value, m_ZExtOrSExt(m_Value())) ? cast<CastInst>(value)->getSrcTy()->getScalarSizeInBits() <= 32
                                                     : constant && constant->getValue().isIntN(32);
    };
    return extended(product.getOperand(0)) && extended(product.getOperand(1));
}

/* The lower 24 bits, extended again (libclc's mul24); AMD's multiplier takes them as they are. */
static bool isLow24(const Value *value)
{
    return match(value, m_Shr(m_Shl(m_Value(), m_SpecificInt(8)), m_SpecificInt(8))) || match(value, m_And(m_Value(), m_SpecificInt(0xffffff)));
}

static bool isMarked24(const Instruction &inst)
{
    const MDNode *notes = inst.getMetadata(LLVMContext::MD_annotation);
    return notes && any_of(notes->operands(), [](const MDOperand &note) {
        auto *text = dyn_cast_or_null<MDString>(note.get());
        return text && text->getString() == "gpuperf.mul24";
    });
}

static bool isProduct24(const Instruction &inst)
{
    bool product = inst.getOpcode() == Instruction::Mul && inst.getType()->getScalarSizeInBits() == 32;
    return product && (isMarked24(inst) || (isLow24(inst.getOperand(0)) && isLow24(inst.getOperand(1))));
}

/* GP_CLASS_INT_MUL24 holds the extensions, where there are any, and a sum that follows. */
void Costs::fuse24(const Instruction &inst)
{
    const Instruction *user = onlyUser(inst);
    for (const Value *operand : inst.operands())
        for (auto *part = dyn_cast<Instruction>(operand); part && part->hasOneUse() && isLow24(operand);) {
            fused[part] = {};
            part = dyn_cast<Instruction>(part->getOperand(0));
            if (!part || part->getOpcode() != Instruction::Shl || !part->hasOneUse())
                break;
            fused[part] = {};
            break;
        }
    bool sum = user && user->getOpcode() == Instruction::Add;
    fused[&inst] = sum ? Cost{} : Cost{GP_CLASS_INT_MUL24, 1};
    if (sum)
        fused[user] = {GP_CLASS_INT_MUL24, 1};
}

/* AMD's scalar unit computes what is the same for all lanes, so that only the sum with what is not takes a vector instruction. */
bool Costs::staysOnScalarUnit(const Instruction &inst, const Instruction &user) const
{
    return target == Target::Amdgcn && uniformity && uniformity->isUniform(&inst) && !user.getType()->isVoidTy() && !uniformity->isUniform(&user);
}

void Costs::fuse(const Instruction &inst)
{
    const Instruction *user = onlyUser(inst);
    Type *type = inst.getType();
    if (isProduct24(inst))
        return fuse24(inst);
    if (isHighProduct(inst)) {
        bool high = user && user->getOpcode() == Instruction::LShr;
        fused[&inst] = {high ? GP_CLASS_INT_MULHI : GP_CLASS_INT_MAD, 1}; /* a wide product is one instruction, too */
        if (high && match(user->getOperand(1), m_ConstantInt()))
            fused[user] = {};
        return;
    }
    /* shl 32, ashr 32: sign extension of the lower word */
    if (inst.getOpcode() == Instruction::AShr && isLong(type) &&
        match(inst.getOperand(0), m_Shl(m_Value(), m_Specific(inst.getOperand(1))))) {
        fused[&inst] = {GP_CLASS_INT_SHIFT, 1};
        if (auto *left = dyn_cast<Instruction>(inst.getOperand(0)); left->hasOneUse())
            fused[left] = {};
        return;
    }
    if (!user || fused.count(&inst))
        return;
    unsigned code = user->getOpcode();
    bool sum = code == Instruction::Add || code == Instruction::Sub;
    bool floatSum = (code == Instruction::FAdd || code == Instruction::FSub) && !fused.count(user);
    if (inst.getOpcode() == Instruction::FMul && floatSum && contracts(inst) && contracts(*user)) {
        fused[&inst] = {};
        fused[user] = floatingCost(*user, GP_CLASS_FLOAT_FMA);
        return;
    }
    if (target == Target::Host || !type->isIntOrIntVectorTy() || isLong(type) || fused.count(user) || staysOnScalarUnit(inst, *user))
        return;
    if (inst.getOpcode() == Instruction::Mul && sum && !match(inst.getOperand(1), m_Power2())) {
        fused[&inst] = {};
        fused[user] = {GP_CLASS_INT_MAD, 1};
    } else if (inst.getOpcode() == Instruction::Shl && code == Instruction::Add && isa<Constant>(inst.getOperand(1))) {
        fused[&inst] = {}; /* LEA, v_lshl_add */
        fused[user] = {GP_CLASS_INT_ADD, 1};
    } else if ((inst.getOpcode() == Instruction::Add || inst.getOpcode() == Instruction::Sub) &&
               code == Instruction::Add) {
        fused[&inst] = {}; /* IADD3, v_add3 */
        fused[user] = {GP_CLASS_INT_ADD, 1};
    } else if (isLogic(inst) && isLogic(*user)) {
        fused[&inst] = {}; /* LOP3, v_and_or, v_or3, v_bfi, v_xor3 */
        fused[user] = {GP_CLASS_INT_LOGIC, 1};
    }
}

Costs::Costs(const Function &function, Target target, const UniformityInfo *uniformity) : target(target), uniformity(uniformity)
{
    for (const Instruction &inst : instructions(function))
        if (!inst.getType()->isVoidTy())
            fuse(inst);
}

} // namespace gpuperf
