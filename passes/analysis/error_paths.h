/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Ways that only programs in error take: assertions, traps. */
#ifndef GPUPERF_PASSES_FAILURES_H
#define GPUPERF_PASSES_FAILURES_H

#include "llvm/IR/Function.h"

#include "passes/ir/kernels.h"

namespace gpuperf
{

/*
 * A branch one of whose ways can only fail goes the other way; a call in its place (passedAssertion) keeps what it
 * costs: its condition and a jump that is not taken. What only fails is gone, so that nothing that it does, and none of
 * the conditions, is a guess, nor a loop's exit. For the copy that is analysed. True: something changed.
 */
bool leaveOutFailures(llvm::Function &function, Target target);

} // namespace gpuperf
#endif
