/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <math.h>
#include <stdio.h>

#include "model/findings/causes.h"
#include "model/timing/throughput.h"

double gp_most_resident(const struct gp_finder *f)
{
    const struct gp_device *d = f->in->conditions->device;
    return fmin(floor(d->max_warps_per_sm.value / f->in->occupancy->warps_per_group), d->max_threads_per_sm.value);
}

void gp_try_occupancy(struct gp_finder *f)
{
    const struct gp_device *d = f->in->conditions->device;
    const struct gp_occupancy *o = f->in->occupancy;
    double most = gp_most_resident(f);
    if (d->arch == GP_ARCH_CPU || most <= o->resident_groups)
        return;
    gp_repair_reset(&f->repair);
    f->repair.conditions.resident_groups = most;
    struct gp_bottleneck *b = gp_finder_record(f, GP_CAUSE_OCCUPANCY, GP_NONE);
    if (b == NULL)
        return;
    snprintf(b->measure, sizeof b->measure, "low occupancy: %.0f of %.0f %ss resident, limited by %s",
             o->resident_groups * o->warps_per_group, d->max_warps_per_sm.value, gp_warp_word(f),
             gp_occupancy_limit_name(o->limit));
    const char *advice =
        o->limit == GP_LIMIT_REGISTERS
            ? "fewer live values per work-item, or a launch bound that makes the compiler use fewer registers"
        : o->limit == GP_LIMIT_LOCAL_MEMORY ? "less work-group memory per group, or smaller groups"
        : o->limit == GP_LIMIT_ASKED        ? ""
                                            : "larger work-groups";
    snprintf(b->advice, sizeof b->advice, "%s", advice);
}

bool gp_enlarge_groups(struct gp_finder *f)
{
    if (f->in->occupancy->limit != GP_LIMIT_BLOCKS)
        return false;
    f->repair.conditions.resident_groups = fmax(f->repair.conditions.resident_groups, gp_most_resident(f));
    return true;
}

/* Arrays whose size the kernel says, which may be made for groups of this size. */
static bool has_own_arrays(const struct gp_kernel *kernel)
{
    for (uint32_t i = 0; i < kernel->local_count; i++)
        if (kernel->locals[i].bytes > 0)
            return true;
    return false;
}

/* Groups too small for the time that the device takes to start each. */
void gp_try_start(struct gp_finder *f)
{
    const uint32_t *local = f->in->launch->local;
    uint32_t items = local[0] * local[1] * local[2];
    if (f->in->work->memory_count == 0) /* it computes nothing that anybody sees: nothing to repair */
        return;
    gp_repair_reset(&f->repair);
    f->repair.conditions.no_start = true;
    struct gp_bottleneck *b = gp_finder_record(f, GP_CAUSE_LOCAL_SIZE, GP_NONE);
    if (b == NULL)
        return;
    if (gp_enlarge_groups(f)) {
        double larger = gp_finder_cycles(f);
        if (f->in->timing->cycles > b->speedup * larger)
            gp_finder_gain(f, b, larger);
    }
    b->repaired = "if fewer started";
    snprintf(b->measure, sizeof b->measure, "%.0f work-groups of %u work-items start at no more than %.2g a cycle",
             f->in->work->groups, items, f->in->conditions->device->group_rate.value);
    if (has_own_arrays(f->in->kernel))
        snprintf(b->advice, sizeof b->advice,
                 "more work for each work-item, or larger work-groups and arrays in local memory that hold as much");
    else
        snprintf(b->advice, sizeof b->advice, "larger work-groups, or more work for each work-item");
}

/*
 * Least time with full warps: that of sizes that were predicted; by the throughput model, since a simulation moves the
 * recorded requests, which have lanes without work, and so leaves out what full ones move.
 */
static double least_filled_cycles(struct gp_finder *f)
{
    struct gp_timing before, filled;
    gp_throughput(f->in->work, f->in->conditions, &before);
    gp_throughput(&f->repair.work, &f->repair.conditions, &filled);
    return fmax(f->in->filled_cycles, f->in->timing->cycles * filled.cycles / before.cycles);
}

void gp_try_local_size(struct gp_finder *f)
{
    if (f->in->conditions->device->arch == GP_ARCH_CPU || f->in->work->lanes_used >= 1)
        return;
    gp_repair_reset(&f->repair);
    gp_fill_warps(&f->repair);
    double least = least_filled_cycles(f);
    if (f->in->timing->cycles < 1.01 * least)
        return;
    struct gp_bottleneck *b = gp_finder_record(f, GP_CAUSE_LOCAL_SIZE, GP_NONE);
    if (b == NULL)
        return;
    if (b->speedup * least > f->in->timing->cycles)
        gp_finder_gain(f, b, least);
    uint32_t lanes = gp_device_lanes(f->in->conditions->device);
    const uint32_t *local = f->in->launch->local;
    snprintf(b->measure, sizeof b->measure, "work-group of %u work-items fills its %ss of %u lanes to %.0f%%",
             local[0] * local[1] * local[2], gp_warp_word(f), lanes, 100 * f->in->work->lanes_used);
    snprintf(b->advice, sizeof b->advice, "use a multiple of %u work-items", lanes);
}

bool gp_leaves_sms_idle(const struct gp_finder *f)
{
    return f->in->work->groups < f->in->conditions->device->sm_count.value;
}

bool gp_waits_for_longest(const struct gp_finder *f)
{
    return f->in->work->longest > 2 && f->in->work->longest * f->in->work->chain > 0.5 * f->prediction->cycles;
}

static bool place_in_block(const struct gp_finder *f, struct gp_bottleneck *b, uint32_t block)
{
    const struct gp_block *in = &f->in->kernel->blocks[block];
    for (uint32_t i = in->inst + in->inst_count; i-- > in->inst;) {
        if (f->in->kernel->insts[i].location == GP_NONE)
            continue;
        b->inst = i;
        b->location = f->in->kernel->insts[i].location;
        return true;
    }
    return false;
}

/* smaller_groups: what these gain without less work for each work-item. */
static void describe_tail(const struct gp_finder *f, struct gp_bottleneck *b, double smaller_groups)
{
    const struct gp_device *d = f->in->conditions->device;
    double groups = f->in->work->groups, sms = d->sm_count.value;
    const char *sm = gp_arch_is_amd(d->arch)  ? "CU"
                     : d->arch == GP_ARCH_CPU ? "core"
                     : d->arch == GP_ARCH_XE  ? "Xe-core"
                                              : "SM";
    if (gp_waits_for_longest(f)) {
        bool placed = place_in_block(f, b, f->in->work->longest_block);
        b->repairable =
            f->in->work->groups / f->in->work->longest <
            sms; /* so many like it at most: where others only find nothing to do, the launch is larger than its data */
        snprintf(b->measure, sizeof b->measure, "the longest work-group takes %.0f times as long as the average one%s",
                 f->in->work->longest, placed ? ", most of it here" : "");
        snprintf(b->advice, sizeof b->advice, "spread its work over more work-groups");
        return;
    }
    if (!gp_leaves_sms_idle(f)) {
        snprintf(b->measure, sizeof b->measure, "partial last wave of work-groups");
        return;
    }
    snprintf(b->measure, sizeof b->measure, "%.0f work-group%s on %.0f %ss: %.0f idle", groups, groups > 1 ? "s" : "",
             sms, sm, sms - groups);
    if (smaller_groups * 1.01 >= b->speedup)
        snprintf(b->advice, sizeof b->advice,
                 "more work-groups: a larger global size, smaller groups, or less work for each work-item");
    else if (smaller_groups >= 1.01)
        snprintf(b->advice, sizeof b->advice,
                 "more work-items, each with less of the work, as where several share a loop; smaller groups alone "
                 "gain %.2fx",
                 smaller_groups);
    else
        snprintf(b->advice, sizeof b->advice,
                 "more work-items, each with less of the work, as where several share a loop; smaller groups gain "
                 "nothing, since one work-item alone takes as long");
}

static bool walks_rows(const struct gp_finder *f)
{
    uint32_t m = 0;
    while (m < f->in->kernel->memory_count && !gp_walks_apart(f, m))
        m++;
    return m < f->in->kernel->memory_count;
}

/* Too few work-items, each of which goes through a row: a work-group for each row fills the device and reads it side by
 * side. */
static void try_group_per_row(struct gp_finder *f, struct gp_bottleneck *b)
{
    if (f->in->conditions->device->arch == GP_ARCH_CPU || !walks_rows(f))
        return;
    gp_repair_reset(&f->repair);
    f->repair.conditions.no_tail = f->repair.conditions.split_items = true;
    gp_repair_memory_everywhere(f, GP_CAUSE_UNCOALESCED);
    double gain = f->in->timing->cycles / gp_finder_cycles(f);
    if (gain < GP_WORTH_TELLING * b->speedup)
        return;
    gp_tell_beside(b, gain, "with a work-group for each row");
    b->repairable = true;
    snprintf(b->advice, sizeof b->advice,
             "too few work-items, each of which walks a row: let a work-group walk each row, its work-items side by "
             "side, and combine what they find");
}

/* A work-item takes as long in a smaller group: of what idle SMs could take, smaller groups give them a part only. */
void gp_try_tail(struct gp_finder *f)
{
    gp_repair_reset(&f->repair);
    f->repair.conditions.no_tail = true;
    double smaller_groups = f->in->timing->cycles / gp_finder_cycles(f);
    f->repair.conditions.split_items = gp_leaves_sms_idle(f);
    struct gp_bottleneck *b = gp_finder_record(f, GP_CAUSE_TAIL, GP_NONE);
    if (b == NULL)
        return;
    describe_tail(f, b, smaller_groups);
    if (gp_leaves_sms_idle(f))
        try_group_per_row(f, b);
}
