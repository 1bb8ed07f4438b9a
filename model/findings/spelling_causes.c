/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/value/inst_facts.h"
#include "model/findings/causes.h"
#include "model/findings/dependent_chain.h"
#include "model/findings/narrow_path.h"
#include "model/compilers/inst_cost.h"

/* How the source spells divisions, functions, constants, powers, precision and indices decides latencies, too. */
void gp_mend_paths(struct gp_finder *f, uint32_t paths)
{
    uint32_t spelt = paths & (1u << GP_NARROW_CONSTANT | 1u << GP_NARROW_POWER | 1u << GP_NARROW_DIVISION |
                              1u << GP_NARROW_DOUBLE | 1u << GP_NARROW_EXACT | 1u << GP_NARROW_ELEMENT);
    double saved = spelt != 0 ? gp_chain_saved(f->in->kernel, f->in->work, f->in->conditions->device, spelt) : 0;
    gp_widen(&f->repair, paths, saved);
}

static uint32_t paths_at_work(const struct gp_finder *f)
{
    uint32_t paths = 0;
    for (unsigned path = 0; path < GP_NARROW_COUNT; path++)
        if (f->in->work->paths[path].before.issue > 0)
            paths |= 1u << path;
    return paths;
}

/* A cause of the whole kernel. */
static void repair_whole(struct gp_finder *f, enum gp_cause cause)
{
    struct gp_conditions *c = &f->repair.conditions;
    switch (cause) {
    case GP_CAUSE_OCCUPANCY: c->resident_groups = gp_most_resident(f); break;
    case GP_CAUSE_LOCAL_SIZE:
        if (f->repair.work.lanes_used < 1)
            gp_fill_warps(&f->repair);
        c->no_start = true;
        gp_enlarge_groups(f);
        break;
    case GP_CAUSE_LATENCY: c->hide_latency = true; break;
    case GP_CAUSE_BANDWIDTH: c->no_bandwidth = true; break;
    case GP_CAUSE_THROUGHPUT: gp_mend_paths(f, paths_at_work(f) & ~(1u << GP_NARROW_ELEMENT)); break;
    case GP_CAUSE_TAIL:
        c->no_tail = true;
        c->split_items = gp_leaves_sms_idle(f);
        break;
    case GP_CAUSE_BARRIER: c->no_barrier = true; break;
    case GP_CAUSE_SPILL: c->spill_store_bytes = c->spill_load_bytes = 0; break;
    case GP_CAUSE_CHANNEL_SKEW: c->even_channels = true; break;
    default: break;
    }
}

/* What registers would hold. */
static void keep_in_registers(struct gp_finder *f, uint32_t m)
{
    gp_ref base = f->in->kernel->memory[m].base;
    if (gp_ref_kind(base) == GP_REF_PRIVATE)
        gp_mend_private(f, base);
    else
        gp_mend_kept_value(f, m);
}

void gp_mend_again(struct gp_finder *f, const struct gp_bottleneck *b)
{
    const struct gp_kernel *kernel = f->in->kernel;
    switch (b->cause) {
    case GP_CAUSE_SPILL:
        if (b->inst != GP_NONE && gp_inst_path(&kernel->insts[b->inst]) == GP_NARROW_ELEMENT)
            gp_mend_paths(f, 1u << GP_NARROW_ELEMENT);
        else if (b->inst != GP_NONE)
            keep_in_registers(f, kernel->insts[b->inst].record);
        else
            repair_whole(f, GP_CAUSE_SPILL);
        break;
    case GP_CAUSE_BANK_CONFLICT:
        if (gp_is_table(f, kernel->insts[b->inst].record))
            gp_mend_table(f, b);
        else
            gp_mend_memory_again(f, b);
        break;
    case GP_CAUSE_UNCOALESCED:
    case GP_CAUSE_ATOMICS: gp_mend_memory_again(f, b); break;
    case GP_CAUSE_DIVERGENCE: gp_mend_divergence_again(f, b); break;
    case GP_CAUSE_THROUGHPUT:
        if (gp_inst_accesses(&kernel->insts[b->inst]))
            gp_mend_product(f);
        else
            gp_mend_paths(f, 1u << gp_inst_path(&kernel->insts[b->inst]));
        break;
    default: repair_whole(f, b->cause); break;
    }
}

void gp_mend_everywhere(struct gp_finder *f, enum gp_cause cause)
{
    switch (cause) {
    case GP_CAUSE_UNCOALESCED:
    case GP_CAUSE_BANK_CONFLICT:
    case GP_CAUSE_ATOMICS: gp_mend_memory_everywhere(f, cause); break;
    case GP_CAUSE_DIVERGENCE: gp_mend_divergence_everywhere(f); break;
    case GP_CAUSE_SPILL:
        gp_mend_private_arrays(f);
        gp_mend_kept_values(f);
        gp_mend_paths(f, paths_at_work(f) & 1u << GP_NARROW_ELEMENT);
        repair_whole(f, cause);
        break;
    default: repair_whole(f, cause); break;
    }
}
