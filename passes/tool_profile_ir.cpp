/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * gpuperf-profile-ir [-max-instructions=N] FILE: reads LLVM IR or bitcode (- is standard input) and prints the profile
 * of its kernels. -time prints to stderr how much processor time that took, -repeat=N builds N times before (for
 * profilers); -summary counts loops, branches and addresses instead of printing; -write=OUT writes the binary form;
 * -trips=ITEMS ("n=100:global=64") executes the first warp of each kernel and prints, per loop, how often its header is
 * entered per time that the loop is: as the trip count says where the launch decides it, by execution of every
 * iteration, and as sampled execution has it, which relies on the trip count. -addresses=ITEMS prints the addresses
 * that the first eight lanes of that warp touch with each memory operation the first time: the first lane's, and how
 * far each of the others is from it ("?": not known).
 */
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <memory>
#include <string>
#include <vector>

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

#include "model/executor/executor.h"
#include "model/profile/profile_binary.h"
#include "model/profile/profile_text.h"
#include "model/assume/defaults.h"
#include "model/assume/stated.h"
#include "passes/build_profile.h"

using namespace gpuperf;

namespace
{

void summarise(const gp_profile &profile)
{
    for (uint32_t k = 0; k < profile.kernel_count; k++) {
        const gp_kernel &kernel = profile.kernels[k];
        unsigned bounds[GP_BOUND_COUNT] = {}, kinds[GP_BRANCH_KIND_COUNT] = {}, based = 0, executable = 0;
        for (uint32_t i = 0; i < kernel.loop_count; i++)
            bounds[kernel.loops[i].bound]++;
        for (uint32_t i = 0; i < kernel.branch_count; i++)
            kinds[kernel.branches[i].kind]++;
        for (uint32_t i = 0; i < kernel.memory_count; i++) {
            const gp_inst &inst = kernel.insts[kernel.memory[i].inst];
            based += kernel.memory[i].base != GP_REF_NONE;
            bool computable = inst.operand_count > 0;
            bool image = inst.op == GP_OP_IMAGE_LOAD || inst.op == GP_OP_IMAGE_STORE;
            for (uint32_t n = image ? 1 : 0; n < (image ? inst.operand_count : std::min(inst.operand_count, 1u)); n++) {
                gp_ref ref = kernel.operands[inst.operand + n];
                if (gp_ref_kind(ref) == GP_REF_NONE ||
                    (gp_ref_kind(ref) == GP_REF_INST && kernel.insts[gp_ref_index(ref)].op == GP_OP_WEIGHT))
                    computable = false;
            }
            executable += computable;
        }
        printf("%s: blocks %u insts %u registers %u", kernel.name, kernel.block_count, kernel.inst_count,
               kernel.resource_count ? kernel.resources[0].registers : 0);
        printf(" loops");
        for (unsigned b = 0; b < GP_BOUND_COUNT; b++)
            printf(" %s=%u", gp_bound_name((gp_bound)b), bounds[b]);
        printf(" branches");
        for (unsigned b = 0; b < GP_BRANCH_KIND_COUNT; b++)
            printf(" %s=%u", gp_branch_kind_name((gp_branch_kind)b), kinds[b]);
        printf(" memory %u executable %u based %u calls %u agnostic %s split %s%s\n", kernel.memory_count, executable,
               based, kernel.callee_count, kernel.local_size_agnostic.holds ? "yes" : kernel.local_size_agnostic.reason,
               kernel.split_safe.holds ? "yes" : kernel.split_safe.reason, kernel.truncated ? " truncated" : "");
    }
}

/* Visits of each block in the first warp, and how often it was come to from outside its loop. */
struct Visits {
    const gp_kernel *kernel;
    std::vector<double> all, entered;
    uint32_t last = GP_NONE; /* the block before */

    bool inside(uint32_t block, uint32_t loop) const
    {
        for (uint32_t at = kernel->blocks[block].loop; at != GP_NONE; at = kernel->loops[at].parent)
            if (at == loop)
                return true;
        return false;
    }
    static void enter(void *context, uint32_t block, gp_mask, double weight)
    {
        auto *visits = static_cast<Visits *>(context);
        const gp_kernel &kernel = *visits->kernel;
        visits->all[block] += weight;
        for (uint32_t i = 0; i < kernel.loop_count; i++)
            if (kernel.loops[i].header == block && (visits->last == GP_NONE || !visits->inside(visits->last, i)))
                visits->entered[block] += weight;
        visits->last = block;
    }
};

bool execute(const gp_kernel &kernel, const gp_launch &launch, bool exhaustive, Visits &visits)
{
    visits = {&kernel, std::vector<double>(kernel.block_count), std::vector<double>(kernel.block_count)};
    gp_exec_options options = {};
    options.warp_width = 32;
    options.exhaustive = exhaustive;
    options.max_block_visits = 1 << 22;
    gp_observer observer = {};
    observer.context = &visits;
    observer.enter = Visits::enter;
    const uint64_t group[3] = {0, 0, 0};
    gp_executor *executor = gp_executor_new(&kernel);
    gp_exec_result result;
    gp_error error = {};
    bool done = executor && gp_execute_warp(executor, &launch, group, 0, &options, &observer, &result, &error);
    if (!done)
        fprintf(stderr, "gpuperf-profile-ir: %s: %s\n", kernel.name, error.text);
    gp_executor_free(executor);
    return done;
}

/* What the first execution of each memory operation touched. */
struct FirstAccesses {
    const gp_kernel *kernel;
    std::vector<std::string> text;

    /* A buffer or array by name; "loaded": something that is known to be the same where it stands. */
    std::string name(uint32_t symbol) const
    {
        if (symbol == GP_SYMBOL_KNOWN)
            return "";
        for (uint32_t i = 0; i < kernel->param_count; i++)
            if (gp_symbol_of(kernel, gp_ref_make(GP_REF_PARAM, i)) == symbol)
                return kernel->params[i].name;
        for (uint32_t i = 0; i < kernel->local_count; i++)
            if (gp_symbol_of(kernel, gp_ref_make(GP_REF_LOCAL, i)) == symbol)
                return std::string("local.") + kernel->locals[i].name;
        for (uint32_t i = 0; i < kernel->global_count; i++)
            if (gp_symbol_of(kernel, gp_ref_make(GP_REF_GLOBAL, i)) == symbol)
                return std::string("global.") + kernel->globals[i].name;
        for (uint32_t i = 0; i < kernel->private_count; i++)
            if (gp_symbol_of(kernel, gp_ref_make(GP_REF_PRIVATE, i)) == symbol)
                return std::string("private.") + kernel->privates[i].name;
        return "symbol";
    }
    std::string lanes(const uint32_t *symbol, const uint64_t *offset) const
    {
        if (symbol[0] == GP_SYMBOL_UNKNOWN)
            return " ?";
        std::string line = " " + name(symbol[0]) + "+" + std::to_string((int64_t)offset[0]);
        for (unsigned lane = 1; lane < 8; lane++) {
            bool known = symbol[lane] != GP_SYMBOL_UNKNOWN;
            std::string other = known && symbol[lane] != symbol[0] ? name(symbol[lane]) + ":" : "";
            line +=
                known ? " " + other + std::to_string((int64_t)(offset[lane] - (other.empty() ? offset[0] : 0))) : " ?";
        }
        return line;
    }
    static void access(void *context, const gp_access *access)
    {
        auto *first = static_cast<FirstAccesses *>(context);
        std::string &text = first->text[access->memory];
        if (!text.empty() || (access->active & 255) != 255)
            return;
        if (access->coordinates == 0)
            text = first->lanes(access->symbol, access->offset);
        for (uint32_t i = 0; i < access->coordinates; i++)
            text += (i ? "," : "") + first->lanes(access->coordinate_symbol[i], access->coordinate[i]);
    }
};

bool printAddresses(const gp_profile &profile, const char *items)
{
    for (uint32_t k = 0; k < profile.kernel_count; k++) {
        const gp_kernel &kernel = profile.kernels[k];
        auto launch = std::make_unique<gp_launch>();
        gp_error error = {};
        gp_launch_default(&kernel, launch.get());
        if (!gp_launch_assume(&kernel, launch.get(), items, &error)) {
            printf("%s: %s\n", kernel.name, error.text);
            continue;
        }
        FirstAccesses first{&kernel, std::vector<std::string>(kernel.memory_count)};
        gp_observer observer = {};
        observer.context = &first;
        observer.access = FirstAccesses::access;
        gp_exec_options options = {};
        options.warp_width = 32;
        const uint64_t group[3] = {1, 0, 0};
        gp_exec_result result;
        gp_executor *executor = gp_executor_new(&kernel);
        bool done = executor && gp_execute_warp(executor, launch.get(), group, 0, &options, &observer, &result, &error);
        gp_executor_free(executor);
        if (!done) {
            fprintf(stderr, "gpuperf-profile-ir: %s: %s\n", kernel.name, error.text);
            return false;
        }
        for (uint32_t i = 0; i < kernel.memory_count; i++) {
            const gp_memory &memory = kernel.memory[i];
            printf("%s: %s %s %ux%u%s\n", kernel.name, gp_op_name((gp_op)kernel.insts[memory.inst].op),
                   gp_space_name((gp_space)memory.space), memory.element_bytes, memory.vector, first.text[i].c_str());
        }
    }
    return true;
}

bool printTrips(const gp_profile &profile, const char *items)
{
    for (uint32_t k = 0; k < profile.kernel_count; k++) {
        const gp_kernel &kernel = profile.kernels[k];
        auto launch = std::make_unique<gp_launch>();
        gp_error error = {};
        gp_launch_default(&kernel, launch.get());
        if (!gp_launch_assume(&kernel, launch.get(), items, &error)) { /* it has no argument of that name */
            printf("%s: %s\n", kernel.name, error.text);
            continue;
        }
        Visits every, sampled;
        if (!execute(kernel, *launch, true, every) || !execute(kernel, *launch, false, sampled))
            return false;
        gp_executor *executor = gp_executor_new(&kernel);
        for (uint32_t i = 0; executor && i < kernel.loop_count; i++) {
            uint32_t header = kernel.loops[i].header;
            uint64_t stated = 0;
            printf("%s loop %u %s:", kernel.name, i, gp_bound_name((gp_bound)kernel.loops[i].bound));
            if (gp_loop_trip_count(executor, launch.get(), i, &stated))
                printf(" trips %llu,", (unsigned long long)stated);
            double entries = every.entered[header] > 0 ? every.entered[header] : 1;
            printf(" executed %g, sampled %g\n", every.all[header] / entries, sampled.all[header] / entries);
        }
        gp_executor_free(executor);
    }
    return true;
}

} // namespace

int main(int argc, char **argv)
{
    BuildOptions options;
    options.producer = "gpuperf-profile-ir";
    bool timing = false, summary = false, exactDivisions = false;
    int repeats = 0;
    const char *path = nullptr, *write = nullptr, *trips = nullptr, *addresses = nullptr;
    for (int i = 1; i < argc; i++) {
        if (!strncmp(argv[i], "-max-instructions=", 18))
            options.maxInstructions = (unsigned)atoi(argv[i] + 18);
        else if (!strcmp(argv[i], "-time"))
            timing = true;
        else if (!strncmp(argv[i], "-repeat=", 8))
            repeats = atoi(argv[i] + 8);
        else if (!strncmp(argv[i], "-write=", 7))
            write = argv[i] + 7;
        else if (!strncmp(argv[i], "-trips=", 7))
            trips = argv[i] + 7;
        else if (!strncmp(argv[i], "-addresses=", 11))
            addresses = argv[i] + 11;
        else if (!strcmp(argv[i], "-summary"))
            summary = true;
        else if (!strcmp(argv[i], "-exact-divisions")) /* as with -cl-fp32-correctly-rounded-divide-sqrt */
            exactDivisions = true;
        else
            path = argv[i];
    }
    if (!path) {
        fprintf(stderr, "usage: gpuperf-profile-ir [-max-instructions=N] [-summary] [-write=OUT] [-trips=ITEMS]\n"
                        "                          [-addresses=ITEMS] [-time] [-exact-divisions] FILE\n");
        return 2;
    }
    llvm::LLVMContext context;
    llvm::SMDiagnostic diagnostic;
    std::unique_ptr<llvm::Module> module = llvm::parseIRFile(path, diagnostic, context);
    if (!module) {
        diagnostic.print(argv[0], llvm::errs());
        return 1;
    }
    options.source = module->getSourceFileName();
    options.language = module->getNamedMetadata("opencl.ocl.version") ? "opencl" : "cuda";
    options.looseDivisions = options.language == "opencl" && !exactDivisions;
    std::vector<uint32_t> words;
    std::string error;
    for (int i = 0; i < repeats; i++)
        buildProfile(*module, options, words, error);
    if (timing) /* warm, as within a compiler that has just run its optimiser */
        buildProfile(*module, options, words, error);
    std::clock_t start = std::clock();
    bool built = buildProfile(*module, options, words, error);
    if (timing)
        fprintf(stderr, "%s: %.2f ms, %zu words\n", path, 1000.0 * (double)(std::clock() - start) / CLOCKS_PER_SEC,
                words.size());
    if (!built) {
        fprintf(stderr, "gpuperf-profile-ir: %s: %s\n", path, error.c_str());
        return 1;
    }
    if (words.empty())
        return 0;
    gp_error failure = {};
    gp_profile *profile = gp_profile_decode(words.data(), words.size() * sizeof words[0], &failure);
    if (!profile) {
        fprintf(stderr, "gpuperf-profile-ir: %s: %s\n", path, failure.text);
        return 1;
    }
    if (write) {
        built = gp_profile_write_file(profile, write, &failure);
        if (!built)
            fprintf(stderr, "gpuperf-profile-ir: %s\n", failure.text);
    } else if (addresses) {
        built = printAddresses(*profile, addresses);
    } else if (trips) {
        built = printTrips(*profile, trips);
    } else if (summary) {
        summarise(*profile);
    } else {
        gp_text text = {};
        gp_profile_print(profile, &text);
        fwrite(text.data, 1, text.length, stdout);
        gp_text_free(&text);
    }
    gp_profile_free(profile);
    return built ? 0 : 1;
}
