/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Comparison for qsort(). */
#ifndef GPUPERF_SUPPORT_ORDER_H
#define GPUPERF_SUPPORT_ORDER_H

/* Of doubles, ascending. */
static inline int gp_by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

#endif
