/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What the files of classify.h share.
 *
 *   classify.cpp            calls, instructions, and what backends fold
 *   classify_math.cpp       mathematical functions by name
 *   classify_library.cpp    those that a CPU's code calls
 *   classify_intrinsics.cpp LLVM's own intrinsics
 *   classify_devices.cpp    those of NVIDIA's and AMD's backends
 *   classify_assembly.cpp   inline assembly
 */
#ifndef GPUPERF_PASSES_CLASSIFY_PARTS_H
#define GPUPERF_PASSES_CLASSIFY_PARTS_H

#include <optional>

#include "llvm/IR/IntrinsicInst.h"

#include "passes/cost/classify.h"

namespace gpuperf
{

inline bool isLong(const llvm::Type *type) { return type->getScalarSizeInBits() > 32; }

/* The type that decides a function's precision: its result, or for integers (ilogb) its argument. */
llvm::Type *precisionType(const llvm::CallBase &call);
/* What a cost in single precision is in the type's. */
Cost inPrecision(Cost cost, const llvm::Type *type);
/* Nobody has approximations in double precision. */
bool isApproximate(const llvm::CallBase &call);

/* Whether the function's code treats denormal numbers of single precision as zero. */
bool flushesDenormals(const llvm::Instruction &inst);
/* By an instruction's name in PTX, or an intrinsic's. */
bool isFlushedApproximation(llvm::StringRef name);
Cost whereFlushed(Cost cost, bool flushed);

/* Functions that a CPU's library has, of which it calls most for one work-item after the other. */
bool libraryCall(llvm::StringRef name, bool native, const llvm::Type *type, Cost &cost);
/* False: it is no such function. */
bool mathCall(const llvm::CallBase &call, llvm::StringRef name, Target target, CallClass &found);
CallClass intrinsicCall(const llvm::IntrinsicInst &call, Target target);
/* The names are without llvm.nvvm., llvm.amdgcn. */
CallClass nvvmCall(const llvm::CallBase &call, llvm::StringRef name);
CallClass amdgcnCall(const llvm::CallBase &call, llvm::StringRef name);
CallClass classifyAssembly(const llvm::InlineAsm &assembly, Target target);

} // namespace gpuperf
#endif
