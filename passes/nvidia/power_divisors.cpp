/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "passes/nvidia/power_divisors.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

#include "passes/analysis/power_sites.h"

using namespace llvm;

namespace gpuperf
{

static const char prefix[] = "gpuperf.divisor.";

bool isHiddenDivisor(const Instruction &inst)
{
    auto *call = dyn_cast<CallBase>(&inst);
    const Function *called = call ? call->getCalledFunction() : nullptr;
    return called && called->getName().starts_with(prefix);
}

static bool isDivision(const Instruction &inst)
{
    switch (inst.getOpcode()) {
    case Instruction::UDiv:
    case Instruction::SDiv:
    case Instruction::URem:
    case Instruction::SRem: return inst.getType()->isIntegerTy() && !isa<Constant>(inst.getOperand(1));
    default: return false;
    }
}

/* 1u << k, of any width, doubled or not. */
static bool isPlainPower(const Instruction &division)
{
    using namespace PatternMatch;
    bool isUnsigned = division.getOpcode() == Instruction::UDiv || division.getOpcode() == Instruction::URem;
    return isUnsigned && match(division.getOperand(1), m_ZExtOrSelf(m_Shl(m_Power2(), m_Value())));
}

static bool isInLoopOfKnownLength(const Instruction &inst, LoopInfo &loops, ScalarEvolution &evolution)
{
    for (Loop *loop = loops.getLoopFor(inst.getParent()); loop; loop = loop->getParentLoop())
        if (isa<SCEVConstant>(evolution.getBackedgeTakenCount(loop)))
            return true;
    return false;
}

static FunctionCallee hider(Module &module, Type *type)
{
    AttributeList attributes;
    LLVMContext &context = module.getContext();
    for (Attribute::AttrKind kind : {Attribute::NoUnwind, Attribute::WillReturn, Attribute::Speculatable})
        attributes = attributes.addFnAttribute(context, kind);
    attributes = attributes.addFnAttribute(context, Attribute::getWithMemoryEffects(context, MemoryEffects::none()));
    return module.getOrInsertFunction(prefix + std::to_string(type->getIntegerBitWidth()),
                                      FunctionType::get(type, {type}, false), attributes);
}

static SmallVector<Instruction *, 8> divisionsByPowers(Function &function, FunctionAnalysisManager &manager)
{
    SmallVector<Instruction *, 8> divisions;
    for (Instruction &inst : instructions(function))
        if (isDivision(inst) && !isPlainPower(inst) &&
            isKnownToBeAPowerOfTwo(inst.getOperand(1), function.getDataLayout(), true))
            divisions.push_back(&inst);
    if (divisions.empty())
        return divisions;
    auto &loops = manager.getResult<LoopAnalysis>(function);
    auto &evolution = manager.getResult<ScalarEvolutionAnalysis>(function);
    erase_if(divisions,
             [&](const Instruction *division) { return isInLoopOfKnownLength(*division, loops, evolution); });
    return divisions;
}

bool hideDivisors(Function &function, FunctionAnalysisManager &manager)
{
    SmallVector<Instruction *, 8> divisions = divisionsByPowers(function, manager);
    for (Instruction *division : divisions) {
        Value *divisor = division->getOperand(1);
        auto *hidden =
            CallInst::Create(hider(*function.getParent(), divisor->getType()), {divisor}, "", division->getIterator());
        hidden->setDebugLoc(division->getDebugLoc());
        division->setOperand(1, hidden);
    }
    return !divisions.empty();
}

bool showDivisors(Module &module)
{
    SmallVector<Function *, 2> hiders;
    for (Function &function : module)
        if (function.getName().starts_with(prefix))
            hiders.push_back(&function);
    for (Function *function : hiders) {
        for (User *user : make_early_inc_range(function->users())) {
            auto *call = cast<CallInst>(user);
            call->replaceAllUsesWith(call->getArgOperand(0));
            call->eraseFromParent();
        }
        function->eraseFromParent();
    }
    return !hiders.empty();
}

void PowerDivisors::collect(Function &function, FunctionAnalysisManager &manager)
{
    for (const Instruction *division : divisionsByPowers(function, manager))
        collectFrom(*division, division->getOpcode() == Instruction::SDiv || division->getOpcode() == Instruction::SRem,
                    0);
}

/* Where it is only looked at whether bits are set, LLVM leaves one instruction for all of that, at the last place. */
void PowerDivisors::collectFrom(const Instruction &inst, bool isSigned, unsigned depth)
{
    if (const DILocation *place = inst.getDebugLoc())
        places[placeKey(*place)] |= isSigned;
    for (const User *user : inst.users())
        if (auto *next = dyn_cast<Instruction>(user);
            next && depth < 2 && (isa<ICmpInst>(next) || (depth == 0 && next->getOpcode() == Instruction::And)))
            collectFrom(*next, isSigned, depth + 1);
}

bool PowerDivisors::isPart(const Instruction &inst) const
{
    bool bits = inst.getOpcode() == Instruction::And || inst.getOpcode() == Instruction::LShr;
    const DILocation *place =
        !places.empty() && bits && !isa<Constant>(inst.getOperand(1)) ? inst.getDebugLoc() : nullptr;
    return place && places.contains(placeKey(*place));
}

Cost PowerDivisors::costOf(const Instruction &inst) const
{
    bool wide = inst.getType()->getScalarSizeInBits() > 32, isSigned = places.lookup(placeKey(*inst.getDebugLoc()));
    return {wide ? GP_CLASS_LONG_POWER_REM : isSigned ? GP_CLASS_INT_POWER_SREM : GP_CLASS_INT_POWER_REM, 1};
}

} // namespace gpuperf
