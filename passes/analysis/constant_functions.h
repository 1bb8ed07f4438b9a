/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Logarithms and powers of constants, which vendors' compilers compute: loops that end by them are unrolled. */
#ifndef GPUPERF_PASSES_CONSTANT_FUNCTIONS_H
#define GPUPERF_PASSES_CONSTANT_FUNCTIONS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/PassManager.h"

namespace gpuperf
{

/* "log2" of OpenCL's native_log2(), libdevice's __nv_fast_log2f() and __nv_log2(), CUDA's __log2f() as clang's headers
 * define it, and AMD's __ocml_log2_f32(). */
llvm::StringRef plainMathName(const llvm::CallBase &call);

/*
 * `__log2f(16)` is 4, `native_exp2(3.0f)` is 8, of floats. Before loops are unrolled: what is constant only then stays
 * a function's result, as for nvcc 13.0 (sm_75), to which __powf(2, i) in an unrolled loop is a number but no constant
 * divisor. False: nothing was changed.
 */
bool computeConstantFunctions(llvm::Function &function, llvm::FunctionAnalysisManager &manager);

} // namespace gpuperf
#endif
