/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Integers of widths that a profile does not keep. */
#ifndef GPUPERF_PASSES_ODD_INTEGERS_H
#define GPUPERF_PASSES_ODD_INTEGERS_H

#include "llvm/IR/Function.h"

namespace gpuperf
{

/*
 * The optimiser computes in i33 where a sum of a counter is written out, in i4 where only four bits are used, as no
 * machine does. The copy computes in the next width of 8, 16, 32 and 64 bits with the upper bits zero, as code
 * generators do. Vectors and what is wider than 64 bits stay.
 */
void widenOddIntegers(llvm::Function &function);

} // namespace gpuperf
#endif
