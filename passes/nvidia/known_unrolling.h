/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Loops of a known number of iterations, as ptxas unrolls what libNVVM has left of them. */
#ifndef GPUPERF_PASSES_KNOWN_UNROLLING_H
#define GPUPERF_PASSES_KNOWN_UNROLLING_H

#include "llvm/IR/Function.h"
#include "llvm/IR/PassManager.h"

namespace gpuperf
{

/* Marks the loops for which the source says how far they are unrolled, since libNVVM tells ptxas to leave these; before
 * LLVM's own unrolling, which changes what the source has said. False: there are none. */
bool markAskedFor(llvm::Function &function, llvm::FunctionAnalysisManager &manager);

/* The others, from the inside out. For compiles for the profile's sake, at the optimiser's end: it changes the code.
 * False: nothing was changed. */
bool unrollKnownLoops(llvm::Function &function, llvm::FunctionAnalysisManager &manager);

} // namespace gpuperf
#endif
