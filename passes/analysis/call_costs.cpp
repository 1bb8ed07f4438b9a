/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "passes/analysis/call_costs.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/CFG.h"

#include "passes/analysis/lowering.h"

using namespace llvm;

namespace gpuperf
{

/* Functions that call two others each, and so on, would soon be more than any kernel takes. */
static const double mostOfAClass = 1 << 20;

static void add(ClassCounts &counts, gp_class cost, double count)
{
    if (cost != GP_CLASS_FREE && count > 0)
        counts[cost] = std::min(counts[cost] + count, mostOfAClass);
}

using Frequencies = DenseMap<const BasicBlock *, double>;

/* A block's goes to those behind it in equal parts; ways back to those before it count as never taken. */
static Frequencies frequencies(ArrayRef<const BasicBlock *> order)
{
    Frequencies times;
    SmallPtrSet<const BasicBlock *, 32> before;
    times[order.front()] = 1;
    for (const BasicBlock *block : order) {
        before.insert(block);
        auto isForward = [&](const BasicBlock *next) { return !before.contains(next); };
        auto forward = (double)count_if(successors(block), isForward);
        double part = times.lookup(block) / std::max(forward, 1.0);
        for (const BasicBlock *next : successors(block))
            if (isForward(next))
                times[next] += part;
    }
    return times;
}

void CallCosts::addCall(const CallBase &call, double times, ClassCounts &counts)
{
    CallClass found = classifyCall(call, target);
    if (found.kind != CallKind::Unknown) {
        add(counts, found.cost.cost, times * found.cost.repeat * elementCount(call.getType()));
        return;
    }
    add(counts, GP_CLASS_CALL, times);
    for (auto [cost, count] : behind(call))
        add(counts, cost, times * count);
}

void CallCosts::addInstruction(const Instruction &inst, const Costs &costs, double times, ClassCounts &counts)
{
    if (auto *call = dyn_cast<CallBase>(&inst))
        return addCall(*call, times, counts);
    if (inst.mayReadOrWriteMemory())
        return;
    Cost cost = costs.of(inst);
    add(counts, cost.cost, times * cost.repeat * elementCount(inst.getType()));
}

const ClassCounts &CallCosts::behind(const CallBase &call)
{
    const Function *callee = call.getCalledFunction();
    return callee && !callee->isDeclaration() ? of(*callee) : nothing;
}

const ClassCounts &CallCosts::of(const Function &function)
{
    std::unique_ptr<ClassCounts> &entry = known[&function];
    if (entry)
        return *entry; /* empty within itself: a recursive call counts once */
    entry = std::make_unique<ClassCounts>();
    ClassCounts &counts = *entry; /* the table may move, what it points to does not */
    Costs costs(function, target, nullptr);
    ReversePostOrderTraversal<const Function *> traversal(&function);
    std::vector<const BasicBlock *> order(traversal.begin(), traversal.end());
    Frequencies times = frequencies(order);
    for (const BasicBlock *block : order)
        for (const Instruction &inst : *block)
            addInstruction(inst, costs, times.lookup(block), counts);
    return counts;
}

} // namespace gpuperf
