/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <math.h>
#include <stdio.h>

#include "model/findings/causes.h"

/* ---- Buffers of unknown size that data picks from: taken to be larger than the last cache, so that DRAM's time for
 * them may hide what is certain -- */

/* Of the last cache, what they are said to take: that decides little, where it does not overflow. */
#define PART_OF_CACHE 0.5

/* Bytes that an index of 32 bits alone reaches: no bound. */
#define UNBOUNDED 2147483648.0

static double last_cache(const struct gp_finder *f)
{
    return fmax(f->in->conditions->device->l2_size.value, f->in->conditions->device->llc_size.value);
}

static bool is_stated(const struct gp_finder *f, gp_ref base)
{
    return gp_ref_kind(base) == GP_REF_PARAM && f->in->launch->arguments[gp_ref_index(base)].bytes > 0;
}

static bool is_gathered(const struct gp_finder *f, uint32_t m)
{
    const struct gp_memory_work *memory = &f->in->work->memory[m];
    enum gp_space space = (enum gp_space)f->in->kernel->memory[m].space;
    return (space == GP_SPACE_GLOBAL || space == GP_SPACE_GENERIC) && !memory->writes && memory->requests > 0 &&
           memory->scattered > 0.5 * memory->requests && f->in->work->buffers[memory->buffer].extent >= UNBOUNDED &&
           !is_stated(f, f->in->kernel->memory[m].base);
}

/* Whether the operation is the first that gathers from its buffer. */
static bool is_first_of_buffer(const struct gp_finder *f, uint32_t m)
{
    uint32_t i = 0;
    while (i < m && (f->in->work->memory[i].buffer != f->in->work->memory[m].buffer || !is_gathered(f, i)))
        i++;
    return i == m;
}

static void fit_cache(struct gp_finder *f)
{
    for (uint32_t m = 0; m < f->in->kernel->memory_count; m++)
        if (is_gathered(f, m))
            f->repair.work.buffers[f->in->work->memory[m].buffer].extent = PART_OF_CACHE * last_cache(f);
}

/* "if 'x' fits L2", of up to two by name. */
static bool name_condition(const struct gp_finder *f, char text[GP_BESIDE_TEXT])
{
    const char *names[2] = {"", ""};
    uint32_t count = 0;
    for (uint32_t m = 0; m < f->in->kernel->memory_count; m++) {
        if (!is_gathered(f, m) || !is_first_of_buffer(f, m))
            continue;
        if (count < 2)
            names[count] = gp_base_name(f->in->kernel, f->in->kernel->memory[m].base);
        count++;
    }
    const char *cache = f->in->conditions->device->llc_size.value > 0 ? "the last cache" : "L2";
    if (count == 1 && *names[0])
        snprintf(text, GP_BESIDE_TEXT, "if '%.36s' fits %s", names[0], cache);
    else if (count == 2 && *names[0] && *names[1])
        snprintf(text, GP_BESIDE_TEXT, "if '%.36s' and '%.36s' fit %s", names[0], names[1], cache);
    else
        snprintf(text, GP_BESIDE_TEXT, "if what data picks from fits %s", cache);
    return count > 0;
}

/* What a cause gains then. */
static double gain_in_cache(struct gp_finder *f, const struct gp_bottleneck *b, double unrepaired)
{
    gp_repair_reset(&f->repair);
    fit_cache(f);
    gp_repair_again(f, b);
    return unrepaired / gp_finder_cycles(f);
}

bool gp_find_in_cache(struct gp_finder *f)
{
    bool any = false;
    if (f->in->conditions->device->arch == GP_ARCH_CPU || !name_condition(f, f->in_cache))
        return false;
    gp_repair_reset(&f->repair);
    fit_cache(f);
    double unrepaired = gp_finder_cycles(f);
    if (f->in->timing->cycles < GP_WORTH_TELLING * unrepaired) /* it hides nothing */
        return false;
    for (uint32_t i = 0; i < f->prediction->bottleneck_count; i++) {
        struct gp_bottleneck *b = &f->prediction->bottlenecks[i];
        double gain = gp_source_repairs(f, b->cause, b->inst) ? gain_in_cache(f, b, unrepaired) : 0;
        if (gain >= GP_WORTH_TELLING * b->speedup)
            gp_tell_beside(b, gain, f->in_cache);
    }
    for (uint32_t i = 0; i < f->hidden_count; i++) {
        struct gp_hidden *hidden = &f->hidden[i];
        struct gp_bottleneck b = {.cause = hidden->cause, .inst = hidden->inst};
        double gain = gain_in_cache(f, &b, unrepaired);
        hidden->speedup_beside = gain >= GP_WORTH_TELLING ? gain : 0;
        hidden->beside = f->in_cache;
        any |= hidden->speedup_beside > 0;
    }
    return any;
}
