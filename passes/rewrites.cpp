/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "passes/rewrites.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/BasicAliasAnalysis.h"
#include "llvm/Analysis/CycleAnalysis.h"
#include "llvm/Analysis/LazyValueInfo.h"
#include "llvm/Analysis/PostDominators.h"
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

#include "passes/ir/builtins.h"
#include "passes/cost/classify.h"
#include "passes/ir/llvm_version.h"
#include "passes/ir/special_registers.h"
#include "passes/analysis/nan_comparisons.h"
#include "passes/assembly/address_assembly.h"
#include "passes/assembly/assembly.h"
#include "passes/nvidia/local_arrays.h"
#include "passes/nvidia/matrix_fragments.h"
#include "passes/tidy/argument_copies.h"
#include "passes/tidy/argument_elements.h"
#include "passes/tidy/tidy.h"
#include "passes/ir/kernels.h"
#include "passes/analysis/lowering.h"

using namespace llvm;

namespace gpuperf
{

namespace
{

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

template <void (*run)(Function &)>
bool keepsBlocks(Function &function)
{
    run(function);
    return false;
}

/* A rewrite of a kernel's copy. run: whether blocks changed, so that no analysis holds any longer. */
struct Rewrite {
    const char *name;
    bool ofNvidia; /* of code for NVIDIA's devices only */
    bool (*run)(Function &);
};

/* In this order: what stands for registers, textures and addresses is spelled out before memory is, and all of inline
 * assembly before what is left of it is split; only then are conditions and counters what they will be. */
const Rewrite rewrites[] = {
    {"special registers are ids", true, keepsBlocks<spellOutSpecialRegisters>},
    {"texture fetches are loads", true, keepsBlocks<spellOutTextureFetches>},
    {"sums, logic and addresses in assembly are arithmetic", true, keepsBlocks<spellOutAddressAssembly>},
    {"memory in assembly is loads and stores", true, spellOutMemoryAssembly},
    {"fragments of matrices are elements", true, keepsBlocks<spellOutFragments>},
    {"other assembly is single instructions", true, keepsBlocks<splitAssembly>},
    {"arrays written once are choices", false, keepsBlocks<spellOutArraysWrittenOnce>},
    {"conditions on vectors are on elements", false, keepsBlocks<spellOutVectorConditions>},
    {"exits for what is not a number are left out", false, keepsBlocks<leaveOutNanExits>},
    {"integers have widths that a profile keeps", false, keepsBlocks<widenOddIntegers>},
    {"counters are as narrow as they may be", false, keepsBlocks<narrowCounters>},
};

} // namespace

Analyses::Analyses(Target target, bool joinsWords) : lanes{nullptr, target, joinsWords}
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

/*
 * Brings the copy to what code is made from. Following calls leaves variables that were passed by reference. Unrolled
 * loops leave equal loads: the optimiser does not look further than 100 instructions back, and writes their addresses
 * in several ways; the code generators of GPUs part constants from addresses and merge equal loads (their
 * addStraightLineScalarOptimizationPasses), so here, too. They also join accesses side by side to wide ones
 * (LoadStoreVectorizer), above all those that the optimiser made of wide loads whose elements are used one by one.
 */
void tidy(const Function &kernel, KernelCopy &copy, Analyses &analyses, bool inHaste, bool widensLocalLoads)
{
    copy.inlined |= forwardArgumentCopies(*copy.function);
    if (copy.inlined) {
        SROAPass(SROAOptions::PreserveCFG).run(*copy.function, analyses.manager);
        forwardArgumentCopies(
            *copy.function); /* where the kernel writes one member, the others are copies by themselves now */
    }
    useMemberArguments(kernel, *copy.function);
    for (const Rewrite &rewrite : rewrites)
        if ((!rewrite.ofNvidia || analyses.lanes.target == Target::Nvptx) && rewrite.run(*copy.function))
            analyses.manager.invalidate(*copy.function, PreservedAnalyses::none());
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

} // namespace gpuperf
