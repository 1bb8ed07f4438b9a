/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "passes/emit/emitter.h"

#include <cmath>

#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IntrinsicInst.h"

#include "passes/ir/source_path.h"
#include "passes/analysis/warp_votes.h"

using namespace llvm;

namespace gpuperf
{

/* ---- Source positions ----------------------------------------------------------------------------------------- */

uint32_t Locations::number(const char *file, unsigned line, unsigned column, uint32_t inlinedAt)
{
    auto [entry, fresh] = numbers.insert({{{file, inlinedAt}, {line, column}}, (uint32_t)table.size()});
    if (fresh)
        table.push_back({file, line, column, inlinedAt});
    return entry->second;
}

uint32_t Locations::of(StringRef file, unsigned line, unsigned column, uint32_t inlinedAt)
{
    return number(strings.save(file).data(), line, column, inlinedAt);
}

const Locations::File &Locations::fileOf(const DILocation &location)
{
    const DISubprogram *function = location.getScope()->getSubprogram();
    auto [entry, fresh] =
        files.insert({{location.getFile(), function ? function->getUnit() : nullptr}, {nullptr, false}});
    if (fresh) {
        std::string path = sourcePath(location);
        entry->second = {strings.save(path).data(), isSystemHeader && isSystemHeader(path)};
    }
    return entry->second;
}

/* The body of an OpenCL kernel counts as inlined into the kernel that clang makes of it: that is no call of the source.
 */
static bool isOwnBody(const DILocation &inner, const DILocation &site)
{
    const DISubprogram *callee = inner.getScope()->getSubprogram(), *caller = site.getScope()->getSubprogram();
    return callee && caller && !site.getInlinedAt() && callee->getName() == caller->getName() &&
           callee->getLine() == caller->getLine();
}

uint32_t Locations::of(const DILocation *location)
{
    if (!location)
        return GP_NONE;
    auto found = known.find(location);
    if (found != known.end())
        return found->second;
    const DILocation *site = location->getInlinedAt();
    uint32_t at = site && !isOwnBody(*location, *site) ? of(site) : GP_NONE;
    bool hidden = location->getLine() == 0 || (at != GP_NONE && fileOf(*location).systemHeader);
    if (!hidden)
        at = number(fileOf(*location).name, location->getLine(), location->getColumn(), at);
    known[location] = at;
    return at;
}

uint32_t Locations::of(const DebugLoc &location) { return of(location.get()); }

/* ---- Instructions --------------------------------------------------------------------------------------------- */

void KernelData::attach()
{
    auto put = [](auto &vector, auto *&pointer, uint32_t &count) {
        pointer = vector.empty() ? nullptr : vector.data();
        count = (uint32_t)vector.size();
    };
    put(params, kernel.params, kernel.param_count);
    put(blocks, kernel.blocks, kernel.block_count);
    put(insts, kernel.insts, kernel.inst_count);
    put(operands, kernel.operands, kernel.operand_count);
    put(constants, kernel.constants, kernel.constant_count);
    put(memory, kernel.memory, kernel.memory_count);
    put(branches, kernel.branches, kernel.branch_count);
    put(loops, kernel.loops, kernel.loop_count);
    put(inductions, kernel.inductions, kernel.induction_count);
    put(locals, kernel.locals, kernel.local_count);
    put(globals, kernel.globals, kernel.global_count);
    put(privates, kernel.privates, kernel.private_count);
    put(callees, kernel.callees, kernel.callee_count);
    put(resources, kernel.resources, kernel.resource_count);
    put(defaults, kernel.stated.defaults, kernel.stated.default_count);
    kernel.code = nullptr;
    kernel.code_count = 0;
}

gp_ref Emitter::globalSize(unsigned dim)
{
    gp_ref size = make(GP_OP_ID, {}, 32, {});
    protoOf(size).inst.sub = GP_ID_SUB(GP_ID_GLOBAL_SIZE, dim);
    return size;
}

/*
 * An image is as large as the range, as where its coordinates go from 0 to 1. The range says nothing of dimensions that
 * it lacks, nor of either of an image's where it counts rows or texels: these are as any other integer.
 */
void Emitter::emitImageSize(const CallBase &call, const IdRead &read)
{
    const unsigned assumedInteger = 1024;
    unsigned dims = std::max(data.kernel.dims, 1u);
    data.params[cast<Argument>(call.getArgOperand(0)->stripPointerCasts())->getArgNo()].flags |= GP_PARAM_SKELETON;
    for (unsigned e = 0; e < read.elements; e++) {
        bool asRange = read.dim + e < dims && (dims > 1 || read.imageDims == 1);
        setRef(call, e, asRange ? globalSize(read.dim + e) : constant(assumedInteger));
    }
}

void Emitter::emitId(const Instruction &inst, const IdRead &read)
{
    unsigned bits = elementBits(inst.getType());
    if (read.unknownDimension) {
        setRef(inst, 0, make(GP_OP_WEIGHT, {GP_CLASS_MOV, 1}, bits, {}));
        return;
    }
    if (read.imageDims > 0)
        return emitImageSize(cast<CallBase>(inst), read);
    /* Ids are special registers (NVIDIA) or preloaded (AMD); sizes are in constant memory; a global id is a
     * multiply-add of them. */
    auto one = [&](unsigned dim) {
        Cost cost{GP_CLASS_MOV, 1};
        if (read.id == GP_ID_GLOBAL)
            cost = {GP_CLASS_INT_MAD, 1};
        else if (read.id == GP_ID_LOCAL_SIZE || read.id == GP_ID_GLOBAL_SIZE || read.id == GP_ID_GROUP_COUNT ||
                 read.id == GP_ID_OFFSET || read.id == GP_ID_WORK_DIM || read.id == GP_ID_SUBGROUP_SIZE ||
                 read.id == GP_ID_SUBGROUP_COUNT)
            cost = {};
        gp_ref ref = make(GP_OP_ID, cost, bits, {});
        protoOf(ref).inst.sub = GP_ID_SUB(read.id, gp_id_has_dimension(read.id) ? dim : 0);
        return ref;
    };
    for (unsigned e = 1; e < read.elements; e++)
        setRef(inst, e, one(read.dim + e));
    gp_ref ref = one(read.dim);
    if (read.packed && read.dim < 2) {
        gp_ref upper = make(GP_OP_SHL, {}, bits, {one(read.dim + 1), constant(16)});
        ref = make(GP_OP_OR, {}, bits, {ref, upper});
    }
    setRef(inst, 0, ref);
}

bool Emitter::packs(const Instruction &inst) const { return facts.packsHalfs && packsHalfs(inst, facts.target); }

/* What is not executed: one instruction for all its elements. What costs nothing and has one source is that source. */
void Emitter::emitWeight(const Instruction &inst, uint64_t elements, Cost cost)
{
    unsigned count = elementCount(inst.getType()), paid = 0, width = packs(inst) ? 2 : 1;
    uint64_t paidBefore = width > 1 ? facts.slice.of(inst).executed & ~elements : 0; /* and a neighbour with it */
    for (unsigned e = 0; e < count; e += width) {
        uint64_t together = bit(e) | bit(e + width - 1);
        paid += count > 64 || ((elements & together) != 0 && (paidBefore & together) == 0);
    }
    if (paid == 0 && paidBefore != 0)
        cost = {};
    SmallVector<gp_ref, 8> operands;
    bool isCall = isa<CallBase>(inst);
    for (const Use &operand : inst.operands()) {
        if (isCall && &operand == &cast<CallBase>(inst).getCalledOperandUse())
            continue;
        operandsOf(operand, elementCount(operand->getType()) == count ? elements : ~0ull, operands);
    }
    bool executed = facts.slice.of(inst).executed & elements;
    bool free = cost.cost == GP_CLASS_FREE;
    gp_ref ref;
    if (free && !executed && operands.size() == 1) {
        ref = operands[0];
    } else if (free && !executed && operands.empty()) {
        ref = GP_REF_NONE;
    } else if (facts.compress && !executed) {
        compressed[cost.cost] += (uint64_t)std::max(paid, 1u) * cost.repeat;
        ref = operands.empty() ? (gp_ref)GP_REF_NONE : operands[0];
    } else {
        unsigned bits = inst.getType()->isVoidTy() ? 0 : elementBits(inst.getType());
        ref = make(GP_OP_WEIGHT, {cost.cost, std::max(paid, 1u) * cost.repeat}, bits, operands);
    }
    for (unsigned e = 0; !inst.getType()->isVoidTy() && e < count; e++)
        if (count > 64 || (elements & bit(e)))
            setRef(inst, e, ref);
}

void Emitter::emitPhi(const PHINode &phi)
{
    Slice::Demand demand = facts.slice.of(phi);
    unsigned count = elementCount(phi.getType()), bits = elementBits(phi.getType());
    uint64_t weighed = 0;
    unsigned weights = 0;
    for (unsigned e = 0; e < count; e++) {
        if (demand.executed & bit(e)) {
            gp_ref ref = make(GP_OP_PHI, {}, bits, {});
            setRef(phi, e, ref);
            pendingPhis.push_back({gp_ref_index(ref), &phi, bit(e)});
        } else if ((demand.weighed & bit(e)) || e >= 64) {
            weighed |= bit(e);
            weights++;
        }
    }
    if (weights == 0)
        return;
    gp_ref ref = make(GP_OP_PHI, {GP_CLASS_FREE, weights}, bits, {});
    for (unsigned e = 0; e < count; e++)
        if ((weighed & bit(e)) || e >= 64)
            setRef(phi, e, ref);
    pendingPhis.push_back({gp_ref_index(ref), &phi, weighed});
}

/* The last step pays for all. */
gp_ref Emitter::emitFormula(const Lowering &lowering, Cost cost)
{
    SmallVector<gp_ref, 16> made;
    for (const Lowering::Step &step : lowering.steps) {
        SmallVector<gp_ref, 3> operands;
        for (int operand : step.operands)
            operands.push_back(operand < 0
                                   ? made[~operand]
                                   : valueOf(lowering.operands[operand].value, lowering.operands[operand].element));
        made.push_back(make(step.op, &step == &lowering.steps.back() ? cost : Cost{}, step.bits, operands));
        protoOf(made.back()).inst.width = step.width;
        protoOf(made.back()).inst.sub = step.sub;
    }
    return made.back();
}

/* A value with executed elements: each its own operation; the weighed rest together. */
void Emitter::emitValue(const Instruction &inst)
{
    Slice::Demand demand = facts.slice.of(inst);
    if (auto *gep = dyn_cast<GEPOperator>(&inst)) {
        const AddressForm &form = facts.slice.address(*gep);
        if (form.computable)
            return setRef(inst, 0, emitAddress(form, gep->getType(), facts.steps.of(inst)));
    }
    Cost cost = facts.steps.of(inst).value_or(facts.costs.of(inst));
    if (facts.divisors && facts.divisors->isPart(inst))
        cost = facts.divisors->costOf(inst);
    uint64_t weighed = 0;
    for (unsigned e = 0; e < elementCount(inst.getType()); e++) {
        bool executed = (demand.executed & bit(e)) != 0;
        if (!executed && !(demand.weighed & bit(e)) && e < 64)
            continue;
        Lowering lowering = lowerElement(inst, e);
        if (lowering.kind == Lowering::Alias && lowering.operands[0].element < 64) {
            const Term &term = lowering.operands[0];
            bool known = executed || !isa<Constant>(term.value);
            setRef(inst, e, known ? valueOf(term.value, term.element) : (gp_ref)GP_REF_NONE);
        } else if (executed && lowering.kind == Lowering::Operation) {
            SmallVector<gp_ref, 4> operands;
            for (const Term &term : lowering.operands)
                operands.push_back(valueOf(term.value, term.element));
            bool paidBefore = e % 2 == 1 && (demand.executed & bit(e - 1)) != 0 && packs(inst);
            gp_ref ref = make(lowering.op, paidBefore ? Cost{} : cost, lowering.bits, operands);
            protoOf(ref).inst.width = lowering.width;
            protoOf(ref).inst.sub = lowering.sub;
            keepValue(lowering, operands, ref);
            setRef(inst, e, ref);
        } else if (executed && lowering.kind == Lowering::Formula) {
            setRef(inst, e, emitFormula(lowering, cost));
        } else {
            weighed |= bit(e);
        }
    }
    if (weighed)
        emitWeight(inst, weighed, cost);
}

void Emitter::emitTerminator(const Instruction &inst)
{
    auto block = [&](const BasicBlock *target) { return gp_ref_make(GP_REF_BLOCK, blockNumbers.lookup(target)); };
    auto record = [&](gp_ref ref) {
        gp_branch branch = {};
        branch.inst = gp_ref_index(ref);
        branch.kind = branchKind(facts.origins.of(conditionOf(inst)));
        uint16_t probability = 0;
        bool conditional = isa<BranchInst>(inst);
        branch.has_probability = branchProbability(inst, facts.dominators, probability) ||
                                 (conditional && voteProbability(conditionOf(inst), facts.uniformity, probability));
        branch.probability = branch.has_probability ? probability : 0;
        protoOf(ref).inst.record = (uint32_t)data.branches.size();
        data.branches.push_back(branch);
    };
    auto *branch = dyn_cast<BranchInst>(&inst);
    auto *choice = dyn_cast<SwitchInst>(&inst);
    if (branch && branch->isConditional() && branch->getSuccessor(0) != branch->getSuccessor(1)) {
        gp_ref condition = valueOf(branch->getCondition());
        record(make(GP_OP_CONDBR, facts.costs.of(inst), 0,
                    {condition, block(branch->getSuccessor(0)), block(branch->getSuccessor(1))}));
    } else if (choice && choice->getNumCases() > 0) {
        SmallVector<gp_ref, 16> operands{valueOf(choice->getCondition()), block(choice->getDefaultDest())};
        for (auto entry : choice->cases()) {
            operands.push_back(constantRef(entry.getCaseValue(), 0));
            operands.push_back(block(entry.getCaseSuccessor()));
        }
        record(make(GP_OP_SWITCH, facts.costs.of(inst), 0, operands));
    } else if (branch || choice) {
        make(GP_OP_BR, {}, 0, {block(inst.getSuccessor(0))});
    } else {
        make(GP_OP_RET, {}, 0, {}); /* return, unreachable; nothing else is left in device code */
    }
}

void Emitter::emitInstruction(const Instruction &inst)
{
    Slice::Demand demand = facts.slice.of(inst);
    if (demand.executed == 0 && demand.weighed == 0 && !inst.getType()->isVoidTy())
        return;
    currentLocation = locations.of(inst.getDebugLoc());
    currentUniform = facts.uniformity && !inst.getType()->isVoidTy() && facts.uniformity->isUniform(&inst);
    if (auto id = facts.ids.reads.find(&inst); id != facts.ids.reads.end())
        return emitId(inst, id->second);
    if (auto *load = dyn_cast<LoadInst>(&inst))
        return emitLoad(*load, load->getPointerOperand(), load->getAlign(), 0);
    if (auto *store = dyn_cast<StoreInst>(&inst))
        return emitStore(store->getPointerOperand(), store->getValueOperand(), store->getAlign(), flagsOf(*store));
    if (isa<AtomicRMWInst>(inst) || isa<AtomicCmpXchgInst>(inst))
        return emitAtomic(inst);
    if (isa<FenceInst>(inst)) {
        make(GP_OP_WEIGHT, {GP_CLASS_FENCE, 1}, 0, {});
        return;
    }
    if (auto *alloca = dyn_cast<AllocaInst>(&inst)) {
        gp_array array = {};
        array.name = strings.save(alloca->getName()).data();
        std::optional<TypeSize> size = alloca->getAllocationSize(layout);
        array.bytes = size ? (uint32_t)std::min<uint64_t>(size->getFixedValue(), UINT32_MAX) : 0;
        array.alignment = (uint32_t)alloca->getAlign().value();
        array.location = currentLocation;
        setRef(inst, 0, gp_ref_make(GP_REF_PRIVATE, (uint32_t)data.privates.size()));
        data.privates.push_back(array);
        return;
    }
    if (auto *call = dyn_cast<CallBase>(&inst)) {
        bool computed = (demand.executed && lowerElement(inst, 0).kind != Lowering::Opaque);
        return computed ? emitValue(inst) : emitCall(*call);
    }
    emitValue(inst);
}

/* What is paid for and no more. */
void Emitter::emitCounts(const ClassCounts &counts)
{
    for (auto [cost, count] : counts)
        for (auto left = (uint64_t)std::llround(count); left > 0; left -= std::min<uint64_t>(left, 65535))
            make(GP_OP_WEIGHT, {cost, (unsigned)std::min<uint64_t>(left, 65535)}, 0, {});
}

void Emitter::emitBlock(const BasicBlock &block)
{
    lists.emplace_back();
    List list;
    current = &list;
    currentBlock = &block;
    compressed.clear();
    for (const Instruction &inst : block) {
        currentInstruction = &inst;
        if (auto *phi = dyn_cast<PHINode>(&inst)) {
            currentLocation = locations.of(inst.getDebugLoc());
            currentUniform = facts.uniformity && facts.uniformity->isUniform(&inst);
            emitPhi(*phi);
        } else if (!inst.isTerminator()) {
            emitInstruction(inst);
        }
    }
    currentUniform = false;
    currentLocation = locations.of(block.getTerminator()->getDebugLoc());
    emitCounts(compressed);
    emitTerminator(*block.getTerminator());
    lists.back() = std::move(list);
}

/* Incoming values may stand behind their phi, so that they are filled in at the end; each predecessor once. */
void Emitter::resolvePhis()
{
    for (const PendingPhi &pending : pendingPhis) {
        SmallVector<const BasicBlock *, 8> seen;
        SmallVector<gp_ref, 8> operands;
        bool single = (pending.elements & (pending.elements - 1)) == 0 && pending.elements != 0;
        unsigned element = single ? (unsigned)countr_zero(pending.elements) : 0;
        bool executed = facts.slice.of(*pending.phi).executed & pending.elements;
        for (unsigned i = 0; i < pending.phi->getNumIncomingValues(); i++) {
            const BasicBlock *from = pending.phi->getIncomingBlock(i);
            if (!blockNumbers.contains(from) || is_contained(seen, from))
                continue;
            seen.push_back(from);
            const Value *value = pending.phi->getIncomingValue(i);
            operands.push_back(gp_ref_make(GP_REF_BLOCK, blockNumbers.lookup(from)));
            operands.push_back(executed ? valueOf(value, element) : representative(value, pending.elements));
        }
        protos[pending.proto].operands.assign(operands.begin(), operands.end());
    }
}

void Emitter::emitLoops()
{
    DenseMap<const Loop *, uint32_t> numbers;
    for (const LoopFact &fact : facts.loopFacts)
        numbers[fact.loop] = (uint32_t)numbers.size();
    currentLocation = GP_NONE;
    currentUniform = false;
    for (const LoopFact &fact : facts.loopFacts) {
        gp_loop loop = {};
        loop.header = blockNumbers.lookup(fact.loop->getHeader());
        SmallVector<BasicBlock *, 4> latches;
        fact.loop->getLoopLatches(latches);
        loop.latch = blockNumbers.lookup(latches.front());
        loop.parent = fact.loop->getParentLoop() ? numbers.lookup(fact.loop->getParentLoop()) : GP_NONE;
        loop.depth = fact.loop->getLoopDepth();
        loop.location = locations.of(fact.location);
        loop.bound = (uint8_t)fact.bound;
        loop.data_dependent = fact.dataDependent;
        loop.irreducible = fact.irreducible;
        loop.unroll = (uint16_t)fact.unroll;
        loop.trip_count = fact.tripCount                 ? expression(fact.tripCount)
                          : !fact.inductionCount.empty() ? expression(fact.inductionCount)
                                                         : (gp_ref)GP_REF_NONE;
        uint32_t number = (uint32_t)data.loops.size();
        data.loops.push_back(loop);
        for (const InductionFact &induction : fact.inductions) {
            gp_ref phi = valueOf(induction.phi);
            if (gp_ref_kind(phi) != GP_REF_INST || !(facts.slice.of(*induction.phi).executed & 1))
                continue;
            gp_ref step = expression(induction.step);
            unsigned bits = elementBits(induction.step->getType()), wanted = elementBits(induction.phi->getType());
            if (bits != wanted) { /* a pointer whose index is 32 bits wide */
                List *list = current;
                current = &expressions;
                step = make(GP_OP_SEXT, {}, wanted, {step});
                protoOf(step).inst.width = (uint8_t)bits;
                current = list;
            }
            data.inductions.push_back({number, gp_ref_index(phi), step});
        }
    }
    for (size_t i = 0; i < facts.order.size(); i++) {
        const Loop *loop = facts.loops.getLoopFor(facts.order[i]);
        data.blocks[i].loop = loop ? numbers.lookup(loop) : GP_NONE;
    }
}

/* Arguments that executed operations use can change the time. */
void Emitter::countSkeleton()
{
    for (const Proto &proto : protos) {
        if (proto.inst.op == GP_OP_WEIGHT || proto.inst.op == GP_OP_CALL || proto.inst.op == GP_OP_SHUFFLE)
            continue;
        for (size_t i = 0; i < proto.operands.size(); i++)
            if (gp_ref_kind(proto.operands[i]) == GP_REF_PARAM && !(proto.inst.op == GP_OP_STORE && i == 1)) {
                gp_param &param = data.params[gp_ref_index(proto.operands[i])];
                if (param.kind == GP_PARAM_INT || param.kind == GP_PARAM_FLOAT || param.kind == GP_PARAM_OTHER)
                    param.flags |= GP_PARAM_SKELETON;
            }
    }
}

/* Final order: blocks, what the entry prepares first, then expressions. */
void Emitter::finish()
{
    lists[0].insert(lists[0].begin(), prologue.begin(), prologue.end());
    std::vector<uint32_t> final(protos.size(), GP_NONE);
    uint32_t next = 0;
    for (size_t b = 0; b < lists.size(); b++) {
        data.blocks[b].inst = next;
        data.blocks[b].inst_count = (uint32_t)lists[b].size();
        for (uint32_t proto : lists[b])
            final[proto] = next++;
    }
    for (uint32_t proto : expressions)
        final[proto] = next++;
    auto renumber = [&](gp_ref ref) {
        return gp_ref_kind(ref) == GP_REF_INST ? gp_ref_make(GP_REF_INST, final[gp_ref_index(ref)]) : ref;
    };
    auto place = [&](uint32_t number) {
        Proto &proto = protos[number];
        proto.inst.operand = (uint32_t)data.operands.size();
        proto.inst.operand_count = (uint32_t)proto.operands.size();
        for (gp_ref ref : proto.operands)
            data.operands.push_back(renumber(ref));
        data.insts.push_back(proto.inst);
        data.origins.push_back(proto.origin);
    };
    for (const List &list : lists)
        for (uint32_t proto : list)
            place(proto);
    for (uint32_t proto : expressions)
        place(proto);
    for (gp_memory &memory : data.memory)
        memory.inst = final[memory.inst];
    for (gp_branch &branch : data.branches)
        branch.inst = final[branch.inst];
    for (gp_loop &loop : data.loops)
        loop.trip_count = renumber(loop.trip_count);
    for (gp_induction &induction : data.inductions) {
        induction.phi = final[induction.phi];
        induction.step = renumber(induction.step);
    }
}

void Emitter::run()
{
    for (size_t i = 0; i < facts.order.size(); i++)
        blockNumbers[facts.order[i]] = (uint32_t)i;
    lists.reserve(facts.order.size());
    unsigned instructions = facts.function.getInstructionCount();
    protos.reserve(instructions * 2);
    refs.reserve(instructions);
    for (const BasicBlock *block : facts.order) {
        gp_block entry = {};
        const auto *node = facts.postDominators.getNode(block);
        const auto *above = node ? node->getIDom() : nullptr;
        const BasicBlock *join = above ? above->getBlock() : nullptr;
        auto number = join ? blockNumbers.find(join) : blockNumbers.end();
        entry.ipdom = number != blockNumbers.end() ? number->second : GP_NONE;
        entry.loop = GP_NONE;
        data.blocks.push_back(entry);
    }
    for (const BasicBlock *block : facts.order)
        emitBlock(*block);
    List rest;
    current = &rest;
    currentBlock = facts.order.front();
    currentInstruction = nullptr;
    resolvePhis();
    emitLoops();
    countSkeleton();
    finish();
}

} // namespace gpuperf
