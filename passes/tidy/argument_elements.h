/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Vectors of integers among a kernel's arguments: an int4 is four numbers, of which the launch decides each. */
#ifndef GPUPERF_PASSES_ARGUMENT_ELEMENTS_H
#define GPUPERF_PASSES_ARGUMENT_ELEMENTS_H

#include <string>

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"

namespace gpuperf
{

/* Of a vector of so many elements one's name in the source: x to w, of more than four s0 to sf. */
std::string elementName(unsigned element, unsigned count);

struct ArgumentElement {
    const llvm::Argument *vector;
    unsigned element, count;
    llvm::Type *type() const { return vector->getType()->getScalarType(); }
    std::string name() const { return elementName(element, count); }
};

/* All elements, in the order of the arguments; none where the kernel would have more than 256 parameters. */
llvm::SmallVector<ArgumentElement, 16> argumentElements(const llvm::Function &kernel);

/* Of a copy of the kernel that has an argument for each element behind the kernel's own: uses of the vectors' elements
 * become uses of these. */
void splitVectorArguments(const llvm::Function &kernel, llvm::Function &copy);

} // namespace gpuperf
#endif
