/*
 * A private copy of a kernel with its calls followed: what the analyses look at. The copy lives in a module of its own,
 * so that the module that is compiled stays as it is; its instructions keep their source positions, extended by where
 * they were called from.
 */
#ifndef GPUPERF_PASSES_FOLLOW_CALLS_H
#define GPUPERF_PASSES_FOLLOW_CALLS_H

#include <memory>

#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace gpuperf {

struct KernelCopy {
    std::unique_ptr<llvm::Module> module;
    llvm::Function *function = nullptr;
    bool truncated = false; /* some call would have exceeded the budget */
    bool inlined = false;   /* some function beside the kernel's own body was copied in */
};

/* Recursive calls and calls beyond `maxInstructions` stay calls. */
KernelCopy copyKernel(llvm::Function &kernel, unsigned maxInstructions);

} // namespace gpuperf
#endif
