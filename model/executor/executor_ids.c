/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Work-item ids, sizes and counts, as the launch has placed the warp. */
#include "model/executor/executor_internal.h"

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
