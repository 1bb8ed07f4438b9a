/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Which functions are kernels, what they are called, and what target they are for. */
#ifndef GPUPERF_PASSES_KERNELS_H
#define GPUPERF_PASSES_KERNELS_H

#include <string>
#include <vector>

#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

#include "model/profile/profile.h"

namespace gpuperf
{

/* Families that differ in builtins, address spaces and calling conventions. */
enum class Target { Spir, Nvptx, Amdgcn, Host };
Target targetOf(const llvm::Module &module);

/* Clang makes two functions of an OpenCL kernel: one with its body, and the kernel, which calls it. */
bool isKernelBody(const llvm::Function &function);
/* Where a kernel calls its body before it does anything else; null: it has it itself, or the body is not here. */
llvm::CallInst *callOfBody(llvm::Function &kernel);

/* In the module's order. */
std::vector<llvm::Function *> findKernels(llvm::Module &module);

/* As the source calls it: CUDA's mangled name without namespaces' parameters. */
std::string sourceName(const llvm::Function &kernel);

/* What clang says of an OpenCL kernel's arguments: lists of texts, and of numbers (1 global, 2 constant, 3 local); NULL
 * where there are none. */
struct ArgumentLists {
    const llvm::MDNode *names, *baseTypes, *qualifiers, *spaces;
};
ArgumentLists argumentLists(const llvm::Function &kernel);

/* Operand `index` of a list of texts; "" where there is none. */
llvm::StringRef argumentText(const llvm::MDNode *list, unsigned index);
/* The same of a list of numbers, or -1. */
int argumentSpace(const llvm::MDNode *list, unsigned index);

gp_space spaceOf(Target target, unsigned addressSpace);

/* The program's work-group memory: on the host it has no address space of its own, only the name "KERNEL.VARIABLE". */
bool isLocalArray(const llvm::GlobalVariable &variable, Target target);

/* reqd_work_group_size and the largest group that the code is compiled for; zeros where not stated. */
void groupLimits(const llvm::Function &kernel, uint32_t required[3], uint32_t &largest, uint32_t &groups);

} // namespace gpuperf
#endif
