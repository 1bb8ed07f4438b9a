/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * How much an SM has of what groups hold, from how many of each size it holds. Each takes somewhat more than it asks
 * for (what the system keeps): the least with which all sizes agree.
 */
#include "tools/calibrate/readers.h"

#include <math.h>

bool gp_read_room(const double *each, const double *groups, size_t count, double *low, double *high)
{
    static const double MOST_KEPT = 2048, STEP = 16;
    for (double kept = 0; count > 0 && kept <= MOST_KEPT; kept += STEP) {
        *low = 0;
        *high = INFINITY;
        for (size_t i = 0; i < count; i++) {
            *low = fmax(*low, groups[i] * (each[i] + kept));
            *high = fmin(*high, (groups[i] + 1) * (each[i] + kept));
        }
        if (*low < *high)
            return true;
    }
    return false;
}
