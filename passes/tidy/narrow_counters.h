/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Counters that are wider than the source's. */
#ifndef GPUPERF_PASSES_NARROW_COUNTERS_H
#define GPUPERF_PASSES_NARROW_COUNTERS_H

#include "llvm/IR/Function.h"

namespace gpuperf
{

/*
 * `for (int i = get_global_id(0); i < n; i += get_global_size(0))`: the sum has 64 bits, of which 32 are kept, and the
 * optimiser keeps them in a phi of 64 and extends their sign anew in each iteration. The copy counts in 32 bits, as the
 * source does, and the loop's bound can be found.
 */
void narrowCounters(llvm::Function &function);

} // namespace gpuperf
#endif
