/* What a CUDA source takes for granted, for machines without NVIDIA's toolkit: keywords, thread indices, a few functions. */
#ifndef GPUPERF_COMPILE_CUDA_PRELUDE_H
#define GPUPERF_COMPILE_CUDA_PRELUDE_H

#include <stdbool.h>

#include "support/error.h"

/* with_types: vector types, dim3 and functions, too. */
bool gp_write_cuda_prelude(const char *path, bool with_types, struct gp_error *error);

#endif
