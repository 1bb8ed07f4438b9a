/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What the compiled module carries.
 *
 * On each kernel, metadata with the predicted cycles, the best first:
 *
 *     define spir_kernel void @transpose(...) !gpuperf !4
 *     !4 = !{!5, !6, ...}
 *     !5 = !{!"a100", i32 32, i32 8, i32 1, i64 183402}    ; device, local size x, y, z, cycles
 *
 * In the module, the profile, cut into private arrays of 32-bit words in the target's constant memory (for SPIR-V: into
 * the names of private constants) and kept by llvm.compiler.used; profile_find.h has their layout and finds them again.
 */
#ifndef GPUPERF_PLUGIN_ANNOTATE_H
#define GPUPERF_PLUGIN_ANNOTATE_H

#include "llvm/IR/Module.h"

#include "plugin/predictions.h"

namespace gpuperf
{

void annotateKernels(llvm::Module &module, const Predictions &predictions);
void embedProfile(llvm::Module &module, llvm::ArrayRef<uint32_t> words);

} // namespace gpuperf
#endif
