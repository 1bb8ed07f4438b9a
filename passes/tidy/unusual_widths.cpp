/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "passes/tidy/tidy.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace gpuperf
{

static unsigned widthFor(unsigned bits) { return bits <= 8 ? 8 : bits <= 16 ? 16 : bits <= 32 ? 32 : 64; }

static bool isOdd(const Type *type)
{
    auto *integer = dyn_cast<IntegerType>(type);
    return integer && integer->getBitWidth() > 1 && integer->getBitWidth() < 64 &&
           widthFor(integer->getBitWidth()) != integer->getBitWidth();
}

static bool concerns(const Instruction &inst)
{
    return isOdd(inst.getType()) ||
           any_of(inst.operands(), [](const Use &operand) { return isOdd(operand->getType()); });
}

namespace
{

/* Values of odd width and what stands for them: wider ones whose upper bits are zero. */
class Widening
{
public:
    explicit Widening(Function &function) : function(function) {}
    void run(ArrayRef<Instruction *> concerned);

private:
    Type *wideType(const Value *value) const
    {
        return IntegerType::get(function.getContext(), widthFor(value->getType()->getIntegerBitWidth()));
    }
    Value *wide(IRBuilder<> &builder, Value *value);
    Value *extended(IRBuilder<> &builder, Value *value);
    Value *cut(IRBuilder<> &builder, Value *value, unsigned bits)
    {
        return builder.CreateAnd(value, APInt::getLowBitsSet(value->getType()->getIntegerBitWidth(), bits));
    }
    Value *replacement(IRBuilder<> &builder, Instruction &inst);
    Value *binary(IRBuilder<> &builder, BinaryOperator &inst);
    Value *cast(IRBuilder<> &builder, CastInst &inst);

    Function &function;
    DenseMap<Value *, Value *> widened;
};

} // namespace

/* An odd value as a wider one; others as they are. What is made by something that stays is extended where it is needed.
 */
Value *Widening::wide(IRBuilder<> &builder, Value *value)
{
    if (!isOdd(value->getType()))
        return value;
    if (Value *known = widened.lookup(value))
        return known;
    return builder.CreateZExt(value, wideType(value)); /* of a constant: a constant */
}

/* The same with the sign in the upper bits. */
Value *Widening::extended(IRBuilder<> &builder, Value *value)
{
    if (!isOdd(value->getType()))
        return value;
    Value *zero = wide(builder, value);
    unsigned by = zero->getType()->getIntegerBitWidth() - value->getType()->getIntegerBitWidth();
    return builder.CreateAShr(builder.CreateShl(zero, by), by);
}

Value *Widening::binary(IRBuilder<> &builder, BinaryOperator &inst)
{
    unsigned code = inst.getOpcode();
    bool isSigned = code == Instruction::SDiv || code == Instruction::SRem || code == Instruction::AShr;
    bool overflows = isSigned || code == Instruction::Add || code == Instruction::Sub || code == Instruction::Mul ||
                     code == Instruction::Shl;
    Value *a = isSigned ? extended(builder, inst.getOperand(0)) : wide(builder, inst.getOperand(0));
    Value *b = isSigned && code != Instruction::AShr ? extended(builder, inst.getOperand(1))
                                                     : wide(builder, inst.getOperand(1));
    Value *result = builder.CreateBinOp(inst.getOpcode(), a, b);
    return overflows ? cut(builder, result, inst.getType()->getIntegerBitWidth()) : result;
}

Value *Widening::cast(IRBuilder<> &builder, CastInst &inst)
{
    Value *from = inst.getOperand(0);
    Type *to = isOdd(inst.getType()) ? wideType(&inst) : inst.getType();
    if (!from->getType()->isIntegerTy() || !inst.getType()->isIntegerTy())
        return nullptr;
    bool isSigned = inst.getOpcode() == Instruction::SExt;
    Value *value = isSigned ? extended(builder, from) : wide(builder, from);
    value = isSigned ? builder.CreateSExtOrTrunc(value, to) : builder.CreateZExtOrTrunc(value, to);
    bool cuts = isOdd(inst.getType()) && inst.getOpcode() != Instruction::ZExt;
    return cuts ? cut(builder, value, inst.getType()->getIntegerBitWidth()) : value;
}

/* What stands for an instruction; null: it stays. */
Value *Widening::replacement(IRBuilder<> &builder, Instruction &inst)
{
    if (auto *op = dyn_cast<BinaryOperator>(&inst))
        return binary(builder, *op);
    if (auto *conversion = dyn_cast<CastInst>(&inst))
        return cast(builder, *conversion);
    if (auto *compare = dyn_cast<ICmpInst>(&inst)) {
        bool isSigned = compare->isSigned();
        Value *a = compare->getOperand(0), *b = compare->getOperand(1);
        return builder.CreateICmp(compare->getPredicate(), isSigned ? extended(builder, a) : wide(builder, a),
                                  isSigned ? extended(builder, b) : wide(builder, b));
    }
    if (auto *select = dyn_cast<SelectInst>(&inst))
        return builder.CreateSelect(select->getCondition(), wide(builder, select->getTrueValue()),
                                    wide(builder, select->getFalseValue()));
    if (isa<FreezeInst>(inst))
        return builder.CreateFreeze(wide(builder, inst.getOperand(0)));
    return nullptr;
}

static void rewriteSwitch(SwitchInst &choice, Value *condition)
{
    auto *type = cast<IntegerType>(condition->getType());
    choice.setCondition(condition);
    for (auto entry : choice.cases())
        entry.setValue(
            ConstantInt::get(type->getContext(), entry.getCaseValue()->getValue().zext(type->getBitWidth())));
}

/* In an order in which operands come before their users, but for phis, whose values are filled in at the end. */
void Widening::run(ArrayRef<Instruction *> concerned)
{
    SmallVector<std::pair<PHINode *, PHINode *>, 4> phis;
    SmallVector<Instruction *, 16> dead;
    for (Instruction *inst : concerned) {
        IRBuilder<> builder(inst);
        if (auto *phi = dyn_cast<PHINode>(inst)) {
            PHINode *made = builder.CreatePHI(wideType(phi), phi->getNumIncomingValues());
            widened[phi] = made;
            phis.push_back({phi, made});
            dead.push_back(phi);
            continue;
        }
        if (auto *choice = dyn_cast<SwitchInst>(inst)) {
            rewriteSwitch(*choice, wide(builder, choice->getCondition()));
            continue;
        }
        Value *made = replacement(builder, *inst);
        if (!made) { /* it takes what it took: cut off the wide one */
            for (Use &operand : inst->operands())
                if (Value *known = widened.lookup(operand.get()))
                    operand.set(builder.CreateTrunc(known, operand->getType()));
            continue;
        }
        if (isOdd(inst->getType()))
            widened[inst] = made;
        else
            inst->replaceAllUsesWith(made);
        dead.push_back(inst);
    }
    for (auto [phi, made] : phis)
        for (unsigned i = 0; i < phi->getNumIncomingValues(); i++) {
            IRBuilder<> builder(phi->getIncomingBlock(i)->getTerminator());
            made->addIncoming(wide(builder, phi->getIncomingValue(i)), phi->getIncomingBlock(i));
        }
    for (Instruction *inst : dead)
        inst->dropAllReferences();
    for (Instruction *inst : dead) {
        inst->replaceAllUsesWith(PoisonValue::get(inst->getType())); /* in blocks that nothing leads to */
        inst->eraseFromParent();
    }
}

void widenOddIntegers(Function &function)
{
    SmallVector<Instruction *, 16> concerned;
    bool some = any_of(instructions(function), [](const Instruction &inst) { return isOdd(inst.getType()); });
    if (!some)
        return;
    for (BasicBlock *block : ReversePostOrderTraversal<Function *>(&function))
        for (Instruction &inst : *block)
            if (concerns(inst))
                concerned.push_back(&inst);
    Widening(function).run(concerned);
}

} // namespace gpuperf
