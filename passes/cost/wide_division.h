/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Divisions of 64-bit integers by what their operands are. */
#ifndef GPUPERF_PASSES_WIDE_DIVISION_H
#define GPUPERF_PASSES_WIDE_DIVISION_H

#include "llvm/IR/InstrTypes.h"

#include "model/profile/profile.h"

namespace gpuperf
{

/*
 * The class of a division or remainder of 64 bits. GPUs' code divides in 32 bits where both operands fit, else it takes
 * three times as many instructions: where known bits say that an operand has an upper half, or it is a hash or a
 * product of numbers of 64 bits. Arguments, ids and what is computed of them are taken to be sizes and places, which
 * fit; of what is loaded nobody knows (GP_CLASS_LONG_DIV_DATA).
 */
gp_class longDivisionClass(const llvm::BinaryOperator &inst);

} // namespace gpuperf
#endif
