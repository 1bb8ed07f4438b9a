/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Loops whose end ptxas does not see. */
#ifndef GPUPERF_PASSES_HIDDEN_END_H
#define GPUPERF_PASSES_HIDDEN_END_H

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"

namespace gpuperf
{

/*
 * libNVVM may keep one number in a register for both the index of an access and the loop's end, and compare a sum of it
 * and another number with zero; ptxas, which looks for a counter, does not know how often such a loop runs. `counter`
 * is what the end compares, as the source has it.
 */
bool hidesEnd(const llvm::Loop &loop, const llvm::SCEVAddRecExpr &counter, llvm::ScalarEvolution &evolution);

} // namespace gpuperf
#endif
