/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Loops whose number of iterations only the launch, or data, decides, as NVIDIA's compilers unroll them. */
#ifndef GPUPERF_PASSES_RUNTIME_UNROLLING_H
#define GPUPERF_PASSES_RUNTIME_UNROLLING_H

#include "llvm/IR/Function.h"
#include "llvm/IR/PassManager.h"

namespace gpuperf
{

/*
 * libNVVM makes four iterations one, or two of long ones, where LLVM's optimiser makes eight; ptxas makes four of what
 * is short after that one again, sixteen in all, where it sees the end (second_unrolling.h). What is left over runs in
 * a loop of its own each time. It changes the code: for compiles for the profile's sake, before LLVM's own unrolling,
 * which then leaves these loops alone. False: nothing was changed.
 */
bool unrollRuntimeLoops(llvm::Function &function, llvm::FunctionAnalysisManager &manager);

} // namespace gpuperf
#endif
