/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Along which dimensions work-items next to each other touch what is next to each other in memory. */
#ifndef GPUPERF_MODEL_NEIGHBOURS_H
#define GPUPERF_MODEL_NEIGHBOURS_H

#include "model/profile/profile.h"

/* A bit each: those whose id is counted in elements in some access to global memory. Read off the addresses, nothing is
 * executed. */
uint8_t gp_dimensions_of_neighbours(const struct gp_kernel *kernel);

#endif
