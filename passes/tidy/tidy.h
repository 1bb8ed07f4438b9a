/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Rewrites of code that is for the profile alone: a file each, called by the table in passes/rewrites.cpp. */
#ifndef GPUPERF_PASSES_TIDY_H
#define GPUPERF_PASSES_TIDY_H

#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"

namespace gpuperf
{

/* ---- Constant arrays --------------------------------------------------------------------------------------------- */

/* Small private arrays that are written once and read at an index that is computed: the stages of a pipeline, a
 * direction's offsets. */

/*
 * Reads of a private array of up to 16 pointers or integers, each of whose elements has one store that comes before all
 * reads, become what was stored: first + index * step where the elements are a fixed number of bytes apart, else a
 * choice among them. So addresses that come out of such an array are known. What the reads themselves would take is
 * left out.
 */
void spellOutArraysWrittenOnce(llvm::Function &function);

/* ---- Narrow counters --------------------------------------------------------------------------------------------- */

/* Counters that are wider than the source's. */

/*
 * `for (int i = get_global_id(0); i < n; i += get_global_size(0))`: the sum has 64 bits, of which 32 are kept, and the
 * optimiser keeps them in a phi of 64 and extends their sign anew in each iteration. The copy counts in 32 bits, as the
 * source does, and the loop's bound can be found.
 */
void narrowCounters(llvm::Function &function);

/* ---- Unusual widths ---------------------------------------------------------------------------------------------- */

/* Integers of widths that a profile does not keep. */

/*
 * The optimiser computes in i33 where a sum of a counter is written out, in i4 where only four bits are used, as no
 * machine does. The copy computes in the next width of 8, 16, 32 and 64 bits with the upper bits zero, as code
 * generators do. Vectors and what is wider than 64 bits stay.
 */
void widenOddIntegers(llvm::Function &function);

/* ---- Vector conditions ------------------------------------------------------------------------------------------- */

/* Conditions that the optimiser took together. */

/*
 * Four comparisons become one of vectors, whose bits are then compared with all or none of them, or reduced; sums of
 * integers likewise. GPUs have no such vectors: their code compares one by one and combines, and so does the copy
 * afterwards.
 */
void spellOutVectorConditions(llvm::Function &function);

} // namespace gpuperf
#endif
