/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/findings/causes.h"

#include <stdlib.h>
#include <string.h>

#include "model/value/inst_facts.h"
#include "model/compilers/liveness.h"

/* Marks what is reached from a block before `until`. */
static void mark(const struct gp_kernel *kernel, uint32_t from, uint32_t until, bool *reached, uint32_t *stack)
{
    uint32_t depth = 0;
    if (from == until || reached[from])
        return;
    stack[depth++] = from;
    reached[from] = true;
    while (depth > 0) {
        uint32_t block = stack[--depth];
        for (uint32_t i = 0, next; (next = gp_block_successor(kernel, block, i)) != GP_NONE; i++)
            if (next != until && !reached[next]) {
                reached[next] = true;
                stack[depth++] = next;
            }
    }
}

static bool is_open(const struct gp_kernel *kernel, const struct gp_branch *branch)
{
    uint32_t block = gp_inst_block(kernel, branch->inst);
    return branch->kind == GP_BRANCH_DATA && !branch->has_probability &&
           !gp_block_can_leave(kernel, block, kernel->blocks[block].loop);
}

/* Whether only some ways from the branch come by the block before all ways meet again. */
static bool decides(const struct gp_kernel *kernel, uint32_t at, uint32_t block, bool *reached, uint32_t *stack)
{
    uint32_t ways = 0, come_by = 0;
    for (uint32_t i = 0, next; (next = gp_block_successor(kernel, at, i)) != GP_NONE; i++, ways++) {
        memset(reached, 0, kernel->block_count * sizeof *reached);
        mark(kernel, next, kernel->blocks[at].ipdom, reached, stack);
        come_by += reached[block];
    }
    return come_by > 0 && come_by < ways;
}

uint32_t gp_data_branch_before(const struct gp_kernel *kernel, uint32_t block)
{
    bool *reached = malloc((size_t)kernel->block_count + 1);
    uint32_t *stack = malloc(((size_t)kernel->block_count + 1) * sizeof *stack), found = GP_NONE, nearest = 0;
    for (uint32_t b = 0; b < kernel->branch_count; b++) {
        uint32_t at = gp_inst_block(kernel, kernel->branches[b].inst);
        if (at >= block || (found != GP_NONE && at < nearest) || !is_open(kernel, &kernel->branches[b]) ||
            !decides(kernel, at, block, reached, stack))
            continue;
        found = b;
        nearest = at;
    }
    free(reached);
    free(stack);
    return found;
}
