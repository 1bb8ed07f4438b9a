/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "passes/analysis/constant_functions.h"

#include <cmath>

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

#include "passes/ir/builtins.h"

using namespace llvm;

namespace gpuperf
{

StringRef plainMathName(const CallBase &call)
{
    const Function *callee = calledFunction(call);
    StringRef name = callee ? callee->getName() : "";
    size_t length = 0;
    bool header = name.consume_front("_ZL") && !name.consumeInteger(10, length);
    name = header ? name.take_front(length) : callee && callee->isDeclaration() ? builtinName(name).base : "";
    bool ofC = name.consume_front("__nv_") || (!name.starts_with("__ocml_") && name.consume_front("__")) || header;
    if (name.consume_front("__ocml_"))
        name = name.rsplit("_f").first;
    (void)(name.consume_front("fast_") || name.consume_front("native_") || name.consume_front("half_"));
    if (ofC && call.getType()->isFloatTy())
        name.consume_back("f");
    return name;
}

/* NaN: not one of these functions. */
static double valueOf(StringRef name, double x)
{
    using Function = double (*)(double);
    Function function = StringSwitch<Function>(name)
                            .Case("log2", log2)
                            .Case("log", log)
                            .Case("log10", log10)
                            .Case("exp2", exp2)
                            .Case("exp", exp)
                            .Default(nullptr);
    return function ? function(x) : name == "exp10" ? pow(10, x) : NAN;
}

static double valueOf(StringRef name, double x, double y) { return name == "pow" || name == "powr" ? pow(x, y) : NAN; }

/* Null: it is not known. */
static Constant *resultOf(const CallBase &call)
{
    auto number = [&call](unsigned i) {
        return call.arg_size() > i ? dyn_cast<ConstantFP>(call.getArgOperand(i)) : nullptr;
    };
    const ConstantFP *x = number(0), *y = number(1);
    if (!call.getType()->isFloatTy() || !x || !x->getType()->isFloatTy() || call.arg_size() > 2 ||
        (call.arg_size() == 2 && (!y || !y->getType()->isFloatTy())))
        return nullptr;
    double first = x->getValueAPF().convertToFloat();
    double value = y ? valueOf(plainMathName(call), first, y->getValueAPF().convertToFloat())
                     : valueOf(plainMathName(call), first);
    return std::isfinite((float)value) ? ConstantFP::get(call.getType(), value) : nullptr;
}

bool computeConstantFunctions(Function &function, FunctionAnalysisManager &)
{
    bool changed = false;
    for (Instruction &inst : make_early_inc_range(instructions(function))) {
        auto *call = dyn_cast<CallInst>(&inst);
        Constant *result = call ? resultOf(*call) : nullptr;
        if (!result)
            continue;
        call->replaceAllUsesWith(result);
        call->eraseFromParent();
        changed = true;
    }
    return changed;
}

} // namespace gpuperf
