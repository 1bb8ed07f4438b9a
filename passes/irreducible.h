/* Cycles that are entered in several places (`goto` into a loop). */
#ifndef GPUPERF_PASSES_IRREDUCIBLE_H
#define GPUPERF_PASSES_IRREDUCIBLE_H

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/BasicBlock.h"
#include "llvm/IR/PassManager.h"

namespace gpuperf {

using BlockSet = llvm::SmallPtrSet<const llvm::BasicBlock *, 4>;

/*
 * Makes such cycles loops, as the code generators of GPUs that need structured control flow do: entries and back edges meet in
 * a new header that goes where they were bound for. Returns these headers; empty where there was no such cycle. Computed gotos become switches in any case.
 */
BlockSet makeReducible(llvm::Function &function, llvm::FunctionAnalysisManager &manager);

} // namespace gpuperf
#endif
