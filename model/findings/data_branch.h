/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Accesses under a condition that data decides, `if (a[i] < b[j]) out[atomic_inc(count)] = j`. How often that is true
 * nobody knows: all work-items are taken to go both ways, so that what is said of such an access holds if they do.
 */
#ifndef GPUPERF_MODEL_DATA_BRANCH_H
#define GPUPERF_MODEL_DATA_BRANCH_H

#include "model/profile/profile.h"

/*
 * The branch, in kernel->branches, that decides by data whether a block is come by, where nothing says how often
 * (__builtin_expect()); the nearest of several. The ends of loops are none. GP_NONE: there is none, or memory is out.
 */
uint32_t gp_data_branch_before(const struct gp_kernel *kernel, uint32_t block);

#endif
