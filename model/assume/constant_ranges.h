/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Ranges that the kernel itself says: in `if (i < 4096 && j < 4096) { ... }` work-items beyond 4096 do nothing, and
 * nobody launches many of them. */
#ifndef GPUPERF_MODEL_CONSTANT_RANGES_H
#define GPUPERF_MODEL_CONSTANT_RANGES_H

#include "model/launch/launch.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Per dimension the constant that its global id, or its group's number, or that and what is the same for all, must be
 * less than for a work-item to do anything, as the kernel's first branches have it, before anything is done, whatever
 * the constant is; 0: there is none.
 */
struct gp_constant_ranges {
    uint64_t items[3], groups[3];
};
void gp_constant_ranges(const struct gp_kernel *kernel, struct gp_constant_ranges *ranges);

#ifdef __cplusplus
}
#endif
#endif
