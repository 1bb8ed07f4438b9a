/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef GPUPERF_CONFIG_SIZES_H
#define GPUPERF_CONFIG_SIZES_H

#include <stdint.h>

/* A range, a work-group or a grid as a user states it. */
struct gp_sizes {
    uint32_t dims; /* 0: not given */
    uint64_t size[3];
};

#endif
