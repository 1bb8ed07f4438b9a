/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Intrinsics of NVIDIA's and AMD's backends, by the starts of their names. */
#include "passes/cost/classify_parts.h"

#include "passes/cost/matrix_products.h"

using namespace llvm;

namespace gpuperf
{

/* The first row that a name starts with decides. */
struct Prefix {
    const char *name;
    gp_class cost;
};

/* ---- NVVM: llvm.nvvm.* ---------------------------------------------------------------------------------------- */

/* What does more than compute. */
static bool nvvmKind(StringRef name, CallClass &found)
{
    auto kind = [&](CallKind k, gp_class c = GP_CLASS_FREE) {
        found = {k, {c, 1}};
        return true;
    };
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
    return false;
}

static const Prefix nvvmArithmetic[] = {
    {"sin.approx", GP_CLASS_SFU_SIN},
    {"cos.approx", GP_CLASS_SFU_COS},
    {"ex2.approx", GP_CLASS_SFU_EXP2},
    {"lg2.approx", GP_CLASS_SFU_LOG2},
    {"rsqrt.approx", GP_CLASS_FLOAT_RSQRT},
    {"rcp.", GP_CLASS_FLOAT_RCP},
    {"sqrt.approx", GP_CLASS_FLOAT_SQRT_FAST},
    {"sqrt.", GP_CLASS_FLOAT_SQRT},
    {"div.approx", GP_CLASS_FLOAT_DIV_FAST},
    {"div.full.ftz", GP_CLASS_FLOAT_DIV_FAST}, /* as many instructions */
    {"div.full", GP_CLASS_FLOAT_DIV_LOOSE},
    {"div.", GP_CLASS_FLOAT_DIV},
    {"fma.", GP_CLASS_FLOAT_FMA},
    {"mul24", GP_CLASS_INT_MUL24},
    {"mulhi", GP_CLASS_INT_MULHI},
    {"mul.", GP_CLASS_FLOAT_MUL},
    {"add.", GP_CLASS_FLOAT_ADD},
    {"fmin", GP_CLASS_FLOAT_MINMAX},
    {"fmax", GP_CLASS_FLOAT_MINMAX},
    {"saturate", GP_CLASS_FLOAT_ADD},
    {"floor", GP_CLASS_FLOAT_ROUND},
    {"ceil", GP_CLASS_FLOAT_ROUND},
    {"trunc", GP_CLASS_FLOAT_ROUND},
    {"round", GP_CLASS_FLOAT_ROUND},
    {"fabs", GP_CLASS_FREE},
    {"sub.", GP_CLASS_FLOAT_ADD},
    {"neg.", GP_CLASS_FREE},
    {"idp", GP_CLASS_INT_MAD},
    {"prmt", GP_CLASS_INT_LOGIC},
    {"fns", GP_CLASS_INT_BITS},
    {"lohi", GP_CLASS_FREE},
    {"bitcast", GP_CLASS_FREE},
    {"isspacep", GP_CLASS_INT_CMP},
    {"mapa", GP_CLASS_INT_LOGIC},
    {"sad", GP_CLASS_INT_ADD},
    {"ull2", GP_CLASS_CVT_64},
    {"ll2", GP_CLASS_CVT_64},
    {"d2i.", GP_CLASS_FREE}, /* d2i.hi, d2i.lo: halves of a register pair */
    {"d2", GP_CLASS_CVT_64},
    {"f2ll", GP_CLASS_CVT_64},
    {"f2ull", GP_CLASS_CVT_64},
    {"f2", GP_CLASS_CVT},
    {"ff2", GP_CLASS_CVT},
    {"i2d", GP_CLASS_CVT_64},
    {"ui2d", GP_CLASS_CVT_64},
    {"i2f", GP_CLASS_CVT_FROM_INT},
    {"ui2f", GP_CLASS_CVT_FROM_INT},
    {"bf2h", GP_CLASS_CVT},
};

CallClass nvvmCall(const CallBase &call, StringRef name)
{
    CallClass found{CallKind::Unknown, {GP_CLASS_CALL, 1}};
    if (std::optional<Cost> product = productInPtx(name))
        return {CallKind::Arithmetic, *product};
    if (nvvmKind(name, found))
        return found;
    const Prefix *row = find_if(nvvmArithmetic, [&](const Prefix &prefix) { return name.starts_with(prefix.name); });
    if (row == std::end(nvvmArithmetic))
        return found;
    return {CallKind::Arithmetic,
            whereFlushed(inPrecision({row->cost, 1}, precisionType(call)), isFlushedApproximation(name))};
}

/* ---- AMDGCN: llvm.amdgcn.* ------------------------------------------------------------------------------------ */

/* What does more than compute. */
static bool amdgcnKind(StringRef name, CallClass &found)
{
    auto kind = [&](CallKind k, gp_class c = GP_CLASS_FREE) {
        found = {k, {c, 1}};
        return true;
    };
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
    return false;
}

static const Prefix amdgcnArithmetic[] = {
    {"sin", GP_CLASS_SFU_SIN},          {"cos", GP_CLASS_SFU_COS},
    {"exp2", GP_CLASS_SFU_EXP2},        {"log", GP_CLASS_SFU_LOG2},
    {"rsq", GP_CLASS_FLOAT_RSQRT},      {"rcp", GP_CLASS_FLOAT_RCP},
    {"sqrt", GP_CLASS_FLOAT_SQRT_FAST}, {"fmed3", GP_CLASS_FLOAT_MINMAX},
    {"fract", GP_CLASS_FLOAT_ADD},      {"fma", GP_CLASS_FLOAT_FMA},
    {"fmul", GP_CLASS_FLOAT_MUL},       {"div.", GP_CLASS_FLOAT_FMA},
    {"ldexp", GP_CLASS_FLOAT_MUL},      {"frexp", GP_CLASS_FLOAT_MUL},
    {"class", GP_CLASS_FLOAT_CMP},      {"cvt", GP_CLASS_CVT},
    {"mul", GP_CLASS_INT_MUL24},        {"ubfe", GP_CLASS_INT_SHIFT},
    {"sbfe", GP_CLASS_INT_SHIFT},       {"perm", GP_CLASS_INT_LOGIC},
    {"alignb", GP_CLASS_INT_SHIFT},     {"mbcnt", GP_CLASS_INT_BITS},
    {"sad", GP_CLASS_INT_ADD},          {"msad", GP_CLASS_INT_ADD},
    {"lerp", GP_CLASS_INT_ADD},         {"qsad", GP_CLASS_INT_ADD},
    {"sdot", GP_CLASS_INT_MUL24},       {"udot", GP_CLASS_INT_MUL24},
    {"sudot", GP_CLASS_INT_MUL24},      {"fdot", GP_CLASS_FLOAT_FMA},
    {"sffbh", GP_CLASS_INT_BITS},       {"bfm", GP_CLASS_INT_SHIFT},
    {"s.getreg", GP_CLASS_MOV},         {"s.memtime", GP_CLASS_MOV},
    {"s.memrealtime", GP_CLASS_MOV},    {"s.get.", GP_CLASS_MOV},
    {"workgroup", GP_CLASS_MOV},        {"workitem", GP_CLASS_MOV},
    {"wavefrontsize", GP_CLASS_FREE},   {"trig.preop", GP_CLASS_DOUBLE_MUL},
};

CallClass amdgcnCall(const CallBase &call, StringRef name)
{
    CallClass found{CallKind::Unknown, {GP_CLASS_CALL, 1}};
    if (std::optional<Cost> product = productOnAmd(name, *call.getType()))
        return {CallKind::Arithmetic, *product};
    if (amdgcnKind(name, found))
        return found;
    const Prefix *row = find_if(amdgcnArithmetic, [&](const Prefix &prefix) { return name.starts_with(prefix.name); });
    if (row == std::end(amdgcnArithmetic))
        return found;
    return {CallKind::Arithmetic, whereFlushed(inPrecision({row->cost, 1}, precisionType(call)),
                                               true)}; /* the instruction itself, nothing around it */
}

} // namespace gpuperf
