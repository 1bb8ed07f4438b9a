/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Curves that rise in a step. */
#include "tools/calibrate/readers.h"

#include <math.h>

/* The first point within 12% of the upper level, which the last two tell; all behind it are within 15%. */
bool gp_read_step(const double *x, const double *y, size_t count, double *at)
{
    if (count < 3)
        return false;
    double high = (y[count - 1] + y[count - 2]) / 2, low = y[0];
    size_t step = 0;
    if (high < 1.2 * low)
        return false;
    while (step < count && y[step] < high - 0.12 * high)
        step++;
    for (size_t i = step; i < count; i++)
        if (fabs(y[i] - high) > 0.15 * high)
            return false;
    *at = x[step];
    return step > 0 && step + 1 < count;
}

bool gp_read_first_step(const double *x, const double *y, size_t count, double *at)
{
    double low = 0;
    for (size_t i = 0; i < count; i++) {
        if (i > 1 && y[i] > 1.125 * low / (double)i) {
            *at = x[i];
            return true;
        }
        low += y[i];
    }
    return false;
}
