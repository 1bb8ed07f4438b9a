/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/compilers/driver_turns.h"

#include "model/value/inst_facts.h"
#include "model/value/refs.h"

/* Instructions of as many turns as are made one, and what a short turn has at most (nvcc, see
 * passes/nvidia/runtime_unrolling.cpp); how far an address is followed. */
enum { MOST_UNROLLED = 180, MOST_SHORT = 10, MOST_SHORT_LOADS = 3, DEEPEST = 12, MOST_LOOKED_AT = 4096 };

static bool is_innermost(const struct gp_kernel *kernel, uint32_t loop)
{
    for (uint32_t i = 0; i < kernel->loop_count; i++)
        if (kernel->loops[i].parent == loop)
            return false;
    return true;
}

/* Not by a number of work-items, which these compilers do not divide by to count turns. */
static bool steps_by_number(const struct gp_kernel *kernel, uint32_t loop)
{
    bool some = false;
    for (uint32_t i = 0; i < kernel->induction_count; i++) {
        enum gp_ref_kind kind = gp_ref_kind(kernel->inductions[i].step);
        if (kernel->inductions[i].loop == loop && kind != GP_REF_CONST && kind != GP_REF_PARAM)
            return false;
        some |= kernel->inductions[i].loop == loop;
    }
    return some;
}

struct turn {
    uint32_t instructions, machine, loads, blocks;
};

/* No instructions: the loop has something that keeps its turns apart. A pointer takes steps for each load in place of
 * what its address is made of here: one instruction more. */
static struct turn turn_of(const struct gp_kernel *kernel, uint32_t loop)
{
    struct turn t = {0};
    for (uint32_t b = 0; b < kernel->block_count; b++) {
        const struct gp_block *block = &kernel->blocks[b];
        for (uint32_t i = block->inst; block->loop == loop && i < block->inst + block->inst_count; i++) {
            const struct gp_inst *inst = &kernel->insts[i];
            if (inst->cost == GP_CLASS_BARRIER || inst->cost == GP_CLASS_CALL || inst->op == GP_OP_ATOMIC)
                return (struct turn){0};
            t.instructions += inst->op != GP_OP_PHI;
            t.machine += inst->cost != GP_CLASS_FREE && inst->cost != GP_CLASS_BRANCH && !(inst->flags & GP_INST_CHEAP);
            t.loads += inst->op == GP_OP_LOAD;
        }
        t.blocks += block->loop == loop;
    }
    return t;
}

static bool is_short(struct turn t)
{
    return t.blocks == 1 && t.loads <= MOST_SHORT_LOADS && t.machine <= MOST_SHORT + t.loads;
}

static uint8_t turns_of(const struct gp_kernel *kernel, uint32_t loop)
{
    const struct gp_loop *l = &kernel->loops[loop];
    bool counted = l->bound == GP_BOUND_CONSTANT || l->bound == GP_BOUND_SCEV || l->bound == GP_BOUND_INDUCTION ||
                   l->bound == GP_BOUND_EXECUTED;
    if (l->unroll > 1 || !counted || l->data_dependent || l->irreducible || !is_innermost(kernel, loop) ||
        !steps_by_number(kernel, loop))
        return 1;
    struct turn turn = turn_of(kernel, loop);
    if (turn.instructions == 0 || 2 * turn.instructions > MOST_UNROLLED)
        return 1;
    return 4 * turn.instructions > MOST_UNROLLED ? 2 : is_short(turn) ? 16 : 4;
}

static uint32_t loop_of(const struct gp_kernel *kernel, uint32_t inst)
{
    return kernel->blocks[gp_inst_block(kernel, inst)].loop;
}

/* Whether a value is made of what the turn before has loaded: a load behind one of the loop's phis. What cannot be
 * followed is taken to be. */
static bool is_carried(const struct gp_kernel *kernel, gp_ref ref, uint32_t loop, bool carried, int depth,
                       unsigned *left)
{
    const struct gp_inst *inst = gp_inst_of(kernel, ref);
    if (inst == NULL || loop_of(kernel, gp_ref_index(ref)) != loop)
        return false;
    if (depth == 0 || *left == 0 || (carried && gp_inst_accesses(inst)))
        return true;
    if (inst->op == GP_OP_PHI && carried)
        return false; /* a counter, or another value that goes round */
    --*left;
    for (uint32_t k = 0; k < inst->operand_count; k++)
        if (is_carried(kernel, gp_operand_of(kernel, inst, k), loop, carried || inst->op == GP_OP_PHI, depth - 1, left))
            return true;
    return false;
}

void gp_find_driver_turns(const struct gp_kernel *kernel, uint8_t *turns)
{
    uint32_t known = GP_NONE;
    uint8_t together = 1;
    for (uint32_t m = 0; m < kernel->memory_count; m++) {
        const struct gp_inst *inst = &kernel->insts[kernel->memory[m].inst];
        uint32_t loop = inst->op == GP_OP_LOAD ? loop_of(kernel, kernel->memory[m].inst) : GP_NONE;
        turns[m] = 1;
        if (loop == GP_NONE)
            continue;
        if (loop != known)
            together = turns_of(kernel, known = loop);
        unsigned left = MOST_LOOKED_AT;
        if (together > 1 && !is_carried(kernel, gp_operand_of(kernel, inst, 0), loop, false, DEEPEST, &left))
            turns[m] = together;
    }
}
