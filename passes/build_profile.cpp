/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "passes/build_profile.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/BasicAliasAnalysis.h"
#include "llvm/Analysis/CycleAnalysis.h"
#include "llvm/Analysis/LazyValueInfo.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Transforms/Utils/Local.h"

#include "model/profile/profile_binary.h"
#include "passes/analysis/address_steps.h"
#include "passes/tidy/argument_elements.h"
#include "passes/ir/builtins.h"
#include "passes/analysis/call_costs.h"
#include "passes/emit/emitter.h"
#include "passes/parameters.h"
#include "passes/rewrites.h"
#include "passes/analysis/kernel_facts.h"
#include "passes/analysis/error_paths.h"
#include "passes/tidy/follow_calls.h"
#include "passes/ir/llvm_version.h"
#include "passes/tidy/merged_places.h"
#include "passes/cost/register_pressure.h"
#include "passes/tidy/volatile_variables.h"
#include "support/operation.h"

using namespace llvm;

namespace gpuperf
{

namespace
{

/* Ids, and casts of them, are there from the start; SPIR-V's are calls that LLVM leaves in loops. */
void hoistIds(Function &function, const WorkItemIds &ids)
{
    BasicBlock &entry = function.getEntryBlock();
    auto hoist = [&](Instruction &inst) { inst.moveBefore(entry.getTerminator()->getIterator()); };
    for (const auto &[value, read] : ids.reads) {
        auto *call = dyn_cast<CallInst>(value);
        if (call && call->getParent() != &entry &&
            all_of(call->args(), [](const Use &use) { return isa<Constant>(use); }))
            hoist(*const_cast<CallInst *>(call));
    }
    SmallVector<Instruction *, 8> casts; /* in the order of the code, whatever the map's */
    for (Instruction &inst : entry) {
        if (!ids.reads.contains(&inst))
            continue;
        for (User *user : inst.users())
            if (auto *cast = dyn_cast<CastInst>(user); cast && cast->getParent() != &entry)
                casts.push_back(cast);
    }
    for (Instruction *cast : casts)
        hoist(*cast);
}

/*
 * What the optimiser took for calls it has left in loops, and what is made of their results. Those who compile for a
 * device see through them and compute what does not change before the loop.
 */
void hoistInvariants(const LoopInfo &loops, Target target)
{
    auto outerFirst = loops.getLoopsInPreorder();
    for (Loop *loop : reverse(outerFirst)) {
        BasicBlock *before = loop->getLoopPreheader();
        if (!before)
            continue;
        for (BasicBlock *block : loop->blocks())
            for (Instruction &inst : make_early_inc_range(*block)) {
                bool hoisted = false;
                auto *call = dyn_cast<CallInst>(&inst);
                if (call && loop->hasLoopInvariantOperands(call) && isArithmetic(*call, target))
                    call->moveBefore(before->getTerminator()->getIterator());
                else if (!isa<PHINode>(inst) && !inst.isTerminator() &&
                         loop->hasLoopInvariantOperands(&inst)) /* operands come first: they were asked themselves */
                    loop->makeLoopInvariant(&inst, hoisted);
            }
    }
}

bool hasLoops(ArrayRef<BasicBlock *> order)
{
    DenseMap<const BasicBlock *, size_t> place;
    for (size_t i = 0; i < order.size(); i++)
        place[order[i]] = i;
    for (size_t i = 0; i < order.size(); i++)
        for (const BasicBlock *next : successors(order[i]))
            if (place.lookup(next) <= i)
                return true;
    return false;
}

/* ---- One kernel ----------------------------------------------------------------------------------------------- */

struct Builder {
    Module &module;
    const BuildOptions &options;
    Target target;
    BumpPtrAllocator memory;
    UniqueStringSaver strings{memory};
    Locations locations{strings, options.isSystemHeader};
    std::vector<std::unique_ptr<KernelData>> kernels;
    FunctionSizes sizes;
    CallCosts callCosts;
    unsigned followed = 0; /* instructions that following calls has added so far */

    Builder(Module &module, const BuildOptions &options)
        : module(module), options(options), target(targetOf(module)), sizes(options.maxInstructions), callCosts(target)
    {
    }

    const char *save(StringRef text) { return strings.save(text).data(); }

    uint32_t placeOf(const Function &kernel)
    {
        auto place = options.kernelPlaces.find(kernel.getName().str());
        if (place != options.kernelPlaces.end() && place->second.line != 0)
            return locations.of(place->second.file, place->second.line, place->second.column);
        if (const DISubprogram *subprogram = kernel.getSubprogram())
            return locations.of(subprogram->getFilename(), subprogram->getLine(), 0);
        return GP_NONE;
    }

    void name(const Function &kernel, KernelData &data)
    {
        auto given = options.kernelNames.find(kernel.getName().str());
        data.kernel.name = given != options.kernelNames.end() ? save(given->second) : save(sourceName(kernel));
        data.kernel.symbol = save(kernel.getName());
        data.kernel.location = placeOf(kernel);
    }

    void proveFacts(const Function &function, const Function &original, const WorkItemIds &ids, KernelData &data)
    {
        gp_kernel &kernel = data.kernel;
        groupLimits(original, kernel.stated.required_local, kernel.stated.max_local, kernel.stated.min_groups);
        kernel.dims = usedDimensions(ids);
        std::vector<uint32_t> bounds = boundedDimensions(function, ids);
        for (size_t i = 0; i < data.params.size(); i++)
            if (data.params[i].kind == GP_PARAM_INT)
                data.params[i].bounds_dim = bounds[i];
        std::string why = whyNotLocalSizeAgnostic(function, ids, target, kernel.stated.required_local);
        kernel.local_size_agnostic = {why.empty(), save(why)};
        if (why.empty())
            why = whyNotSplitSafe(function, ids,
                                  target != Target::Nvptx || options.askForGroups.count(function.getName().str()) > 0);
        kernel.split_safe = {why.empty(), save(why)};
    }

    /* Clang drops the names of variables; the source has them where their elements are. */
    void namePrivates(KernelData &data)
    {
        for (const gp_memory &memory : data.memory) {
            uint32_t place = data.insts[memory.inst].location;
            if (!options.arrayAt || gp_ref_kind(memory.base) != GP_REF_PRIVATE || place == GP_NONE)
                continue;
            gp_array &array = data.privates[gp_ref_index(memory.base)];
            if (*array.name == '\0')
                array.name = save(options.arrayAt(locations.table[place]));
        }
    }

    void build(Function &original, unsigned maxFollowed)
    {
        kernels.push_back(std::make_unique<KernelData>());
        KernelData &data = *kernels.back();
        name(original, data);
        describeParameters(original, target, options, data, strings);
        data.attach();
        if (auto text = options.assumptions.find(original.getName().str()); text != options.assumptions.end())
            readAssumptions(text->second, data);

        Analyses analyses(target, options.joinsWords);
        KernelCopy copy = copyKernel(original, sizes, options.maxInstructions, maxFollowed);
        followed += copy.followed;
        Function &function = *copy.function;
        leaveOutFailures(function, target);
        copy.inlined |= expandBuiltins(function);
        if (options.places)
            options.places->restore(function);
        copy.inlined |= boundAndMergeIds(function);
        tidy(original, copy, analyses, options.maxFollowed != UINT_MAX, options.widensLocalLoads);
        Reduced reduced = makeReducible(function, analyses.manager);
        data.kernel.truncated = copy.truncated || !reduced.complete;

        WorkItemIds ids = findIds(function, target);
        hoistIds(function, ids);
        hoistInvariants(analyses.manager.getResult<LoopAnalysis>(function), target);
        seeThroughVolatileVariables(function); /* not before: compilers cannot */
        analyses.lanes.ids = &ids;
        proveFacts(function, original, ids, data);

        auto &dominators = analyses.manager.getResult<DominatorTreeAnalysis>(function);
        auto &postDominators = analyses.manager.getResult<PostDominatorTreeAnalysis>(function);
        auto &loops = analyses.manager.getResult<LoopAnalysis>(function);
        ReversePostOrderTraversal<Function *> traversal(&function);
        std::vector<BasicBlock *> order(traversal.begin(), traversal.end());
        Origins origins(loops, dominators, ids, order, target);
        Repairable repairable(function, loops, target, options.powers, options.doubles, options.looseDivisions);
        Slice slice(function, ids, target);
        ScalarEvolution *evolution = nullptr;
        std::vector<LoopFact> loopFacts;
        if (hasLoops(order)) {
            evolution = &analyses.manager.getResult<ScalarEvolutionAnalysis>(function);
            loopFacts = findLoops(loops, evolution, dominators, origins, reduced.headers);
            requireLoopValues(loopFacts, slice);
        }
        AddressSteps steps(order, loops, evolution, target);
        slice.run();
        /* The analysis takes cubic time where cycles are entered in many places. */
        UniformityInfo *uniformity =
            reduced.complete ? &analyses.manager.getResult<UniformityInfoAnalysis>(function) : nullptr;
        Costs costs(function, target, uniformity);
        costs.shareReciprocals(function, loops, dominators);

        bool compress = function.getInstructionCount() > options.maxInstructions;
        data.kernel.truncated |= compress;
        AnalysedKernel facts{original,
                             function,
                             target,
                             dominators,
                             postDominators,
                             loops,
                             evolution,
                             uniformity,
                             ids,
                             origins,
                             costs,
                             callCosts,
                             steps,
                             repairable,
                             options.divisors,
                             slice,
                             loopFacts,
                             order,
                             compress,
                             options.joinsWords,
                             options.tablesAsNvcc,
                             options.packsHalfs};
        Emitter(facts, data, locations, strings).run();
        data.attach();
        namePrivates(data);
        data.resources.push_back(estimateRegisters(data.kernel, target));
        data.attach();
        if (options.built)
            options.built({data.kernel, original, function, data.origins, order});
        analyses.manager.clear();
    }

    static void requireLoopValues(const std::vector<LoopFact> &loopFacts, Slice &slice)
    {
        SmallVector<const Value *, 16> values;
        for (const LoopFact &fact : loopFacts)
            collectLeaves(fact, values);
        for (const Value *value : values)
            slice.require(value);
    }
};

} // namespace

static std::string processorOf(const std::vector<Function *> &kernels)
{
    Attribute cpu = kernels.front()->getFnAttribute("target-cpu");
    return cpu.isValid() ? cpu.getValueAsString().str() : "";
}

static uint64_t needed(const std::vector<Function *> &kernels, FunctionSizes &sizes)
{
    uint64_t all = 0;
    for (Function *kernel : kernels)
        all += sizes.followed(*kernel);
    return all;
}

bool buildProfile(Module &module, const BuildOptions &options, std::vector<uint32_t> &words, std::string &error)
{
    gp_operation_or_end([] { llvm::report_bad_alloc_error("a kernel's analysis"); });
    words.clear();
    std::vector<Function *> functions = findKernels(module);
    if (functions.empty())
        return true;
    Builder builder(module, options);
    std::vector<gp_kernel> kernels;
    bool shared = options.maxFollowed != UINT_MAX && needed(functions, builder.sizes) > options.maxFollowed;
    for (Function *function : functions) {
        if (function->arg_size() > 256) {
            error = "kernel '" + function->getName().str() + "' has more than 256 parameters";
            return false;
        }
        unsigned left = options.maxFollowed - std::min(builder.followed, options.maxFollowed);
        builder.build(*function, shared ? left / unsigned(functions.size() - builder.kernels.size()) : UINT_MAX);
    }
    for (const auto &data : builder.kernels)
        kernels.push_back(data->kernel);

    gp_profile profile = {};
    profile.producer = options.producer.c_str();
    profile.source = options.source.c_str();
    std::string triple = tripleOf(module).str(), cpu = processorOf(functions);
    profile.triple = triple.c_str();
    profile.cpu = cpu.c_str();
    profile.language = options.language.c_str();
    profile.opt_level = std::min(options.optLevel, 3u);
    profile.left_to_drivers = options.leftToDrivers;
    profile.locations = builder.locations.table.data();
    profile.location_count = (uint32_t)builder.locations.table.size();
    profile.kernels = kernels.data();
    profile.kernel_count = (uint32_t)kernels.size();

    gp_error failure = {};
    uint32_t *encoded = nullptr;
    size_t count = 0;
    if (!gp_profile_encode(&profile, &encoded, &count, &failure)) {
        error = failure.text;
        return false;
    }
    words.assign(encoded, encoded + count);
    free(encoded);
    return true;
}

} // namespace gpuperf
