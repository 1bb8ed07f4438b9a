/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How many instructions code generators make of a loop's block, for rules on how far they unroll it. */
#ifndef GPUPERF_PASSES_MACHINE_SIZE_H
#define GPUPERF_PASSES_MACHINE_SIZE_H

#include <cstdint>

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"

namespace gpuperf
{

/* Of a block: neither branches nor parts of addresses and counters, which the machine's accesses have in them; a
 * product that goes to one sum is one instruction with it. */
uint64_t machineInstructions(const llvm::BasicBlock &block, const llvm::Loop &loop, llvm::ScalarEvolution &evolution);

} // namespace gpuperf
#endif
