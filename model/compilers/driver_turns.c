/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/compilers/driver_turns.h"

#include "model/compilers/cost.h"
#include "model/compilers/loop_exit.h"
#include "model/compilers/nvidia_rules.h"
#include "model/compilers/schedule.h"
#include "model/value/inst_facts.h"
#include "model/value/operand_walk.h"
#include "model/value/refs.h"

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

/* Whether a value is none but the loop's counters and what stands before the loop make, by steps: a part of an address
 * or of the loop's end, for which the machine has no instruction of its own. */
static enum gp_visit takes_steps(const struct gp_kernel *kernel, gp_ref ref, const struct gp_inst *inst, void *loop)
{
    if (inst == NULL || kernel->blocks[gp_inst_block(kernel, gp_ref_index(ref))].loop != *(const uint32_t *)loop)
        return GP_VISIT_NEXT;
    switch ((enum gp_op)inst->op) {
    case GP_OP_PHI: return gp_counter_of(kernel, gp_ref_index(ref)) != NULL ? GP_VISIT_NEXT : GP_VISIT_ENOUGH;
    case GP_OP_ADD:
    case GP_OP_SUB:
    case GP_OP_MUL:
    case GP_OP_SHL:
    case GP_OP_ZEXT:
    case GP_OP_SEXT:
    case GP_OP_TRUNC:
    case GP_OP_COPY: return GP_VISIT_OPERANDS;
    default: return GP_VISIT_ENOUGH;
    }
}

static bool is_of_machine(const struct gp_kernel *kernel, uint32_t index, uint32_t loop)
{
    const struct gp_inst *inst = &kernel->insts[index];
    if (inst->op == GP_OP_PHI || inst->op == GP_OP_ICMP || inst->op == GP_OP_FCMP || inst->cost == GP_CLASS_BRANCH ||
        (inst->flags & GP_INST_CHEAP))
        return false;
    return gp_inst_accesses(inst) ||
           gp_walk_operands(kernel, gp_ref_make(GP_REF_INST, index), takes_steps, &loop) != GP_WALK_WHOLE;
}

struct turn {
    uint32_t of_source;    /* turns that one is, where LLVM has unrolled the loop */
    uint32_t instructions; /* of all of them; 0: the loop has something that keeps its turns apart */
    struct gp_ptx_loop ptx;
};

static uint32_t first_factor(const struct turn *t)
{
    return gp_nvidia_first_factor((t->instructions + t->of_source - 1) / t->of_source);
}

static void add_inst(const struct gp_kernel *kernel, uint32_t index, uint32_t loop, struct turn *t)
{
    const struct gp_inst *inst = &kernel->insts[index];
    bool load = inst->op == GP_OP_LOAD, store = inst->op == GP_OP_STORE;
    t->instructions += inst->op != GP_OP_PHI;
    if (first_factor(t) == 4 && is_of_machine(kernel, index, loop))
        t->ptx.machine += gp_ptx_instructions((enum gp_class)inst->cost) * inst->repeat;
    t->ptx.accesses += load || store;
    t->ptx.stores += store;
    t->ptx.slow_loads += load && kernel->memory[inst->record].space != GP_SPACE_CONSTANT;
}

/* Unrolling leaves a loop of long steps, and one for what is over. */
static uint32_t turns_of_source(const struct gp_kernel *kernel, uint32_t loop)
{
    uint32_t unroll = kernel->loops[loop].unroll;
    for (uint32_t i = 0; i < kernel->induction_count; i++) {
        gp_ref step = kernel->inductions[i].step;
        if (kernel->inductions[i].loop == loop && gp_ref_kind(step) == GP_REF_CONST &&
            kernel->constants[gp_ref_index(step)] % unroll == 0)
            return unroll;
    }
    return 1;
}

static struct turn turn_of(const struct gp_kernel *kernel, uint32_t loop)
{
    struct turn t = {.of_source = turns_of_source(kernel, loop)};
    for (uint32_t b = 0; b < kernel->block_count; b++) {
        const struct gp_block *block = &kernel->blocks[b];
        for (uint32_t i = block->inst; block->loop == loop && i < block->inst + block->inst_count; i++) {
            const struct gp_inst *inst = &kernel->insts[i];
            if (inst->cost == GP_CLASS_BARRIER || inst->cost == GP_CLASS_CALL || inst->op == GP_OP_ATOMIC)
                return (struct turn){0};
            add_inst(kernel, i, loop, &t);
        }
        t.ptx.blocks += block->loop == loop;
    }
    return t;
}

/* Whether its turns can be counted before it begins: also to an end that was loaded before, as a row's of a sparse
 * matrix. */
static bool is_counted(const struct gp_kernel *kernel, uint32_t loop)
{
    const struct gp_loop *l = &kernel->loops[loop];
    struct gp_loop_exit exit;
    if (l->data_dependent)
        return l->header == l->latch && gp_find_loop_exit(kernel, loop, l->header, &exit) && exit.block == l->latch;
    return l->bound == GP_BOUND_CONSTANT || l->bound == GP_BOUND_SCEV || l->bound == GP_BOUND_INDUCTION ||
           l->bound == GP_BOUND_EXECUTED;
}

static bool is_unrolled_again(struct turn t)
{
    uint32_t of_source = t.of_source;
    t.ptx.machine = (t.ptx.machine + of_source - 1) / of_source;
    t.ptx.accesses = (t.ptx.accesses + of_source - 1) / of_source;
    t.ptx.stores = (t.ptx.stores + of_source - 1) / of_source;
    return gp_nvidia_unrolls_again(t.ptx);
}

uint8_t gp_driver_turns_of_loop(const struct gp_kernel *kernel, enum gp_unrolled_by unrolled_by, uint32_t loop)
{
    const struct gp_loop *l = &kernel->loops[loop];
    if ((l->unroll > 1 && unrolled_by == GP_UNROLLED_BY_SOURCE) || l->irreducible ||
        !gp_loop_is_innermost(kernel, loop) || !is_counted(kernel, loop) || !steps_by_number(kernel, loop))
        return 1;
    struct turn turn = turn_of(kernel, loop);
    if (turn.instructions == 0)
        return 1;
    uint32_t factor = first_factor(&turn);
    factor = factor == 4 && is_unrolled_again(turn) ? 16 : factor;
    return (uint8_t)(factor > turn.of_source ? factor / turn.of_source : 1);
}

static uint32_t loop_of(const struct gp_kernel *kernel, uint32_t inst)
{
    return kernel->blocks[gp_inst_block(kernel, inst)].loop;
}

struct carried {
    uint32_t loop;
    bool before; /* what is looked at is of the turn before: behind one of the loop's phis */
};

static enum gp_visit see_carried(const struct gp_kernel *kernel, gp_ref ref, const struct gp_inst *inst, void *context)
{
    const struct carried *at = context;
    if (inst == NULL || loop_of(kernel, gp_ref_index(ref)) != at->loop)
        return GP_VISIT_NEXT;
    if (at->before && gp_inst_accesses(inst))
        return GP_VISIT_ENOUGH;
    if (inst->op != GP_OP_PHI)
        return GP_VISIT_OPERANDS;
    for (uint32_t k = 0; k < inst->operand_count && !at->before; k++) {
        struct carried before = {at->loop, true};
        if (gp_walk_operands(kernel, gp_operand_of(kernel, inst, k), see_carried, &before) != GP_WALK_WHOLE)
            return GP_VISIT_ENOUGH;
    }
    return GP_VISIT_NEXT; /* a counter, or another value that goes round */
}

/* Whether a value is made of what the turn before has loaded. What cannot be followed is taken to be. */
static bool is_carried(const struct gp_kernel *kernel, gp_ref ref, uint32_t loop)
{
    struct carried now = {loop, false};
    return gp_walk_operands(kernel, ref, see_carried, &now) != GP_WALK_WHOLE;
}

/* Whether a load may read what the loop stores. */
static bool follows_stores(const struct gp_kernel *kernel, const struct gp_memory *load, uint32_t loop)
{
    if ((load->flags & GP_MEMORY_READONLY) || load->space == GP_SPACE_CONSTANT)
        return false;
    for (uint32_t m = 0; m < kernel->memory_count; m++) {
        const struct gp_memory *other = &kernel->memory[m];
        if (gp_memory_writes(other) && gp_spaces_may_alias(load->space, other->space) &&
            loop_of(kernel, other->inst) == loop)
            return true;
    }
    return false;
}

void gp_find_driver_turns(const struct gp_kernel *kernel, enum gp_unrolled_by unrolled_by,
                          struct gp_driver_turns *turns)
{
    uint32_t known = GP_NONE;
    uint8_t together = 1;
    for (uint32_t m = 0; m < kernel->memory_count; m++) {
        const struct gp_inst *inst = &kernel->insts[kernel->memory[m].inst];
        uint32_t loop = inst->op == GP_OP_LOAD ? loop_of(kernel, kernel->memory[m].inst) : GP_NONE;
        turns[m] = (struct gp_driver_turns){1, 1};
        if (loop == GP_NONE)
            continue;
        if (loop != known)
            together = gp_driver_turns_of_loop(kernel, unrolled_by, known = loop);
        if (together > 1 && !is_carried(kernel, gp_operand_of(kernel, inst, 0), loop))
            turns[m] =
                (struct gp_driver_turns){together, follows_stores(kernel, &kernel->memory[m], loop) ? 1 : together};
    }
}
