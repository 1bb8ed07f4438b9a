/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A private copy of a kernel with its calls followed: what the analyses look at. The copy lives in a module of its own,
 * so that the module that is compiled stays as it is; its instructions keep their source positions, extended by where
 * they were called from.
 */
#ifndef GPUPERF_PASSES_FOLLOW_CALLS_H
#define GPUPERF_PASSES_FOLLOW_CALLS_H

#include <memory>

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace gpuperf
{

struct KernelCopy {
    std::unique_ptr<llvm::Module> module;
    llvm::Function *function = nullptr;
    bool truncated = false; /* some call would have exceeded the budget */
    unsigned followed = 0;  /* instructions that following calls added */
    bool inlined = false;   /* some function beside the kernel's own body was copied in */
};

/* How large functions are, each counted once: kernels of one module call the same ones, many times over. */
class FunctionSizes
{
public:
    explicit FunctionSizes(unsigned maxInstructions) : maxInstructions(maxInstructions) {}
    /* Instructions of the function itself. */
    unsigned of(const llvm::Function &function);
    /* How many instructions following all calls of a kernel would add; what a recursive call would add counts once. */
    uint64_t followed(llvm::Function &kernel);

private:
    uint64_t behind(const llvm::Function &function);
    unsigned maxInstructions;
    llvm::DenseMap<const llvm::Function *, unsigned> own;
    llvm::DenseMap<const llvm::Function *, uint64_t> known;
};

/* Recursive calls stay calls, and those that would add more than `maxFollowed` instructions or grow the copy beyond
 * `maxInstructions`. */
KernelCopy copyKernel(llvm::Function &kernel, FunctionSizes &sizes, unsigned maxInstructions, unsigned maxFollowed);

} // namespace gpuperf
#endif
