/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The sampling paper, section 4: how the groups of an SM end tells how its schedulers choose warps. */
#include "tools/calibrate/readers.h"

#include <math.h>

double gp_read_staircase(const double *finish, size_t count)
{
    double first = INFINITY, last = 0;
    for (size_t i = 0; i < count; i++) {
        first = fmin(first, finish[i]);
        last = fmax(last, finish[i]);
    }
    return last > 0 ? (last - first) / last : 0;
}

enum gp_policy_reading gp_read_policy(double single, double once, double twice, double thrice, bool busy)
{
    static const double FLAT = 0.25, STEEP = 0.4, STEEPER = 0.6;
    double least = fmin(once, fmin(twice, thrice)), most = fmax(once, fmax(twice, thrice));
    if (single > STEEPER && least > STEEPER)
        return busy ? GP_READ_NO_POLICY : GP_READ_OLDEST_FIRST;
    if (single < FLAT && most < FLAT)
        return GP_READ_IN_TURN;
    if (single < FLAT && least > STEEP)
        return GP_READ_OLDEST_GROUP;
    return GP_READ_NO_POLICY;
}

enum gp_refill gp_read_refill(const double *start, const double *finish, size_t count, size_t resident)
{
    static const double SOON = 0.05;
    size_t at_once = 0, by_waves = 0;
    double end = 0, wave = 0;
    for (size_t i = 0; i < count; i++)
        end = fmax(end, finish[i]);
    for (size_t i = 0; i < resident; i++)
        wave = fmax(wave, finish[i]);
    for (size_t i = resident; i < count && i < 2 * resident; i++) {
        double gap = INFINITY;
        for (size_t k = 0; k < i; k++)
            gap = fmin(gap, fabs(start[i] - finish[k]));
        at_once += gap < SOON * end && start[i] < (1 - SOON) * wave;
        by_waves += start[i] > (1 - SOON) * wave;
    }
    return at_once > 2 * by_waves ? GP_REFILL_AT_ONCE : by_waves > 2 * at_once ? GP_REFILL_BY_WAVES : GP_REFILL_UNKNOWN;
}
