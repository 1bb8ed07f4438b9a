/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Orders the instructions between two stores, barriers or loads from global memory from the last to the first, as list
 * schedulers do that are short of registers (LLVM's "list-burr"; P. Briggs' thesis, "Register Allocation via Graph
 * Coloring", 1992, section on pre-allocation scheduling): of those whose users have all been placed that one which
 * makes the fewest words alive.
 */
#include "model/compilers/liveness.h"

#include <stdlib.h>
#include <string.h>

/* A value that a run computes or reads. Lists are parts of the run's arrays. */
struct node {
    uint32_t value, words;
    uint32_t operands, operand_count; /* nodes */
    uint32_t users, user_count;       /* nodes of the run */
    uint32_t left;                    /* users that are not placed yet */
    bool inside, live, placed;
    bool cheap; /* integers that are added and shifted: addresses, which are computed where they are needed */
};

struct candidate {
    int32_t grows;
    uint32_t node, since;
};

struct ordering {
    struct gp_live_walk walk;
    uint32_t *node_of, *run_of, run; /* per value: its node, in that run; the run at hand */
    struct node *nodes;
    uint32_t node_count, node_room;
    uint32_t *operands, operand_count, operand_room;
    uint32_t *users, user_room;
    struct candidate *heap;
    uint32_t heap_count, heap_room, pushed;
};

/* Room for one more in an array of `count`; array: where its pointer is. */
static void grow(void *array, uint32_t count, uint32_t *room, size_t size)
{
    if (count < *room)
        return;
    uint32_t wanted = count < 128 ? 256 : 2 * count;
    void *more;
    memcpy(&more, array, sizeof more);
    more = realloc(more, wanted * size);
    memcpy(array, &more, sizeof more);
    *room = wanted;
}

static uint32_t words_of(const struct gp_liveness *l, uint32_t value)
{
    return gp_live_is_operand(l, value) ? 0 : gp_live_words(l, value);
}

static uint32_t lane_words(const struct ordering *o, uint32_t value)
{
    return gp_live_in_scalar(o->walk.l, value) ? 0 : gp_live_walk_words(&o->walk, value);
}

/* ---- The graph of a run ------------------------------------------------------------------------------------------ */

static bool computes(const struct gp_liveness *l, uint32_t inst)
{
    return l->root_count[inst] == 1 && l->roots[inst][0] == inst;
}

static bool is_cheap(const struct gp_liveness *l, uint32_t value)
{
    switch ((enum gp_class)l->kernel->insts[value].cost) {
    case GP_CLASS_INT_ADD:
    case GP_CLASS_INT_MAD:
    case GP_CLASS_INT_LOGIC:
    case GP_CLASS_INT_SHIFT:
    case GP_CLASS_LONG_ADD:
    case GP_CLASS_LONG_LOGIC:
    case GP_CLASS_LONG_SHIFT: return true;
    default: return false;
    }
}

static uint32_t node_for(struct ordering *o, uint32_t value)
{
    if (o->run_of[value] == o->run)
        return o->node_of[value];
    grow(&o->nodes, o->node_count, &o->node_room, sizeof *o->nodes);
    o->run_of[value] = o->run;
    o->node_of[value] = o->node_count;
    o->nodes[o->node_count] = (struct node){.value = value,
                                            .words = lane_words(o, value),
                                            .live = o->walk.live_in[value] == o->walk.stamp,
                                            .cheap = is_cheap(o->walk.l, value)};
    return o->node_count++;
}

struct reading {
    struct ordering *o;
    uint32_t node;
};

static void add_operand(void *context, uint32_t value)
{
    const struct reading *r = context;
    struct ordering *o = r->o;
    uint32_t operand = node_for(o, value);
    struct node *node = &o->nodes[r->node];
    for (uint32_t k = 0; k < node->operand_count; k++)
        if (o->operands[node->operands + k] == operand)
            return;
    grow(&o->operands, o->operand_count, &o->operand_room, sizeof *o->operands);
    o->operands[o->operand_count++] = operand;
    node->operand_count++;
    o->nodes[operand].user_count++;
}

static void read_run(struct ordering *o, uint32_t first, uint32_t end)
{
    o->run++;
    o->node_count = o->operand_count = o->heap_count = 0;
    for (uint32_t i = first; i < end; i++) {
        if (!computes(o->walk.l, i))
            continue;
        uint32_t n = node_for(o, i);
        o->nodes[n].inside = true;
        o->nodes[n].operands = o->operand_count;
        gp_live_uses(o->walk.l, i, add_operand, &(struct reading){o, n});
    }
}

static void list_users(struct ordering *o)
{
    grow(&o->users, o->operand_count, &o->user_room, sizeof *o->users);
    uint32_t at = 0;
    for (uint32_t n = 0; n < o->node_count; n++) {
        struct node *node = &o->nodes[n];
        node->users = at;
        node->left = node->user_count;
        at += node->user_count;
        node->user_count = 0;
    }
    for (uint32_t n = 0; n < o->node_count; n++)
        for (uint32_t k = 0; k < o->nodes[n].operand_count; k++) {
            struct node *operand = &o->nodes[o->operands[o->nodes[n].operands + k]];
            o->users[operand->users + operand->user_count++] = n;
        }
}

/* ---- Candidates -------------------------------------------------------------------------------------------------- */

/* What can be placed right before its only user that is left, and makes nothing else alive. */
static bool follows_at_once(const struct ordering *o, const struct node *node)
{
    if (!node->inside || node->left != 1)
        return false;
    for (uint32_t k = 0; k < node->operand_count; k++) {
        const struct node *operand = &o->nodes[o->operands[node->operands + k]];
        if (!operand->live && !operand->cheap)
            return false;
    }
    return true;
}

static int32_t growth(const struct ordering *o, const struct node *node)
{
    int32_t words = node->live ? -(int32_t)node->words : 0;
    for (uint32_t k = 0; k < node->operand_count; k++) {
        const struct node *operand = &o->nodes[o->operands[node->operands + k]];
        if (!operand->live && !operand->cheap && !follows_at_once(o, operand))
            words += (int32_t)operand->words;
    }
    return words;
}

/* The newer one, where both make as many alive: one chain is followed to its begin before the next. */
static bool goes_first(struct candidate a, struct candidate b)
{
    return a.grows != b.grows ? a.grows < b.grows : a.since > b.since;
}

static void push(struct ordering *o, uint32_t n)
{
    grow(&o->heap, o->heap_count, &o->heap_room, sizeof *o->heap);
    struct candidate added = {growth(o, &o->nodes[n]), n, o->pushed++};
    uint32_t at = o->heap_count++;
    for (; at > 0 && goes_first(added, o->heap[(at - 1) / 2]); at = (at - 1) / 2)
        o->heap[at] = o->heap[(at - 1) / 2];
    o->heap[at] = added;
}

static struct candidate pop(struct ordering *o)
{
    struct candidate first = o->heap[0], last = o->heap[--o->heap_count];
    uint32_t at = 0;
    for (uint32_t child; (child = 2 * at + 1) < o->heap_count; at = child) {
        child += child + 1 < o->heap_count && goes_first(o->heap[child + 1], o->heap[child]);
        if (!goes_first(o->heap[child], last))
            break;
        o->heap[at] = o->heap[child];
    }
    o->heap[at] = last;
    return first;
}

/* Those that may make fewer alive now. */
static void reconsider_users(struct ordering *o, const struct node *node)
{
    for (uint32_t k = 0; k < node->user_count; k++) {
        const struct node *user = &o->nodes[o->users[node->users + k]];
        if (user->left == 0 && !user->placed)
            push(o, o->users[node->users + k]);
    }
}

/* ---- Placing ----------------------------------------------------------------------------------------------------- */

static void place(struct ordering *o, struct node *node)
{
    enum { FEW = 64 }; /* users; of one that has more (an id) no candidate is the better for it */
    node->placed = true;
    if (node->live)
        o->walk.now[0] -= node->words;
    node->live = false;
    for (uint32_t k = 0; k < node->operand_count; k++) {
        struct node *operand = &o->nodes[o->operands[node->operands + k]];
        bool came = !operand->live;
        operand->live = true;
        o->walk.now[0] += came ? operand->words : 0;
        operand->left--;
        if (operand->left == 0 && operand->inside)
            push(o, o->operands[node->operands + k]);
        else if ((came || operand->left == 1) && operand->user_count <= FEW)
            reconsider_users(o, operand);
    }
    gp_live_walk_record(&o->walk);
}

static void order_run(struct ordering *o, uint32_t first, uint32_t end)
{
    read_run(o, first, end);
    list_users(o);
    for (uint32_t n = 0; n < o->node_count; n++)
        if (o->nodes[n].inside && o->nodes[n].left == 0)
            push(o, n);
    while (o->heap_count > 0) {
        struct candidate next = pop(o);
        struct node *node = &o->nodes[next.node];
        if (node->placed)
            continue;
        if (growth(o, node) > next.grows)
            push(o, next.node);
        else
            place(o, node);
    }
    for (uint32_t n = 0; n < o->node_count; n++)
        o->walk.live_in[o->nodes[n].value] = o->nodes[n].live ? o->walk.stamp : 0;
}

/* ---- Blocks ------------------------------------------------------------------------------------------------------ */

/* Compilers that are short of registers load from near where it is used; from far they load early whatever it takes. */
static bool loads_from_far(const struct gp_kernel *kernel, const struct gp_inst *inst)
{
    if (inst->op != GP_OP_LOAD || inst->record == GP_NONE)
        return inst->op == GP_OP_IMAGE_LOAD;
    uint8_t space = kernel->memory[inst->record].space;
    return space == GP_SPACE_GLOBAL || space == GP_SPACE_GENERIC;
}

static bool stays(const struct gp_kernel *kernel, uint32_t inst)
{
    if (loads_from_far(kernel, &kernel->insts[inst]))
        return true;
    switch (kernel->insts[inst].op) {
    case GP_OP_PHI:
    case GP_OP_STORE:
    case GP_OP_ATOMIC:
    case GP_OP_IMAGE_STORE:
    case GP_OP_BULK_COPY:
    case GP_OP_BARRIER:
    case GP_OP_CALL:
    case GP_OP_BR:
    case GP_OP_CONDBR:
    case GP_OP_SWITCH:
    case GP_OP_RET: return true;
    default: return false;
    }
}

static uint32_t reordered(struct ordering *o, uint32_t b)
{
    const struct gp_kernel *kernel = o->walk.l->kernel;
    const struct gp_block *block = &kernel->blocks[b];
    o->walk.most[0] = 0;
    gp_live_walk_enter(&o->walk, b);
    for (uint32_t end = block->inst + block->inst_count; end > block->inst;) {
        uint32_t first = end - 1;
        while (!stays(kernel, first) && first > block->inst && !stays(kernel, first - 1))
            first--;
        if (first + 1 < end)
            order_run(o, first, end);
        else
            gp_live_walk_pass(&o->walk, first);
        end = first;
    }
    return o->walk.most[0];
}

static uint32_t least_of_block(struct ordering *o, uint32_t block, uint32_t enough)
{
    o->walk.most[0] = 0;
    gp_live_walk_through(&o->walk, block);
    uint32_t stands = o->walk.most[0];
    if (stands <= enough)
        return stands;
    uint32_t ordered = reordered(o, block);
    return ordered < enough ? enough : ordered < stands ? ordered : stands;
}

void gp_live_least(const struct gp_liveness *l, uint32_t enough, uint32_t *vector)
{
    struct ordering o = {.node_of = malloc((l->count + 1) * sizeof *o.node_of),
                         .run_of = calloc(l->count + 1, sizeof *o.run_of)};
    gp_live_walk_begin(&o.walk, l, words_of);
    *vector = 0;
    for (uint32_t b = 0; b < l->kernel->block_count; b++) {
        uint32_t words = least_of_block(&o, b, enough);
        *vector = words > *vector ? words : *vector;
    }
    gp_live_walk_end(&o.walk);
    free(o.node_of);
    free(o.run_of);
    free(o.nodes);
    free(o.operands);
    free(o.users);
    free(o.heap);
}
