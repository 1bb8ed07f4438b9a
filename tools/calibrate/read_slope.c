/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Medians: of repeats, and of slopes. */
#include "tools/calibrate/readers.h"

#include <math.h>
#include <stdlib.h>

#include "support/order.h"

double gp_median(double *numbers, size_t count, double *spread)
{
    if (count == 0)
        return NAN;
    qsort(numbers, count, sizeof *numbers, gp_by_value);
    double median = count % 2 ? numbers[count / 2] : (numbers[count / 2 - 1] + numbers[count / 2]) / 2;
    if (spread != NULL)
        *spread = median > 0 ? (numbers[(3 * (count - 1) + 2) / 4] - numbers[(count - 1) / 4]) / median : 0;
    return median;
}

bool gp_read_slope(const double *x, const double *y, size_t count, double *slope)
{
    double *slopes = malloc((count * count + 1) * sizeof *slopes);
    size_t found = 0;
    for (size_t i = 0; slopes != NULL && i < count; i++)
        for (size_t k = i + 1; k < count; k++)
            if (x[k] != x[i])
                slopes[found++] = (y[k] - y[i]) / (x[k] - x[i]);
    *slope = found > 0 ? gp_median(slopes, found, NULL) : 0;
    free(slopes);
    return found > 0;
}
