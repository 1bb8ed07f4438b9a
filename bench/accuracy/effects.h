/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Effects of the model that can be left out, each by itself, to see what it is worth. */
#ifndef GPUPERF_BENCH_EFFECTS_H
#define GPUPERF_BENCH_EFFECTS_H

#include <stddef.h>

#include "hwdb/hwdb.h"

/* Left out either as a repaired cause (model/predict.h) or by a device that does not have it. */
struct effect {
    const char *name;
    uint32_t causes;                          /* bits 1 << GP_CAUSE_... */
    void (*remove)(struct gp_device *device); /* NULL: the device stays */
};
extern const struct effect effects[];
extern const size_t effect_count;

#endif
