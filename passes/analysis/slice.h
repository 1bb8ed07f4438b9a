/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The skeleton: which values have to be computable so that control flow and addresses can be executed, element by
 * element of a vector, and what each is computed by. Everything else that is used at all is weight.
 */
#ifndef GPUPERF_PASSES_SLICE_H
#define GPUPERF_PASSES_SLICE_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"

#include "passes/analysis/lowering.h"
#include "passes/analysis/work_items.h"

namespace gpuperf
{

/* Of a vector's elements in a mask; those beyond 64 are in none. */
inline uint64_t bit(unsigned element) { return element < 64 ? 1ull << element : 0; }

class Slice
{
public:
    Slice(const llvm::Function &function, const WorkItemIds &ids, Target target)
        : function(function), ids(ids), target(target)
    {
    }

    /* Further values that must be computable (trip counts, steps). Before run(). */
    void require(const llvm::Value *value) { need(value, 1, 0); }
    void run();

    struct Demand {
        uint64_t executed = 0, weighed = 0; /* a bit per element */
    };
    Demand of(const llvm::Instruction &inst) const { return demands.lookup(&inst); }
    const AddressForm &address(const llvm::GEPOperator &gep);

private:
    void need(const llvm::Value *value, uint64_t executed, uint64_t weighed);
    void needAll(const llvm::Value *value);
    void addRoots();
    void process(const llvm::Instruction &inst);
    void weigh(const llvm::Instruction &inst, uint64_t elements);

    const llvm::Function &function;
    const WorkItemIds &ids;
    Target target;
    llvm::DenseMap<const llvm::Instruction *, Demand> demands;
    llvm::DenseMap<const llvm::Value *, AddressForm> addresses;
    llvm::SmallVector<const llvm::Instruction *, 64> open;
};

} // namespace gpuperf
#endif
