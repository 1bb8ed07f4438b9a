/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What programs compute in PTX: rotations, and the casts between generic and shared addresses behind which hand-written
 * accesses to shared memory stand. */
#ifndef GPUPERF_PASSES_ADDRESS_ASSEMBLY_H
#define GPUPERF_PASSES_ADDRESS_ASSEMBLY_H

#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"

namespace gpuperf
{

/*
 * Inline assembly that is nothing but casts of addresses (cvta), conversions between integers (cvt), moves, sums, logic
 * and funnel shifts, becomes these, so that they fuse with what stands around them as ptxas has it: `{.reg .u64 t;
 * cvta.to.shared.u64 t, $1; cvt.u32.u64 $0, t;}` (PTX ISA, "Data Movement and Conversion Instructions"). Where one
 * other statement stands behind them, such as `ldmatrix ... [t]`, it stays, with the address as an operand of its own.
 * For copies that are analysed.
 */
void spellOutAddressAssembly(llvm::Function &function);

/* The pointer into an address space that an integer was made of, moved on as the integer was:
 * __cvta_generic_to_shared(p) + 1024. Null: none is seen. */
llvm::Value *pointerOf(llvm::IRBuilder<> &builder, llvm::Value *number, unsigned space);

} // namespace gpuperf
#endif
