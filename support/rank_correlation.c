/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "support/rank_correlation.h"

#include <math.h>
#include <stdlib.h>

/* Ranks with ties shared. */
static void rank(const double *values, size_t n, double *ranks)
{
    for (size_t i = 0; i < n; i++) {
        double below = 0, equal = 0;
        for (size_t k = 0; k < n; k++) {
            below += values[k] < values[i];
            equal += values[k] == values[i];
        }
        ranks[i] = below + (equal - 1) / 2;
    }
}

double gp_rank_correlation(const double *x, const double *y, size_t n)
{
    double *rank_x = malloc(2 * n * sizeof *rank_x), *rank_y = rank_x + n;
    if (rank_x == NULL)
        return 0;
    rank(x, n, rank_x);
    rank(y, n, rank_y);
    double mean = (double)(n - 1) / 2, xy = 0, xx = 0, yy = 0;
    for (size_t i = 0; i < n; i++) {
        xy += (rank_x[i] - mean) * (rank_y[i] - mean);
        xx += (rank_x[i] - mean) * (rank_x[i] - mean);
        yy += (rank_y[i] - mean) * (rank_y[i] - mean);
    }
    free(rank_x);
    return xx > 0 && yy > 0 ? xy / sqrt(xx * yy) : 0;
}
