/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "passes/analysis/slice.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

#include "passes/cost/classify.h"

using namespace llvm;

namespace gpuperf
{

static uint64_t allElements(const Type *type)
{
    unsigned count = elementCount(type);
    return count >= 64 ? ~0ull : (1ull << count) - 1;
}

void Slice::need(const Value *value, uint64_t executed, uint64_t weighed)
{
    auto *inst = dyn_cast<Instruction>(value);
    if (!inst)
        return;
    Demand &demand = demands[inst];
    if ((demand.executed | executed) == demand.executed && (demand.weighed | weighed) == demand.weighed)
        return;
    demand.executed |= executed;
    demand.weighed |= weighed;
    open.push_back(inst);
}

void Slice::needAll(const Value *value) { need(value, 0, allElements(value->getType())); }

const AddressForm &Slice::address(const GEPOperator &gep)
{
    auto found = addresses.find(&gep);
    if (found == addresses.end())
        found = addresses.insert({&gep, addressOf(gep, function.getParent()->getDataLayout())}).first;
    return found->second;
}

void Slice::addRoots()
{
    for (const Instruction &inst : instructions(function)) {
        if (auto *branch = dyn_cast<BranchInst>(&inst)) {
            if (branch->isConditional())
                need(branch->getCondition(), 1, 0);
        } else if (auto *choice = dyn_cast<SwitchInst>(&inst)) {
            need(choice->getCondition(), 1, 0);
        } else if (auto *load = dyn_cast<LoadInst>(&inst)) {
            if (load->isVolatile())
                needAll(load);
        } else if (auto *call = dyn_cast<CallBase>(&inst)) {
            CallKind kind = classifyCall(*call, target).kind;
            if (kind != CallKind::Free && (call->getType()->isVoidTy() || call->mayHaveSideEffects()))
                needAll(call);
        } else if (inst.mayHaveSideEffects()) {
            needAll(&inst);
        }
    }
}

/* A weighed element's operands are weighed; addresses and coordinates are executed whoever uses the result. */
void Slice::weigh(const Instruction &inst, uint64_t elements)
{
    if (auto *load = dyn_cast<LoadInst>(&inst))
        return need(load->getPointerOperand(), 1, 0);
    if (auto *store = dyn_cast<StoreInst>(&inst)) {
        need(store->getPointerOperand(), 1, 0);
        return needAll(store->getValueOperand());
    }
    if (isa<AtomicRMWInst>(inst) || isa<AtomicCmpXchgInst>(inst)) {
        need(inst.getOperand(0), 1, 0);
        for (unsigned i = 1; i < inst.getNumOperands(); i++)
            needAll(inst.getOperand(i));
        return;
    }
    if (auto *call = dyn_cast<CallBase>(&inst)) {
        CallClass found = classifyCall(*call, target);
        if (found.kind == CallKind::ImageLoad || found.kind == CallKind::ImageStore)
            for (const Term &term : imageCoordinates(*call))
                need(term.value, bit(term.element), 0);
        bool addressed = found.kind == CallKind::CopyMemory || found.kind == CallKind::FillMemory ||
                         found.kind == CallKind::BulkCopy || found.kind == CallKind::MaskedLoad ||
                         found.kind == CallKind::MaskedStore || found.kind == CallKind::LoadCached;
        bool elementwise = isa<IntrinsicInst>(call) && found.kind == CallKind::Arithmetic;
        for (const Value *argument : call->args()) {
            if (addressed && !argument->getType()->isVectorTy())
                need(argument, 1, 0);
            else if (elementwise && elementCount(argument->getType()) == elementCount(inst.getType()))
                need(argument, 0, elements);
            else
                needAll(argument);
        }
        return;
    }
    unsigned count = elementCount(inst.getType());
    for (const Value *operand : inst.operands()) {
        if (elementCount(operand->getType()) == count)
            need(operand, 0, elements);
        else
            needAll(operand);
    }
}

void Slice::process(const Instruction &inst)
{
    Demand demand = demands[&inst];
    if (ids.reads.contains(
            &inst)) /* nothing behind it matters: AMD's sizes are loaded, but every work-item knows them */
        return;
    if (auto *gep = dyn_cast<GEPOperator>(&inst)) {
        const AddressForm form = address(*gep);
        if (!form.computable)
            return weigh(inst, allElements(inst.getType()));
        need(form.base, 1, 0);
        for (const AddressTerm &term : form.terms)
            need(term.index, 1, 0);
        return;
    }
    uint64_t through = 0, opaque = 0; /* elements that are other values' elements; that cannot be computed */
    for (unsigned e = 0; e < elementCount(inst.getType()); e++) {
        bool executed = (demand.executed & bit(e)) != 0;
        if (!executed && !(demand.weighed & bit(e)))
            continue;
        Lowering lowering = lowerElement(inst, e);
        if (lowering.kind == Lowering::Opaque) {
            opaque |= bit(e);
        } else if (lowering.kind == Lowering::Alias) {
            const Term &term = lowering.operands[0];
            through |= bit(e);
            need(term.value, executed ? bit(term.element) : 0, executed ? 0 : bit(term.element));
        } else if (executed) {
            if (auto *phi = dyn_cast<PHINode>(&inst))
                for (const Value *incoming : phi->incoming_values())
                    need(incoming, bit(e), 0);
            for (const Term &term : lowering.operands)
                need(term.value, bit(term.element), 0);
        }
    }
    demands[&inst].weighed |= opaque;
    uint64_t weighed = (demand.weighed & ~through & ~demand.executed) | opaque;
    if (weighed || inst.getType()->isVoidTy())
        weigh(inst, weighed);
}

void Slice::run()
{
    addRoots();
    while (!open.empty())
        process(*open.pop_back_val());
}

} // namespace gpuperf
