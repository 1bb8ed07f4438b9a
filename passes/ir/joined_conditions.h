/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Conditions joined of others. */
#ifndef GPUPERF_PASSES_JOINED_CONDITIONS_H
#define GPUPERF_PASSES_JOINED_CONDITIONS_H

#include <optional>

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/Value.h"

namespace gpuperf
{

/* Whether the condition holds, if what `answerOf` says of its parts decides that: of negations, `or`, `and`, elements
 * of vectors, numbers made of conditions that are compared with 0. Nothing: it does not. */
std::optional<bool> joinedAnswer(const llvm::Value &condition,
                                 llvm::function_ref<std::optional<bool>(const llvm::Value &)> answerOf,
                                 unsigned depth = 8);

} // namespace gpuperf
#endif
