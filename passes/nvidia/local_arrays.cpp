/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "passes/nvidia/local_arrays.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/KnownBits.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"

#include "passes/ir/kernels.h"
#include "passes/cost/machine_size.h"

using namespace llvm;

namespace gpuperf
{

namespace
{

/* The array of work-group memory that an access goes to; null: it is none, or one that is as large as the launch says.
 */
const GlobalVariable *localArray(const Instruction &inst)
{
    const Value *pointer = getLoadStorePointerOperand(&inst);
    auto *array = pointer ? dyn_cast<GlobalVariable>(getUnderlyingObject(pointer)) : nullptr;
    bool sized = array && array->hasLocalLinkage() && array->getValueType()->isSized() &&
                 spaceOf(targetOf(*inst.getModule()), array->getAddressSpace()) == GP_SPACE_LOCAL;
    return sized ? array : nullptr;
}

bool readsLocalArray(const Instruction &inst) { return isa<LoadInst>(inst) && localArray(inst); }

/* A barrier, a shuffle, a function, be it rsqrt() (nvcc 13.0 leaves loops with it, even of four iterations, as they
 * are); not llvm.fmuladd and the like, which are calls only in the IR. */
bool mayOrderAccesses(const Instruction &inst)
{
    auto *call = dyn_cast<CallBase>(&inst);
    return call ? !isa<IntrinsicInst>(call) || !call->doesNotAccessMemory() || call->isConvergent()
                : inst.isFenceLike();
}

/* What stands beside the loop in the loop around it has no branches: with the loop unrolled, that one is a single
 * block. */
bool isOnlyBranchOfParent(const Loop &loop)
{
    const Loop *parent = loop.getParentLoop();
    return parent && all_of(parent->blocks(), [&](const BasicBlock *block) {
               return loop.contains(block) || block == parent->getLoopLatch() || block->getSingleSuccessor();
           });
}

bool readsArraysInOneBlock(const Loop &loop)
{
    const BasicBlock &body = *loop.getHeader();
    return loop.getNumBlocks() == 1 && any_of(body, readsLocalArray) && none_of(body, mayOrderAccesses);
}

/*
 * How many iterations of a loop that reads arrays ptxas makes one, as seen of nvcc 13.0, sm_75 to sm_89: all, up to 32
 * of 64 multiplications and 16 loads, where the loop around it has no branch of its own; else as many as are 256
 * instructions, a power of two from 4 on. 1: it stays.
 */
unsigned unrolledBy(const Loop &loop, unsigned trips, ScalarEvolution &evolution)
{
    const unsigned mostTrips = 32, mostInstructions = 8192, mostElsewhere = 256, fewestElsewhere = 4;
    const BasicBlock &body = *loop.getHeader();
    if (trips < 2 || trips > mostTrips || body.size() * trips > mostInstructions)
        return 1;
    if (isOnlyBranchOfParent(loop))
        return trips;
    uint64_t size = machineInstructions(*loop.getHeader(), loop, evolution);
    unsigned count = trips;
    while (count % 2 == 0 && count * size > mostElsewhere)
        count /= 2;
    return count * size <= mostElsewhere && count >= fewestElsewhere ? count : 1;
}

/* A load of an array: so many bytes behind a place that is no constant. */
struct LocalLoad {
    LoadInst *load;
    unsigned order; /* in its block */
    int64_t offset;
};

/* Loads between which nothing is written, of one array, one type, and behind one place. */
using Comparable = MapVector<std::tuple<const GlobalVariable *, Type *, const SCEV *>, SmallVector<LocalLoad, 8>>;

/* The same before it is known which place they are behind. */
using Candidates = MapVector<std::pair<const GlobalVariable *, Type *>, SmallVector<LocalLoad, 8>>;

/* Of a masked sum a constant can be told apart where the rest leaves its low bits alone: `(4 * i + 1) & 255`. */
bool hasKnownLowBit(const Value &value, const DataLayout &layout)
{
    KnownBits bits = computeKnownBits(&value, layout);
    return (bits.Zero | bits.One)[0];
}

/*
 * Whether an address may be a constant away from another one. None is in look-ups by some bits of what was loaded or
 * mixed; scalar evolution, asked for it, would write out all the sums that went into the mixture.
 */
bool mayAddConstant(const Value &value, const DataLayout &layout, unsigned depth = 8)
{
    auto mayOperand = [&](const Use &operand) { return mayAddConstant(*operand, layout, depth - 1); };
    if (auto *number = dyn_cast<ConstantInt>(&value))
        return !number->isZero();
    if (isa<GlobalVariable, Argument>(value))
        return false;
    auto *operation = dyn_cast<Operator>(&value);
    if (!operation || depth == 0)
        return true;
    switch (operation->getOpcode()) {
    case Instruction::Load:
    case Instruction::LShr: return false;
    case Instruction::Xor: return isa<Constant>(operation->getOperand(1));
    case Instruction::Shl:
        return !isa<ConstantInt>(operation->getOperand(1)) || mayOperand(operation->getOperandUse(0));
    case Instruction::And:
        return !isa<ConstantInt>(operation->getOperand(1)) ||
               (mayOperand(operation->getOperandUse(0)) && hasKnownLowBit(*operation->getOperand(0), layout));
    case Instruction::GetElementPtr:
    case Instruction::ZExt:
    case Instruction::SExt:
    case Instruction::Trunc:
    case Instruction::Add: return any_of(operation->operands(), mayOperand);
    default: return true;
    }
}

/* The part of an offset that is no constant, and the constant. */
std::pair<const SCEV *, int64_t> split(const SCEV *offset, ScalarEvolution &evolution)
{
    if (auto *constant = dyn_cast<SCEVConstant>(offset))
        return {evolution.getZero(offset->getType()), constant->getAPInt().getSExtValue()};
    if (auto *counted = dyn_cast<SCEVAddRecExpr>(offset); counted && counted->isAffine()) {
        auto [start, constant] = split(counted->getStart(), evolution);
        return {evolution.getAddRecExpr(start, counted->getStepRecurrence(evolution), counted->getLoop(),
                                        SCEV::FlagAnyWrap),
                constant};
    }
    auto *sum = dyn_cast<SCEVAddExpr>(offset);
    auto *constant = sum ? dyn_cast<SCEVConstant>(sum->getOperand(0)) : nullptr;
    return constant ? std::make_pair(evolution.getMinusSCEV(offset, constant), constant->getAPInt().getSExtValue())
                    : std::make_pair(offset, (int64_t)0);
}

void note(LoadInst &load, unsigned order, Candidates &loads)
{
    const GlobalVariable *array = localArray(load);
    Type *type = load.getType();
    if (array && load.isSimple() && !type->isVectorTy() && !type->isAggregateType() && !type->isPointerTy())
        loads[{array, type}].push_back({&load, order, 0});
}

Comparable findPlaces(const Candidates &candidates, const DataLayout &layout, ScalarEvolution &evolution)
{
    Comparable comparable;
    for (auto &[key, loads] : candidates) {
        if (loads.size() < 2 || none_of(loads, [&](const LocalLoad &load) {
                return mayAddConstant(*load.load->getPointerOperand(), layout);
            }))
            continue;
        for (const LocalLoad &load : loads) {
            const SCEV *offset = evolution.removePointerBase(evolution.getSCEV(load.load->getPointerOperand()));
            auto [from, constant] =
                split(evolution.getTruncateOrNoop(offset, Type::getInt32Ty(load.load->getContext())), evolution);
            comparable[{key.first, key.second, from}].push_back({load.load, load.order, constant});
        }
    }
    return comparable;
}

/* One load of the width of all, and what each of them took of it. */
void join(ArrayRef<LocalLoad> loads, const DominatorTree &dominators)
{
    LoadInst &lowest = *loads.front().load;
    LoadInst &first =
        *min_element(loads, [](const LocalLoad &a, const LocalLoad &b) { return a.order < b.order; })->load;
    if (!dominators.dominates(lowest.getPointerOperand(), &first))
        return;
    IRBuilder<> builder(&first);
    builder.SetCurrentDebugLocation(lowest.getDebugLoc());
    auto *type = FixedVectorType::get(lowest.getType(), (unsigned)loads.size());
    uint64_t bytes = first.getModule()->getDataLayout().getTypeStoreSize(type);
    LoadInst *wide = builder.CreateAlignedLoad(type, lowest.getPointerOperand(), Align(bytes));
    for (size_t i = 0; i < loads.size(); i++)
        loads[i].load->replaceAllUsesWith(builder.CreateExtractElement(wide, i));
    for (const LocalLoad &joined : loads) {
        Value *pointer = joined.load->getPointerOperand();
        joined.load->eraseFromParent();
        RecursivelyDeleteTriviallyDeadInstructions(pointer);
    }
}

/* Of loads in the order of their addresses: how many from one on are side by side, as one of 16 or 8 bytes that is
 * aligned so. */
size_t sideBySide(ArrayRef<LocalLoad> loads, uint64_t size, uint64_t aligned)
{
    for (uint64_t bytes = 16; bytes >= 8 && bytes > size; bytes /= 2) {
        size_t count = bytes / size, i = 1;
        bool fits =
            bytes % size == 0 && count <= loads.size() && bytes <= aligned && loads[0].offset % (int64_t)bytes == 0;
        while (fits && i < count && loads[i].offset == loads[0].offset + (int64_t)(i * size))
            i++;
        if (fits && i == count)
            return count;
    }
    return 1;
}

bool joinNeighbours(Candidates &candidates, const DataLayout &layout, ScalarEvolution &evolution,
                    const DominatorTree &dominators)
{
    bool joined = false;
    Comparable comparable = findPlaces(candidates, layout, evolution);
    for (auto &[key, loads] : comparable) {
        const SCEV *from = std::get<2>(key);
        uint64_t size = layout.getTypeStoreSize(std::get<1>(key)),
                 aligned = uint64_t(1) << std::min(4u, evolution.getMinTrailingZeros(from));
        stable_sort(loads, [](const LocalLoad &a, const LocalLoad &b) { return a.offset < b.offset; });
        for (ArrayRef<LocalLoad> rest = loads; !rest.empty();) {
            size_t count = sideBySide(rest, size, aligned);
            if (count > 1)
                join(rest.take_front(count), dominators);
            joined |= count > 1;
            rest = rest.drop_front(count);
        }
    }
    candidates.clear();
    return joined;
}

/* The array in constant memory, of known size, that an access goes to; else null. */
const GlobalVariable *constantArray(const Instruction &inst)
{
    const Value *pointer = getLoadStorePointerOperand(&inst);
    auto *array = pointer ? dyn_cast<GlobalVariable>(getUnderlyingObject(pointer)) : nullptr;
    bool constant = array && array->getValueType()->isArrayTy() &&
                    spaceOf(targetOf(*inst.getModule()), array->getAddressSpace()) == GP_SPACE_CONSTANT;
    return constant ? array : nullptr;
}

/* Either; null: it goes to none. */
const GlobalVariable *arrayOf(const Instruction &inst)
{
    const GlobalVariable *local = localArray(inst);
    return local ? local : constantArray(inst);
}

/* Arrays in which a block's accesses may lie side by side, or that it accesses in vectors: where in them an access lies
 * matters. */
using Arrays = SmallPtrSet<const GlobalVariable *, 8>;

Arrays findArraysWithNeighbours(const BasicBlock &block, const DataLayout &layout)
{
    Arrays arrays;
    for (const Instruction &inst : block) {
        const GlobalVariable *array = arrayOf(inst);
        if (array && !arrays.contains(array) &&
            (getLoadStoreType(&inst)->isVectorTy() || mayAddConstant(*getLoadStorePointerOperand(&inst), layout)))
            arrays.insert(array);
    }
    return arrays;
}

/*
 * LLVM knows of an array no more than that its elements are aligned, and so of what it reads from it and writes to it;
 * but it begins at 16 bytes, and where in it an access lies is known. Of constants ptxas reads two words at once where
 * the index is none that it knows; a known one makes an operand.
 */
void alignAccess(Instruction &inst, const Arrays &arrays, ScalarEvolution &evolution)
{
    if (!arrays.contains(arrayOf(inst)) ||
        !(isa<LoadInst>(inst) ? cast<LoadInst>(inst).isSimple() : cast<StoreInst>(inst).isSimple()))
        return;
    bool local = localArray(inst);
    const SCEV *offset = evolution.removePointerBase(evolution.getSCEV(getLoadStorePointerOperand(&inst)));
    if (!local && isa<SCEVConstant>(offset))
        return;
    Align known(uint64_t(1) << std::min(local ? 4u : 3u, evolution.getMinTrailingZeros(offset)));
    if (auto *load = dyn_cast<LoadInst>(&inst))
        load->setAlignment(std::max(load->getAlign(), known));
    else
        cast<StoreInst>(inst).setAlignment(std::max(cast<StoreInst>(inst).getAlign(), known));
}

} // namespace

bool readsLocalArrays(const Function &function)
{
    return any_of(instructions(function), [](const Instruction &inst) { return isa<LoadInst>(inst) && arrayOf(inst); });
}

bool unrollLocalLoops(Function &function, FunctionAnalysisManager &manager)
{
    LoopInfo &loops = manager.getResult<LoopAnalysis>(function);
    SmallVector<Loop *, 8> candidates;
    copy_if(loops.getLoopsInPreorder(), std::back_inserter(candidates),
            [](const Loop *loop) { return readsArraysInOneBlock(*loop); });
    if (candidates.empty())
        return false;
    DominatorTree &dominators = manager.getResult<DominatorTreeAnalysis>(function);
    ScalarEvolution &evolution = manager.getResult<ScalarEvolutionAnalysis>(function);
    AssumptionCache &assumptions = manager.getResult<AssumptionAnalysis>(function);
    const TargetTransformInfo &target = manager.getResult<TargetIRAnalysis>(function);
    bool unrolled = false;
    for (Loop *loop : candidates) {
        unsigned count = unrolledBy(*loop, evolution.getSmallConstantTripCount(loop), evolution);
        if (count == 1)
            continue;
        simplifyLoop(loop, &dominators, &loops, &evolution, &assumptions, nullptr, false);
        formLCSSARecursively(*loop, dominators, &loops, &evolution);
        UnrollLoopOptions options = {};
        options.Count = count;
        options.Force = options.ForgetAllSCEV = true;
        unrolled |= UnrollLoop(loop, options, &loops, &evolution, &dominators, &assumptions, &target, nullptr, true) !=
                    LoopUnrollResult::Unmodified;
    }
    if (unrolled)
        manager.invalidate(function, PreservedAnalyses::none());
    return unrolled;
}

bool joinLocalLoads(Function &function, FunctionAnalysisManager &manager)
{
    bool joined = false;
    ScalarEvolution &evolution = manager.getResult<ScalarEvolutionAnalysis>(function);
    const DominatorTree &dominators = manager.getResult<DominatorTreeAnalysis>(function);
    const DataLayout &layout = function.getParent()->getDataLayout();
    for (BasicBlock &block : function) {
        Arrays arrays = findArraysWithNeighbours(block, layout);
        Candidates loads;
        unsigned order = 0;
        for (Instruction &inst : make_early_inc_range(block)) {
            if (getLoadStorePointerOperand(&inst))
                alignAccess(inst, arrays, evolution);
            if (auto *load = dyn_cast<LoadInst>(&inst))
                note(*load, order++, loads);
            else if (inst.mayWriteToMemory())
                joined |= joinNeighbours(loads, layout, evolution, dominators);
        }
        joined |= joinNeighbours(loads, layout, evolution, dominators);
    }
    return joined;
}

} // namespace gpuperf
