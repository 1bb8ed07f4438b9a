/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Costs of instructions and calls, and what backends fold into one. */
#include "passes/cost/classify_parts.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"

#include "passes/ir/builtins.h"
#include "passes/cost/chosen_elements.h"
#include "passes/cost/wide_division.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace gpuperf
{

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

/* ---- Calls ---------------------------------------------------------------------------------------------------- */

/* dot_4x8packed_ss_int() and the like (cl_khr_integer_dot_product): v_dot4_i32_i8, at the rate of an addition, or dp4a,
 * at that of a product. */
static bool integerDot(StringRef name, Target target, CallClass &found)
{
    if (!name.starts_with("dot_") || !name.contains("4x8packed"))
        return false;
    found = {CallKind::Arithmetic, {target == Target::Amdgcn ? GP_CLASS_INT_MUL24 : GP_CLASS_INT_MAD, 1}};
    return true;
}

/* What CUDA's, HIP's and SYCL's headers, and glibc's, call where a condition does not hold that programs rely on. */
static bool isAssertion(StringRef name)
{
    return name == "__assertfail" || name == "__assert_fail" || name == "__devicelib_assert_fail" || name == "abort";
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
    if (integerDot(name, target, found) || openclCall(call, name, found) || mathCall(call, name, target, found))
        return found;
    if (callee->getName() == passedAssertion)
        return {CallKind::Arithmetic, {GP_CLASS_BRANCH, 1}};
    if (isAssertion(name))
        return {CallKind::Print, {GP_CLASS_CALL, 1}};
    return found;
}

bool isArithmetic(const CallBase &call, Target target)
{
    return call.doesNotAccessMemory() && classifyCall(call, target).kind == CallKind::Arithmetic;
}

void letFunctionsMove(Function &function, Target target)
{
    for (Instruction &inst : instructions(function)) {
        auto *call = dyn_cast<CallInst>(&inst);
        if (call && call->getCalledFunction() && call->isConvergent() &&
            (isArithmetic(*call, target) || classifyCall(*call, target).kind == CallKind::ImageLoad))
            letMove(*call);
    }
}

/* As nvcc 13.0 does (sm_86) with 33 functions in a loop of unknown length: 4 times with exponentials, logarithms, arcs,
 * roots, error functions and hyperbolic ones; not at all with these. */
bool isStraightLine(const CallBase &call, Target target)
{
    const StringRef looping[] = {"mod", "remainder", "remquo", "gamma"};
    const Function *callee = calledFunction(call);
    if (!callee || !isArithmetic(call, target) ||
        any_of(looping, [&](StringRef part) { return callee->getName().contains(part); }))
        return false;
    switch (classifyCall(call, target).cost.cost) {
    case GP_CLASS_MATH32_TRIG:
    case GP_CLASS_MATH32_POW:
    case GP_CLASS_MATH64:
    case GP_CLASS_MATH64_TRIG:
    case GP_CLASS_MATH64_LOG:
    case GP_CLASS_MATH64_POW: return false;
    default: return true;
    }
}

static bool isTrap(const CallBase &call, Target target)
{
    if (auto *assembly = dyn_cast<InlineAsm>(call.getCalledOperand()))
        return is_contained(assemblyMnemonics(*assembly, target), "trap");
    Intrinsic::ID id = call.getIntrinsicID();
    return id == Intrinsic::trap || id == Intrinsic::ubsantrap;
}

bool isFailure(const Instruction &inst, Target target)
{
    auto *call = dyn_cast<CallBase>(&inst);
    const Function *callee = call ? calledFunction(*call) : nullptr;
    return isa<UnreachableInst>(inst) || (call && isTrap(*call, target)) ||
           (callee && isAssertion(builtinName(callee->getName()).base));
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
    return singleDivision(inst, cast<FPMathOperator>(&inst)->getFPAccuracy() >= 2.0f);
}

Cost singleDivision(const BinaryOperator &inst, bool loose)
{
    auto *op = cast<FPMathOperator>(&inst);
    bool fast = op->hasAllowReciprocal() || op->hasApproxFunc();
    bool reciprocal = match(inst.getOperand(0), m_FPOne());
    if (fast && reciprocal)
        return flushesDenormals(inst) ? Cost{GP_CLASS_FLOAT_RCP_FLUSH, 1} : Cost{GP_CLASS_FLOAT_RCP_NATIVE, 1};
    if (loose && reciprocal)
        return {GP_CLASS_FLOAT_RCP, 1};
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
        return {longDivisionClass(inst), 1};
    return {isSigned ? GP_CLASS_INT_DIV : GP_CLASS_INT_UDIV, 1};
}

Cost quotientCost(const BinaryOperator &inst)
{
    return inst.isIntDivRem() ? integerDivisionCost(inst) : divisionCost(inst);
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
    case Instruction::SIToFP:
    case Instruction::UIToFP:
        if (to == 32 && (from == 32 || (from < 32 && cast.getOpcode() == Instruction::UIToFP)))
            return {GP_CLASS_CVT_FROM_INT, 1};
        [[fallthrough]];
    case Instruction::FPToSI:
    case Instruction::FPToUI: return {from == 64 || to == 64 ? GP_CLASS_CVT_64 : GP_CLASS_CVT, 1};
    case Instruction::FPExt:
    case Instruction::FPTrunc: return {from == 64 || to == 64 ? GP_CLASS_CVT_64 : GP_CLASS_CVT, 1};
    default: return {}; /* trunc, bitcast, pointer casts */
    }
}

/* A word of two moves to the place of the other for nothing; farther it is one shift, and so is it where of the shifted
 * pair only the lower word is used. */
static Cost wideShiftCost(const Instruction &inst)
{
    const APInt *by;
    unsigned code = inst.getOpcode();
    auto isNarrow = [](const User *user) {
        return isa<TruncInst>(user) && user->getType()->getScalarSizeInBits() <= 32;
    };
    bool constant = inst.getType()->getScalarSizeInBits() == 64 && match(inst.getOperand(1), m_APInt(by));
    if (constant && *by == 32 && code != Instruction::AShr)
        return {};
    bool one = constant && (*by == 32 || (by->ugt(32) && code != Instruction::AShr) ||
                            (code != Instruction::Shl && all_of(inst.users(), isNarrow)));
    return {one ? GP_CLASS_INT_SHIFT : GP_CLASS_LONG_SHIFT, 1};
}

Cost Costs::ofCall(const CallBase &call, Cost alone) const
{
    auto found = fused.find(&call);
    return found != fused.end() ? found->second : alone;
}

Cost Costs::of(const Instruction &inst) const
{
    auto found = fused.find(&inst);
    if (found != fused.end())
        return found->second;
    bool wide = inst.getType()->isIntOrIntVectorTy() && isLong(inst.getType());
    bool predicate = inst.getType()->isIntOrIntVectorTy(1);
    switch (inst.getOpcode()) {
    case Instruction::Add:
    case Instruction::Sub: return {wide ? GP_CLASS_LONG_ADD : GP_CLASS_INT_ADD, 1};
    case Instruction::Mul:
        if (match(inst.getOperand(1), m_Power2()))
            return {wide ? GP_CLASS_LONG_SHIFT : GP_CLASS_INT_SHIFT, 1};
        return {wide ? GP_CLASS_LONG_MUL : GP_CLASS_INT_MUL,
                inst.getType()->getScalarSizeInBits() > 64 ? 2u
                                                           : 1u}; /* the upper half of a product: twice the parts */
    case Instruction::UDiv:
    case Instruction::SDiv:
    case Instruction::URem:
    case Instruction::SRem:
    case Instruction::FDiv: return quotientCost(cast<BinaryOperator>(inst));
    case Instruction::And:
    case Instruction::Or:
    case Instruction::Xor:
        if (predicate)
            return {}; /* compares combine predicates */
        return {wide ? GP_CLASS_LONG_LOGIC : GP_CLASS_INT_LOGIC, 1};
    case Instruction::Shl:
    case Instruction::LShr:
    case Instruction::AShr:
        return wide && target != Target::Host ? wideShiftCost(inst)
                                              : Cost{wide ? GP_CLASS_LONG_SHIFT : GP_CLASS_INT_SHIFT, 1};
    case Instruction::FAdd:
    case Instruction::FSub: return floatingCost(inst, GP_CLASS_FLOAT_ADD);
    case Instruction::FMul: return floatingCost(inst, GP_CLASS_FLOAT_MUL);
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
    case Instruction::ExtractElement:
    case Instruction::InsertElement: /* a constant element is a register */
        return !choosesElement(inst)      ? Cost{}
               : target == Target::Amdgcn ? chosenElementCost(inst, uniformity)
                                          : Cost{GP_CLASS_SELECT, 2};
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

/* NVIDIA's compute capability, times ten; 0: not said. */
static unsigned capabilityOf(const Function &function)
{
    StringRef cpu = function.getFnAttribute("target-cpu").getValueAsString();
    unsigned capability = 0;
    return cpu.consume_front("sm_") && !cpu.consumeInteger(10, capability) ? capability : 0;
}

static bool hasPackedHalfs(const Function &function, Target target)
{
    if (target == Target::Nvptx)
        return capabilityOf(function) >= 53; /* fma.f16x2 (PTX ISA) */
    return target == Target::Amdgcn && function.getFnAttribute("target-features")
                                           .getValueAsString()
                                           .contains("+gfx9-insts"); /* GFX10 to GFX12 have it, too */
}

static bool isPackedIntrinsic(const IntrinsicInst &call, Target target)
{
    switch (call.getIntrinsicID()) {
    case Intrinsic::fma:
    case Intrinsic::fmuladd: return true;
    case Intrinsic::minnum:
    case Intrinsic::maxnum:
    case Intrinsic::minimumnum:
    case Intrinsic::maximumnum:
        return target == Target::Amdgcn || capabilityOf(*call.getFunction()) >= 80; /* min.f16x2 (PTX ISA) */
    default: return false;
    }
}

/* LLVM takes the difference of more than four elements one by one, unless it ends a product. */
static bool isPackedDifference(const Instruction &inst)
{
    auto isProduct = [](const Value *value) { return match(value, m_OneUse(m_FMul(m_Value(), m_Value()))); };
    return cast<FixedVectorType>(inst.getType())->getNumElements() <= 4 ||
           (cast<FPMathOperator>(&inst)->hasAllowContract() &&
            (isProduct(inst.getOperand(0)) || isProduct(inst.getOperand(1))));
}

bool packsHalfs(const Instruction &inst, Target target)
{
    if (!isa<FixedVectorType>(inst.getType()) || !inst.getType()->getScalarType()->isHalfTy() ||
        !hasPackedHalfs(*inst.getFunction(), target))
        return false;
    switch (inst.getOpcode()) {
    case Instruction::FAdd:
    case Instruction::FMul: return true;
    case Instruction::FSub: return target == Target::Nvptx || isPackedDifference(inst);
    default: return isa<IntrinsicInst>(inst) && isPackedIntrinsic(cast<IntrinsicInst>(inst), target);
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

/* Of two words, or of one, by a number of bits that is known. */
static bool isRotation(const Instruction &inst)
{
    auto *call = dyn_cast<IntrinsicInst>(&inst);
    bool funnel = call && (call->getIntrinsicID() == Intrinsic::fshl || call->getIntrinsicID() == Intrinsic::fshr);
    return funnel && isa<Constant>(call->getArgOperand(2)) && inst.getType()->getScalarSizeInBits() == 32;
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
    return match(value, m_Shr(m_Shl(m_Value(), m_SpecificInt(8)), m_SpecificInt(8))) ||
           match(value, m_And(m_Value(), m_SpecificInt(0xffffff)));
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

/* AMD's scalar unit computes what is the same for all lanes, so that only the sum with what is not takes a vector
 * instruction. */
bool Costs::staysOnScalarUnit(const Instruction &inst, const Instruction &user) const
{
    return target == Target::Amdgcn && uniformity && uniformity->isUniform(&inst) && !user.getType()->isVoidTy() &&
           !uniformity->isUniform(&user);
}

void Costs::fuse(const Instruction &inst)
{
    const Instruction *user = onlyUser(inst);
    Type *type = inst.getType();
    if (isProduct24(inst))
        return fuse24(inst);
    if (isHighProduct(inst)) {
        bool high = user && user->getOpcode() == Instruction::LShr;
        if (user && user->getOpcode() == Instruction::Add && target != Target::Host && !fused.count(user) &&
            !staysOnScalarUnit(inst, *user)) { /* IMAD.WIDE, v_mad_u64_u32 */
            fused[&inst] = {};
            fused[user] = {GP_CLASS_INT_MAD, 1};
            return;
        }
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
    if (target == Target::Host || !type->isIntOrIntVectorTy() || isLong(type) || fused.count(user) ||
        staysOnScalarUnit(inst, *user))
        return;
    if (inst.getOpcode() == Instruction::Mul && sum && !match(inst.getOperand(1), m_Power2())) {
        fused[&inst] = {};
        fused[user] = {GP_CLASS_INT_MAD, 1};
    } else if (code == Instruction::Add && target != Target::Amdgcn && isRotation(inst)) {
        fused[&inst] = {}; /* LEA.HI, which no other lanes take over */
        fused[user] = {GP_CLASS_INT_LOGIC, 1};
    } else if (inst.getOpcode() == Instruction::Shl && code == Instruction::Add && isa<Constant>(inst.getOperand(1))) {
        fused[&inst] = {}; /* LEA, v_lshl_add */
        fused[user] = {GP_CLASS_INT_ADD, 1};
    } else if ((inst.getOpcode() == Instruction::Add || inst.getOpcode() == Instruction::Sub) &&
               code == Instruction::Add) {
        fused[&inst] = {}; /* IADD3, v_add3 */
        fused[user] = {GP_CLASS_INT_ADD, 1};
    } else if (isLogic(inst) && isLogic(*user) && target == Target::Amdgcn) {
        fused[&inst] = {}; /* v_and_or, v_or3, v_bfi, v_xor3 */
        fused[user] = {GP_CLASS_INT_LOGIC, 1};
    }
}

/* ---- LOP3: any function of three words -------------------------------------------------------------------------- */

/* An operand that is computed for this instruction alone, by logic, too. */
static const Instruction *logicPart(const Instruction &inst, const Value *operand)
{
    auto *part = dyn_cast<Instruction>(operand);
    return part && isLogic(*part) && onlyUser(*part) == &inst ? part : nullptr;
}

/* The words that an instruction's function is of, where parts of it are merged into it as long as three are enough;
 * other parts are instructions of their own. */
Costs::Words Costs::fuseLogic(const Instruction &inst, unsigned depth)
{
    enum { MOST = 3, DEEPEST = 200 };
    SmallVector<std::pair<const Value *, Words>, 2> parts;
    for (const Value *operand : inst.operands()) {
        const Instruction *part = depth < DEEPEST ? logicPart(inst, operand) : nullptr;
        bool isNot = match(operand, m_AllOnes());
        parts.push_back({operand, part ? fuseLogic(*part, depth + 1) : isNot ? Words() : Words({operand})});
        if (part)
            fused[part] = {};
    }
    auto merged = [&] {
        Words words;
        for (const auto &[value, of] : parts)
            words.insert(of.begin(), of.end());
        return words;
    };
    while (merged().size() > MOST) {
        auto &largest = parts[0].second.size() >= parts[1].second.size() ? parts[0] : parts[1];
        fused[cast<Instruction>(largest.first)] = {GP_CLASS_INT_LOGIC, 1};
        largest.second = Words({largest.first});
    }
    return merged();
}

void Costs::fuseLogicTree(const Instruction &root)
{
    const Instruction *user = onlyUser(root);
    if (target == Target::Host || target == Target::Amdgcn || isLong(root.getType()) || fused.count(&root) ||
        (user && isLogic(*user)))
        return;
    fuseLogic(root, 0);
    fused[&root] = {GP_CLASS_INT_LOGIC, 1};
}

Costs::Costs(const Function &function, Target target, const UniformityInfo *uniformity)
    : target(target), uniformity(uniformity)
{
    SmallVector<const Instruction *, 32> logic;
    for (const Instruction &inst : instructions(function)) {
        if (!inst.getType()->isVoidTy())
            fuse(inst);
        if (isLogic(inst))
            logic.push_back(&inst);
    }
    for (const Instruction *root : logic)
        fuseLogicTree(*root);
}

} // namespace gpuperf
