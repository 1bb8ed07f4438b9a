/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "passes/ir/counters.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace gpuperf
{

using Values = DenseSet<const Instruction *>;

/* Integers, pointers, and pairs of which one is taken. */
static bool isSeenThrough(const Value &value)
{
    Type *type = value.getType();
    return type->isIntegerTy() || type->isPointerTy() || type->isStructTy();
}

/*
 * What scalar evolution knows by its name only: what is loaded, rotated, mixed, or made of floats and vectors. It is
 * another one in each iteration, or stood before the loop; so what is computed from it takes no step that is the same
 * in all of them. Asked, scalar evolution writes out all that a value is computed from, which for the state of a hash
 * is a whole round.
 */
static bool isOpaque(const Instruction &inst)
{
    if (!isSeenThrough(inst))
        return false;
    auto *call = dyn_cast<IntrinsicInst>(&inst);
    bool rotates = call && (call->getIntrinsicID() == Intrinsic::fshl || call->getIntrinsicID() == Intrinsic::fshr);
    bool mixes = inst.getOpcode() == Instruction::Xor && !isa<Constant>(inst.getOperand(1));
    bool converts = !isa<CallBase>(inst) && any_of(inst.operands(), [](const Use &use) {
        return !isa<BasicBlock>(use) && !isSeenThrough(*use);
    });
    return rotates || mixes || converts || isa<LoadInst>(inst);
}

static void follow(const Instruction &from, const Loop &loop, Values &reached)
{
    SmallVector<const Instruction *, 32> open;
    auto enter = [&](const Instruction &inst) {
        if (reached.insert(&inst).second)
            open.push_back(&inst);
    };
    enter(from);
    while (!open.empty())
        for (const User *user : open.pop_back_val()->users())
            if (auto *inst = dyn_cast<Instruction>(user);
                inst && isSeenThrough(*inst) && !isa<LoadInst>(inst) && loop.contains(inst))
                enter(*inst);
}

/* Whether it is computed in the loop from something opaque: from too much to look through, too. */
static bool isMadeOfOpaque(const Value *value, const Loop &loop)
{
    const unsigned most = 64;
    SmallVector<const Value *, 16> open{value};
    SmallPtrSet<const Value *, 16> seen;
    while (!open.empty()) {
        auto *inst = dyn_cast<Instruction>(open.pop_back_val());
        if (!inst || !loop.contains(inst) || !seen.insert(inst).second)
            continue;
        if (isOpaque(*inst) || seen.size() > most)
            return true;
        append_range(open, inst->operands());
    }
    return false;
}

/* Of what is computed from counts, what is opaque or computed from something opaque beside them. */
static Values madeOfOpaque(const Values &counted, const Loop &loop)
{
    Values opaque;
    for (const Instruction *inst : counted) {
        auto isOpaqueBeside = [&](const Use &use) {
            auto *operand = dyn_cast<Instruction>(use);
            return operand && !counted.contains(operand) && isMadeOfOpaque(operand, loop);
        };
        if (!opaque.contains(inst) && (isOpaque(*inst) || any_of(inst->operands(), isOpaqueBeside)))
            follow(*inst, loop, opaque);
    }
    return opaque;
}

static const Value *nextOf(const PHINode &phi, const Loop &loop)
{
    const BasicBlock *latch = loop.getLoopLatch();
    return latch ? phi.getIncomingValueForBlock(latch) : &phi;
}

static Values computedFromCounts(const Loop &loop)
{
    Values counted;
    for (const PHINode &phi : loop.getHeader()->phis())
        if (isSeenThrough(phi) && !isMadeOfOpaque(nextOf(phi, loop), loop))
            follow(phi, loop, counted);
    for (const Instruction *inst : madeOfOpaque(counted, loop))
        counted.erase(inst);
    return counted;
}

bool CounterReach::reach(const Instruction &inst, const Loop &loop)
{
    auto entry = reached.find(&loop);
    if (entry == reached.end())
        entry = reached.try_emplace(&loop, computedFromCounts(loop)).first;
    return entry->second.contains(&inst);
}

} // namespace gpuperf
