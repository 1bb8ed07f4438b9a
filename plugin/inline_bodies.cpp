/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "plugin/inline_bodies.h"

#include "clang/Basic/CodeGenOptions.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include "passes/ir/kernels.h"

namespace gpuperf
{

namespace
{

llvm::OptimizationLevel levelOf(const clang::CodeGenOptions &options)
{
    if (options.OptimizeSize > 0)
        return options.OptimizeSize == 1 ? llvm::OptimizationLevel::Os : llvm::OptimizationLevel::Oz;
    return options.OptimizationLevel == 1   ? llvm::OptimizationLevel::O1
           : options.OptimizationLevel == 2 ? llvm::OptimizationLevel::O2
                                            : llvm::OptimizationLevel::O3;
}

llvm::PipelineTuningOptions tuningOf(const clang::CodeGenOptions &options)
{
    llvm::PipelineTuningOptions tuning;
    tuning.LoopUnrolling = tuning.LoopInterleaving = options.UnrollLoops;
    tuning.LoopVectorization = options.VectorizeLoop;
    tuning.SLPVectorization = options.VectorizeSLP;
    tuning.MergeFunctions = options.MergeFunctions;
    return tuning;
}

} // namespace

bool losesBodies(const llvm::Module &module)
{
    return llvm::any_of(module, [](const llvm::Function &function) {
        return function.hasAvailableExternallyLinkage() && !function.use_empty();
    });
}

/* What only other files could call is nobody's in the twin: functions that were inlined everywhere go with it. */
static void keepWhatKernelsReach(llvm::Module &twin)
{
    llvm::SmallPtrSet<const llvm::Function *, 16> kernels;
    for (llvm::Function *kernel : findKernels(twin))
        kernels.insert(kernel);
    for (llvm::Function &function : twin) {
        if (function.isDeclaration() || kernels.contains(&function))
            continue;
        function.setLinkage(llvm::GlobalValue::InternalLinkage);
        function.setVisibility(llvm::GlobalValue::DefaultVisibility);
        function.setDSOLocal(true);
    }
}

std::unique_ptr<llvm::Module> twinWithInlineBodies(const llvm::Module &module)
{
    std::unique_ptr<llvm::Module> twin = llvm::CloneModule(module);
    keepWhatKernelsReach(*twin);
    return twin;
}

void optimiseTwin(llvm::Module &twin, const clang::CodeGenOptions &options, llvm::FunctionAnalysisManager &ofModule)
{
    llvm::LoopAnalysisManager loops;
    llvm::FunctionAnalysisManager functions;
    llvm::CGSCCAnalysisManager components;
    llvm::ModuleAnalysisManager modules;
    llvm::PassBuilder builder(nullptr, tuningOf(options));
    for (const auto &add : options.PassBuilderCallbacks)
        add(builder);
    functions.registerPass([&ofModule] {
        return llvm::TargetIRAnalysis([&ofModule](const llvm::Function &function) {
            auto &mutableFunction = const_cast<llvm::Function &>(function);
            llvm::TargetTransformInfo target(std::move(ofModule.getResult<llvm::TargetIRAnalysis>(mutableFunction)));
            ofModule.clear(mutableFunction, function.getName());
            return target;
        });
    });
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(components);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, components, modules);
    llvm::GlobalDCEPass().run(twin, modules);
    builder.buildModuleOptimizationPipeline(levelOf(options), llvm::ThinOrFullLTOPhase::None).run(twin, modules);
}

} // namespace gpuperf
