/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Of a loop of the source that is in several parts, unrolled and what is left over: by how much each part is.
 * executor_parts.c has what follows from that. */
#include "model/value/refs.h"
#include "model/executor/decoder.h"

/* The longest constant step of its counters; 0: it has none. */
static uint64_t longest_step(const struct gp_kernel *kernel, uint32_t loop)
{
    uint64_t longest = 0;
    for (uint32_t i = 0; i < kernel->induction_count; i++) {
        const struct gp_induction *induction = &kernel->inductions[i];
        if (induction->loop != loop)
            continue;
        int64_t step = gp_signed_constant(kernel, induction->step, kernel->insts[induction->phi].bits);
        uint64_t length = step < 0 ? -(uint64_t)step : (uint64_t)step;
        longest = length > longest ? length : longest;
    }
    return longest;
}

/* Parts of one loop, which stand side by side at one place of the source and count by multiples of the shortest step.
 */
static bool are_parts(const struct decoder *d, uint32_t a, uint32_t b)
{
    const struct gp_loop *x = &d->kernel->loops[a], *y = &d->kernel->loops[b];
    return a != b && y->bound == GP_BOUND_ASSUMED && x->parent == y->parent && x->location == y->location &&
           x->location != GP_NONE && longest_step(d->kernel, b) > 0;
}

void gp_find_factors(struct decoder *d, uint32_t index)
{
    struct loop *loop = &d->ex->loops[index];
    uint64_t own = longest_step(d->kernel, index), shortest = own;
    for (uint32_t i = 0; i < d->kernel->loop_count; i++)
        if (are_parts(d, index, i) && longest_step(d->kernel, i) < shortest)
            shortest = longest_step(d->kernel, i);
    for (uint32_t i = 0; own > 0 && i < d->kernel->loop_count; i++) {
        uint64_t step = are_parts(d, index, i) ? longest_step(d->kernel, i) : own;
        if (step == own || own % shortest != 0 || step % shortest != 0 || step / shortest > UINT16_MAX ||
            own / shortest > UINT16_MAX)
            continue;
        loop->body = (uint32_t)(own / shortest);
        loop->smaller = loop->smaller || step < own;
        uint32_t place = loop->larger_count < MOST_PARTS ? loop->larger_count : MOST_PARTS;
        for (; step > own && place > 0 && loop->larger[place - 1] < step / shortest; place--)
            if (place < MOST_PARTS)
                loop->larger[place] = loop->larger[place - 1];
        if (step > own && place < MOST_PARTS) {
            loop->larger[place] = (uint32_t)(step / shortest);
            loop->larger_count += loop->larger_count < MOST_PARTS;
        }
    }
}
