/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Small private arrays that are written once and read at an index that is computed: the stages of a pipeline, a
 * direction's offsets. */
#ifndef GPUPERF_PASSES_WRITTEN_ONCE_H
#define GPUPERF_PASSES_WRITTEN_ONCE_H

#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"

namespace gpuperf
{

/*
 * Reads of a private array of up to 16 pointers or integers, each of whose elements has one store that comes before all
 * reads, become what was stored: first + index * step where the elements are a fixed number of bytes apart, else a
 * choice among them. So addresses that come out of such an array are known. What the reads themselves would take is
 * left out.
 */
void spellOutArraysWrittenOnce(llvm::Function &function);

} // namespace gpuperf
#endif
