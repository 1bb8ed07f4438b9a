/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The longest chain of dependent instructions in a block, apart from what memory takes: how long a lone warp is in it
 * at least. */
#ifndef GPUPERF_MODEL_DEPENDENT_CHAIN_H
#define GPUPERF_MODEL_DEPENDENT_CHAIN_H

#include "model/observe/work.h"

/*
 * Cycles by which a group's slowest warp, alone on its SM, is sooner done with these paths repaired: apart from waiting
 * for memory each block's time shrinks as its longest chain does.
 */
double gp_chain_saved(const struct gp_kernel *kernel, const struct gp_work *work, const struct gp_device *device,
                      uint32_t repaired_paths);

#endif
