/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Structures that are passed by value, and the copies of them that compilers leave in a kernel. */
#ifndef GPUPERF_PASSES_ARGUMENT_COPIES_H
#define GPUPERF_PASSES_ARGUMENT_COPIES_H

#include "llvm/IR/Function.h"

namespace gpuperf
{

/*
 * A private variable that holds bytes of an argument passed by value and nothing else becomes these bytes, if the
 * kernel writes neither: code for devices reads an argument where the launch has put it, whatever the index. Inlining
 * leaves such variables: clang's kernel of OpenCL C calls a function that has the kernel's body, and so takes a
 * structure by value once more. True: some did.
 */
bool forwardArgumentCopies(llvm::Function &function);

/* Its bytes, of an argument passed by value, stay what the launch made them. */
bool isNeverWritten(llvm::Argument &argument);

} // namespace gpuperf
#endif
