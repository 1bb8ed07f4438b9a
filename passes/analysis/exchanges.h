/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Exchanges, and compare-and-swaps, that no exchange of one work-item for several stands for. */
#ifndef GPUPERF_PASSES_EXCHANGES_H
#define GPUPERF_PASSES_EXCHANGES_H

#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"

namespace gpuperf
{

/*
 * Whether what work-items bring to an atomic cannot be combined before it. What can: an exchange of one value
 * (`uniform`) whose old value nobody asks for, and additions, products, minima ... that a loop makes of exchanges
 * (`retried`): of several work-items' values one is made first. Which of several others comes first, and what it finds,
 * is what the rest are for.
 */
bool exchangesForItself(const llvm::Instruction &atomic, bool retried, bool uniform);

/* What a compare-and-swap puts at its place, if the comparison asks for its order with what stands there; null: it does
 * not. */
const llvm::Value *orderedWithPlaceOf(const llvm::AtomicCmpXchgInst &swap, const llvm::CmpInst &test);

/* Whether a compare-and-swap puts the larger, or the lesser, of the old value and another where the old one was. */
bool keepsLargestOrLeast(const llvm::Instruction &atomic);

} // namespace gpuperf
#endif
