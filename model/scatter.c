#include "model/scatter.h"

#include <math.h>
#include <string.h>

double gp_expected_distinct(double cells, double draws)
{
    if (cells <= 1)
        return fmin(1, draws);
    return cells * -expm1(draws * log1p(-1 / cells));
}

enum { MOST_DRAWS = 64 };

/* Product of two power series up to x^draws; `product` may be one of them. */
static void multiply(const double *a, const double *b, unsigned draws, double *product)
{
    double sum[MOST_DRAWS + 1] = {0};
    for (unsigned i = 0; i <= draws; i++)
        for (unsigned j = 0; i + j <= draws; j++)
            sum[i + j] += a[i] * b[j];
    memcpy(product, sum, (draws + 1) * sizeof *sum);
}

/* P(fullest <= k): the power series in x/m, to the power of m by squaring. */
static double no_cell_has_more(unsigned k, uint64_t cells, unsigned draws)
{
    double part[MOST_DRAWS + 1] = {1}, power[MOST_DRAWS + 1] = {1};
    for (unsigned i = 1; i <= k; i++)
        part[i] = part[i - 1] / (i * (double)cells);
    for (uint64_t left = cells; left > 0; left /= 2) {
        if (left % 2 != 0)
            multiply(power, part, draws, power);
        multiply(part, part, draws, part);
    }
    double probability = power[draws];
    for (unsigned i = 2; i <= draws; i++)
        probability *= i;
    return fmin(1, probability);
}

double gp_expected_in_fullest(uint64_t cells, unsigned draws)
{
    double expected = draws > 0 ? 1 : 0, fuller = 1;
    if (draws > MOST_DRAWS)
        draws = MOST_DRAWS;
    if (cells <= 1)
        return draws;
    for (unsigned k = 1; k < draws && fuller > 1e-6; k++) {
        fuller = 1 - no_cell_has_more(k, cells, draws);
        expected += fuller;
    }
    return expected;
}
