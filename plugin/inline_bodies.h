/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Functions that are `inline` and no more: C99 (6.7.4), and OpenCL C with it, has their external definition elsewhere,
 * so that clang drops the bodies of those that were not inlined. All compilers of GPUs' vendors have such bodies at
 * hand. Where calls of them are left, what is analysed is a twin of the module, in which these functions are as
 * `static` ones. It is made behind the inliner, when all that is costly has been done once for both, and goes the rest
 * of the way through the optimiser as well; the module itself is as it was.
 */
#ifndef GPUPERF_PLUGIN_INLINE_BODIES_H
#define GPUPERF_PLUGIN_INLINE_BODIES_H

#include <memory>

#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace clang
{
class CodeGenOptions;
}

namespace gpuperf
{

/* Asked before the optimiser drops bodies (clang_version.h: lookBeforeBodiesGo()): whether there are calls of such
 * functions left. */
bool losesBodies(const llvm::Module &module);

/* The twin, then: all is inlined and simplified; functions are vectorised and unrolled later. */
std::unique_ptr<llvm::Module> twinWithInlineBodies(const llvm::Module &module);

/* The rest of what clang does with these options; of the target, the analyses that it has for the module proper know.
 */
void optimiseTwin(llvm::Module &twin, const clang::CodeGenOptions &options, llvm::FunctionAnalysisManager &ofModule);

} // namespace gpuperf
#endif
