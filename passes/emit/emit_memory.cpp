/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Memory operations and calls. */
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicInst.h"

#include "passes/ir/builtins.h"
#include "passes/emit/emitter.h"
#include "passes/analysis/exchanges.h"
#include "passes/analysis/kernel_facts.h"

using namespace llvm;

namespace gpuperf
{

/*
 * Bytes per lane that one machine instruction moves: 16 at most. NVIDIA's need the access aligned to its width (PTX
 * ISA, "ld": a misaligned vector access is undefined, so that compilers take it apart); AMD's global accesses need
 * words only.
 */
unsigned Emitter::pieceBytes(unsigned total, Align alignment) const
{
    unsigned most = 16;
    bool natural = facts.target == Target::Nvptx || (facts.target == Target::Spir && !facts.joinsWords);
    if (natural)
        most = (unsigned)std::min<uint64_t>(most, alignment.value());
    return std::min(most, total);
}

/* A pointer loaded from a structure that was passed by value. */
static bool isArgumentMember(const Value *object)
{
    auto *load = dyn_cast<LoadInst>(object);
    auto *argument = load ? dyn_cast<Argument>(getUnderlyingObject(load->getPointerOperand(), 0)) : nullptr;
    return argument && (argument->hasByValAttr() || argument->hasByRefAttr());
}

/* A pointer that stands where a pointer that was passed leads (`float **rows`): nvcc 13.0 reads by it as from global
 * memory. */
static bool isLoadedFromGlobal(const Value *object)
{
    auto *load = dyn_cast<LoadInst>(object);
    return load && load->getType()->isPointerTy() && isa<Argument>(getUnderlyingObject(load->getPointerOperand(), 0));
}

/*
 * `const __device__` and a function's `static const`: nvcc 13.0 has them in global memory (ld.global.nc), and in
 * constant memory only what is __constant__, which the host can write.
 */
bool Emitter::isDeviceTable(const GlobalVariable &variable) const
{
    return facts.tablesAsNvcc && facts.target == Target::Nvptx &&
           spaceOf(facts.target, variable.getAddressSpace()) == GP_SPACE_CONSTANT &&
           !variable.isExternallyInitialized();
}

gp_memory Emitter::memoryRecord(const Value *pointer, unsigned elementBytes, unsigned vector, Align alignment,
                                uint16_t flags)
{
    gp_memory record = {};
    record.base = baseOf(pointer);
    record.space = (uint8_t)spaceOf(facts.target, pointer->getType()->getPointerAddressSpace());
    record.flags = flags;
    record.element_bytes = (uint16_t)std::clamp(elementBytes, 1u, 65535u);
    record.vector = (uint16_t)std::clamp(vector, 1u, 65535u);
    record.alignment = (uint16_t)std::min<uint64_t>(alignment.value(), 32768);
    auto *variable = dyn_cast<GlobalVariable>(getUnderlyingObject(pointer, 0));
    bool table = variable && variable->isConstant() && !(flags & GP_MEMORY_STORE),
         onDevice = table && isDeviceTable(*variable);
    if (table)
        record.space = onDevice ? GP_SPACE_GLOBAL : GP_SPACE_CONSTANT;
    if (onDevice)
        record.flags |= GP_MEMORY_READONLY;
    if (record.space == GP_SPACE_GENERIC &&
        (isArgumentMember(getUnderlyingObject(pointer, 0)) || isLoadedFromGlobal(getUnderlyingObject(pointer, 0))))
        record.space = GP_SPACE_GLOBAL; /* a pointer that the host passed, in a structure or in memory */
    switch (gp_ref_kind(record.base)) {
    case GP_REF_PRIVATE: record.space = GP_SPACE_PRIVATE; break;
    case GP_REF_LOCAL: record.space = GP_SPACE_LOCAL; break;
    case GP_REF_PARAM: {
        const gp_param &param = data.params[gp_ref_index(record.base)];
        bool byValue = param.kind == GP_PARAM_OTHER;
        if (byValue)
            record.space = GP_SPACE_CONSTANT; /* parameters lie in constant memory */
        else if (facts.target == Target::Host || record.space == GP_SPACE_GENERIC)
            record.space = param.kind == GP_PARAM_LOCAL ? (uint8_t)GP_SPACE_LOCAL : param.space;
        const Argument *argument = facts.original.getArg(gp_ref_index(record.base));
        bool readOnly =
            (param.flags & GP_PARAM_RESTRICT) && (argument->onlyReadsMemory() || (param.flags & GP_PARAM_CONST));
        if (readOnly && record.space == GP_SPACE_GLOBAL && !(flags & (GP_MEMORY_STORE | GP_MEMORY_ATOMIC)))
            record.flags |= GP_MEMORY_READONLY;
        break;
    }
    default: break;
    }
    return record;
}

/* One instruction with its record. */
gp_ref Emitter::access(gp_op op, gp_ref address, gp_ref value, unsigned bits, gp_memory record)
{
    SmallVector<gp_ref, 2> operands{address};
    if (op == GP_OP_STORE)
        operands.push_back(value);
    gp_ref ref = make(op, {GP_CLASS_MEMORY, 1}, bits, operands);
    record.inst = gp_ref_index(ref);
    protoOf(ref).inst.record = (uint32_t)data.memory.size();
    data.memory.push_back(record);
    return ref;
}

uint16_t Emitter::flagsOf(const Instruction &inst)
{
    uint16_t flags = 0;
    if (inst.isVolatile())
        flags |= GP_MEMORY_VOLATILE;
    if (inst.hasMetadata(LLVMContext::MD_nontemporal))
        flags |= GP_MEMORY_STREAMING;
    if (inst.hasMetadata(LLVMContext::MD_invariant_load))
        flags |= GP_MEMORY_READONLY;
    if (inst.hasMetadata(LLVMContext::MD_nosanitize)) /* set by AsyncCopies */
        flags |= GP_MEMORY_ASYNC;
    return flags;
}

/* Bytes of one element in memory: bits of vectors of bits are whole bytes here. */
static unsigned storedBytes(const DataLayout &layout, Type *type, unsigned &count)
{
    count = elementCount(type);
    Type *element = type->getScalarType();
    return (unsigned)std::clamp<uint64_t>(layout.getTypeStoreSize(element).getFixedValue(), 1, 1u << 20);
}

/* Where data decides the place nothing is known after all. */
static TableLookup tableOf(const Instruction &inst, unsigned element, const Origins &origins)
{
    auto *load = dyn_cast<LoadInst>(&inst);
    return load && !(origins.of(load) & OriginData) ? tableLookup(*load, element) : TableLookup{};
}

/* What a table holds at the place that was looked up, found without an instruction of the kernel's; beyond the table
 * what was loaded. */
gp_ref Emitter::lookedUp(const TableLookup &lookup, gp_ref loaded, unsigned bits)
{
    gp_ref sum = constant(0), value = loaded;
    for (const AddressTerm &term : lookup.terms) {
        unsigned width = term.lowWord ? 32 : elementBits(term.index->getType());
        gp_ref index = term.lowWord ? lowWordOf(valueOf(term.index)) : valueOf(term.index);
        gp_ref scaled = scaledBy(extended(index, width, term.isSigned), term.scale, {});
        sum = &term == &lookup.terms.front() ? scaled : make(GP_OP_ADD, {}, 64, {sum, scaled});
    }
    for (const TableLookup::Place &place : lookup.places) {
        gp_ref here = make(GP_OP_ICMP, {}, 1, {sum, constant((uint64_t)place.sum)});
        protoOf(here).inst.width = 64;
        protoOf(here).inst.sub = GP_PRED_EQ;
        value = make(GP_OP_SELECT, {}, bits, {here, constant(place.bits), value});
    }
    return value;
}

/* A load is one record per piece. Element 0 keeps the value; the others are other values of the same moment. */
void Emitter::emitLoad(const Instruction &inst, const Value *pointer, Align alignment, uint16_t flags)
{
    unsigned count, bytes = storedBytes(layout, inst.getType(), count);
    unsigned piece = pieceBytes(bytes * count, alignment), perPiece = std::max(1u, piece / bytes);
    if (facts.target != Target::Host && bytes > 16) { /* an aggregate: a structure loaded whole */
        count = (bytes + 15) / 16;
        bytes = 16;
        perPiece = 1;
    }
    gp_ref address = valueOf(pointer);
    unsigned bits = elementBits(inst.getType());
    Slice::Demand demand = facts.slice.of(inst);
    for (unsigned first = 0; first < count; first += perPiece) {
        unsigned vector = std::min(perPiece, count - first);
        gp_memory record = memoryRecord(pointer, bytes, vector, alignment, flags | flagsOf(inst));
        gp_ref load = access(GP_OP_LOAD, offsetBy(address, (int64_t)first * bytes), 0, bits, record);
        for (unsigned e = first; e < first + vector; e++) {
            gp_ref ref = load;
            if (e > first && (demand.executed & bit(e)))
                ref = make(GP_OP_WEIGHT, {}, bits, {load});
            if (const TableLookup lookup = demand.executed & bit(e) ? tableOf(inst, e, facts.origins) : TableLookup{})
                ref = lookedUp(lookup, ref, bits);
            setRef(inst, e, ref);
        }
    }
}

void Emitter::emitStore(const Value *pointer, const Value *value, Align alignment, uint16_t flags)
{
    unsigned count, bytes = storedBytes(layout, value->getType(), count);
    unsigned perPiece = std::max(1u, pieceBytes(bytes * count, alignment) / bytes);
    gp_ref address = valueOf(pointer);
    for (unsigned first = 0; first < count; first += perPiece) {
        unsigned vector = std::min(perPiece, count - first);
        uint64_t elements = 0;
        for (unsigned e = first; e < first + vector; e++)
            elements |= bit(e);
        gp_memory record = memoryRecord(pointer, bytes, vector, alignment, flags | GP_MEMORY_STORE);
        access(GP_OP_STORE, offsetBy(address, (int64_t)first * bytes), representative(value, elements), 0, record);
    }
}

/* Operations on integers whose order does not matter: one of a warp's lanes can make that of all. */
static bool combines(const Instruction &inst)
{
    auto *atomic = dyn_cast<AtomicRMWInst>(&inst);
    return atomic && !atomic->isVolatile() && atomic->getType()->isIntegerTy() && commutes(*atomic);
}

static bool counts(const Instruction &inst)
{
    auto *atomic = dyn_cast<AtomicRMWInst>(&inst);
    return atomic && atomic->getOperation() == AtomicRMWInst::Add && isa<ConstantInt>(atomic->getValOperand()) &&
           atomic->getType()->getIntegerBitWidth() <= 64;
}

/* Whether the loop around it goes on until an exchange has succeeded. */
bool Emitter::isRetried(const Instruction &inst) const
{
    const Loop *loop = facts.loops.getLoopFor(inst.getParent());
    return any_of(facts.loopFacts,
                  [&](const LoopFact &fact) { return fact.loop == loop && fact.bound == GP_BOUND_RETRY; });
}

void Emitter::emitAtomic(const Instruction &inst)
{
    const Value *pointer = inst.getOperand(0);
    unsigned bytes = (unsigned)layout.getTypeStoreSize(inst.getOperand(1)->getType()).getFixedValue();
    uint16_t flags =
        GP_MEMORY_ATOMIC | (inst.use_empty() ? 0 : GP_MEMORY_RETURNS) | (inst.isVolatile() ? GP_MEMORY_VOLATILE : 0);
    gp_memory record = memoryRecord(pointer, bytes, 1, Align(std::max(1u, bytes)), flags);
    bool known = record.space == GP_SPACE_GLOBAL || record.space == GP_SPACE_LOCAL;
    if (combines(inst) && known && facts.uniformity && facts.uniformity->isUniform(pointer))
        record.flags |= GP_MEMORY_COMBINES;
    if (counts(inst))
        record.flags |= GP_MEMORY_COUNTS;
    if (exchangesForItself(inst, isRetried(inst), facts.uniformity && facts.uniformity->isUniform(inst.getOperand(1))))
        record.flags |= GP_MEMORY_EXCHANGES;
    if (isRetried(inst) && keepsLargestOrLeast(inst))
        record.flags |= GP_MEMORY_KEEPS;
    gp_ref address = valueOf(pointer);
    SmallVector<gp_ref, 3> operands{address};
    for (unsigned i = 1; i < inst.getNumOperands(); i++)
        operands.push_back(representative(inst.getOperand(i), ~0ull));
    unsigned bits = elementBits(inst.getOperand(1)->getType());
    gp_ref ref = make(GP_OP_ATOMIC, {GP_CLASS_MEMORY, 1}, bits, operands);
    record.inst = gp_ref_index(ref);
    protoOf(ref).inst.record = (uint32_t)data.memory.size();
    data.memory.push_back(record);
    setRef(inst, 0, ref);
}

/* Channels that the program can tell apart: a single-channel image is read for .x only and written with constants
 * elsewhere. */
static unsigned channelsRead(const CallBase &call)
{
    unsigned highest = 0;
    for (const User *user : call.users()) {
        auto *shuffle = dyn_cast<ShuffleVectorInst>(user);
        if (shuffle && shuffle->isZeroEltSplat() && shuffle->getOperand(0) == &call)
            continue;
        auto *member = dyn_cast<ExtractValueInst>(user); /* NVVM's intrinsics give a structure */
        if (member) {
            highest = std::max(highest, member->getIndices()[0]);
            continue;
        }
        auto *extract = dyn_cast<ExtractElementInst>(user);
        auto *index = extract ? dyn_cast<ConstantInt>(extract->getIndexOperand()) : nullptr;
        if (!index)
            return 4;
        highest = std::max(highest, (unsigned)index->getZExtValue());
    }
    return highest == 0 ? 1 : 4;
}

static unsigned channelsWritten(const Value *colour)
{
    const auto *insert = dyn_cast<InsertElementInst>(colour);
    auto *index = insert ? dyn_cast<ConstantInt>(insert->getOperand(2)) : nullptr;
    return index && index->isZero() && isa<Constant>(insert->getOperand(0)) ? 1 : 4;
}

/* llvm.nvvm.suld.2d.v4i16.zero: what accesses of a surface move is in their names. A gather's are the four texels of a
 * square. */
static void describeTexel(StringRef name, gp_memory &record)
{
    if (name.starts_with("llvm.nvvm.tld4."))
        record.vector = 4;
    if (!name.starts_with("llvm.nvvm.suld.") && !name.starts_with("llvm.nvvm.sust."))
        return;
    StringRef type = name.rsplit('.').first.rsplit('.').second;
    unsigned channels = 1, bits = 32;
    if (type.consume_front("v"))
        type.consumeInteger(10, channels);
    if (!type.consume_front("i") || type.getAsInteger(10, bits))
        return;
    record.element_bytes = (uint16_t)(bits / 8);
    record.vector = (uint16_t)channels;
}

/* A coordinate; a constant one in floating point is the texel it lies in. */
gp_ref Emitter::coordinateOf(const Term &term)
{
    Term known = resolve(term);
    auto *number = dyn_cast<Constant>(known.value);
    if (number && number->getType()->isVectorTy())
        number = number->getAggregateElement(known.element);
    auto *real = dyn_cast_or_null<ConstantFP>(number);
    if (!real)
        return valueOf(term.value, term.element);
    APSInt texel(32, /*isUnsigned=*/false);
    bool exact;
    real->getValueAPF().convertToInteger(texel, APFloat::rmTowardNegative, &exact);
    return constant(texel.getZExtValue());
}

/* A sampler that the source spells out, with coordinates from 0 to 1 (CLK_NORMALIZED_COORDS_TRUE). */
static bool samplesNormalised(const CallBase &call)
{
    const unsigned normalised = 1;
    for (const Value *argument : call.args())
        if (auto *sampler = dyn_cast<CallBase>(argument->stripPointerCasts()); sampler && sampler->arg_size() == 1) {
            const Function *callee = calledFunction(*sampler);
            auto *bits = dyn_cast<ConstantInt>(sampler->getArgOperand(0));
            if (callee && callee->getName() == "__translate_sampler_initializer")
                return bits && (bits->getZExtValue() & normalised);
        }
    return false;
}

static bool isLayered(const CallBase &call)
{
    const Function *callee = calledFunction(call);
    return callee && callee->getName().contains("_array");
}

/* As the texel's number, in an image as large as the range: its own size is known at launch only. */
gp_ref Emitter::scaledCoordinate(const Term &term, unsigned dim)
{
    gp_ref real = make(GP_OP_UITOFP, {}, 32, {globalSize(dim)});
    protoOf(real).inst.width = 32;
    return make(GP_OP_FMUL, {}, 32, {valueOf(term.value, term.element), real});
}

void Emitter::emitImage(const CallBase &call, bool store)
{
    const Value *handle = call.arg_size() > 0 ? call.getArgOperand(0) : nullptr;
    for (const Value *argument : call.args())
        if (auto *parameter = dyn_cast<Argument>(argument->stripPointerCasts());
            parameter && data.params[parameter->getArgNo()].kind == GP_PARAM_IMAGE) {
            handle = parameter;
            break;
        }
    auto *parameter = handle ? dyn_cast<Argument>(handle->stripPointerCasts()) : nullptr;
    gp_ref image = parameter ? gp_ref_make(GP_REF_PARAM, parameter->getArgNo()) : (gp_ref)GP_REF_NONE;
    SmallVector<gp_ref, 4> operands{image};
    bool normalised = samplesNormalised(call);
    unsigned layers = isLayered(call) ? 1 : 0; /* whose number is one in any case */
    SmallVector<Term, 3> terms = imageCoordinates(call);
    for (unsigned dim = 0; dim < terms.size(); dim++) {
        bool scaled =
            normalised && dim + layers < terms.size() && terms[dim].value->getType()->getScalarType()->isFloatTy();
        operands.push_back(scaled ? scaledCoordinate(terms[dim], dim) : coordinateOf(terms[dim]));
    }
    if (operands.size() < 2) /* coordinates passed in a way that we cannot follow: unknown */
        operands.push_back(make(GP_OP_WEIGHT, {}, 32, {}));
    const Function *callee = calledFunction(call);
    bool half = callee && StringRef(builtinName(callee->getName()).base).ends_with("h");
    gp_memory record = {};
    record.space = GP_SPACE_IMAGE;
    record.flags = store ? GP_MEMORY_STORE : GP_MEMORY_READONLY;
    record.element_bytes = half ? 2 : 4; /* the format is known at launch only: as wide as what the program sees */
    record.vector = (uint16_t)(store ? channelsWritten(call.getArgOperand(call.arg_size() - 1))
                               : isa<FixedVectorType, StructType>(call.getType()) ? channelsRead(call)
                                                                                  : 1);
    describeTexel(callee ? callee->getName() : "", record);
    record.alignment = (uint16_t)(record.element_bytes * record.vector);
    record.base = image;
    auto *structure = dyn_cast<StructType>(call.getType());
    unsigned bits = store ? 0 : elementBits(structure ? structure->getElementType(0) : call.getType());
    gp_ref ref = make(store ? GP_OP_IMAGE_STORE : GP_OP_IMAGE_LOAD, {GP_CLASS_MEMORY, 1}, bits, operands);
    record.inst = gp_ref_index(ref);
    protoOf(ref).inst.record = (uint32_t)data.memory.size();
    data.memory.push_back(record);
    for (unsigned e = 0; !store && e < elementCount(call.getType()); e++) {
        bool executed = facts.slice.of(call).executed & bit(e);
        setRef(call, e, e > 0 && executed ? make(GP_OP_WEIGHT, {}, bits, {ref}) : ref);
    }
}

/* memcpy and memset of constant length: as many 16-byte moves. */
void Emitter::emitBulkMemory(const CallBase &call, bool copy)
{
    auto *length = dyn_cast<ConstantInt>(call.getArgOperand(2));
    uint64_t bytes = length ? length->getZExtValue() : 64; /* a length that is not known */
    const Value *destination = call.getArgOperand(0), *source = copy ? call.getArgOperand(1) : nullptr;
    Align to = call.getParamAlign(0).valueOrOne(), from = copy ? call.getParamAlign(1).valueOrOne() : Align(16);
    uint64_t piece = std::min({(uint64_t)16, to.value(), from.value()});
    const uint64_t mostMoves = 256;
    piece = std::max<uint64_t>(piece, divideCeil(bytes, mostMoves));
    gp_ref target = valueOf(destination), origin = source ? valueOf(source) : 0;
    for (uint64_t at = 0, left = bytes; left > 0;) {
        uint64_t moved = std::min(piece, left);
        unsigned recorded = (unsigned)std::min<uint64_t>(moved, UINT16_MAX);
        gp_ref value = constant(0);
        if (copy)
            value =
                access(GP_OP_LOAD, offsetBy(origin, (int64_t)at), 0, 64, memoryRecord(source, recorded, 1, from, 0));
        access(GP_OP_STORE, offsetBy(target, (int64_t)at), value, 0,
               memoryRecord(destination, recorded, 1, to, GP_MEMORY_STORE));
        at += moved;
        left -= moved;
    }
}

/* A vector of pointers: an access per element, at addresses that are not kept. */
void Emitter::emitGather(const CallBase &call, bool store)
{
    const Value *value = store ? call.getArgOperand(0) : &call;
    const Value *pointers = call.getArgOperand(store ? 1 : 0);
    unsigned count, bytes = storedBytes(layout, value->getType(), count);
    for (unsigned e = 0; e < count; e++) {
        SmallVector<gp_ref, 4> from;
        operandsOf(pointers, ~0ull, from);
        gp_ref address = make(GP_OP_WEIGHT, {}, 64, from);
        gp_memory record = {};
        record.space = (uint8_t)spaceOf(facts.target, pointers->getType()->getScalarType()->getPointerAddressSpace());
        record.element_bytes = (uint16_t)bytes;
        record.vector = 1;
        record.alignment = 1;
        record.flags = store ? GP_MEMORY_STORE : 0;
        gp_ref ref = access(store ? GP_OP_STORE : GP_OP_LOAD, address, store ? representative(value, bit(e)) : 0,
                            store ? 0 : elementBits(value->getType()), record);
        if (!store)
            setRef(call, e, ref);
    }
}

/* async_work_group_copy(destination, source, elements, event), ..._strided_copy(destination, source, elements, stride,
 * event) */
void Emitter::emitBulkCopy(const CallBase &call)
{
    const Value *destination = call.getArgOperand(0), *source = call.getArgOperand(1);
    SmallVector<gp_ref, 4> operands{valueOf(destination), valueOf(source), valueOf(call.getArgOperand(2))};
    if (call.arg_size() > 4)
        operands.push_back(valueOf(call.getArgOperand(3)));
    /* the element type is in the mangled name only: "PU3AS3fPU3AS1Kfjm" */
    StringRef parameters = builtinName(calledFunction(call)->getName()).parameters;
    char letter = firstElementType(parameters);
    unsigned width = 1;
    if (size_t at = parameters.find("Dv"); at != StringRef::npos)
        parameters.drop_front(at + 2).consumeInteger(10, width);
    unsigned bytes = StringRef("cha").contains(letter)     ? 1
                     : StringRef("stH").contains(letter)   ? 2
                     : StringRef("lmdxy").contains(letter) ? 8
                                                           : 4;
    bool toLocal = calledFunction(call)->getName().contains("PU3AS3")
                       ? parameters.starts_with("PU3AS3")
                       : gp_ref_kind(baseOf(destination)) == GP_REF_LOCAL;
    gp_memory record =
        memoryRecord(toLocal ? source : destination, bytes, width, Align(bytes), toLocal ? 0 : GP_MEMORY_STORE);
    unsigned bits = call.getType()->isVoidTy() ? 0 : elementBits(call.getType());
    gp_ref ref = make(GP_OP_BULK_COPY, {GP_CLASS_MEMORY, 1}, bits, operands);
    record.inst = gp_ref_index(ref);
    protoOf(ref).inst.record = (uint32_t)data.memory.size();
    data.memory.push_back(record);
    if (bits)
        setRef(call, 0, ref);
}

/* What is called, or what inline assembly holds: "inline assembly: lop3.b32, add.u32". */
std::string Emitter::calleeName(const CallBase &call) const
{
    auto *assembly = dyn_cast<InlineAsm>(call.getCalledOperand());
    const Function *callee = calledFunction(call);
    if (!assembly)
        return callee ? builtinName(callee->getName()).base.str() : "(a function pointer)";
    const size_t mostNames = 4;
    auto mnemonics = assemblyMnemonics(*assembly, facts.target);
    bool cut = mnemonics.size() > mostNames;
    mnemonics.resize(std::min(mnemonics.size(), mostNames));
    return "inline assembly: " + join(mnemonics, ", ") + (cut ? ", ..." : "");
}

void Emitter::emitCall(const CallBase &call)
{
    CallClass found = classifyCall(call, facts.target);
    unsigned bits = call.getType()->isVoidTy() ? 0 : elementBits(call.getType());
    SmallVector<gp_ref, 8> operands;
    auto gather = [&] {
        for (const Value *argument : call.args())
            operandsOf(argument, ~0ull, operands);
    };
    auto keep = [&](gp_ref ref) {
        for (unsigned e = 0; bits && e < elementCount(call.getType()); e++)
            setRef(call, e, ref);
    };
    switch (found.kind) {
    case CallKind::Free:
    case CallKind::Exit: return;
    case CallKind::Arithmetic:
        if (call.getType()->isVoidTy() && found.cost.cost == GP_CLASS_FREE)
            return;
        return emitWeight(call, facts.slice.of(call).weighed | facts.slice.of(call).executed,
                          facts.costs.ofCall(call, found.cost));
    case CallKind::Barrier:
        make(GP_OP_BARRIER, {GP_CLASS_BARRIER, 1}, 0, {});
        data.kernel.barrier_count++;
        if (bits) { /* work_group_reduce and relatives */
            gather();
            keep(make(GP_OP_WEIGHT, {GP_CLASS_SHUFFLE, 5}, bits, operands));
        }
        return;
    case CallKind::Fence:
    case CallKind::Prefetch: make(GP_OP_WEIGHT, found.cost, 0, {}); return;
    case CallKind::ImageLoad: return emitImage(call, false);
    case CallKind::ImageStore: return emitImage(call, true);
    case CallKind::CopyMemory: return emitBulkMemory(call, true);
    case CallKind::FillMemory: return emitBulkMemory(call, false);
    case CallKind::LoadCached:
        return emitLoad(call, call.getArgOperand(0),
                        Align(std::max<uint64_t>(1, layout.getTypeStoreSize(call.getType()).getFixedValue())),
                        GP_MEMORY_READONLY);
    case CallKind::MaskedLoad: return emitLoad(call, call.getArgOperand(0), call.getParamAlign(0).valueOrOne(), 0);
    case CallKind::MaskedStore:
        return emitStore(call.getArgOperand(1), call.getArgOperand(0), call.getParamAlign(1).valueOrOne(), 0);
    case CallKind::Gather: return emitGather(call, false);
    case CallKind::Scatter: return emitGather(call, true);
    case CallKind::BulkCopy: return emitBulkCopy(call);
    case CallKind::Shuffle:
        gather();
        return keep(
            make(GP_OP_SHUFFLE, {found.cost.cost, found.cost.repeat * elementCount(call.getType())}, bits, operands));
    case CallKind::Vote: gather(); return keep(make(GP_OP_WEIGHT, found.cost, bits, operands));
    case CallKind::Print:
    case CallKind::Assembly:
    case CallKind::Unknown: break;
    }
    gather();
    gp_ref ref =
        make(GP_OP_CALL, found.kind == CallKind::Assembly ? found.cost : Cost{GP_CLASS_CALL, 1}, bits, operands);
    protoOf(ref).inst.record = (uint32_t)data.callees.size();
    data.callees.push_back(strings.save(calleeName(call)).data());
    keep(ref);
    emitCounts(facts.callCosts.behind(call));
}

} // namespace gpuperf
