/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Inline assembly of several statements. */
#ifndef GPUPERF_PASSES_SPLIT_ASSEMBLY_H
#define GPUPERF_PASSES_SPLIT_ASSEMBLY_H

#include "llvm/IR/Function.h"

namespace gpuperf
{

/*
 * Assembly in PTX each of whose statements is known by its name (`shfl.sync.up.b32 r0|p, ...; @p add.s32 r0, r0, ...;
 * mov.s32 ..., r0` of CUB's scans) becomes a statement after the other, each with the result of the one before and all
 * that the whole was given. What they compute is not kept, only what they cost and wait for; moves between registers
 * are none. For copies that are analysed.
 */
void splitAssembly(llvm::Function &function);

} // namespace gpuperf
#endif
