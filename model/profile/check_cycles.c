/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * No value is made of itself but by way of a phi: who follows operands and stops at phis comes to an end. Depth first,
 * without recursion: an instruction is open while its operands are looked at, and a cycle leads to an open one.
 */
#include <stdlib.h>

#include "model/profile/checker.h"

enum state { UNSEEN, OPEN, DONE };

struct visit {
    uint32_t inst, next; /* operand */
};

struct walk {
    const struct gp_kernel *kernel;
    uint8_t *state;     /* by instruction */
    struct visit *open; /* from the first to the one looked at */
    uint32_t depth;
};

static void enter(struct walk *w, uint32_t inst)
{
    w->state[inst] = OPEN;
    w->open[w->depth++] = (struct visit){inst, 0};
}

/* The instruction that the next operand is; GP_NONE: there is none. */
static uint32_t next_operand(const struct walk *w, struct visit *at)
{
    const struct gp_inst *inst = &w->kernel->insts[at->inst];
    while (inst->op != GP_OP_PHI && at->next < inst->operand_count) {
        gp_ref ref = w->kernel->operands[inst->operand + at->next++];
        if (gp_ref_kind(ref) == GP_REF_INST)
            return gp_ref_index(ref);
    }
    return GP_NONE;
}

/* All that the instruction is made of. Gives one that is made of itself, or GP_NONE. */
static uint32_t look_behind(struct walk *w, uint32_t inst)
{
    enter(w, inst);
    while (w->depth > 0) {
        struct visit *at = &w->open[w->depth - 1];
        uint32_t operand = next_operand(w, at);
        if (operand == GP_NONE) {
            w->state[at->inst] = DONE;
            w->depth--;
        } else if (w->state[operand] == OPEN) {
            return operand;
        } else if (w->state[operand] == UNSEEN) {
            enter(w, operand);
        }
    }
    return GP_NONE;
}

bool gp_check_cycles(struct check *c)
{
    uint32_t count = c->kernel->inst_count, found = GP_NONE;
    struct walk w = {.kernel = c->kernel,
                     .state = calloc(count + (size_t)1, sizeof *w.state),
                     .open = calloc(count + (size_t)1, sizeof *w.open)};
    bool enough = w.state != NULL && w.open != NULL;
    for (uint32_t i = 0; enough && i < count && found == GP_NONE; i++)
        if (w.state[i] == UNSEEN)
            found = look_behind(&w, i);
    free(w.state);
    free(w.open);
    REQUIRE(c, enough, "out of memory");
    c->inst = found;
    c->block = found != GP_NONE ? c->block_of[found] : GP_NONE;
    REQUIRE(c, found == GP_NONE, "its value is made of itself, and no phi is between");
    return true;
}
