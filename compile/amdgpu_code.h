/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What LLVM's AMDGPU assembly tells of a kernel's code. */
#ifndef GPUPERF_COMPILE_AMDGPU_CODE_H
#define GPUPERF_COMPILE_AMDGPU_CODE_H

#include "compile/backend.h"

/* Sets the kernel's loops, what they hold, and its spilled bytes where the code tells; these never below what the
 * metadata told before. */
void gp_read_amdgpu_code(const char *assembly, struct gp_backend_kernel *kernel);

#endif
