/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "passes/analysis/exchanges.h"
#include "passes/ir/builtins.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace gpuperf
{

enum { DEEPEST = 8 };

/* The value before it was seen as another type, or as the half or byte of a word that it is. */
static const Value *bare(const Value *value)
{
    for (unsigned steps = 0; steps < DEEPEST; steps++) {
        auto *inst = dyn_cast<Instruction>(value);
        bool part = inst && (inst->getOpcode() == Instruction::LShr || inst->getOpcode() == Instruction::And) &&
                    isa<Constant>(inst->getOperand(1));
        if (!inst || (!isa<CastInst>(inst) && !part))
            return value;
        value = inst->getOperand(0);
    }
    return value;
}

/* Whether one of the words of a function's name is one of these: the optimiser's name (llvm.maxnum.f32), a device
 * library's (__nv_fmaxf, __ocml_fmax_f32), OpenCL's mangled one. `minus` is another word than `min`. */
static bool isCallOf(const Value *value, ArrayRef<StringRef> wanted)
{
    auto *call = dyn_cast<CallBase>(value);
    const Function *callee = call ? calledFunction(*call) : nullptr;
    SmallVector<StringRef, 8> words;
    if (callee)
        SplitString(builtinName(callee->getName()).base, words, "._");
    return any_of(words, [&](StringRef word) { return is_contained(wanted, word); });
}

static bool isLargestOrLeast(const Value *value)
{
    return isa<MinMaxIntrinsic>(value) ||
           isCallOf(value, {"max", "fmax", "fmaxf", "maxnum", "maximum", "maximumnum", "maxmag", "min", "fmin", "fminf",
                            "minnum", "minimum", "minimumnum", "minmag"});
}

static bool isProductAndSum(const Value *value) { return isCallOf(value, {"fma", "fmaf", "fmuladd", "mad"}); }

/* `a < b ? b : a`: the one or the other by their order. `old == none ? mine : old` takes the first that comes. */
static bool choosesByOrder(const Instruction &inst)
{
    auto *select = dyn_cast<SelectInst>(&inst);
    auto *test = select ? dyn_cast<CmpInst>(select->getCondition()) : nullptr;
    if (!test || test->isEquality())
        return false;
    const Value *compared[] = {bare(test->getOperand(0)), bare(test->getOperand(1))};
    return is_contained(compared, bare(select->getTrueValue())) &&
           is_contained(compared, bare(select->getFalseValue()));
}

/* Operands that may be combined with others' first: all of those whose order does not matter, what is taken something
 * from, what a product is added to. */
static bool takesCombined(const Instruction &inst, unsigned operand)
{
    switch (inst.getOpcode()) {
    case Instruction::Add:
    case Instruction::Mul:
    case Instruction::And:
    case Instruction::Or:
    case Instruction::Xor:
    case Instruction::FAdd:
    case Instruction::FMul: return true;
    case Instruction::Sub:
    case Instruction::FSub: return operand == 0;
    case Instruction::Select: return operand > 0 && choosesByOrder(inst);
    case Instruction::Call: return isLargestOrLeast(&inst) || (operand == 2 && isProductAndSum(&inst));
    default: return false;
    }
}

/* Whether a value is the old one and something else, combined; of a part of a word, put back beside the rest. */
static bool isCombinedWith(const Value *value, const Value *old, unsigned depth = 0)
{
    auto *inst = dyn_cast<Instruction>(bare(value));
    if (!inst || depth > DEEPEST)
        return false;
    bool puts = inst->getOpcode() == Instruction::Or || inst->getOpcode() == Instruction::Shl;
    if (puts && any_of(inst->operands(), [&](const Use &use) { return isCombinedWith(use, old, depth + 1); }))
        return true;
    return any_of(inst->operands(),
                  [&](const Use &use) { return takesCombined(*inst, use.getOperandNo()) && bare(use) == bare(old); });
}

/* What a value is, or ways bring: a loop's own and the first. */
static bool isOneOf(const Value *value, const Value *old)
{
    auto *phi = dyn_cast<PHINode>(bare(old));
    return bare(value) == bare(old) ||
           (phi && any_of(phi->incoming_values(), [&](const Use &use) { return bare(use) == bare(value); }));
}

/* The place that a value was read from, by a load or by an atomic that adds nothing; null: by neither. */
static const Value *placeReadBy(const Value *value)
{
    if (auto *load = dyn_cast<LoadInst>(value))
        return load->getPointerOperand()->stripPointerCasts();
    auto *atomic = dyn_cast<AtomicRMWInst>(value);
    return atomic && match(atomic->getValOperand(), m_Zero()) ? atomic->getPointerOperand()->stripPointerCasts()
                                                              : nullptr;
}

/* Whether a value is what stands at the place of a compare-and-swap: what that expects there or has found there, or
 * what was read there. */
static bool isFoundBy(const AtomicCmpXchgInst &swap, const Value *value)
{
    auto *part = dyn_cast<ExtractValueInst>(bare(value));
    return isOneOf(value, swap.getCompareOperand()) || (part && part->getAggregateOperand() == &swap) ||
           placeReadBy(bare(value)) == swap.getPointerOperand()->stripPointerCasts();
}

/* Whether a value is put there: as it is, if it is the larger or the lesser, or as the upper part of a word. */
static bool isPut(const Value *mine, const Value *put, unsigned depth = 0)
{
    auto *inst = dyn_cast<Instruction>(bare(put));
    if (bare(mine) == bare(put) || !inst || depth > DEEPEST)
        return bare(mine) == bare(put);
    bool holds = inst->getOpcode() == Instruction::Or || inst->getOpcode() == Instruction::Shl ||
                 isLargestOrLeast(inst) || choosesByOrder(*inst);
    return holds && any_of(inst->operands(), [&](const Use &use) { return isPut(mine, use, depth + 1); });
}

const Value *orderedWithPlaceOf(const AtomicCmpXchgInst &swap, const CmpInst &test)
{
    for (unsigned side = 0; !test.isEquality() && side < 2; side++)
        if (isPut(test.getOperand(side), swap.getNewValOperand()) && isFoundBy(swap, test.getOperand(1 - side)))
            return test.getOperand(side);
    return nullptr;
}

/* Whether the new value's order with the old one is asked for: `if (old < mine) old = exchange(place, old, mine)` keeps
 * the largest. */
static bool isOrderedWith(const AtomicCmpXchgInst &swap)
{
    auto *place = dyn_cast<GetElementPtrInst>(swap.getPointerOperand()->stripPointerCasts());
    bool moves = place && any_of(place->indices(), [&](const Use &index) {
                     return isOneOf(index, swap.getCompareOperand());
                 }); /* on to the place that the old value tells, as in a forest of sets */
    if (isa<Constant>(bare(swap.getNewValOperand())) || moves)
        return false;
    return any_of(instructions(*swap.getFunction()), [&](const Instruction &inst) {
        auto *test = dyn_cast<CmpInst>(&inst);
        return test && orderedWithPlaceOf(swap, *test);
    });
}

bool keepsLargestOrLeast(const Instruction &atomic)
{
    auto *swap = dyn_cast<AtomicCmpXchgInst>(&atomic);
    auto *kept = swap ? dyn_cast<Instruction>(bare(swap->getNewValOperand())) : nullptr;
    if (swap && isOrderedWith(*swap))
        return true;
    return kept && (isLargestOrLeast(kept) || choosesByOrder(*kept)) && any_of(kept->operands(), [&](const Use &use) {
               return takesCombined(*kept, use.getOperandNo()) && bare(use) == bare(swap->getCompareOperand());
           });
}

bool exchangesForItself(const Instruction &atomic, bool retried, bool uniform)
{
    if (auto *swap = dyn_cast<AtomicCmpXchgInst>(&atomic))
        return !isOrderedWith(*swap) &&
               (!retried || !isCombinedWith(swap->getNewValOperand(), swap->getCompareOperand()));
    auto *exchange = dyn_cast<AtomicRMWInst>(&atomic);
    if (!exchange || exchange->getOperation() != AtomicRMWInst::Xchg)
        return false;
    bool carries =
        retried &&
        !isa<Constant>(exchange->getValOperand()); /* the one of two exchanges that takes the sum out or puts it back */
    return !carries && !(uniform && atomic.use_empty());
}

} // namespace gpuperf
