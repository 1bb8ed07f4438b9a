/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "passes/assembly/assembly.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace gpuperf
{

namespace
{

/* The intrinsic that stands for an instruction. */
struct Spelling {
    std::string name;
    unsigned texelBytes = 0; /* of a surface, whose first coordinate counts bytes; 0: coordinates are texels */
    bool gathers = false;    /* of four neighbours: coordinates become those of squares of four */
};

/* "tex.level.a2d.v4.f32.f32" is llvm.nvvm.tex.unified.2d.array.level.v4f32.f32. Empty: no fetch of four channels. */
Spelling spellFetch(ArrayRef<StringRef> parts)
{
    bool lod = parts.size() == 6 && (parts[1] == "level" || parts[1] == "grad");
    if (parts.size() != 5 && !lod)
        return {};
    size_t at = lod ? 2 : 1;
    StringRef shape = parts[at];
    bool array = shape.consume_front("a");
    if (parts[at + 1] != "v4")
        return {};
    std::string name = "llvm.nvvm.tex.unified." + shape.str() + (array ? ".array" : "");
    if (lod)
        name += "." + parts[1].str();
    return {name + ".v4" + parts[at + 2].str() + "." + parts[at + 3].str()};
}

/* "tld4.r.2d.v4.f32.f32": one channel of four neighbours. */
Spelling spellGather(ArrayRef<StringRef> parts)
{
    if (parts.size() != 6 || parts[3] != "v4")
        return {};
    return {"llvm.nvvm.tld4.unified." + parts[1].str() + "." + parts[2].str() + ".v4" + parts[4].str() + "." +
                parts[5].str(),
            0, true};
}

/* "sust.b.2d.v2.b32.zero" is llvm.nvvm.sust.b.2d.v2i32.zero, and suld has no "b". Layers' operands come in another
 * order: left as they are. */
Spelling spellSurface(ArrayRef<StringRef> parts)
{
    bool vector = parts.size() == 6;
    if ((parts.size() != 5 && !vector) || parts[1] != "b" || parts[2].starts_with("a"))
        return {};
    unsigned channels = 1, bits;
    StringRef count = vector ? parts[3].drop_front() : "1", width = parts[vector ? 4 : 3];
    if (count.getAsInteger(10, channels) || !width.consume_front("b") || width.getAsInteger(10, bits))
        return {};
    std::string name = "llvm.nvvm." + parts[0].str() + (parts[0] == "sust" ? ".b." : ".") + parts[2].str() + "." +
                       (vector ? parts[3].str() : "");
    return {name + "i" + width.str() + "." + parts.back().str(), channels * bits / 8};
}

Spelling spell(StringRef mnemonic)
{
    SmallVector<StringRef, 6> parts;
    mnemonic.split(parts, '.');
    return parts[0] == "tex"                          ? spellFetch(parts)
           : parts[0] == "tld4"                       ? spellGather(parts)
           : parts[0] == "suld" || parts[0] == "sust" ? spellSurface(parts)
                                                      : Spelling();
}

Spelling spellingOf(const CallBase &call)
{
    auto *assembly = dyn_cast<InlineAsm>(call.getCalledOperand());
    if (!assembly)
        return {};
    StringRef text = StringRef(assembly->getAsmString()).trim(" \t\n");
    text.consume_back(";");
    return text.contains(';') ? Spelling() : spell(text.take_until([](char c) { return c == ' ' || c == '\t'; }));
}

/* Numbers in registers of the same width: assembly takes floats where the intrinsic has integers. */
bool fits(Type *from, Type *to)
{
    return from == to ||
           (from->isSized() && to->isSized() && from->getPrimitiveSizeInBits() == to->getPrimitiveSizeInBits() &&
            from->getPrimitiveSizeInBits() > 0);
}

bool fits(const CallInst &call, const FunctionType &type)
{
    auto *given = dyn_cast<StructType>(call.getType()), *made = dyn_cast<StructType>(type.getReturnType());
    if (call.arg_size() != type.getNumParams() || (given != nullptr) != (made != nullptr))
        return false;
    for (unsigned i = 0; i < type.getNumParams(); i++)
        if (!fits(call.getArgOperand(i)->getType(), type.getParamType(i)))
            return false;
    if (!given)
        return fits(call.getType(), type.getReturnType());
    if (given->getNumElements() != made->getNumElements())
        return false;
    for (unsigned i = 0; i < given->getNumElements(); i++)
        if (!fits(given->getElementType(i), made->getElementType(i)))
            return false;
    return true;
}

Value *asType(IRBuilder<> &builder, Value *value, Type *type)
{
    auto *structure = dyn_cast<StructType>(type);
    if (value->getType() == type)
        return value;
    if (!structure)
        return builder.CreateBitCast(value, type);
    Value *result = PoisonValue::get(type);
    for (unsigned i = 0; i < structure->getNumElements(); i++)
        result = builder.CreateInsertValue(
            result, asType(builder, builder.CreateExtractValue(value, i), structure->getElementType(i)), i);
    return result;
}

void spellOut(CallInst &call, Intrinsic::ID id, const FunctionType &type, const Spelling &spelling)
{
    IRBuilder<> builder(&call);
    SmallVector<Value *, 8> arguments;
    for (unsigned i = 0; i < call.arg_size(); i++)
        arguments.push_back(asType(builder, call.getArgOperand(i), type.getParamType(i)));
    if (spelling.texelBytes > 1)
        arguments[1] = builder.CreateLShr(arguments[1], Log2_32(spelling.texelBytes));
    for (unsigned i = 1; spelling.gathers && i < arguments.size(); i++)
        arguments[i] = builder.CreateFMul(arguments[i], ConstantFP::get(arguments[i]->getType(), 0.5));
    Value *result = builder.CreateIntrinsic(id, {}, arguments);
    if (!call.getType()->isVoidTy())
        call.replaceAllUsesWith(asType(builder, result, call.getType()));
    call.eraseFromParent();
}

} // namespace

void spellOutTextureFetches(Function &function)
{
    for (Instruction &inst : make_early_inc_range(instructions(function))) {
        auto *call = dyn_cast<CallInst>(&inst);
        Spelling spelling = call ? spellingOf(*call) : Spelling();
        Intrinsic::ID id = spelling.name.empty() ? (Intrinsic::ID)Intrinsic::not_intrinsic
                                                 : Intrinsic::lookupIntrinsicID(spelling.name);
        if (id == Intrinsic::not_intrinsic)
            continue;
        const FunctionType *type = Intrinsic::getType(function.getContext(), id);
        if (fits(*call, *type))
            spellOut(*call, id, *type, spelling);
    }
}

} // namespace gpuperf
