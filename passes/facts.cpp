#include "passes/facts.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

#include "passes/classify.h"

using namespace llvm;

namespace gpuperf {

static const char *const dimensionNames[] = {"0", "1", "2"};

static std::string idReason(const WorkItemIds &ids, const Value *read, const IdRead &id)
{
    if (id.unknownDimension)
        return "it reads an id along a dimension that is not known";
    switch (id.id) {
    case GP_ID_LOCAL: case GP_ID_GROUP: case GP_ID_LOCAL_SIZE:
        if (ids.usesOutsideGlobal.lookup(read) == 0)
            return ""; /* all it does is to make up a global id */
        return std::string("it uses ") + (id.id == GP_ID_LOCAL ? "the local id" : id.id == GP_ID_GROUP ? "the group id" : "the local size") +
               " of dimension " + dimensionNames[id.dim % 3];
    case GP_ID_GROUP_COUNT: return "it uses the number of groups";
    case GP_ID_LANE: case GP_ID_SUBGROUP: case GP_ID_SUBGROUP_SIZE: case GP_ID_SUBGROUP_COUNT: return "it uses sub-group ids";
    default: return "";
    }
}

static std::string callReason(const CallBase &call, Target target)
{
    switch (classifyCall(call, target).kind) {
    case CallKind::Barrier: return "it has a barrier";
    case CallKind::BulkCopy: return "its groups copy asynchronously";
    case CallKind::Shuffle: case CallKind::Vote: return "its work-items exchange values within a sub-group";
    case CallKind::Print: return "it prints";
    case CallKind::Unknown: {
        const Function *callee = call.getCalledFunction();
        return callee ? "it calls " + callee->getName().str() + ", which is not known" : std::string("it calls a function pointer");
    }
    case CallKind::Arithmetic:
        if (call.isInlineAsm())
            return "it has inline assembly";
        if (const Function *callee = call.getCalledFunction(); callee && callee->getName().contains("get_local_linear_id"))
            return "it uses the local id";
        return "";
    default: return "";
    }
}

/* Memory of the group: through its address space, or an array or parameter that lies in it. */
static bool touchesLocal(const Instruction &inst, Target target)
{
    const Value *pointer = getLoadStorePointerOperand(&inst);
    if (!pointer && (isa<AtomicRMWInst>(inst) || isa<AtomicCmpXchgInst>(inst)))
        pointer = inst.getOperand(0);
    if (!pointer)
        return false;
    if (spaceOf(target, pointer->getType()->getPointerAddressSpace()) == GP_SPACE_LOCAL)
        return true;
    auto *variable = dyn_cast<GlobalVariable>(pointer->stripInBoundsOffsets());
    return variable && isLocalArray(*variable, target);
}

std::string whyNotLocalSizeAgnostic(const Function &function, const WorkItemIds &ids, Target target, const uint32_t required[3])
{
    if (required[0] != 0)
        return "it requires a work-group size";
    for (const Argument &argument : function.args())
        if (argument.getType()->isPointerTy() &&
            (spaceOf(target, argument.getType()->getPointerAddressSpace()) == GP_SPACE_LOCAL || argumentSpace(function, argument.getArgNo()) == 3))
            return "it has a parameter in local memory";
    /* in the order of the program, so that the same kernel always gets the same phrase */
    for (const Instruction &inst : instructions(function)) {
        std::string reason;
        auto read = ids.reads.find(&inst);
        if (read != ids.reads.end())
            reason = idReason(ids, &inst, read->second);
        else if (auto *call = dyn_cast<CallBase>(&inst))
            reason = callReason(*call, target);
        else if (touchesLocal(inst, target))
            reason = "it uses local memory";
        if (!reason.empty())
            return reason;
    }
    return "";
}

std::string whyNotSplitSafe(const Function &function, const WorkItemIds &ids)
{
    for (const Instruction &inst : instructions(function)) {
        auto read = ids.reads.find(&inst);
        if (read == ids.reads.end())
            continue;
        switch (read->second.id) {
        case GP_ID_GLOBAL_SIZE: return "it uses the global size";
        case GP_ID_GROUP_COUNT: return "it uses the number of groups";
        case GP_ID_WORK_DIM: return "it uses the number of dimensions";
        case GP_ID_OFFSET: {
            /* part of a global id it is harmless; alone it tells the parts apart */
            for (const User *user : read->first->users())
                if (auto *op = dyn_cast<Instruction>(user); !op || op->getOpcode() != Instruction::Add)
                    return "it uses the global offset";
            break;
        }
        default: break;
        }
    }
    return "";
}

unsigned usedDimensions(const WorkItemIds &ids)
{
    unsigned dims = 0;
    for (const auto &entry : ids.reads) {
        const IdRead &read = entry.second;
        if (read.id == GP_ID_GLOBAL || read.id == GP_ID_LOCAL || read.id == GP_ID_GROUP)
            dims = std::max(dims, read.unknownDimension ? 3 : read.dim + 1);
    }
    return dims;
}

/* ---- Parameters that bound an id ------------------------------------------------------------------------------ */

/* The dimension whose global id a value is, give or take a constant: through casts, constant additions, minimum, maximum, a loop that starts there. */
static int globalIdBehind(const WorkItemIds &ids, const Value *value, unsigned depth = 0)
{
    if (depth > 12)
        return -1;
    if (auto found = ids.globalIds.find(value); found != ids.globalIds.end())
        return (int)found->second;
    if (auto read = ids.reads.find(value); read != ids.reads.end())
        return read->second.id == GP_ID_GLOBAL && !read->second.unknownDimension ? (int)read->second.dim : -1;
    auto *inst = dyn_cast<Instruction>(value);
    if (!inst)
        return -1;
    unsigned code = inst->getOpcode();
    if (isa<CastInst>(inst) || isa<FreezeInst>(inst))
        return globalIdBehind(ids, inst->getOperand(0), depth + 1);
    bool byConstant = inst->getNumOperands() == 2 && isa<Constant>(inst->getOperand(1));
    if (byConstant && (code == Instruction::Add || code == Instruction::Sub || (isa<PossiblyDisjointInst>(inst) && cast<PossiblyDisjointInst>(inst)->isDisjoint())))
        return globalIdBehind(ids, inst->getOperand(0), depth + 1);
    if (byConstant && (code == Instruction::AShr || code == Instruction::LShr)) /* sign extension of the lower word */
        if (auto *left = dyn_cast<BinaryOperator>(inst->getOperand(0)); left && left->getOpcode() == Instruction::Shl && left->getOperand(1) == inst->getOperand(1))
            return globalIdBehind(ids, left->getOperand(0), depth + 1);
    if (auto *call = dyn_cast<MinMaxIntrinsic>(inst)) {
        int left = globalIdBehind(ids, call->getLHS(), depth + 1);
        return left >= 0 ? left : globalIdBehind(ids, call->getRHS(), depth + 1);
    }
    if (auto *phi = dyn_cast<PHINode>(inst); phi && phi->getNumIncomingValues() == 2) {
        int start = globalIdBehind(ids, phi->getIncomingValue(0), depth + 4);
        return start >= 0 ? start : globalIdBehind(ids, phi->getIncomingValue(1), depth + 4);
    }
    return -1;
}

/* The argument that a value is, give or take a constant. */
static const Argument *argumentBehind(const Value *value)
{
    for (unsigned steps = 0; steps < 8; steps++) {
        if (auto *argument = dyn_cast<Argument>(value))
            return argument->getType()->isIntegerTy() ? argument : nullptr;
        auto *inst = dyn_cast<Instruction>(value);
        if (!inst)
            return nullptr;
        bool byConstant = inst->getNumOperands() == 2 && isa<Constant>(inst->getOperand(1));
        bool sum = inst->getOpcode() == Instruction::Add || inst->getOpcode() == Instruction::Sub;
        if (!isa<CastInst>(inst) && !isa<FreezeInst>(inst) && !(byConstant && sum))
            return nullptr;
        value = inst->getOperand(0);
    }
    return nullptr;
}

std::vector<uint32_t> boundedDimensions(const Function &function, const WorkItemIds &ids)
{
    std::vector<uint32_t> bounds(function.arg_size(), GP_NONE);
    auto compare = [&](const Value *x, const Value *y) {
        for (int turn = 0; turn < 2; turn++, std::swap(x, y)) {
            const Argument *argument = argumentBehind(y);
            if (!argument || bounds[argument->getArgNo()] != GP_NONE)
                continue;
            if (int dim = globalIdBehind(ids, x); dim >= 0)
                bounds[argument->getArgNo()] = (uint32_t)dim;
        }
    };
    for (const Instruction &inst : instructions(function)) {
        if (auto *test = dyn_cast<ICmpInst>(&inst))
            compare(test->getOperand(0), test->getOperand(1));
        else if (auto *limit = dyn_cast<MinMaxIntrinsic>(&inst))
            compare(limit->getLHS(), limit->getRHS());
    }
    return bounds;
}

} // namespace gpuperf
