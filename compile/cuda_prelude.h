/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a CUDA source takes for granted, for machines without NVIDIA's toolkit: keywords, thread indices, vectors, the
 * functions of the language. */
#ifndef GPUPERF_COMPILE_CUDA_PRELUDE_H
#define GPUPERF_COMPILE_CUDA_PRELUDE_H

#include <stdbool.h>

#include "support/error.h"

/* Each with those before: vector types and dim3; atomics, mathematical functions, exchanges between lanes. And beside
 * the toolkit what clang does not take from there. */
enum gp_cuda_prelude { GP_CUDA_KEYWORDS, GP_CUDA_TYPES, GP_CUDA_FUNCTIONS, GP_CUDA_BESIDE_TOOLKIT };

/* Makes the directory, with headers of the toolkit that sources include, or clang's headers do: empty, since the
 * prelude stands in front of the source. */
bool gp_write_cuda_headers(const char *directory, struct gp_error *error);

bool gp_write_cuda_prelude(const char *path, enum gp_cuda_prelude extent, struct gp_error *error);

#endif
