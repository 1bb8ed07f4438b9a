/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The knee between latency and bandwidth: (latency^k + transfer^k)^(1/k), by least squares of logarithms. */
#include "tools/calibrate/readers.h"

#include <math.h>

#include "model/timing/batches.h"

bool gp_read_knee(const double *warps, const double *cycles, size_t count, double transfer, double *latency, double *k,
                  double *misfit)
{
    enum { STEPS = 200 };
    static const double LEAST = 0.5, MOST = 20;
    double best = INFINITY;
    if (count < 4 || cycles[count - 1] > 2 * transfer * warps[count - 1] || cycles[0] < 2 * transfer * warps[0])
        return false; /* only one side of the knee is there */
    for (int l = -STEPS; l <= STEPS; l++)
        for (int s = 0; s <= STEPS; s++) {
            double far = cycles[0] * pow(1.5, (double)l / STEPS),
                   exponent = LEAST * pow(MOST / LEAST, (double)s / STEPS);
            double sum = 0;
            for (size_t i = 0; i < count; i++)
                sum += pow(log(cycles[i] / gp_with_queues(far, transfer * warps[i], exponent)), 2);
            if (sum < best) {
                best = sum;
                *latency = far;
                *k = exponent;
            }
        }
    *misfit = sqrt(best / (double)count);
    return true;
}
