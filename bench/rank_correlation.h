/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Spearman's rank correlation. */
#ifndef GPUPERF_BENCH_RANK_CORRELATION_H
#define GPUPERF_BENCH_RANK_CORRELATION_H

#include <stddef.h>

/* Of n pairs of numbers, none NAN; equal ones share their ranks. 0 where one side is all the same, or memory is short.
 */
double rank_correlation(const double *x, const double *y, size_t n);

#endif
