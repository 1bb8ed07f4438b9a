/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the cases' checks have in common: which outputs they look at, and what rounding explains. */
#ifndef GPUPERF_BENCH_CHECKS_H
#define GPUPERF_BENCH_CHECKS_H

#include <math.h>
#include <stddef.h>

#include "bench/accuracy/table.h"

enum { LOOKS = 2000 }; /* outputs looked at, spread evenly */

static inline size_t step_over(size_t count) { return count / LOOKS + 1; }

/* A whole number of the table; 1 where it has no such column. */
static inline unsigned cell(const struct table *table, size_t row, const char *column)
{
    return (unsigned)table_cell(table, row, column, 1);
}

/* As gpu_case.error. `magnitude`: of the numbers that were added up, `terms` of them: a sum of single precision is off
 * by less than its last place for each. */
static inline double error_of_sum(double got, double expected, double magnitude, double terms)
{
    const double LAST_PLACE = 6e-8;
    double allowed = LAST_PLACE * magnitude * (64 + terms) + 1e-30;
    return isfinite(got) ? fabs(got - expected) / allowed : INFINITY;
}

/* The magnitude is the result, or 1 where that is smaller. */
static inline double sum_error(double got, double expected, double terms)
{
    return error_of_sum(got, expected, fmax(1, fabs(expected)), terms);
}

#endif
