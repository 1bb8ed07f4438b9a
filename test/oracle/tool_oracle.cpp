/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * gpuperf-oracle [--hwdb DIR] [--verbose] [--kernel NAME] [--claims] [--sampled FACTOR [--quick] [--range XxY]] SOURCE
 * IR...: checks the executor against executions of the same IR. SOURCE holds lines "// run KERNEL: ..."
 * (test/oracle/inputs.h) and marks (test/oracle/compare.h); IR is what clang made of it, for any targets. --claims:
 * nothing may be wrong, marks are not looked at. docs/oracle.md tells what is compared. --sampled: compares sampled
 * with exhaustive execution instead, FACTOR times as large; kernels without launches in SOURCE on the assumed launch
 * with a range of XxY work-items (256x128).
 */
#include <algorithm>
#include <cinttypes>
#include <cmath>
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

#include "model/profile/profile_binary.h"
#include "model/assume/defaults.h"
#include "test/oracle/tool_oracle_steps.h"
#include "test/oracle/compare.h"
#include "test/oracle/inputs.h"
#include "test/oracle/sampled.h"

using namespace llvm;
using namespace gpuperf;

namespace
{

struct Settings {
    const char *hwdb = "hwdb", *source = nullptr, *only = nullptr;
    bool verbose = false, claims = false, quick = false;
    std::vector<const char *> modules;
    std::string text;
    std::vector<const gp_device *> devices;
    unsigned runs = 0, failures = 0, kernels = 0;
    uint64_t factor = 0;           /* --sampled */
    uint64_t range[3] = {0, 0, 0}; /* --range; zeros: not given */
    std::vector<std::pair<double, std::string>> differences;
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
    struct Array {
        std::string name;
        uint64_t bytes;
        bool local;
    };
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
    library.addGenerator(
        cantFail(orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(jit->getDataLayout().getGlobalPrefix())));
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
        if (!oracle_compare(&subject, run.c_str(), settings.devices.data(), settings.devices.size(), settings.verbose,
                            stdout, &result, &error))
            return complain(settings, path, std::string(subject.kernel->name) + ":" + run + ": " + error.text);
    }
    bool marked = settings.claims || oracle_check_marks(&subject, settings.text.c_str(), &result, stdout);
    for (uint32_t m = 0; m < subject.kernel->memory_count; m++)
        settings.levels[levels[m]]++;
    settings.warps += result.warps;
    settings.events += result.events;
    if (result.wrong || !marked)
        return complain(settings, path, std::string(subject.kernel->name) + " is not as the profile says");
    return true;
}

/* ---- Sampled against exhaustive ---------------------------------------------------------------------------------- */

void sample(Settings &settings, const gp_kernel &kernel, const gp_launch &launch, const std::string &run)
{
    uint64_t mostVisits = run.empty() ? 1 << 16 : 0; /* kernels of others: as many as run in some minutes */
    for (const gp_device *device : settings.devices) {
        sampled_totals all, some;
        gp_error error = {};
        if (!sampled_run(&kernel, &launch, device, SAMPLED_ALL, mostVisits, &all, &error) ||
            !sampled_run(&kernel, &launch, device, settings.quick ? SAMPLED_QUICK : SAMPLED_AS_MODELS, 0, &some,
                         &error)) {
            printf("%s:%s: %s\n", kernel.name, run.c_str(), error.text);
            break;
        }
        for (unsigned i = 0; i < SAMPLED_COUNT; i++) {
            if (!sampled_matters(&all, &some, i))
                continue;
            double difference = all.total[i] == 0 ? 1 : std::abs(some.total[i] / all.total[i] - 1);
            char name[64], text[512];
            snprintf(text, sizeof text, "%-24s %-8s %-22s %14.6g %14.6g %7.2f%%  %s", kernel.name, device->name,
                     sampled_name(i, name), all.total[i], some.total[i], 100 * (some.total[i] / all.total[i] - 1),
                     run.c_str());
            settings.differences.push_back({difference, text});
        }
    }
}

/* As many work-items in one or three dimensions as --range asks for in two. */
void setModerate(const Settings &settings, const gp_kernel &kernel, gp_launch &launch)
{
    uint64_t x = settings.range[0] ? settings.range[0] : 256, y = settings.range[0] ? settings.range[1] : 128;
    const uint64_t sizes[3][3] = {
        {x * y, 1, 1}, {x, y, 1}, {std::max<uint64_t>(x / 4, 1), std::max<uint64_t>(y / 4, 1), 16}};
    gp_launch_set_global(&kernel, &launch, launch.dims, sizes[launch.dims - 1]);
}

void sampleProfile(Settings &settings, const gp_profile &profile)
{
    for (uint32_t i = 0; i < profile.kernel_count; i++) {
        const gp_kernel &kernel = profile.kernels[i];
        std::vector<std::string> runs = runsOf(settings.text, kernel.name);
        bool moderate = runs.empty(); /* not of the corpus: the launch that is assumed, made smaller */
        if (moderate)
            runs.push_back("");
        if (settings.only && strcmp(settings.only, kernel.name) != 0)
            continue;
        for (const std::string &run : runs)
            for (uint64_t scale : {1, 8}) {
                gp_error error = {};
                gp_launch launch;
                if (!isFor(run, profile.triple) || (moderate && scale > 1))
                    continue;
                if (!oracle_launch(&kernel, run.c_str(), true, &launch, &error)) {
                    printf("%s:%s: %s\n", kernel.name, run.c_str(), error.text);
                    settings.failures++;
                    continue;
                }
                if (moderate) {
                    setModerate(settings, kernel, launch);
                } else {
                    sampled_enlarge(&kernel, &launch, settings.factor, scale);
                }
                settings.runs++;
                sample(settings, kernel, launch, run + (scale > 1 ? " (arguments x8)" : ""));
            }
    }
}

/* The worst ones, and what the whole is judged by: 2% in the median, 10% at worst. */
bool reportSampled(Settings &settings)
{
    auto &all = settings.differences;
    std::sort(all.begin(), all.end());
    if (all.empty())
        return false;
    printf("%-24s %-8s %-22s %14s %14s %8s  launch\n", "kernel", "device", "total", "exhaustive", "sampled", "apart");
    size_t shown = settings.verbose ? all.size() : std::min<size_t>(all.size(), 12);
    for (size_t i = 0; i < shown; i++)
        printf("%s\n", all[all.size() - 1 - i].second.c_str());
    double median = all[all.size() / 2].first, most = all[all.size() * 9 / 10].first, worst = all.back().first;
    size_t beyond = (size_t)std::count_if(all.begin(), all.end(), [](const auto &one) { return one.first > 0.1; });
    printf("%s: %u launches, %zu totals: median %.2f%%, 90th percentile %.2f%%, worst %.2f%%, %zu beyond 10%%\n",
           settings.source, settings.runs, all.size(), 100 * median, 100 * most, 100 * worst, beyond);
    return median <= 0.02 && worst <= 0.1;
}

/* ---- Modules
 * --------------------------------------------------------------------------------------------------------- */

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
    options.looseDivisions = options.language == "opencl";
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
    if (settings.factor) {
        sampleProfile(settings, *profile);
        gp_profile_free(profile);
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
        else if (!strcmp(argv[i], "--claims"))
            settings.claims = true;
        else if (!strcmp(argv[i], "--quick"))
            settings.quick = true;
        else if (!strcmp(argv[i], "--sampled") && i + 1 < argc)
            settings.factor = (uint64_t)atoi(argv[++i]);
        else if (!strcmp(argv[i], "--range") && i + 1 < argc) {
            if (sscanf(argv[++i], "%" SCNu64 "x%" SCNu64, &settings.range[0], &settings.range[1]) != 2 ||
                !settings.range[0] || !settings.range[1])
                return false;
        } else if (!settings.source)
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
        fprintf(stderr, "usage: gpuperf-oracle [--hwdb DIR] [--verbose] [--kernel NAME] [--claims] [--sampled FACTOR "
                        "[--quick] [--range XxY]] SOURCE IR...\n");
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
    if (settings.factor)
        return reportSampled(settings) && !settings.failures ? 0 : 1;
    printf(
        "%s: %u kernels, %u runs, %llu warps, %llu events; memory operations: %llu exact, %llu symbol, %llu address, "
        "%llu count, %llu wrong\n",
        settings.source, settings.kernels, settings.runs, (unsigned long long)settings.warps,
        (unsigned long long)settings.events, (unsigned long long)settings.levels[ORACLE_EXACT],
        (unsigned long long)settings.levels[ORACLE_SYMBOL], (unsigned long long)settings.levels[ORACLE_ADDRESS],
        (unsigned long long)settings.levels[ORACLE_COUNT], (unsigned long long)settings.levels[ORACLE_WRONG]);
    return settings.failures ? 1 : 0;
}
