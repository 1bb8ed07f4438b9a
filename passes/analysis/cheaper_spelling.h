/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Instructions that another spelling of the source would make cheaper: arithmetic that is in double precision only
 * because of a constant without an f or a function of doubles, pow() with a small whole number as exponent, and
 * comparisons for an element of a vector in registers whose number is not known.
 */
#ifndef GPUPERF_PASSES_REPAIRABLE_H
#define GPUPERF_PASSES_REPAIRABLE_H

#include <optional>

#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

#include "passes/cost/classify.h"
#include "passes/analysis/double_sites.h"
#include "passes/analysis/power_sites.h"

namespace gpuperf
{

/* Products that a call of pow(), powr() or pown() with a whole number from 2 to 8 as exponent could be; 0: it is none.
 */
unsigned productsInsteadOf(const llvm::CallBase &call);

/* The same of an exponent. */
unsigned productsOf(const llvm::Value *exponent);

class Repairable
{
public:
    /* looseDivisions: in single precision, divisions and roots are not correctly rounded (singleDivision()). */
    Repairable(const llvm::Function &function, const llvm::LoopInfo &loops, Target target, const PowerSites *powers,
               const DoubleSites *doubles, bool looseDivisions);

    /* What an instruction that pays `paid` would pay. Nothing where the source's spelling is not the cause. */
    std::optional<Cost> of(const llvm::Instruction *inst, Cost paid) const;

private:
    Cost inSingle(const llvm::Instruction &inst, Cost paid) const;
    llvm::DenseMap<const llvm::Instruction *, gp_class>
        singles; /* its class; GP_CLASS_COUNT: the one in single precision */
    llvm::DenseMap<const llvm::Instruction *, unsigned> products; /* of a pow() */
    const PowerSites *powers;                                     /* NULL: unknown */
    const DoubleSites *doubles;                                   /* NULL: unknown */
    Target target;
    bool looseDivisions;
};

} // namespace gpuperf
#endif
