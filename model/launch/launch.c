/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/launch/launch.h"

#include <string.h>

bool gp_range_is_countable(const uint64_t global[3])
{
    uint64_t left = GP_MOST_WORK_ITEMS;
    for (int d = 0; d < 3; d++)
        left /= global[d];
    return left > 0;
}

uint64_t gp_launch_group_items(const struct gp_launch *launch)
{
    return (uint64_t)launch->local[0] * launch->local[1] * launch->local[2];
}

bool gp_launch_halve_group(struct gp_launch *launch)
{
    int largest = 0;
    for (int d = 1; d < 3; d++)
        if (launch->local[d] >= launch->local[largest])
            largest = d;
    if (launch->local[largest] < 2)
        return false;
    launch->local[largest] /= 2;
    return true;
}

void gp_launch_fill_groups(struct gp_launch *launch)
{
    uint64_t filled[3];
    for (int d = 0; d < 3; d++)
        filled[d] = (launch->global[d] + launch->local[d] - 1) / launch->local[d] * launch->local[d];
    if (gp_range_is_countable(filled))
        memcpy(launch->global, filled, sizeof filled);
}

bool gp_dimension_is_used(const struct gp_kernel *kernel, uint32_t dimension)
{
    for (uint32_t i = 0; i < kernel->inst_count; i++)
        if (kernel->insts[i].op == GP_OP_ID && (kernel->insts[i].sub & 3) == dimension)
            return true;
    return false;
}

bool gp_dimension_is_of_groups(const struct gp_kernel *kernel, uint32_t dimension)
{
    bool of_groups = false;
    for (uint32_t i = 0; i < kernel->inst_count; i++) {
        const struct gp_inst *inst = &kernel->insts[i];
        unsigned id = inst->sub >> 2;
        if (inst->op != GP_OP_ID || (inst->sub & 3) != dimension)
            continue;
        if (id != GP_ID_GROUP && id != GP_ID_GROUP_COUNT)
            return false;
        of_groups = true;
    }
    return of_groups;
}

uint64_t gp_launch_groups(const struct gp_launch *launch, uint64_t groups[3])
{
    uint64_t all = 1;
    for (int d = 0; d < 3; d++) {
        groups[d] =
            launch->local[d] ? launch->global[d] / launch->local[d] + (launch->global[d] % launch->local[d] != 0) : 0;
        all *= groups[d];
    }
    return all;
}

void gp_launch_take_group(struct gp_launch *launch)
{
    for (uint32_t i = 0; i < GP_MAX_ARGUMENTS; i++) {
        struct gp_argument *argument = &launch->arguments[i];
        if (argument->group.along > 0 && !argument->stated)
            argument->value = launch->local[argument->group.along - 1] >> argument->group.halved;
    }
}
