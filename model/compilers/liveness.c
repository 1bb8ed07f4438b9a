/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/compilers/liveness.h"

#include <stdlib.h>
#include <string.h>

static gp_ref operand(const struct gp_kernel *kernel, const struct gp_inst *inst, uint32_t k)
{
    return kernel->operands[inst->operand + k];
}

bool gp_live_is_operand(const struct gp_liveness *l, uint32_t value)
{
    const struct gp_inst *inst = &l->kernel->insts[value];
    if (inst->op != GP_OP_LOAD || inst->record == GP_NONE)
        return false;
    const struct gp_memory *memory = &l->kernel->memory[inst->record];
    return memory->space == GP_SPACE_CONSTANT && (inst->flags & GP_INST_UNIFORM);
}

bool gp_live_in_scalar(const struct gp_liveness *l, uint32_t value)
{
    const struct gp_inst *inst = &l->kernel->insts[value];
    return l->scalar_unit && (inst->flags & GP_INST_UNIFORM) && inst->op != GP_OP_PHI;
}

/*
 * Whether `repeat` is the number of elements: of a vector of OpenCL's, or one of LLVM's, larger ones, which it makes of
 * arrays of sums. Elsewhere it may be what an operation costs, as of a matrix unit's, or of a function's.
 */
static bool counts_elements(const struct gp_inst *inst)
{
    enum { LARGEST_IN_SOURCE = 16 };
    if (inst->op == GP_OP_PHI)
        return true;
    if (inst->op != GP_OP_WEIGHT || inst->cost == GP_CLASS_CALL)
        return false;
    bool sum = (inst->cost >= GP_CLASS_FLOAT_ADD && inst->cost <= GP_CLASS_FLOAT_MINMAX) ||
               (inst->cost >= GP_CLASS_DOUBLE_ADD && inst->cost <= GP_CLASS_DOUBLE_MINMAX) ||
               inst->cost == GP_CLASS_MOV || inst->cost == GP_CLASS_SELECT || inst->cost == GP_CLASS_INT_ADD ||
               inst->cost == GP_CLASS_INT_MAD;
    return inst->repeat <= LARGEST_IN_SOURCE || sum;
}

uint32_t gp_live_words(const struct gp_liveness *l, uint32_t value)
{
    const struct gp_inst *inst = &l->kernel->insts[value];
    if (inst->bits <= 1)
        return 0; /* predicates */
    uint32_t words = inst->bits == 64 ? 2 : 1;
    if (inst->record != GP_NONE && (inst->op == GP_OP_LOAD || inst->op == GP_OP_IMAGE_LOAD)) {
        uint32_t all = words * l->kernel->memory[inst->record].vector;
        return all > 0 ? all : inst->op == GP_OP_IMAGE_LOAD ? 1 : words;
    }
    return counts_elements(inst) && inst->repeat > 1 ? words * inst->repeat : words;
}

static bool is_transparent(const struct gp_inst *inst)
{
    return inst->op != GP_OP_PHI && inst->op != GP_OP_LOAD && inst->op != GP_OP_ID && inst->cost == GP_CLASS_FREE;
}

static void add_root(struct gp_liveness *l, uint32_t i, uint32_t root)
{
    for (uint32_t k = 0; k < l->root_count[i]; k++)
        if (l->roots[i][k] == root)
            return;
    if (l->root_count[i] < GP_MAX_ROOTS)
        l->roots[i][l->root_count[i]++] = root;
}

static void visit_roots(const struct gp_liveness *l, gp_ref ref, gp_live_visit *visit, void *context)
{
    uint32_t of = gp_ref_index(ref);
    for (uint32_t n = 0; gp_ref_kind(ref) == GP_REF_INST && of < l->count && n < l->root_count[of]; n++)
        visit(context, l->roots[of][n]);
}

static void find_roots(struct gp_liveness *l)
{
    for (uint32_t i = 0; i < l->count; i++) {
        const struct gp_inst *inst = &l->kernel->insts[i];
        if (inst->bits == 0 ||
            (inst->op == GP_OP_ID && inst->cost == GP_CLASS_FREE)) /* read from constant memory where it is used */
            continue;
        if (!is_transparent(inst)) {
            add_root(l, i, i);
            continue;
        }
        for (uint32_t k = 0; k < inst->operand_count; k++) {
            gp_ref ref = operand(l->kernel, inst, k);
            uint32_t of = gp_ref_index(ref);
            for (uint32_t n = 0; gp_ref_kind(ref) == GP_REF_INST && of < i && n < l->root_count[of]; n++)
                add_root(l, i, l->roots[of][n]);
        }
    }
}

void gp_live_uses(const struct gp_liveness *l, uint32_t i, gp_live_visit *visit, void *context)
{
    const struct gp_inst *user = &l->kernel->insts[i];
    if (user->op == GP_OP_PHI || (is_transparent(user) && user->bits != 0))
        return;
    for (uint32_t k = 0; k < user->operand_count; k++)
        visit_roots(l, operand(l->kernel, user, k), visit, context);
}

uint32_t gp_block_successor(const struct gp_kernel *kernel, uint32_t block, uint32_t i)
{
    const struct gp_inst *last = gp_block_terminator(kernel, block);
    for (uint32_t k = 0; k < last->operand_count; k++) {
        gp_ref ref = operand(kernel, last, k);
        if (gp_ref_kind(ref) == GP_REF_BLOCK && i-- == 0)
            return gp_ref_index(ref);
    }
    return GP_NONE;
}

static void push(struct gp_live_list *list, uint32_t value)
{
    if (list->count == list->room) {
        list->room = list->room ? 2 * list->room : 8;
        list->values = realloc(list->values, list->room * sizeof *list->values);
    }
    list->values[list->count++] = value;
}

/* Visits what the phis of `to` take from `from`. */
static void phis_take(const struct gp_liveness *l, uint32_t from, uint32_t to, gp_live_visit *visit, void *context)
{
    const struct gp_block *block = &l->kernel->blocks[to];
    for (uint32_t i = block->inst; i < block->inst + block->inst_count && l->kernel->insts[i].op == GP_OP_PHI; i++) {
        const struct gp_inst *phi = &l->kernel->insts[i];
        for (uint32_t k = 0; k + 1 < phi->operand_count; k += 2) {
            if (gp_ref_index(operand(l->kernel, phi, k)) == from)
                visit_roots(l, operand(l->kernel, phi, k + 1), visit, context);
        }
    }
}

/* Live at the end of a block: at its successors' starts, and what their phis take from it. */
static void live_out(const struct gp_liveness *l, uint32_t block, gp_live_visit *visit, void *context)
{
    for (uint32_t s = 0, next; (next = gp_block_successor(l->kernel, block, s)) != GP_NONE; s++) {
        for (uint32_t i = 0; i < l->in[next].count; i++)
            visit(context, l->in[next].values[i]);
        phis_take(l, block, next, visit, context);
    }
}

/* ---- From uses up to definitions -------------------------------------------------------------------------------- */

/* A use outside of the value's own block: there, or in a phi of a block behind it. */
struct use {
    uint32_t value, block;
};
struct uses {
    const struct gp_liveness *l;
    struct use *list;
    size_t count, room;
    uint32_t block;
};

static void add_use(void *context, uint32_t value)
{
    struct uses *u = context;
    if (u->l->block_of[value] == u->block)
        return;
    if (u->count == u->room) {
        u->room = u->room ? 2 * u->room : 256;
        u->list = realloc(u->list, u->room * sizeof *u->list);
    }
    u->list[u->count++] = (struct use){value, u->block};
}

static void collect_uses(const struct gp_liveness *l, struct uses *u)
{
    for (uint32_t b = 0; b < l->kernel->block_count; b++) {
        u->block = b;
        const struct gp_block *block = &l->kernel->blocks[b];
        for (uint32_t i = block->inst; i < block->inst + block->inst_count; i++)
            gp_live_uses(l, i, add_use, u);
        for (uint32_t s = 0, next; (next = gp_block_successor(l->kernel, b, s)) != GP_NONE; s++)
            phis_take(l, b, next, add_use, u);
    }
}

/* By value: a counting sort. */
static void sort_uses(const struct gp_liveness *l, struct uses *u)
{
    size_t *next = calloc((size_t)l->count + 2, sizeof *next);
    struct use *sorted = malloc((u->count + 1) * sizeof *sorted);
    for (size_t i = 0; i < u->count; i++)
        next[u->list[i].value + 1]++;
    for (uint32_t v = 0; v < l->count; v++)
        next[v + 1] += next[v];
    for (size_t i = 0; i < u->count; i++)
        sorted[next[u->list[i].value]++] = u->list[i];
    free(next);
    free(u->list);
    u->list = sorted;
}

/* Values come one after the other: one that is listed in a block stands last there. */
static void mark_up(struct gp_liveness *l, struct gp_live_list *stack, uint32_t value)
{
    while (stack->count > 0) {
        uint32_t b = stack->values[--stack->count];
        struct gp_live_list *in = &l->in[b];
        if (l->block_of[value] == b || (in->count > 0 && in->values[in->count - 1] == value))
            continue;
        push(in, value);
        for (uint32_t i = 0; i < l->before[b].count; i++)
            push(stack, l->before[b].values[i]);
    }
}

static void find_live(struct gp_liveness *l)
{
    struct uses uses = {.l = l};
    struct gp_live_list stack = {0};
    collect_uses(l, &uses);
    sort_uses(l, &uses);
    for (size_t i = 0; i < uses.count; i++) {
        push(&stack, uses.list[i].block);
        mark_up(l, &stack, uses.list[i].value);
    }
    free(stack.values);
    free(uses.list);
}

static void find_predecessors(struct gp_liveness *l)
{
    for (uint32_t b = 0; b < l->kernel->block_count; b++)
        for (uint32_t s = 0, next; (next = gp_block_successor(l->kernel, b, s)) != GP_NONE; s++)
            push(&l->before[next], b);
}

void gp_liveness_begin(struct gp_liveness *l, const struct gp_kernel *kernel, bool scalar_unit)
{
    *l = (struct gp_liveness){.kernel = kernel, .scalar_unit = scalar_unit};
    for (uint32_t b = 0; b < kernel->block_count; b++)
        l->count += kernel->blocks[b].inst_count;
    l->roots = malloc((l->count + 1) * sizeof *l->roots);
    l->root_count = calloc(l->count + 1, 1);
    l->block_of = malloc((l->count + 1) * sizeof *l->block_of);
    l->in = calloc(kernel->block_count + 1, sizeof *l->in);
    l->before = calloc(kernel->block_count + 1, sizeof *l->before);
    for (uint32_t b = 0; b < kernel->block_count; b++)
        for (uint32_t i = 0; i < kernel->blocks[b].inst_count; i++)
            l->block_of[kernel->blocks[b].inst + i] = b;
    find_roots(l);
    find_predecessors(l);
    find_live(l);
}

void gp_liveness_end(struct gp_liveness *l)
{
    for (uint32_t b = 0; b < l->kernel->block_count; b++) {
        free(l->in[b].values);
        free(l->before[b].values);
    }
    free(l->roots);
    free(l->root_count);
    free(l->block_of);
    free(l->in);
    free(l->before);
}

/* ---- The most at once -------------------------------------------------------------------------------------------- */

uint32_t gp_live_walk_words(const struct gp_live_walk *walk, uint32_t value)
{
    return walk->words != NULL ? walk->words(walk->l, value) : gp_live_words(walk->l, value);
}

static void comes_alive(void *context, uint32_t value)
{
    struct gp_live_walk *walk = context;
    if (walk->live_in[value] == walk->stamp)
        return;
    walk->live_in[value] = walk->stamp;
    walk->now[gp_live_in_scalar(walk->l, value)] += gp_live_walk_words(walk, value);
}

void gp_live_walk_record(struct gp_live_walk *walk)
{
    for (int kind = 0; kind < 2; kind++)
        if (walk->now[kind] > walk->most[kind])
            walk->most[kind] = walk->now[kind];
}

void gp_live_walk_begin(struct gp_live_walk *walk, const struct gp_liveness *l, gp_live_words_of *words)
{
    *walk = (struct gp_live_walk){.l = l, .words = words, .live_in = calloc(l->count + 1, sizeof *walk->live_in)};
}

void gp_live_walk_enter(struct gp_live_walk *walk, uint32_t block)
{
    walk->stamp++;
    walk->now[0] = walk->now[1] = 0;
    live_out(walk->l, block, comes_alive, walk);
    gp_live_walk_record(walk);
}

void gp_live_walk_pass(struct gp_live_walk *walk, uint32_t inst)
{
    if (walk->live_in[inst] == walk->stamp) {
        walk->live_in[inst] = 0;
        walk->now[gp_live_in_scalar(walk->l, inst)] -= gp_live_walk_words(walk, inst);
    }
    gp_live_uses(walk->l, inst, comes_alive, walk);
    gp_live_walk_record(walk);
}

void gp_live_walk_through(struct gp_live_walk *walk, uint32_t b)
{
    const struct gp_block *block = &walk->l->kernel->blocks[b];
    gp_live_walk_enter(walk, b);
    for (uint32_t i = block->inst + block->inst_count; i-- > block->inst;)
        gp_live_walk_pass(walk, i);
}

void gp_live_walk_end(struct gp_live_walk *walk) { free(walk->live_in); }

void gp_live_peak(const struct gp_liveness *l, uint32_t *vector, uint32_t *scalars)
{
    struct gp_live_walk walk;
    gp_live_walk_begin(&walk, l, NULL);
    for (uint32_t b = 0; b < l->kernel->block_count; b++)
        gp_live_walk_through(&walk, b);
    *vector = walk.most[0];
    *scalars = walk.most[1];
    gp_live_walk_end(&walk);
}
