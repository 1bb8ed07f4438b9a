/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "passes/assembly/assembly.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"

#include "passes/cost/classify.h"

using namespace llvm;

namespace gpuperf
{

static bool isMove(StringRef mnemonic) { return mnemonic.starts_with("mov."); }

/* Registers that PTX names, `%laneid`, not predicates, `@%p`: what is read of them is a special register's. */
static bool namesRegisters(StringRef text)
{
    for (size_t at = text.find('%'); at != StringRef::npos; at = text.find('%', at + 1))
        if (!text.take_front(at).ends_with("@") && !text.take_front(at).ends_with("@!"))
            return true;
    return false;
}

/* The statements that cost something; none where one is not known. */
static SmallVector<StringRef, 4> knownStatements(const InlineAsm &assembly)
{
    SmallVector<StringRef, 4> statements = assemblyMnemonics(assembly, Target::Nvptx);
    bool several = statements.size() > 1, moves = any_of(statements, isMove);
    if (!several || (moves && namesRegisters(assembly.getAsmString())))
        return {};
    erase_if(statements, isMove);
    return all_of(statements, isKnownInPtx) ? statements : SmallVector<StringRef, 4>();
}

static std::string constraintsOf(Type &result, size_t inputs)
{
    auto *structure = dyn_cast<StructType>(&result);
    size_t outputs = result.isVoidTy() ? 0 : structure ? structure->getNumElements() : 1;
    std::string text;
    for (size_t i = 0; i < outputs + inputs; i++)
        text += std::string(i == 0 ? "" : ",") + (i < outputs ? "=r" : "r");
    return text;
}

static CallInst *statementCall(IRBuilder<> &builder, const CallInst &whole, StringRef statement, Type &result,
                               ArrayRef<Value *> inputs)
{
    SmallVector<Type *, 8> types;
    for (Value *input : inputs)
        types.push_back(input->getType());
    bool effects = cast<InlineAsm>(whole.getCalledOperand())->hasSideEffects();
    auto *type = FunctionType::get(&result, types, false);
    CallInst *call = builder.CreateCall(
        type, InlineAsm::get(type, statement, constraintsOf(result, inputs.size()), effects), inputs);
    call->setAttributes(AttributeList::get(whole.getContext(), AttributeList::FunctionIndex,
                                           AttrBuilder(whole.getContext(), whole.getAttributes().getFnAttrs())));
    return call;
}

static void split(CallInst &whole, ArrayRef<StringRef> statements)
{
    IRBuilder<> builder(&whole);
    SmallVector<Value *, 8> inputs(whole.args());
    for (StringRef statement : statements.drop_back()) {
        CallInst *call = statementCall(builder, whole, statement, *builder.getInt32Ty(), inputs);
        inputs.resize(whole.arg_size());
        inputs.push_back(call);
    }
    whole.replaceAllUsesWith(statementCall(builder, whole, statements.back(), *whole.getType(), inputs));
    whole.eraseFromParent();
}

void splitAssembly(Function &function)
{
    for (Instruction &inst : make_early_inc_range(instructions(function))) {
        auto *call = dyn_cast<CallInst>(&inst);
        auto *assembly = call ? dyn_cast<InlineAsm>(call->getCalledOperand()) : nullptr;
        if (!assembly)
            continue;
        if (SmallVector<StringRef, 4> statements = knownStatements(*assembly); !statements.empty())
            split(*call, statements);
    }
}

} // namespace gpuperf
