/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "passes/tidy/spell_work_items.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Transforms/Scalar/Reassociate.h"

#include "passes/tidy/copy_body.h"
#include "passes/ir/kernels.h"
#include "passes/ir/special_registers.h"
#include "passes/analysis/work_items.h"

using namespace llvm;

namespace gpuperf
{

static void inlineBody(Function &kernel)
{
    CallInst *call = callOfBody(kernel);
    if (!call)
        return;
    Function *body = call->getCalledFunction();
    if (inlineCall(*call).done && body->use_empty())
        body->eraseFromParent();
}

/* What a register holds ("tid") that has a word for each dimension. */
static Value *readWord(IRBuilder<> &builder, StringRef name, unsigned dim)
{
    return readSpecialRegister(builder, (name + "." + StringRef("xyz").substr(dim, 1)).str());
}

/* In the type that the call has. Null: no register tells it. */
static Value *spell(IRBuilder<> &builder, const IdRead &id, Type *type)
{
    auto read = [&](StringRef name) { return builder.CreateZExtOrTrunc(readWord(builder, name, id.dim), type); };
    switch (id.id) {
    case GP_ID_LOCAL: return read("tid");
    case GP_ID_GROUP: return read("ctaid");
    case GP_ID_LOCAL_SIZE: return read("ntid");
    case GP_ID_GROUP_COUNT: return read("nctaid");
    case GP_ID_GLOBAL_SIZE: return builder.CreateMul(read("nctaid"), read("ntid"));
    case GP_ID_GLOBAL: {
        Value *before = builder.CreateMul(read("ctaid"), read("ntid"));
        return builder.CreateAdd(before, read("tid"));
    }
    default: return nullptr;
    }
}

/* A word that is widened and cut again is the word. */
static void replaceId(CallInst &call, Value *value)
{
    auto *widened = dyn_cast<ZExtInst>(value);
    for (User *user : make_early_inc_range(call.users()))
        if (auto *cut = dyn_cast<TruncInst>(user); widened && cut && cut->getType() == widened->getSrcTy()) {
            cut->replaceAllUsesWith(widened->getOperand(0));
            cut->eraseFromParent();
        }
    call.replaceAllUsesWith(value);
    call.eraseFromParent();
}

static bool isBarrier(const CallInst &call)
{
    StringRef name = call.getCalledFunction() ? call.getCalledFunction()->getName() : StringRef();
    return name == "_Z7barrierj" || name == "_Z18work_group_barrierj";
}

static void spellCall(CallInst &call)
{
    IRBuilder<> builder(&call);
    if (isBarrier(call)) {
        builder.CreateIntrinsic(Intrinsic::nvvm_barrier_cta_sync_aligned_all, {builder.getInt32(0)});
        call.eraseFromParent();
        return;
    }
    std::optional<IdRead> id = readsId(call, Target::Nvptx);
    if (!id || id->unknownDimension || id->elements != 1 || id->imageDims != 0 || !call.getType()->isIntegerTy())
        return;
    if (Value *value = spell(builder, *id, call.getType()))
        replaceId(call, value);
}

static SmallVector<CallInst *, 16> callsIn(Function &kernel)
{
    SmallVector<CallInst *, 16> calls;
    for (Instruction &inst : instructions(kernel))
        if (auto *call = dyn_cast<CallInst>(&inst);
            call && call->getCalledFunction() && !call->getCalledFunction()->isIntrinsic())
            calls.push_back(call);
    return calls;
}

void spellWorkItems(Module &module, FunctionAnalysisManager &manager)
{
    for (Function *kernel : findKernels(module)) {
        inlineBody(*kernel);
        for (CallInst *call : callsIn(*kernel))
            spellCall(*call);
        ReassociatePass().run(*kernel, manager);
    }
}

} // namespace gpuperf
