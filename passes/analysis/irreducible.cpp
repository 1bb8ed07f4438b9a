/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * DESCRIPTION  A cycle that is entered in several places gets one header, a dispatch block: what leads to the places
 * from outside, and to the first of them from inside, comes by it, and it goes on to where the way was bound for. Then
 * the cycle is a loop. What is left of it without its header is searched for cycles again, as are the bodies of loops.
 *
 * ALGORITHM  Strongly connected components, level by level. A phi of a place becomes one of the dispatch block, which
 * has a value for each way to it. So a cycle of n places with phis costs n * n operands: what is added is limited to
 * twice what is there and a little, and the blocks that are looked at to sixteen times as many. Beyond that cycles stay
 * as they are.
 *
 * Why not LLVM's FixIrreducible: up to LLVM 22 it makes invalid phis where such cycles are nested, knows branches only,
 * and its chains of blocks grow without a limit.
 */
#include "passes/analysis/irreducible.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace
{

/* A block of a part of the function; edges that leave the part are left out. */
struct Node {
    BasicBlock *block;
    SmallVector<Node *, 2> successors;
};

} // namespace

template <>
struct llvm::GraphTraits<Node *> {
    using NodeRef = Node *;
    using ChildIteratorType = SmallVector<Node *, 2>::iterator;
    static NodeRef getEntryNode(Node *node) { return node; }
    static ChildIteratorType child_begin(NodeRef node) { return node->successors.begin(); }
    static ChildIteratorType child_end(NodeRef node) { return node->successors.end(); }
};

namespace gpuperf
{

namespace
{

using Blocks = std::vector<BasicBlock *>;

struct Way {
    BasicBlock *from, *to;
};

class Reducer
{
public:
    explicit Reducer(Function &function) : function(function), addable(2 * function.getInstructionCount() + 5000)
    {
        for (BasicBlock *block : ReversePostOrderTraversal<Function *>(&function)) {
            position[block] = unsigned(all.size());
            cycleOf[block] = 0;
            all.push_back(block);
        }
        visible = 16 * all.size() + 10000;
    }
    Reduced run();

private:
    std::vector<Blocks> cyclesIn(const Blocks &part);
    Blocks placesOf(const Blocks &cycle);
    std::vector<Way> waysTo(const Blocks &places);
    bool affords(const Blocks &places, const std::vector<Way> &ways);
    void dispatch(const Blocks &places, const std::vector<Way> &ways);
    BasicBlock *lead(const Way &way, BasicBlock *to);
    bool isInside(BasicBlock *block)
    {
        auto at = cycleOf.find(block);
        return at != cycleOf.end() && at->second == current;
    }

    Function &function;
    Blocks all;                                               /* that can be reached, in reverse post-order */
    DenseMap<const BasicBlock *, unsigned> position, cycleOf; /* cycleOf: the innermost one found so far */
    unsigned current = 0;
    size_t visible = 0, addable; /* blocks that may still be looked at, operands that may still be added */
    Reduced result;
};

/* The cycles of a part of the function, each in reverse post-order. */
std::vector<Blocks> Reducer::cyclesIn(const Blocks &part)
{
    std::vector<Node> nodes(part.size());
    DenseMap<const BasicBlock *, Node *> nodeOf;
    Node root{nullptr, {}};
    for (size_t i = 0; i < part.size(); i++) {
        nodes[i].block = part[i];
        nodeOf[part[i]] = &nodes[i];
        root.successors.push_back(&nodes[i]);
    }
    for (Node &node : nodes)
        for (BasicBlock *next : successors(node.block))
            if (Node *to = nodeOf.lookup(next))
                node.successors.push_back(to);
    std::vector<Blocks> cycles;
    for (auto at = scc_begin(&root); !at.isAtEnd(); ++at) {
        if (at->size() < 2)
            continue;
        cycles.emplace_back();
        for (Node *node : *at)
            cycles.back().push_back(node->block);
        sort(cycles.back(),
             [&](const BasicBlock *a, const BasicBlock *b) { return position.lookup(a) < position.lookup(b); });
    }
    return cycles;
}

/* Where a cycle, the current one, is entered. */
Blocks Reducer::placesOf(const Blocks &cycle)
{
    Blocks places;
    for (BasicBlock *block : cycle)
        if (any_of(predecessors(block), [&](BasicBlock *from) { return cycleOf.contains(from) && !isInside(from); }))
            places.push_back(block);
    return places;
}

std::vector<Way> Reducer::waysTo(const Blocks &places)
{
    std::vector<Way> ways;
    for (BasicBlock *to : places) {
        SmallPtrSet<BasicBlock *, 8> seen;
        for (BasicBlock *from : predecessors(to))
            if (cycleOf.contains(from) && (to == places.front() || !isInside(from)) && seen.insert(from).second)
                ways.push_back({from, to});
    }
    return ways;
}

bool Reducer::affords(const Blocks &places, const std::vector<Way> &ways)
{
    size_t phis = 1;
    for (BasicBlock *to : places)
        phis += size_t(range_size(to->phis()));
    size_t added = ways.size() * (phis + 1);
    if (added > addable)
        return false;
    addable -= added;
    return true;
}

/* Has the way lead to another block; returns from where it does. A branch may lead there by several ways, which are
 * told apart by blocks of their own. */
BasicBlock *Reducer::lead(const Way &way, BasicBlock *to)
{
    Instruction *terminator = way.from->getTerminator();
    if (terminator->getNumSuccessors() == 1) {
        terminator->setSuccessor(0, to);
        return way.from;
    }
    BasicBlock *between = BasicBlock::Create(function.getContext(), "", &function, to);
    BranchInst::Create(to, between);
    terminator->replaceSuccessorWith(way.to, between);
    cycleOf[between] = cycleOf.lookup(way.from);
    return between;
}

void Reducer::dispatch(const Blocks &places, const std::vector<Way> &ways)
{
    BasicBlock *block = BasicBlock::Create(function.getContext(), "", &function, places.front());
    IRBuilder<> builder(block);
    PHINode *bound = builder.CreatePHI(builder.getInt32Ty(), unsigned(ways.size()));
    DenseMap<const BasicBlock *, unsigned> numbers;
    std::vector<std::pair<PHINode *, PHINode *>> moved; /* of a place, of the dispatch block */
    for (BasicBlock *to : places) {
        numbers[to] = unsigned(numbers.size());
        for (PHINode &phi : to->phis())
            moved.push_back({&phi, builder.CreatePHI(phi.getType(), unsigned(ways.size()))});
    }
    for (const Way &way : ways) {
        BasicBlock *by = lead(way, block);
        bound->addIncoming(builder.getInt32(numbers[way.to]), by);
        for (auto [phi, into] : moved)
            into->addIncoming(phi->getParent() == way.to ? phi->getIncomingValueForBlock(way.from)
                                                         : PoisonValue::get(phi->getType()),
                              by);
        for (PHINode &phi : way.to->phis())
            phi.removeIncomingValueIf([&](unsigned i) { return phi.getIncomingBlock(i) == way.from; }, false);
    }
    for (auto [phi, into] : moved)
        phi->addIncoming(into, block);
    SwitchInst *choice = builder.CreateSwitch(bound, places.front(), unsigned(places.size() - 1));
    for (size_t i = 1; i < places.size(); i++)
        choice->addCase(builder.getInt32(unsigned(i)), places[i]);
    cycleOf[block] = 0;
    result.headers.insert(block);
}

Reduced Reducer::run()
{
    std::vector<Blocks> parts{all};
    unsigned found = 0;
    while (!parts.empty()) {
        Blocks part = std::move(parts.back());
        parts.pop_back();
        if (part.size() > visible) {
            result.complete = false;
            break;
        }
        visible -= part.size();
        for (Blocks &cycle : cyclesIn(part)) {
            current = ++found;
            for (BasicBlock *block : cycle)
                cycleOf[block] = current;
            Blocks places = placesOf(cycle);
            std::vector<Way> ways = waysTo(places);
            if (places.size() > 1 && !affords(places, ways)) {
                result.complete = false;
                continue;
            }
            if (places.size() > 1)
                dispatch(places, ways);
            cycle.erase(find(cycle, places.front()));
            parts.push_back(std::move(cycle));
        }
    }
    return std::move(result);
}

/* A computed goto is a choice by a number that nobody knows. The edges stay as they are. */
void chooseInComputedGotos(Function &function)
{
    for (BasicBlock &block : function) {
        auto *jump = dyn_cast<IndirectBrInst>(block.getTerminator());
        if (!jump || jump->getNumDestinations() == 0)
            continue;
        IRBuilder<> builder(jump);
        SwitchInst *choice = builder.CreateSwitch(builder.CreatePtrToInt(jump->getAddress(), builder.getInt64Ty()),
                                                  jump->getDestination(0), jump->getNumDestinations() - 1);
        for (unsigned i = 1; i < jump->getNumDestinations(); i++)
            choice->addCase(builder.getInt64(i), jump->getDestination(i));
        jump->eraseFromParent();
    }
}

bool isIrreducible(Function &function, FunctionAnalysisManager &manager)
{
    ReversePostOrderTraversal<const Function *> order(&function);
    return containsIrreducibleCFG<const BasicBlock *>(order, manager.getResult<LoopAnalysis>(function));
}

} // namespace

Reduced makeReducible(Function &function, FunctionAnalysisManager &manager)
{
    chooseInComputedGotos(function);
    bool known = all_of(function, [](const BasicBlock &block) {
        return isa<BranchInst, SwitchInst, ReturnInst, UnreachableInst>(block.getTerminator());
    });
    if (!known || !isIrreducible(function, manager))
        return {};
    Reduced reduced = Reducer(function).run();
    manager.invalidate(function, PreservedAnalyses::none());
    reduced.complete = reduced.complete || !isIrreducible(function, manager);
    return reduced;
}

} // namespace gpuperf
