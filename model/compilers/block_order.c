/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/compilers/block_order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/value/inst_facts.h"
#include "support/memory.h"

/* One instruction. */
struct node {
    uint32_t first_edge; /* to what must come later; GP_NONE */
    uint32_t waits;      /* for so many earlier ones, uses counted one by one */
    uint32_t uses;       /* of its result, in the block, not issued yet */
    uint32_t earlier;    /* the access before it of its kind and address space; GP_NONE */
    double height;       /* cycles from its issue to the end of the block at least */
    double ready;        /* the time from which its operands are there */
};

struct edge {
    uint32_t to, next;
    bool data;
};

/* A binary heap of nodes, smallest key first; at equal keys program order. */
struct heap_item {
    double key;
    uint32_t node;
};
struct heap {
    struct heap_item *items;
    uint32_t count;
};

struct gp_block_order {
    const struct gp_kernel *kernel;
    struct node *nodes; /* per instruction of the block at hand */
    struct edge *edges;
    uint32_t edge_count;
    uint32_t *order;
    uint32_t placed;
    struct heap later, loads, late, others; /* operands not there yet, by time; ready, by height */
    const struct gp_order_item *items;
    uint32_t item_count, leading_phis;
    uint32_t *number; /* per instruction of the kernel: of its item; what it says of others is checked */
    double clock, words, words_under_way;
};

struct gp_block_order *gp_block_order_new(const struct gp_kernel *kernel)
{
    struct gp_block_order *o = calloc(1, sizeof *o);
    uint32_t most = kernel->inst_count;
    o->kernel = kernel;
    o->nodes = gp_some(most, sizeof *o->nodes);
    o->edges = gp_some((size_t)kernel->operand_count + 4 * (size_t)most,
                       sizeof *o->edges); /* a memory operation has four besides its operands' at most */
    o->number = gp_some(most, sizeof *o->number);
    o->order = gp_some(most, sizeof *o->order);
    o->later.items = gp_some(most, sizeof *o->later.items);
    o->loads.items = gp_some(most, sizeof *o->loads.items);
    o->late.items = gp_some(most, sizeof *o->late.items);
    o->others.items = gp_some(most, sizeof *o->others.items);
    return o;
}

void gp_block_order_free(struct gp_block_order *o)
{
    if (o == NULL)
        return;
    void *all[] = {o->nodes,       o->edges,       o->number,     o->order,
                   o->later.items, o->loads.items, o->late.items, o->others.items};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
    free(o);
}

/* ---- Heaps ------------------------------------------------------------------------------------------------------- */

static bool comes_before(struct heap_item a, struct heap_item b)
{
    return a.key != b.key ? a.key < b.key : a.node < b.node;
}

static void push(struct heap *h, double key, uint32_t node)
{
    struct heap_item item = {key, node};
    uint32_t i = h->count++;
    for (; i > 0 && comes_before(item, h->items[(i - 1) / 2]); i = (i - 1) / 2)
        h->items[i] = h->items[(i - 1) / 2];
    h->items[i] = item;
}

static uint32_t pop(struct heap *h)
{
    uint32_t node = h->items[0].node, i = 0;
    struct heap_item item = h->items[--h->count];
    for (uint32_t child; (child = 2 * i + 1) < h->count; i = child) {
        if (child + 1 < h->count && comes_before(h->items[child + 1], h->items[child]))
            child++;
        if (!comes_before(h->items[child], item))
            break;
        h->items[i] = h->items[child];
    }
    h->items[i] = item;
    return node;
}

/* ---- What must come before what ---------------------------------------------------------------------------------- */

static const struct gp_inst *inst_of(const struct gp_block_order *o, uint32_t n)
{
    return &o->kernel->insts[o->items[n].inst];
}

static void add_edge(struct gp_block_order *o, uint32_t from, uint32_t to, bool data)
{
    o->edges[o->edge_count] = (struct edge){to, o->nodes[from].first_edge, data};
    o->nodes[from].first_edge = o->edge_count++;
    o->nodes[to].waits++;
    o->nodes[from].uses += data;
}

/* The k-th instruction that an instruction waits for, the guard being the last; GP_NONE: another kind of operand, or
 * one that is not among those before it. */
static uint32_t operand_of(const struct gp_block_order *o, uint32_t n, uint32_t k)
{
    const struct gp_inst *inst = inst_of(o, n);
    uint32_t from = o->items[n].guard;
    if (k < inst->operand_count) {
        gp_ref ref = o->kernel->operands[inst->operand + k];
        from = gp_ref_kind(ref) == GP_REF_INST ? gp_ref_index(ref) : GP_NONE;
    }
    if (from == GP_NONE)
        return GP_NONE;
    uint32_t number = o->number[from];
    return number < n && o->items[number].inst == from ? number : GP_NONE;
}

static void add_operands(struct gp_block_order *o, uint32_t n)
{
    for (uint32_t k = 0; k <= inst_of(o, n)->operand_count; k++) {
        uint32_t from = operand_of(o, n, k);
        if (from != GP_NONE)
            add_edge(o, from, n, true);
    }
}

/* What the compiler moves nothing across: barriers, calls and copies that it knows little of, and where the block
 * begins and ends. */
static bool is_fence(const struct gp_block_order *o, uint32_t n)
{
    const struct gp_inst *inst = inst_of(o, n);
    return n + 1 == o->item_count || (inst->op == GP_OP_PHI && n < o->leading_phis) || gp_inst_is_fence(inst);
}

/*
 * The latest write to each address space, and the latest read since, from which nodes lead to the reads before it; the
 * latest volatile access, which the next one follows, wherever that is (ptxas 13.0: volatile loads from global memory
 * whose values go to volatile shared memory follow each other; where one of both is volatile all loads come first).
 */
struct accesses {
    uint32_t write[GP_SPACE_COUNT], read[GP_SPACE_COUNT], in_order;
};

static void add_access(struct gp_block_order *o, uint32_t n, bool one_space, struct accesses *latest)
{
    const struct gp_memory *memory = &o->kernel->memory[inst_of(o, n)->record];
    uint8_t space = one_space ? 0 : memory->space;
    if ((memory->flags & GP_MEMORY_READONLY) || memory->space == GP_SPACE_CONSTANT)
        return;
    if ((memory->flags & GP_MEMORY_VOLATILE) && latest->in_order != GP_NONE)
        add_edge(o, latest->in_order, n, false);
    if (memory->flags & GP_MEMORY_VOLATILE)
        latest->in_order = n;
    if (latest->write[space] != GP_NONE)
        add_edge(o, latest->write[space], n, false);
    if (!(memory->flags & (GP_MEMORY_STORE | GP_MEMORY_ATOMIC | GP_MEMORY_VOLATILE))) {
        o->nodes[n].earlier = latest->read[space];
        latest->read[space] = n;
        return;
    }
    for (uint32_t read = latest->read[space]; read != GP_NONE; read = o->nodes[read].earlier)
        add_edge(o, read, n, false);
    latest->write[space] = n;
    latest->read[space] = GP_NONE;
}

static bool has_generic_access(const struct gp_block_order *o)
{
    for (uint32_t n = 0; n < o->item_count; n++)
        if (gp_inst_accesses(inst_of(o, n)) && o->kernel->memory[inst_of(o, n)->record].space == GP_SPACE_GENERIC)
            return true;
    return false;
}

/* Program order is an order in which every edge leads forward. */
static void find_heights(struct gp_block_order *o)
{
    for (uint32_t n = o->item_count; n-- > 0;) {
        const struct gp_order_item *cost = &o->items[n];
        double height = cost->latency;
        for (uint32_t e = o->nodes[n].first_edge; e != GP_NONE; e = o->edges[e].next)
            height = fmax(height, (o->edges[e].data ? cost->latency : cost->issue) + o->nodes[o->edges[e].to].height);
        o->nodes[n].height = height;
    }
}

static void find_edges(struct gp_block_order *o)
{
    struct accesses latest;
    bool one_space = has_generic_access(o); /* which may be any */
    memset(&latest, 0xff, sizeof latest);   /* GP_NONE */
    o->edge_count = 0;
    for (uint32_t n = 0; n < o->item_count; n++) {
        o->nodes[n] = (struct node){.first_edge = GP_NONE};
        add_operands(o, n);
        if (gp_inst_accesses(inst_of(o, n)) && !is_fence(o, n))
            add_access(o, n, one_space, &latest);
    }
}

/* ---- Placing ----------------------------------------------------------------------------------------------------- */

static void push_ready(struct gp_block_order *o, uint32_t n)
{
    push(o->items[n].late ? &o->late : o->items[n].words > 0 ? &o->loads : &o->others, -o->nodes[n].height, n);
}

/* Gives back the registers of loads that this was the last to use. */
static void free_operands(struct gp_block_order *o, uint32_t n)
{
    for (uint32_t k = 0; k <= inst_of(o, n)->operand_count; k++) {
        uint32_t from = operand_of(o, n, k);
        if (from != GP_NONE && --o->nodes[from].uses == 0)
            o->words_under_way -= o->items[from].words;
    }
}

/* Issues an instruction; those before `end` that waited for nothing else get ready. */
static void place(struct gp_block_order *o, uint32_t n, uint32_t end)
{
    const struct gp_order_item *cost = &o->items[n];
    o->order[o->placed++] = n;
    free_operands(o, n);
    o->words_under_way += cost->words;
    for (uint32_t e = o->nodes[n].first_edge; e != GP_NONE; e = o->edges[e].next) {
        struct node *to = &o->nodes[o->edges[e].to];
        to->ready = fmax(to->ready, o->clock + (o->edges[e].data ? cost->latency : cost->issue));
        if (--to->waits == 0 && o->edges[e].to < end)
            push(&o->later, to->ready, o->edges[e].to);
    }
    o->clock += cost->issue;
}

static void place_part(struct gp_block_order *o, uint32_t first, uint32_t end)
{
    for (uint32_t n = first; n < end; n++)
        if (o->nodes[n].waits == 0)
            push(&o->later, o->nodes[n].ready, n);
    while (o->later.count + o->loads.count + o->late.count + o->others.count > 0) {
        while (o->later.count > 0 && o->later.items[0].key <= o->clock)
            push_ready(o, pop(&o->later));
        bool room = o->loads.count > 0 && o->words_under_way + o->items[o->loads.items[0].node].words <= o->words;
        bool load = room && (o->others.count == 0 || comes_before(o->loads.items[0], o->others.items[0]));
        if (load)
            place(o, pop(&o->loads), end);
        else if (o->others.count > 0)
            place(o, pop(&o->others), end);
        else if (o->later.count > 0)
            o->clock = o->later.items[0].key;
        else
            place(o, pop(o->loads.count > 0 ? &o->loads : &o->late), end);
    }
}

const uint32_t *gp_block_order_find(struct gp_block_order *o, const struct gp_order_item *items, uint32_t count,
                                    double words)
{
    o->items = items;
    o->item_count = count;
    o->words = words;
    o->words_under_way = o->clock = 0;
    o->placed = o->leading_phis = 0;
    for (uint32_t n = 0; n < count; n++)
        o->number[items[n].inst] = n;
    while (o->leading_phis < count && inst_of(o, o->leading_phis)->op == GP_OP_PHI)
        o->leading_phis++;
    find_edges(o);
    find_heights(o);
    for (uint32_t first = 0, n = 0; n < count; n++) {
        if (!is_fence(o, n))
            continue;
        place_part(o, first, n);
        place(o, n, n);
        first = n + 1;
    }
    return o->order;
}
