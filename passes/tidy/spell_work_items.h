/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* OpenCL's work-items as NVIDIA's registers have them, for code that goes on to ptxas. */
#ifndef GPUPERF_PASSES_SPELL_WORK_ITEMS_H
#define GPUPERF_PASSES_SPELL_WORK_ITEMS_H

#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace gpuperf
{

/*
 * The body of each kernel goes where it is called, and calls for ids, sizes and barriers become what libclc's functions
 * are: reads of special registers and a bar.sync (PTX ISA, "Special Registers"). Where nothing else is called the
 * module is whole then, and code can be made of it without another round of the optimiser. Ids whose dimension is no
 * constant, offsets and all other functions stay calls. Sums are put in order once more, now that the ids in them are
 * known: ptxas finds other values to keep in registers then.
 */
void spellWorkItems(llvm::Module &module, llvm::FunctionAnalysisManager &manager);

} // namespace gpuperf
#endif
