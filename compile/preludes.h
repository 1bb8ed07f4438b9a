/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What is put before a source that is compiled, and headers that a source includes and that stand in it already. Each
 * function: false where a file cannot be written, with a sentence. */
#ifndef GPUPERF_COMPILE_PRELUDES_WRITTEN_H
#define GPUPERF_COMPILE_PRELUDES_WRITTEN_H

#include <stdbool.h>

#include "compile/target.h"
#include "support/error.h"

/* ---- Opencl prelude ---------------------------------------------------------------------------------------------- */

/* What a device's own compiler knows of OpenCL's builtin functions and LLVM does not: declared in front of a source. */

/* Whether the target has a prelude. */
bool gp_has_opencl_prelude(const struct gp_target *target);
/* `whole`, AMD: sizes and barriers, too, which the plugin wants to see as calls. */
bool gp_write_opencl_prelude(const char *path, const struct gp_target *target, bool whole, struct gp_error *error);

/* A header that makes macros what they are in another compiler: "NAME=VALUE" defined, "NAME" not; NULL-terminated.
 * False: a sentence. */
bool gp_write_driver_macros(const char *path, char *const *macros, struct gp_error *error);

/* ---- Cuda prelude ------------------------------------------------------------------------------------------------ */

/* What a CUDA source takes for granted, for machines without NVIDIA's toolkit: keywords, thread indices, vectors, the
 * functions of the language. */

/* Each with those before: vector types and dim3; atomics, mathematical functions, exchanges between lanes. And beside
 * the toolkit what clang does not take from there. */
enum gp_cuda_prelude { GP_CUDA_KEYWORDS, GP_CUDA_TYPES, GP_CUDA_FUNCTIONS, GP_CUDA_BESIDE_TOOLKIT };

/* Makes the directory, with headers of the toolkit that sources include, or clang's headers do: empty, since the
 * prelude stands in front of the source. */
bool gp_write_cuda_headers(const char *directory, struct gp_error *error);

bool gp_write_cuda_prelude(const char *path, enum gp_cuda_prelude extent, struct gp_error *error);

/* ---- Hip prelude ------------------------------------------------------------------------------------------------- */

/* What a HIP source takes for granted, for machines without ROCm: clang has its keywords and mathematical functions;
 * the thread indices, vectors, barriers and atomics are ours. */

/* Makes the directory, with the headers of ROCm that sources include: empty, since the prelude stands in front of the
 * source. */
bool gp_write_hip_headers(const char *directory, struct gp_error *error);

bool gp_write_hip_prelude(const char *path, struct gp_error *error);

/* ---- Nvcc prelude ------------------------------------------------------------------------------------------------ */

/* What nvcc and NVRTC must find to compile OpenCL C: names, types and functions of OpenCL in terms of CUDA's. */

/*
 * Writes the header, and behind it `further` ("": nothing), the caller's macros: their names may be ones that it uses
 * itself. It has what kernels without images and without parts of vectors (`v.xy`) use; a kernel that uses more, or
 * what C++ does not take of C, is refused by nvcc: nothing in it changes a meaning silently.
 */
bool gp_write_nvcc_prelude(const char *path, const char *further, struct gp_error *error);

#endif
