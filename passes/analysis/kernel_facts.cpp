/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "passes/analysis/kernel_facts.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

#include "passes/cost/classify.h"
#include "passes/ir/kernels.h"

using namespace llvm;

namespace gpuperf
{

static const char *const dimensionNames[] = {"0", "1", "2"};

static std::string idReason(const WorkItemIds &ids, const Value *read, const IdRead &id)
{
    if (id.unknownDimension)
        return "it reads an id along a dimension that is not known";
    switch (id.id) {
    case GP_ID_LOCAL:
    case GP_ID_GROUP:
    case GP_ID_LOCAL_SIZE:
    case GP_ID_GROUP_COUNT:
        if (ids.usesOutsideGlobal.lookup(read) == 0)
            return ""; /* all it does is to make up a global id or size */
        return std::string("it uses ") +
               (id.id == GP_ID_LOCAL         ? "the local id"
                : id.id == GP_ID_GROUP       ? "the group id"
                : id.id == GP_ID_GROUP_COUNT ? "the number of groups"
                                             : "the local size") +
               " of dimension " + dimensionNames[id.dim % 3];
    case GP_ID_LANE:
    case GP_ID_SUBGROUP:
    case GP_ID_SUBGROUP_SIZE:
    case GP_ID_SUBGROUP_COUNT: return "it uses sub-group ids";
    default: return "";
    }
}

/* NVIDIA's inline assembly that names no special register and no other work-item, and touches no memory: arithmetic, as
 * in libraries' sines. */
static bool isArithmeticAssembly(const CallBase &call, Target target)
{
    auto *assembly = dyn_cast<InlineAsm>(call.getCalledOperand());
    if (!assembly || target != Target::Nvptx || !call.doesNotAccessMemory())
        return false;
    StringRef text = assembly->getAsmString();
    for (StringRef name : {"tid", "ctaid", "laneid", "warpid", "smid", "clock", "lanemask", "bar", "shfl", "vote",
                           "match", "redux", "activemask", "mma", "ld", "st.", "atom", "red.", "elect"})
        if (text.contains(name))
            return false;
    return true;
}

/* Which lane, multiprocessor or time it is, by registers that are no ids. */
static bool readsOtherRegister(StringRef name)
{
    for (StringRef start :
         {"llvm.nvvm.read.ptx.sreg.", "llvm.spv.flattened.thread.id", "llvm.spv.wave.", "llvm.amdgcn.s.get",
          "llvm.amdgcn.s.memtime", "llvm.amdgcn.s.memrealtime", "llvm.readcyclecounter", "llvm.readsteadycounter"})
        if (name.starts_with(start))
            return true;
    return false;
}

static std::string callReason(const CallBase &call, Target target)
{
    switch (classifyCall(call, target).kind) {
    case CallKind::Barrier: return "it has a barrier";
    case CallKind::BulkCopy: return "its groups copy asynchronously";
    case CallKind::Shuffle:
    case CallKind::Vote: return "its work-items exchange values within a sub-group";
    case CallKind::Print: return "it prints";
    case CallKind::Unknown: {
        if (call.isInlineAsm())
            return isArithmeticAssembly(call, target) ? "" : "it has inline assembly";
        const Function *callee = call.getCalledFunction();
        return callee ? "it calls " + sourceName(*callee) + ", which is not known"
                      : std::string("it calls a function pointer");
    }
    case CallKind::Assembly: return isArithmeticAssembly(call, target) ? "" : "it has inline assembly";
    case CallKind::Arithmetic:
        if (const Function *callee = call.getCalledFunction();
            callee && callee->getName().contains("get_local_linear_id"))
            return "it uses the local id";
        if (const Function *callee = call.getCalledFunction(); callee && readsOtherRegister(callee->getName()))
            return "it reads a special register";
        return "";
    default: return "";
    }
}

/* An address in memory of the group: by its address space, or of an array that lies in it. */
static bool isInLocal(const Value &pointer, Target target)
{
    if (!pointer.getType()->isPtrOrPtrVectorTy())
        return false;
    auto *variable = dyn_cast<GlobalVariable>(getUnderlyingObject(&pointer, 0));
    return spaceOf(target, pointer.getType()->getPointerAddressSpace()) == GP_SPACE_LOCAL ||
           (variable && isLocalArray(*variable, target));
}

/* Accesses, copies, what chooses between arrays: all but what only works out an address. */
static bool touchesLocal(const Instruction &inst, Target target)
{
    return !isa<GetElementPtrInst, AddrSpaceCastInst, BitCastInst>(inst) &&
           any_of(inst.operands(), [&](const Use &use) { return isInLocal(*use.get(), target); });
}

using Objects = SmallPtrSet<const Value *, 4>;

static Objects changedByAtomics(const Function &function)
{
    Objects objects;
    for (const Instruction &inst : instructions(function))
        if (auto *atomic = dyn_cast<AtomicRMWInst>(&inst))
            objects.insert(getUnderlyingObject(atomic->getPointerOperand()));
    return objects;
}

/*
 * Where work-items tell each other something by memory: by atomic loads and stores, by volatile ones of what is not
 * private, and by plain ones of a buffer that atomics change, as OpenCL C 1 has no others.
 */
static bool watchesOthers(const Instruction &inst, const Objects &changed, Target target)
{
    const Value *pointer = getLoadStorePointerOperand(&inst);
    const Value *object = pointer ? getUnderlyingObject(pointer) : nullptr;
    if (!pointer || spaceOf(target, pointer->getType()->getPointerAddressSpace()) == GP_SPACE_PRIVATE ||
        isa<AllocaInst>(object))
        return false;
    return inst.isAtomic() || inst.isVolatile() || changed.contains(object);
}

bool commutes(const AtomicRMWInst &atomic)
{
    switch (atomic.getOperation()) {
    case AtomicRMWInst::Add:
    case AtomicRMWInst::Sub:
    case AtomicRMWInst::And:
    case AtomicRMWInst::Or:
    case AtomicRMWInst::Xor:
    case AtomicRMWInst::Min:
    case AtomicRMWInst::Max:
    case AtomicRMWInst::UMin:
    case AtomicRMWInst::UMax:
    case AtomicRMWInst::FMin:
    case AtomicRMWInst::FMax: return true;
    default: return false;
    }
}

/* Groups come in another order when they are cut otherwise: who finds which value, and how sums of floating-point
 * numbers are rounded. */
static bool dependsOnOrder(const Instruction &inst)
{
    if (isa<AtomicCmpXchgInst>(inst))
        return true;
    auto *atomic = dyn_cast<AtomicRMWInst>(&inst);
    return atomic && (!commutes(*atomic) || !atomic->use_empty());
}

std::string whyNotLocalSizeAgnostic(const Function &function, const WorkItemIds &ids, Target target,
                                    const uint32_t required[3])
{
    if (required[0] != 0)
        return "it requires a work-group size";
    ArgumentLists lists = argumentLists(function);
    for (const Argument &argument : function.args())
        if (argument.getType()->isPointerTy() &&
            (spaceOf(target, argument.getType()->getPointerAddressSpace()) == GP_SPACE_LOCAL ||
             argumentSpace(lists.spaces, argument.getArgNo()) == 3))
            return "it has a parameter in local memory";
    Objects changed = changedByAtomics(function);
    /* in the order of the program, so that the same kernel always gets the same phrase */
    for (const Instruction &inst : instructions(function)) {
        std::string reason;
        auto read = ids.reads.find(&inst);
        if (read != ids.reads.end())
            reason = idReason(ids, &inst, read->second);
        else if (auto *call = dyn_cast<CallBase>(&inst))
            reason = callReason(*call, target);
        if (!reason.empty())
            return reason;
        if (touchesLocal(inst, target))
            return "it uses local memory";
        if (dependsOnOrder(inst))
            return "what its atomics give depends on the order of work-items";
        if (watchesOthers(inst, changed, target))
            return "it loads or stores what other work-items change or look at meanwhile";
    }
    return "";
}

std::string whyNotSplitSafe(const Function &function, const WorkItemIds &ids, bool ownSums)
{
    if (ids.lacksOffset && ownSums)
        return "it makes up a global id without the global offset";
    for (const Instruction &inst : instructions(function)) {
        auto read = ids.reads.find(&inst);
        if (read == ids.reads.end() || read->second.imageDims > 0)
            continue;
        switch (read->second.id) {
        case GP_ID_GLOBAL_SIZE: return "it uses the global size";
        case GP_ID_GROUP_COUNT: return "it uses the number of groups";
        case GP_ID_WORK_DIM: return "it uses the number of dimensions";
        case GP_ID_OFFSET: /* part of a global id it is harmless; alone it tells the parts apart */
            if (ids.usesOutsideGlobal.lookup(read->first) > 0)
                return "it uses the global offset";
            break;
        default: break;
        }
    }
    return "";
}

/* Products of local sizes. */
static bool isGroupsExtent(const WorkItemIds &ids, const Value *value, unsigned depth)
{
    if (auto *cast = dyn_cast<CastInst>(value))
        value = cast->getOperand(0);
    if (std::optional<IdPart> part = idBehind(ids, {value, 0}))
        return part->id.id == GP_ID_LOCAL_SIZE;
    auto *product = dyn_cast<BinaryOperator>(value);
    return depth > 0 && product && product->getOpcode() == Instruction::Mul &&
           isGroupsExtent(ids, product->getOperand(0), depth - 1) &&
           isGroupsExtent(ids, product->getOperand(1), depth - 1);
}

/* Whether an id, or a sum with it, does nothing but count rows or planes of a group: (z * size(1) + y) * size(0) + x.
 */
static bool onlyCountsRows(const WorkItemIds &ids, const Value *id, unsigned depth)
{
    return depth > 0 && all_of(id->users(), [&](const User *user) {
               auto *inst = dyn_cast<Instruction>(user);
               if (inst && (inst->isCast() || inst->getOpcode() == Instruction::Add))
                   return onlyCountsRows(ids, inst, depth - 1);
               return inst && inst->getOpcode() == Instruction::Mul &&
                      (isGroupsExtent(ids, inst->getOperand(0), 2) || isGroupsExtent(ids, inst->getOperand(1), 2));
           });
}

/* Part of a linear id: says nothing of how many dimensions there are. */
static bool isPartOfLinear(const WorkItemIds &ids, const Value *value, const IdRead &read)
{
    const unsigned deepest = 6;
    auto *call = dyn_cast<CallBase>(value);
    if (read.dim == 0 || read.unknownDimension)
        return false;
    return (call && call->hasFnAttr("gpuperf-linear")) ||
           (read.id == GP_ID_LOCAL && read.elements == 1 && !read.packed && onlyCountsRows(ids, value, deepest));
}

unsigned usedDimensions(const WorkItemIds &ids)
{
    unsigned dims = 0;
    for (const auto &[value, read] : ids.reads)
        if ((read.id == GP_ID_GLOBAL || read.id == GP_ID_LOCAL || read.id == GP_ID_GROUP) &&
            !isPartOfLinear(ids, value, read))
            dims = std::max(dims, read.unknownDimension ? 3 : read.dim + 1);
    return dims;
}

/* ---- Parameters that bound an id ------------------------------------------------------------------------------ */

/* The dimension whose global id a value is, give or take a constant: through casts, constant additions, minimum,
 * maximum, a loop that starts there. */
static int globalIdBehind(const WorkItemIds &ids, Term term, unsigned depth = 0)
{
    term = resolve(term);
    if (depth > 12)
        return -1;
    if (auto found = ids.globalIds.find({term.value, term.element}); found != ids.globalIds.end())
        return (int)found->second;
    if (auto read = ids.reads.find(term.value); read != ids.reads.end())
        return read->second.id == GP_ID_GLOBAL && !read->second.unknownDimension ? (int)read->second.dim : -1;
    auto *inst = dyn_cast<Instruction>(term.value);
    if (!inst)
        return -1;
    if (auto *phi = dyn_cast<PHINode>(inst)) {
        for (const Value *incoming : phi->incoming_values())
            if (int dim =
                    phi->getNumIncomingValues() == 2 ? globalIdBehind(ids, {incoming, term.element}, depth + 4) : -1;
                dim >= 0)
                return dim;
        return -1;
    }
    Lowering lowering = lowerElement(*inst, term.element);
    if (lowering.kind != Lowering::Operation)
        return -1;
    bool byConstant = lowering.operands.size() == 2 && isa<Constant>(resolve(lowering.operands[1]).value);
    switch (lowering.op) {
    case GP_OP_TRUNC:
    case GP_OP_ZEXT:
    case GP_OP_SEXT: return globalIdBehind(ids, lowering.operands[0], depth + 1);
    case GP_OP_ADD:
    case GP_OP_SUB: return byConstant ? globalIdBehind(ids, lowering.operands[0], depth + 1) : -1;
    case GP_OP_ASHR: { /* sign extension of the lower word */
        auto *left = dyn_cast<BinaryOperator>(resolve(lowering.operands[0]).value);
        bool extends =
            byConstant && left && left->getOpcode() == Instruction::Shl && left->getOperand(1) == inst->getOperand(1);
        return extends ? globalIdBehind(ids, {left->getOperand(0), term.element}, depth + 1) : -1;
    }
    case GP_OP_SMIN:
    case GP_OP_SMAX:
    case GP_OP_UMIN:
    case GP_OP_UMAX: {
        int left = globalIdBehind(ids, lowering.operands[0], depth + 1);
        return left >= 0 ? left : globalIdBehind(ids, lowering.operands[1], depth + 1);
    }
    default: return -1;
    }
}

/* The argument that a value is, give or take a constant. */
static const Argument *argumentBehind(Term term)
{
    for (unsigned steps = 0; steps < 8; steps++) {
        term = resolve(term);
        if (auto *argument = dyn_cast<Argument>(term.value))
            return argument->getType()->isIntegerTy() ? argument : nullptr;
        auto *inst = dyn_cast<Instruction>(term.value);
        if (!inst)
            return nullptr;
        Lowering lowering = lowerElement(*inst, term.element);
        bool cast = lowering.op == GP_OP_TRUNC || lowering.op == GP_OP_ZEXT || lowering.op == GP_OP_SEXT;
        bool sum = (lowering.op == GP_OP_ADD || lowering.op == GP_OP_SUB) &&
                   isa<Constant>(resolve(lowering.operands[1]).value);
        if (lowering.kind != Lowering::Operation || (!cast && !sum))
            return nullptr;
        term = lowering.operands[0];
    }
    return nullptr;
}

std::vector<uint32_t> boundedDimensions(const Function &function, const WorkItemIds &ids)
{
    std::vector<uint32_t> bounds(function.arg_size(), GP_NONE);
    auto compare = [&](Term x, Term y) {
        for (int turn = 0; turn < 2; turn++, std::swap(x, y)) {
            const Argument *argument = argumentBehind(y);
            if (!argument || bounds[argument->getArgNo()] != GP_NONE)
                continue;
            if (int dim = globalIdBehind(ids, x); dim >= 0)
                bounds[argument->getArgNo()] = (uint32_t)dim;
        }
    };
    for (const Instruction &inst : instructions(function)) {
        if (!isa<ICmpInst>(inst) && !isa<MinMaxIntrinsic>(inst))
            continue;
        for (unsigned e = 0; e < elementCount(inst.getType()); e++)
            compare({inst.getOperand(0), e}, {inst.getOperand(1), e});
    }
    return bounds;
}

} // namespace gpuperf
