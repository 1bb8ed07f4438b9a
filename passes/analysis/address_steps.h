/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Addresses in loops as code generators compute them: LLVM's LoopStrengthReduce, which the backends of NVIDIA, AMD and
 * nvcc's libNVVM run, replaces what an index is computed from anew in each iteration by a pointer that takes a step.
 */
#ifndef GPUPERF_PASSES_ADDRESS_STEPS_H
#define GPUPERF_PASSES_ADDRESS_STEPS_H

#include <optional>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Instructions.h"

#include "passes/cost/classify.h"
#include "passes/ir/counters.h"

namespace gpuperf
{

class AddressSteps
{
public:
    /* order: the blocks, definitions before their uses. Without evolution (a kernel without loops) there are no steps.
     */
    AddressSteps(llvm::ArrayRef<llvm::BasicBlock *> order, const llvm::LoopInfo &loops,
                 llvm::ScalarEvolution *evolution, Target target);

    /* What an instruction costs that is part of an address which takes steps: nothing, or the step. Of an address this
     * is all its arithmetic. Nothing for others: they cost what they say. */
    std::optional<Cost> of(const llvm::Instruction &inst) const;

private:
    using Families = llvm::DenseSet<std::pair<const llvm::Loop *, const llvm::SCEV *>>;

    void visit(const llvm::Instruction &inst, const llvm::Loop &loop);
    bool onlyServesAddresses(const llvm::Instruction &inst, const llvm::Loop &loop) const;
    const llvm::SCEVAddRecExpr *stepsThrough(const llvm::Instruction &pointer, const llvm::Loop &loop);
    bool takesSteps(const llvm::Instruction &inst, const llvm::Loop &loop);
    bool isServed(const llvm::Use &use, const llvm::Loop &loop) const;
    bool isDropped(const llvm::PHINode &phi, const llvm::Instruction &next) const;
    void keepOrDrop(const llvm::Loop &loop, Families &paid);
    void payOnce(const llvm::GetElementPtrInst &gep, Families &paid);
    void payOnce(const llvm::BinaryOperator &number, Families &paid);
    bool isSteppedSummand(const llvm::Instruction &inst, const llvm::Loop &loop);
    bool isInConstantBank(const llvm::Instruction &address) const;
    bool multipliesWide(const llvm::Instruction &inst) const;
    Cost stepOf(const llvm::GetElementPtrInst &gep, const llvm::SCEVAddRecExpr &address) const;

    const llvm::LoopInfo &loops;
    llvm::ScalarEvolution *evolution;
    Target target;
    CounterReach counters;
    llvm::DenseMap<const llvm::Instruction *, Cost> reduced;
    llvm::DenseSet<const llvm::Instruction *> summands; /* of those: numbers that are added to others */
};

} // namespace gpuperf
#endif
