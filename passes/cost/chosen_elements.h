/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Elements of vectors whose number is a value. NVIDIA's and CPUs' backends put the vector into memory for that; AMD's
 * keeps it in registers, and so small private arrays too, which it makes vectors of (LLVM's AMDGPUPromoteAlloca.cpp).
 */
#ifndef GPUPERF_PASSES_CHOSEN_ELEMENTS_H
#define GPUPERF_PASSES_CHOSEN_ELEMENTS_H

#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/IR/Instructions.h"

#include "passes/cost/classify.h"

namespace gpuperf
{

/* Whether an instruction reads or writes an element whose number is no constant. */
bool choosesElement(const llvm::Instruction &inst);

/*
 * What AMD's backend makes of one, per element of the result: v_cmp and v_cndmask for each element that it may be, the
 * comparisons once for a number that several instructions of a block ask for, and on the scalar unit where it is the
 * same in all lanes; then, of larger vectors, a move with an index register instead (LLVM's
 * SITargetLowering::shouldExpandVectorDynExt()).
 */
Cost chosenElementCost(const llvm::Instruction &inst, const llvm::UniformityInfo *uniformity);

} // namespace gpuperf
#endif
