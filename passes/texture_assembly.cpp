#include "passes/texture_assembly.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace gpuperf {

/* "tex.level.a2d.v4.f32.f32" is llvm.nvvm.tex.unified.2d.array.level.v4f32.f32. Empty: no fetch of four channels. */
static std::string intrinsicName(StringRef mnemonic)
{
    SmallVector<StringRef, 6> parts;
    mnemonic.split(parts, '.');
    bool lod = parts.size() == 6 && (parts[1] == "level" || parts[1] == "grad");
    if (parts[0] != "tex" || (parts.size() != 5 && !lod))
        return {};
    size_t at = lod ? 2 : 1;
    StringRef shape = parts[at];
    bool array = shape.consume_front("a");
    if (parts[at + 1] != "v4")
        return {};
    std::string name = "llvm.nvvm.tex.unified." + shape.str() + (array ? ".array" : "");
    if (lod)
        name += "." + parts[1].str();
    return name + ".v4" + parts[at + 2].str() + "." + parts[at + 3].str();
}

static Intrinsic::ID fetchIn(const CallBase &call)
{
    auto *assembly = dyn_cast<InlineAsm>(call.getCalledOperand());
    if (!assembly)
        return Intrinsic::not_intrinsic;
    StringRef text = StringRef(assembly->getAsmString()).trim(" \t\n");
    text.consume_back(";");
    if (text.contains(';'))
        return Intrinsic::not_intrinsic;
    std::string name = intrinsicName(text.take_until([](char c) { return c == ' ' || c == '\t'; }));
    return name.empty() ? (Intrinsic::ID)Intrinsic::not_intrinsic : Intrinsic::lookupIntrinsicID(name);
}

void spellOutTextureFetches(Function &function)
{
    for (Instruction &inst : make_early_inc_range(instructions(function))) {
        auto *call = dyn_cast<CallInst>(&inst);
        Intrinsic::ID id = call ? fetchIn(*call) : (Intrinsic::ID)Intrinsic::not_intrinsic;
        if (id == Intrinsic::not_intrinsic || Intrinsic::getType(function.getContext(), id) != call->getFunctionType())
            continue;
        SmallVector<Value *, 8> arguments(call->args());
        IRBuilder<> builder(call);
        call->replaceAllUsesWith(builder.CreateIntrinsic(id, {}, arguments));
        call->eraseFromParent();
    }
}

} // namespace gpuperf
