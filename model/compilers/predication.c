/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/compilers/predication.h"

#include <stdlib.h>

#include "model/value/inst_facts.h"
#include "model/compilers/inst_cost.h"
#include "model/compilers/nvidia_rules.h"
#include "support/memory.h"

/* In guarded code with a load from global memory, which is worth more, and without. */
enum { MOST_BESIDE_LOADS = 18, MOST_PREDICATED = 7 };

static void count_entries(const struct gp_kernel *kernel, uint32_t *entries)
{
    for (uint32_t b = 0; b < kernel->block_count; b++) {
        const struct gp_inst *last = gp_block_terminator(kernel, b);
        for (uint32_t k = 0; k < last->operand_count; k++)
            if (gp_ref_kind(kernel->operands[last->operand + k]) == GP_REF_BLOCK)
                entries[gp_ref_index(kernel->operands[last->operand + k])]++;
    }
}

/* What is looked at: a branch, the conditions behind it, and what they guard. */
struct finder {
    const struct gp_kernel *kernel;
    const struct gp_cost *costs; /* per class */
    const uint32_t *entries;     /* per block: branches that lead to it */
    struct gp_predication *found;
};

static uint32_t target_of(const struct gp_kernel *kernel, uint32_t block, uint32_t side)
{
    return gp_ref_index(kernel->operands[gp_block_terminator(kernel, block)->operand + 1 + side]);
}

static bool has_condition(const struct gp_kernel *kernel, uint32_t block)
{
    return gp_block_terminator(kernel, block)->op == GP_OP_CONDBR;
}

/* An instruction that waits for other warps or lanes, calls, is atomic or has a branch in itself. */
static bool keeps_branch(const struct gp_kernel *kernel, const struct gp_inst *inst)
{
    bool atomic = gp_inst_accesses(inst) && (kernel->memory[inst->record].flags & GP_MEMORY_ATOMIC);
    return gp_inst_is_fence(inst) || inst->cost == GP_CLASS_SHUFFLE || inst->cost == GP_CLASS_VOTE || atomic ||
           gp_nvidia_branches((enum gp_class)inst->cost);
}

/* Few instructions, none that keeps the branch around it. `memory`: they may access it. */
static bool is_short(const struct finder *f, uint32_t block, bool memory)
{
    const struct gp_kernel *kernel = f->kernel;
    const struct gp_block *b = &kernel->blocks[block];
    double count = 0;
    bool loads = false;
    for (uint32_t i = b->inst; i + 1 < b->inst + b->inst_count; i++) {
        const struct gp_inst *inst = &kernel->insts[i];
        if (keeps_branch(kernel, inst) || (gp_inst_accesses(inst) && !memory))
            return false;
        loads |= inst->op == GP_OP_LOAD && kernel->memory[inst->record].space == GP_SPACE_GLOBAL;
        count += gp_inst_accesses(inst) ? 1 : gp_inst_cost(inst, f->costs, 0).issue;
    }
    return count <= (loads ? MOST_BESIDE_LOADS : MOST_PREDICATED);
}

/* Guarded by the conditions of `entries` branches, and leads to `behind`. */
static bool is_guarded(const struct finder *f, uint32_t head, uint32_t block, uint32_t entries, uint32_t behind)
{
    const struct gp_inst *last = gp_block_terminator(f->kernel, block);
    return block != head && block != behind && f->entries[block] == entries &&
           f->kernel->blocks[block].loop == f->kernel->blocks[head].loop && is_short(f, block, true) &&
           last->op == GP_OP_BR && f->kernel->operands[last->operand] == gp_ref_make(GP_REF_BLOCK, behind);
}

/* `c && d`: another condition, of few operations that access no memory, between the one of `block` and what both guard;
 * `otherwise` is where either leads if it does not hold. */
static bool is_further_condition(const struct finder *f, uint32_t head, uint32_t block, uint32_t otherwise)
{
    const struct gp_kernel *kernel = f->kernel;
    return block != head && block != otherwise && f->entries[block] == 1 && f->found->head[block] == block &&
           f->found->next[block] == GP_NONE && kernel->blocks[block].loop == kernel->blocks[head].loop &&
           has_condition(kernel, block) &&
           (target_of(kernel, block, 0) == otherwise) != (target_of(kernel, block, 1) == otherwise) &&
           is_short(f, block, false);
}

static void append(struct gp_predication *p, uint32_t head, uint32_t *last, uint32_t block)
{
    p->next[*last] = block;
    p->head[block] = head;
    p->place[block] = p->place[*last] + 1;
    *last = block;
}

/* Under a condition, which may be a number. */
static void append_guarded(struct gp_predication *p, uint32_t head, uint32_t *last, uint32_t block, gp_ref condition)
{
    append(p, head, last, block);
    p->guarded[block] = true;
    p->guard[block] = gp_ref_kind(condition) == GP_REF_INST ? gp_ref_index(condition) : GP_NONE;
}

static gp_ref condition_of(const struct gp_kernel *kernel, uint32_t block)
{
    return kernel->operands[gp_block_terminator(kernel, block)->operand];
}

/*
 * What one side of the branch at the end of *last guards, behind further conditions, and what the other side of all of
 * them does: nothing, or a block as short. They join the line. Returns the block where both sides meet; GP_NONE:
 * nothing is found.
 */
static uint32_t join_guarded(const struct finder *f, uint32_t head, uint32_t *last, uint32_t side)
{
    const struct gp_kernel *kernel = f->kernel;
    enum { MOST_CONDITIONS = 4 };
    uint32_t conditions[MOST_CONDITIONS], count = 0, guarded = target_of(kernel, *last, side),
                                          otherwise = target_of(kernel, *last, 1 - side);
    for (; count < MOST_CONDITIONS && is_further_condition(f, head, guarded, otherwise); count++) {
        conditions[count] = guarded;
        guarded = target_of(kernel, guarded, target_of(kernel, guarded, 0) == otherwise);
    }
    const struct gp_inst *end = gp_block_terminator(kernel, guarded);
    uint32_t behind = end->op == GP_OP_BR ? gp_ref_index(kernel->operands[end->operand]) : GP_NONE;
    bool both = behind != otherwise && behind != GP_NONE && is_guarded(f, head, otherwise, count + 1, behind);
    if (guarded == otherwise || !is_guarded(f, head, guarded, 1, both ? behind : otherwise))
        return GP_NONE;
    gp_ref guard = condition_of(kernel, *last);
    for (uint32_t k = 0; k < count; k++) {
        append_guarded(f->found, head, last, conditions[k], guard);
        guard = condition_of(kernel, conditions[k]);
    }
    append_guarded(f->found, head, last, guarded, guard);
    if (both)
        append_guarded(f->found, head, last, otherwise, guard);
    return f->entries[behind] == (both ? 2 : count + 2) ? behind : GP_NONE;
}

/* The line that begins with `head`, as long as what is guarded leads to a block that nothing else leads to. */
static void follow(const struct finder *f, uint32_t head)
{
    for (uint32_t last = head; has_condition(f->kernel, last);) {
        uint32_t before = last, behind = join_guarded(f, head, &last, 0);
        if (last == before)
            behind = join_guarded(f, head, &last, 1);
        if (behind == GP_NONE || f->kernel->blocks[behind].loop != f->kernel->blocks[head].loop ||
            f->found->next[behind] != GP_NONE || f->found->head[behind] != behind)
            return;
        append(f->found, head, &last, behind);
    }
}

void gp_predication_find(const struct gp_kernel *kernel, const struct gp_device *device,
                         const struct gp_cost costs[GP_CLASS_COUNT], struct gp_predication *p)
{
    uint32_t *entries = gp_some(kernel->block_count, sizeof *entries);
    *p = (struct gp_predication){
        gp_some(kernel->block_count, sizeof *p->head), gp_some(kernel->block_count, sizeof *p->next),
        gp_some(kernel->block_count, sizeof *p->place), gp_some(kernel->block_count, sizeof *p->guarded),
        gp_some(kernel->block_count, sizeof *p->guard)};
    for (uint32_t b = 0; b < kernel->block_count; b++) {
        p->head[b] = b;
        p->next[b] = p->guard[b] = GP_NONE;
    }
    if (gp_arch_is_nvidia(device->arch)) {
        const struct finder f = {kernel, costs, entries, p};
        count_entries(kernel, entries);
        for (uint32_t b = 0; b < kernel->block_count; b++)
            if (p->head[b] == b && p->next[b] == GP_NONE)
                follow(&f, b);
    }
    free(entries);
}

void gp_predication_free(struct gp_predication *p)
{
    free(p->head);
    free(p->next);
    free(p->place);
    free(p->guarded);
    free(p->guard);
    *p = (struct gp_predication){0};
}
