/* Which functions are kernels, what they are called, and what target they are for. */
#ifndef GPUPERF_PASSES_KERNELS_H
#define GPUPERF_PASSES_KERNELS_H

#include <string>
#include <vector>

#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"

#include "model/profile.h"

namespace gpuperf {

/* Families that differ in builtins, address spaces and calling conventions. */
enum class Target { Spir, Nvptx, Amdgcn, Host };
Target targetOf(const llvm::Module &module);

/* In the module's order. */
std::vector<llvm::Function *> findKernels(llvm::Module &module);

/* As the source calls it: CUDA's mangled name without namespaces' parameters. */
std::string sourceName(const llvm::Function &kernel);

/* Operand `index` of a kernel_arg_* list; "" where there is none. */
llvm::StringRef argumentText(const llvm::Function &kernel, const char *kind, unsigned index);
/* The number in kernel_arg_addr_space (OpenCL's: 1 global, 2 constant, 3 local), or -1. */
int argumentSpace(const llvm::Function &kernel, unsigned index);

gp_space spaceOf(Target target, unsigned addressSpace);

/* The program's work-group memory: on the host it has no address space of its own, only the name "KERNEL.VARIABLE". */
bool isLocalArray(const llvm::GlobalVariable &variable, Target target);

/* reqd_work_group_size and the largest group that the code is compiled for; zeros where not stated. */
void groupLimits(const llvm::Function &kernel, uint32_t required[3], uint32_t &largest, uint32_t &groups);

} // namespace gpuperf
#endif
