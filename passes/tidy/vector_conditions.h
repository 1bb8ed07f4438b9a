/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Conditions that the optimiser took together. */
#ifndef GPUPERF_PASSES_VECTOR_CONDITIONS_H
#define GPUPERF_PASSES_VECTOR_CONDITIONS_H

#include "llvm/IR/Function.h"

namespace gpuperf
{

/*
 * Four comparisons become one of vectors, whose bits are then compared with all or none of them, or reduced; sums of
 * integers likewise. GPUs have no such vectors: their code compares one by one and combines, and so does the copy
 * afterwards.
 */
void spellOutVectorConditions(llvm::Function &function);

} // namespace gpuperf
#endif
