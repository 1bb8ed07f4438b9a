/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Look-ups in tables that the compiler knows: program-scope constants with an initializer. */
#ifndef GPUPERF_PASSES_CONSTANT_TABLES_H
#define GPUPERF_PASSES_CONSTANT_TABLES_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"

#include "passes/analysis/lowering.h"

namespace gpuperf
{

/* What an element of a load may be: for each sum of its address's variable terms, in bytes, the bits there. Empty: not
 * a table, or one with too many places. */
struct TableLookup {
    llvm::SmallVector<AddressTerm, 2> terms;
    struct Place {
        int64_t sum;
        uint64_t bits;
    };
    llvm::SmallVector<Place, 16> places;
    explicit operator bool() const { return !places.empty(); }
};

/*
 * Stencils' offsets, permutations and lengths stand in such tables: addresses, branches and trip counts that come from
 * there are no data. A table's load is one of numbers of up to 64 bits, not volatile, with up to 64 places that the
 * address can reach. What CUDA's host may overwrite (`__constant__` without `const`) is no table.
 */
TableLookup tableLookup(const llvm::LoadInst &load, unsigned element = 0);

} // namespace gpuperf
#endif
