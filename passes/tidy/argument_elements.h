/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Integers within a kernel's arguments: an int4 is four numbers, a structure passed by value as many as it has members,
 * and the launch decides each. */
#ifndef GPUPERF_PASSES_ARGUMENT_ELEMENTS_H
#define GPUPERF_PASSES_ARGUMENT_ELEMENTS_H

#include <string>

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Function.h"

namespace gpuperf
{

/* Of a vector of so many elements one's name in the source: x to w, of more than four s0 to sf. */
std::string elementName(unsigned element, unsigned count);

struct ArgumentElement {
    const llvm::Argument *whole;
    llvm::IntegerType *type;
    unsigned element; /* stands so many times its own width behind the start of the whole */
    unsigned count;   /* of the vector; of a structure: 0 */
    uint64_t bytes() const { return (uint64_t)element * (type->getBitWidth() / 8); }
};

/* The structure that an argument passes by value; null: it passes none. */
llvm::Type *passedByValue(const llvm::Argument &argument);

/*
 * All elements, in the order of the arguments; none where the kernel would have more than 256 parameters. Of a
 * structure the integers of 8 to 64 bits that stand at a multiple of their width, also those of structures and arrays
 * within it; at most 64.
 */
llvm::SmallVector<ArgumentElement, 16> argumentElements(const llvm::Function &kernel);

/* Of a copy of the kernel that has an argument for each element behind the kernel's own: uses of the vectors' elements
 * become uses of these. */
void splitVectorArguments(const llvm::Function &kernel, llvm::Function &copy);

/* Of such a copy: loads of a structure's members become uses of their arguments, if the kernel never writes to the
 * structure. Inlining and forwardArgumentCopies() come first. */
void useMemberArguments(const llvm::Function &kernel, llvm::Function &copy);

} // namespace gpuperf
#endif
