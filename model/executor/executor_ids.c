/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Which work-items a warp's lanes are: ids, sizes and counts. */
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

static void set_id_slot(struct gp_executor *ex, const struct op *op, gp_mask mask, uint64_t base, const uint64_t *lanes)
{
    struct slot *dest = &ex->slots[op->dest];
    uint64_t bits = gp_bits_mask(op->operation.bits), first = lanes[__builtin_ctzll(mask)];
    bool same = true;
    for (gp_mask rest = mask; rest && same; rest &= rest - 1)
        same = lanes[__builtin_ctzll(rest)] == first;
    if (same) {
        gp_slot_set_uniform(ex, dest, mask, (struct gp_value){GP_SYMBOL_KNOWN, (base + first) & bits});
        return;
    }
    for (uint32_t i = 0; i < ex->lanes; i++)
        ex->scratch.offsets[3][i] = (base + lanes[i]) & bits;
    gp_slot_set_vector(ex, dest, mask, GP_SYMBOL_KNOWN, ex->scratch.offsets[3]);
}

void gp_execute_id(struct gp_executor *ex, const struct op *op, gp_mask mask)
{
    static const uint64_t no_lanes[GP_MAX_LANES];
    uint64_t lane_numbers[GP_MAX_LANES];
    const struct gp_launch *launch = ex->launch;
    const uint64_t *lanes = no_lanes;
    unsigned id = op->operation.sub >> 2, dim = op->operation.sub & 3;
    bool in_range = dim < GP_MAX_DIMS;
    dim = in_range ? dim : 0;
    uint64_t base = 0;
    switch (id) {
    case GP_ID_LOCAL: lanes = in_range ? ex->at.local_id[dim] : no_lanes; break;
    case GP_ID_GROUP: base = in_range ? ex->at.group[dim] : 0; break;
    case GP_ID_GLOBAL:
        base = in_range ? launch->offset[dim] + ex->at.group[dim] * launch->local[dim] : 0;
        lanes = in_range ? ex->at.local_id[dim] : no_lanes;
        break;
    case GP_ID_LOCAL_SIZE: base = in_range ? ex->at.local[dim] : 1; break;
    case GP_ID_GLOBAL_SIZE: base = in_range ? launch->global[dim] : 1; break;
    case GP_ID_GROUP_COUNT: base = in_range ? ex->at.groups[dim] : 1; break;
    case GP_ID_OFFSET: base = in_range ? launch->offset[dim] : 0; break;
    case GP_ID_WORK_DIM: base = launch->dims; break;
    case GP_ID_LANE:
        for (uint32_t i = 0; i < GP_MAX_LANES; i++)
            lane_numbers[i] = i;
        lanes = lane_numbers;
        break;
    case GP_ID_SUBGROUP: base = ex->at.warp; break;
    case GP_ID_SUBGROUP_SIZE: base = ex->width; break;
    case GP_ID_SUBGROUP_COUNT: base = (ex->at.items + ex->width - 1) / ex->width; break;
    default: break;
    }
    set_id_slot(ex, op, mask, base, lanes);
}
