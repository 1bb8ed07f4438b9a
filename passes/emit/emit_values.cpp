/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Operands: constants, parameters, arrays, addresses. */
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Operator.h"

#include "model/value/value.h"
#include "passes/emit/emitter.h"

using namespace llvm;

namespace gpuperf
{

gp_ref Emitter::constant(uint64_t bits)
{
    if (bits >= UINT64_MAX - 1) {
        uint32_t &number = bits == UINT64_MAX ? allOnes : allOnesButOne;
        if (number == GP_NONE) {
            number = (uint32_t)data.constants.size();
            data.constants.push_back(bits);
        }
        return gp_ref_make(GP_REF_CONST, number);
    }
    auto [entry, fresh] = constantNumbers.insert({bits, (uint32_t)data.constants.size()});
    if (fresh)
        data.constants.push_back(bits);
    return gp_ref_make(GP_REF_CONST, entry->second);
}

gp_ref Emitter::make(gp_op op, Cost cost, unsigned bits, ArrayRef<gp_ref> operands)
{
    Proto proto;
    proto.inst.op = op;
    proto.inst.cost = cost.cost;
    proto.inst.bits = (uint8_t)bits;
    proto.inst.repeat = (uint16_t)std::clamp(cost.repeat, 1u, 65535u);
    proto.inst.flags = currentUniform ? GP_INST_UNIFORM : 0;
    proto.inst.location = currentLocation;
    proto.inst.record = GP_NONE;
    if (std::optional<Cost> repaired =
            currentInstruction ? facts.repairable.of(currentInstruction, cost) : std::nullopt) {
        proto.inst.flags |= GP_INST_REPAIRABLE;
        proto.inst.repaired = repaired->cost;
        proto.inst.repaired_repeat = (uint16_t)std::clamp(repaired->repeat, 1u, 65535u);
    }
    proto.origin = currentInstruction;
    proto.operands.assign(operands.begin(), operands.end());
    protos.push_back(std::move(proto));
    current->push_back((uint32_t)protos.size() - 1);
    return gp_ref_make(GP_REF_INST, (uint32_t)protos.size() - 1);
}

void Emitter::setRef(const Instruction &inst, unsigned element, gp_ref ref)
{
    SmallVector<gp_ref, 1> &all = refs[&inst];
    if (all.size() <= element)
        all.resize(elementCount(inst.getType()), GP_REF_NONE);
    if (element < all.size())
        all[element] = ref;
}

gp_ref Emitter::arrayRef(const GlobalVariable &variable)
{
    auto found = arrays.find(&variable);
    if (found != arrays.end())
        return found->second;
    bool local = isLocalArray(variable, facts.target);
    std::vector<gp_array> &list = local ? data.locals : data.globals;
    uint64_t bytes =
        variable.getValueType()->isSized() ? layout.getTypeAllocSize(variable.getValueType()).getFixedValue() : 0;
    std::string whole = variable.getName().str();
    if (StringRef(whole).starts_with("_Z")) /* "kernel(float*)::variable" */
        whole = demangle(whole);
    StringRef name = whole;
    if (size_t colons = name.rfind("::"); colons != StringRef::npos)
        name = name.drop_front(colons + 2);
    else if (local && !name.rsplit('.').second.empty()) /* "kernel.variable" */
        name = name.rsplit('.').second;
    gp_array array = {};
    array.name = strings.save(name).data();
    array.bytes = (uint32_t)std::min<uint64_t>(bytes, UINT32_MAX);
    array.alignment = (uint32_t)variable.getPointerAlignment(layout).value();
    array.location = GP_NONE;
    gp_ref ref = gp_ref_make(local ? GP_REF_LOCAL : GP_REF_GLOBAL, (uint32_t)list.size());
    list.push_back(array);
    arrays[&variable] = ref;
    return ref;
}

gp_ref Emitter::constantRef(const Constant *value, unsigned element)
{
    if (value->getType()->isVectorTy()) {
        value = value->getAggregateElement(element);
        if (!value)
            return constant(0);
    }
    if (auto *number = dyn_cast<ConstantInt>(value))
        return constant(number->getBitWidth() <= 64 ? number->getZExtValue()
                                                    : number->getValue().trunc(64).getZExtValue());
    if (auto *number = dyn_cast<ConstantFP>(value)) {
        APInt bits = number->getValueAPF().bitcastToAPInt();
        return constant(bits.zextOrTrunc(64).getZExtValue());
    }
    if (auto *variable = dyn_cast<GlobalVariable>(value))
        return arrayRef(*variable);
    auto *op = dyn_cast<ConstantExpr>(value);
    if (!op) /* null, undefined, a function's address */
        return constant(0);
    auto found = constantExpressions.find(value);
    if (found != constantExpressions.end())
        return found->second;
    gp_ref ref;
    if (auto *gep = dyn_cast<GEPOperator>(op)) {
        APInt offset(layout.getIndexTypeSizeInBits(gep->getType()), 0);
        const Value *base = gep->stripAndAccumulateConstantOffsets(layout, offset, true);
        ref = isa<Constant>(base) && base != value ? constantRef(cast<Constant>(base), 0) : constant(0);
        if (!offset.isZero()) {
            List *list = current;
            uint32_t location = currentLocation;
            current = &prologue;
            currentLocation = GP_NONE;
            ref = make(GP_OP_ADD, {}, 64, {ref, constant((uint64_t)offset.getSExtValue())});
            current = list;
            currentLocation = location;
        }
    } else if (op->getOpcode() == Instruction::AddrSpaceCast || op->getOpcode() == Instruction::PtrToInt ||
               op->getOpcode() == Instruction::IntToPtr || op->getOpcode() == Instruction::BitCast) {
        ref = constantRef(op->getOperand(0), 0);
    } else {
        ref = constant(0);
    }
    constantExpressions[value] = ref;
    return ref;
}

/* The launch knows an argument's first 64 bits; what lies beyond is one unknown value for all work-items. */
gp_ref Emitter::argumentRef(const Argument &argument, unsigned element)
{
    gp_ref whole = gp_ref_make(GP_REF_PARAM, argument.getArgNo());
    unsigned count = elementCount(argument.getType());
    if (count == 1)
        return whole;
    auto found = argumentElements.find({&argument, element});
    if (found != argumentElements.end())
        return found->second;
    List *list = current;
    bool uniform = currentUniform;
    current = &prologue;
    currentUniform = true;
    unsigned bits = elementBits(argument.getType());
    gp_ref ref;
    if (count * bits <= 64) {
        ref = element == 0 ? whole : make(GP_OP_LSHR, {}, 64, {whole, constant(element * bits)});
        ref = make(GP_OP_TRUNC, {}, bits, {ref});
        protoOf(ref).inst.width = 64;
    } else {
        ref = make(GP_OP_WEIGHT, {}, bits, {whole});
    }
    current = list;
    currentUniform = uniform;
    argumentElements[{&argument, element}] = ref;
    return ref;
}

gp_ref Emitter::valueOf(const Value *value, unsigned element)
{
    if (auto *number = dyn_cast<Constant>(value))
        return constantRef(number, element);
    if (auto *argument = dyn_cast<Argument>(value))
        return argumentRef(*argument, element);
    if (auto *inst = dyn_cast<Instruction>(value)) {
        auto found = refs.find(inst);
        if (found != refs.end() && element < found->second.size() && found->second[element] != GP_REF_NONE)
            return found->second[element];
    }
    return constant(0); /* only what cannot be reached */
}

/* Instructions and parameters that elements of a value come from, each once. Constants take no time. */
void Emitter::operandsOf(const Value *value, uint64_t elements, SmallVectorImpl<gp_ref> &into)
{
    auto add = [&](gp_ref ref) {
        if ((gp_ref_kind(ref) == GP_REF_INST || gp_ref_kind(ref) == GP_REF_PARAM) && !is_contained(into, ref))
            into.push_back(ref);
    };
    if (auto *argument = dyn_cast<Argument>(value))
        return add(gp_ref_make(GP_REF_PARAM, argument->getArgNo()));
    auto *inst = dyn_cast<Instruction>(value);
    auto found = inst ? refs.find(inst) : refs.end();
    if (!inst || found == refs.end())
        return;
    for (unsigned e = 0; e < found->second.size(); e++)
        if ((elements & bit(e)) || e >= 64)
            add(found->second[e]);
}

/* One reference for a vector: its last computed element. */
gp_ref Emitter::representative(const Value *value, uint64_t elements)
{
    SmallVector<gp_ref, 8> all;
    operandsOf(value, elements, all);
    gp_ref best = GP_REF_NONE;
    for (gp_ref ref : all)
        if (best == GP_REF_NONE ||
            (gp_ref_kind(ref) == GP_REF_INST && (gp_ref_kind(best) != GP_REF_INST || ref > best)))
            best = ref;
    if (best != GP_REF_NONE)
        return best;
    if (auto *number = dyn_cast<Constant>(value); number && !number->getType()->isAggregateType())
        return constantRef(number, 0);
    return constant(0);
}

/* Sign or zero extension of an index: part of the wide multiply-add that follows (IMAD.WIDE), or of the addressing
 * mode. */
gp_ref Emitter::extended(gp_ref value, unsigned bits, bool isSigned, Cost cost)
{
    if (bits >= 64)
        return value;
    if (gp_ref_kind(value) == GP_REF_CONST) {
        uint64_t number = data.constants[gp_ref_index(value)];
        return constant(isSigned ? gp_sign_extend(number, bits) : number);
    }
    std::vector<Reached> &known = extensions[{sameAs(value), isSigned}];
    if (gp_ref *found = reuse(known))
        return *found;
    gp_ref ref = make(isSigned ? GP_OP_SEXT : GP_OP_ZEXT, cost, 64, {value});
    protoOf(ref).inst.width = (uint8_t)bits;
    protoOf(ref).inst.flags |= GP_INST_CHEAP;
    keep(known, ref);
    return ref;
}

gp_ref Emitter::lowWordOf(gp_ref value)
{
    std::vector<Reached> &known = products[{sameAs(value), 0}]; /* no index is scaled by 0 */
    if (gp_ref *found = reuse(known))
        return *found;
    gp_ref ref = make(GP_OP_TRUNC, {}, 32, {value});
    protoOf(ref).inst.width = 64;
    keep(known, ref);
    return ref;
}

gp_ref Emitter::scaledBy(gp_ref index, int64_t scale, Cost cost)
{
    if (scale == 1)
        return index;
    std::vector<Reached> &known = products[{sameAs(index), scale}];
    if (gp_ref *found = reuse(known))
        return *found;
    gp_ref ref = make(GP_OP_MUL, cost, 64, {index, constant((uint64_t)scale)});
    keep(known, ref);
    return ref;
}

gp_ref Emitter::offsetBy(gp_ref address, int64_t offset, Cost cost)
{
    return offset == 0 ? address : make(GP_OP_ADD, cost, 64, {address, constant((uint64_t)offset)});
}

bool Emitter::isInduction(const Value *value) const
{
    for (const LoopFact &loop : facts.loopFacts)
        for (const InductionFact &induction : loop.inductions)
            if (induction.phi == value)
                return true;
    return false;
}

/* c[bank][register + immediate]: of an index into a constant array only its scaling is computed, and a loop's counter
 * is kept scaled. */
Cost Emitter::constantIndexCost(const AddressTerm &term) const
{
    if (isInduction(term.index))
        return {};
    return {(term.scale & (term.scale - 1)) == 0 ? GP_CLASS_INT_SHIFT : GP_CLASS_INT_MUL, 1};
}

bool Emitter::isUniform(const Value *value) const { return facts.uniformity && facts.uniformity->isUniform(value); }

/* Whether the index, scaled and taken as unsigned, fits 32 bits. */
static bool fitsOffset(const AddressTerm &term, unsigned bits, const DataLayout &layout)
{
    if (bits > 32 || term.scale <= 0 || !isPowerOf2_64((uint64_t)term.scale))
        return false;
    if (term.scale == 1 && !term.isSigned)
        return true;
    unsigned clear = 32 - bits + computeKnownBits(term.index, layout).countMinLeadingZeros();
    return clear >= Log2_64((uint64_t)term.scale) + term.isSigned;
}

/*
 * AMD's accesses to global memory add 32 bits of each lane to an address in scalar registers themselves, where there is
 * nothing else of the lane's in it (gfx9 and later: "Vega" and "RDNA" Instruction Set Architecture, global_load with
 * SADDR); else sign, scale and sum take 64-bit vector instructions. What is the same for all lanes is the scalar
 * unit's.
 */
Emitter::TermCost Emitter::amdTermCost(const AddressTerm &term, unsigned bits, const Memory &memory,
                                       bool sameSoFar) const
{
    bool scaled = term.scale != 1;
    if (sameSoFar && isUniform(term.index))
        return {.add = {GP_CLASS_LONG_ADD, 1}};
    if (sameSoFar && memory.offsets && fitsOffset(term, bits, facts.function.getDataLayout()))
        return {.multiply = {scaled ? GP_CLASS_INT_SHIFT : GP_CLASS_FREE, 1}};
    gp_class multiply = !scaled                               ? GP_CLASS_FREE
                        : isPowerOf2_64((uint64_t)term.scale) ? GP_CLASS_LONG_SHIFT
                                                              : GP_CLASS_LONG_MUL;
    return {
        {bits < 64 && term.isSigned ? GP_CLASS_INT_SHIFT : GP_CLASS_FREE, 1}, {multiply, 1}, {GP_CLASS_LONG_ADD, 1}};
}

/*
 * Each variable term is one addition: a 32-bit index into 64-bit memory one wide multiply-add on NVIDIA, if there is
 * something to multiply (nvcc 13.0, sm_75 to sm_90), a 64-bit addition elsewhere, if the access does not make it
 * itself; 32-bit arithmetic in local and private memory.
 */
Emitter::TermCost Emitter::termCost(const AddressTerm &term, unsigned bits, const Memory &memory, bool sameSoFar) const
{
    bool powerOfTwo = (term.scale & (term.scale - 1)) == 0;
    if (memory.banked)
        return {.multiply = constantIndexCost(term)};
    if (memory.narrow)
        return {.add = {powerOfTwo ? GP_CLASS_INT_ADD : GP_CLASS_INT_MAD, 1}};
    if (facts.target == Target::Amdgcn)
        return amdTermCost(term, bits, memory, sameSoFar);
    if (bits == 64 && !powerOfTwo)
        return {.multiply = {GP_CLASS_LONG_MUL, 1}, .add = {GP_CLASS_LONG_ADD, 1}};
    if (bits < 64 && (facts.target == Target::Nvptx || facts.target == Target::Spir))
        return {.add = {term.scale == 1 ? GP_CLASS_LONG_ADD : GP_CLASS_INT_MAD,
                        1}}; /* of bytes IADD3 and LEA.HI.X.SX32 or IMAD.X */
    if (facts.target == Target::Host)
        return {}; /* base + index * scale is an addressing mode */
    return {.add = {GP_CLASS_LONG_ADD, 1}};
}

/*
 * The constant part is an immediate of the access. A term that was added before to the same base is taken from there.
 * Where the address takes steps, its last addition pays the step and nothing else is paid.
 */
gp_ref Emitter::emitAddress(const AddressForm &form, const Type *pointer, std::optional<Cost> step)
{
    gp_ref address = valueOf(form.base);
    gp_space space = spaceOf(facts.target, pointer->getPointerAddressSpace());
    enum gp_ref_kind based = gp_ref_kind(baseOf(form.base));
    Memory memory = {.narrow = space == GP_SPACE_LOCAL || space == GP_SPACE_PRIVATE || based == GP_REF_LOCAL ||
                               based == GP_REF_PRIVATE,
                     .banked = facts.target == Target::Nvptx && space == GP_SPACE_CONSTANT && based == GP_REF_GLOBAL,
                     .offsets = space == GP_SPACE_GLOBAL || space == GP_SPACE_CONSTANT};
    bool same = isUniform(form.base);
    for (const AddressTerm &term : form.terms) {
        gp_ref index = valueOf(term.index);
        unsigned bits = term.lowWord ? 32 : elementBits(term.index->getType());
        if (term.lowWord)
            index = lowWordOf(index);
        bool sameBefore = same;
        same = same && isUniform(term.index);
        std::vector<Reached> &known = addresses[{sameAs(address), sameAs(index), term.isSigned, term.scale}];
        if (gp_ref *found = reuse(known)) {
            address = *found;
            continue;
        }
        bool uniform = currentUniform;
        currentUniform = uniform || (same && facts.target == Target::Amdgcn);
        TermCost cost = step ? TermCost{.add = &term == &form.terms.back() ? *step : Cost{}}
                             : termCost(term, bits, memory, sameBefore);
        gp_ref scaled = scaledBy(extended(index, bits, term.isSigned, cost.extend), term.scale, cost.multiply);
        gp_ref sum = make(GP_OP_ADD, cost.add, 64, {address, scaled});
        currentUniform = uniform;
        keep(known, sum);
        address = sum;
    }
    return offsetBy(address, form.offset, step && form.terms.empty() ? *step : Cost{});
}

/* ---- What an address is based on ------------------------------------------------------------------------------ */

gp_ref Emitter::baseOf(const Value *pointer)
{
    auto known = bases.find(pointer);
    if (known != bases.end())
        return known->second;
    bases[pointer] = GP_REF_NONE; /* a phi that leads back here adds nothing */
    gp_ref base = GP_REF_NONE;
    const Value *object = getUnderlyingObject(pointer, 0);
    if (auto *argument = dyn_cast<Argument>(object)) {
        if (argument->getType()->isPointerTy())
            base = gp_ref_make(GP_REF_PARAM, argument->getArgNo());
    } else if (auto *variable = dyn_cast<GlobalVariable>(object)) {
        base = arrayRef(*variable);
    } else if (isa<AllocaInst>(object)) {
        base = valueOf(object);
        if (gp_ref_kind(base) != GP_REF_PRIVATE)
            base = GP_REF_NONE;
    } else if (auto *op = dyn_cast<Operator>(object);
               op && (op->getOpcode() == Instruction::IntToPtr || op->getOpcode() == Instruction::Freeze)) {
        if (auto *back = dyn_cast<Operator>(op->getOperand(0)); back && back->getOpcode() == Instruction::PtrToInt)
            base = baseOf(back->getOperand(0));
    } else if (isa<PHINode>(object) || isa<SelectInst>(object)) {
        auto *inst = cast<Instruction>(object);
        SmallVector<const Value *, 4> choices;
        if (auto *phi = dyn_cast<PHINode>(inst))
            choices.append(phi->incoming_values().begin(), phi->incoming_values().end());
        else
            choices = {inst->getOperand(1), inst->getOperand(2)};
        bool same = choices.size() <= 8;
        for (const Value *choice : choices) {
            const Value *from = getUnderlyingObject(choice, 0);
            if (!same || from == object)
                continue;
            gp_ref other = baseOf(choice);
            same = other != GP_REF_NONE && (base == GP_REF_NONE || base == other);
            base = other;
        }
        if (!same)
            base = GP_REF_NONE;
        bases[object] = base;
    }
    bases[pointer] = base;
    return base;
}

} // namespace gpuperf
