/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "passes/analysis/power_sites.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/InstIterator.h"

#include "passes/ir/builtins.h"
#include "passes/analysis/cheaper_spelling.h"

using namespace llvm;

namespace gpuperf
{

std::string placeKey(const DILocation &place)
{
    return (place.getFilename() + ":" + Twine(place.getLine()) + ":" + Twine(place.getColumn())).str();
}

/* Clang's headers have pow(float, float) and the like as static functions, _ZL3powff; what nvcc makes of an int as
 * exponent our own (compile/preludes.c). */
static bool isPowerOfLibdevice(const Function &function)
{
    StringRef name = function.getName();
    std::string global = name.consume_front("_ZL") ? ("_Z" + name).str() : name.str();
    return StringSwitch<bool>(builtinName(global).base)
        .Cases({"powf", "__powf", "pow", "__nv_powf", "__nv_fast_powf", "__nv_pow", "gpuperf_powi", "gpuperf_powif"},
               true)
        .Default(false);
}

/* The exponent of the call: where it is an int, nvcc's function is a product in clang's headers. Null: it is no power
 * that stays one. */
static const Value *exponentOf(const CallBase &call, const Function &function)
{
    bool two = call.getCalledOperand() == &function && call.arg_size() == 2 && call.getType()->isFloatingPointTy();
    const Value *exponent = two ? call.getArgOperand(1) : nullptr;
    return exponent && (exponent->getType()->isFloatingPointTy() || function.getName().starts_with("gpuperf_"))
               ? exponent
               : nullptr;
}

void PowerSites::collect(const Module &module)
{
    for (const Function &function : module) {
        if (!isPowerOfLibdevice(function))
            continue;
        for (const User *user : function.users()) {
            auto *call = dyn_cast<CallBase>(user);
            const Value *exponent = call && call->getDebugLoc() ? exponentOf(*call, function) : nullptr;
            if (unsigned count = exponent ? productsOf(exponent) : 0)
                sites[placeKey(*call->getDebugLoc())] = {count, call->getArgOperand(0)->getType()->isDoubleTy()};
        }
    }
}

const PowerSite *PowerSites::at(const Instruction &inst) const
{
    for (const DILocation *place = sites.empty() ? nullptr : inst.getDebugLoc().get(); place;
         place = place->getInlinedAt())
        if (auto site = sites.find(placeKey(*place)); site != sites.end())
            return &site->second;
    return nullptr;
}

} // namespace gpuperf
