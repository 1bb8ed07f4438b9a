/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "passes/assembly/address_assembly.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace gpuperf
{

namespace
{

constexpr unsigned GENERIC = 0, GLOBAL = 1, SHARED = 3;

/* "add.u32 $0, t, 16" in its pieces. */
struct Statement {
    StringRef text;                  /* the whole */
    SmallVector<StringRef, 4> parts; /* of the mnemonic */
    SmallVector<StringRef, 4> operands;
};

unsigned bitsOf(StringRef type)
{
    unsigned bits = 0;
    bool integer = type.size() > 1 && StringRef("usb").contains(type[0]) && !type.drop_front().getAsInteger(10, bits);
    return integer && (bits == 32 || bits == 64) ? bits : 0;
}

unsigned spaceNamed(StringRef name) { return name == "shared" ? SHARED : name == "global" ? GLOBAL : GENERIC; }

/* Statements without the braces around all of them; declarations of registers are none. */
SmallVector<Statement, 4> statementsOf(StringRef text)
{
    SmallVector<StringRef, 8> pieces;
    SmallVector<Statement, 4> statements;
    text.split(pieces, ';');
    for (StringRef piece : pieces) {
        Statement s;
        s.text = piece.trim(" \t\n\r").ltrim('{').trim(" \t\n\r");
        if (s.text.empty() || s.text == "}" || s.text.starts_with(".reg"))
            continue;
        StringRef mnemonic = s.text.take_until([](char c) { return c == ' ' || c == '\t'; });
        mnemonic.split(s.parts, '.');
        s.text.drop_front(mnemonic.size()).split(s.operands, ',');
        for (StringRef &operand : s.operands)
            operand = operand.trim(" \t\n\r");
        statements.push_back(s);
    }
    return statements;
}

/* Carries out the statements of one call. */
class Speller
{
public:
    explicit Speller(CallInst &call) : call(call), builder(&call)
    {
        auto *structure = dyn_cast<StructType>(call.getType());
        outputs = call.getType()->isVoidTy() ? 0 : structure ? structure->getNumElements() : 1;
    }
    bool run();

private:
    Value *named(StringRef operand);
    Value *number(StringRef operand, unsigned bits);
    Value *pointer(StringRef operand, unsigned space);
    Value *valueOf(const Statement &s);
    Value *cast(const Statement &s);
    Value *convert(const Statement &s);
    Value *funnel(const Statement &s);
    Value *compute(const Statement &s);
    bool giveAll();
    bool keepLast(const Statement &last);

    CallInst &call;
    IRBuilder<> builder;
    unsigned outputs;
    StringMap<Value *> registers; /* and outputs, "$0" */
};

} // namespace

static Value *pointerWithin(IRBuilder<> &builder, Value *number, unsigned space, unsigned depth)
{
    enum { DEEPEST = 8 };
    auto *op = dyn_cast<Operator>(number);
    if (!op || depth > DEEPEST)
        return nullptr;
    if (op->getOpcode() == Instruction::Trunc || op->getOpcode() == Instruction::ZExt ||
        op->getOpcode() == Instruction::SExt)
        return pointerWithin(builder, op->getOperand(0), space, depth + 1);
    if (op->getOpcode() == Instruction::PtrToInt) {
        Value *pointer = op->getOperand(0);
        if (auto *cast = dyn_cast<AddrSpaceCastOperator>(pointer); cast && cast->getSrcAddressSpace() == space)
            pointer = cast->getPointerOperand();
        return pointer->getType()->getPointerAddressSpace() == space
                   ? pointer
                   : builder.CreateAddrSpaceCast(pointer, builder.getPtrTy(space));
    }
    bool sum = op->getOpcode() == Instruction::Add ||
               (isa<PossiblyDisjointInst>(op) && cast<PossiblyDisjointInst>(op)->isDisjoint());
    for (unsigned side = 0; sum && side < 2; side++)
        if (Value *pointer = pointerWithin(builder, op->getOperand(side), space, depth + 1))
            return builder.CreateGEP(builder.getInt8Ty(), pointer,
                                     builder.CreateSExt(op->getOperand(1 - side), builder.getInt64Ty()));
    return nullptr;
}

Value *pointerOf(IRBuilder<> &builder, Value *number, unsigned space)
{
    return pointerWithin(builder, number, space, 0);
}

/* What an operand stands for: the call's argument, or what a statement before has put into a register. Null: neither.
 */
Value *Speller::named(StringRef operand)
{
    unsigned index;
    if (auto found = registers.find(operand); found != registers.end())
        return found->second;
    StringRef digits = operand;
    if (!digits.consume_front("$") || digits.getAsInteger(10, index) || index < outputs ||
        index - outputs >= call.arg_size())
        return nullptr;
    return call.getArgOperand(index - outputs);
}

Value *Speller::number(StringRef operand, unsigned bits)
{
    int64_t constant;
    Type *type = builder.getIntNTy(bits);
    if (!operand.getAsInteger(0, constant))
        return ConstantInt::getSigned(type, constant);
    Value *value = named(operand);
    if (value && value->getType()->isPointerTy())
        return builder.CreatePtrToInt(value, type);
    return value && value->getType()->isIntegerTy() ? builder.CreateZExtOrTrunc(value, type) : nullptr;
}

/* A generic address is of a pointer that a cast or an integer may hide. */
Value *Speller::pointer(StringRef operand, unsigned space)
{
    Value *value = named(operand);
    if (!value || value->getType()->isVectorTy())
        return nullptr;
    if (value->getType()->isIntegerTy()) {
        Value *seen = pointerOf(builder, value, space);
        return seen ? seen : builder.CreateIntToPtr(value, builder.getPtrTy(space));
    }
    if (!value->getType()->isPointerTy())
        return nullptr;
    return value->getType()->getPointerAddressSpace() == space
               ? value
               : builder.CreateAddrSpaceCast(value, builder.getPtrTy(space));
}

/* cvta.to.shared.u64 and cvta.shared.u64: from and to generic addresses. */
Value *Speller::cast(const Statement &s)
{
    bool to = s.parts.size() == 4 && s.parts[1] == "to";
    unsigned space = s.parts.size() == (to ? 4 : 3) ? spaceNamed(s.parts[to ? 2 : 1]) : GENERIC,
             bits = bitsOf(s.parts.back());
    Value *from = space != GENERIC && bits != 0 ? pointer(s.operands[1], to ? GENERIC : space) : nullptr;
    return from ? builder.CreatePtrToInt(builder.CreateAddrSpaceCast(from, builder.getPtrTy(to ? space : GENERIC)),
                                         builder.getIntNTy(bits))
                : nullptr;
}

/* cvt.u32.u64 */
Value *Speller::convert(const Statement &s)
{
    unsigned to = s.parts.size() == 3 ? bitsOf(s.parts[1]) : 0, from = to ? bitsOf(s.parts[2]) : 0;
    Value *value = from ? number(s.operands[1], from) : nullptr;
    if (!value)
        return nullptr;
    return s.parts[2][0] == 's' ? builder.CreateSExtOrTrunc(value, builder.getIntNTy(to))
                                : builder.CreateZExtOrTrunc(value, builder.getIntNTy(to));
}

/* shf.l.wrap.b32 d, a, b, c: the upper word of (b:a) << c; shf.r: the lower one of (b:a) >> c. */
Value *Speller::funnel(const Statement &s)
{
    bool left = s.parts[1] == "l", wraps = s.parts.size() == 4 && s.parts[2] == "wrap" && s.parts[3] == "b32";
    Value *lower = wraps ? number(s.operands[1], 32) : nullptr, *upper = lower ? number(s.operands[2], 32) : nullptr,
          *by = upper ? number(s.operands[3], 32) : nullptr;
    return by ? builder.CreateIntrinsic(left ? Intrinsic::fshl : Intrinsic::fshr, {by->getType()}, {upper, lower, by})
              : nullptr;
}

Value *Speller::compute(const Statement &s)
{
    unsigned bits = s.parts.size() == 2 && s.operands.size() == 3 ? bitsOf(s.parts[1]) : 0;
    Value *a = bits ? number(s.operands[1], bits) : nullptr, *b = a ? number(s.operands[2], bits) : nullptr;
    if (!b)
        return nullptr;
    StringRef name = s.parts[0];
    return name == "add"   ? builder.CreateAdd(a, b)
           : name == "sub" ? builder.CreateSub(a, b)
           : name == "and" ? builder.CreateAnd(a, b)
           : name == "or"  ? builder.CreateOr(a, b)
           : name == "xor" ? builder.CreateXor(a, b)
                           : nullptr;
}

/* Null: it is another statement. */
Value *Speller::valueOf(const Statement &s)
{
    if (s.operands.size() < 2 || s.parts.size() < 2)
        return nullptr;
    if (s.parts[0] == "cvta" && s.operands.size() == 2)
        return cast(s);
    if (s.parts[0] == "cvt" && s.operands.size() == 2)
        return convert(s);
    if (s.parts[0] == "mov" && s.operands.size() == 2 && s.parts.size() == 2 && bitsOf(s.parts[1]))
        return number(s.operands[1], bitsOf(s.parts[1]));
    return s.parts[0] == "shf" && s.operands.size() == 4 ? funnel(s) : compute(s);
}

/* In place of the call's results. */
bool Speller::giveAll()
{
    auto *structure = dyn_cast<StructType>(call.getType());
    Value *all = PoisonValue::get(call.getType());
    for (unsigned i = 0; i < outputs; i++) {
        Value *one = registers.lookup("$" + std::to_string(i));
        Type *type = structure ? structure->getElementType(i) : call.getType();
        if (!one || !type->isIntegerTy())
            return false;
        one = builder.CreateZExtOrTrunc(one, type);
        all = structure ? builder.CreateInsertValue(all, one, i) : one;
    }
    call.replaceAllUsesWith(all);
    return true;
}

static bool isPartOfName(char c) { return isAlnum(c) || c == '_' || c == '$' || c == '%'; }

/* The text with each name that is known replaced. */
static std::string renamed(StringRef text, const StringMap<std::string> &names)
{
    std::string made;
    while (!text.empty()) {
        StringRef name = text.take_while(isPartOfName);
        auto found = names.find(name);
        made += found != names.end() ? found->second : (name.empty() ? text.take_front(1) : name).str();
        text = text.drop_front(std::max<size_t>(1, name.size()));
    }
    return made;
}

/* The statement that is no address becomes assembly of its own, which the registers made before it are operands of. */
bool Speller::keepLast(const Statement &last)
{
    auto *whole = llvm::cast<InlineAsm>(call.getCalledOperand());
    StringMap<std::string> names;
    SmallVector<Value *, 8> values(call.args());
    SmallVector<Type *, 8> types;
    std::string constraints = whole->getConstraintString().str(), added;
    for (auto &entry : registers) {
        if (entry.first().starts_with("$")) /* an output, which the last statement may read */
            return false;
        names[entry.first()] = "$" + std::to_string(outputs + values.size());
        added += entry.second->getType()->isIntegerTy(32) ? ",r" : ",l";
        values.push_back(entry.second);
    }
    for (Value *value : values)
        types.push_back(value->getType());
    size_t end = std::min(constraints.find(",~"), constraints.size());
    constraints.insert(end, added);
    auto *type = FunctionType::get(call.getType(), types, false);
    if (errorToBool(InlineAsm::verify(type, constraints)))
        return false;
    CallInst *kept = builder.CreateCall(
        type, InlineAsm::get(type, renamed(last.text, names) + ";", constraints, whole->hasSideEffects()), values);
    kept->setAttributes(AttributeList::get(call.getContext(), AttributeList::FunctionIndex,
                                           AttrBuilder(call.getContext(), call.getAttributes().getFnAttrs())));
    call.replaceAllUsesWith(kept);
    return true;
}

bool Speller::run()
{
    SmallVector<Statement, 4> statements = statementsOf(llvm::cast<InlineAsm>(call.getCalledOperand())->getAsmString());
    for (const Statement &s : statements) {
        if (s.text.contains('@') || s.parts.empty())
            return false;
        Value *value = valueOf(s);
        if (!value)
            return &s == &statements.back() && !registers.empty() && keepLast(s);
        registers[s.operands[0]] = value;
    }
    return !registers.empty() && giveAll();
}

void spellOutAddressAssembly(Function &function)
{
    for (Instruction &inst : make_early_inc_range(instructions(function))) {
        auto *call = dyn_cast<CallInst>(&inst);
        if (!call || !call->isInlineAsm())
            continue;
        const Instruction *before = call->getPrevNode();
        if (Speller(*call).run()) {
            call->eraseFromParent();
            continue;
        }
        while (call->getPrevNode() != before) /* what was written before it turned out that the rest cannot be */
            call->getPrevNode()->eraseFromParent();
    }
}

} // namespace gpuperf
