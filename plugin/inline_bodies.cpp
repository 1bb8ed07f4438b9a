#include "plugin/inline_bodies.h"

#include "clang/Basic/CodeGenOptions.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace gpuperf {

namespace {

llvm::OptimizationLevel levelOf(const clang::CodeGenOptions &options)
{
    if (options.OptimizeSize > 0)
        return options.OptimizeSize == 1 ? llvm::OptimizationLevel::Os : llvm::OptimizationLevel::Oz;
    return options.OptimizationLevel == 1 ? llvm::OptimizationLevel::O1 : options.OptimizationLevel == 2 ? llvm::OptimizationLevel::O2 : llvm::OptimizationLevel::O3;
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

bool mayLoseBodies(const llvm::Module &module)
{
    return llvm::any_of(module, [](const llvm::Function &function) { return function.hasAvailableExternallyLinkage(); });
}

std::unique_ptr<llvm::Module> twinWithInlineBodies(const llvm::Module &module)
{
    std::unique_ptr<llvm::Module> twin = llvm::CloneModule(module);
    for (llvm::Function &function : *twin) {
        if (!function.hasAvailableExternallyLinkage())
            continue;
        function.setLinkage(llvm::GlobalValue::InternalLinkage);
        function.setVisibility(llvm::GlobalValue::DefaultVisibility);
        function.setDSOLocal(true);
    }
    return twin;
}

bool missesBodies(const llvm::Module &module, const llvm::Module &twin)
{
    return llvm::any_of(module, [&twin](const llvm::Function &function) {
        const llvm::Function *original = function.isDeclaration() && !function.use_empty() ? twin.getFunction(function.getName()) : nullptr;
        return original && !original->isDeclaration();
    });
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
    builder.buildPerModuleDefaultPipeline(levelOf(options)).run(twin, modules);
}

} // namespace gpuperf
