/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What clang compiles for, and the arguments that say so. */
#ifndef GPUPERF_COMPILE_TARGET_H
#define GPUPERF_COMPILE_TARGET_H

#include <stdbool.h>

#include "compile/arguments.h"
#include "hwdb/hwdb.h"

enum gp_target_kind { GP_TARGET_SPIR, GP_TARGET_HOST, GP_TARGET_NVPTX, GP_TARGET_AMDGCN, GP_TARGET_OTHER };

struct gp_target {
    enum gp_target_kind kind;
    const char *triple; /* "" for the host */
    const char *cpu;    /* "" where there is none */
    const char *chip; /* whose machine code tells of registers: the cpu, unless another that takes the same code is more
                         like the device */
    bool wave64;      /* AMD: the device runs waves of 64 where the compiler's default may be 32 */
    bool wave32;
    bool cu_mode; /* AMD: groups lie on one CU each, so that a large one has half as many registers per work-item */
    bool before_fermi; /* NVIDIA, compute capability 1.x */
    bool library;      /* AMD: clang has the library of OpenCL's functions, and links it */
};

/* Of a device; NULL: spir64. */
struct gp_target gp_target_of(const struct gp_device *device);

/* The width of a wave and how work-groups are placed, where the target says so. */
void gp_target_amd_modes(const struct gp_target *target, struct gp_arguments *arguments);

/* -target, -march or -mcpu. */
void gp_target_arguments(const struct gp_target *target, struct gp_arguments *arguments);

/* Code that the user's own compiler (not clang) would keep in place stays in place, and loops are unrolled as by it. */
void gp_code_motion_arguments(const struct gp_target *target, bool for_llvm_compile, struct gp_arguments *arguments);

/* The file of libclc with OpenCL's builtin functions; NULL: the target leaves them to the driver. */
const char *gp_target_libclc(const struct gp_target *target);

#endif
