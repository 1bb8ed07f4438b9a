/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Arguments that divide a multiple of another one: `(i * down) % up`. Where both were the number that is assumed of any
 * argument, all work-items would have the same remainder, 0.
 */
#ifndef GPUPERF_MODEL_MODULI_H
#define GPUPERF_MODEL_MODULI_H

#include "model/launch/launch.h"

#ifdef __cplusplus
extern "C" {
#endif

/* moduli[GP_MAX_ARGUMENTS]: per parameter, whether what differs between work-items or iterations is multiplied with
 * another integer parameter and divided by this one, for a quotient or a remainder. */
void gp_moduli(const struct gp_kernel *kernel, bool moduli[GP_MAX_ARGUMENTS]);

#ifdef __cplusplus
}
#endif
#endif
