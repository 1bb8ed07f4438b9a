/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * gpuperf-ir NAME IR PROFILE MODULE: reads a module of LLVM IR, text or bitcode, and writes the profile of its kernels
 * and the module as text for the device's backend. NAME is what messages call it. What prints is one sentence, on
 * standard error; then the exit status is 1.
 *
 * A module that nobody has optimised yet (variables are still in memory, as clang -O0 and -Xclang -disable-llvm-passes
 * leave them) is optimised as -O2 does first; one that somebody has is taken as it is.
 */
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

#include "model/profile/profile_binary.h"
#include "passes/analysis/double_sites.h"
#include "passes/analysis/power_sites.h"
#include "passes/analysis/work_items.h"
#include "passes/build_profile.h"
#include "passes/ir/kernels.h"
#include "passes/tidy/merged_places.h"

using namespace gpuperf;

namespace
{

/* What is known before the optimiser begins only. */
struct Before {
    PowerSites powers;
    DoubleSites doubles;
    MergedPlaces places;
};

int fail(const std::string &sentence)
{
    fprintf(stderr, "%s\n", sentence.c_str());
    return 1;
}

bool isOptimised(const llvm::Module &module)
{
    for (const llvm::Function &function : module)
        for (const llvm::BasicBlock &block : function)
            for (const llvm::Instruction &instruction : block)
                if (auto *variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
                    variable && llvm::isAllocaPromotable(variable))
                    return false;
    return true;
}

/* What -O0 asks for is not asked for any more. */
void allowOptimising(llvm::Module &module)
{
    for (llvm::Function &function : module) {
        if (!function.hasOptNone())
            continue;
        function.removeFnAttr(llvm::Attribute::OptimizeNone);
        function.removeFnAttr(llvm::Attribute::NoInline);
    }
}

/* Null: LLVM makes no code for the target (spir64). */
std::unique_ptr<llvm::TargetMachine> machineFor(const llvm::Module &module,
                                                const std::vector<llvm::Function *> &kernels)
{
    std::string error;
    const llvm::Target *target = llvm::TargetRegistry::lookupTarget(module.getTargetTriple(), error);
    if (!target)
        return nullptr;
    auto text = [&](const char *name) {
        return kernels.front()->getFnAttribute(name).isValid()
                   ? kernels.front()->getFnAttribute(name).getValueAsString().str()
                   : std::string();
    };
    return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
        module.getTargetTriple(), text("target-cpu"), text("target-features"), {}, std::nullopt));
}

void optimise(llvm::Module &module, llvm::TargetMachine *machine)
{
    llvm::LoopAnalysisManager loops;
    llvm::FunctionAnalysisManager functions;
    llvm::CGSCCAnalysisManager components;
    llvm::ModuleAnalysisManager modules;
    llvm::PassBuilder builder(machine);
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(components);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, components, modules);
    builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O2).run(module, modules);
}

/* By what front ends leave in a module: OpenCL's versions, and calling conventions that only it uses. */
std::string languageOf(const llvm::Module &module, const std::vector<llvm::Function *> &kernels)
{
    bool opencl = module.getNamedMetadata("opencl.ocl.version") || module.getNamedMetadata("opencl.cxx.version") ||
                  targetOf(module) == Target::Spir || kernels.front()->getMetadata("kernel_arg_addr_space");
    return opencl ? "opencl" : "cuda";
}

BuildOptions optionsFor(const llvm::Module &module, const std::vector<llvm::Function *> &kernels, const char *name,
                        const Before &before)
{
    BuildOptions options;
    options.producer = "gpuperf " GPUPERF_VERSION " llvm " LLVM_VERSION_STRING;
    options.source = module.getSourceFileName().empty() ? name : module.getSourceFileName();
    options.language = languageOf(module, kernels);
    options.joinsWords = targetOf(module) == Target::Amdgcn;
    options.widensLocalLoads = !options.joinsWords;
    options.powers = &before.powers;
    options.doubles = &before.doubles;
    options.places = &before.places;
    options.askForGroups = askForGroups(module);
    return options;
}

bool writeModule(const llvm::Module &module, const char *path)
{
    std::error_code code;
    llvm::raw_fd_ostream out(path, code);
    if (code)
        return false;
    module.print(out, nullptr);
    out.flush();
    return !out.has_error();
}

/* "k.ll:3:5: expected type" */
std::string mistakeOf(const llvm::SMDiagnostic &mistake, const char *name)
{
    std::string text = name;
    if (mistake.getLineNo() > 0)
        text += ":" + std::to_string(mistake.getLineNo()) + ":" + std::to_string(mistake.getColumnNo() + 1);
    return text + ": " + mistake.getMessage().str();
}

} // namespace

int main(int argc, char **argv)
{
    if (argc != 5)
        return fail("usage: gpuperf-ir NAME IR PROFILE MODULE");
    const char *name = argv[1];
    llvm::LLVMContext context;
    llvm::SMDiagnostic mistake;
    std::unique_ptr<llvm::Module> module = llvm::parseIRFile(argv[2], mistake, context);
    if (!module)
        return fail(mistakeOf(mistake, name) + "; it is read as LLVM " + std::to_string(LLVM_VERSION_MAJOR) +
                    " writes it");
    if (llvm::verifyModule(*module))
        return fail(std::string(name) + ": this LLVM IR is not well-formed; opt -passes=verify says where");
    if (targetOf(*module) == Target::Host)
        return fail(std::string(name) + " is LLVM IR for " +
                    (module->getTargetTriple().str().empty() ? "no target" : module->getTargetTriple().str()) +
                    ", which has no kernels; spir, nvptx and amdgcn are read");
    std::vector<llvm::Function *> kernels = findKernels(*module);
    if (kernels.empty())
        return fail(std::string(name) +
                    " has no kernel: no function of a kernel's calling convention is defined in it");
    Before before;
    BuildOptions options = optionsFor(*module, kernels, name, before);
    if (!isOptimised(*module)) {
        llvm::InitializeAllTargets();
        llvm::InitializeAllTargetMCs();
        before.powers.collect(*module);
        before.doubles.collect(*module);
        before.places.collect(*module);
        allowOptimising(*module);
        optimise(*module, machineFor(*module, kernels).get());
    }
    std::vector<uint32_t> words;
    std::string error;
    if (!buildProfile(*module, options, words, error))
        return fail(std::string(name) + ": " + error);
    gp_error failure = {};
    gp_profile *profile = gp_profile_decode_encoded(words.data(), words.size(), &failure);
    bool written = profile && gp_profile_write_file(profile, argv[3], &failure);
    gp_profile_free(profile);
    if (!written)
        return fail(std::string(name) + ": " + failure.text);
    return writeModule(*module, argv[4]) ? 0 : fail(std::string("cannot write ") + argv[4]);
}
