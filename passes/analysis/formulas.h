/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Values that an address may be made of and that are a call, or several operations of a profile: PTX's and AMD's
 * intrinsics, PTX in inline assembly as CUDA's headers write it (__ffs, __funnelshift_lc), functions of OpenCL C that
 * stay calls, and vectors seen as numbers of another width.
 */
#ifndef GPUPERF_PASSES_FORMULAS_H
#define GPUPERF_PASSES_FORMULAS_H

#include "passes/analysis/lowering.h"

namespace gpuperf
{

Lowering formulaOf(const llvm::CallBase &call, unsigned element);
Lowering formulaOf(const llvm::BitCastInst &cast, unsigned element);

} // namespace gpuperf
#endif
