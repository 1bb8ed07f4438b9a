/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What a call costs that stays a call, because following all of them would take too long or would never end: the
 * instructions of its function and of those that this one calls. Which ways they take is not known: all ways out of a
 * block are as likely, and loops are gone through once. Accesses to memory are not among them.
 */
#ifndef GPUPERF_PASSES_CALL_COSTS_H
#define GPUPERF_PASSES_CALL_COSTS_H

#include <map>
#include <memory>

#include "llvm/ADT/DenseMap.h"

#include "passes/cost/classify.h"

namespace gpuperf
{

using ClassCounts = std::map<gp_class, double>;

/* For all kernels of a module: they call the same functions. */
class CallCosts
{
public:
    explicit CallCosts(Target target) : target(target) {}
    /* Beside the call itself; nothing where the function has no body here. Valid as long as this is. */
    const ClassCounts &behind(const llvm::CallBase &call);

private:
    const ClassCounts &of(const llvm::Function &function);
    void addInstruction(const llvm::Instruction &inst, const Costs &costs, double times, ClassCounts &counts);
    void addCall(const llvm::CallBase &call, double times, ClassCounts &counts);
    Target target;
    const ClassCounts nothing;
    llvm::DenseMap<const llvm::Function *, std::unique_ptr<ClassCounts>> known;
};

} // namespace gpuperf
#endif
