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
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SeparateConstOffsetFromGEP.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Vectorize/LoadStoreVectorizer.h"

#include "model/profile/profile_binary.h"
#include "passes/assembly/address_assembly.h"
#include "passes/analysis/address_steps.h"
#include "passes/tidy/argument_copies.h"
#include "passes/tidy/argument_elements.h"
#include "passes/ir/builtins.h"
#include "passes/analysis/call_costs.h"
#include "passes/emit/emitter.h"
#include "passes/analysis/kernel_facts.h"
#include "passes/analysis/error_paths.h"
#include "passes/tidy/follow_calls.h"
#include "passes/ir/llvm_version.h"
#include "passes/nvidia/local_arrays.h"
#include "passes/nvidia/matrix_fragments.h"
#include "passes/assembly/memory_assembly.h"
#include "passes/tidy/merged_places.h"
#include "passes/analysis/nan_comparisons.h"
#include "passes/tidy/narrow_counters.h"
#include "passes/tidy/unusual_widths.h"
#include "passes/cost/register_pressure.h"
#include "passes/ir/special_registers.h"
#include "passes/assembly/split_assembly.h"
#include "passes/assembly/texture_assembly.h"
#include "passes/tidy/vector_conditions.h"
#include "passes/tidy/volatile_variables.h"
#include "passes/tidy/constant_arrays.h"

using namespace llvm;

namespace gpuperf
{

namespace
{

/* Where lanes of a warp differ; read by the uniformity analysis. */
struct LaneContext {
    const WorkItemIds *ids;
    Target target;
    bool joinsWords; /* BuildOptions::joinsWords */
};

LaneUse laneUse(const Value &value, const void *opaque)
{
    auto *context = static_cast<const LaneContext *>(opaque);
    auto *inst = dyn_cast<Instruction>(&value);
    if (!inst || !context->ids)
        return LaneUse::Ordinary;
    auto read = context->ids->reads.find(inst);
    if (read != context->ids->reads.end()) {
        gp_id id = read->second.id;
        return id == GP_ID_LOCAL || id == GP_ID_GLOBAL || id == GP_ID_LANE ? LaneUse::Varying : LaneUse::Uniform;
    }
    if (isa<AtomicRMWInst>(inst) || isa<AtomicCmpXchgInst>(inst) || isa<AllocaInst>(inst))
        return LaneUse::Varying; /* a private variable is another place for each lane */
    if (auto *call = dyn_cast<CallBase>(inst)) {
        switch (classifyCall(*call, context->target).kind) {
        case CallKind::Shuffle:
        case CallKind::Unknown:
        case CallKind::Assembly:
        case CallKind::Print: return LaneUse::Varying;
        case CallKind::Vote: return LaneUse::Uniform;
        default: break;
        }
        const Function *callee = call->getCalledFunction();
        if (callee && builtinName(callee->getName()).base.starts_with("get_")) /* an id that is not told apart */
            return LaneUse::Varying;
    }
    return LaneUse::Ordinary;
}

bool mayJoinWords(unsigned addressSpace, const void *context)
{
    auto *lanes = static_cast<const LaneContext *>(context);
    gp_space space = spaceOf(lanes->target, addressSpace);
    return lanes->joinsWords && (space == GP_SPACE_GLOBAL || space == GP_SPACE_CONSTANT);
}

/* The stock analyses, on a target of our own. */
struct Analyses {
    LaneContext lanes;
    FunctionAnalysisManager manager;

    Analyses(Target target, bool joinsWords) : lanes{nullptr, target, joinsWords}
    {
        manager.registerPass([] { return PassInstrumentationAnalysis(); });
        manager.registerPass([] { return DominatorTreeAnalysis(); });
        manager.registerPass([] { return PostDominatorTreeAnalysis(); });
        manager.registerPass([] { return LoopAnalysis(); });
        manager.registerPass([] { return CycleAnalysis(); });
        manager.registerPass([] { return AssumptionAnalysis(); });
        manager.registerPass([] { return LazyValueAnalysis(); }); /* LowerSwitchPass asks for it */
        manager.registerPass([] { return TargetLibraryAnalysis(); });
        manager.registerPass([] { return ScalarEvolutionAnalysis(); });
        manager.registerPass([] { return UniformityInfoAnalysis(); });
        manager.registerPass([] { return BasicAA(); });
        manager.registerPass([] {
            AAManager alias;
            alias.registerFunctionAnalysis<BasicAA>();
            return alias;
        });
        manager.registerPass([this] {
            return TargetIRAnalysis([this](const Function &function) {
                return laneTransformInfo(function.getParent()->getDataLayout(), laneUse, &lanes, mayJoinWords);
            });
        });
    }
};

/* Whether two loads may be of one address that the optimiser's own search, which looks 100 instructions back, left
 * apart. */
bool mayRepeatLoads(const Function &function)
{
    const size_t optimisersReach = 100;
    unsigned loads = 0;
    bool longBlock = false;
    for (const BasicBlock &block : function) {
        loads += (unsigned)count_if(block, [](const Instruction &inst) { return isa<LoadInst>(inst); });
        longBlock |= block.size() > optimisersReach;
    }
    return longBlock && loads > 1;
}

/* Bytes from a value, as far as constants tell. */
struct Place {
    const Value *base;
    int64_t offset;
};

Place placeOf(const Value &pointer, const DataLayout &layout)
{
    APInt offset(layout.getIndexTypeSizeInBits(pointer.getType()), 0);
    const Value *base = pointer.stripAndAccumulateConstantOffsets(layout, offset, true);
    return {base, offset.getSExtValue()};
}

bool isPrivate(const Value &pointer) { return isa<AllocaInst>(getUnderlyingObject(&pointer)); }

/* Whether some block has two accesses side by side, aligned as one of twice the width; in haste, those to private
 * variables are left as they are. */
bool hasPairs(const Function &function, bool inHaste)
{
    const DataLayout &layout = function.getParent()->getDataLayout();
    for (const BasicBlock &block : function) {
        DenseSet<std::pair<const Value *, int64_t>> seen; /* where an access could join the one at hand */
        for (const Instruction &inst : block) {
            const Value *pointer = getLoadStorePointerOperand(&inst);
            if (!pointer)
                continue;
            int64_t size = (int64_t)layout.getTypeStoreSize(getLoadStoreType(&inst)).getKnownMinValue();
            bool first = (int64_t)getLoadStoreAlignment(&inst).value() >= 2 * size;
            if (size > 8 || (inHaste && isPrivate(*pointer)))
                continue;
            Place place = placeOf(*pointer, layout);
            if (!first && seen.contains({place.base, place.offset}))
                return true;
            if (first)
                seen.insert({place.base, place.offset + size});
        }
    }
    return false;
}

/* Whether some block loads or stores two words of a buffer that may be side by side, of machines that join words. */
bool mayHaveWordPairs(const Function &function, const LaneContext &lanes)
{
    for (const BasicBlock &block : function) {
        DenseSet<std::pair<const Value *, unsigned>> seen;
        for (const Instruction &inst : block) {
            const Value *pointer = getLoadStorePointerOperand(&inst);
            if (pointer && mayJoinWords(pointer->getType()->getPointerAddressSpace(), &lanes) &&
                !seen.insert({getUnderlyingObject(pointer), inst.getOpcode()}).second)
                return true;
        }
    }
    return false;
}

/* Accesses of a block that LoadStoreVectorizer compares with each other: loads or stores of one object. */
struct Comparable {
    DenseSet<const Value *> bases;
    uint64_t before = 0; /* accesses of the block before the first of them */
};

/*
 * LoadStoreVectorizer compares each access of a block with up to 64 others of the same object, by scalar evolution
 * where the address is not a constant away, and asks of what stands between those it joins whether it may be of the
 * same address. A block of a thousand table look-ups, or of rounds that keep their state in an array, takes it as long
 * as the rest of the compile: where time counts, that many accesses stay as they are. (A question about what stands
 * between costs an eighth of a comparison.)
 */
bool comparesMuch(const Function &function)
{
    const uint64_t mostLeaders = 64, always = 2000, questionsPerComparison = 8;
    const DataLayout &layout = function.getParent()->getDataLayout();
    uint64_t comparisons = 0;
    for (const BasicBlock &block : function) {
        DenseMap<std::pair<const Value *, unsigned>, Comparable> alike;
        uint64_t accesses = 0;
        for (const Instruction &inst : block)
            if (const Value *pointer = getLoadStorePointerOperand(&inst)) {
                Comparable &others =
                    alike.try_emplace({getUnderlyingObject(pointer), inst.getOpcode()}, Comparable{{}, accesses})
                        .first->second;
                others.bases.insert(placeOf(*pointer, layout).base);
                comparisons += std::min<uint64_t>(others.bases.size() - 1, mostLeaders) +
                               (accesses++ - others.before) / questionsPerComparison;
            }
    }
    return comparisons > function.getInstructionCount() + always;
}

/*
 * Brings the copy to what code is made from. Following calls leaves variables that were passed by reference. Unrolled
 * loops leave equal loads: the optimiser does not look further than 100 instructions back, and writes their addresses
 * in several ways; the code generators of GPUs part constants from addresses and merge equal loads (their
 * addStraightLineScalarOptimizationPasses), so here, too. They also join accesses side by side to wide ones
 * (LoadStoreVectorizer), above all those that the optimiser made of wide loads whose elements are used one by one.
 */
void tidy(KernelCopy &copy, Analyses &analyses, bool inHaste, bool widensLocalLoads)
{
    copy.inlined |= forwardArgumentCopies(*copy.function);
    if (copy.inlined) {
        SROAPass(SROAOptions::PreserveCFG).run(*copy.function, analyses.manager);
        forwardArgumentCopies(
            *copy.function); /* where the kernel writes one member, the others are copies by themselves now */
    }
    if (analyses.lanes.target == Target::Nvptx) {
        spellOutSpecialRegisters(*copy.function);
        spellOutTextureFetches(*copy.function);
        spellOutAddressAssembly(*copy.function);
        if (spellOutMemoryAssembly(*copy.function))
            analyses.manager.invalidate(*copy.function, PreservedAnalyses::none());
        spellOutFragments(*copy.function);
        splitAssembly(*copy.function);
    }
    spellOutArraysWrittenOnce(*copy.function);
    spellOutVectorConditions(*copy.function);
    leaveOutNanExits(*copy.function);
    widenOddIntegers(*copy.function);
    narrowCounters(*copy.function);
    bool local = widensLocalLoads &&
                 (analyses.lanes.target == Target::Nvptx || analyses.lanes.target == Target::Spir) &&
                 readsLocalArrays(*copy.function);
    bool rewritten = local && unrollLocalLoops(*copy.function, analyses.manager);
    rewritten |= !SeparateConstOffsetFromGEPPass().run(*copy.function, analyses.manager).areAllPreserved();
    if (copy.inlined || rewritten || mayRepeatLoads(*copy.function))
        EarlyCSEPass().run(*copy.function, analyses.manager);
    bool current = false; /* the analyses are of the function as it is */
    if (local) {
        analyses.manager.invalidate(*copy.function, PreservedAnalyses::none());
        current = !joinLocalLoads(*copy.function, analyses.manager);
    }
    PreservedAnalyses blocks; /* neither merged loads nor joined ones change them */
    blocks.preserveSet<CFGAnalyses>();
    bool pairs = analyses.lanes.target != Target::Host &&
                 (hasPairs(*copy.function, inHaste) || mayHaveWordPairs(*copy.function, analyses.lanes));
    if (pairs && !(inHaste && comparesMuch(*copy.function))) {
        if (!current) /* else what scalar evolution has found out of addresses is asked once more */
            analyses.manager.invalidate(*copy.function, blocks);
        LoadStoreVectorizerPass().run(*copy.function, analyses.manager);
    }
    analyses.manager.invalidate(*copy.function,
                                removeUnreachableBlocks(*copy.function) ? PreservedAnalyses::none() : blocks);
}

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

/* ---- Parameters ----------------------------------------------------------------------------------------------- */

bool isUnsignedName(StringRef type)
{
    return type.starts_with("u") || type.starts_with("unsigned") || type == "size_t" || type == "bool";
}

uint8_t pointerSpace(const ArgumentLists &lists, const Argument &argument, Target target)
{
    int stated = argumentSpace(lists.spaces, argument.getArgNo());
    if (target == Target::Host || target == Target::Spir || stated > 0)
        return stated == 2 ? GP_SPACE_CONSTANT : stated == 3 ? GP_SPACE_LOCAL : GP_SPACE_GLOBAL;
    gp_space space = spaceOf(target, argument.getType()->getPointerAddressSpace());
    return space == GP_SPACE_GENERIC ? GP_SPACE_GLOBAL : space; /* a kernel's pointers come from the host */
}

gp_param describeParameter(const Function &kernel, const ArgumentLists &lists, const Argument &argument, Target target)
{
    const DataLayout &layout = kernel.getParent()->getDataLayout();
    unsigned index = argument.getArgNo();
    Type *type = argument.getType();
    StringRef name = argumentText(lists.baseTypes, index), qualifiers = argumentText(lists.qualifiers, index);
    gp_param param = {};
    param.bounds_dim = GP_NONE;
    param.size = (uint32_t)layout.getTypeAllocSize(type).getFixedValue();
    param.bits = (uint8_t)std::min<uint64_t>(255, layout.getTypeSizeInBits(type).getFixedValue());
    param.space = GP_SPACE_GLOBAL;
    if (qualifiers.contains("const") || (type->isPointerTy() && argument.onlyReadsMemory()))
        param.flags |= GP_PARAM_CONST;
    if (qualifiers.contains("restrict") || argument.hasNoAliasAttr())
        param.flags |= GP_PARAM_RESTRICT;
    Type *byValue = argument.hasByValAttr()   ? argument.getParamByValType()
                    : argument.hasByRefAttr() ? argument.getParamByRefType()
                                              : nullptr;
    bool image = name.contains("image") && name.ends_with("_t");
    auto *target_type = dyn_cast<TargetExtType>(type);
    if (image || (target_type && target_type->getName() == "spirv.Image")) {
        param.kind = GP_PARAM_IMAGE;
        param.space = GP_SPACE_IMAGE;
        param.bits = 64;
        param.size = 8;
    } else if (name == "sampler_t" || (target_type && target_type->getName() == "spirv.Sampler")) {
        param.kind = GP_PARAM_SAMPLER;
        param.bits = 64;
        param.size = 8;
    } else if (byValue) {
        param.kind = GP_PARAM_OTHER;
        param.space = GP_SPACE_CONSTANT;
        param.size = (uint32_t)layout.getTypeAllocSize(byValue).getFixedValue();
        param.bits = 64;
    } else if (type->isPointerTy()) {
        param.space = pointerSpace(lists, argument, target);
        param.kind = param.space == GP_SPACE_LOCAL ? GP_PARAM_LOCAL : GP_PARAM_BUFFER;
        param.bits = 64;
        param.size = param.kind == GP_PARAM_LOCAL ? 0 : 8;
    } else if (type->isIntOrIntVectorTy()) {
        param.kind = GP_PARAM_INT;
        if (type->isIntegerTy(1))
            param.bits = 8;
        if (!isUnsignedName(name) && !argument.hasZExtAttr())
            param.flags |= GP_PARAM_SIGNED;
    } else if (type->isFPOrFPVectorTy()) {
        param.kind = GP_PARAM_FLOAT;
    } else {
        param.kind = GP_PARAM_OTHER;
    }
    return param;
}

/* Behind all arguments, as in the kernel's copy. */
void describeElements(const Function &kernel, KernelData &data, UniqueStringSaver &strings)
{
    for (const ArgumentElement &element : argumentElements(kernel)) {
        uint32_t vector = element.vector->getArgNo();
        gp_param param = data.params[vector];
        param.bits = (uint8_t)element.type()->getIntegerBitWidth();
        param.size = param.bits / 8u;
        param.flags |= GP_PARAM_ELEMENT;
        param.vector = vector;
        param.element = element.element;
        if (*param.name != '\0')
            param.name = strings.save(std::string(param.name) + "." + element.name()).data();
        data.params.push_back(param);
    }
}

void describeParameters(const Function &kernel, Target target, const BuildOptions &options, KernelData &data,
                        UniqueStringSaver &strings)
{
    auto names = options.parameterNames.find(kernel.getName().str());
    auto records = options.parameterRecords.find(kernel.getName().str());
    ArgumentLists lists = argumentLists(kernel);
    for (const Argument &argument : kernel.args()) {
        gp_param param = describeParameter(kernel, lists, argument, target);
        unsigned index = argument.getArgNo();
        StringRef name = argumentText(lists.names, index);
        if (names != options.parameterNames.end() && index < names->second.size())
            name = names->second[index];
        if (name.empty())
            name = argument.getName();
        param.name = strings.save(name).data();
        if (param.kind == GP_PARAM_BUFFER && records != options.parameterRecords.end() &&
            index < records->second.size() && records->second[index])
            param.flags |= GP_PARAM_RECORDS;
        data.params.push_back(param);
    }
    describeElements(kernel, data, strings);
}

/* ---- The annotate attribute: "global=4096x4096 local=32x8 n=4096" ------------------------------------------------ */

bool parseSizes(StringRef text, uint32_t sizes[3])
{
    SmallVector<StringRef, 3> parts;
    text.split(parts, 'x');
    uint32_t read[3] = {1, 1, 1};
    if (parts.size() > 3)
        return false;
    for (size_t i = 0; i < parts.size(); i++)
        if (parts[i].getAsInteger(10, read[i]) || read[i] == 0)
            return false;
    std::copy(read, read + 3, sizes);
    return true;
}

void readAssumptions(StringRef text, KernelData &data)
{
    SmallVector<StringRef, 8> items;
    text.consume_front("gpuperf:");
    SplitString(text, items, " ,:;\t");
    for (StringRef item : items) {
        auto [key, value] = item.split('=');
        int64_t number = 0;
        if (key == "global") {
            parseSizes(value, data.kernel.default_global);
        } else if (key == "local") {
            parseSizes(value, data.kernel.default_local);
        } else if (!value.getAsInteger(0, number)) {
            uint32_t param = gp_kernel_find_param(&data.kernel, key.str().c_str());
            bool scalar = param != GP_NONE &&
                          (data.params[param].kind == GP_PARAM_INT || data.params[param].kind == GP_PARAM_FLOAT);
            if (scalar)
                data.defaults.push_back({param, number});
        }
    }
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
        groupLimits(original, kernel.required_local, kernel.max_local, kernel.min_groups);
        kernel.dims = usedDimensions(ids);
        std::vector<uint32_t> bounds = boundedDimensions(function, ids);
        for (size_t i = 0; i < data.params.size(); i++)
            if (data.params[i].kind == GP_PARAM_INT)
                data.params[i].bounds_dim = bounds[i];
        std::string why = whyNotLocalSizeAgnostic(function, ids, target, kernel.required_local);
        kernel.local_size_agnostic = {why.empty(), save(why)};
        if (why.empty())
            why = whyNotSplitSafe(function, ids, target != Target::Nvptx || options.asksForGroups);
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
        tidy(copy, analyses, options.maxFollowed != UINT_MAX, options.widensLocalLoads);
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
        Mendable mendable(function, loops, target, options.powers, options.doubles, options.looseDivisions);
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
                             mendable,
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
