/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/observe/address_strides.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/value/inst_facts.h"

struct place {
    bool valid;
    uint32_t symbol;
    uint64_t offset, skips;
    uint64_t inner_skips; /* of the innermost loop */
    bool jumped;          /* that had skipped iterations since the last time */
    double step;          /* bytes; negative: not known */
};

struct gp_steps {
    const struct gp_kernel *kernel;
    uint32_t *loop;     /* the innermost one around each memory operation; GP_NONE */
    struct place *last; /* where each memory operation was */
    uint64_t *skips;    /* of each loop, so far */
};

struct gp_steps *gp_steps_new(const struct gp_kernel *kernel)
{
    struct gp_steps *s = calloc(1, sizeof *s);
    s->kernel = kernel;
    s->loop = calloc((size_t)kernel->memory_count + 1, sizeof *s->loop);
    s->last = calloc((size_t)kernel->memory_count + 1, sizeof *s->last);
    s->skips = calloc((size_t)kernel->loop_count + 1, sizeof *s->skips);
    gp_memory_loops(kernel, s->loop);
    return s;
}

void gp_steps_free(struct gp_steps *steps)
{
    if (steps == NULL)
        return;
    free(steps->loop);
    free(steps->last);
    free(steps->skips);
    free(steps);
}

void gp_steps_start(struct gp_steps *steps)
{
    for (uint32_t m = 0; m < steps->kernel->memory_count; m++)
        steps->last[m] = (struct place){.step = -1};
    memset(steps->skips, 0, steps->kernel->loop_count * sizeof *steps->skips);
}

void gp_steps_skip(struct gp_steps *steps, uint32_t loop) { steps->skips[loop]++; }

/* Skips of the loops around a memory operation so far: the same number at two visits means consecutive iterations. */
static uint64_t skips_around(const struct gp_steps *steps, uint32_t innermost)
{
    uint64_t skips = 0;
    for (uint32_t l = innermost; l != GP_NONE; l = steps->kernel->loops[l].parent)
        skips += steps->skips[l];
    return skips;
}

double gp_steps_see(struct gp_steps *steps, uint32_t memory, uint32_t symbol, uint64_t offset)
{
    struct place *last = &steps->last[memory];
    uint32_t loop = steps->loop[memory];
    uint64_t skips = skips_around(steps, loop);
    if (last->valid && last->skips == skips && last->symbol == symbol)
        last->step = fabs((double)(int64_t)(offset - last->offset));
    uint64_t inner_skips = loop != GP_NONE ? steps->skips[loop] : 0;
    *last = (struct place){true,
                           symbol,
                           offset,
                           skips,
                           inner_skips,
                           last->valid && last->inner_skips != inner_skips,
                           last->valid ? last->step : -1};
    return last->step;
}

bool gp_steps_jumped(const struct gp_steps *steps, uint32_t memory) { return steps->last[memory].jumped; }
