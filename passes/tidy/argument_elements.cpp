/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "passes/tidy/argument_elements.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"

#include "model/launch/launch.h"

using namespace llvm;

namespace gpuperf
{

std::string elementName(unsigned element, unsigned count)
{
    return count <= 4 ? std::string(1, "xyzw"[element]) : std::string("s") + "0123456789abcdef"[element];
}

/* 0: it is none, or one that OpenCL C does not have. */
static unsigned integersIn(const Argument &argument)
{
    const unsigned most = 16;
    auto *vector = dyn_cast<FixedVectorType>(argument.getType());
    bool integers = vector && vector->getElementType()->isIntegerTy() && vector->getScalarSizeInBits() <= 64;
    return integers && vector->getNumElements() <= most ? vector->getNumElements() : 0;
}

SmallVector<ArgumentElement, 16> argumentElements(const Function &kernel)
{
    SmallVector<ArgumentElement, 16> all;
    for (const Argument &argument : kernel.args())
        for (unsigned i = 0, count = integersIn(argument); i < count; i++)
            all.push_back({&argument, i, count});
    if (kernel.arg_size() + all.size() > GP_MAX_ARGUMENTS)
        all.clear();
    return all;
}

/* Most uses take an element. */
static void replaceExtracts(Argument &vector, ArrayRef<Argument *> elements)
{
    for (User *user : make_early_inc_range(vector.users())) {
        auto *extract = dyn_cast<ExtractElementInst>(user);
        auto *index = extract ? dyn_cast<ConstantInt>(extract->getIndexOperand()) : nullptr;
        if (!index || index->getValue().uge(elements.size()))
            continue;
        extract->replaceAllUsesWith(elements[index->getZExtValue()]);
        extract->eraseFromParent();
    }
}

/* Others the vector as a whole. */
static void replaceWhole(Argument &vector, ArrayRef<Argument *> elements, Function &copy)
{
    SmallVector<Use *, 8> uses(make_pointer_range(vector.uses()));
    if (uses.empty())
        return;
    IRBuilder<> builder(&copy.getEntryBlock(), copy.getEntryBlock().getFirstInsertionPt());
    Value *whole = PoisonValue::get(vector.getType());
    for (size_t i = 0; i < elements.size(); i++)
        whole = builder.CreateInsertElement(whole, elements[i], i);
    for (Use *use : uses)
        use->set(whole);
}

void splitVectorArguments(const Function &kernel, Function &copy)
{
    SmallVector<ArgumentElement, 16> all = argumentElements(kernel);
    for (size_t first = 0; first < all.size(); first += all[first].count) {
        SmallVector<Argument *, 16> elements;
        for (unsigned i = 0; i < all[first].count; i++)
            elements.push_back(copy.getArg(unsigned(kernel.arg_size() + first) + i));
        Argument &vector = *copy.getArg(all[first].vector->getArgNo());
        replaceExtracts(vector, elements);
        replaceWhole(vector, elements, copy);
    }
}

} // namespace gpuperf
