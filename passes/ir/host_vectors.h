/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Calls of OpenCL's functions, with vectors as the source has them. A CPU's calling convention passes many of them as
 * something else: on x86-64 a float2 is a double, an uchar4 an i32, an int16 a pointer to a copy. The symbol says what
 * the parameters are.
 */
#ifndef GPUPERF_PASSES_HOST_VECTORS_H
#define GPUPERF_PASSES_HOST_VECTORS_H

#include "llvm/IR/Function.h"

namespace gpuperf
{

/* For the host's targets only; the functions are declared anew in the module that `function` is in. True: variables
 * that were passed can become registers now. */
bool passVectorsAsWritten(llvm::Function &function);

} // namespace gpuperf
#endif
