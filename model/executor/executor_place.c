/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Which work-items a warp's lanes are. */
#include <string.h>

#include "model/executor/executor_internal.h"

/* The work-items that this warp's lanes are; work-items of a group count with dimension 0 fastest. */
gp_mask gp_place_lanes(struct gp_executor *ex)
{
    gp_mask mask = 0;
    uint64_t item = (uint64_t)ex->at.warp * ex->width;
    uint64_t x = item % ex->at.local[0], y = item / ex->at.local[0] % ex->at.local[1],
             z = item / (ex->at.local[0] * ex->at.local[1]);
    memset(ex->at.local_id, 0, sizeof ex->at.local_id);
    for (uint32_t lane = 0; lane < ex->width && item + lane < ex->at.items; lane++) {
        ex->at.local_id[0][lane] = x;
        ex->at.local_id[1][lane] = y;
        ex->at.local_id[2][lane] = z;
        mask |= (gp_mask)1 << lane;
        if (++x < ex->at.local[0])
            continue;
        x = 0;
        if (++y < ex->at.local[1])
            continue;
        y = 0;
        z++;
    }
    return mask;
}

/* Sizes of the group, the last one of a dimension may be smaller. */
bool gp_place_group(struct gp_executor *ex, const uint64_t group[3], struct gp_error *error)
{
    const struct gp_launch *launch = ex->launch;
    uint64_t items = 1;
    for (int d = 0; d < GP_MAX_DIMS; d++) {
        uint64_t global = launch->global[d], local = launch->local[d];
        if (global == 0 || local == 0)
            return gp_fail(error, "a launch's global and local size must not be 0 (dimension %d)", d);
        ex->at.groups[d] = global / local + (global % local != 0);
        if (group[d] >= ex->at.groups[d])
            return gp_fail(error, "there is no work-group %llu in dimension %d: the launch has %llu",
                           (unsigned long long)group[d], d, (unsigned long long)ex->at.groups[d]);
        uint64_t rest = global - group[d] * local;
        ex->at.group[d] = group[d];
        ex->at.local[d] = rest < local ? rest : local;
        if (items > UINT32_MAX / ex->at.local[d])
            return gp_fail(error, "a work-group of %u x %u x %u work-items is too large", launch->local[0],
                           launch->local[1], launch->local[2]);
        items *= ex->at.local[d];
    }
    ex->at.items = (uint32_t)items;
    return true;
}
