/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "passes/analysis/work_items.h"

#include <map>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

#include "passes/ir/builtins.h"

using namespace llvm;

namespace gpuperf
{

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

/* Along the dimension that is the call's argument, where the id has one. -1: it is none. */
static std::optional<IdRead> withDimension(int id, const CallBase &call)
{
    if (id < 0)
        return std::nullopt;
    IdRead read{(gp_id)id, 0};
    if (!gp_id_has_dimension(read.id))
        return read;
    auto *dim = call.arg_size() == 1 ? dyn_cast<ConstantInt>(call.getArgOperand(0)) : nullptr;
    if (dim && dim->getZExtValue() < 3)
        read.dim = (unsigned)dim->getZExtValue();
    else
        read.unknownDimension = true;
    return read;
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
    return withDimension(id, call);
}

/* llvm.spv.thread.id.i64(i32 0): clang's builtins for SPIR-V. */
static std::optional<IdRead> spvId(const CallBase &call, StringRef name)
{
    int id = StringSwitch<int>(name)
                 .StartsWith("thread.id.in.group", GP_ID_LOCAL)
                 .StartsWith("thread.id", GP_ID_GLOBAL)
                 .StartsWith("group.id", GP_ID_GROUP)
                 .StartsWith("workgroup.size", GP_ID_LOCAL_SIZE)
                 .StartsWith("num.workgroups", GP_ID_GROUP_COUNT)
                 .StartsWith("global.size", GP_ID_GLOBAL_SIZE)
                 .StartsWith("global.offset", GP_ID_OFFSET)
                 .Case("subgroup.local.invocation.id", GP_ID_LANE)
                 .Case("subgroup.id", GP_ID_SUBGROUP)
                 .Cases({"subgroup.size", "subgroup.max.size"}, GP_ID_SUBGROUP_SIZE)
                 .Case("num.subgroups", GP_ID_SUBGROUP_COUNT)
                 .Default(-1);
    return withDimension(id, call);
}

static bool onlyAdded(const LoadInst &load)
{
    return all_of(load.users(), [](const User *user) {
        auto *op = dyn_cast<Instruction>(user);
        return op && (op->getOpcode() == Instruction::Add || op->getOpcode() == Instruction::ZExt ||
                      op->getOpcode() == Instruction::ExtractElement);
    });
}

/* Sizes are in the dispatch packet before code object version 5, in the hidden arguments from then on. */
static bool readsPacket(const Function &function, const Function &hiddenArguments)
{
    const Function *packet = hiddenArguments.getParent()->getFunction("llvm.amdgcn.dispatch.ptr");
    return packet && any_of(packet->users(), [&](const User *user) {
               auto *call = dyn_cast<Instruction>(user);
               return call && call->getFunction() == &function;
           });
}

/*
 * AMD keeps sizes in memory. Hidden kernel arguments of code object version 5 (LLVM's AMDGPU usage guide, "Code Object
 * V5 Kernel Argument"): group counts at 0, 4, 8, group sizes at 12, 14, 16, offsets at 40, 48, 56, the work dimension
 * at 64. The HSA dispatch packet: group sizes at 4, 6, 8, grid sizes at 12, 16, 20. libclc has words 1 to 3 of the
 * hidden arguments for offsets, and sizes in the packet; where no size is read, a word is an offset when all that
 * happens to it is an addition.
 */
static std::optional<IdRead> amdIdAt(StringRef area, uint64_t at, unsigned bits, bool libclc)
{
    if (area == "llvm.amdgcn.implicitarg.ptr") {
        if (at >= 4 && at < 16 && at % 4 == 0 && bits == 32 && libclc)
            return IdRead{GP_ID_OFFSET, (unsigned)at / 4 - 1};
        if (at < 12 && at % 4 == 0 && bits == 32)
            return IdRead{GP_ID_GROUP_COUNT, (unsigned)at / 4};
        if (at >= 12 && at < 18 && at % 2 == 0 && bits == 16)
            return IdRead{GP_ID_LOCAL_SIZE, (unsigned)(at - 12) / 2};
        if (at == 12 && bits == 32)
            return IdRead{GP_ID_LOCAL_SIZE, 0, 1, true};
        if (at == 16 && bits == 32) /* the remainder of dimension 0 above is masked out by those who want the size */
            return IdRead{GP_ID_LOCAL_SIZE, 2};
        if (at >= 40 && at < 64 && at % 8 == 0)
            return IdRead{GP_ID_OFFSET, (unsigned)(at - 40) / 8};
        if (at == 64)
            return IdRead{GP_ID_WORK_DIM, 0};
    }
    if (area == "llvm.amdgcn.dispatch.ptr") {
        if (at >= 4 && at < 10 && at % 2 == 0 && bits == 16)
            return IdRead{GP_ID_LOCAL_SIZE, (unsigned)(at - 4) / 2};
        if (at == 4 && bits == 32)
            return IdRead{GP_ID_LOCAL_SIZE, 0, 1, true};
        if (at == 8 && bits == 32) /* the upper half is reserved and 0 */
            return IdRead{GP_ID_LOCAL_SIZE, 2};
        if (at >= 12 && at < 24 && at % 4 == 0 && bits == 32)
            return IdRead{GP_ID_GLOBAL_SIZE, (unsigned)(at - 12) / 4};
    }
    return std::nullopt;
}

static std::optional<IdRead> amdLoadedId(const LoadInst &load)
{
    const DataLayout &layout = load.getModule()->getDataLayout();
    const Value *base = load.getPointerOperand();
    if (!load.getType()->isIntOrIntVectorTy() || !isa<CallBase>(getUnderlyingObject(base, 0)))
        return std::nullopt;
    APInt offset(layout.getIndexTypeSizeInBits(base->getType()), 0);
    base = base->stripAndAccumulateConstantOffsets(layout, offset, true);
    auto *call = dyn_cast<CallBase>(base);
    const Function *callee = call ? call->getCalledFunction() : nullptr;
    if (!callee)
        return std::nullopt;
    bool libclc = readsPacket(*load.getFunction(), *callee) || onlyAdded(load);
    std::optional<IdRead> read =
        amdIdAt(callee->getName(), offset.getZExtValue(), load.getType()->getScalarSizeInBits(), libclc);
    unsigned elements = elementCount(load.getType());
    if (!read || (elements > 1 && (read->packed || read->dim + elements > 3)))
        return std::nullopt;
    read->elements = elements;
    return read;
}

/* Waves of 64 lanes count in both halves, one behind the other; those of 32 in the lower one alone. */
static bool endsLaneCount(const CallBase &call, StringRef name)
{
    return name == "mbcnt.hi" || none_of(call.users(), [](const User *user) {
               auto *upper = dyn_cast<CallBase>(user);
               return upper && upper->getCalledFunction() &&
                      upper->getCalledFunction()->getName() == "llvm.amdgcn.mbcnt.hi";
           });
}

static std::optional<IdRead> amdCalledId(const CallBase &call, StringRef name)
{
    unsigned dim = 0;
    if (name.starts_with("mbcnt."))
        return endsLaneCount(call, name) ? std::optional<IdRead>(IdRead{GP_ID_LANE, 0}) : std::nullopt;
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

/* SPIR-V's builtin variables: loads of __spirv_BuiltInGlobalInvocationId and so on, or its intrinsics, or functions of
 * these names. */
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
    if (!load.getType()->isIntegerTy() || !isa<GlobalVariable>(getUnderlyingObject(load.getPointerOperand(), 0)))
        return std::nullopt;
    APInt offset(layout.getIndexTypeSizeInBits(load.getPointerOperandType()), 0);
    const Value *base = load.getPointerOperand()->stripAndAccumulateConstantOffsets(layout, offset, true);
    auto *variable = dyn_cast<GlobalVariable>(base);
    if (!variable)
        return std::nullopt;
    std::optional<IdRead> read = spirvId(variable->getName());
    uint64_t size = layout.getTypeStoreSize(load.getType());
    if (read && gp_id_has_dimension(read->id) && offset.getZExtValue() / size < 3)
        read->dim = (unsigned)(offset.getZExtValue() / size);
    return read;
}

/* What a call of one of OpenCL's functions gives, if it is an id or a size. */
static std::optional<IdRead> openclCalledId(const CallBase &call)
{
    const Function *callee = call.getCalledFunction();
    if (!callee || !callee->isDeclaration() || callee->isIntrinsic() || !call.getType()->isIntegerTy())
        return std::nullopt;
    return openclId(call, builtinName(callee->getName()).base);
}

/* How large an image is that is an argument. */
static std::optional<IdRead> imageSize(const CallBase &call)
{
    const Function *callee = call.getCalledFunction();
    if (!callee || !callee->isDeclaration() || call.arg_size() != 1 ||
        !isa<Argument>(call.getArgOperand(0)->stripPointerCasts()))
        return std::nullopt;
    BuiltinName name = builtinName(callee->getName());
    IdRead read{GP_ID_GLOBAL_SIZE, 0};
    read.imageDims = name.parameters.contains("image1d") ? 1 : name.parameters.contains("image3d") ? 3 : 2;
    if (name.base == "get_image_dim")
        read.elements = std::min(elementCount(call.getType()), read.imageDims);
    else if (name.base == "get_image_height" || name.base == "get_image_depth")
        read.dim = name.base == "get_image_height" ? 1 : 2;
    else if (name.base != "get_image_width")
        return std::nullopt;
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
    if (std::optional<IdRead> size = callee ? imageSize(*call) : std::nullopt)
        return size;
    if (!callee || !inst.getType()->isIntegerTy())
        return std::nullopt;
    StringRef name = callee->getName();
    if (name.consume_front("llvm.nvvm.read.ptx.sreg."))
        return nvvmId(name);
    if (name.consume_front("llvm.amdgcn."))
        return amdCalledId(*call, name);
    if (name.consume_front("llvm.spv."))
        return spvId(*call, name);
    return openclCalledId(*call);
}

/* One more than the largest value that any launch gives; 0: nothing is known. Groups have fewer than 2^16 work-items
 * along a dimension (HSA's dispatch packet), grids at most 2^32 groups. */
static uint64_t endOf(gp_id id)
{
    switch (id) {
    case GP_ID_LOCAL:
    case GP_ID_LOCAL_SIZE: return UINT64_C(1) << 16;
    case GP_ID_GROUP:
    case GP_ID_GROUP_COUNT: return UINT64_C(1) << 32;
    case GP_ID_WORK_DIM: return 4;
    default: return 0;
    }
}

static void boundId(CallBase &call)
{
    std::optional<IdRead> id = openclCalledId(call);
    uint64_t end = id ? endOf(id->id) : 0;
    if (end == 0)
        return;
    unsigned bits = call.getType()->getIntegerBitWidth();
    if (bits >= 64 || end < UINT64_C(1) << bits)
        call.addRangeRetAttr(ConstantRange(APInt(bits, 0), APInt(bits, end)));
}

void boundIds(Function &function)
{
    for (Instruction &inst : instructions(function))
        if (auto *call = dyn_cast<CallBase>(&inst))
            boundId(*call);
}

/* A call of OpenCL's functions for ids and sizes. */
static bool asksForSize(const CallBase &call) { return openclCalledId(call) || imageSize(call); }

void letIdsMerge(Function &function)
{
    for (Instruction &inst : instructions(function))
        if (auto *call = dyn_cast<CallBase>(&inst); call && asksForSize(*call))
            letMove(*call);
}

/* A function and what it is asked with. */
using Asked = std::pair<const Function *, SmallVector<const Value *, 1>>;

bool boundAndMergeIds(Function &function)
{
    std::map<Asked, CallBase *> first;
    bool merged = false;
    BasicBlock &entry = function.getEntryBlock();
    for (Instruction &inst : make_early_inc_range(instructions(function))) {
        auto *call = dyn_cast<CallBase>(&inst);
        if (!call || !asksForSize(*call))
            continue;
        boundId(*call);
        if (!all_of(call->args(), [](const Use &use) { return isa<Constant>(use) || isa<Argument>(use); }))
            continue;
        auto [known, fresh] =
            first.insert({Asked{call->getCalledFunction(), SmallVector<const Value *, 1>(call->args())}, call});
        if (fresh)
            continue;
        if (!call->hasFnAttr("gpuperf-linear"))
            known->second->removeFnAttr("gpuperf-linear");
        if (known->second->getParent() != &entry)
            known->second->moveBefore(entry.getFirstInsertionPt());
        call->replaceAllUsesWith(known->second);
        call->eraseFromParent();
        merged = true;
    }
    return merged;
}

std::optional<IdPart> idBehind(const WorkItemIds &ids, Term term)
{
    for (unsigned steps = 0; steps < 16; steps++) {
        term = resolve(term);
        auto *inst = dyn_cast<Instruction>(term.value);
        if (!inst)
            return std::nullopt;
        if (auto found = ids.reads.find(inst); found != ids.reads.end()) {
            IdRead id = found->second;
            id.dim += id.elements > 1 ? term.element : 0;
            return IdPart{inst, id};
        }
        if (!inst->isCast() && !inst->isBitwiseLogicOp() && !inst->isShift() &&
            !isa<CallBase>(inst)) /* what the operations below are made of */
            return std::nullopt;
        Lowering lowering = lowerElement(*inst, term.element);
        if (lowering.kind != Lowering::Operation)
            return std::nullopt;
        if (lowering.op == GP_OP_ZEXT || lowering.op == GP_OP_SEXT || lowering.op == GP_OP_TRUNC) {
            term = lowering.operands[0];
            continue;
        }
        if (lowering.op != GP_OP_AND && lowering.op != GP_OP_LSHR)
            return std::nullopt;
        Term packed = resolve(lowering.operands[0]), other = resolve(lowering.operands[1]);
        auto *number = dyn_cast<ConstantInt>(other.value);
        auto found = ids.reads.find(packed.value);
        if (!number || found == ids.reads.end() || !found->second.packed)
            return std::nullopt;
        IdRead half{found->second.id, found->second.dim};
        if (lowering.op == GP_OP_AND && number->getZExtValue() == 0xffff)
            return IdPart{packed.value, half};
        if (lowering.op == GP_OP_LSHR && number->getZExtValue() == 16) {
            half.dim++;
            return IdPart{packed.value, half};
        }
        return std::nullopt;
    }
    return std::nullopt;
}

namespace
{

using Key = std::pair<const Value *, unsigned>;

/* Terms of a sum, casts looked through; the additions and casts on the way belong to the sum. */
struct Sum {
    SmallVector<Term, 8> leaves;
    SmallVector<Key, 16> inner;
    bool tooLong = false;
};

/* Additions; and "or" where the question is whether the sum is zero. */
bool isAddition(const Instruction &inst)
{
    if (inst.getOpcode() == Instruction::Add)
        return true;
    if (inst.getOpcode() != Instruction::Or)
        return false;
    return cast<PossiblyDisjointInst>(inst).isDisjoint() || all_of(inst.users(), [](const User *user) {
               auto *test = dyn_cast<ICmpInst>(user);
               auto *zero = test && test->isEquality() ? dyn_cast<Constant>(test->getOperand(1)) : nullptr;
               return zero && zero->isNullValue();
           });
}

void flatten(Term term, Sum &sum)
{
    SmallVector<Term, 8> open{term};
    while (!open.empty()) {
        Term next = resolve(open.pop_back_val());
        if (sum.inner.size() > 12) {
            sum.tooLong = true;
            return;
        }
        auto *inst = dyn_cast<Instruction>(next.value);
        if (inst && (isAddition(*inst) || isa<ZExtInst>(inst) || isa<SExtInst>(inst) || isa<TruncInst>(inst))) {
            sum.inner.push_back({inst, next.element});
            for (const Value *operand : inst->operands())
                open.push_back({operand, next.element});
        } else {
            sum.leaves.push_back(next);
        }
    }
}

/* Dimension of `id` x local size, or -1: of the group id, where the group's global ids start; of the group count, the
 * global size. */
int timesLocalSize(const WorkItemIds &ids, Term term, gp_id id)
{
    auto *product = dyn_cast<Instruction>(term.value);
    if (!product || product->getOpcode() != Instruction::Mul)
        return -1;
    std::optional<IdPart> a = idBehind(ids, {product->getOperand(0), term.element}),
                          b = idBehind(ids, {product->getOperand(1), term.element});
    if (!a || !b)
        return -1;
    if (a->id.id != id)
        std::swap(a, b);
    return a->id.id == id && b->id.id == GP_ID_LOCAL_SIZE && a->id.dim == b->id.dim ? (int)a->id.dim : -1;
}

/* Dimensions, a bit each. */
struct Part {
    unsigned in = 0;      /* it is part of a sum that holds the global id of these, or is one itself */
    unsigned whole = 0;   /* it holds that id itself */
    unsigned shifted = 0; /* with the range's offset */
};
using Parts = DenseMap<Key, Part>;

/* Whether the sum holds, once each, what a dimension's global id is made of. `others`: and something else. */
bool holdsGlobalId(const WorkItemIds &ids, const Sum &sum, unsigned dim, Term &start, bool &shifted, bool &others)
{
    unsigned starts = 0, locals = 0, offsets = 0;
    others = false;
    for (const Term &leaf : sum.leaves) {
        std::optional<IdPart> part = idBehind(ids, leaf);
        bool ofDim = part && part->id.dim == dim;
        if (timesLocalSize(ids, leaf, GP_ID_GROUP) == (int)dim) {
            start = leaf;
            starts++;
        } else if (ofDim && part->id.id == GP_ID_LOCAL) {
            locals++;
        } else if (ofDim && part->id.id == GP_ID_OFFSET) {
            offsets++;
        } else {
            others = true;
        }
    }
    shifted = offsets == 1;
    return starts == 1 && locals == 1 && offsets <= 1;
}

/* Whether something of a dimension's global id is in the sum: of `i + j` the sum that is j is no part of i. */
bool holdsPart(const WorkItemIds &ids, Term term, unsigned dim)
{
    Sum sum;
    flatten(term, sum);
    return any_of(sum.leaves, [&](const Term &leaf) {
        std::optional<IdPart> part = idBehind(ids, leaf);
        bool added = part && part->id.dim == dim && (part->id.id == GP_ID_LOCAL || part->id.id == GP_ID_OFFSET);
        return added || timesLocalSize(ids, leaf, GP_ID_GROUP) == (int)dim;
    });
}

/* Marks the parts of global ids in a sum; the sum is one where there is nothing else in it. */
void findGlobalId(WorkItemIds &ids, Term addition, Parts &parts)
{
    Sum sum;
    flatten(addition, sum);
    if (sum.tooLong)
        return;
    for (unsigned dim = 0; dim < 3; dim++) {
        Term start{nullptr, 0};
        bool shifted, others;
        if (!holdsGlobalId(ids, sum, dim, start, shifted, others))
            continue;
        parts[{start.value, start.element}].in |= 1u << dim;
        for (const Key &inner : sum.inner)
            if (holdsPart(ids, {inner.first, inner.second}, dim))
                parts[inner].in |= 1u << dim;
        Part &whole = parts[{addition.value, addition.element}];
        whole.whole |= 1u << dim;
        whole.shifted |= (unsigned)shifted << dim;
        if (!others)
            ids.globalIds[{addition.value, addition.element}] = dim;
    }
}

using Instructions = SetVector<const Instruction *>;

/* What idBehind() looks through: casts, selections of bits, elements that are put together and taken apart. */
bool passesOn(const Instruction &inst)
{
    return inst.isCast() || inst.isBitwiseLogicOp() || inst.isShift() ||
           (inst.isBinaryOp() && inst.getType()->isVectorTy()) || isa<CallBase>(inst) || isa<FreezeInst>(inst) ||
           isa<ExtractElementInst>(inst) || isa<InsertElementInst>(inst) || isa<ShuffleVectorInst>(inst) ||
           isa<ExtractValueInst>(inst);
}

/* Adds what may be an element of `reached` in another form: few values of a kernel are, of all that it computes. */
template <typename Follow>
void reach(Instructions &reached, Follow follow)
{
    for (size_t next = 0; next < reached.size(); next++)
        for (const User *user : reached[next]->users())
            if (auto *inst = dyn_cast<Instruction>(user); inst && follow(*inst))
                reached.insert(inst);
}

/* The values that may be ids, and those that are computed from them. */
Instructions nearIds(const WorkItemIds &ids)
{
    Instructions near;
    for (const auto &[value, read] : ids.reads)
        near.insert(cast<Instruction>(value));
    reach(near, passesOn);
    for (const Instruction *inst : near.takeVector()) {
        near.insert(inst);
        for (const User *user : inst->users())
            if (auto *next = dyn_cast<Instruction>(user))
                near.insert(next);
    }
    return near;
}

/* Finds the sums that are global ids; gives what belongs to them, and to global sizes. */
Parts findGlobals(WorkItemIds &ids, const Instructions &near)
{
    const unsigned all = 7;
    Parts parts;
    Instructions sums;
    for (const Instruction *inst : near)
        for (unsigned e = 0; inst->getOpcode() == Instruction::Mul && e < elementCount(inst->getType()); e++) {
            if (timesLocalSize(ids, {inst, e}, GP_ID_GROUP) >= 0)
                sums.insert(inst);
            else if (timesLocalSize(ids, {inst, e}, GP_ID_GROUP_COUNT) >= 0)
                parts[{inst, e}] = {all, all, all};
        }
    reach(sums, [](const Instruction &inst) {
        return passesOn(inst) || (inst.getType()->isIntOrIntVectorTy() && isAddition(inst));
    });
    for (const Instruction *inst : sums)
        for (unsigned e = 0; isAddition(*inst) && e < elementCount(inst->getType()); e++)
            findGlobalId(ids, {inst, e}, parts);
    return parts;
}

/* The users of sums' parts, too. */
void addUsersOf(const Parts &parts, Instructions &near)
{
    Instructions reached;
    for (const auto &[key, part] : parts)
        reached.insert(cast<Instruction>(key.first));
    reach(reached, passesOn);
    for (const Instruction *inst : reached.takeVector()) {
        near.insert(inst);
        for (const User *user : inst->users())
            if (auto *next = dyn_cast<Instruction>(user))
                near.insert(next);
    }
}

Term withoutCasts(Term term)
{
    for (term = resolve(term); isa<ZExtInst, SExtInst, TruncInst>(term.value); term = resolve(term))
        term.value = cast<Instruction>(term.value)->getOperand(0);
    return term;
}

/* All ids that a part of a sum is made of are used by something that is no part of it. */
void countPart(WorkItemIds &ids, Term part)
{
    Sum sum;
    flatten(part, sum);
    for (const Term &leaf : sum.leaves) {
        SmallVector<Term, 2> factors{leaf};
        if (timesLocalSize(ids, leaf, GP_ID_GROUP) >= 0)
            factors = {{cast<Instruction>(leaf.value)->getOperand(0), leaf.element},
                       {cast<Instruction>(leaf.value)->getOperand(1), leaf.element}};
        for (const Term &factor : factors)
            if (std::optional<IdPart> id = idBehind(ids, factor))
                ids.usesOutsideGlobal[id->read]++;
    }
}

/* One use: by `user`, perhaps a part of a sum itself. */
void countUse(WorkItemIds &ids, const Parts &parts, const Instruction &user, const Part &ofUser, Term used)
{
    if (std::optional<IdPart> id = idBehind(ids, used)) {
        bool added = id->id.id == GP_ID_LOCAL || id->id.id == GP_ID_OFFSET;
        bool part = added ? (ofUser.in >> id->id.dim & 1) != 0 : ofUser.in != 0 && user.getOpcode() == Instruction::Mul;
        ids.usesOutsideGlobal[id->read] += !part;
        return;
    }
    Term term = withoutCasts(used);
    Part part = parts.lookup({term.value, term.element});
    if (part.in & ~part.whole & ~ofUser.in)
        countPart(ids, term);
    ids.lacksOffset |= (part.whole & ~part.shifted & ~ofUser.in) != 0;
}

/* Casts and selections of bits on the way from an id to its uses are no uses themselves. */
void countOutside(WorkItemIds &ids, const Instructions &near, const Parts &parts)
{
    for (const Instruction *inst : near) {
        if (ids.reads.contains(inst) || (inst->use_empty() && !inst->mayHaveSideEffects() && !inst->isTerminator()))
            continue;
        for (unsigned e = 0; e < elementCount(inst->getType()); e++) {
            Lowering lowering = lowerElement(*inst, e);
            Term behind = withoutCasts({inst, e});
            bool passes = isa<ZExtInst, SExtInst, TruncInst>(inst) && parts.contains({behind.value, behind.element});
            if (lowering.kind == Lowering::Alias || passes || idBehind(ids, {inst, e}))
                continue;
            SmallVector<Term, 4> operands = lowering.operands;
            if (lowering.kind == Lowering::Opaque || isa<PHINode>(inst))
                for (const Value *operand : inst->operands())
                    for (unsigned i = 0; i < elementCount(operand->getType()); i++)
                        operands.push_back({operand, i});
            for (const Term &term : operands)
                countUse(ids, parts, *inst, parts.lookup({inst, e}), term);
        }
    }
}

} // namespace

WorkItemIds findIds(const Function &function, Target target)
{
    WorkItemIds ids;
    for (const Instruction &inst : instructions(function))
        if (std::optional<IdRead> read = readsId(inst, target))
            ids.reads[&inst] = *read;
    bool some = any_of(ids.reads, [](const auto &entry) {
        gp_id id = entry.second.id;
        return id == GP_ID_LOCAL || id == GP_ID_GROUP || id == GP_ID_LOCAL_SIZE || id == GP_ID_GROUP_COUNT ||
               id == GP_ID_OFFSET;
    });
    if (some) {
        Instructions near = nearIds(ids);
        Parts parts = findGlobals(ids, near);
        addUsersOf(parts, near);
        countOutside(ids, near, parts);
    }
    return ids;
}

std::set<std::string> askForGroups(const Module &module)
{
    std::set<std::string> asking;
    SmallVector<const Function *, 8> called;
    if (const Function *group = module.getFunction("gpuperf_get_group_id"))
        called.push_back(group);
    while (!called.empty()) {
        const Function *function = called.pop_back_val();
        for (const User *user : function->users()) {
            auto *call = dyn_cast<CallBase>(user);
            if (!call) /* who calls it through its address is not known */
                for (const Function &any : module)
                    asking.insert(any.getName().str());
            else if (call->getFunction()->getName() != "gpuperf_get_global_id" &&
                     asking.insert(call->getFunction()->getName().str()).second)
                called.push_back(call->getFunction());
        }
    }
    return asking;
}

} // namespace gpuperf
