#include "passes/counters.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace gpuperf {

/* What scalar evolution knows by its name only, and of sums what they add up. */
static bool isOpaque(const Instruction &inst)
{
    auto *call = dyn_cast<IntrinsicInst>(&inst);
    bool rotates = call && (call->getIntrinsicID() == Intrinsic::fshl || call->getIntrinsicID() == Intrinsic::fshr);
    bool mixes = inst.getOpcode() == Instruction::Xor && !isa<Constant>(inst.getOperand(1));
    return rotates || mixes || isa<LoadInst>(inst);
}

static bool isSum(const Instruction &inst)
{
    unsigned code = inst.getOpcode();
    return code == Instruction::Add || code == Instruction::Sub || code == Instruction::GetElementPtr;
}

/*
 * Scalar evolution, asked, writes out all that the next value is computed from, which for the state of a hash is a whole round; but what is added to a count does
 * not change in the loop, so one part of the sum that does tells as much.
 */
bool mayCount(const PHINode &phi, const Loop &loop)
{
    const unsigned mostParts = 64;
    if (!loop.getLoopLatch())
        return true;
    SmallVector<const Value *, 16> open{phi.getIncomingValueForBlock(loop.getLoopLatch())};
    for (unsigned parts = 0; !open.empty() && parts < mostParts; parts++) {
        auto *inst = dyn_cast<Instruction>(open.pop_back_val());
        if (!inst || !loop.contains(inst))
            continue;
        if (isOpaque(*inst))
            return false;
        if (isSum(*inst))
            append_range(open, inst->operands());
    }
    return true;
}

/* Integers, pointers, and pairs of which one is taken. */
static bool maySeeThrough(const Instruction &inst)
{
    Type *type = inst.getType();
    return !isa<LoadInst>(inst) && (type->isIntegerTy() || type->isPointerTy() || type->isStructTy());
}

static void follow(const Instruction &from, const Loop &loop, DenseSet<const Instruction *> &reached)
{
    SmallVector<const Instruction *, 32> open;
    auto enter = [&](const Instruction &inst) {
        if (reached.insert(&inst).second)
            open.push_back(&inst);
    };
    enter(from);
    while (!open.empty())
        for (const User *user : open.pop_back_val()->users())
            if (auto *inst = dyn_cast<Instruction>(user); inst && maySeeThrough(*inst) && loop.contains(inst))
                enter(*inst);
}

bool CounterReach::reach(const Instruction &inst, const Loop &loop)
{
    auto [entry, isNew] = reached.try_emplace(&loop);
    if (isNew)
        for (const PHINode &phi : loop.getHeader()->phis())
            if (maySeeThrough(phi) && mayCount(phi, loop))
                follow(phi, loop, entry->second);
    return entry->second.contains(&inst);
}

} // namespace gpuperf
