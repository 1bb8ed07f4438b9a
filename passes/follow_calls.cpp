#include "passes/follow_calls.h"

#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

#include "passes/llvm_version.h"

using namespace llvm;

namespace gpuperf {

/* The body only: no subprogram, no attachments, so that no metadata of the original is copied or changed. */
static Function *copyBody(Function &original, Module &into)
{
    Function *copy = Function::Create(original.getFunctionType(), original.getLinkage(), original.getAddressSpace(),
                                      original.getName(), &into);
    copy->setCallingConv(original.getCallingConv());
    copy->setAttributes(original.getAttributes());
    ValueToValueMapTy map;
    for (auto pair : zip(original.args(), copy->args())) {
        std::get<1>(pair).setName(std::get<0>(pair).getName());
        map[&std::get<0>(pair)] = &std::get<1>(pair);
    }
    for (BasicBlock &block : original)
        map[&block] = CloneBasicBlock(&block, map, "", copy);
    for (BasicBlock &block : *copy)
        for (Instruction &inst : block)
            inst.dropDbgRecords();
    RemapFunction(*copy, map, RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
    return copy;
}

namespace {

/* Which functions a call site stands in, to tell recursion. */
struct Frame {
    const Function *function;
    int caller; /* index of the frame, -1: the kernel */
};

struct PendingCall {
    CallBase *call;
    int frame;
};

bool recursive(const std::vector<Frame> &frames, int frame, const Function *callee)
{
    for (; frame >= 0; frame = frames[(size_t)frame].caller)
        if (frames[(size_t)frame].function == callee)
            return true;
    return false;
}

} // namespace

static bool followable(const CallBase &call)
{
    const Function *callee = call.getCalledFunction();
    return callee && !callee->isDeclaration() && !callee->isIntrinsic() && isa<CallInst>(call) &&
           callee->getFunctionType() == call.getFunctionType() && !callee->isVarArg();
}

static void followCalls(KernelCopy &copy, unsigned maxInstructions)
{
    std::vector<Frame> frames;
    std::vector<PendingCall> pending;
    unsigned size = copy.function->getInstructionCount();
    for (BasicBlock &block : *copy.function)
        for (Instruction &inst : block)
            if (auto *call = dyn_cast<CallBase>(&inst))
                if (followable(*call))
                    pending.push_back({call, -1});

    for (size_t next = 0; next < pending.size(); next++) {
        CallBase *call = pending[next].call;
        int frame = pending[next].frame;
        Function *callee = call->getCalledFunction();
        if (recursive(frames, frame, callee) || callee == copy.function)
            continue;
        unsigned added = callee->getInstructionCount();
        if (size + added > maxInstructions) {
            copy.truncated = true;
            continue;
        }
        bool wrapper = callee->getName().starts_with("__clang_ocl_kern_imp_");
        InlineFunctionInfo info(nullptr, nullptr, nullptr, nullptr, /*UpdateProfile=*/false);
        if (!InlineFunction(*call, info, /*MergeAttributes=*/false, nullptr, /*InsertLifetime=*/false).isSuccess())
            continue;
        size += added;
        copy.inlined |= !wrapper || !info.StaticAllocas.empty();
        frames.push_back({callee, frame});
        for (CallBase *inner : info.InlinedCallSites)
            if (followable(*inner))
                pending.push_back({inner, (int)frames.size() - 1});
    }
}

KernelCopy copyKernel(Function &kernel, unsigned maxInstructions)
{
    const Module &original = *kernel.getParent();
    KernelCopy copy;
    copy.module = std::make_unique<Module>("gpuperf", kernel.getContext());
    copy.module->setDataLayout(original.getDataLayout());
    copy.module->setTargetTriple(tripleOf(original));
    copy.function = copyBody(kernel, *copy.module);
    followCalls(copy, maxInstructions);
    return copy;
}

} // namespace gpuperf
