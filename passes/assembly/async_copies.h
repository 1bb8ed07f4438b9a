/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Copies from global to shared memory that a warp does not wait for: cp.async. */
#ifndef GPUPERF_PASSES_ASYNC_COPIES_H
#define GPUPERF_PASSES_ASYNC_COPIES_H

#include "llvm/IR/IRBuilder.h"

namespace gpuperf
{

/*
 * A copy's store does not take what its load brings; the wait does: cp.async.wait_group N waits for all groups of
 * copies but the last N that cp.async.commit_group closed (PTX ISA, "Data Movement and Conversion Instructions:
 * cp.async"). What each group brings is a variable of its own here, which a commit moves on by one; finish() turns the
 * variables into values.
 */
class AsyncCopies
{
public:
    explicit AsyncCopies(llvm::Function &function) : function(function) {}
    void copy(llvm::IRBuilder<> &builder,
              llvm::LoadInst &load); /* of an i32 or a vector of such; its metadata `nosanitize`, of no use elsewhere in
                                        the analysed copy of a kernel, marks it for the emitter */
    void commit(llvm::IRBuilder<> &builder);
    void wait(llvm::IRBuilder<> &builder, unsigned pending); /* pending: groups that may still be under way */
    void waitForAll(llvm::IRBuilder<> &builder);
    void finish();

private:
    enum { MOST_GROUPS = 8 };
    void begin();
    void waitFor(llvm::IRBuilder<> &builder, llvm::Value *word);

    llvm::Function &function;
    llvm::SmallVector<llvm::AllocaInst *, MOST_GROUPS + 1> groups; /* [0]: the open one, [n]: the nth before it */
};

} // namespace gpuperf
#endif
