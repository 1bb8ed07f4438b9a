/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "passes/ir/host_vectors.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

#include "passes/ir/builtins.h"
#include "passes/ir/kernels.h"

using namespace llvm;

namespace gpuperf
{

namespace
{

/* ---- What the symbol says ------------------------------------------------------------------------------------- */

/* Width 0: no vector and no number (a pointer, an image, a sampler). */
struct NamedType {
    Type *element = nullptr;
    unsigned width = 0;
    Type *type() const { return width > 1 ? (Type *)FixedVectorType::get(element, width) : element; }
};

/* "unsigned char", as the demangler writes it, or "uchar", as conversions are named. */
Type *elementNamed(StringRef name, LLVMContext &context)
{
    if (!name.consume_front("unsigned ") && !name.consume_front("signed "))
        name.consume_front("u");
    unsigned bits =
        StringSwitch<unsigned>(name).Case("char", 8).Case("short", 16).Case("int", 32).Case("long", 64).Default(0);
    if (bits > 0)
        return Type::getIntNTy(context, bits);
    return StringSwitch<Type *>(name)
        .Case("half", Type::getHalfTy(context))
        .Case("float", Type::getFloatTy(context))
        .Case("double", Type::getDoubleTy(context))
        .Default(nullptr);
}

/* "float vector[2]" */
NamedType typeNamed(StringRef text, LLVMContext &context)
{
    auto [name, rest] = text.split(" vector[");
    NamedType named{elementNamed(name, context), 1};
    if (!rest.empty() && (!rest.consume_back("]") || rest.getAsInteger(10, named.width)))
        return {};
    return named.element ? named : NamedType();
}

struct Signature {
    StringRef base;
    SmallVector<std::string, 4> texts;
    SmallVector<NamedType, 4> parameters;
};

/* The demangler, and what is read here, points into the symbol. */
bool readSignature(const std::string &symbol, LLVMContext &context, Signature &signature)
{
    ItaniumPartialDemangler demangler;
    if (demangler.partialDemangle(symbol.c_str()))
        return false;
    size_t size = 0;
    char *buffer = demangler.getFunctionParameters(nullptr, &size); /* "(float vector[2], int*)" */
    StringRef all = buffer ? buffer : "";
    if (all.consume_front("(") && all.consume_back(")") && !all.empty())
        for (StringRef text : split(all, ", ")) {
            signature.texts.push_back(text.str());
            signature.parameters.push_back(typeNamed(text, context));
        }
    free(buffer);
    signature.base = builtinName(symbol).base;
    return true;
}

/* What a pointer points to; half precision is loaded as floats. */
Type *loadedElement(const Signature &signature, LLVMContext &context)
{
    if (signature.base.contains("_half"))
        return Type::getFloatTy(context);
    StringRef text = signature.texts.size() > 1 ? StringRef(signature.texts[1]) : "";
    text = text.take_until([](char c) { return c == '*'; });
    for (;;) { /* "unsigned char const CLglobal" */
        StringRef last = text.rsplit(' ').second;
        if (last != "const" && last != "volatile" && !last.starts_with("CL"))
            return elementNamed(text, context);
        text = text.drop_back(last.size() + 1);
    }
}

NamedType widest(const Signature &signature)
{
    NamedType result;
    for (const NamedType &parameter : signature.parameters)
        if (parameter.width > result.width && (parameter.width > 1 || !result.element))
            result = parameter;
    return result;
}

bool givesNumber(StringRef base)
{
    return StringSwitch<bool>(base)
        .Cases({"dot", "length", "fast_length", "distance", "fast_distance", "any", "all"}, true)
        .Default(false);
}

Type *integerLike(Type *element) { return Type::getIntNTy(element->getContext(), element->getPrimitiveSizeInBits()); }

/* Of functions whose result's elements are not those of the first vector. */
Type *resultElement(StringRef base, Type *element)
{
    LLVMContext &context = element->getContext();
    if (base.starts_with("is") || base == "signbit")
        return integerLike(element);
    if (base == "ilogb")
        return Type::getInt32Ty(context);
    if (base == "upsample" && element->isIntegerTy())
        return Type::getIntNTy(context, 2 * element->getIntegerBitWidth());
    if (base == "nan")
        return element->isIntegerTy(64)   ? Type::getDoubleTy(context)
               : element->isIntegerTy(16) ? Type::getHalfTy(context)
                                          : Type::getFloatTy(context);
    return element;
}

/* A symbol does not say what a function returns; the language does. */
NamedType resultOf(const Signature &signature, LLVMContext &context)
{
    StringRef name = signature.base;
    NamedType result;
    if (givesNumber(name))
        return {};
    if (name == "get_image_dim")
        return {Type::getInt32Ty(context), 2};
    if (name.starts_with("vload")) {
        name = name.drop_while([](char c) { return !isDigit(c); });
        return name.getAsInteger(10, result.width) ? NamedType()
                                                   : NamedType{loadedElement(signature, context), result.width};
    }
    if (name.consume_front("convert_")) {
        StringRef element = name.take_while([](char c) { return isAlpha(c); });
        name = name.drop_front(element.size());
        return name.consumeInteger(10, result.width) ? NamedType()
                                                     : NamedType{elementNamed(element, context), result.width};
    }
    result = widest(signature);
    if (name.starts_with("shuffle") &&
        !signature.parameters.empty()) { /* as many as the mask has, of what is shuffled */
        result.element = signature.parameters.front().element;
        result.width = signature.parameters.back().width;
    } else if (result.width > 1) {
        result.element = resultElement(name, result.element);
    }
    return result;
}

/* ---- Values --------------------------------------------------------------------------------------------------- */

/* A vector of three takes the place of one of four. */
FixedVectorType *stored(FixedVectorType *vector)
{
    return vector->getNumElements() == 3 ? FixedVectorType::get(vector->getElementType(), 4) : vector;
}

Value *withElements(IRBuilder<> &b, Value *value, unsigned count)
{
    unsigned has = cast<FixedVectorType>(value->getType())->getNumElements();
    SmallVector<int, 16> mask;
    for (unsigned i = 0; i < count; i++)
        mask.push_back(i < has ? (int)i : -1);
    return has == count ? value : b.CreateShuffleVector(value, mask);
}

bool isPlain(Type *type) { return type->isIntegerTy() || type->isFloatingPointTy() || isa<FixedVectorType>(type); }

/* The low bits of one as the other; null: the other has more. */
Value *seenAs(IRBuilder<> &b, Value *value, Type *type)
{
    unsigned has = value->getType()->getPrimitiveSizeInBits(), wants = type->getPrimitiveSizeInBits();
    for (auto *cast = dyn_cast<BitCastInst>(value); cast && value->getType() != type;
         cast = dyn_cast<BitCastInst>(value))
        value = cast->getOperand(0);
    if (value->getType() == type)
        return value;
    if (!isPlain(value->getType()) || wants > has)
        return nullptr;
    if (wants < has)
        value = b.CreateTrunc(b.CreateBitCast(value, b.getIntNTy(has)), b.getIntNTy(wants));
    return b.CreateBitCast(value, type);
}

/* An argument as the vector that was passed; a pointer is one to a copy. */
Value *vectorPassed(IRBuilder<> &b, Value *value, FixedVectorType *vector)
{
    FixedVectorType *whole = stored(vector);
    if (value->getType() == vector)
        return value;
    if (value->getType()->isPointerTy())
        value = b.CreateAlignedLoad(whole, value, Align(1));
    else
        value = seenAs(b, value, whole);
    return value ? withElements(b, value, vector->getNumElements()) : nullptr;
}

/* The result of a call as the convention has it. */
Value *asReturned(IRBuilder<> &b, Value *value, Type *type)
{
    value = withElements(b, value, stored(cast<FixedVectorType>(value->getType()))->getNumElements());
    unsigned has = value->getType()->getPrimitiveSizeInBits(), wants = type->getPrimitiveSizeInBits();
    if (has < wants)
        value = b.CreateZExt(b.CreateBitCast(value, b.getIntNTy(has)), b.getIntNTy(wants));
    return b.CreateBitCast(value, type);
}

/* ---- Calls ---------------------------------------------------------------------------------------------------- */

/* The declaration that has the ABI's types keeps the symbol with this behind it, where both are in one module. */
const char *const asPassed = ".as-passed";

/* Asking the demangler costs: names without vectors are told first. */
bool mayPassVectors(const BuiltinName &name)
{
    return name.parameters.contains("Dv") || name.base.starts_with("vload") || name.base == "get_image_dim";
}

class Rewriter
{
public:
    Rewriter(CallInst &call, const Function &callee) : call(call), b(&call)
    {
        StringRef name = callee.getName();
        name.consume_back(asPassed);
        symbol = name.str();
    }
    bool run();
    bool variables = false; /* one was passed by its address */

private:
    bool readArguments();
    Type *resultType();
    CallInst *newCall(Type *result);
    void replace(CallInst &now);

    CallInst &call;
    IRBuilder<> b;
    std::string symbol;
    Signature signature;
    SmallVector<Value *, 4> arguments;
    Value *resultPlace = nullptr; /* where the convention wants the result stored */
    bool changed = false;
};

bool Rewriter::readArguments()
{
    unsigned first = call.hasStructRetAttr() ? 1 : 0;
    if (call.arg_size() != signature.parameters.size() + first)
        return false;
    resultPlace = first > 0 ? call.getArgOperand(0) : nullptr;
    for (unsigned i = 0; i < signature.parameters.size(); i++) {
        Value *value = call.getArgOperand(i + first);
        const NamedType &parameter = signature.parameters[i];
        if (parameter.width > 1) {
            variables |= value->getType()->isPointerTy();
            Value *vector = vectorPassed(b, value, cast<FixedVectorType>(parameter.type()));
            if (!vector)
                return false;
            changed |= vector != value;
            value = vector;
        }
        arguments.push_back(value);
    }
    return true;
}

/* As it is where it is a vector already, or what the language says does not fit: a depth image's texel is one number.
 */
Type *Rewriter::resultType()
{
    Type *returned = call.getType();
    if (resultPlace)
        return call.getParamStructRetType(0);
    NamedType named = resultOf(signature, call.getContext());
    if (!(returned->isIntegerTy() || returned->isFloatingPointTy()) || named.width < 2 || !named.element)
        return returned;
    unsigned bits = stored(cast<FixedVectorType>(named.type()))->getPrimitiveSizeInBits();
    return bits <= returned->getPrimitiveSizeInBits() ? named.type() : returned;
}

CallInst *Rewriter::newCall(Type *result)
{
    SmallVector<Type *, 4> types;
    for (Value *argument : arguments)
        types.push_back(argument->getType());
    FunctionType *type = FunctionType::get(result, types, false);
    Module &module = *call.getModule();
    if (Function *old = module.getFunction(symbol); old && old->getFunctionType() != type)
        old->setName(symbol + asPassed);
    auto *declared = cast<Function>(module.getOrInsertFunction(symbol, type).getCallee());
    CallInst *now = b.CreateCall(declared, arguments);
    now->setCallingConv(call.getCallingConv());
    now->setTailCallKind(call.getTailCallKind());
    now->copyMetadata(call);
    if (isa<FPMathOperator>(call) && isa<FPMathOperator>(now))
        now->copyFastMathFlags(&call);
    for (Attribute attribute : call.getAttributes().getFnAttrs())
        now->addFnAttr(attribute);
    now->setMemoryEffects(call.getMemoryEffects());
    /* memory was only the convention's */
    bool computes = none_of(signature.parameters, [](const NamedType &parameter) { return parameter.width == 0; });
    if (computes && (variables || resultPlace))
        now->setDoesNotAccessMemory();
    return now;
}

void Rewriter::replace(CallInst &now)
{
    if (resultPlace) {
        b.CreateStore(&now, resultPlace);
    } else if (now.getType() == call.getType()) {
        call.replaceAllUsesWith(&now);
    } else {
        for (User *user : make_early_inc_range(call.users()))
            if (auto *cast = dyn_cast<BitCastInst>(user); cast && cast->getType() == now.getType()) {
                cast->replaceAllUsesWith(&now);
                cast->eraseFromParent();
            }
        if (!call.use_empty())
            call.replaceAllUsesWith(asReturned(b, &now, call.getType()));
    }
    call.eraseFromParent();
}

bool Rewriter::run()
{
    if (!readSignature(symbol, call.getContext(), signature) || !readArguments())
        return false;
    Type *result = resultType();
    if (!changed && !resultPlace && result == call.getType())
        return false;
    variables |= resultPlace != nullptr;
    replace(*newCall(result));
    return true;
}

bool mayPassVectors(const CallInst &call)
{
    const Function *callee = call.getCalledFunction();
    return callee && callee->isDeclaration() && callee->getName().starts_with("_Z") &&
           mayPassVectors(builtinName(callee->getName()));
}

} // namespace

bool passVectorsAsWritten(Function &function)
{
    bool variables = false;
    if (targetOf(*function.getParent()) != Target::Host)
        return false;
    SmallVector<CallInst *, 32> calls;
    for (Instruction &inst : instructions(function))
        if (auto *call = dyn_cast<CallInst>(&inst); call && mayPassVectors(*call))
            calls.push_back(call);
    for (CallInst *call : calls) {
        Rewriter rewriter(*call, *call->getCalledFunction());
        variables |= rewriter.run() && rewriter.variables;
    }
    return variables;
}

} // namespace gpuperf
