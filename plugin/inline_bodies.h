/*
 * Functions that are `inline` and no more: C99 (6.7.4), and OpenCL C with it, has their external definition elsewhere, so that clang drops the
 * bodies of those that were not inlined. All compilers of GPUs' vendors have such bodies at hand. Where calls of them are left, what is analysed is a twin of the module,
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

/* Asked before the optimiser: whether there are such functions. */
bool mayLoseBodies(const llvm::Module &module);

/* The twin, before the optimiser. */
std::unique_ptr<llvm::Module> twinWithInlineBodies(const llvm::Module &module);

/* Asked behind the optimiser: whether a call is left of a function whose body only the twin has. */
bool missesBodies(const llvm::Module &module, const llvm::Module &twin);

/* As clang does it with these options; of the target, the analyses that it has for the module proper know. */
void optimiseTwin(llvm::Module &twin, const clang::CodeGenOptions &options, llvm::FunctionAnalysisManager &ofModule);

} // namespace gpuperf
#endif
