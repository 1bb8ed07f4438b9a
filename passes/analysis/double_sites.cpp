/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "passes/analysis/double_sites.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

#include "passes/ir/builtins.h"
#include "passes/analysis/double_flow.h"
#include "passes/analysis/power_sites.h"

using namespace llvm;

namespace gpuperf
{

/* "exp" of _ZL3expd, _ZSt3expd, _Z3powIfdE... and __nv_exp. */
static StringRef sourceNameOf(StringRef symbol)
{
    unsigned length = 0;
    if (symbol.consume_front("__nv_"))
        return symbol;
    if (!symbol.consume_front("_Z"))
        return symbol;
    symbol = symbol.drop_while([](char c) { return c == 'L' || c == 'N' || c == 'S' || c == 't'; });
    return symbol.consumeInteger(10, length) ? StringRef() : symbol.take_front(length);
}

static bool isNameOfFunction(StringRef name)
{
    return StringSwitch<bool>(name)
        .Cases({"sqrt", "rsqrt", "cbrt", "rcbrt", "exp", "exp2", "exp10", "expm1", "log", "log2", "log10", "log1p"},
               true)
        .Cases({"sin", "cos", "tan", "sinpi", "cospi", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "asinh",
                "acosh", "atanh"},
               true)
        .Cases({"pow", "hypot", "fmod", "erf", "erfc", "tgamma", "lgamma", "fma", "fmin", "fmax", "fabs", "floor",
                "ceil", "trunc", "round", "rint"},
               true)
        .Default(false);
}

/* A mathematical function that gives a double: of doubles, or of a float and a double (pow(d, -0.5)). */
static bool isFunction(const CallBase &call)
{
    const Function *callee = calledFunction(call);
    bool numbers = call.getType()->isDoubleTy() && all_of(call.args(), [](const Use &use) {
                       return use->getType()->isFloatTy() || use->getType()->isDoubleTy();
                   });
    if (!callee || !numbers || call.arg_empty())
        return false;
    return callee->isIntrinsic() ? !callee->getName().starts_with("llvm.nvvm.")
                                 : isNameOfFunction(sourceNameOf(callee->getName()));
}

void DoubleSites::collectFrom(const CallBase &call)
{
    auto isHeader = [](const BasicBlock &) { return false; }; /* variables are memory yet */
    DoubleFlow flow{isFunction, isHeader};
    DoubleValues values = doublesAround(call);
    if (!isNeedless(values, flow))
        return;
    for (const Instruction *value : values)
        if (value->getDebugLoc())
            places.insert(placeKey(*value->getDebugLoc()));
}

void DoubleSites::collect(const Module &module)
{
    for (const Function &function : module) {
        if (isNameOfFunction(sourceNameOf(function.getName()))) /* the headers' own */
            continue;
        for (const Instruction &inst : instructions(function))
            if (auto *call = dyn_cast<CallBase>(&inst); call && call->getDebugLoc() && isFunction(*call))
                collectFrom(*call);
    }
}

bool DoubleSites::contains(const Instruction &inst) const
{
    for (const DILocation *place = places.empty() ? nullptr : inst.getDebugLoc().get(); place;
         place = place->getInlinedAt())
        if (places.contains(placeKey(*place)))
            return true;
    return false;
}

} // namespace gpuperf
