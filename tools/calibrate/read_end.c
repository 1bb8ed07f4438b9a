/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Where a curve stops growing: a line from the origin up to there, and flat behind it. All ends are tried, by least
 * squares of y over x, so that a point counts as much as another, whose noise grows with it.
 */
#include "tools/calibrate/readers.h"

#include <math.h>

/* Squares of what is left with the end at `end`, and the best slope for it. */
static double left_over(const double *x, const double *y, size_t count, double end, double *slope)
{
    double sum = 0, squares = 0, off = 0;
    for (size_t i = 0; i < count; i++) {
        double shape = fmin(x[i], end) / x[i];
        sum += shape * y[i] / x[i];
        squares += shape * shape;
    }
    *slope = sum / squares;
    for (size_t i = 0; i < count; i++)
        off += pow((y[i] - *slope * fmin(x[i], end)) / x[i], 2);
    return off;
}

bool gp_read_end(const double *x, const double *y, size_t count, double *end, double *slope)
{
    enum { STEPS = 400, LEAST = 8 };
    if (count < LEAST || !(x[0] > 0))
        return false;
    double best = INFINITY, without = left_over(x, y, count, x[count - 1], slope), found = 0, at;
    for (int s = 1; s < STEPS; s++) {
        at = x[0] * pow(x[count - 1] / x[0], (double)s / STEPS);
        double off = left_over(x, y, count, at, slope);
        if (off < best) {
            best = off;
            found = at;
        }
    }
    *end = found;
    left_over(x, y, count, found, slope);
    bool inside = found > x[1] && found < 0.9 * x[count - 1];
    return inside && *slope > 0 && best < 0.5 * without; /* a line alone is worse by far */
}
