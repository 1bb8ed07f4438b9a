#include "passes/power_sites.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/InstIterator.h"

#include "passes/builtins.h"
#include "passes/mendable.h"

using namespace llvm;

namespace gpuperf {

static std::string key(const DILocation &place)
{
    return (place.getFilename() + ":" + Twine(place.getLine()) + ":" + Twine(place.getColumn())).str();
}

/* Clang's headers have pow(float, float) and the like as static functions, _ZL3powff. */
static bool isPowerOfLibdevice(const Function &function)
{
    StringRef name = function.getName();
    std::string global = name.consume_front("_ZL") ? ("_Z" + name).str() : name.str();
    return StringSwitch<bool>(builtinName(global).base).Cases({"powf", "__powf", "pow", "__nv_powf", "__nv_fast_powf"}, true).Default(false);
}

void PowerSites::collect(const Module &module)
{
    for (const Function &function : module) {
        if (!isPowerOfLibdevice(function))
            continue;
        for (const User *user : function.users()) {
            auto *call = dyn_cast<CallBase>(user);
            unsigned count = call && call->getType()->isFloatTy() && call->getCalledOperand() == &function && call->arg_size() == 2 && call->getDebugLoc() ? productsOf(call->getArgOperand(1)) : 0;
            if (count != 0)
                products[key(*call->getDebugLoc())] = count;
        }
    }
}

unsigned PowerSites::productsAt(const Instruction &inst) const
{
    for (const DILocation *place = products.empty() ? nullptr : inst.getDebugLoc().get(); place; place = place->getInlinedAt())
        if (auto site = products.find(key(*place)); site != products.end())
            return site->second;
    return 0;
}

} // namespace gpuperf
