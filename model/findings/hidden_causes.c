/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <stdio.h>

#include "model/value/inst_facts.h"
#include "model/findings/causes.h"
#include "model/compilers/inst_cost.h"

static const char *const BESIDE = "once all else is fixed, too";

bool gp_source_repairs(const struct gp_finder *f, enum gp_cause cause, uint32_t inst)
{
    const struct gp_kernel *kernel = f->in->kernel;
    switch (cause) {
    case GP_CAUSE_UNCOALESCED:
    case GP_CAUSE_ATOMICS:
    case GP_CAUSE_DIVERGENCE: return true;
    case GP_CAUSE_BANK_CONFLICT:
        return !gp_is_table(f, kernel->insts[inst].record); /* copies of a table cost as well as gain */
    case GP_CAUSE_SPILL: return inst != GP_NONE;
    case GP_CAUSE_THROUGHPUT:
        return inst != GP_NONE &&
               (gp_inst_accesses(&kernel->insts[inst]) || gp_path_is_repairable(gp_inst_path(&kernel->insts[inst])));
    default: return false;
    }
}

void gp_tell_beside(struct gp_bottleneck *b, double speedup, const char *beside)
{
    if (speedup <= b->speedup_beside)
        return;
    b->speedup_beside = speedup;
    snprintf(b->beside, sizeof b->beside, "%s", beside);
}

void gp_keep_hidden(struct gp_finder *f, enum gp_cause cause, uint32_t inst, double cycles)
{
    if (f->hidden_count < GP_MAX_HIDDEN && gp_source_repairs(f, cause, inst))
        f->hidden[f->hidden_count++] = (struct gp_hidden){.cause = cause, .inst = inst, .cycles = cycles};
}

struct gp_bottleneck *gp_record_hidden(struct gp_finder *f, enum gp_cause cause, uint32_t inst)
{
    for (uint32_t i = 0; i < f->hidden_count; i++) {
        const struct gp_hidden *hidden = &f->hidden[i];
        if (hidden->cause != cause || hidden->inst != inst || hidden->speedup_beside <= 0)
            continue;
        struct gp_bottleneck *b = gp_finder_add(
            f, cause, inst, hidden->cycles < f->in->timing->cycles ? hidden->cycles : f->in->timing->cycles);
        if (b != NULL)
            gp_tell_beside(b, hidden->speedup_beside, hidden->beside);
        return b;
    }
    return NULL;
}

void gp_drop_told(struct gp_finder *f)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < f->hidden_count; i++)
        if (f->hidden[i].speedup_beside <= 0)
            f->hidden[kept++] = f->hidden[i];
    f->hidden_count = kept;
}

/* Findings, then the hidden: the causes that the source could repair. */
static bool is_in_source(const struct gp_finder *f, uint32_t i)
{
    const struct gp_prediction *p = f->prediction;
    return i >= p->bottleneck_count || gp_source_repairs(f, p->bottlenecks[i].cause, p->bottlenecks[i].inst);
}

static void repair(struct gp_finder *f, uint32_t i)
{
    const struct gp_prediction *p = f->prediction;
    if (i < p->bottleneck_count) {
        gp_repair_again(f, &p->bottlenecks[i]);
        return;
    }
    const struct gp_hidden *hidden = &f->hidden[i - p->bottleneck_count];
    struct gp_bottleneck b = {.cause = hidden->cause, .inst = hidden->inst};
    gp_repair_again(f, &b);
}

/* Cycles with the first `count` causes repaired, but for one. */
static double cycles_but(struct gp_finder *f, uint32_t count, uint32_t skipped)
{
    gp_repair_reset(&f->repair);
    for (uint32_t i = 0; i < count; i++)
        if (i != skipped && is_in_source(f, i))
            repair(f, i);
    return gp_finder_cycles(f);
}

static uint32_t count_in_source(const struct gp_finder *f)
{
    uint32_t count = f->hidden_count;
    for (uint32_t i = 0; i < f->prediction->bottleneck_count; i++)
        count += is_in_source(f, i);
    return count;
}

/* The findings' gains alone, one after the other. */
static double product_of_gains(const struct gp_finder *f)
{
    double product = 1;
    for (uint32_t i = 0; i < f->prediction->bottleneck_count; i++)
        if (is_in_source(f, i))
            product *= f->prediction->bottlenecks[i].speedup;
    return product;
}

/* What each of the first `count` causes gains beside the others, with all of which the launch takes so many cycles. */
static double gain_beside(struct gp_finder *f, uint32_t count, uint32_t i, double of_all)
{
    return cycles_but(f, count, i) / of_all;
}

/* Leaves those of the hidden that gain. */
static void drop_idle(struct gp_finder *f, double of_all)
{
    uint32_t found = f->prediction->bottleneck_count, count = found + f->hidden_count, kept = 0;
    for (uint32_t i = found; i < count; i++)
        f->hidden[i - found].speedup_beside = gain_beside(f, count, i, of_all);
    for (uint32_t i = 0; i < f->hidden_count; i++)
        if (f->hidden[i].speedup_beside >= GP_WORTH_TELLING)
            f->hidden[kept++] = f->hidden[i];
    f->hidden_count = kept;
}

bool gp_find_hidden(struct gp_finder *f)
{
    struct gp_prediction *p = f->prediction;
    if (count_in_source(f) < 2)
        return false;
    uint32_t found = p->bottleneck_count;
    double of_found = cycles_but(f, found, GP_NONE),
           of_all = f->hidden_count > 0 ? cycles_but(f, found + f->hidden_count, GP_NONE) : of_found;
    if (of_found >= GP_WORTH_TELLING * of_all)
        drop_idle(f, of_all);
    else
        f->hidden_count = 0;
    of_all = f->hidden_count > 0 ? cycles_but(f, found + f->hidden_count, GP_NONE) : of_found;
    if (f->hidden_count == 0 && f->in->timing->cycles < GP_WORTH_TELLING * of_all * product_of_gains(f))
        return false;
    for (uint32_t i = 0; i < found + f->hidden_count; i++) {
        double beside = is_in_source(f, i) ? gain_beside(f, found + f->hidden_count, i, of_all) : 0;
        if (i >= found) {
            f->hidden[i - found].speedup_beside = beside >= GP_WORTH_TELLING ? beside : 0;
            f->hidden[i - found].beside = BESIDE;
        } else if (beside >= GP_WORTH_TELLING * p->bottlenecks[i].speedup) {
            gp_tell_beside(&p->bottlenecks[i], beside, BESIDE);
        }
    }
    return f->hidden_count > 0;
}
