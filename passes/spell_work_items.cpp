#include "passes/spell_work_items.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include "passes/kernels.h"
#include "passes/work_items.h"

using namespace llvm;

namespace gpuperf {

static void inlineBody(Function &kernel)
{
    auto *call = dyn_cast<CallInst>(&*kernel.getEntryBlock().getFirstNonPHIOrDbg());
    Function *body = call ? call->getCalledFunction() : nullptr;
    if (!body || body->isDeclaration() || !isKernelBody(*body))
        return;
    InlineFunctionInfo info;
    if (InlineFunction(*call, info).isSuccess() && body->use_empty())
        body->eraseFromParent();
}

/* What a register holds that has a word for each of three dimensions. */
static Value *readRegister(IRBuilder<> &builder, unsigned dim, Intrinsic::ID x, Intrinsic::ID y, Intrinsic::ID z)
{
    const Intrinsic::ID ids[] = {x, y, z};
    return builder.CreateIntrinsic(ids[dim], {});
}

static Value *readLocalSize(IRBuilder<> &builder, unsigned dim)
{
    return readRegister(builder, dim, Intrinsic::nvvm_read_ptx_sreg_ntid_x, Intrinsic::nvvm_read_ptx_sreg_ntid_y, Intrinsic::nvvm_read_ptx_sreg_ntid_z);
}

static Value *readLocalId(IRBuilder<> &builder, unsigned dim)
{
    return readRegister(builder, dim, Intrinsic::nvvm_read_ptx_sreg_tid_x, Intrinsic::nvvm_read_ptx_sreg_tid_y, Intrinsic::nvvm_read_ptx_sreg_tid_z);
}

static Value *readGroupId(IRBuilder<> &builder, unsigned dim)
{
    return readRegister(builder, dim, Intrinsic::nvvm_read_ptx_sreg_ctaid_x, Intrinsic::nvvm_read_ptx_sreg_ctaid_y, Intrinsic::nvvm_read_ptx_sreg_ctaid_z);
}

static Value *readGroupCount(IRBuilder<> &builder, unsigned dim)
{
    return readRegister(builder, dim, Intrinsic::nvvm_read_ptx_sreg_nctaid_x, Intrinsic::nvvm_read_ptx_sreg_nctaid_y, Intrinsic::nvvm_read_ptx_sreg_nctaid_z);
}

/* In the type that the call has. Null: no register tells it. */
static Value *spell(IRBuilder<> &builder, const IdRead &id, Type *type)
{
    auto wide = [&](Value *word) { return builder.CreateZExtOrTrunc(word, type); };
    switch (id.id) {
    case GP_ID_LOCAL: return wide(readLocalId(builder, id.dim));
    case GP_ID_GROUP: return wide(readGroupId(builder, id.dim));
    case GP_ID_LOCAL_SIZE: return wide(readLocalSize(builder, id.dim));
    case GP_ID_GROUP_COUNT: return wide(readGroupCount(builder, id.dim));
    case GP_ID_GLOBAL_SIZE: return builder.CreateMul(wide(readGroupCount(builder, id.dim)), wide(readLocalSize(builder, id.dim)));
    case GP_ID_GLOBAL: {
        Value *before = builder.CreateMul(wide(readGroupId(builder, id.dim)), wide(readLocalSize(builder, id.dim)));
        return builder.CreateAdd(before, wide(readLocalId(builder, id.dim)));
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
        if (auto *call = dyn_cast<CallInst>(&inst); call && call->getCalledFunction() && !call->getCalledFunction()->isIntrinsic())
            calls.push_back(call);
    return calls;
}

void spellWorkItems(Module &module)
{
    for (Function *kernel : findKernels(module)) {
        inlineBody(*kernel);
        for (CallInst *call : callsIn(*kernel))
            spellCall(*call);
    }
}

} // namespace gpuperf
