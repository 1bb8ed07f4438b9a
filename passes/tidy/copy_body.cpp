/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "passes/tidy/copy_body.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DepthFirstIterator.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace gpuperf
{

namespace
{

/* ---- Instructions --------------------------------------------------------------------------------------------- */

/* Type-based and scoped alias analysis are not among those that run on the copy. */
bool isForOtherAnalyses(unsigned kind)
{
    return kind == LLVMContext::MD_tbaa || kind == LLVMContext::MD_tbaa_struct || kind == LLVMContext::MD_alias_scope ||
           kind == LLVMContext::MD_noalias;
}

void copyMetadata(const Instruction &from, Instruction &to)
{
    SmallVector<std::pair<unsigned, MDNode *>, 4> all;
    if (from.hasMetadataOtherThanDebugLoc())
        from.getAllMetadataOtherThanDebugLoc(all);
    for (auto [kind, node] : all)
        if (!isForOtherAnalyses(kind))
            to.setMetadata(kind, node);
    to.setDebugLoc(from.getDebugLoc());
}

/* Loads and stores carry most of the metadata that is not needed, which clone() would copy. */
Instruction *cloneOf(const Instruction &inst)
{
    Instruction *copy;
    if (auto *load = dyn_cast<LoadInst>(&inst))
        copy = new LoadInst(load->getType(), load->getOperand(0), "", load->isVolatile(), load->getAlign(),
                            load->getOrdering(), load->getSyncScopeID());
    else if (auto *store = dyn_cast<StoreInst>(&inst))
        copy = new StoreInst(store->getOperand(0), store->getOperand(1), store->isVolatile(), store->getAlign(),
                             store->getOrdering(), store->getSyncScopeID());
    else
        return inst.clone();
    copyMetadata(inst, *copy);
    return copy;
}

/* ---- Source positions ----------------------------------------------------------------------------------------- */

/* Positions of a callee, as seen from the call. */
class Places
{
public:
    explicit Places(const CallBase &call);
    void extend(Instruction &inst);

private:
    DebugLoc extended(const DebugLoc &place);

    DILocation *site = nullptr; /* null: the call has no position, the callee's are left as they are */
    DILocation *inlinedAt = nullptr;
    bool calleeHas, lines;
    DenseMap<const DILocation *, DILocation *> known;
    DenseMap<const MDNode *, MDNode *> chains;
};

Places::Places(const CallBase &call)
    : site(call.getDebugLoc().get()), calleeHas(call.getCalledFunction()->getSubprogram()),
      lines(!call.getFunction()->hasFnAttribute("no-inline-line-tables"))
{
    if (site) /* a node of its own: two calls may stand in one place */
        inlinedAt = DILocation::getDistinct(site->getContext(), site->getLine(), site->getColumn(), site->getScope(),
                                            site->getInlinedAt());
}

DebugLoc Places::extended(const DebugLoc &place)
{
    DILocation *&result = known[place.get()];
    if (!result) {
        DebugLoc at = DebugLoc::appendInlinedAt(place, inlinedAt, site->getContext(), chains);
        result = DILocation::get(site->getContext(), place.getLine(), place.getCol(), place.getScope(), at.get(),
                                 place->isImplicitCode());
    }
    return result;
}

void Places::extend(Instruction &inst)
{
    if (!site)
        return;
    if (inst.isTerminator() && inst.hasMetadataOtherThanDebugLoc())
        updateLoopMetadataDebugLocations(inst, [&](Metadata *node) -> Metadata * {
            auto *place = dyn_cast_or_null<DILocation>(node);
            return place ? extended(place).get() : node;
        });
    if (lines && inst.getDebugLoc())
        inst.setDebugLoc(extended(inst.getDebugLoc()));
    else if (!(lines && calleeHas) && !isa<AllocaInst>(inst))
        inst.setDebugLoc(site);
}

/* ---- Bodies --------------------------------------------------------------------------------------------------- */

/* Originals and their copies: instructions, blocks, and what stands for arguments. */
class Copies
{
public:
    void expect(unsigned instructions) { all.reserve(instructions + instructions / 4); }
    void map(const Value &from, Value &to) { all[&from] = &to; }
    Value *find(const Value *from) const { return all.lookup(from); }
    BasicBlock *block(const BasicBlock *from) const { return cast_or_null<BasicBlock>(find(from)); }
    /* Constants, functions and global variables stand for themselves. */
    void connect(Instruction &copy) const
    {
        for (Use &operand : copy.operands())
            if (Value *to = find(operand))
                operand.set(to);
    }

private:
    DenseMap<const Value *, Value *> all;
};

} // namespace

void copyBody(const Function &body, Function &into)
{
    Copies copies;
    copies.expect(body.getInstructionCount());
    for (const Argument &argument : body.args())
        copies.map(argument, *into.getArg(argument.getArgNo()));
    for (const BasicBlock &block : body) {
        BasicBlock *to = BasicBlock::Create(body.getContext(), block.getName(), &into);
        copies.map(block, *to);
        for (const Instruction &inst : block) {
            Instruction *copy = cloneOf(inst);
            copy->insertInto(to, to->end());
            copy->setName(inst.getName());
            copies.map(inst, *copy);
        }
    }
    for (Instruction &copy : instructions(into)) {
        copies.connect(copy);
        if (auto *phi = dyn_cast<PHINode>(&copy))
            for (unsigned i = 0; i < phi->getNumIncomingValues(); i++)
                phi->setIncomingBlock(i, copies.block(phi->getIncomingBlock(i)));
    }
}

namespace
{

/* A callee's body at the end of the caller, specialised for the arguments of a call. */
class Specialised
{
public:
    Specialised(CallBase &call, Places &places)
        : caller(*call.getFunction()), callee(*call.getCalledFunction()), places(places)
    {
        for (Argument &argument : callee.args())
            copies.map(argument, *call.getArgOperand(argument.getArgNo()));
        copyReachable();
        connect();
        simplify();
        removeDead();
        joinBlocks();
    }
    std::vector<BasicBlock *> blocks;

private:
    void copyReachable();
    void copyBlock(const BasicBlock &from, SmallVectorImpl<const BasicBlock *> &open);
    BasicBlock *onlyWay(const Instruction &terminator) const;
    void connect();
    void connectPhi(const PHINode &from, PHINode &phi) const;
    bool mayBeSimpler(const Instruction &from);
    void simplify();
    void removeDead();
    void joinBlocks();

    Function &caller, &callee;
    Places &places;
    Copies copies;
    DenseMap<const Value *, unsigned> distance; /* of originals: operations between an argument, or what was simplified,
                                                   and them; far ones are left out */
};

/* Where a terminator goes if its condition has become a constant. */
BasicBlock *Specialised::onlyWay(const Instruction &terminator) const
{
    auto *branch = dyn_cast<BranchInst>(&terminator);
    auto *choice = dyn_cast<SwitchInst>(&terminator);
    const Value *condition = branch && branch->isConditional() ? branch->getCondition()
                             : choice                          ? choice->getCondition()
                                                               : nullptr;
    Value *copy = condition ? copies.find(condition) : nullptr;
    auto *number = dyn_cast_or_null<ConstantInt>(copy ? copy : const_cast<Value *>(condition));
    if (!number)
        return nullptr;
    return branch ? branch->getSuccessor(number->isZero())
                  : const_cast<SwitchInst *>(choice)->findCaseValue(number)->getCaseSuccessor();
}

void Specialised::copyBlock(const BasicBlock &from, SmallVectorImpl<const BasicBlock *> &open)
{
    BasicBlock *to = BasicBlock::Create(from.getContext());
    copies.map(from, *to);
    const Instruction *terminator = from.getTerminator();
    for (const Instruction &inst : from) {
        if (&inst == terminator)
            break;
        Instruction *copy = cloneOf(inst);
        copy->insertInto(to, to->end());
        if (!isa<PHINode>(inst)) {
            copies.connect(*copy);
            bool constant =
                !isa<AllocaInst>(inst) && all_of(copy->operands(), [](const Use &use) { return isa<Constant>(use); });
            if (Constant *folded = constant ? ConstantFoldInstruction(copy, caller.getDataLayout()) : nullptr;
                folded && isInstructionTriviallyDead(copy)) {
                copies.map(inst, *folded);
                copy->eraseFromParent();
                continue;
            }
        }
        if (isa<AllocaInst>(inst) && inst.hasName())
            copy->setName(inst.getName() + ".i");
        places.extend(*copy);
        copies.map(inst, *copy);
    }
    BasicBlock *only = onlyWay(*terminator);
    Instruction *copy = only ? BranchInst::Create(only) : terminator->clone();
    if (only)
        copy->setDebugLoc(terminator->getDebugLoc());
    copy->insertInto(to, to->end());
    places.extend(*copy);
    append_range(open, successors(copy)); /* the originals still */
}

void Specialised::copyReachable()
{
    SmallVector<const BasicBlock *, 16> open{&callee.getEntryBlock()};
    while (!open.empty())
        if (const BasicBlock *block = open.pop_back_val(); !copies.block(block))
            copyBlock(*block, open);
    for (const BasicBlock &block : callee)
        if (BasicBlock *copy = copies.block(&block)) {
            copy->insertInto(&caller);
            blocks.push_back(copy);
        }
}

/* The edges that are left. */
void Specialised::connectPhi(const PHINode &from, PHINode &phi) const
{
    DenseMap<const BasicBlock *, unsigned> seen;
    while (phi.getNumIncomingValues() > 0)
        phi.removeIncomingValue(phi.getNumIncomingValues() - 1, /*DeletePHIIfEmpty=*/false);
    for (unsigned i = 0; i < from.getNumIncomingValues(); i++) {
        BasicBlock *before = copies.block(from.getIncomingBlock(i));
        if (!before || seen[before]++ >= (unsigned)llvm::count(successors(before), phi.getParent()))
            continue;
        Value *value = copies.find(from.getIncomingValue(i));
        phi.addIncoming(value ? value : from.getIncomingValue(i), before);
    }
}

void Specialised::connect()
{
    for (BasicBlock *block : blocks)
        copies.connect(*block->getTerminator());
    for (const BasicBlock &from : callee)
        if (copies.block(&from))
            for (const PHINode &phi : from.phis())
                connectPhi(phi, *cast<PHINode>(copies.find(&phi)));
}

/* The optimiser has simplified the callee: what may be simpler now is near an argument, or near what has become
 * simpler. */
bool Specialised::mayBeSimpler(const Instruction &from)
{
    const unsigned near = 2;
    unsigned least = near;
    for (const Value *operand : from.operands()) {
        auto found = distance.find(operand);
        least = std::min(least, isa<Argument>(operand) ? 0 : found == distance.end() ? near : found->second);
    }
    if (least < near)
        distance[&from] = least + 1;
    return (least < near && !from.getType()->isVoidTy()) || isa<PHINode>(from);
}

void Specialised::simplify()
{
    for (const BasicBlock &block : callee) {
        if (!copies.block(&block))
            continue;
        for (const Instruction &from : block) {
            auto *copy = dyn_cast_or_null<Instruction>(copies.find(&from));
            if (!copy) { /* a constant, or a terminator */
                distance[&from] = 0;
                continue;
            }
            Value *simple = mayBeSimpler(from) ? simplifyInstruction(copy, caller.getDataLayout()) : nullptr;
            if (!simple)
                continue;
            distance[&from] = 0;
            copy->replaceAllUsesWith(simple);
            if (isInstructionTriviallyDead(copy)) {
                copies.map(from, *simple);
                copy->eraseFromParent();
            }
        }
    }
}

/* Simpler conditions leave blocks that nothing comes to. */
void Specialised::removeDead()
{
    bool changed = false;
    for (BasicBlock *block : blocks)
        changed |= ConstantFoldTerminator(block);
    if (!changed)
        return;
    SmallPtrSet<const BasicBlock *, 16> reached;
    for (const BasicBlock *block : depth_first(blocks.front()))
        reached.insert(block);
    SmallVector<BasicBlock *, 16> dead;
    copy_if(blocks, std::back_inserter(dead), [&](BasicBlock *block) { return !reached.contains(block); });
    erase_if(blocks, [&](BasicBlock *block) { return !reached.contains(block); });
    DeleteDeadBlocks(dead);
}

/* A block and the only one behind it, where nothing else leads there. */
void Specialised::joinBlocks()
{
    SmallPtrSet<BasicBlock *, 16> gone;
    for (BasicBlock *block : blocks) {
        while (!gone.contains(block)) {
            auto *branch = dyn_cast<BranchInst>(block->getTerminator());
            BasicBlock *next = branch && branch->isUnconditional() ? branch->getSuccessor(0) : nullptr;
            if (!next || next->getSinglePredecessor() != block || isa<PHINode>(next->front()) || next == block)
                break;
            branch->eraseFromParent();
            next->replaceAllUsesWith(block);
            block->splice(block->end(), next);
            next->eraseFromParent();
            gone.insert(next);
        }
    }
    erase_if(blocks, [&](BasicBlock *block) { return gone.contains(block); });
}

/* ---- Calls ---------------------------------------------------------------------------------------------------- */

/* Variables on the callee's stack are on the caller's from now on. */
bool moveVariables(BasicBlock &entry, Function &caller)
{
    bool any = false;
    BasicBlock::iterator place = caller.getEntryBlock().begin();
    for (Instruction &inst : make_early_inc_range(entry)) {
        auto *variable = dyn_cast<AllocaInst>(&inst);
        if (!variable)
            continue;
        if (variable->use_empty()) {
            variable->eraseFromParent();
            continue;
        }
        any = true;
        variable->moveBefore(caller.getEntryBlock(), place);
    }
    return any;
}

/* A call in tail position promises that the caller's variables are not used: one that is inlined elsewhere does not. */
void lookThroughCalls(ArrayRef<BasicBlock *> blocks, bool tail, SmallVectorImpl<CallBase *> &calls)
{
    for (BasicBlock *block : blocks)
        for (Instruction &inst : *block)
            if (auto *call = dyn_cast<CallBase>(&inst)) {
                if (auto *plain = dyn_cast<CallInst>(call); plain && !tail)
                    plain->setTailCall(false);
                if (!isa<IntrinsicInst>(call))
                    calls.push_back(call);
            }
}

void replaceCall(CallBase &call, Value *result)
{
    if (!call.use_empty())
        call.replaceAllUsesWith(result ? result : PoisonValue::get(call.getType()));
    call.eraseFromParent();
}

void spliceBlock(CallBase &call, BasicBlock &body)
{
    auto *end = cast<ReturnInst>(body.getTerminator());
    Value *result = end->getReturnValue();
    end->eraseFromParent();
    call.getParent()->splice(call.getIterator(), &body);
    body.eraseFromParent();
    replaceCall(call, result);
}

/* Several returns, or none. */
Value *joinReturns(ArrayRef<ReturnInst *> returns, BasicBlock &after, const CallBase &call)
{
    PHINode *phi = call.use_empty() || returns.empty()
                       ? nullptr
                       : PHINode::Create(call.getType(), (unsigned)returns.size(), "", after.begin());
    for (ReturnInst *end : returns) {
        if (phi)
            phi->addIncoming(end->getReturnValue(), end->getParent());
        BranchInst *branch = BranchInst::Create(&after, end->getIterator());
        branch->setDebugLoc(end->getDebugLoc());
        end->eraseFromParent();
    }
    Value *simple = phi ? simplifyInstruction(phi, call.getDataLayout()) : nullptr;
    if (!simple)
        return phi;
    phi->eraseFromParent();
    return simple;
}

/* One return: what stands before it goes in front of what follows the call. */
Value *joinReturn(ReturnInst &end, BasicBlock &after)
{
    BasicBlock &last = *end.getParent();
    Value *result = end.getReturnValue();
    end.eraseFromParent();
    last.replaceAllUsesWith(&after);
    after.splice(after.begin(), &last);
    last.eraseFromParent();
    return result;
}

void spliceBlocks(CallBase &call, ArrayRef<BasicBlock *> blocks)
{
    BasicBlock *before = call.getParent(), *after = before->splitBasicBlock(call.getIterator());
    BasicBlock *entry = blocks.front();
    SmallVector<ReturnInst *, 4> returns;
    for (BasicBlock *block : blocks) {
        block->moveBefore(after);
        if (auto *end = dyn_cast<ReturnInst>(block->getTerminator()))
            returns.push_back(end);
    }
    before->getTerminator()->eraseFromParent();
    Value *result = returns.size() == 1 ? joinReturn(*returns.front(), *after) : joinReturns(returns, *after, call);
    entry->replaceAllUsesWith(before);
    before->splice(before->end(), entry);
    entry->eraseFromParent();
    replaceCall(call, result);
}

/* Copies of arguments, and stacks that grow, are LLVM's business. */
bool isPlain(const CallBase &call, const Function &callee)
{
    if (call.hasOperandBundles() || callee.hasFnAttribute(Attribute::StrictFP) || callee.hasPersonalityFn() ||
        callee.hasGC())
        return false;
    for (const Argument &argument : callee.args())
        if (argument.hasPointeeInMemoryValueAttr() || call.isByValArgument(argument.getArgNo()))
            return false;
    for (const BasicBlock &block : callee) {
        const Instruction *end = block.getTerminator();
        if (block.hasAddressTaken() ||
            !(isa<BranchInst>(end) || isa<SwitchInst>(end) || isa<ReturnInst>(end) || isa<UnreachableInst>(end)))
            return false;
        for (const Instruction &inst : block) {
            auto *variable = dyn_cast<AllocaInst>(&inst);
            auto *inner = dyn_cast<IntrinsicInst>(&inst);
            if ((variable && !variable->isStaticAlloca()) ||
                (inner && inner->getIntrinsicID() == Intrinsic::experimental_convergence_entry))
                return false;
        }
    }
    return true;
}

InlinedCall inlineAsLlvmDoes(CallBase &call)
{
    InlinedCall result;
    InlineFunctionInfo info(nullptr, nullptr, nullptr, nullptr, /*UpdateProfile=*/false);
    result.done = InlineFunction(call, info, /*MergeAttributes=*/false, nullptr, /*InsertLifetime=*/false).isSuccess();
    result.variables = !info.StaticAllocas.empty();
    result.calls.append(info.InlinedCallSites.begin(), info.InlinedCallSites.end());
    return result;
}

} // namespace

InlinedCall inlineCall(CallBase &call)
{
    if (!isPlain(call, *call.getCalledFunction()))
        return inlineAsLlvmDoes(call);
    InlinedCall result;
    result.done = true;
    Places places(call);
    std::vector<BasicBlock *> blocks = Specialised(call, places).blocks;
    auto *plain = dyn_cast<CallInst>(&call);
    lookThroughCalls(blocks, plain && plain->isTailCall(), result.calls);
    result.variables = moveVariables(*blocks.front(), *call.getFunction());
    if (blocks.size() == 1 && isa<ReturnInst>(blocks.front()->getTerminator()))
        spliceBlock(call, *blocks.front());
    else
        spliceBlocks(call, blocks);
    return result;
}

} // namespace gpuperf
