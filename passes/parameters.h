/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A kernel's parameters, and what its annotate attribute says of them. */
#ifndef GPUPERF_PASSES_PARAMETERS_H
#define GPUPERF_PASSES_PARAMETERS_H

#include "llvm/Support/StringSaver.h"

#include "passes/build_profile.h"
#include "passes/emit/emitter.h"

namespace gpuperf
{

/* Adds them to data.params, elements of vectors behind all arguments, as in the kernel's copy. */
void describeParameters(const llvm::Function &kernel, Target target, const BuildOptions &options, KernelData &data,
                        llvm::UniqueStringSaver &strings);

/* "gpuperf: global=4096x4096 local=32x8 n=4096" */
void readAssumptions(llvm::StringRef text, KernelData &data);

} // namespace gpuperf

#endif
