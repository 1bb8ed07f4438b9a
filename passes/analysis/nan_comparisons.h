/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Conditions that ask whether a number is one (NaN). */
#ifndef GPUPERF_PASSES_NAN_TESTS_H
#define GPUPERF_PASSES_NAN_TESTS_H

#include <optional>

#include "llvm/IR/Function.h"

namespace gpuperf
{

/* Whether a test says NaN: false for `x != x`, true for `x == x`, where the number is one; nothing for other values. */
std::optional<bool> nanTest(const llvm::Value &test);

/*
 * LLVM leaves the loop of a vectorised fmax() where a NaN comes, and goes on without vectors. Nobody computes with
 * NaNs: such an exit is never taken, also as part of a condition, and what else asks the same (where the loop for what
 * is left over starts) has the same answer, so that the number of iterations is known. A call in the test's place
 * (passedAssertion) keeps what it costs. A loop that has no other way out keeps this one. For the copy that is
 * analysed.
 */
void leaveOutNanExits(llvm::Function &function);

} // namespace gpuperf
#endif
