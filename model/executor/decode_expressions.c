/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What is computed where a loop starts: its trip count and its inductions' steps. */
#include <stdlib.h>
#include <string.h>

#include "model/executor/decoder.h"

/* Stamps the expressions that a value is computed from. */
static void stamp_expression(struct decoder *d, gp_ref ref, uint32_t stamp)
{
    if (gp_ref_kind(ref) == GP_REF_INST && gp_ref_index(ref) >= d->first_expression)
        d->stamp[gp_ref_index(ref)] = stamp;
}

/* Expressions of a loop, each after those it uses: these have smaller indices. Counts them only where `ops` is NULL. */
static uint32_t loop_expressions(struct decoder *d, uint32_t loop, struct op *ops)
{
    const struct gp_kernel *kernel = d->kernel;
    uint32_t stamp = loop + 1, count = 0;
    memset(d->stamp, 0, kernel->inst_count * sizeof *d->stamp);
    stamp_expression(d, kernel->loops[loop].trip_count, stamp);
    for (uint32_t i = 0; i < kernel->induction_count; i++)
        if (kernel->inductions[i].loop == loop)
            stamp_expression(d, kernel->inductions[i].step, stamp);
    for (uint32_t i = kernel->inst_count; i-- > d->first_expression;)
        for (uint32_t k = 0; d->stamp[i] == stamp && k < kernel->insts[i].operand_count; k++)
            stamp_expression(d, gp_operands(d, &kernel->insts[i])[k], stamp);
    for (uint32_t i = d->first_expression; i < kernel->inst_count; i++)
        if (d->stamp[i] == stamp && gp_kind_of(&kernel->insts[i]) != KIND_MEMORY) {
            if (ops)
                gp_decode_op(d, i, &ops[count]);
            count++;
        }
    return count;
}

void gp_decode_expressions(struct decoder *d)
{
    struct gp_executor *ex = d->ex;
    const struct gp_kernel *kernel = d->kernel;
    size_t total = 0;
    if (kernel->inst_count > d->first_expression)
        for (uint32_t i = 0; i < kernel->loop_count; i++)
            total += loop_expressions(d, i, NULL);
    ex->expression_ops = calloc(total + 1, sizeof *ex->expression_ops);
    for (uint32_t i = 0; i < kernel->loop_count; i++) {
        struct loop *loop = &ex->loops[i];
        gp_ref trip_count = kernel->loops[i].trip_count;
        loop->expressions = d->expression_count;
        if (kernel->inst_count > d->first_expression)
            loop->expression_count = loop_expressions(d, i, ex->expression_ops + d->expression_count);
        d->expression_count += loop->expression_count;
        if (gp_ref_kind(trip_count) != GP_REF_NONE) {
            loop->trip_count = gp_slot_of(d, trip_count);
            loop->trip_bits = (uint8_t)gp_bits_of(kernel, trip_count);
        }
    }
}

void gp_decode_inductions(struct decoder *d)
{
    struct gp_executor *ex = d->ex;
    const struct gp_kernel *kernel = d->kernel;
    for (uint32_t i = 0; i < kernel->induction_count; i++) {
        const struct gp_induction *source = &kernel->inductions[i];
        ex->inductions[i] =
            (struct induction){ex->slot_count++, gp_slot_of(d, source->step), kernel->insts[source->phi].bits};
    }
}
