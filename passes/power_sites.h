/*
 * Where powf() with a small whole number as exponent stands in CUDA's source. It is a function of libdevice, whose body the optimiser puts in its callers' place; what is left of the
 * call then are places in the source.
 */
#ifndef GPUPERF_PASSES_POWER_SITES_H
#define GPUPERF_PASSES_POWER_SITES_H

#include "llvm/ADT/StringMap.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

namespace gpuperf {

class PowerSites {
public:
    /* Of a module with line tables that the optimiser has not seen yet. */
    void collect(const llvm::Module &module);

    /* Products that the power could be which an instruction is a part of; 0: it is part of none. */
    unsigned productsAt(const llvm::Instruction &inst) const;

private:
    llvm::StringMap<unsigned> products; /* by file, line and column of the call */
};

} // namespace gpuperf
#endif
