/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * DESCRIPTION
 *    What is computed once although the IR computes it several times. Addresses and extensions of indices are made by
 * the emitter, so that it takes them from where they were made before. What guarded blocks compute that run one after
 * the other in an iteration,
 *
 *        if (x < n) a[y * n + x] = ...;   if (x + 1 < n) a[y * n + x + 1] = ...;
 *
 *    stands in each of them in the IR; code generators compute it once, predicate the blocks or move it in front of
 * both (LLVM's MachineCSE, ptxas). The first of these blocks pays.
 */
#include "passes/emit/emitter.h"

using namespace llvm;

namespace gpuperf
{

gp_ref Emitter::sameAs(gp_ref value) const
{
    auto found = same.find(value);
    return found == same.end() ? value : found->second;
}

/* What was made in a block that every path to this one passes. */
gp_ref *Emitter::reuse(std::vector<Reached> &found)
{
    for (Reached &reached : found)
        if (facts.dominators.dominates(reached.block, currentBlock))
            return &reached.ref;
    return nullptr;
}

/* Of the same iteration of the same loop; not the other side of a branch: where the ways from there meet lies before
 * this block. */
bool Emitter::runsBefore(const BasicBlock *earlier) const
{
    const unsigned mostSteps = 16;
    if (facts.loops.getLoopFor(earlier) != facts.loops.getLoopFor(currentBlock))
        return false;
    uint32_t number = blockNumbers.lookup(earlier);
    auto *node = facts.postDominators.getNode(earlier);
    for (unsigned step = 0; node && step < mostSteps; step++) {
        node = node->getIDom();
        const BasicBlock *join = node ? node->getBlock() : nullptr;
        if (!join || blockNumbers.lookup(join) <= number) /* the next iteration */
            return false;
        if (facts.dominators.dominates(join, currentBlock))
            return true;
    }
    return false;
}

void Emitter::keep(std::vector<Reached> &made, gp_ref ref)
{
    const size_t mostBlocks = 16;
    for (const Reached &reached : made)
        if (reached.block != currentBlock && facts.target != Target::Host && runsBefore(reached.block)) {
            same[ref] = sameAs(reached.ref);
            protoOf(ref).inst.cost = GP_CLASS_FREE;
            protoOf(ref).inst.repeat = 1;
            break;
        }
    if (made.size() < mostBlocks)
        made.push_back({currentBlock, ref});
}

void Emitter::keepValue(const Lowering &lowering, ArrayRef<gp_ref> operands, gp_ref ref)
{
    if (operands.size() > 3)
        return;
    uint64_t parts[4] = {(uint64_t)lowering.op | (uint64_t)lowering.bits << 8 | (uint64_t)lowering.width << 16 |
                         (uint64_t)lowering.sub << 24};
    for (size_t i = 0; i < operands.size(); i++)
        parts[i + 1] = sameAs(operands[i]);
    keep(values[{parts[0] << 32 | parts[1], parts[2] << 32 | parts[3]}], ref);
}

} // namespace gpuperf
