/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Loops that ptxas unrolls once more after libNVVM has. */
#ifndef GPUPERF_PASSES_SECOND_UNROLLING_H
#define GPUPERF_PASSES_SECOND_UNROLLING_H

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"

namespace gpuperf
{

/* What the loop's end compares where it is a counter that takes steps: null where it is none. */
const llvm::SCEVAddRecExpr *comparedCounter(const llvm::Loop &loop, llvm::ScalarEvolution &evolution);

/* Constant memory of OpenCL and CUDA. */
bool isConstantMemory(const llvm::Value &address);

/* Instructions of PTX that an iteration is, but the loop's own: an access counts twice, as its address is an addition
 * or an immediate. */
uint64_t ptxSize(const llvm::Loop &loop, llvm::ScalarEvolution &evolution);

/* Of a loop of a number of iterations that is not known, not unrolled yet, of which libNVVM makes four iterations one:
 * ptxas makes four of those one again if it is short, and if ptxas sees where it ends. */
bool isUnrolledAgain(const llvm::Loop &loop, llvm::ScalarEvolution &evolution);

} // namespace gpuperf
#endif
