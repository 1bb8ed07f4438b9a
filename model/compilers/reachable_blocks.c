/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/compilers/reachable_blocks.h"

#include <stdlib.h>

#include "model/compilers/liveness.h"

/* The way of a branch on data that nobody takes: 0, 1, or 2 for none. Loops are left by such ways where there are no
 * others. */
static uint32_t way_not_taken(const struct gp_kernel *kernel, uint32_t block)
{
    enum { SURE = UINT16_MAX, NONE = 2 };
    const struct gp_inst *end = gp_block_terminator(kernel, block);
    const struct gp_branch *branch =
        end->op == GP_OP_CONDBR && end->record != GP_NONE ? &kernel->branches[end->record] : NULL;
    if (branch == NULL || branch->kind != GP_BRANCH_DATA || !branch->has_probability ||
        (branch->probability != 0 && branch->probability != SURE))
        return NONE;
    uint32_t way = branch->probability == SURE;
    bool leaves = kernel->blocks[gp_block_successor(kernel, block, way)].loop != kernel->blocks[block].loop;
    return leaves ? NONE : way;
}

bool *gp_blocks_taken(const struct gp_kernel *kernel)
{
    bool *taken = calloc((size_t)kernel->block_count + 1, sizeof *taken);
    uint32_t *open = malloc(((size_t)kernel->block_count + 1) * sizeof *open), count = 0;
    if (kernel->block_count > 0) {
        taken[0] = true;
        open[count++] = 0;
    }
    while (count > 0) {
        uint32_t block = open[--count], not_taken = way_not_taken(kernel, block);
        for (uint32_t way = 0, next; (next = gp_block_successor(kernel, block, way)) != GP_NONE; way++)
            if (way != not_taken && !taken[next]) {
                taken[next] = true;
                open[count++] = next;
            }
    }
    free(open);
    return taken;
}
