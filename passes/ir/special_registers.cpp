/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "passes/ir/special_registers.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace gpuperf
{

static const char *const prefix = "llvm.nvvm.read.ptx.sreg.";

/* "laneid" of "mov.u32 $0, %laneid;"; empty for any other assembly. */
static StringRef registerMoved(const CallBase &call)
{
    auto *assembly = dyn_cast<InlineAsm>(call.getCalledOperand());
    if (!assembly || !call.arg_empty() || !call.getType()->isIntegerTy(32))
        return {};
    StringRef text = StringRef(assembly->getAsmString()).trim(" \t\n");
    if (!text.consume_front("mov.u32") && !text.consume_front("mov.s32") && !text.consume_front("mov.b32"))
        return {};
    text = text.ltrim(" \t");
    if (!text.consume_front("$0"))
        return {};
    text = text.ltrim(" \t");
    if (!text.consume_front(","))
        return {};
    text = text.ltrim(" \t");
    if (!text.consume_front("%"))
        return {};
    text.consume_back(";");
    text = text.rtrim(" \t");
    return text.find_first_of(" \t;\n") == StringRef::npos ? text : StringRef();
}

static StringRef registerRead(const CallBase &call)
{
    const Function *callee = call.getCalledFunction();
    StringRef name = callee ? callee->getName() : StringRef();
    return name.consume_front(prefix) ? name : registerMoved(call);
}

Value *readSpecialRegister(IRBuilder<> &builder, StringRef name)
{
    Intrinsic::ID id = Intrinsic::lookupIntrinsicID((prefix + name).str());
    return id == Intrinsic::not_intrinsic ? nullptr : builder.CreateIntrinsic(id, {});
}

Value *readLane(IRBuilder<> &builder) { return readSpecialRegister(builder, "laneid"); }

/* Bits of the lanes before, up to, at, from and behind one's own. */
static Value *laneMask(IRBuilder<> &builder, StringRef which)
{
    Value *bit = builder.CreateShl(builder.getInt32(1), readLane(builder));
    Value *before = builder.CreateSub(bit, builder.getInt32(1));
    return StringSwitch<std::function<Value *()>>(which)
        .Case("eq", [&] { return bit; })
        .Case("lt", [&] { return before; })
        .Case("le", [&] { return builder.CreateOr(before, bit); })
        .Case("ge", [&] { return builder.CreateNot(before); })
        .Case("gt", [&] { return builder.CreateNot(builder.CreateOr(before, bit)); })
        .Default([]() -> Value * { return nullptr; })();
}

void spellOutSpecialRegisters(Function &function)
{
    for (Instruction &inst : make_early_inc_range(instructions(function))) {
        auto *call = dyn_cast<CallBase>(&inst);
        StringRef name = call ? registerRead(*call) : StringRef();
        bool mask = name.consume_front("lanemask.") || name.consume_front("lanemask_");
        if (name.empty() || (call->getCalledFunction() && !mask))
            continue;
        IRBuilder<> builder(call);
        Value *value = mask ? laneMask(builder, name) : readSpecialRegister(builder, name);
        if (!value || value->getType() != call->getType())
            continue;
        call->replaceAllUsesWith(value);
        call->eraseFromParent();
    }
}

} // namespace gpuperf
