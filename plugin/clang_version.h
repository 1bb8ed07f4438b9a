/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* All that depends on the version of Clang and LLVM. Written for 22; another version changes this file only. */
#ifndef GPUPERF_PLUGIN_CLANG_VERSION_H
#define GPUPERF_PLUGIN_CLANG_VERSION_H

#include <functional>

#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/Basic/CodeGenOptions.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/LangOptions.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"

#if LLVM_VERSION_MAJOR < 22
#error "gpuperf's plugin is written for LLVM and Clang 22"
#endif

namespace gpuperf
{

using AddPass = std::function<void(llvm::ModulePassManager &)>;

/* Calls `add` with the pass manager when the optimiser's first extension point is built. */
inline void addAtPipelineStart(clang::CodeGenOptions &options, AddPass add)
{
    options.PassBuilderCallbacks.push_back([add](llvm::PassBuilder &builder) {
        builder.registerPipelineStartEPCallback(
            [add](llvm::ModulePassManager &passes, llvm::OptimizationLevel) { add(passes); });
    });
}

using AddFunctionPass = std::function<void(llvm::FunctionPassManager &)>;

/* The same with the functions' pass manager before loops are vectorised and unrolled. */
inline void addAtVectorizerStart(clang::CodeGenOptions &options, AddFunctionPass add)
{
    options.PassBuilderCallbacks.push_back([add](llvm::PassBuilder &builder) {
        builder.registerVectorizerStartEPCallback(
            [add](llvm::FunctionPassManager &passes, llvm::OptimizationLevel) { add(passes); });
    });
}

using AddLoopPass = std::function<void(llvm::LoopPassManager &)>;

/* And with the loops' where they are simple, before those of few iterations are unrolled whole. */
inline void addAtLateLoops(clang::CodeGenOptions &options, AddLoopPass add)
{
    options.PassBuilderCallbacks.push_back([add](llvm::PassBuilder &builder) {
        builder.registerLateLoopOptimizationsEPCallback(
            [add](llvm::LoopPassManager &passes, llvm::OptimizationLevel) { add(passes); });
    });
}

/* And with the module's where variables are values and nothing is combined yet. */
inline void addAtEarlySimplification(clang::CodeGenOptions &options, AddPass add)
{
    options.PassBuilderCallbacks.push_back([add](llvm::PassBuilder &builder) {
        builder.registerPipelineEarlySimplificationEPCallback(
            [add](llvm::ModulePassManager &passes, llvm::OptimizationLevel, llvm::ThinOrFullLTOPhase) { add(passes); });
    });
}

/* And at its last one. */
inline void addAtOptimizerLast(clang::CodeGenOptions &options, AddPass add)
{
    options.PassBuilderCallbacks.push_back([add](llvm::PassBuilder &builder) {
        builder.registerOptimizerLastEPCallback(
            [add](llvm::ModulePassManager &passes, llvm::OptimizationLevel, llvm::ThinOrFullLTOPhase) { add(passes); });
    });
}

/* Calls `look` with the module before the optimiser drops bodies that are only there to be inlined; behind all
 * inlining, before loops are vectorised and unrolled. */
inline void lookBeforeBodiesGo(clang::CodeGenOptions &options, std::function<void(const llvm::Module &)> look)
{
    options.PassBuilderCallbacks.push_back([look](llvm::PassBuilder &builder) {
        if (llvm::PassInstrumentationCallbacks *callbacks = builder.getPassInstrumentationCallbacks())
            callbacks->registerBeforeNonSkippedPassCallback([look](llvm::StringRef pass, llvm::Any ir) {
                const llvm::Module *const *module =
                    pass == "EliminateAvailableExternallyPass" ? llvm::any_cast<const llvm::Module *>(&ir) : nullptr;
                if (module)
                    look(**module);
            });
    });
}

/* OpenCL's kernels carry DeviceKernelAttr since Clang 21 (OpenCLKernelAttr before), CUDA's CUDAGlobalAttr. */
inline bool isKernel(const clang::FunctionDecl &function, const clang::LangOptions &language)
{
    return language.CUDA ? function.hasAttr<clang::CUDAGlobalAttr>() : function.hasAttr<clang::DeviceKernelAttr>();
}

/* A diagnostic of ours whose text is its argument. Each format is a rule of its own in clang's SARIF. */
inline unsigned customDiagnostic(clang::DiagnosticsEngine &diagnostics, clang::DiagnosticsEngine::Level level,
                                 llvm::StringRef format = "%0")
{
    return diagnostics.getDiagnosticIDs()->getCustomDiagID(static_cast<clang::DiagnosticIDs::Level>(level), format);
}

} // namespace gpuperf
#endif
