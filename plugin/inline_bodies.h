/*
 * Functions that are `inline` and no more: C99 (6.7.4), and OpenCL C with it, has their external definition elsewhere, so that clang drops the
 * bodies of those that were not inlined. All compilers of GPUs' vendors have such bodies at hand. What is analysed then is a twin of the module,
 * in which these functions are as `static inline` ones and which goes the same way through the optimiser; the module itself is as it was.
 */
#ifndef GPUPERF_PLUGIN_INLINE_BODIES_H
#define GPUPERF_PLUGIN_INLINE_BODIES_H

#include <memory>

#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace clang {
class CodeGenOptions;
}

namespace gpuperf {

bool losesInlineBodies(const llvm::Module &module);

/* The twin, before the optimiser. */
std::unique_ptr<llvm::Module> twinWithInlineBodies(const llvm::Module &module);

/* As clang does it with these options; of the target, the analyses that it has for the module proper know. */
void optimiseTwin(llvm::Module &twin, const clang::CodeGenOptions &options, llvm::FunctionAnalysisManager &ofModule);

} // namespace gpuperf
#endif
