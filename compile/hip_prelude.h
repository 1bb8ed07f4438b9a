/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a HIP source takes for granted, for machines without ROCm: clang has its keywords and mathematical functions;
 * the thread indices, vectors, barriers and atomics are ours. */
#ifndef GPUPERF_COMPILE_HIP_PRELUDE_H
#define GPUPERF_COMPILE_HIP_PRELUDE_H

#include <stdbool.h>

#include "support/error.h"

/* Makes the directory, with the headers of ROCm that sources include: empty, since the prelude stands in front of the
 * source. */
bool gp_write_hip_headers(const char *directory, struct gp_error *error);

bool gp_write_hip_prelude(const char *path, struct gp_error *error);

#endif
