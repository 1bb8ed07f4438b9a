/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Symbols: what stands for an address that is not a plain number. */
#ifndef GPUPERF_MODEL_SYMBOLS_H
#define GPUPERF_MODEL_SYMBOLS_H

#include "model/profile/profile.h"

/* Symbols in gp_access. 0: the address is a plain number. */
#define GP_SYMBOL_KNOWN   0u
#define GP_SYMBOL_UNKNOWN UINT32_MAX

/*
 * The symbol of what a reference names, the same in every execution: a parameter, or an array's start. Symbols of
 * parameters come first, in order, then those of local, global and private arrays; what execution makes up is numbered
 * behind them. A sum such as buffer + 4 * (what was loaded) is another symbol: gp_memory.base says which buffer it
 * points into.
 */
static inline uint32_t gp_symbol_of(const struct gp_kernel *kernel, gp_ref ref)
{
    uint32_t index = gp_ref_index(ref), first = 1;
    switch (gp_ref_kind(ref)) {
    case GP_REF_PARAM: return first + index;
    case GP_REF_LOCAL: return first + kernel->param_count + index;
    case GP_REF_GLOBAL: return first + kernel->param_count + kernel->local_count + index;
    case GP_REF_PRIVATE: return first + kernel->param_count + kernel->local_count + kernel->global_count + index;
    default: return GP_SYMBOL_UNKNOWN;
    }
}

#endif
