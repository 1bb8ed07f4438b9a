/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "passes/nvidia/second_unrolling.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

#include "model/compilers/nvidia_rules.h"
#include "passes/cost/classify.h"
#include "passes/nvidia/unseen_loop_end.h"
#include "passes/cost/machine_size.h"

using namespace llvm;

namespace gpuperf
{

const SCEVAddRecExpr *comparedCounter(const Loop &loop, ScalarEvolution &evolution)
{
    auto *branch = dyn_cast<BranchInst>(loop.getLoopLatch()->getTerminator());
    auto *test = branch && branch->isConditional() ? dyn_cast<ICmpInst>(branch->getCondition()) : nullptr;
    for (unsigned i = 0; test && i < 2; i++) {
        Value *side = test->getOperand(i);
        auto *counter =
            evolution.isSCEVable(side->getType()) ? dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(side)) : nullptr;
        if (counter && counter->getLoop() == &loop && counter->isAffine())
            return counter;
    }
    return nullptr;
}

bool isConstantMemory(const Value &address)
{
    auto *variable = dyn_cast<GlobalVariable>(getUnderlyingObject(&address));
    return address.getType()->getPointerAddressSpace() == 4 || (variable && variable->getAddressSpace() == 4);
}

namespace
{

using Test = bool (*)(const Instruction &inst);

uint64_t countOf(const Loop &loop, Test test)
{
    uint64_t found = 0;
    for (const BasicBlock *block : loop.blocks())
        found += count_if(*block, test);
    return found;
}

/* Exchanges between lanes, votes and clocks; accesses but loads and stores, and what is not known. */
bool hindersAsAssembly(StringRef mnemonic)
{
    StringRef name = mnemonic.split('.').first;
    return !computesInPtx(mnemonic) && name != "ld" && name != "st" && name != "mov";
}

/* With a counter that counts down to zero atomics and barriers do not hinder: that is rare. Copies of memory are stores
 * of several places. */
bool hinders(const Instruction &inst)
{
    auto *call = dyn_cast<CallBase>(&inst);
    if (auto *assembly = call ? dyn_cast<InlineAsm>(call->getCalledOperand()) : nullptr)
        return StringRef(assembly->getAsmString()).contains("%clock") ||
               any_of(assemblyMnemonics(*assembly, Target::Nvptx), hindersAsAssembly);
    if (isa<MemIntrinsic, AtomicRMWInst, AtomicCmpXchgInst, FenceInst>(inst) || (call && call->isConvergent()))
        return true;
    return call && !isa<IntrinsicInst>(call) && classifyCall(*call, Target::Nvptx).kind != CallKind::Arithmetic;
}

bool isAccess(const Instruction &inst) { return isa<LoadInst, StoreInst>(inst); }
bool isStore(const Instruction &inst) { return isa<StoreInst>(inst); }

bool isSlowLoad(const Instruction &inst)
{
    auto *load = dyn_cast<LoadInst>(&inst);
    return load && !isConstantMemory(*load->getPointerOperand());
}

uint64_t sizeOf(const Loop &loop, ScalarEvolution &evolution)
{
    uint64_t size = 0;
    for (const BasicBlock *block : loop.blocks())
        size += machineInstructions(*block, loop, evolution);
    return size;
}

} // namespace

uint64_t ptxSize(const Loop &loop, ScalarEvolution &evolution)
{
    return sizeOf(loop, evolution) + countOf(loop, isAccess);
}

namespace
{

gp_ptx_loop asPtxas(const Loop &loop, ScalarEvolution &evolution)
{
    return {sizeOf(loop, evolution), countOf(loop, isAccess), countOf(loop, isStore), countOf(loop, isSlowLoad),
            loop.getNumBlocks()};
}

} // namespace

bool isUnrolledAgain(const Loop &loop, ScalarEvolution &evolution)
{
    const SCEVAddRecExpr *counter = comparedCounter(loop, evolution);
    return counter && isa<SCEVConstant>(counter->getStepRecurrence(evolution)) && countOf(loop, hinders) == 0 &&
           gp_nvidia_unrolls_again(asPtxas(loop, evolution)) && !hidesEnd(loop, *counter, evolution);
}

} // namespace gpuperf
