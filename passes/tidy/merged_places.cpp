/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "passes/tidy/merged_places.h"

#include <algorithm>
#include <set>

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace gpuperf
{

/* What a variable holds that is written once, as arguments are before the optimiser has run; null: nothing that is
 * known. Some are used in thousands of places, and asked for in each. */
class MergedPlaces::Variables
{
public:
    const Value *heldBy(const AllocaInst &variable)
    {
        auto [known, isNew] = held.try_emplace(&variable, nullptr);
        if (isNew)
            known->second = find(variable);
        return known->second;
    }

private:
    static const Value *find(const AllocaInst &variable)
    {
        const Value *held = nullptr;
        for (const User *user : variable.users())
            if (auto *store = dyn_cast<StoreInst>(user); store && store->getPointerOperand() == &variable) {
                if (held)
                    return nullptr;
                held = store->getValueOperand();
            }
        return held;
    }

    DenseMap<const AllocaInst *, const Value *> held;
};

/* The argument that an address is based on, also through variables. */
const Argument *MergedPlaces::argumentBehind(const Value *pointer, Variables &variables)
{
    const unsigned mostVariables = 4;
    for (unsigned i = 0; i < mostVariables && pointer; i++) {
        pointer = getUnderlyingObject(pointer, 0);
        if (auto *argument = dyn_cast<Argument>(pointer))
            return argument;
        auto *load = dyn_cast<LoadInst>(pointer);
        auto *variable = load ? dyn_cast<AllocaInst>(load->getPointerOperand()->stripPointerCasts()) : nullptr;
        pointer = variable ? variables.heldBy(*variable) : nullptr;
    }
    return nullptr;
}

/* False: no load or store with a place, through an argument. An OpenCL kernel's body is a function of the same name and
 * arguments. */
bool MergedPlaces::keyOf(const Instruction &inst, Variables &variables, Key &key)
{
    const Value *pointer = getLoadStorePointerOperand(&inst);
    const DISubprogram *source =
        pointer && inst.getDebugLoc() ? inst.getDebugLoc()->getScope()->getSubprogram() : nullptr;
    const Argument *argument = source ? argumentBehind(pointer, variables) : nullptr;
    if (!argument)
        return false;
    key = {(source->getFilename() + ":" + Twine(source->getLine()) + ":" + source->getName()).str(),
           isa<StoreInst>(inst), argument->getArgNo()};
    return true;
}

void MergedPlaces::collect(const Module &module)
{
    Key key;
    Variables variables;
    for (const Function &function : module)
        for (const Instruction &inst : instructions(function))
            if (keyOf(inst, variables, key) && inst.getDebugLoc().getLine() != 0)
                places[key].push_back({inst.getDebugLoc().getLine(), inst.getDebugLoc().getCol()});
    for (auto &[of, all] : places)
        std::sort(all.begin(), all.end());
}

static bool isLost(const Instruction &inst)
{
    return inst.getDebugLoc().getLine() == 0 || inst.getDebugLoc().getCol() == 0;
}

void MergedPlaces::restore(Function &function) const
{
    std::map<Key, std::set<Place>> left;
    SmallVector<std::pair<Instruction *, Key>, 8> lost;
    Key key;
    Variables variables;
    for (Instruction &inst : instructions(function))
        if (keyOf(inst, variables, key)) {
            if (isLost(inst))
                lost.push_back({&inst, key});
            else
                left[key].insert({inst.getDebugLoc().getLine(), inst.getDebugLoc().getCol()});
        }
    for (auto &[inst, of] : lost) {
        auto all = places.find(of);
        const DILocation &at = *inst->getDebugLoc();
        for (size_t i = 0; all != places.end() && i < all->second.size(); i++) {
            const Place &place = all->second[i];
            if ((at.getLine() != 0 && at.getLine() != place.line) || left[of].count(place))
                continue;
            inst->setDebugLoc(
                DILocation::get(function.getContext(), place.line, place.column, at.getScope(), at.getInlinedAt()));
            break;
        }
    }
}

} // namespace gpuperf
