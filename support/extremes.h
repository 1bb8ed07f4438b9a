/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The larger and the smaller of two numbers, neither of which is NaN: fmax() and fmin() are calls, since they would
 * have to ask. */
#ifndef GPUPERF_MODEL_EXTREMES_H
#define GPUPERF_MODEL_EXTREMES_H

static inline double gp_max(double a, double b) { return a > b ? a : b; }
static inline double gp_min(double a, double b) { return a < b ? a : b; }

#endif
