/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Arguments that are the distance of neighbours in elements: in `x[i * incx + offset]` incx is 1 where neighbours lie
 * side by side, and hardly the number that is assumed of other arguments. */
#ifndef GPUPERF_MODEL_UNIT_STRIDES_H
#define GPUPERF_MODEL_UNIT_STRIDES_H

#include "model/launch/launch.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * unit[GP_MAX_ARGUMENTS]: per parameter, whether it is multiplied with the first dimension's id, or a counter that
 * starts with it, to give an index, beside which there is nothing in an element's place: no counter, no other id (`a[x
 * * height + y]`), no constant (`a[i * n + 1]`); and whether it is compared to nothing, and is no row's length
 * elsewhere (`a[i * n + k] / a[k * n + k]`).
 */
void gp_unit_strides(const struct gp_kernel *kernel, bool unit[GP_MAX_ARGUMENTS]);

#ifdef __cplusplus
}
#endif
#endif
