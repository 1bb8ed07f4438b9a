/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "passes/assembly/async_copies.h"

#include "llvm/IR/Dominators.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace gpuperf
{

void AsyncCopies::begin()
{
    if (!groups.empty())
        return;
    IRBuilder<> builder(&function.getEntryBlock(), function.getEntryBlock().begin());
    for (unsigned i = 0; i <= MOST_GROUPS; i++)
        groups.push_back(builder.CreateAlloca(builder.getInt32Ty()));
    for (AllocaInst *group : groups)
        builder.CreateStore(builder.getInt32(0), group);
}

/* Assembly without an instruction: its result is there when both words are. It has to stay, and with it the load. */
void AsyncCopies::copy(IRBuilder<> &builder, LoadInst &load)
{
    begin();
    load.setMetadata(LLVMContext::MD_nosanitize, MDNode::get(load.getContext(), {}));
    Value *word = load.getType()->isVectorTy() ? builder.CreateExtractElement(&load, (uint64_t)0) : &load;
    Type *type = builder.getInt32Ty();
    InlineAsm *both =
        InlineAsm::get(FunctionType::get(type, {type, type}, false), "", "=r,r,r", /*hasSideEffects=*/true);
    builder.CreateStore(builder.CreateCall(both, {builder.CreateLoad(type, groups[0]), word}), groups[0]);
}

void AsyncCopies::commit(IRBuilder<> &builder)
{
    begin();
    for (unsigned i = MOST_GROUPS; i > 0; i--)
        builder.CreateStore(builder.CreateLoad(builder.getInt32Ty(), groups[i - 1]), groups[i]);
    builder.CreateStore(builder.getInt32(0), groups[0]);
}

void AsyncCopies::waitFor(IRBuilder<> &builder, Value *word)
{
    InlineAsm *wait = InlineAsm::get(FunctionType::get(builder.getVoidTy(), {word->getType()}, false),
                                     "cp.async.wait_all;", "r", /*hasSideEffects=*/true);
    builder.CreateCall(wait, {word});
}

void AsyncCopies::wait(IRBuilder<> &builder, unsigned pending)
{
    begin();
    if (pending < MOST_GROUPS)
        waitFor(builder, builder.CreateLoad(builder.getInt32Ty(), groups[pending + 1]));
}

void AsyncCopies::waitForAll(IRBuilder<> &builder)
{
    commit(builder);
    wait(builder, 0);
}

void AsyncCopies::finish()
{
    if (groups.empty())
        return;
    DominatorTree dominators(function);
    PromoteMemToReg(groups, dominators);
}

} // namespace gpuperf
