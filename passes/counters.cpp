#include "passes/counters.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace gpuperf {

using Values = DenseSet<const Instruction *>;

/* Integers, pointers, and pairs of which one is taken. */
static bool isSeenThrough(const Value &value)
{
    Type *type = value.getType();
    return type->isIntegerTy() || type->isPointerTy() || type->isStructTy();
}

/*
 * What scalar evolution knows by its name only: what is loaded, rotated, mixed, or made of floats and vectors. It is another one in each iteration, or stood before the loop; so what is
 * computed from it takes no step that is the same in all of them. Asked, scalar evolution writes out all that a value is computed from, which for the state of a hash is a whole round.
 */
static bool isOpaque(const Instruction &inst)
{
    if (!isSeenThrough(inst))
        return false;
    auto *call = dyn_cast<IntrinsicInst>(&inst);
    bool rotates = call && (call->getIntrinsicID() == Intrinsic::fshl || call->getIntrinsicID() == Intrinsic::fshr);
    bool mixes = inst.getOpcode() == Instruction::Xor && !isa<Constant>(inst.getOperand(1));
    bool converts = !isa<CallBase>(inst) && any_of(inst.operands(), [](const Use &use) { return !isa<BasicBlock>(use) && !isSeenThrough(*use); });
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
            if (auto *inst = dyn_cast<Instruction>(user); inst && isSeenThrough(*inst) && !isa<LoadInst>(inst) && loop.contains(inst))
                enter(*inst);
}

static Values computedFromOpaque(const Loop &loop)
{
    Values opaque;
    for (const BasicBlock *block : loop.blocks())
        for (const Instruction &inst : *block)
            if (isOpaque(inst))
                follow(inst, loop, opaque);
    return opaque;
}

static Values computedFromCounts(const Loop &loop)
{
    Values counted, opaque = computedFromOpaque(loop);
    for (const PHINode &phi : loop.getHeader()->phis())
        if (isSeenThrough(phi) && !opaque.contains(&phi))
            follow(phi, loop, counted);
    for (const Instruction *inst : opaque)
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
