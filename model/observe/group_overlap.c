/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/observe/group_overlap.h"

#include "support/extremes.h"

double gp_spread(double bytes, const struct gp_shared *shared, const gp_distances distances, const double n[3])
{
    for (int d = 0; d < 3; d++) {
        if (n[d] <= 1)
            continue;
        double times = 1 + (n[d] - 1) * (1 - shared->next[d]);
        for (int i = 0; i < GP_MOST_FURTHER && distances[d][i] > 0; i++)
            times -= shared->further[d][i] * gp_max(0, n[d] - distances[d][i]);
        bytes *= times;
    }
    return bytes;
}
