/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/compilers/spilled.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/value/inst_facts.h"
#include "model/compilers/liveness.h"

/* When a value is used next, in instructions from a block's start. */
#define NEVER UINT32_MAX
enum { BEHIND_NEXT = 1 << 28, BEHIND_LOOP = 1 << 29 }; /* not in the next block; only behind the loop */
enum { LEAST_REGISTERS = 8 };                          /* an instruction has operands */

struct list {
    uint32_t *values, count;
};
struct use {
    uint32_t value, at, next;
};

struct allocator {
    struct gp_liveness l;
    struct gp_spills *spills;
    uint32_t room, taken;       /* words */
    uint32_t *next, *next_in;   /* per value, its next use as seen from the block (+ 1) that stands beside it */
    uint32_t *first, *first_in; /* the same of its first use in a block */
    bool *in_register, *stored; /* per value */
    uint32_t *web;              /* per value, one of those that phis join it with: they share a place in memory */
    bool *has_place;            /* per web */
    struct list file;           /* values in registers */
    struct list *entry, *exit;  /* of these, per block */
    struct use *uses;           /* of a block, in order */
    uint32_t use_count, use_room;
    uint32_t block, at; /* looked at */
    uint32_t stamp;     /* of first_in */
};

static bool is_counted(const struct allocator *a, uint32_t value)
{
    return gp_live_words(&a->l, value) > 0 && !gp_live_in_scalar(&a->l, value);
}

static bool is_value(const struct allocator *a, uint32_t inst)
{
    return a->l.root_count[inst] == 1 && a->l.roots[inst][0] == inst && is_counted(a, inst);
}

static bool is_phi(const struct allocator *a, uint32_t inst) { return a->l.kernel->insts[inst].op == GP_OP_PHI; }

static uint32_t next_use(const struct allocator *a, uint32_t value)
{
    return a->next_in[value] == a->block + 1 ? a->next[value] : NEVER;
}

static void set_next(struct allocator *a, uint32_t value, uint32_t next)
{
    a->next[value] = next;
    a->next_in[value] = a->block + 1;
}

/* The value that a phi takes from a block; GP_NONE: a constant, an argument. */
static uint32_t phi_source(const struct allocator *a, uint32_t phi, uint32_t from)
{
    const struct gp_kernel *kernel = a->l.kernel;
    const struct gp_inst *inst = &kernel->insts[phi];
    for (uint32_t k = 0; k + 1 < inst->operand_count; k += 2) {
        gp_ref ref = kernel->operands[inst->operand + k + 1];
        uint32_t of = gp_ref_index(ref);
        if (gp_ref_index(kernel->operands[inst->operand + k]) == from && gp_ref_kind(ref) == GP_REF_INST &&
            of < a->l.count && a->l.root_count[of] > 0)
            return is_counted(a, a->l.roots[of][0]) ? a->l.roots[of][0] : GP_NONE;
    }
    return GP_NONE;
}

/* ---- Distances --------------------------------------------------------------------------------------------------- */

static void note_first(void *context, uint32_t value)
{
    struct allocator *a = context;
    if (a->first_in[value] == a->stamp)
        return;
    a->first_in[value] = a->stamp;
    a->first[value] = a->at;
}

/* Where a block uses each value first. */
static void find_first_uses(struct allocator *a, uint32_t b)
{
    const struct gp_block *block = &a->l.kernel->blocks[b];
    a->stamp++;
    for (a->at = 0; a->at < block->inst_count; a->at++)
        gp_live_uses(&a->l, block->inst + a->at, note_first, a);
}

static uint32_t first_use(const struct allocator *a, uint32_t value)
{
    return a->first_in[value] == a->stamp ? a->first[value] : BEHIND_NEXT;
}

static void comes_at(struct allocator *a, uint32_t value, uint32_t next)
{
    if (is_counted(a, value) && next < next_use(a, value))
        set_next(a, value, next);
}

/* Where what is live behind the block is used. */
static void look_ahead(struct allocator *a, uint32_t b)
{
    const struct gp_kernel *kernel = a->l.kernel;
    uint32_t length = kernel->blocks[b].inst_count;
    for (uint32_t s = 0, to; (to = gp_block_successor(kernel, b, s)) != GP_NONE; s++) {
        const struct gp_block *block = &kernel->blocks[to];
        uint32_t far = length + (gp_block_is_within(kernel, to, kernel->blocks[b].loop) ? 0 : BEHIND_LOOP);
        find_first_uses(a, to);
        for (uint32_t i = 0; i < a->l.in[to].count; i++)
            comes_at(a, a->l.in[to].values[i], far + first_use(a, a->l.in[to].values[i]));
        for (uint32_t i = block->inst; i < block->inst + block->inst_count && is_phi(a, i); i++) {
            uint32_t from = phi_source(a, i, b);
            if (from != GP_NONE)
                comes_at(a, from, far + first_use(a, i));
        }
    }
}

static void note_use(void *context, uint32_t value)
{
    struct allocator *a = context;
    if (!is_counted(a, value))
        return;
    if (a->use_count == a->use_room) {
        a->use_room = a->use_room ? 2 * a->use_room : 64;
        a->uses = realloc(a->uses, a->use_room * sizeof *a->uses);
    }
    a->uses[a->use_count++] = (struct use){.value = value, .at = a->at};
}

/* The block's uses, each with the one behind it; next_use() is then each value's first. */
static void link_uses(struct allocator *a, uint32_t b)
{
    const struct gp_block *block = &a->l.kernel->blocks[b];
    a->use_count = 0;
    for (a->at = 0; a->at < block->inst_count; a->at++)
        gp_live_uses(&a->l, block->inst + a->at, note_use, a);
    for (uint32_t i = a->use_count; i-- > 0;) {
        a->uses[i].next = next_use(a, a->uses[i].value);
        set_next(a, a->uses[i].value, a->uses[i].at);
    }
}

/* ---- The register file ------------------------------------------------------------------------------------------- */

static uint32_t web_of(struct allocator *a, uint32_t value)
{
    while (a->web[value] != value)
        value = a->web[value] = a->web[a->web[value]];
    return value;
}

static void take_place(struct allocator *a, uint32_t value)
{
    uint32_t web = web_of(a, value);
    if (!a->has_place[web])
        a->spills->slots += gp_live_words(&a->l, value);
    a->has_place[web] = true;
}

static void join_webs(struct allocator *a)
{
    const struct gp_kernel *kernel = a->l.kernel;
    for (uint32_t i = 0; i < a->l.count; i++)
        a->web[i] = i;
    for (uint32_t b = 0; b < kernel->block_count; b++)
        for (uint32_t s = 0, to; (to = gp_block_successor(kernel, b, s)) != GP_NONE; s++)
            for (uint32_t i = kernel->blocks[to].inst; i < gp_block_end(kernel, to) && is_phi(a, i); i++) {
                uint32_t source = phi_source(a, i, b);
                if (source != GP_NONE)
                    a->web[web_of(a, source)] = web_of(a, i);
            }
}

/* Stored once, behind the definition. */
static void store(struct allocator *a, uint32_t value)
{
    if (a->stored[value])
        return;
    a->stored[value] = true;
    a->spills->blocks[a->l.block_of[value]].stores += gp_live_words(&a->l, value);
    take_place(a, value);
}

static void drop(struct allocator *a, uint32_t place)
{
    uint32_t value = a->file.values[place];
    a->in_register[value] = false;
    a->taken -= gp_live_words(&a->l, value);
    a->file.values[place] = a->file.values[--a->file.count];
}

static void drop_dead(struct allocator *a)
{
    for (uint32_t i = a->file.count; i-- > 0;)
        if (next_use(a, a->file.values[i]) == NEVER)
            drop(a, i);
}

/* Room for so many words: what is used last goes. What the instruction at hand uses stays. */
static void make_room(struct allocator *a, uint32_t words, uint32_t at)
{
    while (a->taken + words > a->room) {
        uint32_t last = GP_NONE, furthest = at;
        for (uint32_t i = 0; i < a->file.count; i++) {
            uint32_t next = next_use(a, a->file.values[i]);
            if (next > furthest || (next == furthest && last != GP_NONE && a->file.values[i] > a->file.values[last]))
                last = i, furthest = next;
        }
        if (last == GP_NONE)
            return;
        if (furthest != NEVER)
            store(a, a->file.values[last]);
        drop(a, last);
    }
}

static void hold(struct allocator *a, uint32_t value)
{
    a->in_register[value] = true;
    a->taken += gp_live_words(&a->l, value);
    a->file.values[a->file.count++] = value;
}

/* ---- Blocks
 * ----------------------------------------------------------------------------------------------------------- */

struct candidate {
    uint32_t value, next;
};

static int by_next(const void *x, const void *y)
{
    const struct candidate *a = x, *b = y;
    return a->next != b->next ? (a->next < b->next ? -1 : 1) : (a->value > b->value) - (a->value < b->value);
}

static bool held_at_end(const struct allocator *a, uint32_t block, uint32_t value)
{
    for (uint32_t i = 0; i < a->exit[block].count; i++)
        if (a->exit[block].values[i] == value)
            return true;
    return false;
}

/* Is in a register where some predecessor ends; true as well where one that is not looked at yet may have it there and
 * the block itself uses it. */
static bool may_be_held(const struct allocator *a, uint32_t b, uint32_t value)
{
    const struct gp_live_list *before = &a->l.before[b];
    bool phi = a->l.block_of[value] == b, soon = next_use(a, value) < a->l.kernel->blocks[b].inst_count;
    for (uint32_t i = 0; i < before->count; i++) {
        uint32_t from = before->values[i], source = phi ? phi_source(a, value, from) : value;
        if (from >= b ? soon : source == GP_NONE || held_at_end(a, from, source))
            return true;
    }
    return false;
}

/* What is in registers where a block starts. */
static void enter(struct allocator *a, uint32_t b)
{
    const struct gp_block *block = &a->l.kernel->blocks[b];
    const struct gp_live_list *in = &a->l.in[b];
    struct candidate *candidates = malloc((in->count + block->inst_count + 1) * sizeof *candidates);
    uint32_t count = 0;
    for (uint32_t i = 0; i < in->count; i++)
        if (is_counted(a, in->values[i]))
            candidates[count++] = (struct candidate){in->values[i], next_use(a, in->values[i])};
    for (uint32_t i = block->inst; i < block->inst + block->inst_count && is_phi(a, i); i++)
        if (is_value(a, i) && next_use(a, i) != NEVER)
            candidates[count++] = (struct candidate){i, next_use(a, i)};
    qsort(candidates, count, sizeof *candidates, by_next);
    a->taken = a->file.count = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t value = candidates[i].value, words = gp_live_words(&a->l, value);
        if (a->taken + words <= a->room && may_be_held(a, b, value)) {
            hold(a, value);
        } else if (a->l.block_of[value] == b &&
                   !a->stored[value]) { /* a phi in memory: its values are stored where they come from */
            a->stored[value] = true;
            take_place(a, value);
        }
    }
    free(candidates);
}

static void keep(const struct allocator *a, struct list *list)
{
    list->count = a->file.count;
    list->values = malloc((list->count + 1) * sizeof *list->values);
    memcpy(list->values, a->file.values, list->count * sizeof *list->values);
}

static void follow(struct allocator *a, uint32_t b)
{
    const struct gp_block *block = &a->l.kernel->blocks[b];
    struct gp_block_spills *spills = &a->spills->blocks[b];
    uint32_t use = 0;
    for (uint32_t at = 0; at < block->inst_count; at++) {
        uint32_t first = use;
        for (; use < a->use_count && a->uses[use].at == at; use++) {
            uint32_t value = a->uses[use].value, words = gp_live_words(&a->l, value);
            if (a->in_register[value])
                continue;
            make_room(a, words, at);
            hold(a, value);
            spills->loads += words;
        }
        for (; first < use; first++)
            set_next(a, a->uses[first].value, a->uses[first].next);
        drop_dead(a);
        uint32_t inst = block->inst + at;
        if (!is_value(a, inst) || is_phi(a, inst) || next_use(a, inst) == NEVER)
            continue;
        make_room(a, gp_live_words(&a->l, inst), at);
        hold(a, inst);
    }
}

/* ---- Along edges
 * ------------------------------------------------------------------------------------------------------ */

/* Ways from a block that stay in its loop, or all where none does: an edge's share of its block's visits. */
static double ways_that_stay(const struct gp_kernel *kernel, uint32_t b)
{
    double ways = 0;
    for (uint32_t s = 0, to; (to = gp_block_successor(kernel, b, s)) != GP_NONE; s++)
        ways += gp_block_is_within(kernel, to, kernel->blocks[b].loop);
    return ways;
}

static void mark(struct allocator *a, const struct list *held, bool in_register)
{
    for (uint32_t i = 0; i < held->count; i++)
        a->in_register[held->values[i]] = in_register;
}

/* In a register behind the edge, or in memory: what it was before decides what the edge costs. */
static void pass(struct allocator *a, struct gp_block_spills *spills, double share, uint32_t from, uint32_t value,
                 bool is_held, bool phi)
{
    uint32_t source = phi ? phi_source(a, value, from) : value, words = gp_live_words(&a->l, value);
    bool was_held = source == GP_NONE || a->in_register[source];
    if (is_held && !was_held)
        spills->loads += share * words;
    else if (!is_held && was_held && phi && (source == GP_NONE || !a->stored[source]))
        spills->stores += share * words;
    else if (!is_held && was_held && !phi)
        store(a, value);
}

static void follow_edge(struct allocator *a, uint32_t from, uint32_t to)
{
    const struct gp_kernel *kernel = a->l.kernel;
    const struct gp_block *block = &kernel->blocks[to];
    bool stays = gp_block_is_within(kernel, to, kernel->blocks[from].loop);
    struct gp_block_spills *spills = &a->spills->blocks[stays ? from : to];
    double share = 1 / (stays ? ways_that_stay(kernel, from) : a->l.before[to].count);
    a->stamp++;
    for (uint32_t i = 0; i < a->entry[to].count; i++)
        a->first_in[a->entry[to].values[i]] = a->stamp;
    mark(a, &a->exit[from], true);
    for (uint32_t i = 0; i < a->l.in[to].count; i++)
        if (is_counted(a, a->l.in[to].values[i]))
            pass(a, spills, share, from, a->l.in[to].values[i], a->first_in[a->l.in[to].values[i]] == a->stamp, false);
    for (uint32_t i = block->inst; i < block->inst + block->inst_count && is_phi(a, i); i++)
        if (is_value(a, i))
            pass(a, spills, share, from, i, a->first_in[i] == a->stamp, true);
    mark(a, &a->exit[from], false);
}

static void follow_blocks(struct allocator *a)
{
    for (uint32_t b = 0; b < a->l.kernel->block_count; b++) {
        a->block = b;
        look_ahead(a, b);
        link_uses(a, b);
        enter(a, b);
        keep(a, &a->entry[b]);
        follow(a, b);
        keep(a, &a->exit[b]);
        mark(a, &a->file, false);
    }
}

static void follow_edges(struct allocator *a)
{
    for (uint32_t b = 0; b < a->l.kernel->block_count; b++)
        for (uint32_t s = 0, to; (to = gp_block_successor(a->l.kernel, b, s)) != GP_NONE; s++)
            follow_edge(a, b, to);
}

static void begin(struct allocator *a, uint32_t excess)
{
    uint32_t blocks = a->l.kernel->block_count, values = a->l.count + 1, most, scalars;
    a->spills->blocks = calloc(blocks + 1, sizeof *a->spills->blocks);
    a->next = malloc(values * sizeof *a->next);
    a->next_in = calloc(values, sizeof *a->next_in);
    a->first = malloc(values * sizeof *a->first);
    a->first_in = calloc(values, sizeof *a->first_in);
    a->in_register = calloc(values, sizeof *a->in_register);
    a->stored = calloc(values, sizeof *a->stored);
    a->web = malloc(values * sizeof *a->web);
    a->has_place = calloc(values, sizeof *a->has_place);
    a->file.values = malloc(values * sizeof *a->file.values);
    a->entry = calloc(blocks + 1, sizeof *a->entry);
    a->exit = calloc(blocks + 1, sizeof *a->exit);
    join_webs(a);
    gp_live_peak(&a->l, &most, &scalars);
    a->room = most > excess + LEAST_REGISTERS ? most - excess : LEAST_REGISTERS;
}

static void end(struct allocator *a)
{
    for (uint32_t b = 0; b < a->l.kernel->block_count; b++) {
        free(a->entry[b].values);
        free(a->exit[b].values);
    }
    free(a->next);
    free(a->next_in);
    free(a->first);
    free(a->first_in);
    free(a->in_register);
    free(a->stored);
    free(a->web);
    free(a->has_place);
    free(a->file.values);
    free(a->entry);
    free(a->exit);
    free(a->uses);
    gp_liveness_end(&a->l);
}

void gp_spills_find(const struct gp_kernel *kernel, bool scalar_unit, uint32_t excess, struct gp_spills *spills)
{
    struct allocator a = {.spills = spills};
    *spills = (struct gp_spills){0};
    gp_liveness_begin(&a.l, kernel, scalar_unit);
    begin(&a, excess);
    follow_blocks(&a);
    follow_edges(&a);
    end(&a);
}

void gp_spills_end(struct gp_spills *spills) { free(spills->blocks); }

double gp_constant_iterations(const struct gp_kernel *kernel, uint32_t loop)
{
    double iterations = 1;
    for (; loop != GP_NONE; loop = kernel->loops[loop].parent)
        if (gp_ref_kind(kernel->loops[loop].trip_count) == GP_REF_CONST)
            iterations *= fmax(1, (double)kernel->constants[gp_ref_index(kernel->loops[loop].trip_count)]);
    return iterations;
}
