/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Spearman's rank correlation. */
#ifndef GPUPERF_SUPPORT_RANK_CORRELATION_H
#define GPUPERF_SUPPORT_RANK_CORRELATION_H

#include <stddef.h>

/* Of n pairs of numbers, none NAN; equal ones share their ranks. 0 where one side is all the same, or memory is short.
 */
double gp_rank_correlation(const double *x, const double *y, size_t n);

#endif
