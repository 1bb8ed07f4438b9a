/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Loops that go round until an exchange has succeeded, or is not needed any longer. */
#ifndef GPUPERF_PASSES_RETRIES_H
#define GPUPERF_PASSES_RETRIES_H

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"

namespace gpuperf
{

/*
 * Whether the loop ends when an exchange has succeeded, or what stands at its place says that none is needed, and in no
 * other way: additions of floats by compare and exchange, locks, maxima. Where the address changes from turn to turn (a
 * table of hashes that is searched for a free place), or the loop goes on as long as it succeeds, it is no retry.
 */
bool isRetry(const llvm::Loop &loop, const llvm::LoopInfo &loops, const llvm::DominatorTree &dominators);

} // namespace gpuperf
#endif
