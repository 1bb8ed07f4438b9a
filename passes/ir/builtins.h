/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * OpenCL's builtin functions that are nothing but arithmetic (min, mad24, convert_int, vload4, atomic_add ...) as plain
 * LLVM IR, so that every later analysis understands them. What is left are work-item functions, barriers, images and
 * mathematics (classify.h).
 */
#ifndef GPUPERF_PASSES_BUILTINS_H
#define GPUPERF_PASSES_BUILTINS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

namespace gpuperf
{

/* "_Z3mini" is min, with parameters "ii"; a name that is not mangled has no parameters. */
struct BuiltinName {
    llvm::StringRef base, parameters;
};
BuiltinName builtinName(llvm::StringRef symbol);

/* The function that a call names, even where caller and declaration disagree about types (OpenCL's events and libclc).
 */
inline const llvm::Function *calledFunction(const llvm::CallBase &call)
{
    return llvm::dyn_cast<llvm::Function>(call.getCalledOperand()->stripPointerCasts());
}

/* OpenCL C declares all functions convergent. */
inline void letMove(llvm::CallBase &call)
{
    call.removeFnAttr(llvm::Attribute::Convergent);
    call.getCalledFunction()->removeFnAttr(llvm::Attribute::Convergent);
}

/* The element type of the first parameter, as the Itanium ABI abbreviates it: 'i', 'j', 'f' ..., 'H' for half; 0: none
 * of these. Pointers are looked through. */
char firstElementType(llvm::StringRef parameters);

/* Replaces such calls in our own copy of a kernel. True: variables that were passed to one can become registers now. */
bool expandBuiltins(llvm::Function &function);

} // namespace gpuperf
#endif
