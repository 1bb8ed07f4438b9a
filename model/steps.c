#include "model/steps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/inst_facts.h"

struct place {
    bool valid;
    uint32_t symbol;
    uint64_t offset, skips;
    uint64_t inner_skips;   /* of the innermost loop */
    bool jumped;            /* that had skipped iterations since the last time */
    double step;            /* bytes; negative: not known */
};

struct gp_steps {
    const struct gp_kernel *kernel;
    uint32_t *block;        /* of each memory operation */
    struct place *last;     /* where each memory operation was */
    uint64_t *skips;        /* of each loop, so far */
};

struct gp_steps *gp_steps_new(const struct gp_kernel *kernel)
{
    struct gp_steps *s = calloc(1, sizeof *s);
    if (s == NULL)
        return NULL;
    s->kernel = kernel;
    s->block = calloc((size_t)kernel->memory_count + 1, sizeof *s->block);
    s->last = calloc((size_t)kernel->memory_count + 1, sizeof *s->last);
    s->skips = calloc((size_t)kernel->loop_count + 1, sizeof *s->skips);
    if (!s->block || !s->last || !s->skips) {
        gp_steps_free(s);
        return NULL;
    }
    for (uint32_t b = 0; b < kernel->block_count; b++)
        for (uint32_t i = kernel->blocks[b].inst; i < kernel->blocks[b].inst + kernel->blocks[b].inst_count; i++)
            if (gp_inst_accesses(&kernel->insts[i]))
                s->block[kernel->insts[i].record] = b;
    return s;
}

void gp_steps_free(struct gp_steps *steps)
{
    if (steps == NULL)
        return;
    free(steps->block);
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
static uint64_t skips_around(const struct gp_steps *steps, uint32_t block)
{
    uint64_t skips = 0;
    for (uint32_t l = steps->kernel->blocks[block].loop; l != GP_NONE; l = steps->kernel->loops[l].parent)
        skips += steps->skips[l];
    return skips;
}

double gp_steps_see(struct gp_steps *steps, uint32_t memory, uint32_t symbol, uint64_t offset)
{
    struct place *last = &steps->last[memory];
    uint64_t skips = skips_around(steps, steps->block[memory]);
    if (last->valid && last->skips == skips && last->symbol == symbol)
        last->step = fabs((double)(int64_t)(offset - last->offset));
    uint32_t loop = steps->kernel->blocks[steps->block[memory]].loop;
    uint64_t inner_skips = loop != GP_NONE ? steps->skips[loop] : 0;
    *last = (struct place){true, symbol, offset, skips, inner_skips, last->valid && last->inner_skips != inner_skips, last->valid ? last->step : -1};
    return last->step;
}

bool gp_steps_jumped(const struct gp_steps *steps, uint32_t memory) { return steps->last[memory].jumped; }
