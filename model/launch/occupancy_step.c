/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/launch/occupancy.h"

/* Whether so much of everything leaves more warps resident than `step` knows of. */
static bool improves(const struct gp_device *d, uint32_t items, uint32_t registers, uint32_t scalar, uint32_t local,
                     struct gp_occupancy_step *step)
{
    struct gp_occupancy then;
    if (!gp_occupancy(d, items, registers, scalar, local, &then, NULL) || then.occupancy <= step->occupancy + 1e-9)
        return false;
    step->groups = then.resident_groups;
    step->occupancy = then.occupancy;
    return true;
}

/* The fewest registers fewer. */
static bool by_registers(const struct gp_device *d, uint32_t items, uint32_t registers, uint32_t scalar, uint32_t local,
                         struct gp_occupancy_step *step)
{
    for (uint32_t fewer = 1; fewer < registers; fewer++)
        if (improves(d, items, registers - fewer, scalar, local, step)) {
            step->of = GP_STEP_REGISTERS;
            step->by = fewer;
            return true;
        }
    return false;
}

/* The fewest bytes fewer: more of them never leave fewer groups. */
static bool by_local_memory(const struct gp_device *d, uint32_t items, uint32_t registers, uint32_t scalar,
                            uint32_t local, struct gp_occupancy_step *step)
{
    struct gp_occupancy_step before = *step;
    uint32_t low = 0, high = local;
    if (local == 0 || !improves(d, items, registers, scalar, 0, step))
        return false;
    while (high - low > 1) { /* `high` fewer are enough, `low` fewer are not */
        struct gp_occupancy_step tried = before;
        uint32_t middle = low + (high - low) / 2;
        *(improves(d, items, registers, scalar, local - middle, &tried) ? &high : &low) = middle;
    }
    *step = before;
    improves(d, items, registers, scalar, local - high, step);
    step->of = GP_STEP_LOCAL_MEMORY;
    step->by = high;
    return true;
}

/* The nearest number of whole warps, the larger of two. Its local memory and its registers stay what they are. */
static bool by_group_size(const struct gp_device *d, uint32_t items, uint32_t registers, uint32_t scalar,
                          uint32_t local, struct gp_occupancy_step *step)
{
    uint32_t warp = (uint32_t)d->warp_width.value, now = (items + warp - 1) / warp;
    for (uint32_t away = 1; warp > 0 && away <= now; away++) {
        uint32_t sizes[2] = {now + away, now - away};
        for (int i = 0; i < 2; i++)
            if (sizes[i] > 0 && improves(d, sizes[i] * warp, registers, scalar, local, step)) {
                step->of = GP_STEP_GROUP_SIZE;
                step->by = sizes[i] * warp;
                return true;
            }
    }
    return false;
}

struct gp_occupancy_step gp_next_occupancy(const struct gp_device *d, uint32_t items, uint32_t registers,
                                           uint32_t scalar, uint32_t local, const struct gp_occupancy *now)
{
    struct gp_occupancy_step step = {.groups = now->resident_groups, .occupancy = now->occupancy};
    if (d->arch == GP_ARCH_CPU || now->occupancy >= 1)
        return step;
    if (now->limit == GP_LIMIT_REGISTERS)
        by_registers(d, items, registers, scalar, local, &step);
    else if (now->limit == GP_LIMIT_LOCAL_MEMORY)
        by_local_memory(d, items, registers, scalar, local, &step);
    else
        by_group_size(d, items, registers, scalar, local, &step);
    return step;
}
