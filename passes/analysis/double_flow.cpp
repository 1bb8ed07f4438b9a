/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * DESCRIPTION
 *
 * In C an operation on a float and a constant without an f is made in double precision: x * 0.999 + 1.0 widens x,
 * computes, and rounds. So is a function of doubles that is given a float: exp(-0.5 * v), sqrt((double)d). What of a
 * kernel's double precision is of this kind follows from the flow of values.
 *
 * ALGORITHM
 *
 * From each number that becomes one in double precision the values in double precision are followed, to those who use
 * them and back to their operands, until all that hang together are known. They are needless only if
 *
 *   - all come from floats, integers and constants, none from memory, an argument, or bits put together;
 *   - all end as floats, integers or comparisons, and floats are among them or among what they come from: what is
 * worked out of integers for integers may need the precision;
 *   - no value goes round a loop: a sum kept in double precision is meant to be;
 *   - each operation has an operand that is a constant, or made with one or by a function, and functions one that was a
 * float, too. Two floats that meet in double precision were widened by a cast. Adding 0 does not count: it is how sums
 * start.
 */
#include "passes/analysis/double_flow.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace gpuperf
{

namespace
{

bool isFloat(const Value *value) { return value->getType()->isFloatTy() || value->getType()->isHalfTy(); }
bool isDouble(const Value *value) { return value->getType()->isDoubleTy(); }

enum class Role { Source, Operation, Choice, Sink, Foreign };

/* What an instruction that has to do with double precision does there. */
Role roleOf(const Instruction &inst, const DoubleFlow &flow)
{
    switch (inst.getOpcode()) {
    case Instruction::FPExt: return isFloat(inst.getOperand(0)) ? Role::Source : Role::Foreign;
    case Instruction::SIToFP:
    case Instruction::UIToFP: return Role::Source;
    case Instruction::FPTrunc:
    case Instruction::FPToSI:
    case Instruction::FPToUI: return Role::Sink;
    case Instruction::FCmp:
    case Instruction::FAdd:
    case Instruction::FSub:
    case Instruction::FMul:
    case Instruction::FDiv:
    case Instruction::FRem: return Role::Operation;
    case Instruction::FNeg:
    case Instruction::Select: return Role::Choice;
    case Instruction::PHI: return flow.isLoopHeader(*inst.getParent()) ? Role::Foreign : Role::Choice;
    case Instruction::Call: return flow.isFunction(cast<CallBase>(inst)) ? Role::Operation : Role::Foreign;
    default: return Role::Foreign;
    }
}

bool takesForeign(const Instruction &inst)
{
    return any_of(inst.operands(),
                  [](const Use &use) { return isDouble(use) && !isa<Instruction>(use) && !isa<ConstantFP>(use); });
}

/* a * b + 0.5 as one operation: the product is in double precision if a factor was. */
bool isFused(const Instruction &inst)
{
    auto *call = dyn_cast<IntrinsicInst>(&inst);
    return call && (call->getIntrinsicID() == Intrinsic::fmuladd || call->getIntrinsicID() == Intrinsic::fma);
}

/* Whether the operand says that its operation is in double precision for a constant or a function. */
bool counts(const Instruction &inst, const Use &use, const DoubleValues &made)
{
    bool start = inst.getOpcode() == Instruction::FAdd && match(use.get(), m_AnyZeroFP());
    auto *from = dyn_cast<Instruction>(use);
    if (isa<CallBase>(inst) && !isFused(inst) && (isFloat(use) || (isDouble(use) && from && isa<FPExtInst>(from))))
        return true; /* a function of a float */
    if (!isDouble(use) || (isFused(inst) && use.getOperandNo() == 2))
        return false;
    return from ? made.contains(from) : isa<ConstantFP>(use) && !start;
}

} // namespace

bool isSourceOfDoubles(const Instruction &inst)
{
    return isDouble(&inst) && (isa<FPExtInst>(inst) || isa<SIToFPInst>(inst) || isa<UIToFPInst>(inst));
}

DoubleValues doublesAround(const Instruction &source)
{
    DoubleValues found;
    found.insert(&source);
    for (size_t i = 0; i < found.size(); i++) {
        if (isDouble(found[i]))
            for (const User *user : found[i]->users())
                found.insert(cast<Instruction>(user));
        for (const Use &operand : found[i]->operands())
            if (auto *inst = dyn_cast<Instruction>(operand); inst && isDouble(inst))
                found.insert(inst);
    }
    return found;
}

bool isNeedless(const DoubleValues &values, const DoubleFlow &flow)
{
    DoubleValues made; /* with a constant, or by a function */
    size_t operations = 0, known = 0;
    auto ofFloats = [&](const Instruction *inst) { return isa<FPExtInst>(inst) || isa<FPTruncInst>(inst); };
    if (none_of(values, ofFloats))
        return false;
    for (const Instruction *inst : values) {
        Role role = roleOf(*inst, flow);
        if (role == Role::Foreign || takesForeign(*inst))
            return false;
        operations += role == Role::Operation;
    }
    for (size_t before = SIZE_MAX; before != made.size();) {
        before = made.size();
        for (const Instruction *inst : values) {
            Role role = roleOf(*inst, flow);
            if ((role != Role::Operation && role != Role::Choice) ||
                !any_of(inst->operands(), [&](const Use &use) { return counts(*inst, use, made); }))
                continue;
            known += made.insert(inst) && role == Role::Operation;
        }
    }
    return operations > 0 && known == operations;
}

} // namespace gpuperf
