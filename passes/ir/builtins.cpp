/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "passes/ir/builtins.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Intrinsics.h"

#include "passes/ir/host_vectors.h"

using namespace llvm;

namespace gpuperf
{

BuiltinName builtinName(StringRef symbol)
{
    BuiltinName name{symbol, ""};
    StringRef rest = symbol;
    unsigned length = 0;
    if (rest.consume_front("_Z") && !rest.consumeInteger(10, length) && length <= rest.size()) {
        name.base = rest.take_front(length);
        name.parameters = rest.drop_front(length);
    }
    return name;
}

char firstElementType(StringRef p)
{
    for (;;) {
        unsigned number;
        if (p.consume_front("P") || p.consume_front("K") || p.consume_front("V") || p.consume_front("r"))
            continue;
        if (p.consume_front("U") && !p.consumeInteger(10, number) && number <= p.size()) {
            p = p.drop_front(number);
            continue;
        }
        if (p.consume_front("Dv")) {
            if (p.consumeInteger(10, number) || !p.consume_front("_"))
                return 0;
            continue;
        }
        if (p.starts_with("Dh"))
            return 'H';
        if (p.empty() || !StringRef("cahstijlmxyfdb").contains(p[0]))
            return 0;
        return p[0];
    }
}

static bool isSignedLetter(char letter) { return StringRef("caslixf").contains(letter); }

namespace
{

/* One call being replaced. */
struct Expansion {
    CallInst &call;
    IRBuilder<> b;
    StringRef base, parameters;
    Type *type; /* of the result */
    bool isFloat, isSigned;

    Expansion(CallInst &call, BuiltinName name)
        : call(call), b(&call), base(name.base), parameters(name.parameters), type(call.getType()),
          isFloat(call.arg_size() > 0 && call.getArgOperand(0)->getType()->isFPOrFPVectorTy()),
          isSigned(isSignedLetter(firstElementType(name.parameters)))
    {
        if (isa<FPMathOperator>(call))
            b.setFastMathFlags(call.getFastMathFlags());
        b.setDefaultFPMathTag(call.getMetadata(LLVMContext::MD_fpmath));
    }
    Value *arg(unsigned i) const { return call.getArgOperand(i); }
    unsigned count() const { return call.arg_size(); }

    /* The argument as wide as the result: OpenCL lets scalars stand beside vectors. */
    Value *wide(unsigned i)
    {
        Value *value = arg(i);
        if (value->getType() == type)
            return value;
        auto *vector = dyn_cast<FixedVectorType>(type);
        if (vector && value->getType() == vector->getElementType())
            return b.CreateVectorSplat(vector->getNumElements(), value);
        return nullptr;
    }
    Value *binary(Intrinsic::ID id)
    {
        Value *x = wide(0), *y = wide(1);
        return x && y ? b.CreateBinaryIntrinsic(id, x, y) : nullptr;
    }
    Value *unary(Intrinsic::ID id) { return arg(0)->getType() == type ? b.CreateUnaryIntrinsic(id, arg(0)) : nullptr; }
    Value *multiplyAdd(Value *x, Value *y, Value *z)
    {
        return x && y && z ? b.CreateIntrinsic(Intrinsic::fmuladd, {x->getType()}, {x, y, z}) : nullptr;
    }
    Value *fast(Value *value)
    {
        if (auto *inst = dyn_cast<Instruction>(value))
            inst->setFast(true);
        return value;
    }
};

} // namespace

static Value *clampCall(Expansion &e)
{
    Value *x = e.wide(0), *low = e.wide(1), *high = e.wide(2);
    if (!x || !low || !high)
        return nullptr;
    Intrinsic::ID up = e.isFloat ? Intrinsic::maxnum : e.isSigned ? Intrinsic::smax : Intrinsic::umax;
    Intrinsic::ID down = e.isFloat ? Intrinsic::minnum : e.isSigned ? Intrinsic::smin : Intrinsic::umin;
    return e.b.CreateBinaryIntrinsic(down, e.b.CreateBinaryIntrinsic(up, x, low), high);
}

static Value *dotOf(Expansion &e, Value *x, Value *y)
{
    auto *vector = dyn_cast<FixedVectorType>(x->getType());
    if (!vector)
        return e.b.CreateFMul(x, y);
    Value *sum = e.b.CreateFMul(e.b.CreateExtractElement(x, (uint64_t)0), e.b.CreateExtractElement(y, (uint64_t)0));
    for (unsigned i = 1; i < vector->getNumElements(); i++)
        sum = e.multiplyAdd(e.b.CreateExtractElement(x, i), e.b.CreateExtractElement(y, i), sum);
    return sum;
}

/* The high half of a product, through twice as wide integers: classify.cpp knows the shape. */
static Value *highProduct(Expansion &e)
{
    Value *x = e.wide(0), *y = e.wide(1);
    if (!x || !y || e.isFloat)
        return nullptr;
    unsigned bits = e.type->getScalarSizeInBits();
    Type *twice = e.type->getWithNewBitWidth(bits * 2);
    Value *product = e.b.CreateMul(e.b.CreateIntCast(x, twice, e.isSigned), e.b.CreateIntCast(y, twice, e.isSigned));
    return e.b.CreateTrunc(e.b.CreateLShr(product, bits), e.type);
}

static Value *integerCall(Expansion &e)
{
    if (!e.type->isIntOrIntVectorTy() || e.count() == 0 || !e.arg(0)->getType()->isIntOrIntVectorTy())
        return nullptr;
    bool sign = e.isSigned;
    StringRef base = e.base;
    if (base == "min" && e.count() == 2)
        return e.binary(sign ? Intrinsic::smin : Intrinsic::umin);
    if (base == "max" && e.count() == 2)
        return e.binary(sign ? Intrinsic::smax : Intrinsic::umax);
    if (base == "clamp" && e.count() == 3)
        return clampCall(e);
    if (base == "abs" && e.count() == 1 && e.arg(0)->getType() == e.type)
        return sign ? e.b.CreateBinaryIntrinsic(Intrinsic::abs, e.arg(0), e.b.getFalse()) : e.arg(0);
    if (base == "abs_diff" && e.count() == 2 && e.arg(0)->getType() == e.type && e.arg(1)->getType() == e.type) {
        Value *less = sign ? e.b.CreateICmpSLT(e.arg(0), e.arg(1)) : e.b.CreateICmpULT(e.arg(0), e.arg(1));
        return e.b.CreateSelect(less, e.b.CreateSub(e.arg(1), e.arg(0)), e.b.CreateSub(e.arg(0), e.arg(1)));
    }
    if ((base == "mul24" || base == "mad24") && e.count() >= 2) {
        Value *x = e.wide(0), *y = e.wide(1), *z = base == "mad24" && e.count() == 3 ? e.wide(2) : nullptr;
        if (!x || !y || (base == "mad24" && !z))
            return nullptr;
        Value *product = e.b.CreateMul(x, y);
        if (auto *inst = dyn_cast<Instruction>(product)) /* the class stays known (passes/cost/classify.cpp) */
            inst->addAnnotationMetadata(
                "gpuperf.mul24"); /* no kind of our own: bitcode lists the kinds of its context */
        return z ? e.b.CreateAdd(product, z) : product;
    }
    if (base == "mul_hi" && e.count() == 2)
        return highProduct(e);
    if (base == "mad_hi" && e.count() == 3) {
        Value *high = highProduct(e), *z = e.wide(2);
        return high && z ? e.b.CreateAdd(high, z) : nullptr;
    }
    if ((base == "hadd" || base == "rhadd") && e.count() == 2) {
        Value *x = e.wide(0), *y = e.wide(1);
        if (!x || !y)
            return nullptr;
        auto half = [&](Value *value) { return sign ? e.b.CreateAShr(value, 1) : e.b.CreateLShr(value, 1); };
        Value *carry = base == "hadd" ? e.b.CreateAnd(x, y) : e.b.CreateOr(x, y);
        return e.b.CreateAdd(e.b.CreateAdd(half(x), half(y)), e.b.CreateAnd(carry, ConstantInt::get(e.type, 1)));
    }
    if (base == "rotate" && e.count() == 2) {
        Value *x = e.wide(0), *by = e.wide(1);
        return x && by ? e.b.CreateIntrinsic(Intrinsic::fshl, {e.type}, {x, x, by}) : nullptr;
    }
    if (base == "popcount" && e.count() == 1)
        return e.unary(Intrinsic::ctpop);
    if ((base == "clz" || base == "ctz") && e.count() == 1 && e.arg(0)->getType() == e.type)
        return e.b.CreateBinaryIntrinsic(base == "clz" ? Intrinsic::ctlz : Intrinsic::cttz, e.arg(0), e.b.getFalse());
    if (base == "add_sat" && e.count() == 2)
        return e.binary(sign ? Intrinsic::sadd_sat : Intrinsic::uadd_sat);
    if (base == "sub_sat" && e.count() == 2)
        return e.binary(sign ? Intrinsic::ssub_sat : Intrinsic::usub_sat);
    if (base == "bitselect" && e.count() == 3) {
        Value *x = e.wide(0), *y = e.wide(1), *mask = e.wide(2);
        return x && y && mask ? e.b.CreateOr(e.b.CreateAnd(x, e.b.CreateNot(mask)), e.b.CreateAnd(y, mask)) : nullptr;
    }
    return nullptr;
}

static Value *floatCall(Expansion &e)
{
    if (!e.type->isFPOrFPVectorTy() || !e.isFloat)
        return nullptr;
    StringRef base = e.base;
    unsigned n = e.count();
    if (n == 1) {
        Intrinsic::ID id = StringSwitch<Intrinsic::ID>(base)
                               .Case("fabs", Intrinsic::fabs)
                               .Case("floor", Intrinsic::floor)
                               .Case("ceil", Intrinsic::ceil)
                               .Case("trunc", Intrinsic::trunc)
                               .Case("round", Intrinsic::round)
                               .Case("rint", Intrinsic::rint)
                               .Cases({"sqrt", "native_sqrt", "half_sqrt"}, Intrinsic::sqrt)
                               .Default(Intrinsic::not_intrinsic);
        if (id != Intrinsic::not_intrinsic) {
            Value *value = e.unary(id);
            return value && base.contains('_') ? e.fast(value) : value;
        }
        if (base == "native_recip" || base == "half_recip")
            return e.fast(e.b.CreateFDiv(ConstantFP::get(e.type, 1.0), e.arg(0)));
        if (base == "degrees" || base == "radians")
            return e.b.CreateFMul(
                e.arg(0), ConstantFP::get(e.type, base == "degrees" ? 57.29577951308232 : 0.017453292519943295));
        if (base == "length" || base == "fast_length") {
            Value *root = e.b.CreateUnaryIntrinsic(Intrinsic::sqrt, dotOf(e, e.arg(0), e.arg(0)));
            return base == "length" ? root : e.fast(root);
        }
        return nullptr;
    }
    if (n == 2) {
        if (base == "fmin" || base == "min")
            return e.binary(Intrinsic::minnum);
        if (base == "fmax" || base == "max")
            return e.binary(Intrinsic::maxnum);
        if (base == "copysign")
            return e.binary(Intrinsic::copysign);
        if (base == "fmod")
            return e.wide(0) && e.wide(1) ? e.b.CreateFRem(e.wide(0), e.wide(1)) : nullptr;
        if (base == "native_divide" || base == "half_divide")
            return e.wide(0) && e.wide(1) ? e.fast(e.b.CreateFDiv(e.wide(0), e.wide(1))) : nullptr;
        if (base == "dot" && e.arg(0)->getType() == e.arg(1)->getType() && !e.type->isVectorTy())
            return dotOf(e, e.arg(0), e.arg(1));
        if ((base == "distance" || base == "fast_distance") && e.arg(0)->getType() == e.arg(1)->getType()) {
            Value *difference = e.b.CreateFSub(e.arg(0), e.arg(1));
            return e.b.CreateUnaryIntrinsic(Intrinsic::sqrt, dotOf(e, difference, difference));
        }
        if (base == "step") {
            Value *edge = e.wide(0), *x = e.wide(1);
            return edge && x ? e.b.CreateSelect(e.b.CreateFCmpOLT(x, edge), ConstantFP::get(e.type, 0.0),
                                                ConstantFP::get(e.type, 1.0))
                             : nullptr;
        }
        return nullptr;
    }
    if (n == 3) {
        Value *x = e.wide(0), *y = e.wide(1), *z = e.wide(2);
        if (base == "fma" || base == "mad")
            return x && y && z ? e.b.CreateIntrinsic(Intrinsic::fma, {e.type}, {x, y, z}) : nullptr;
        if (base == "mix")
            return x && y && z ? e.multiplyAdd(e.b.CreateFSub(y, x), z, x) : nullptr;
        if (base == "clamp")
            return clampCall(e);
    }
    return nullptr;
}

/*
 * cl_amd_media_ops and cl_amd_media_ops2, as far as they compute what an address may need; the rest is arithmetic by
 * name (classify.cpp). amd_bitalign(a, b, c) is the low word of (a:b) >> c.
 */
static Value *amdCall(Expansion &e)
{
    StringRef base = e.base;
    if (!base.consume_front("amd_") || !e.type->isIntOrIntVectorTy() || e.count() != 3 ||
        e.arg(0)->getType() != e.type || e.arg(1)->getType() != e.type || e.arg(2)->getType() != e.type)
        return nullptr;
    if (base == "bitalign" || base == "bytealign") {
        Value *by = base == "bitalign" ? e.arg(2) : e.b.CreateShl(e.b.CreateAnd(e.arg(2), 3), 3);
        return e.b.CreateIntrinsic(Intrinsic::fshr, {e.type}, {e.arg(0), e.arg(1), by});
    }
    if (base == "min3" || base == "max3") {
        Intrinsic::ID id = base == "min3" ? (e.isSigned ? Intrinsic::smin : Intrinsic::umin)
                                          : (e.isSigned ? Intrinsic::smax : Intrinsic::umax);
        return e.b.CreateBinaryIntrinsic(id, e.b.CreateBinaryIntrinsic(id, e.arg(0), e.arg(1)), e.arg(2));
    }
    return nullptr;
}

/* isnan(x) and relatives; select(a, b, c): per element, c's most significant bit for vectors, c != 0 for scalars. */
static Value *relationalCall(Expansion &e)
{
    StringRef base = e.base;
    if (base == "select" && e.count() == 3 && e.arg(0)->getType() == e.type && e.arg(1)->getType() == e.type &&
        e.arg(2)->getType()->isIntOrIntVectorTy() && e.arg(2)->getType()->isVectorTy() == e.type->isVectorTy()) {
        Value *zero = Constant::getNullValue(e.arg(2)->getType());
        Value *chosen = e.type->isVectorTy() ? e.b.CreateICmpSLT(e.arg(2), zero) : e.b.CreateICmpNE(e.arg(2), zero);
        return e.b.CreateSelect(chosen, e.arg(1), e.arg(0));
    }
    if (!e.isFloat || !e.type->isIntOrIntVectorTy() || e.count() == 0 || e.count() > 2)
        return nullptr;
    CmpInst::Predicate predicate = StringSwitch<CmpInst::Predicate>(base)
                                       .Case("isnan", CmpInst::FCMP_UNO)
                                       .Case("isequal", CmpInst::FCMP_OEQ)
                                       .Case("isnotequal", CmpInst::FCMP_UNE)
                                       .Case("isgreater", CmpInst::FCMP_OGT)
                                       .Case("isgreaterequal", CmpInst::FCMP_OGE)
                                       .Case("isless", CmpInst::FCMP_OLT)
                                       .Case("islessequal", CmpInst::FCMP_OLE)
                                       .Case("islessgreater", CmpInst::FCMP_ONE)
                                       .Case("isordered", CmpInst::FCMP_ORD)
                                       .Case("isunordered", CmpInst::FCMP_UNO)
                                       .Case("isinf", CmpInst::FCMP_OEQ)
                                       .Case("isfinite", CmpInst::FCMP_ONE)
                                       .Default(CmpInst::BAD_FCMP_PREDICATE);
    if (predicate == CmpInst::BAD_FCMP_PREDICATE)
        return nullptr;
    Value *x = e.arg(0), *y = e.count() == 2 ? e.arg(1) : x;
    if (base == "isinf" || base == "isfinite") {
        x = e.b.CreateUnaryIntrinsic(Intrinsic::fabs, x);
        y = ConstantFP::getInfinity(x->getType());
    }
    Value *result = e.b.CreateFCmp(predicate, x, y);
    return e.type->isVectorTy() ? e.b.CreateSExt(result, e.type) : e.b.CreateZExt(result, e.type);
}

/* convert_TYPE[_sat][_rte|_rtz|_rtp|_rtn](x) */
static Value *conversionCall(Expansion &e)
{
    StringRef name = e.base;
    if (!name.consume_front("convert_") || e.count() != 1)
        return nullptr;
    bool toSigned = !name.starts_with("u");
    bool saturate = name.contains("_sat");
    Value *x = e.arg(0);
    Type *from = x->getType(), *to = e.type;
    if (from->isVectorTy() != to->isVectorTy())
        return nullptr;
    if (from->isFPOrFPVectorTy() && to->isFPOrFPVectorTy())
        return e.b.CreateFPCast(x, to);
    if (from->isIntOrIntVectorTy() && to->isFPOrFPVectorTy())
        return e.isSigned ? e.b.CreateSIToFP(x, to) : e.b.CreateUIToFP(x, to);
    if (from->isFPOrFPVectorTy() && to->isIntOrIntVectorTy()) {
        if (name.ends_with("_rtn"))
            x = e.b.CreateUnaryIntrinsic(Intrinsic::floor, x);
        else if (name.ends_with("_rtp"))
            x = e.b.CreateUnaryIntrinsic(Intrinsic::ceil, x);
        else if (name.ends_with("_rte"))
            x = e.b.CreateUnaryIntrinsic(Intrinsic::rint, x);
        if (saturate)
            return e.b.CreateIntrinsic(toSigned ? Intrinsic::fptosi_sat : Intrinsic::fptoui_sat, {to, from}, {x});
        return toSigned ? e.b.CreateFPToSI(x, to) : e.b.CreateFPToUI(x, to);
    }
    if (!from->isIntOrIntVectorTy() || !to->isIntOrIntVectorTy())
        return nullptr;
    unsigned fromBits = from->getScalarSizeInBits(), toBits = to->getScalarSizeInBits();
    if (saturate && toBits < fromBits) {
        APInt high = (toSigned ? APInt::getSignedMaxValue(toBits) : APInt::getMaxValue(toBits)).zext(fromBits);
        x = e.b.CreateBinaryIntrinsic(e.isSigned ? Intrinsic::smin : Intrinsic::umin, x, ConstantInt::get(from, high));
        if (e.isSigned) {
            APInt low = toSigned ? APInt::getSignedMinValue(toBits).sext(fromBits) : APInt(fromBits, 0);
            x = e.b.CreateBinaryIntrinsic(Intrinsic::smax, x, ConstantInt::get(from, low));
        }
    }
    return e.b.CreateIntCast(x, to, e.isSigned);
}

/* vloadN(offset, p) reads p + offset * N; vload_half, vloada_half and the stores likewise. */
static bool vectorAccess(Expansion &e)
{
    StringRef name = e.base;
    bool store = name.consume_front("vstore");
    if (!store && !name.consume_front("vload"))
        return false;
    bool aligned = name.consume_front("a");
    unsigned width = 1;
    bool half = name.consume_front("_half");
    bool hasWidth = !name.consumeInteger(10, width);
    if (!hasWidth && !half)
        return false;
    unsigned dataIndex = 0, offsetIndex = store ? 1 : 0, pointerIndex = store ? 2 : 1;
    if (e.count() <= pointerIndex || !e.arg(pointerIndex)->getType()->isPointerTy() ||
        !e.arg(offsetIndex)->getType()->isIntegerTy())
        return false;
    Type *dataType = store ? e.arg(dataIndex)->getType() : e.type;
    unsigned elements = isa<FixedVectorType>(dataType) ? cast<FixedVectorType>(dataType)->getNumElements() : 1;
    if (elements != width || width == 0 || width > 16)
        return false;
    Type *element = half ? e.b.getHalfTy() : dataType->getScalarType();
    Type *memory = width == 1 ? element : (Type *)FixedVectorType::get(element, width);
    unsigned stride = aligned && width == 3 ? 4 : width;
    const DataLayout &layout = e.call.getModule()->getDataLayout();
    Value *pointer = e.arg(pointerIndex);
    Type *index = layout.getIndexType(pointer->getType());
    Value *offset = e.b.CreateIntCast(e.arg(offsetIndex), index, false);
    pointer = e.b.CreateGEP(ArrayType::get(element, stride), pointer, offset);
    uint64_t bytes = layout.getTypeStoreSize(element).getFixedValue();
    Align alignment(aligned ? bytes * stride : bytes);
    if (store) {
        Value *data = e.arg(dataIndex);
        if (half && data->getType() != memory)
            data = e.b.CreateFPTrunc(data, memory);
        e.b.CreateAlignedStore(data, pointer, alignment);
    } else {
        Value *data = e.b.CreateAlignedLoad(memory, pointer, alignment);
        if (half && e.type != memory)
            data = e.b.CreateFPExt(data, e.type);
        e.call.replaceAllUsesWith(data);
    }
    return true;
}

/* OpenCL C 2's atomic_compare_exchange_*(p, &expected, v), of which the old value goes into `expected` (on success it
 * is what was there). */
static Value *compareExchange(Expansion &e, AtomicOrdering order)
{
    Type *type = e.count() >= 3 ? e.arg(2)->getType() : nullptr;
    if (!type || !e.arg(1)->getType()->isPointerTy() || !e.type->isIntegerTy() ||
        !(type->isIntegerTy() || type->isFloatingPointTy()))
        return nullptr;
    Type *bits = e.b.getIntNTy(type->getPrimitiveSizeInBits());
    Value *expected = e.b.CreateLoad(bits, e.arg(1));
    Value *pair =
        e.b.CreateAtomicCmpXchg(e.arg(0), expected, e.b.CreateBitCast(e.arg(2), bits), MaybeAlign(), order, order);
    e.b.CreateStore(e.b.CreateExtractValue(pair, 0), e.arg(1));
    return e.b.CreateZExtOrTrunc(e.b.CreateExtractValue(pair, 1), e.type);
}

static StoreInst *atomicStore(Expansion &e, Value *value, AtomicOrdering order)
{
    StoreInst *store = e.b.CreateStore(value, e.arg(0));
    if (value->getType()->isIntegerTy() || value->getType()->isFloatingPointTy())
        store->setAtomic(order);
    return store;
}

/* Its atomic_store, atomic_init and atomic_flag_*, which have no value of the object's type. */
static Value *atomicState(Expansion &e, StringRef name, AtomicOrdering order)
{
    if (name == "init" && e.count() >= 2)
        return e.b.CreateStore(e.arg(1), e.arg(0));
    if (name == "store" && e.count() >= 2)
        return atomicStore(e, e.arg(1), order);
    if (name == "flag_clear")
        return atomicStore(e, e.b.getInt32(0), order);
    if (name != "flag_test_and_set" || !e.type->isIntegerTy())
        return nullptr;
    Value *old = e.b.CreateAtomicRMW(AtomicRMWInst::Xchg, e.arg(0), e.b.getInt32(1), MaybeAlign(), order);
    return e.b.CreateZExtOrTrunc(e.b.CreateICmpNE(old, e.b.getInt32(0)), e.type);
}

/* atomic_add(p, v), atom_add, atomic_inc(p), atomic_cmpxchg(p, c, v), and OpenCL C 2's atomic_fetch_add(_explicit),
 * atomic_load, atomic_store ... */
static Value *atomicCall(Expansion &e)
{
    StringRef name = e.base;
    if (!name.consume_front("atomic_") && !name.consume_front("atom_"))
        return nullptr;
    if (e.count() < 1 || !e.arg(0)->getType()->isPointerTy())
        return nullptr;
    bool fetch = name.consume_front("fetch_");
    name.consume_back("_explicit");
    AtomicOrdering order = AtomicOrdering::Monotonic;
    if (!fetch && name == "load" && (e.type->isIntegerTy() || e.type->isFloatingPointTy())) {
        LoadInst *load = e.b.CreateLoad(e.type, e.arg(0));
        load->setAtomic(order);
        return load;
    }
    if (name == "compare_exchange_strong" || name == "compare_exchange_weak")
        return compareExchange(e, order);
    if (Value *state = atomicState(e, name, order))
        return state;
    if ((name == "cmpxchg") && e.count() == 3 && e.arg(1)->getType() == e.type && e.arg(2)->getType() == e.type &&
        e.type->isIntegerTy()) {
        Value *pair = e.b.CreateAtomicCmpXchg(e.arg(0), e.arg(1), e.arg(2), MaybeAlign(), order, order);
        return e.b.CreateExtractValue(pair, 0);
    }
    Type *type = e.type->isVoidTy() && e.count() >= 2 ? e.arg(1)->getType() : e.type;
    if (!type->isIntegerTy() && !type->isFloatingPointTy())
        return nullptr;
    bool step = name == "inc" || name == "dec";
    int op = StringSwitch<int>(name)
                 .Cases({"add", "inc"}, type->isIntegerTy() ? AtomicRMWInst::Add : AtomicRMWInst::FAdd)
                 .Cases({"sub", "dec"}, type->isIntegerTy() ? AtomicRMWInst::Sub : AtomicRMWInst::FSub)
                 .Cases({"xchg", "exchange"}, AtomicRMWInst::Xchg)
                 .Case("and", AtomicRMWInst::And)
                 .Case("or", AtomicRMWInst::Or)
                 .Case("xor", AtomicRMWInst::Xor)
                 .Case("min", type->isIntegerTy() ? (e.isSigned ? AtomicRMWInst::Min : AtomicRMWInst::UMin)
                                                  : AtomicRMWInst::FMin)
                 .Case("max", type->isIntegerTy() ? (e.isSigned ? AtomicRMWInst::Max : AtomicRMWInst::UMax)
                                                  : AtomicRMWInst::FMax)
                 .Default(-1);
    if (op < 0 || (step && !type->isIntegerTy()) || (!step && (e.count() < 2 || e.arg(1)->getType() != type)))
        return nullptr;
    Value *operand = step ? ConstantInt::get(type, 1) : e.arg(1);
    return e.b.CreateAtomicRMW((AtomicRMWInst::BinOp)op, e.arg(0), operand, MaybeAlign(), order);
}

/*
 * get_local_linear_id(), get_global_linear_id() by their definition. The functions are declared in the copy's module.
 * That the kernel has three dimensions does not follow: the calls are marked (kernel_facts.cpp, usedDimensions).
 */
static Value *linearId(Expansion &e)
{
    bool local = e.base == "get_local_linear_id";
    if ((!local && e.base != "get_global_linear_id") || e.count() != 0 || !e.type->isIntegerTy())
        return nullptr;
    Type *size = e.b.getIntNTy(e.call.getModule()->getDataLayout().getPointerSizeInBits());
    auto read = [&](const char *symbol, unsigned dim) {
        FunctionCallee callee =
            e.call.getModule()->getOrInsertFunction(symbol, FunctionType::get(size, {e.b.getInt32Ty()}, false));
        CallInst *id = e.b.CreateCall(callee, {e.b.getInt32(dim)});
        id->setDoesNotAccessMemory();
        id->setDoesNotThrow();
        id->addFnAttr(
            Attribute::get(id->getContext(), "gpuperf-linear")); /* metadata would show in the user's bitcode */
        return e.b.CreateZExtOrTrunc(id, e.type);
    };
    Value *linear = nullptr;
    for (unsigned dim = 3; dim-- > 0;) {
        Value *id = read(local ? "_Z12get_local_idj" : "_Z13get_global_idj", dim);
        if (!local)
            id = e.b.CreateSub(id, read("_Z17get_global_offsetj", dim));
        if (linear)
            linear = e.b.CreateMul(linear, read(local ? "_Z14get_local_sizej" : "_Z15get_global_sizej", dim));
        linear = linear ? e.b.CreateAdd(linear, id) : id;
    }
    return linear;
}

/*
 * sincos(x, &c), frexp(x, &e), remquo(x, y, &q) ...: the second result is stored here, of the bits of the first, so
 * that the call touches no memory itself and its variable can become a register.
 */
static bool storeSecondResult(Expansion &e)
{
    unsigned last = e.count() - 1;
    bool known = StringSwitch<bool>(e.base)
                     .Cases({"fract", "frexp", "lgamma_r", "modf", "remquo", "sincos"}, true)
                     .Default(false);
    if (!known || last < 1 || !e.arg(last)->getType()->isPointerTy() || !e.type->isFPOrFPVectorTy() ||
        e.type != e.arg(0)->getType())
        return false;
    Value *pointer = e.arg(last);
    bool toInteger = e.base != "fract" && e.base != "modf" && e.base != "sincos";
    e.call.setArgOperand(last, PoisonValue::get(pointer->getType()));
    e.b.SetInsertPoint(e.call.getNextNode());
    Value *second = &e.call;
    if (toInteger) {
        second = e.b.CreateBitCast(second, e.type->getWithNewType(e.b.getIntNTy(e.type->getScalarSizeInBits())));
        second = e.b.CreateZExtOrTrunc(second, e.type->getWithNewType(e.b.getInt32Ty()));
    }
    e.b.CreateStore(second, pointer);
    return true;
}

static Value *combine(Expansion &e, Intrinsic::ID reduction, Value *x, Value *y)
{
    switch (reduction) {
    case Intrinsic::vector_reduce_add: return e.b.CreateAdd(x, y);
    case Intrinsic::vector_reduce_mul: return e.b.CreateMul(x, y);
    case Intrinsic::vector_reduce_and: return e.b.CreateAnd(x, y);
    case Intrinsic::vector_reduce_or: return e.b.CreateOr(x, y);
    case Intrinsic::vector_reduce_xor: return e.b.CreateXor(x, y);
    case Intrinsic::vector_reduce_smin: return e.b.CreateBinaryIntrinsic(Intrinsic::smin, x, y);
    case Intrinsic::vector_reduce_smax: return e.b.CreateBinaryIntrinsic(Intrinsic::smax, x, y);
    case Intrinsic::vector_reduce_umin: return e.b.CreateBinaryIntrinsic(Intrinsic::umin, x, y);
    case Intrinsic::vector_reduce_umax: return e.b.CreateBinaryIntrinsic(Intrinsic::umax, x, y);
    default: return nullptr;
    }
}

/*
 * LLVM's own intrinsics that are several operations: reductions of integer vectors (the vectoriser makes them of sums),
 * saturating sums and three-way comparisons.
 */
static Value *expandIntrinsic(Expansion &e, Intrinsic::ID id)
{
    Value *x = e.count() > 0 ? e.arg(0) : nullptr, *y = e.count() > 1 ? e.arg(1) : nullptr;
    switch (id) {
    case Intrinsic::usub_sat: return e.b.CreateSub(x, e.b.CreateBinaryIntrinsic(Intrinsic::umin, x, y));
    case Intrinsic::uadd_sat: return e.b.CreateAdd(x, e.b.CreateBinaryIntrinsic(Intrinsic::umin, e.b.CreateNot(x), y));
    case Intrinsic::experimental_cttz_elts: { /* the first element that is set: where a vectorised loop ends early */
        auto *bits = dyn_cast<FixedVectorType>(x->getType());
        if (!bits || bits->getNumElements() > 64)
            return nullptr;
        Value *first = ConstantInt::get(e.type, bits->getNumElements());
        for (unsigned i = bits->getNumElements(); i-- > 0;) {
            Value *element = e.b.CreateExtractElement(x, (uint64_t)i);
            Value *set = element->getType()->isIntegerTy(1) ? element : e.b.CreateIsNotNull(element);
            first = e.b.CreateSelect(set, ConstantInt::get(e.type, i), first);
        }
        return first;
    }
    case Intrinsic::ucmp:
    case Intrinsic::scmp: {
        bool sign = id == Intrinsic::scmp;
        Value *above = sign ? e.b.CreateICmpSGT(x, y) : e.b.CreateICmpUGT(x, y);
        Value *below = sign ? e.b.CreateICmpSLT(x, y) : e.b.CreateICmpULT(x, y);
        return e.b.CreateSub(e.b.CreateZExt(above, e.type), e.b.CreateZExt(below, e.type));
    }
    default: break;
    }
    auto *vector = x ? dyn_cast<FixedVectorType>(x->getType()) : nullptr;
    if (!vector || e.type != vector->getElementType() || !e.type->isIntegerTy() || vector->getNumElements() > 64)
        return nullptr;
    Value *sum = e.b.CreateExtractElement(x, (uint64_t)0);
    for (unsigned i = 1; sum && i < vector->getNumElements(); i++)
        sum = combine(e, id, sum, e.b.CreateExtractElement(x, i));
    return sum;
}

/* CUDA's atomics of a block or the system, for which PTX's intrinsics have a scope: atomicAdd_block(). */
static Value *scopedAtomic(Expansion &e, StringRef name)
{
    name = name.take_until([](char c) { return c == '.'; });
    Type *type = e.type;
    if (name == "cas" && e.count() == 3) {
        Value *pair = e.b.CreateAtomicCmpXchg(e.arg(0), e.arg(1), e.arg(2), MaybeAlign(), AtomicOrdering::Monotonic,
                                              AtomicOrdering::Monotonic);
        return e.b.CreateExtractValue(pair, 0);
    }
    int op = StringSwitch<int>(name)
                 .Case("add", type->isIntegerTy() ? AtomicRMWInst::Add : AtomicRMWInst::FAdd)
                 .Case("exch", AtomicRMWInst::Xchg)
                 .Case("and", AtomicRMWInst::And)
                 .Case("or", AtomicRMWInst::Or)
                 .Case("xor", AtomicRMWInst::Xor)
                 .Case("max", AtomicRMWInst::Max)
                 .Case("min", AtomicRMWInst::Min)
                 .Case("inc", AtomicRMWInst::UIncWrap)
                 .Case("dec", AtomicRMWInst::UDecWrap)
                 .Default(-1);
    if (op < 0 || e.count() != 2 || e.arg(1)->getType() != type)
        return nullptr;
    return e.b.CreateAtomicRMW((AtomicRMWInst::BinOp)op, e.arg(0), e.arg(1), MaybeAlign(), AtomicOrdering::Monotonic);
}

static bool isExpandable(Intrinsic::ID id)
{
    switch (id) {
    case Intrinsic::usub_sat:
    case Intrinsic::uadd_sat:
    case Intrinsic::ucmp:
    case Intrinsic::scmp:
    case Intrinsic::experimental_cttz_elts:
    case Intrinsic::vector_reduce_add:
    case Intrinsic::vector_reduce_mul:
    case Intrinsic::vector_reduce_and:
    case Intrinsic::vector_reduce_or:
    case Intrinsic::vector_reduce_xor:
    case Intrinsic::vector_reduce_smin:
    case Intrinsic::vector_reduce_smax:
    case Intrinsic::vector_reduce_umin:
    case Intrinsic::vector_reduce_umax: return true;
    default: return false;
    }
}

/* False: it stays. */
static bool expandIntrinsicCall(CallInst &call)
{
    const Function *callee = call.getCalledFunction();
    StringRef name = callee ? callee->getName() : "";
    bool atomic = name.consume_front("llvm.nvvm.atomic.");
    if (!callee || (!atomic && !isExpandable(callee->getIntrinsicID())))
        return false;
    Expansion e(call, {callee->getName(), ""});
    Value *value = atomic ? scopedAtomic(e, name) : expandIntrinsic(e, callee->getIntrinsicID());
    if (value)
        call.replaceAllUsesWith(value);
    return value != nullptr;
}

static bool expand(CallInst &call, bool &variables)
{
    const Function *callee = call.getCalledFunction();
    if (!callee || !callee->isDeclaration() || callee->isIntrinsic())
        return false;
    BuiltinName name = builtinName(callee->getName());
    if (name.base.consume_front("__nv_")) { /* libdevice: sqrtf, floor ...; its integer functions have other names */
        if (!call.getType()->isFloatingPointTy())
            return false;
        if (call.getType()->isFloatTy())
            name.base.consume_back("f");
    } else if (!callee->getName().starts_with("_Z")) {
        return false;
    }
    Expansion e(call, name);
    if (vectorAccess(e))
        return true;
    if (e.base == "wait_group_events" && e.count() == 2 &&
        e.arg(1)->getType()->isPointerTy()) { /* events are not memory */
        call.setArgOperand(1, PoisonValue::get(e.arg(1)->getType()));
        variables = true;
        return false;
    }
    if (e.count() > 1 && storeSecondResult(e)) {
        variables = true;
        return false;
    }
    Value *value = atomicCall(e);
    if (!value)
        value = linearId(e);
    if (!value)
        value = conversionCall(e);
    if (!value)
        value = integerCall(e);
    if (!value)
        value = floatCall(e);
    if (!value)
        value = relationalCall(e);
    if (!value)
        value = amdCall(e);
    if (!value || (!call.getType()->isVoidTy() && value->getType() != call.getType()))
        return false;
    if (!call.getType()->isVoidTy())
        call.replaceAllUsesWith(value);
    variables = variables || e.base.starts_with("atomic_compare_exchange"); /* what is expected */
    return true;
}

static SmallVector<CallInst *, 32> callsOf(Function &function)
{
    SmallVector<CallInst *, 32> calls;
    for (Instruction &inst : instructions(function))
        if (auto *call = dyn_cast<CallInst>(&inst))
            calls.push_back(call);
    return calls;
}

/* What OpenCL's functions become may be an intrinsic that is several operations: these come last. */
bool expandBuiltins(Function &function)
{
    bool variables = passVectorsAsWritten(function);
    for (CallInst *call : callsOf(function))
        if (expand(*call, variables))
            call->eraseFromParent();
    for (CallInst *call : callsOf(function))
        if (expandIntrinsicCall(*call))
            call->eraseFromParent();
    return variables;
}

} // namespace gpuperf
