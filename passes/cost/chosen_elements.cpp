/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "passes/cost/chosen_elements.h"

#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Function.h"

#include "model/compilers/amd_rules.h"

using namespace llvm;

namespace gpuperf
{

namespace
{

const Value *indexOf(const Instruction &inst) { return inst.getOperand(inst.getNumOperands() - 1); }

const FixedVectorType *vectorOf(const Instruction &inst)
{
    return dyn_cast<FixedVectorType>(inst.getOperand(0)->getType());
}

/* An earlier one of the block has compared the same number with as many. */
bool isComparedBefore(const Instruction &inst)
{
    for (const User *user : indexOf(inst)->users()) {
        auto *other = dyn_cast<Instruction>(user);
        if (other && other != &inst && other->getParent() == inst.getParent() && choosesElement(*other) &&
            indexOf(*other) == indexOf(inst) && other->comesBefore(&inst) && vectorOf(*other) &&
            vectorOf(*other)->getNumElements() == vectorOf(inst)->getNumElements())
            return true;
    }
    return false;
}

/* GFX9 has one. */
bool hasIndexMode(const Function &function)
{
    return function.getFnAttribute("target-cpu").getValueAsString().starts_with("gfx9");
}

} // namespace

bool choosesElement(const Instruction &inst)
{
    return (isa<ExtractElementInst>(inst) || isa<InsertElementInst>(inst)) && !isa<Constant>(indexOf(inst));
}

Cost chosenElementCost(const Instruction &inst, const UniformityInfo *uniformity)
{
    const FixedVectorType *vector = vectorOf(inst);
    if (!vector)
        return {GP_CLASS_SELECT, 2};
    unsigned bits = vector->getScalarSizeInBits() ? vector->getScalarSizeInBits() : 64,
             count = vector->getNumElements(), words = (bits + 31) / 32;
    bool reads = isa<ExtractElementInst>(inst), uniform = uniformity && uniformity->isUniform(indexOf(inst));
    if (bits < 32 && bits * count <= 64)
        return {GP_CLASS_INT_SHIFT, 1}; /* of a word or two */
    if (uniform && bits >= 32 && gp_amd_moves_indexed(count, words, hasIndexMode(*inst.getFunction())))
        return reads ? Cost{GP_CLASS_MOV, words} : Cost{};
    bool compares = !uniform && !isComparedBefore(inst);
    return {GP_CLASS_SELECT, gp_amd_chosen(reads ? count : 1, words, reads, compares)};
}

} // namespace gpuperf
