/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Cycles that are entered in several places (`goto` into a loop). */
#ifndef GPUPERF_PASSES_IRREDUCIBLE_H
#define GPUPERF_PASSES_IRREDUCIBLE_H

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/BasicBlock.h"
#include "llvm/IR/PassManager.h"

namespace gpuperf
{

using BlockSet = llvm::SmallPtrSet<const llvm::BasicBlock *, 4>;

struct Reduced {
    BlockSet headers;     /* new ones; empty where there was no such cycle */
    bool complete = true; /* false: there are such cycles left, to make them loops would cost too much */
};

/*
 * Makes such cycles loops, as the code generators of GPUs that need structured control flow do: entries and back edges
 * meet in a new header that goes where they were bound for. The function at most trebles by that, but for 5,000
 * instructions. Computed gotos become switches in any case.
 */
Reduced makeReducible(llvm::Function &function, llvm::FunctionAnalysisManager &manager);

} // namespace gpuperf
#endif
