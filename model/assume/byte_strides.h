/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Arguments that are distances in bytes: in `*(float *)(base + i * nb)` nb is 4 where neighbours lie side by side, and
 * hardly the number that is assumed of other arguments. */
#ifndef GPUPERF_MODEL_BYTE_STRIDES_H
#define GPUPERF_MODEL_BYTE_STRIDES_H

#include "model/launch/launch.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * strides[GP_MAX_ARGUMENTS]: per parameter that an id, or a counter that starts with one, is multiplied with to give
 * bytes, as many as there are where elements of more than one byte lie side by side: of one for the first dimension's
 * id, of a row of the range for the second's, of a plane for the third's, of `row` elements for a group's number alone.
 * 0: it is nothing of the kind, or the id has been multiplied with the elements' size before.
 */
void gp_byte_strides(const struct gp_kernel *kernel, const struct gp_launch *launch, uint32_t row,
                     uint64_t strides[GP_MAX_ARGUMENTS]);

#ifdef __cplusplus
}
#endif
#endif
