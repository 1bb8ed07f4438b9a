/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Where pow() with a small whole number as exponent stands in CUDA's source. It is a function of libdevice, whose body
 * the optimiser puts in its callers' place; what is left of the call then are places in the source.
 */
#ifndef GPUPERF_PASSES_POWER_SITES_H
#define GPUPERF_PASSES_POWER_SITES_H

#include "llvm/ADT/StringMap.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

namespace gpuperf
{

/* A place in the source as a key of such maps. */
std::string placeKey(const llvm::DILocation &place);

struct PowerSite {
    unsigned products; /* that the power could be */
    bool ofDoubles;
};

class PowerSites
{
public:
    /* Of a module with line tables that the optimiser has not seen yet. */
    void collect(const llvm::Module &module);

    /* The power that an instruction is a part of; null: it is part of none. */
    const PowerSite *at(const llvm::Instruction &inst) const;

private:
    llvm::StringMap<PowerSite> sites; /* by file, line and column of the call */
};

} // namespace gpuperf
#endif
