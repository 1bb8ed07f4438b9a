/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Checks of blocks, their post-dominators and edges. */
#include <stdlib.h>
#include <string.h>

#include "model/profile/checker.h"

bool gp_check_blocks(struct check *c)
{
    const struct gp_kernel *k = c->kernel;
    uint32_t next = 0;
    REQUIRE(c, k->block_count > 0, "it has no blocks");
    for (uint32_t i = 0; i < k->block_count; i++) {
        const struct gp_block *block = &k->blocks[i];
        c->block = i;
        REQUIRE(c, block->inst_count > 0, "it is empty");
        REQUIRE(c, block->inst == next, "it starts at instruction %u where %u is the next", block->inst, next);
        REQUIRE(c, block->inst_count <= k->inst_count - next, "it has more instructions than the kernel");
        REQUIRE(c, block->ipdom == GP_NONE || block->ipdom < k->block_count, "its post-dominator %u does not exist",
                block->ipdom);
        REQUIRE(c, block->ipdom != i, "it is its own post-dominator");
        REQUIRE(c, block->loop == GP_NONE || block->loop < k->loop_count, "its loop %u does not exist", block->loop);
        for (uint32_t inst = next; inst < next + block->inst_count; inst++)
            c->block_of[inst] = i;
        next += block->inst_count;
    }
    for (uint32_t inst = next; inst < k->inst_count; inst++)
        c->block_of[inst] = GP_NONE;
    c->block = GP_NONE;
    return true;
}

/* Post-dominators form a tree: following them ends. */
bool gp_check_post_dominators(struct check *c)
{
    const struct gp_kernel *k = c->kernel;
    memset(c->mark, 0xff, k->block_count * sizeof *c->mark);
    for (uint32_t start = 0; start < k->block_count; start++) {
        uint32_t at = start;
        for (; at != GP_NONE && c->mark[at] == GP_NONE; at = k->blocks[at].ipdom)
            c->mark[at] = start;
        if (at != GP_NONE && c->mark[at] == start) {
            c->block = at;
            return gp_check_complain(c, "its chain of post-dominators comes back to it");
        }
    }
    return true;
}

/* Calls visit(c, from, to) for each successor of each block, each pair once. */
static void for_each_edge(struct check *c, void (*visit)(struct check *, uint32_t from, uint32_t to))
{
    const struct gp_kernel *k = c->kernel;
    memset(c->mark, 0xff, k->block_count * sizeof *c->mark);
    for (uint32_t from = 0; from < k->block_count; from++) {
        const struct gp_inst *last = gp_block_terminator(k, from);
        for (uint32_t i = 0; i < last->operand_count; i++) {
            gp_ref ref = k->operands[last->operand + i];
            uint32_t to = gp_ref_index(ref);
            if (gp_ref_kind(ref) != GP_REF_BLOCK || c->mark[to] == from)
                continue;
            c->mark[to] = from;
            visit(c, from, to);
        }
    }
}

static void count_edge(struct check *c, uint32_t from, uint32_t to)
{
    (void)from;
    c->first_edge[to + 1]++;
}

static void place_edge(struct check *c, uint32_t from, uint32_t to)
{
    c->edges[c->first_edge[to] + c->seen[to]++] = from;
}

/* Fills edges: needs terminators whose block operands exist. */
bool gp_check_collect_edges(struct check *c)
{
    uint32_t count = c->kernel->block_count;
    memset(c->first_edge, 0, (count + (size_t)1) * sizeof *c->first_edge);
    for_each_edge(c, count_edge);
    for (uint32_t i = 0; i < count; i++)
        c->first_edge[i + 1] += c->first_edge[i];
    free(c->edges);
    c->edges = calloc(c->first_edge[count] + (size_t)1, sizeof *c->edges);
    REQUIRE(c, c->edges != NULL, "out of memory");
    memset(c->seen, 0, count * sizeof *c->seen);
    for_each_edge(c, place_edge);
    return true;
}
