/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What nvcc and NVRTC must find to compile OpenCL C: names, types and functions of OpenCL in terms of CUDA's. */
#ifndef GPUPERF_COMPILE_NVCC_PRELUDE_H
#define GPUPERF_COMPILE_NVCC_PRELUDE_H

#include <stdbool.h>

#include "support/error.h"

/*
 * Writes the header, and behind it `further` ("": nothing), the caller's macros: their names may be ones that it uses
 * itself. It has what kernels without images and without parts of vectors (`v.xy`) use; a kernel that uses more, or
 * what C++ does not take of C, is refused by nvcc: nothing in it changes a meaning silently.
 */
bool gp_write_nvcc_prelude(const char *path, const char *further, struct gp_error *error);

#endif
