/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Loads, stores and atomics that CUDA's headers and programs write in PTX. */
#ifndef GPUPERF_PASSES_MEMORY_ASSEMBLY_H
#define GPUPERF_PASSES_MEMORY_ASSEMBLY_H

#include "llvm/IR/Function.h"

namespace gpuperf
{

/*
 * Inline assembly that is one access to memory becomes that access: __ldcg() and the like ("ld.global.cg.f32 $0,
 * [$1];"), st, red and atom on integers and with float additions, cp.async as a load and a store that does not wait for
 * it (async_copies.h), ldmatrix as the row of 16 bytes whose address each lane gives, of .x1 and .x2 each of the first
 * 8 and 16 (PTX ISA, "Data Movement and Conversion Instructions"). bar.sync and barrier.sync for all of the group
 * become the barrier. What has other forms stays assembly. Returns whether there are new blocks, made for loads of some
 * lanes.
 */
bool spellOutMemoryAssembly(llvm::Function &function);

} // namespace gpuperf
#endif
