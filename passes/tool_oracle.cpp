/*
 * gpuperf-oracle [--hwdb DIR] [--verbose] [--kernel NAME] SOURCE IR...: checks the executor against executions
 * of the same IR. SOURCE holds lines "// run KERNEL: ..." (test/oracle/inputs.h) and marks (test/oracle/compare.h); IR is
 * what clang made of it, for any targets. docs/oracle.md tells what is compared.
 */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"

#include "model/profile_binary.h"
#include "passes/tool_oracle_steps.h"
#include "test/oracle/compare.h"

using namespace llvm;
using namespace gpuperf;

namespace {

struct Settings {
    const char *hwdb = "hwdb", *source = nullptr, *only = nullptr;
    bool verbose = false;
    std::vector<const char *> modules;
    std::string text;
    std::vector<const gp_device *> devices;
    unsigned runs = 0, failures = 0, kernels = 0;
    uint64_t warps = 0, events = 0, levels[ORACLE_WRONG + 1] = {};
};

/* "targets=spir,amdgcn": a run for IR of these only. */
bool isFor(StringRef run, StringRef triple)
{
    size_t at = run.find("targets=");
    if (at == StringRef::npos)
        return true;
    SmallVector<StringRef, 4> targets;
    run.drop_front(at + 8).take_until([](char c) { return c == ' '; }).split(targets, ',');
    return any_of(targets, [&](StringRef target) { return triple.starts_with(target); });
}

/* What follows "// run KERNEL:" in the source, for each such line. */
std::vector<std::string> runsOf(const std::string &text, const std::string &kernel)
{
    std::vector<std::string> runs;
    std::istringstream lines(text);
    std::string line, head = "// run " + kernel + ":";
    while (std::getline(lines, line))
        if (line.compare(0, head.size(), head) == 0)
            runs.push_back(line.substr(head.size()));
    return runs;
}

/* The kernel as machine code, and what it needs. */
struct Machine {
    std::unique_ptr<orc::LLJIT> jit;
    oracle_code code = {};
    std::vector<oracle_region> arrays;
    std::vector<uint32_t> successors, firstSuccessor;
};

bool load(Steps &steps, std::unique_ptr<orc::LLJIT> jit, Machine &machine, std::string &error)
{
    struct Array { std::string name; uint64_t bytes; bool local; };
    std::vector<Array> arrays;
    for (GlobalVariable &variable : steps.module->globals())
        if (variable.hasExternalLinkage())
            arrays.push_back({variable.getName().str(),
                              steps.module->getDataLayout().getTypeAllocSize(variable.getValueType()).getFixedValue(),
                              variable.getAddressSpace() == 3});
    SmallString<0> bitcode;
    raw_svector_ostream stream(bitcode);
    WriteBitcodeToFile(*steps.module, stream);
    auto context = std::make_unique<LLVMContext>();
    auto module = parseBitcodeFile(MemoryBufferRef(bitcode.str(), "oracle"), *context);
    if (!module) {
        error = toString(module.takeError());
        return false;
    }
    orc::SymbolMap symbols;
    for (const oracle_function *function = oracle_functions; function->name; function++)
        symbols[jit->mangleAndIntern(function->name)] = {orc::ExecutorAddr::fromPtr(function->address),
                                                         JITSymbolFlags::Exported | JITSymbolFlags::Callable};
    orc::JITDylib &library = jit->getMainJITDylib();
    library.addGenerator(cantFail(
        orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(jit->getDataLayout().getGlobalPrefix())));
    cantFail(library.define(orc::absoluteSymbols(std::move(symbols))));
    cantFail(jit->addIRModule(orc::ThreadSafeModule(std::move(*module), std::move(context))));
    auto step = jit->lookup(steps.entry);
    if (!step) {
        error = toString(step.takeError());
        return false;
    }
    machine.code.step = step->toPtr<int32_t (*)(void *, const void *, int32_t)>();
    for (const Array &array : arrays)
        machine.arrays.push_back({cantFail(jit->lookup(array.name)).getValue(), array.bytes, array.local});
    for (const auto &next : steps.successors) {
        machine.firstSuccessor.push_back((uint32_t)machine.successors.size());
        machine.successors.insert(machine.successors.end(), next.begin(), next.end());
    }
    machine.firstSuccessor.push_back((uint32_t)machine.successors.size());
    machine.code.frame_bytes = steps.frameBytes;
    machine.code.block_count = (uint32_t)steps.successors.size();
    machine.code.piece_count = (uint32_t)steps.ends.size();
    machine.code.ends = steps.ends.data();
    machine.code.barriers = steps.barriers.data();
    machine.code.successors = machine.successors.data();
    machine.code.first_successor = machine.firstSuccessor.data();
    machine.jit = std::move(jit);
    return true;
}

std::unique_ptr<orc::LLJIT> makeJit()
{
    auto target = cantFail(orc::JITTargetMachineBuilder::detectHost());
    target.setCodeGenOptLevel(CodeGenOptLevel::None);
    return cantFail(orc::LLJITBuilder().setJITTargetMachineBuilder(std::move(target)).create());
}

bool complain(Settings &settings, const char *path, const std::string &text)
{
    fprintf(stdout, "%s: %s\n", path, text.c_str());
    settings.failures++;
    return false;
}

bool prove(Settings &settings, const char *path, const oracle_subject &subject, const std::vector<std::string> &runs)
{
    size_t count = (size_t)subject.kernel->memory_count + subject.kernel->inst_count;
    std::vector<uint8_t> levels(count + 1);
    oracle_result result = {};
    result.level = levels.data();
    for (const std::string &run : runs) {
        gp_error error = {};
        settings.runs++;
        if (!oracle_compare(&subject, run.c_str(), settings.devices.data(), settings.devices.size(), settings.verbose, stdout,
                            &result, &error))
            return complain(settings, path, std::string(subject.kernel->name) + ":" + run + ": " + error.text);
    }
    bool marked = oracle_check_marks(&subject, settings.text.c_str(), &result, stdout);
    for (uint32_t m = 0; m < subject.kernel->memory_count; m++)
        settings.levels[levels[m]]++;
    settings.warps += result.warps;
    settings.events += result.events;
    if (result.wrong || !marked)
        return complain(settings, path, std::string(subject.kernel->name) + " is not as the profile says");
    return true;
}

void proveKernel(Settings &settings, const char *path, const BuiltKernel &built, const gp_profile &profile)
{
    std::vector<std::string> runs = runsOf(settings.text, built.kernel.name);
    if (settings.only && strcmp(settings.only, built.kernel.name) != 0)
        return;
    if (runs.empty()) {
        complain(settings, path, std::string("no line \"// run ") + built.kernel.name + ": ...\"");
        return;
    }
    runs.erase(remove_if(runs, [&](const std::string &run) { return !isFor(run, profile.triple); }), runs.end());
    if (runs.empty())
        return;
    settings.kernels++;
    const gp_kernel *kernel = gp_profile_find(&profile, built.kernel.name);
    auto jit = makeJit();
    Steps steps;
    Machine machine;
    std::string error;
    if (!makeSteps(built, jit->getDataLayout(), jit->getTargetTriple().str(), steps, error) ||
        !load(steps, std::move(jit), machine, error)) {
        complain(settings, path, error);
        return;
    }
    oracle_subject subject = {&profile, kernel, machine.code, machine.arrays.data(), machine.arrays.size()};
    prove(settings, path, subject, runs);
}

/* The profile is built twice: the first one is complete when the second meets the kernels. */
void proveModule(Settings &settings, const char *path)
{
    LLVMContext context;
    SMDiagnostic diagnostic;
    std::unique_ptr<Module> module = parseIRFile(path, diagnostic, context);
    if (!module) {
        diagnostic.print("gpuperf-oracle", errs());
        settings.failures++;
        return;
    }
    BuildOptions options;
    options.producer = "gpuperf-oracle";
    options.source = module->getSourceFileName();
    options.language = module->getNamedMetadata("opencl.ocl.version") ? "opencl" : "cuda";
    std::vector<uint32_t> words, again;
    std::string error;
    gp_error failure = {};
    gp_profile *profile = nullptr;
    if (!buildProfile(*module, options, words, error)) {
        complain(settings, path, error);
        return;
    }
    if (words.empty() || !(profile = gp_profile_decode(words.data(), words.size() * sizeof words[0], &failure))) {
        complain(settings, path, words.empty() ? "no kernel" : failure.text);
        return;
    }
    options.built = [&](const BuiltKernel &built) { proveKernel(settings, path, built, *profile); };
    buildProfile(*module, options, again, error);
    gp_profile_free(profile);
}

bool readArguments(int argc, char **argv, Settings &settings)
{
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--hwdb") && i + 1 < argc)
            settings.hwdb = argv[++i];
        else if (!strcmp(argv[i], "--kernel") && i + 1 < argc)
            settings.only = argv[++i];
        else if (!strcmp(argv[i], "--verbose"))
            settings.verbose = true;
        else if (!settings.source)
            settings.source = argv[i];
        else
            settings.modules.push_back(argv[i]);
    }
    return settings.source && !settings.modules.empty();
}

} // namespace

int main(int argc, char **argv)
{
    Settings settings;
    if (!readArguments(argc, argv, settings)) {
        fprintf(stderr, "usage: gpuperf-oracle [--hwdb DIR] [--verbose] [--kernel NAME] SOURCE IR...\n");
        return 2;
    }
    std::ifstream file(settings.source);
    std::stringstream text;
    text << file.rdbuf();
    settings.text = text.str();
    for (const char *name : {"a100", "w6600", "mi250x"}) {
        gp_error error = {};
        gp_device *device = gp_device_load(name, settings.hwdb, &error);
        if (!device) {
            fprintf(stderr, "gpuperf-oracle: %s\n", error.text);
            return 2;
        }
        settings.devices.push_back(device);
    }
    InitializeNativeTarget();
    InitializeNativeTargetAsmPrinter();
    for (const char *path : settings.modules)
        proveModule(settings, path);
    printf("%s: %u kernels, %u runs, %llu warps, %llu events; memory operations: %llu exact, %llu symbol, %llu address, "
           "%llu count, %llu wrong\n",
           settings.source, settings.kernels, settings.runs, (unsigned long long)settings.warps,
           (unsigned long long)settings.events, (unsigned long long)settings.levels[ORACLE_EXACT],
           (unsigned long long)settings.levels[ORACLE_SYMBOL], (unsigned long long)settings.levels[ORACLE_ADDRESS],
           (unsigned long long)settings.levels[ORACLE_COUNT], (unsigned long long)settings.levels[ORACLE_WRONG]);
    return settings.failures ? 1 : 0;
}
