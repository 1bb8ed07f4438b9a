/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * gpuperf.so, loaded by clang -fplugin: an action that runs beside the compile itself, on OpenCL C and device code of
 * CUDA and HIP only.
 *
 * While the source is parsed it collects what only the source knows (source_facts.h). At the optimiser's last extension
 * point it analyses the module (session.h). Line positions come from line tables: switched on here where the user
 * has not asked for debug information, and removed again before code is generated.
 */
#include <memory>

#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"

#include "passes/ir/builtins.h"
#include "passes/cost/classify.h"
#include "passes/analysis/constant_functions.h"
#include "passes/ir/kernels.h"
#include "passes/nvidia/loop_unrolling.h"
#include "passes/nvidia/power_divisors.h"
#include "passes/tidy/spell_work_items.h"
#include "passes/analysis/work_items.h"
#include "plugin/clang_version.h"
#include "plugin/diagnose.h"
#include "plugin/inline_bodies.h"
#include "plugin/line_tables.h"
#include "plugin/session.h"

namespace gpuperf
{

namespace
{

/* The host half of CUDA and HIP and every other language are passed over. */
bool isForUs(const clang::LangOptions &language) { return language.OpenCL || (language.CUDA && language.CUDAIsDevice); }

bool generatesCode(const clang::FrontendOptions &options)
{
    switch (options.ProgramAction) {
    case clang::frontend::EmitAssembly:
    case clang::frontend::EmitBC:
    case clang::frontend::EmitLLVM:
    case clang::frontend::EmitLLVMOnly:
    case clang::frontend::EmitCodeGenOnly:
    case clang::frontend::EmitObj: return true;
    default: return false;
    }
}

/* Empty: the optimiser will run. */
std::string whyNotOptimised(const clang::CodeGenOptions &options)
{
    if (options.OptimizationLevel == 0)
        return "no prediction at -O0: the code is not optimised; compile with -O1 or more";
    if (options.DisableLLVMPasses)
        return "no prediction with LLVM's passes disabled (-disable-llvm-passes): the code is not optimised";
    return "";
}

class AnalysisPass : public llvm::PassInfoMixin<AnalysisPass>
{
public:
    explicit AnalysisPass(std::shared_ptr<Session> session) : session(std::move(session)) {}
    llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &manager)
    {
        if (&module == session->twin.get())
            return llvm::PreservedAnalyses::all();
        llvm::FunctionAnalysisManager &functions =
            manager.getResult<llvm::FunctionAnalysisManagerModuleProxy>(module).getManager();
        if (session->twin)
            optimiseTwin(*session->twin, session->compiler.getCodeGenOpts(), functions);
        bool changed = analyzeModule(*session, module);
        session->twin.reset(); /* it lives no longer than the module's context */
        if (session->options.builtinsFirst && targetOf(module) == Target::Nvptx) {
            spellWorkItems(module, functions);
            changed = true;
        }
        return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
    }
    static bool isRequired() { return true; }

private:
    std::shared_ptr<Session> session;
};

/* Line tables are ours alone: what is not needed of them goes before the optimiser begins. */
class ThinPass : public llvm::PassInfoMixin<ThinPass>
{
public:
    llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &)
    {
        thinLineTables(module);
        return llvm::PreservedAnalyses::all();
    }
    static bool isRequired() { return true; }
};

/* What is left of calls of libdevice's functions once they are inlined are their places. */
class SitesPass : public llvm::PassInfoMixin<SitesPass>
{
public:
    explicit SitesPass(std::shared_ptr<Session> session) : session(std::move(session)) {}
    llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &)
    {
        session->powers.collect(module);
        session->doubles.collect(module);
        return llvm::PreservedAnalyses::all();
    }
    static bool isRequired() { return true; }

private:
    std::shared_ptr<Session> session;
};

class PlacesPass : public llvm::PassInfoMixin<PlacesPass>
{
public:
    explicit PlacesPass(std::shared_ptr<Session> session) : session(std::move(session)) {}
    llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &)
    {
        session->places.collect(module);
        session->preprocessed.rounding = leavesRoundingOpen(module);
        session->askForGroups = askForGroups(module);
        return llvm::PreservedAnalyses::all();
    }
    static bool isRequired() { return true; }

private:
    std::shared_ptr<Session> session;
};

/* For AMD's devices a kernel's body is inlined and would still be optimised, printed and compiled for nobody: one that
 * is known to have no other caller goes. */
void letBodyGo(llvm::Function &function)
{
    if (isKernelBody(function) && targetOf(*function.getParent()) == Target::Amdgcn)
        function.setLinkage(llvm::GlobalValue::InternalLinkage);
}

/*
 * What vendors' optimisers see of min(), clamp(), mad24() ...: arithmetic, which they hoist, merge and unroll with; of
 * ids: numbers of few bits; and of other functions: nothing that hinders unrolling. LLVM's sees calls. It changes the
 * code, so only where asked to.
 */
class ExpandPass : public llvm::PassInfoMixin<ExpandPass>
{
public:
    llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &)
    {
        for (llvm::Function &function : module)
            if (!function.isDeclaration()) {
                letBodyGo(function);
                expandBuiltins(function);
                boundIds(function);
                letIdsMerge(function);
                letFunctionsMove(function, targetOf(module));
            }
        return llvm::PreservedAnalyses::none();
    }
    static bool isRequired() { return true; }
};

/* Likewise, one function at a time. */
template <bool change(llvm::Function &, llvm::FunctionAnalysisManager &)>
class ChangePass : public llvm::PassInfoMixin<ChangePass<change>>
{
public:
    llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &manager)
    {
        return change(function, manager) ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
    }
    static bool isRequired() { return true; }
};

/* What was hidden from the optimiser is as it was. */
class ShowPass : public llvm::PassInfoMixin<ShowPass>
{
public:
    llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &)
    {
        return showDivisors(module) ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
    }
    static bool isRequired() { return true; }
};

/* What NVIDIA's compilers would divide by in code that they have still to compile. */
class DivisorsPass : public llvm::PassInfoMixin<DivisorsPass>
{
public:
    explicit DivisorsPass(std::shared_ptr<Session> session) : session(std::move(session)) {}
    llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &manager)
    {
        if (targetOf(*function.getParent()) == Target::Spir || session->compiler.getLangOpts().CUDA)
            session->divisors.collect(function, manager);
        return llvm::PreservedAnalyses::all();
    }
    static bool isRequired() { return true; }

private:
    std::shared_ptr<Session> session;
};

void computeConstants(clang::CodeGenOptions &options)
{
    addAtEarlySimplification(options, [](llvm::ModulePassManager &passes) {
        passes.addPass(llvm::createModuleToFunctionPassAdaptor(ChangePass<computeConstantFunctions>()));
    });
}

/* NVIDIA's compilers unroll otherwise, and carry out divisions that LLVM replaces. */
void compileAsNvidia(clang::CodeGenOptions &options)
{
    addAtEarlySimplification(options, [](llvm::ModulePassManager &passes) {
        passes.addPass(llvm::createModuleToFunctionPassAdaptor(ChangePass<hideDivisors>()));
    });
    addAtLateLoops(options, [](llvm::LoopPassManager &passes) { passes.addPass(UnrollPrivatePass()); });
    addAtVectorizerStart(options, [](llvm::FunctionPassManager &passes) {
        passes.addPass(ChangePass<markAskedFor>());
        passes.addPass(ChangePass<unrollRuntimeLoops>());
    });
    addAtOptimizerLast(options, [](llvm::ModulePassManager &passes) {
        passes.addPass(llvm::createModuleToFunctionPassAdaptor(ChangePass<unrollKnownLoops>()));
        passes.addPass(ShowPass());
    });
}

/* Says at the end why there is nothing to say, once, and only where there are kernels. */
class WhyNotConsumer : public FactsConsumer
{
public:
    WhyNotConsumer(std::shared_ptr<Session> session, std::string reason)
        : FactsConsumer(session->compiler, session->facts), session(session), reason(std::move(reason))
    {
    }
    void HandleTranslationUnit(clang::ASTContext &context) override
    {
        FactsConsumer::HandleTranslationUnit(context);
        if (loadDevices(*session) && !session->facts.empty())
            reportRemark(session->compiler, reason);
    }

private:
    std::shared_ptr<Session> session;
    std::string reason;
};

/* An unknown device fails the compile before any code is made. */
class CollectConsumer : public FactsConsumer
{
public:
    explicit CollectConsumer(std::shared_ptr<Session> session)
        : FactsConsumer(session->compiler, session->facts), session(session)
    {
    }
    void HandleTranslationUnit(clang::ASTContext &context) override
    {
        FactsConsumer::HandleTranslationUnit(context);
        findLanguageNames(session->compiler, session->preprocessed);
        if (session->compiler.getDiagnostics().hasErrorOccurred())
            reportPreprocessed(*session);
        bool shown = session->options.mayWarn() && !session->facts.empty(); /* beside warnings, which kernels get */
        if (!session->options.editsFile.empty() || shown)
            session->fixes = findFixes(session->compiler);
        reportFixes(*session);
        loadDevices(*session);
    }

private:
    std::shared_ptr<Session> session;
};

/* Whether anything is to come of the analysis: not with annotate=off and warn=none, unless a file, a remark or code of
 * another kind is asked for. */
bool asksForAnything(const Options &options, const clang::CodeGenOptions &code)
{
    bool files = !options.reportFile.empty() || !options.profileFile.empty() || !options.preprocessedFile.empty() ||
                 !code.OptRecordFile.empty();
    bool remarks = code.OptimizationRemarkAnalysis.patternMatches("gpuperf") ||
                   code.OptimizationRemarkAnalysis.patternMatches("gpuperf-loops");
    return options.annotate || options.mayWarn() || files || remarks || !options.assumptions.empty() ||
           options.builtinsFirst || options.unrollsAsNvidia;
}

class Action : public clang::PluginASTAction
{
public:
    ActionType getActionType() override { return AddBeforeMainAction; }
    bool ParseArgs(const clang::CompilerInstance &compiler, const std::vector<std::string> &arguments) override;
    std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &compiler, llvm::StringRef) override;

private:
    Options options;
};

bool Action::ParseArgs(const clang::CompilerInstance &compiler, const std::vector<std::string> &arguments)
{
    if (!isForUs(compiler.getLangOpts()))
        return true;
    std::string error;
    std::vector<std::string> unknown;
    if (parseOptions(arguments, options, error) &&
        (options.configFile.empty() || readConfig(options.configFile, options.config, error)) &&
        applyWarningFlags(compiler.getDiagnosticOpts().Warnings, options, unknown, error)) {
        for (const std::string &sentence : unknown)
            reportWarning(compiler, clang::SourceLocation(), sentence);
        return true;
    }
    reportError(compiler, error);
    return false;
}

/* Line tables are on for the analysis, whatever the user asked for. */
void switchOnLineTables(Session &session)
{
    clang::CodeGenOptions &options = session.compiler.getCodeGenOpts();
    if (options.getDebugInfo() != llvm::codegenoptions::NoDebugInfo)
        return;
    options.setDebugInfo(llvm::codegenoptions::LocTrackingOnly);
    session.ownLineTables = true;
    addAtPipelineStart(options, [](llvm::ModulePassManager &passes) { passes.addPass(ThinPass()); });
}

std::unique_ptr<clang::ASTConsumer> Action::CreateASTConsumer(clang::CompilerInstance &compiler, llvm::StringRef)
{
    if (!isForUs(compiler.getLangOpts()) || !generatesCode(compiler.getFrontendOpts()))
        return std::make_unique<clang::ASTConsumer>();
    auto session = std::make_shared<Session>(compiler);
    session->options = options;
    std::string reason = whyNotOptimised(compiler.getCodeGenOpts());
    if (!reason.empty())
        return std::make_unique<WhyNotConsumer>(session, reason);
    if (!asksForAnything(options, compiler.getCodeGenOpts()))
        return std::make_unique<CollectConsumer>(session);
    switchOnLineTables(*session);
    if (!options.preprocessedFile.empty())
        followPreprocessor(compiler, session->preprocessed);
    addAtPipelineStart(compiler.getCodeGenOpts(),
                       [session](llvm::ModulePassManager &passes) { passes.addPass(PlacesPass(session)); });
    if (compiler.getLangOpts().CUDA)
        addAtPipelineStart(compiler.getCodeGenOpts(),
                           [session](llvm::ModulePassManager &passes) { passes.addPass(SitesPass(session)); });
    if (options.builtinsFirst)
        addAtPipelineStart(compiler.getCodeGenOpts(),
                           [](llvm::ModulePassManager &passes) { passes.addPass(ExpandPass()); });
    if (options.builtinsFirst || options.unrollsAsNvidia)
        computeConstants(compiler.getCodeGenOpts());
    if (options.unrollsAsNvidia)
        compileAsNvidia(compiler.getCodeGenOpts());
    else
        addAtEarlySimplification(compiler.getCodeGenOpts(), [session](llvm::ModulePassManager &passes) {
            passes.addPass(llvm::createModuleToFunctionPassAdaptor(DivisorsPass(session)));
        });
    lookBeforeBodiesGo(compiler.getCodeGenOpts(), [session](const llvm::Module &module) {
        if (losesBodies(module))
            session->twin = twinWithInlineBodies(module);
    });
    addAtOptimizerLast(compiler.getCodeGenOpts(),
                       [session](llvm::ModulePassManager &passes) { passes.addPass(AnalysisPass(session)); });
    return std::make_unique<CollectConsumer>(session);
}

} // namespace
} // namespace gpuperf

static clang::FrontendPluginRegistry::Add<gpuperf::Action> registration("gpuperf", "predicts what GPU kernels cost");
