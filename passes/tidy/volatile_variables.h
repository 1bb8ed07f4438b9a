/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Private variables that are declared volatile. */
#ifndef GPUPERF_PASSES_VOLATILE_VARIABLES_H
#define GPUPERF_PASSES_VOLATILE_VARIABLES_H

#include "llvm/IR/Function.h"

namespace gpuperf
{

/*
 * Gives what is read from them the value that was last stored: no other work-item sees a private variable. Tuned
 * kernels keep their id so (`volatile int tid = get_local_id(0)`), to save registers, and every address comes from it.
 * The accesses stay: they are executed. Variables whose address goes elsewhere, or that are accessed in parts, are left
 * alone.
 */
void seeThroughVolatileVariables(llvm::Function &function);

} // namespace gpuperf
#endif
