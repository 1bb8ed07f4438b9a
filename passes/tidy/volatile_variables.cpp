/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "passes/tidy/volatile_variables.h"

#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace gpuperf
{

static bool isWholeAccess(const User &user, const AllocaInst &variable)
{
    const Type *type = variable.getAllocatedType();
    if (auto *load = dyn_cast<LoadInst>(&user))
        return load->getType() == type && !load->isAtomic();
    if (auto *store = dyn_cast<StoreInst>(&user))
        return store->getValueOperand()->getType() == type && store->getValueOperand() != &variable &&
               !store->isAtomic();
    auto *intrinsic = dyn_cast<IntrinsicInst>(&user);
    return intrinsic && intrinsic->isLifetimeStartOrEnd();
}

static bool canSeeThrough(const AllocaInst &variable)
{
    return variable.isStaticAlloca() && !variable.isArrayAllocation() &&
           all_of(variable.users(), [&](const User *user) { return isWholeAccess(*user, variable); });
}

/* Another variable that takes the same values, by accesses that are not volatile. */
static AllocaInst *shadowOf(AllocaInst &variable)
{
    SmallVector<User *, 8> users(variable.users());
    auto *shadow = cast<AllocaInst>(variable.clone());
    shadow->insertAfter(variable.getIterator());
    for (User *user : users) {
        if (auto *load = dyn_cast<LoadInst>(user)) {
            auto *value = IRBuilder<>(load).CreateLoad(load->getType(), shadow);
            load->replaceAllUsesWith(value);
        } else if (auto *store = dyn_cast<StoreInst>(user)) {
            IRBuilder<>(store).CreateStore(store->getValueOperand(), shadow);
        }
    }
    return shadow;
}

void seeThroughVolatileVariables(Function &function)
{
    SmallVector<AllocaInst *, 4> variables, shadows;
    for (Instruction &inst : function.getEntryBlock())
        if (auto *variable = dyn_cast<AllocaInst>(&inst); variable && canSeeThrough(*variable))
            variables.push_back(variable);
    for (AllocaInst *variable : variables)
        shadows.push_back(shadowOf(*variable));
    if (shadows.empty())
        return;
    DominatorTree dominators(function);
    PromoteMemToReg(shadows, dominators);
}

} // namespace gpuperf
