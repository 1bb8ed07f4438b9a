#include "passes/work_items.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

#include "passes/builtins.h"

using namespace llvm;

namespace gpuperf {

/* "tid.x" and so on, what stands behind llvm.nvvm.read.ptx.sreg. or llvm.amdgcn. */
static bool suffixDimension(StringRef &name, unsigned &dim)
{
    if (name.size() < 2 || name[name.size() - 2] != '.' || name.back() < 'w' || name.back() > 'z')
        return false;
    dim = name.back() == 'w' ? 0 : (unsigned)(name.back() - 'x');
    name = name.drop_back(2);
    return true;
}

static std::optional<IdRead> nvvmId(StringRef name)
{
    unsigned dim = 0;
    suffixDimension(name, dim);
    int id = StringSwitch<int>(name)
                 .Case("tid", GP_ID_LOCAL)
                 .Case("ctaid", GP_ID_GROUP)
                 .Case("ntid", GP_ID_LOCAL_SIZE)
                 .Case("nctaid", GP_ID_GROUP_COUNT)
                 .Case("laneid", GP_ID_LANE)
                 .Case("warpid", GP_ID_SUBGROUP)
                 .Case("nwarpid", GP_ID_SUBGROUP_COUNT)
                 .Case("warpsize", GP_ID_SUBGROUP_SIZE)
                 .Default(-1);
    if (id < 0)
        return std::nullopt;
    return IdRead{(gp_id)id, dim};
}

static std::optional<IdRead> openclId(const CallBase &call, StringRef name)
{
    int id = StringSwitch<int>(name)
                 .Case("get_global_id", GP_ID_GLOBAL)
                 .Case("get_local_id", GP_ID_LOCAL)
                 .Case("get_group_id", GP_ID_GROUP)
                 .Case("get_global_size", GP_ID_GLOBAL_SIZE)
                 .Cases({"get_local_size", "get_enqueued_local_size"}, GP_ID_LOCAL_SIZE)
                 .Case("get_num_groups", GP_ID_GROUP_COUNT)
                 .Case("get_global_offset", GP_ID_OFFSET)
                 .Case("get_work_dim", GP_ID_WORK_DIM)
                 .Case("get_sub_group_local_id", GP_ID_LANE)
                 .Case("get_sub_group_id", GP_ID_SUBGROUP)
                 .Cases({"get_sub_group_size", "get_max_sub_group_size"}, GP_ID_SUBGROUP_SIZE)
                 .Cases({"get_num_sub_groups", "get_enqueued_num_sub_groups"}, GP_ID_SUBGROUP_COUNT)
                 .Default(-1);
    if (id < 0)
        return std::nullopt;
    IdRead read{(gp_id)id, 0};
    if (gp_id_has_dimension((gp_id)id)) {
        auto *dim = call.arg_size() == 1 ? dyn_cast<ConstantInt>(call.getArgOperand(0)) : nullptr;
        if (dim && dim->getZExtValue() < 3)
            read.dim = (unsigned)dim->getZExtValue();
        else
            read.unknownDimension = true;
    }
    return read;
}

static bool onlyAdded(const LoadInst &load)
{
    return all_of(load.users(), [](const User *user) {
        auto *op = dyn_cast<Instruction>(user);
        return op && (op->getOpcode() == Instruction::Add || op->getOpcode() == Instruction::ZExt);
    });
}

/*
 * AMD keeps sizes in memory. Hidden kernel arguments of code object version 5 (LLVM's AMDGPU usage guide, "Code Object V5 Kernel
 * Argument"): group counts at 0, 4, 8, group sizes at 12, 14, 16, offsets at 40, 48, 56, the work dimension at 64. The HSA dispatch packet: group
 * sizes at 4, 6, 8, grid sizes at 12, 16, 20. libclc's get_global_offset() has words 1 to 3 of the hidden arguments for offsets: there
 * a word is an offset when all that happens to it is an addition.
 */
static std::optional<IdRead> amdLoadedId(const LoadInst &load)
{
    APInt offset(64, 0);
    const DataLayout &layout = load.getModule()->getDataLayout();
    const Value *base = load.getPointerOperand();
    offset = APInt(layout.getIndexTypeSizeInBits(base->getType()), 0);
    base = base->stripAndAccumulateConstantOffsets(layout, offset, true);
    auto *call = dyn_cast<CallBase>(base);
    const Function *callee = call ? call->getCalledFunction() : nullptr;
    if (!callee || !load.getType()->isIntegerTy())
        return std::nullopt;
    uint64_t at = offset.getZExtValue();
    unsigned bits = load.getType()->getIntegerBitWidth();
    if (callee->getName() == "llvm.amdgcn.implicitarg.ptr") {
        if (at >= 4 && at < 16 && at % 4 == 0 && bits == 32 && onlyAdded(load))
            return IdRead{GP_ID_OFFSET, (unsigned)at / 4 - 1};
        if (at < 12 && at % 4 == 0 && bits == 32)
            return IdRead{GP_ID_GROUP_COUNT, (unsigned)at / 4};
        if (at >= 12 && at < 18 && at % 2 == 0 && bits == 16)
            return IdRead{GP_ID_LOCAL_SIZE, (unsigned)(at - 12) / 2};
        if (at == 12 && bits == 32)
            return IdRead{GP_ID_LOCAL_SIZE, 0, true};
        if (at >= 40 && at < 64 && at % 8 == 0)
            return IdRead{GP_ID_OFFSET, (unsigned)(at - 40) / 8};
        if (at == 64)
            return IdRead{GP_ID_WORK_DIM, 0};
    }
    if (callee->getName() == "llvm.amdgcn.dispatch.ptr") {
        if (at >= 4 && at < 10 && at % 2 == 0 && bits == 16)
            return IdRead{GP_ID_LOCAL_SIZE, (unsigned)(at - 4) / 2};
        if (at == 4 && bits == 32)
            return IdRead{GP_ID_LOCAL_SIZE, 0, true};
        if (at >= 12 && at < 24 && at % 4 == 0 && bits == 32)
            return IdRead{GP_ID_GLOBAL_SIZE, (unsigned)(at - 12) / 4};
    }
    return std::nullopt;
}

static std::optional<IdRead> amdCalledId(StringRef name)
{
    unsigned dim = 0;
    if (name.starts_with("mbcnt."))
        return name == "mbcnt.hi" ? std::optional<IdRead>(IdRead{GP_ID_LANE, 0}) : std::nullopt;
    if (name == "wavefrontsize")
        return IdRead{GP_ID_SUBGROUP_SIZE, 0};
    if (!suffixDimension(name, dim))
        return std::nullopt;
    if (name == "workitem.id")
        return IdRead{GP_ID_LOCAL, dim};
    if (name == "workgroup.id")
        return IdRead{GP_ID_GROUP, dim};
    return std::nullopt;
}

/* SPIR-V's builtin variables: loads of __spirv_BuiltInGlobalInvocationId and so on, or its intrinsics, or functions of these names. */
static std::optional<IdRead> spirvId(StringRef name)
{
    if (!name.consume_front("__spirv_BuiltIn"))
        return std::nullopt;
    int id = StringSwitch<int>(name)
                 .StartsWith("GlobalInvocationId", GP_ID_GLOBAL)
                 .StartsWith("LocalInvocationId", GP_ID_LOCAL)
                 .StartsWith("WorkgroupId", GP_ID_GROUP)
                 .StartsWith("GlobalSize", GP_ID_GLOBAL_SIZE)
                 .StartsWith("WorkgroupSize", GP_ID_LOCAL_SIZE)
                 .StartsWith("NumWorkgroups", GP_ID_GROUP_COUNT)
                 .StartsWith("GlobalOffset", GP_ID_OFFSET)
                 .StartsWith("WorkDim", GP_ID_WORK_DIM)
                 .StartsWith("SubgroupLocalInvocationId", GP_ID_LANE)
                 .StartsWith("SubgroupId", GP_ID_SUBGROUP)
                 .StartsWith("SubgroupSize", GP_ID_SUBGROUP_SIZE)
                 .StartsWith("NumSubgroups", GP_ID_SUBGROUP_COUNT)
                 .Default(-1);
    if (id < 0)
        return std::nullopt;
    return IdRead{(gp_id)id, 0};
}

static std::optional<IdRead> spirvLoadedId(const LoadInst &load)
{
    const DataLayout &layout = load.getModule()->getDataLayout();
    APInt offset(layout.getIndexTypeSizeInBits(load.getPointerOperandType()), 0);
    const Value *base = load.getPointerOperand()->stripAndAccumulateConstantOffsets(layout, offset, true);
    auto *variable = dyn_cast<GlobalVariable>(base);
    if (!variable || !load.getType()->isIntegerTy())
        return std::nullopt;
    std::optional<IdRead> read = spirvId(variable->getName());
    uint64_t size = layout.getTypeStoreSize(load.getType());
    if (read && gp_id_has_dimension(read->id) && offset.getZExtValue() / size < 3)
        read->dim = (unsigned)(offset.getZExtValue() / size);
    return read;
}

std::optional<IdRead> readsId(const Instruction &inst, Target target)
{
    if (auto *load = dyn_cast<LoadInst>(&inst)) {
        if (target == Target::Amdgcn)
            return amdLoadedId(*load);
        if (target == Target::Spir)
            return spirvLoadedId(*load);
        return std::nullopt;
    }
    auto *call = dyn_cast<CallBase>(&inst);
    const Function *callee = call ? call->getCalledFunction() : nullptr;
    if (!callee || !inst.getType()->isIntegerTy())
        return std::nullopt;
    StringRef name = callee->getName();
    if (name.consume_front("llvm.nvvm.read.ptx.sreg."))
        return nvvmId(name);
    if (name.consume_front("llvm.amdgcn."))
        return amdCalledId(name);
    if (callee->isDeclaration() && !callee->isIntrinsic())
        return openclId(*call, builtinName(name).base);
    return std::nullopt;
}

std::optional<IdRead> idBehind(const WorkItemIds &ids, const Value *value)
{
    for (;;) {
        auto found = ids.reads.find(value);
        if (found != ids.reads.end())
            return found->second;
        auto *op = dyn_cast<Operator>(value);
        if (!op)
            return std::nullopt;
        unsigned code = op->getOpcode();
        if (code == Instruction::ZExt || code == Instruction::SExt || code == Instruction::Trunc || code == Instruction::Freeze) {
            value = op->getOperand(0);
            continue;
        }
        auto *number = op->getNumOperands() == 2 ? dyn_cast<ConstantInt>(op->getOperand(1)) : nullptr;
        found = ids.reads.find(op->getOperand(0));
        if (number && found != ids.reads.end() && found->second.packed) {
            IdRead half{found->second.id, found->second.dim};
            if (code == Instruction::And && number->getZExtValue() == 0xffff)
                return half;
            if (code == Instruction::LShr && number->getZExtValue() == 16) {
                half.dim++;
                return half;
            }
        }
        return std::nullopt;
    }
}

namespace {

/* Terms of a sum, casts looked through; the multiplications and casts on the way belong to the sum. */
struct Sum {
    SmallVector<const Value *, 8> leaves;
    SmallVector<const User *, 16> inner;
    bool tooLong = false;
};

void flatten(const Value *value, Sum &sum)
{
    SmallVector<const Value *, 8> open{value};
    while (!open.empty()) {
        const Value *term = open.pop_back_val();
        auto *op = dyn_cast<Instruction>(term);
        if (sum.inner.size() > 12) {
            sum.tooLong = true;
            return;
        }
        bool addition = op && (op->getOpcode() == Instruction::Add ||
                               (op->getOpcode() == Instruction::Or && cast<PossiblyDisjointInst>(op)->isDisjoint()));
        if (addition || (op && (isa<ZExtInst>(op) || isa<SExtInst>(op) || isa<TruncInst>(op) || isa<FreezeInst>(op)))) {
            sum.inner.push_back(op);
            for (const Value *operand : op->operands())
                open.push_back(operand);
        } else {
            sum.leaves.push_back(term);
        }
    }
}

/* Dimension of group id x local size, or -1. */
int groupStart(const WorkItemIds &ids, const Value *value)
{
    auto *product = dyn_cast<Instruction>(value);
    if (!product || product->getOpcode() != Instruction::Mul)
        return -1;
    std::optional<IdRead> a = idBehind(ids, product->getOperand(0)), b = idBehind(ids, product->getOperand(1));
    if (!a || !b)
        return -1;
    if (a->id != GP_ID_GROUP)
        std::swap(a, b);
    return a->id == GP_ID_GROUP && b->id == GP_ID_LOCAL_SIZE && a->dim == b->dim ? (int)a->dim : -1;
}

} // namespace

/* The chain of casts and bit selections from an id to one of its uses counts as part of the global id, too. */
static void countOutside(WorkItemIds &ids, const SmallPtrSetImpl<const User *> &inside)
{
    for (auto &entry : ids.reads) {
        gp_id id = entry.second.id;
        if (id != GP_ID_LOCAL && id != GP_ID_GROUP && id != GP_ID_LOCAL_SIZE)
            continue;
        unsigned outside = 0;
        SmallVector<const Value *, 8> open{entry.first};
        while (!open.empty()) {
            const Value *value = open.pop_back_val();
            for (const User *user : value->users()) {
                if (inside.contains(user))
                    continue;
                auto *op = dyn_cast<Instruction>(user);
                if (op && op->getNumOperands() >= 1 && idBehind(ids, op))
                    open.push_back(op);
                else if (!op || !op->use_empty() || op->mayHaveSideEffects() || op->isTerminator())
                    outside++;
            }
        }
        ids.usesOutsideGlobal[entry.first] = outside;
    }
}

WorkItemIds findIds(const Function &function, Target target)
{
    WorkItemIds ids;
    SmallVector<const Instruction *, 32> additions;
    for (const Instruction &inst : instructions(function)) {
        if (std::optional<IdRead> read = readsId(inst, target))
            ids.reads[&inst] = *read;
        else if (inst.getOpcode() == Instruction::Add || inst.getOpcode() == Instruction::Or)
            additions.push_back(&inst);
    }
    if (ids.reads.empty())
        return ids;
    SmallPtrSet<const User *, 32> inside;
    for (const Instruction *addition : additions) {
        Sum sum;
        flatten(addition, sum);
        int dim = -1;
        const Value *start = nullptr;
        for (const Value *leaf : sum.leaves)
            if (int found = groupStart(ids, leaf); found >= 0) {
                dim = found;
                start = leaf;
            }
        if (dim < 0 || sum.tooLong)
            continue;
        bool local = false, others = false;
        for (const Value *leaf : sum.leaves) {
            std::optional<IdRead> read = idBehind(ids, leaf);
            if (read && read->id == GP_ID_LOCAL && (int)read->dim == dim)
                local = true;
            else if (leaf != start && !(read && read->id == GP_ID_OFFSET && (int)read->dim == dim))
                others = true;
        }
        if (!local)
            continue;
        inside.insert(cast<User>(start));
        inside.insert(sum.inner.begin(), sum.inner.end());
        if (!others)
            ids.globalIds[addition] = (unsigned)dim;
    }
    countOutside(ids, inside);
    return ids;
}

} // namespace gpuperf
