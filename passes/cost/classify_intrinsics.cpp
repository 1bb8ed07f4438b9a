/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* LLVM's own intrinsics. */
#include "passes/cost/classify_parts.h"

#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace gpuperf
{

static std::optional<CallClass> integerIntrinsic(const IntrinsicInst &call)
{
    Type *type = call.getType();
    auto integer = [&](gp_class narrow, gp_class wide, unsigned repeat = 1) {
        return CallClass{CallKind::Arithmetic, {isLong(type) ? wide : narrow, repeat}};
    };
    switch (call.getIntrinsicID()) {
    case Intrinsic::smin:
    case Intrinsic::smax:
    case Intrinsic::umin:
    case Intrinsic::umax:
        return isLong(type) ? CallClass{CallKind::Arithmetic, {GP_CLASS_LONG_CMP, 2}}
                            : CallClass{CallKind::Arithmetic, {GP_CLASS_INT_MINMAX, 1}};
    case Intrinsic::abs: return integer(GP_CLASS_INT_ADD, GP_CLASS_LONG_ADD);
    case Intrinsic::ctpop: return integer(GP_CLASS_INT_BITS, GP_CLASS_LONG_BITS);
    case Intrinsic::ctlz:
    case Intrinsic::cttz: return integer(GP_CLASS_INT_BITS, GP_CLASS_LONG_BITS);
    case Intrinsic::bitreverse: return integer(GP_CLASS_INT_BITS, GP_CLASS_LONG_BITS);
    case Intrinsic::bswap: return integer(GP_CLASS_INT_LOGIC, GP_CLASS_LONG_LOGIC);
    case Intrinsic::fshl:
    case Intrinsic::fshr:
        if (type->getScalarSizeInBits() == 64 && match(call.getArgOperand(2), m_SpecificInt(32)))
            return CallClass{CallKind::Arithmetic, {GP_CLASS_FREE, 1}}; /* words change places */
        return integer(GP_CLASS_INT_SHIFT, GP_CLASS_LONG_SHIFT);
    case Intrinsic::uadd_sat:
    case Intrinsic::usub_sat:
    case Intrinsic::sadd_sat:
    case Intrinsic::ssub_sat: return integer(GP_CLASS_INT_ADD, GP_CLASS_LONG_ADD, 2);
    case Intrinsic::uadd_with_overflow:
    case Intrinsic::usub_with_overflow:
    case Intrinsic::sadd_with_overflow:
    case Intrinsic::ssub_with_overflow: return CallClass{CallKind::Arithmetic, {GP_CLASS_INT_ADD, 2}};
    case Intrinsic::umul_with_overflow:
    case Intrinsic::smul_with_overflow: return CallClass{CallKind::Arithmetic, {GP_CLASS_INT_MUL, 2}};
    case Intrinsic::scmp:
    case Intrinsic::ucmp: return CallClass{CallKind::Arithmetic, {GP_CLASS_INT_CMP, 3}};
    default: return std::nullopt;
    }
}

static std::optional<CallClass> floatingIntrinsic(const IntrinsicInst &call, Target target)
{
    Type *type = call.getType();
    bool fast = isApproximate(call);
    bool onDevice = target == Target::Nvptx || target == Target::Amdgcn;
    auto floating = [&](gp_class cost, unsigned repeat = 1) {
        return CallClass{CallKind::Arithmetic,
                         whereFlushed(inPrecision({cost, repeat}, precisionType(call)), flushesDenormals(call))};
    };
    switch (call.getIntrinsicID()) {
    case Intrinsic::fma:
    case Intrinsic::fmuladd: return floating(GP_CLASS_FLOAT_FMA);
    case Intrinsic::fabs: return CallClass{CallKind::Arithmetic, {GP_CLASS_FREE, 1}};
    case Intrinsic::copysign: return CallClass{CallKind::Arithmetic, {GP_CLASS_INT_LOGIC, 1}};
    case Intrinsic::minnum:
    case Intrinsic::maxnum:
    case Intrinsic::minimum:
    case Intrinsic::maximum:
    case Intrinsic::minimumnum:
    case Intrinsic::maximumnum: return floating(GP_CLASS_FLOAT_MINMAX);
    case Intrinsic::floor:
    case Intrinsic::ceil:
    case Intrinsic::trunc:
    case Intrinsic::rint:
    case Intrinsic::nearbyint:
    case Intrinsic::roundeven: return floating(GP_CLASS_FLOAT_ROUND);
    case Intrinsic::round: return floating(GP_CLASS_FLOAT_ROUND, 3);
    case Intrinsic::lround:
    case Intrinsic::llround:
    case Intrinsic::lrint:
    case Intrinsic::llrint: return CallClass{CallKind::Arithmetic, {GP_CLASS_CVT, 2}};
    case Intrinsic::fptosi_sat:
    case Intrinsic::fptoui_sat:
        return CallClass{CallKind::Arithmetic,
                         {isLong(type) || isLong(call.getArgOperand(0)->getType()) ? GP_CLASS_CVT_64
                          : type->getScalarSizeInBits() < 32                       ? GP_CLASS_CVT_NARROW
                                                                                   : GP_CLASS_CVT,
                          1}};
    case Intrinsic::sqrt: {
        auto *op = cast<FPMathOperator>(&call);
        return floating(fast                          ? GP_CLASS_FLOAT_SQRT_FAST
                        : op->getFPAccuracy() >= 2.0f ? GP_CLASS_FLOAT_SQRT_LOOSE
                                                      : GP_CLASS_FLOAT_SQRT);
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
    case Intrinsic::is_fpclass: return CallClass{CallKind::Arithmetic, {GP_CLASS_FLOAT_CMP, 1}};
    default: return std::nullopt;
    }
}

/* All elements of a vector into one. */
static CallClass reduction(const IntrinsicInst &call)
{
    Type *type = call.getType();
    auto *vector = dyn_cast<FixedVectorType>(call.getArgOperand(call.arg_size() - 1)->getType());
    gp_class cost = type->isFloatingPointTy() ? GP_CLASS_FLOAT_ADD
                    : isLong(type)            ? GP_CLASS_LONG_ADD
                                              : GP_CLASS_INT_ADD;
    return {CallKind::Arithmetic, inPrecision({cost, vector ? std::max(1u, vector->getNumElements() - 1) : 1}, type)};
}

/* The others. */
static std::optional<CallClass> otherIntrinsic(const IntrinsicInst &call)
{
    switch (call.getIntrinsicID()) {
    case Intrinsic::vector_reduce_add:
    case Intrinsic::vector_reduce_and:
    case Intrinsic::vector_reduce_or:
    case Intrinsic::vector_reduce_xor:
    case Intrinsic::vector_reduce_smax:
    case Intrinsic::vector_reduce_smin:
    case Intrinsic::vector_reduce_umax:
    case Intrinsic::vector_reduce_umin:
    case Intrinsic::vector_reduce_mul:
    case Intrinsic::vector_reduce_fadd:
    case Intrinsic::vector_reduce_fmul:
    case Intrinsic::vector_reduce_fmax:
    case Intrinsic::vector_reduce_fmin: return reduction(call);
    case Intrinsic::memcpy:
    case Intrinsic::memmove:
    case Intrinsic::memcpy_inline: return CallClass{CallKind::CopyMemory, {GP_CLASS_MEMORY, 1}};
    case Intrinsic::memset:
    case Intrinsic::memset_inline: return CallClass{CallKind::FillMemory, {GP_CLASS_MEMORY, 1}};
    case Intrinsic::masked_load: return CallClass{CallKind::MaskedLoad, {GP_CLASS_MEMORY, 1}};
    case Intrinsic::masked_store: return CallClass{CallKind::MaskedStore, {GP_CLASS_MEMORY, 1}};
    case Intrinsic::masked_gather: return CallClass{CallKind::Gather, {GP_CLASS_MEMORY, 1}};
    case Intrinsic::masked_scatter: return CallClass{CallKind::Scatter, {GP_CLASS_MEMORY, 1}};
    case Intrinsic::prefetch: return CallClass{CallKind::Prefetch, {GP_CLASS_MOV, 1}};
    case Intrinsic::trap:
    case Intrinsic::ubsantrap: return CallClass{CallKind::Exit, {GP_CLASS_FREE, 1}};
    default: return std::nullopt;
    }
}

CallClass intrinsicCall(const IntrinsicInst &call, Target target)
{
    if (std::optional<CallClass> found = integerIntrinsic(call))
        return *found;
    if (std::optional<CallClass> found = floatingIntrinsic(call, target))
        return *found;
    if (std::optional<CallClass> found = otherIntrinsic(call))
        return *found;
    StringRef name = call.getCalledFunction()->getName();
    if (name.consume_front("llvm.nvvm."))
        return nvvmCall(call, name);
    if (name.consume_front("llvm.amdgcn."))
        return amdgcnCall(call, name);
    if (name == "llvm.spv.group.memory.barrier.with.group.sync")
        return {CallKind::Barrier, {GP_CLASS_BARRIER, 1}};
    if (name.starts_with("llvm.spv.") || !call.getType()->isVoidTy()) /* llvm.expect, ssa.copy, objectsize ... */
        return {CallKind::Arithmetic, {GP_CLASS_FREE, 1}};
    return {CallKind::Free, {}};
}

} // namespace gpuperf
