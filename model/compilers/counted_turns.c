/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/compilers/counted_turns.h"

#include <stdlib.h>
#include <string.h>

#include "model/compilers/loop_exit.h"
#include "model/value/inst_facts.h"
#include "model/value/refs.h"
#include "support/memory.h"

/* A loop's instructions, by their number. */
struct body {
    const struct gp_kernel *kernel;
    uint32_t loop, begin, end;
    const struct gp_inst *branch; /* that compares its counter with its end */
    const uint32_t *loop_of;      /* of each instruction */
    bool *steps;                  /* a constant further in each turn */
    bool *needed;                 /* in each turn: by something else than addresses, the counter and the loop's end */
};

static bool is_in(const struct body *b, gp_ref ref)
{
    return gp_ref_kind(ref) == GP_REF_INST && b->loop_of[gp_ref_index(ref)] == b->loop;
}

static bool steps(const struct body *b, gp_ref ref) { return is_in(b, ref) && b->steps[gp_ref_index(ref)]; }

static bool steps_or_stays(const struct body *b, gp_ref ref) { return !is_in(b, ref) || steps(b, ref); }

static uint32_t number_of(const struct body *b, const struct gp_inst *inst)
{
    return (uint32_t)(inst - b->kernel->insts);
}

static bool is_counter(const struct body *b, const struct gp_inst *phi)
{
    const struct gp_induction *counter = gp_counter_of(b->kernel, number_of(b, phi));
    return counter != NULL && counter->loop == b->loop && gp_ref_kind(counter->step) == GP_REF_CONST;
}

/* A sum without a sign may wrap before it is widened, so that compilers add in each turn; a counter does not before its
 * loop ends. */
static bool widens_counter(const struct body *b, gp_ref ref)
{
    return steps(b, ref) && gp_inst_of(b->kernel, ref)->op == GP_OP_PHI;
}

static bool takes_steps(const struct body *b, const struct gp_inst *inst)
{
    gp_ref none = gp_ref_make(GP_REF_NONE, 0),
           left = inst->operand_count > 0 ? gp_operand_of(b->kernel, inst, 0) : none,
           right = inst->operand_count > 1 ? gp_operand_of(b->kernel, inst, 1) : none;
    switch ((enum gp_op)inst->op) {
    case GP_OP_PHI: return is_counter(b, inst);
    case GP_OP_ADD:
    case GP_OP_SUB: return steps_or_stays(b, left) && steps_or_stays(b, right);
    case GP_OP_MUL:
    case GP_OP_SHL: return steps(b, left) && gp_ref_kind(right) == GP_REF_CONST;
    case GP_OP_SEXT:
    case GP_OP_TRUNC:
    case GP_OP_COPY: return steps(b, left);
    case GP_OP_ZEXT: return widens_counter(b, left);
    default: return false;
    }
}

/* The branch that ends the loop, or its condition: asked for once, as the number of turns is known before. */
static bool ends_loop(const struct body *b, const struct gp_inst *inst)
{
    return b->branch != NULL &&
           (inst == b->branch || inst == gp_inst_of(b->kernel, gp_operand_of(b->kernel, b->branch, 0)));
}

static bool is_once(const struct body *b, const struct gp_inst *inst)
{
    uint32_t number = number_of(b, inst);
    return ends_loop(b, inst) || (b->steps[number] && !b->needed[number]);
}

/* Of integers only what is no address, or not made into one, has to be there in each turn. */
static bool wants_operands(const struct body *b, uint32_t number)
{
    const struct gp_inst *inst = &b->kernel->insts[number];
    switch ((enum gp_op)inst->op) {
    case GP_OP_ADD:
    case GP_OP_SUB:
    case GP_OP_MUL:
    case GP_OP_SHL:
    case GP_OP_SEXT:
    case GP_OP_TRUNC:
    case GP_OP_COPY: return b->needed[number];
    default: return !ends_loop(b, inst) && (!b->steps[number] || b->needed[number]);
    }
}

/* Operands stand before what uses them, but for what goes round: the second time tells of these. */
static void find_needed(struct body *b)
{
    for (uint32_t i = b->end; i-- > b->begin;) {
        const struct gp_inst *inst = &b->kernel->insts[i];
        if (b->loop_of[i] != b->loop || !wants_operands(b, i))
            continue;
        for (uint32_t k = gp_inst_accesses(inst) ? 1 : 0; k < inst->operand_count; k++) {
            gp_ref operand = gp_operand_of(b->kernel, inst, k);
            if (is_in(b, operand))
                b->needed[gp_ref_index(operand)] = true;
        }
    }
}

static void find_in_loop(struct body *b, uint8_t turns, uint8_t *found)
{
    for (uint32_t i = b->begin; i < b->end; i++)
        b->steps[i] = b->loop_of[i] == b->loop && takes_steps(b, &b->kernel->insts[i]);
    find_needed(b);
    find_needed(b);
    for (uint32_t i = b->begin; i < b->end; i++)
        if (b->loop_of[i] == b->loop && is_once(b, &b->kernel->insts[i]))
            found[i] = turns;
}

/* From the loop's first instruction to its last. */
static void take_loop(struct body *b, uint32_t loop)
{
    struct gp_loop_exit exit;
    bool found = gp_find_loop_exit(b->kernel, loop, 0, &exit);
    b->branch = found ? gp_block_terminator(b->kernel, exit.block) : NULL;
    b->loop = loop;
    b->begin = b->end = 0;
    for (uint32_t n = 0; n < b->kernel->block_count; n++) {
        const struct gp_block *block = &b->kernel->blocks[n];
        if (block->loop != loop)
            continue;
        b->begin = b->end == 0 ? block->inst : b->begin;
        b->end = gp_block_end(b->kernel, n);
    }
}

static void find_loops(const struct gp_kernel *kernel, uint32_t *loop_of)
{
    for (uint32_t i = 0; i < kernel->inst_count; i++)
        loop_of[i] = GP_NONE;
    for (uint32_t n = 0; n < kernel->block_count; n++)
        for (uint32_t i = 0; i < kernel->blocks[n].inst_count; i++)
            loop_of[kernel->blocks[n].inst + i] = kernel->blocks[n].loop;
}

void gp_find_counted_turns(const struct gp_kernel *kernel, enum gp_unrolled_by unrolled_by, uint8_t *turns)
{
    uint32_t *loop_of = gp_some(kernel->inst_count, sizeof *loop_of);
    bool *facts = gp_some(2 * (size_t)kernel->inst_count, sizeof *facts);
    struct body body = {.kernel = kernel, .loop_of = loop_of, .steps = facts, .needed = facts + kernel->inst_count};
    find_loops(kernel, loop_of);
    memset(turns, 1, kernel->inst_count);
    for (uint32_t loop = 0; loop < kernel->loop_count; loop++) {
        uint8_t together = gp_driver_turns_of_loop(kernel, unrolled_by, loop);
        if (together == 1)
            continue;
        take_loop(&body, loop);
        find_in_loop(&body, together, turns);
    }
    free(loop_of);
    free(facts);
}
