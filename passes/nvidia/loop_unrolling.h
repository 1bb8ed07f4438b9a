/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How far NVIDIA's compilers unroll loops: a file each. */
#ifndef GPUPERF_PASSES_LOOP_UNROLLING_H
#define GPUPERF_PASSES_LOOP_UNROLLING_H

#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"

namespace gpuperf
{

/* ---- Known unrolling --------------------------------------------------------------------------------------------- */

/* Loops of a known number of iterations, as ptxas unrolls what libNVVM has left of them. */

/* Marks the loops for which the source says how far they are unrolled, since libNVVM tells ptxas to leave these; before
 * LLVM's own unrolling, which changes what the source has said. False: there are none. */
bool markAskedFor(llvm::Function &function, llvm::FunctionAnalysisManager &manager);

/* The others, from the inside out. For compiles for the profile's sake, at the optimiser's end: it changes the code.
 * False: nothing was changed. */
bool unrollKnownLoops(llvm::Function &function, llvm::FunctionAnalysisManager &manager);

/* ---- Private unrolling ------------------------------------------------------------------------------------------- */

/* Loops over private arrays, as NVIDIA's compilers unroll them. */

/*
 * A loop of a known number of iterations whose counter indexes a private array is unrolled whole up to four times the
 * size of others, so that the array may live in registers: asks LLVM's own unrolling, right behind, for that. For
 * compiles for the profile's sake, at the end of the loops' simplification.
 */
class UnrollPrivatePass : public llvm::PassInfoMixin<UnrollPrivatePass>
{
public:
    llvm::PreservedAnalyses run(llvm::Loop &loop, llvm::LoopAnalysisManager &,
                                llvm::LoopStandardAnalysisResults &analyses, llvm::LPMUpdater &);
    static bool isRequired() { return true; }
};

/* ---- Runtime unrolling ------------------------------------------------------------------------------------------- */

/* Loops whose number of iterations only the launch, or data, decides, as NVIDIA's compilers unroll them. */

/*
 * libNVVM makes four iterations one, or two of long ones, where LLVM's optimiser makes eight; ptxas makes four of what
 * is short after that one again, sixteen in all, where it sees the end (second_unrolling.h). What is left over runs in
 * a loop of its own each time. It changes the code: for compiles for the profile's sake, before LLVM's own unrolling,
 * which then leaves these loops alone. False: nothing was changed.
 */
bool unrollRuntimeLoops(llvm::Function &function, llvm::FunctionAnalysisManager &manager);

} // namespace gpuperf
#endif
