#include "model/predication.h"

#include <stdlib.h>

#include "model/cost.h"
#include "model/inst_facts.h"
#include "support/memory.h"

enum { MOST_PREDICATED = 7 };

static void count_entries(const struct gp_kernel *kernel, uint32_t *entries)
{
    for (uint32_t b = 0; b < kernel->block_count; b++) {
        const struct gp_inst *last = gp_block_terminator(kernel, b);
        for (uint32_t k = 0; k < last->operand_count; k++)
            if (gp_ref_kind(kernel->operands[last->operand + k]) == GP_REF_BLOCK)
                entries[gp_ref_index(kernel->operands[last->operand + k])]++;
    }
}

/* Few instructions, none that waits for other warps or calls, and on to `behind`. */
static bool is_short(const struct gp_kernel *kernel, uint32_t block, uint32_t behind)
{
    const struct gp_block *b = &kernel->blocks[block];
    uint32_t count = 0;
    for (uint32_t i = b->inst; i + 1 < b->inst + b->inst_count; i++) {
        const struct gp_inst *inst = &kernel->insts[i];
        if (gp_inst_is_fence(inst))
            return false;
        count += inst->cost != GP_CLASS_FREE ? inst->repeat : 0;
    }
    const struct gp_inst *last = gp_block_terminator(kernel, block);
    return count <= MOST_PREDICATED && last->op == GP_OP_BR && kernel->operands[last->operand] == gp_ref_make(GP_REF_BLOCK, behind);
}

/* The guarded block behind `block`, which leads to *behind; GP_NONE: there is none. */
static uint32_t guarded_behind(const struct gp_kernel *kernel, const uint32_t *entries, uint32_t block, uint32_t *behind)
{
    const struct gp_inst *branch = gp_block_terminator(kernel, block);
    if (branch->op != GP_OP_CONDBR)
        return GP_NONE;
    for (int side = 0; side < 2; side++) {
        uint32_t guarded = gp_ref_index(kernel->operands[branch->operand + 1 + side]);
        *behind = gp_ref_index(kernel->operands[branch->operand + 2 - side]);
        if (guarded != *behind && guarded != block && entries[guarded] == 1 && kernel->blocks[guarded].loop == kernel->blocks[block].loop && is_short(kernel, guarded, *behind))
            return guarded;
    }
    return GP_NONE;
}

static void follow(struct gp_predication *p, const struct gp_kernel *kernel, const uint32_t *entries, uint32_t head)
{
    uint32_t behind;
    for (uint32_t last = head, guarded; (guarded = guarded_behind(kernel, entries, last, &behind)) != GP_NONE; last = behind) {
        p->next[last] = guarded;
        p->head[guarded] = head;
        p->guard[guarded] = kernel->operands[gp_block_terminator(kernel, last)->operand];
        if (entries[behind] != 2 || kernel->blocks[behind].loop != kernel->blocks[head].loop || p->next[behind] != GP_NONE)
            return;
        p->next[guarded] = behind;
        p->head[behind] = head;
    }
}

bool gp_predication_find(const struct gp_kernel *kernel, enum gp_arch arch, struct gp_predication *p)
{
    uint32_t *entries = gp_some(kernel->block_count, sizeof *entries);
    *p = (struct gp_predication){gp_some(kernel->block_count, sizeof *p->head), gp_some(kernel->block_count, sizeof *p->next),
                                 gp_some(kernel->block_count, sizeof *p->guard)};
    bool ok = entries && p->head && p->next && p->guard;
    for (uint32_t b = 0; ok && b < kernel->block_count; b++) {
        p->head[b] = b;
        p->next[b] = GP_NONE;
    }
    if (ok && gp_arch_is_nvidia(arch)) {
        count_entries(kernel, entries);
        for (uint32_t b = 0; b < kernel->block_count; b++)
            if (p->head[b] == b && p->next[b] == GP_NONE)
                follow(p, kernel, entries, b);
    }
    free(entries);
    if (!ok)
        gp_predication_free(p);
    return ok;
}

void gp_predication_free(struct gp_predication *p)
{
    free(p->head);
    free(p->next);
    free(p->guard);
    *p = (struct gp_predication){0};
}
