/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Where CUDA's source computes in double precision what comes from floats and ends as one, for a function of doubles or
 * a constant: exp(-0.5 * v). The functions are libdevice's, whose bodies the optimiser puts in their callers' place;
 * what is left of the calls then are places in the source.
 */
#ifndef GPUPERF_PASSES_DOUBLE_SITES_H
#define GPUPERF_PASSES_DOUBLE_SITES_H

#include "llvm/ADT/StringSet.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

namespace gpuperf
{

class DoubleSites
{
public:
    /* Of a module with line tables that the optimiser has not seen yet. A variable of doubles, which is memory there,
     * is meant to be one. */
    void collect(const llvm::Module &module);

    /* Whether an instruction is part of what stands at such a place, or was inlined there. */
    bool contains(const llvm::Instruction &inst) const;

private:
    void collectFrom(const llvm::CallBase &call);
    llvm::StringSet<> places;
};

} // namespace gpuperf
#endif
