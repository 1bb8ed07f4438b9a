/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Trip counts that scalar evolution does not give: the hybrid framework's induction-variable analysis (its section
 * III.A) for a variable that grows or shrinks by an addition whose step is no constant, or by a factor that is a power
 * of two.
 *
 * ALGORITHM: an exit that every iteration passes compares a value V that steps from iteration to iteration (the
 * header's phi, that and a number, or what it is next) with a bound B that does not change. The number T of times that
 * the loop stays is
 *
 *   V += D while V < B    T = ceil((max(B, V0) - V0) / D)
 *   V += D while V != B   T = (B - V0) / D, modulo what V's type holds, where D divides it
 *   V -= D while V > B    T = ceil((V0 - min(B, V0)) / D)
 *   V <<= K while V < B   T = ceil(length((max(B, 1) - 1) / V0) / K)     length: bits up to the highest that is set
 *   V >>= K while V > B   T = ceil(length(V0 / (B + 1)) / K)
 *
 * with V0 the first value that is compared, and the header is entered T + 1 times. Where V would leave its type, or the
 * step of an addition has the wrong sign, the expression divides by zero, which is "not known" when it is evaluated.
 */
#ifndef GPUPERF_PASSES_INDUCTIONS_H
#define GPUPERF_PASSES_INDUCTIONS_H

#include <vector>

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"

#include "model/profile/profile.h"

namespace gpuperf
{

/* One operation of a trip count, on values that are available before the loop, numbers and earlier operations. */
struct TripOperand {
    enum Kind { Value, Number, Earlier } kind;
    const llvm::Value *value;
    uint64_t number; /* or the index of the operation */
};
struct TripOperation {
    gp_op op;
    uint8_t bits, width, sub;
    std::vector<TripOperand> operands;
};
using TripExpression = std::vector<TripOperation>; /* the last is the result; empty: not known */

TripExpression inductionTripCount(const llvm::Loop &loop, const llvm::DominatorTree &dominators);

} // namespace gpuperf
#endif
