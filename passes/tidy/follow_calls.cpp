/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "passes/tidy/follow_calls.h"

#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

#include "passes/tidy/argument_elements.h"
#include "passes/tidy/copy_body.h"
#include "passes/ir/kernels.h"
#include "passes/ir/llvm_version.h"

using namespace llvm;

namespace gpuperf
{

/*
 * Where the kernel's body stands: clang 22 makes of an OpenCL kernel a function that only calls
 * __clang_ocl_kern_imp_NAME with the same arguments. Copying that body is cheaper than inlining it. Arguments passed by
 * value would need copies of their own: these are inlined.
 */
static Function &bodyOf(Function &kernel, FunctionSizes &sizes, unsigned maxInstructions)
{
    CallInst *call = callOfBody(kernel);
    Function *callee = call ? call->getCalledFunction() : nullptr;
    if (!callee || !isa<ReturnInst>(call->getNextNode()) || call->arg_size() != kernel.arg_size() ||
        callee->arg_size() != kernel.arg_size() || sizes.of(*callee) > maxInstructions)
        return kernel;
    for (Argument &argument : kernel.args())
        if (call->getArgOperand(argument.getArgNo()) != &argument || call->isByValArgument(argument.getArgNo()) ||
            callee->getArg(argument.getArgNo())->hasPointeeInMemoryValueAttr())
            return kernel;
    return *callee;
}

/* With an argument for each element of the kernel's vectors behind its own. */
static Function *declareCopy(Function &kernel, Module &into)
{
    SmallVector<Type *, 16> types(kernel.getFunctionType()->params());
    for (const ArgumentElement &element : argumentElements(kernel))
        types.push_back(element.type);
    auto *type = FunctionType::get(kernel.getReturnType(), types, kernel.isVarArg());
    Function *copy = Function::Create(type, kernel.getLinkage(), kernel.getAddressSpace(), kernel.getName(), &into);
    copy->setCallingConv(kernel.getCallingConv());
    copy->setAttributes(kernel.getAttributes());
    for (Argument &argument : kernel.args())
        copy->getArg(argument.getArgNo())->setName(argument.getName());
    return copy;
}

namespace
{

/* Which functions a call site stands in, to tell recursion. */
struct Frame {
    const Function *function;
    int caller; /* index of the frame, -1: none */
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

static void followCalls(KernelCopy &copy, const Function &kernel, const Function &body, FunctionSizes &sizes,
                        unsigned maxInstructions, unsigned maxFollowed)
{
    std::vector<Frame> frames = {{&kernel, -1}, {&body, 0}};
    std::vector<PendingCall> pending;
    unsigned size = sizes.of(body);
    for (BasicBlock &block : *copy.function)
        for (Instruction &inst : block)
            if (auto *call = dyn_cast<CallBase>(&inst))
                if (followable(*call))
                    pending.push_back({call, 1});

    for (size_t next = 0; next < pending.size(); next++) {
        CallBase *call = pending[next].call;
        int frame = pending[next].frame;
        Function *callee = call->getCalledFunction();
        if (recursive(frames, frame, callee))
            continue;
        unsigned added = sizes.of(*callee);
        if (size + added > maxInstructions || copy.followed + added > maxFollowed) {
            copy.truncated = true;
            continue;
        }
        bool wrapper = isKernelBody(*callee);
        InlinedCall inlined = inlineCall(*call);
        if (!inlined.done)
            continue;
        size += added;
        copy.followed += added;
        copy.inlined |= !wrapper || inlined.variables;
        frames.push_back({callee, frame});
        for (CallBase *inner : inlined.calls)
            if (followable(*inner))
                pending.push_back({inner, (int)frames.size() - 1});
    }
}

unsigned FunctionSizes::of(const Function &function)
{
    auto [entry, isNew] = own.try_emplace(&function, 0);
    if (isNew)
        entry->second = function.getInstructionCount();
    return entry->second;
}

uint64_t FunctionSizes::behind(const Function &function)
{
    const uint64_t most = UINT32_MAX;
    auto [entry, isNew] = known.try_emplace(&function, 0);
    if (!isNew)
        return entry->second; /* 0 within itself: recursive calls are not followed */
    uint64_t size = 0;
    for (const BasicBlock &block : function)
        for (const Instruction &inst : block)
            if (auto *call = dyn_cast<CallBase>(&inst); call && followable(*call))
                size = std::min(most, size + of(*call->getCalledFunction()) + behind(*call->getCalledFunction()));
    return known[&function] = size;
}

uint64_t FunctionSizes::followed(Function &kernel) { return behind(bodyOf(kernel, *this, maxInstructions)); }

KernelCopy copyKernel(Function &kernel, FunctionSizes &sizes, unsigned maxInstructions, unsigned maxFollowed)
{
    const Module &original = *kernel.getParent();
    KernelCopy copy;
    copy.module = std::make_unique<Module>("gpuperf", kernel.getContext());
    copy.module->setDataLayout(original.getDataLayout());
    copy.module->setTargetTriple(tripleOf(original));
    Function &body = bodyOf(kernel, sizes, maxInstructions);
    copy.function = declareCopy(kernel, *copy.module);
    copyBody(body, *copy.function);
    copy.inlined = &body != &kernel && any_of(copy.function->getEntryBlock(),
                                              [](const Instruction &inst) { return isa<AllocaInst>(inst); });
    followCalls(copy, kernel, body, sizes, maxInstructions, maxFollowed);
    splitVectorArguments(kernel, *copy.function);
    return copy;
}

} // namespace gpuperf
