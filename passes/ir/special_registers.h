/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* NVIDIA's special registers, as CUDA's libraries read them. */
#ifndef GPUPERF_PASSES_SPECIAL_REGISTERS_H
#define GPUPERF_PASSES_SPECIAL_REGISTERS_H

#include "llvm/IR/IRBuilder.h"

namespace gpuperf
{

/*
 * Inline assembly that does nothing but read a special register (CUB: "mov.u32 $0, %laneid;") becomes the intrinsic for
 * it, and masks of lanes become what they are of the lane's number (PTX ISA, "Special Registers"), for the slice to
 * execute.
 */
void spellOutSpecialRegisters(llvm::Function &function);

/* The register of that name ("laneid", "tid.x"), which LLVM has an intrinsic for; null: it has none. */
llvm::Value *readSpecialRegister(llvm::IRBuilder<> &builder, llvm::StringRef name);

/* %laneid: the number of a lane in its warp. */
llvm::Value *readLane(llvm::IRBuilder<> &builder);

} // namespace gpuperf
#endif
