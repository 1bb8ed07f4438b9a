/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Arguments that bound what data decides: in `bins[key[i] & mask]` and `table[hash % slots]` nobody knows how many
 * places there are, and no number that is assumed of the argument tells.
 */
#ifndef GPUPERF_MODEL_DATA_BOUNDS_H
#define GPUPERF_MODEL_DATA_BOUNDS_H

#include "model/launch/launch.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * bounds[GP_MAX_ARGUMENTS]: per integer parameter, whether it, or a sum of it and a constant, cuts off something that
 * was loaded (a mask, a divisor of a remainder, the other one of a minimum or of an upper half of a product), or is
 * compared with it, and decides nothing else: no address, branch or loop besides.
 */
void gp_data_bounds(const struct gp_kernel *kernel, bool bounds[GP_MAX_ARGUMENTS]);

#ifdef __cplusplus
}
#endif
#endif
