/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Bodies of functions, copied into a kernel's private copy. LLVM's own InlineFunction does the same for optimisers:
 * with maps that follow every change of a value, metadata for alias analyses that do not run here, and a simplification
 * of all that was copied, although it left the optimiser a moment ago. Following calls was the largest part of building
 * a profile with it.
 */
#ifndef GPUPERF_PASSES_COPY_BODY_H
#define GPUPERF_PASSES_COPY_BODY_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"

namespace gpuperf
{

/* Into a function without a body and of the same type. No subprogram, no attachments: no metadata of the original is
 * copied or changed. */
void copyBody(const llvm::Function &body, llvm::Function &into);

struct InlinedCall {
    bool done = false;                            /* false: nothing was changed */
    bool variables = false;                       /* the callee has variables of its own, now the caller's */
    llvm::SmallVector<llvm::CallBase *, 8> calls; /* the callee's, in the order of its blocks; no intrinsics */
};

/* Puts the callee's body in place of a call, without what the arguments make unreachable. Source positions are extended
 * by the call's. */
InlinedCall inlineCall(llvm::CallBase &call);

} // namespace gpuperf
#endif
