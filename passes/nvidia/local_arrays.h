/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Arrays in work-group memory, as assemblers that lay out that memory themselves read them. */
#ifndef GPUPERF_PASSES_LOCAL_ARRAYS_H
#define GPUPERF_PASSES_LOCAL_ARRAYS_H

#include "llvm/IR/Function.h"
#include "llvm/IR/PassManager.h"

namespace gpuperf
{

/* Whether the function reads arrays of work-group or constant memory whose size is known when it is compiled. */
bool readsLocalArrays(const llvm::Function &function);

/*
 * ptxas unrolls short loops that read work-group memory and that libNVVM leaves, such as a register-tiled matrix
 * multiplication's over the tile's depth: all of it, unless the loop over the tiles has branches (a guarded load,
 * another loop), then up to some 256 instructions. True: some loop was.
 */
bool unrollLocalLoops(llvm::Function &function, llvm::FunctionAnalysisManager &manager);

/*
 * It also aligns these arrays to 16 bytes, whatever the declaration asks for, and reads neighbours in one instruction,
 * and writes them; of constants at an index that it does not know two words. Their addresses have 32 bits: (unsigned)(i
 * + 1) is next to i, though with 64 it might have wrapped around. LoadStoreVectorizer can know neither. The analyses
 * are of the function as it is before. False: it has not changed.
 */
bool joinLocalLoads(llvm::Function &function, llvm::FunctionAnalysisManager &manager);

} // namespace gpuperf
#endif
