/*
 * Ranges whose rows are as long as they are many: in `if (i < n) ... a[i * n + k]` n bounds the range and is the length of a row, so that the array has n * n elements, which no device could hold if n were
 * as large as what is assumed of a range of one dimension.
 */
#ifndef GPUPERF_MODEL_SQUARES_H
#define GPUPERF_MODEL_SQUARES_H

#include "model/launch/launch.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Whether an argument that nobody stated bounds the dimension, multiplies its ids in an address of global memory, and has more elements in its square than an int can index. */
bool gp_square_is_beyond_int(const struct gp_kernel *kernel, const struct gp_launch *launch, uint32_t dimension);

#ifdef __cplusplus
}
#endif
#endif
