/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Divisions by powers of two that NVIDIA's compilers do not know to be such. */
#ifndef GPUPERF_PASSES_POWER_DIVISORS_H
#define GPUPERF_PASSES_POWER_DIVISORS_H

#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

#include "passes/cost/classify.h"

namespace gpuperf
{

/*
 * `lane % (2 * d)`, d being 1, 2, 4 ...: LLVM finds that d is a power of two and takes its lower bits, libNVVM divides
 * (nvcc 13.0, sm_75 and sm_86), which is most of what such a step of a sum costs. Of what is a power of two it knows
 * `1u << k`, in unsigned divisions. Hides the other divisors from the optimiser, but in loops of a known number of
 * iterations, which are unrolled and have constants then. Before LLVM first combines instructions. False: nothing was
 * changed.
 */
bool hideDivisors(llvm::Function &function, llvm::FunctionAnalysisManager &manager);

/* At the end: the divisors as they are. */
bool showDivisors(llvm::Module &module);

/* What stands before a divisor meanwhile; it does nothing. */
bool isHiddenDivisor(const llvm::Instruction &inst);

/*
 * The same divisions in code that is not changed, where NVIDIA's compilers are still to come (spir64, CUDA): places in
 * the source, at which LLVM leaves a mask or a shift. Their class says what each device's compiler makes of them.
 */
class PowerDivisors
{
public:
    /* Before LLVM first combines instructions; with line tables. */
    void collect(llvm::Function &function, llvm::FunctionAnalysisManager &manager);

    /* Whether an instruction of the optimised code is what such a division has become. */
    bool isPart(const llvm::Instruction &inst) const;
    Cost costOf(const llvm::Instruction &inst) const;

private:
    void collectFrom(const llvm::Instruction &inst, bool isSigned, unsigned depth);
    llvm::StringMap<bool> places; /* whether it divides with signs */
};

} // namespace gpuperf
#endif
