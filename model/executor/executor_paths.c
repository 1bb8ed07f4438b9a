/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Where lanes part and meet again. Lanes that run together are a path. Of all paths the one at the earliest block runs
 * (decode.c), and paths that come to the same block go on as one: lanes that left a branch's sides early, by a
 * break, a return or the second half of a condition, hold up nobody else. So do machines: compilers for NVIDIA's since
 * Volta put BSSY and BSYNC around what parts and BREAK or EXIT where lanes go elsewhere, those for AMD's make the flow
 * structured.
 *
 * Where a condition is not known the same lanes take both sides: a fork, which ends at the branch's immediate
 * post-dominator. There the weight is again what it was before; where its sides meet sooner it is the sum of theirs.
 */
#include <math.h>
#include <string.h>

#include "model/executor/executor_internal.h"

/* ---- Forks ----------------------------------------------------------------------------------------------------- */

/* Forks stand behind those around them: the innermost one that has both. */
static uint32_t common_fork(const struct gp_executor *ex, uint32_t a, uint32_t b)
{
    while (a != b) {
        if (b == GP_NONE || (a != GP_NONE && a > b))
            a = ex->flow.forks[a].outer;
        else
            b = ex->flow.forks[b].outer;
    }
    return a;
}

/* Of the forks that two paths of different lanes are in, the one that ends last: as long are some of the lanes there by
 * guess. */
static uint32_t last_fork(const struct gp_executor *ex, uint32_t a, uint32_t b)
{
    if (a == GP_NONE || b == GP_NONE)
        return a == GP_NONE ? b : a;
    uint32_t a_ends = ex->flow.forks[a].rejoin, b_ends = ex->flow.forks[b].rejoin;
    if (a_ends == b_ends)
        return a > b ? a : b;
    if (a_ends == GP_NONE || b_ends == GP_NONE)
        return a_ends == GP_NONE ? a : b;
    return ex->blocks[a_ends].order > ex->blocks[b_ends].order ? a : b;
}

static uint32_t behind(uint32_t fork, uint32_t count) { return fork != GP_NONE && fork >= count ? fork + 1 : count; }

uint32_t gp_path_fork(struct gp_executor *ex, const struct path *parent, uint32_t rejoin, bool uniform)
{
    uint32_t count = behind(parent->fork, 0); /* others are over */
    for (uint32_t i = 0; i < ex->flow.depth; i++)
        count = behind(ex->flow.paths[i].came, behind(ex->flow.paths[i].fork, count));
    if (count == MAX_FORKS) /* no program comes here: the sides keep their weights for good */
        return parent->fork;
    ex->flow.forks[count] = (struct fork){.rejoin = rejoin,
                                          .outer = parent->fork,
                                          .uniform = uniform,
                                          .guessed = parent->guessed,
                                          .weight = parent->weight};
    return count;
}

/* ---- Paths: in order, the next one to run at the top ------------------------------------------------------------- */

static void arrive(const struct gp_executor *ex, struct path *path, uint32_t edge)
{
    path->edge = edge;
    path->block = ex->edges[edge].to;
    path->joined = false;
    const struct block *block = &ex->blocks[path->block];
    /* a loop's next iteration waits for all lanes of this one, what is behind the loop for its last iteration */
    path->order = ex->edges[edge].back ? ex->loops[block->heads].end : block->order;
    path->came = path->fork;
    while (path->fork != GP_NONE && ex->flow.forks[path->fork].rejoin == path->block) {
        const struct fork *fork = &ex->flow.forks[path->fork];
        path->weight = fork->weight;
        path->guessed = fork->guessed;
        path->fork = fork->outer;
    }
}

/* A fork further in, of which other sides may come as well, in which each lane goes where it does by itself. */
static bool varies_within(const struct gp_executor *ex, uint32_t fork, uint32_t outer)
{
    for (; fork != outer && fork != GP_NONE; fork = ex->flow.forks[fork].outer)
        if (!ex->flow.forks[fork].uniform)
            return true;
    return false;
}

/* Two paths at one block go on as one; phis ask by which edges their lanes came. */
static void merge(struct gp_executor *ex, struct path *into, const struct path *from)
{
    uint32_t apart = common_fork(ex, into->came, from->came);
    bool shared = into->mask & from->mask, forked = shared && apart != GP_NONE;
    bool alike = forked && ex->flow.forks[apart].uniform && !varies_within(ex, into->came, apart) &&
                 !varies_within(ex, from->came, apart);
    if (shared && !alike)
        ex->flow.merge_varies[into->block] = true;
    if (forked && ex->flow.forks[apart].rejoin != into->block) {
        into->weight = fmin(ex->flow.forks[apart].weight, into->weight + from->weight);
        into->fork = apart;
    } else {
        into->weight = fmax(into->weight, from->weight);
        into->fork = last_fork(ex, into->fork, from->fork);
    }
    into->came = shared ? apart : last_fork(ex, into->came, from->came);
    into->guessed = gp_guess_worse(into->guessed, from->guessed);
    into->order = from->order < into->order ? from->order : into->order;
    if (!into->joined)
        ex->flow.arrivals[into->edge] |= into->mask;
    ex->flow.arrivals[from->edge] |= from->mask;
    into->joined = true;
    into->mask |= from->mask;
}

/* At most one path is at a block. At a loop's header one may wait for the next iteration when another enters: both go
 * on as soon as that. */
static void insert(struct gp_executor *ex, struct path path)
{
    for (uint32_t i = 0; i < ex->flow.depth; i++)
        if (ex->flow.paths[i].block == path.block) {
            struct path waiting = ex->flow.paths[i];
            merge(ex, &waiting, &path);
            path = waiting;
            ex->flow.depth--;
            memmove(&ex->flow.paths[i], &ex->flow.paths[i + 1], (ex->flow.depth - i) * sizeof *ex->flow.paths);
            break;
        }
    uint32_t place = ex->flow.depth++;
    for (; place > 0 && ex->flow.paths[place - 1].order < path.order; place--)
        ex->flow.paths[place] = ex->flow.paths[place - 1];
    ex->flow.paths[place] = path;
}

void gp_path_start(struct gp_executor *ex, gp_mask mask)
{
    ex->flow.paths[0] =
        (struct path){.block = 0, .edge = GP_NONE, .fork = GP_NONE, .came = GP_NONE, .mask = mask, .weight = 1.0};
    ex->flow.depth = 1;
}

void gp_path_go(struct gp_executor *ex, uint32_t edge)
{
    struct path *top = &ex->flow.paths[ex->flow.depth - 1];
    arrive(ex, top, edge);
    if (ex->flow.depth == 1 || (top[-1].order > top->order && ex->blocks[top->block].heads == GP_NONE))
        return;
    struct path moved = *top;
    ex->flow.depth--;
    insert(ex, moved);
}

void gp_path_add(struct gp_executor *ex, struct path side, uint32_t edge)
{
    arrive(ex, &side, edge);
    insert(ex, side);
}
