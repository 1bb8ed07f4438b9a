/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Double precision that the flow of values does not need: it comes from floats and ends as floats. */
#ifndef GPUPERF_PASSES_DOUBLE_FLOW_H
#define GPUPERF_PASSES_DOUBLE_FLOW_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"

namespace gpuperf
{

using DoubleValues = llvm::SmallSetVector<const llvm::Instruction *, 16>;

/* What the flow asks of whoever knows the code. */
struct DoubleFlow {
    llvm::function_ref<bool(const llvm::CallBase &)>
        isFunction; /* a mathematical function of doubles, or of floats that become some */
    llvm::function_ref<bool(const llvm::BasicBlock &)> isLoopHeader;
};

bool isSourceOfDoubles(const llvm::Instruction &inst);

/* All that hangs together with a value in double precision. */
DoubleValues doublesAround(const llvm::Instruction &source);

/* Whether these are in double precision for constants or functions of doubles alone. */
bool isNeedless(const DoubleValues &values, const DoubleFlow &flow);

} // namespace gpuperf
#endif
