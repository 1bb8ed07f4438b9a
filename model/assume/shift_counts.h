/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Arguments that count bits: `1 << log_n`. */
#ifndef GPUPERF_MODEL_SHIFT_COUNTS_H
#define GPUPERF_MODEL_SHIFT_COUNTS_H

#include "model/launch/launch.h"

#ifdef __cplusplus
extern "C" {
#endif

/* counts[GP_MAX_ARGUMENTS]: per parameter whether something is shifted by it, by a sum with it (`log_n - 1`), or by
 * what is left of it (`log_n - i`). */
void gp_shift_counts(const struct gp_kernel *kernel, bool counts[GP_MAX_ARGUMENTS]);

#ifdef __cplusplus
}
#endif
#endif
