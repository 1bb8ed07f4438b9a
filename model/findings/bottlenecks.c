#include "model/findings/bottlenecks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/code/inst_facts.h"
#include "model/findings/access_groups.h"
#include "model/findings/dependent_chain.h"
#include "model/findings/narrow_path.h"
#include "model/findings/repair.h"
#include "model/findings/stride_kind.h"
#include "model/work/combined_atomics.h"
#include "support/text.h"

enum { NAME_TEXT = 56 };

struct finder {
    const struct gp_bottleneck_inputs *in;
    struct gp_repair repair;
    uint32_t *group;             /* per memory operation, of the cause at hand: gp_group_accesses() */
    uint32_t *scratch;           /* for that */
    struct gp_prediction *prediction;
};

static double repaired_cycles(struct finder *r)
{
    struct gp_timing timing;
    r->in->timer(r->in->timer_context, &r->repair.work, &r->repair.conditions, &timing);
    return timing.cycles;
}

static void set_gain(const struct finder *r, struct gp_bottleneck *b, double cycles)
{
    b->repaired_ns = cycles / r->in->conditions->clock_mhz * 1e3;
    b->speedup = r->in->timing->cycles / cycles;
    b->share = 1 - 1 / b->speedup;
}

/* Times the repaired state. NULL where the cause costs less than one percent (or the list is full of larger ones). */
static struct gp_bottleneck *record(struct finder *r, enum gp_cause cause, uint32_t inst)
{
    double cycles = repaired_cycles(r), speedup = cycles > 0 ? r->in->timing->cycles / cycles : 1;
    if (speedup < 1.01)
        return NULL;
    struct gp_prediction *p = r->prediction;
    uint32_t place = p->bottleneck_count;
    if (place == GP_MAX_BOTTLENECKS) {
        place = 0;
        for (uint32_t i = 1; i < GP_MAX_BOTTLENECKS; i++)
            if (p->bottlenecks[i].speedup < p->bottlenecks[place].speedup)
                place = i;
        if (p->bottlenecks[place].speedup >= speedup)
            return NULL;
    } else {
        p->bottleneck_count++;
    }
    struct gp_bottleneck *b = &p->bottlenecks[place];
    *b = (struct gp_bottleneck){.cause = cause, .inst = inst, .location = gp_inst_place(r->in->kernel, inst)};
    set_gain(r, b, cycles);
    return b;
}

static const char *base_name(const struct gp_kernel *kernel, gp_ref base)
{
    uint32_t index = gp_ref_index(base);
    switch (gp_ref_kind(base)) {
    case GP_REF_PARAM: return kernel->params[index].name;
    case GP_REF_LOCAL: return kernel->locals[index].name;
    case GP_REF_GLOBAL: return kernel->globals[index].name;
    case GP_REF_PRIVATE: return kernel->privates[index].name;
    default: return "";
    }
}

static const char *access_word(const struct gp_memory *memory)
{
    return memory->flags & GP_MEMORY_ATOMIC ? "atomic" : memory->flags & GP_MEMORY_STORE ? "store" : "load";
}

static bool is_cuda(const struct finder *r) { return strcmp(r->in->profile->language, "cuda") == 0; }

static const char *warp_word(const struct finder *r)
{
    return gp_arch_is_amd(r->in->conditions->device->arch) ? "wave" : r->in->conditions->device->arch == GP_ARCH_CPU ? "vector" : "warp";
}

static bool is_uncoalesced(const struct gp_memory_work *memory, const struct gp_memory *record)
{
    if (record->space == GP_SPACE_LOCAL || record->space == GP_SPACE_PRIVATE || memory->requests <= 0)
        return false;
    if (memory->scattered > 0.5 * memory->requests && !memory->by_address)
        return false; /* scattered for all we know: not a finding */
    return memory->transactions > 1.05 * memory->ideal_transactions;
}

static bool has_conflicts(const struct gp_memory_work *memory, const struct gp_memory *record)
{
    return record->space == GP_SPACE_LOCAL && memory->passes > 1.05 * memory->ideal_passes && memory->scattered <= 0.5 * memory->requests;
}

static bool has_contention(const struct gp_memory_work *memory, const struct gp_memory *record)
{
    (void)record;
    bool in_the_warp = memory->contention > 0 && memory->scattered <= 0.5 * memory->requests;
    return in_the_warp || (memory->operations > 0 && isfinite(memory->addresses));
}

/* "in 'name'", or nothing where the name is not known. */
static void print_name(char text[NAME_TEXT], const char *preposition, const char *name)
{
    snprintf(text, NAME_TEXT, *name ? " %s '%.36s'" : "", preposition, name);
}

/* Constant memory of NVIDIA's devices answers a warp one address at a time, so that no order of the lanes helps. */
static bool is_served_by_address(const struct finder *r, const struct gp_memory *record)
{
    return record->space == GP_SPACE_CONSTANT && gp_arch_is_nvidia(r->in->conditions->device->arch);
}

static void advise_on_stride(const struct finder *r, uint32_t m, struct gp_bottleneck *b)
{
    enum { LARGEST_GAP = 256 }; /* bytes; what is further apart are rows */
    const struct gp_memory *record = &r->in->kernel->memory[m];
    const char *name = base_name(r->in->kernel, record->base), *shared = is_cuda(r) ? "shared" : "local";
    long long stride = llabs((long long)r->in->work->memory[m].stride);
    char in[NAME_TEXT], of[NAME_TEXT];
    print_name(in, "in", name);
    print_name(of, "of", name);
    enum gp_stride_kind kind = gp_stride_kind(r->in->kernel, r->in->work->memory, m);
    if (is_served_by_address(r, record))
        snprintf(b->advice, sizeof b->advice, "constant memory serves a %s one address at a time; where work-items read different elements%s, keep them in global or %s memory", warp_word(r), of, shared);
    else if (kind == GP_STRIDE_NONE)
        snprintf(b->advice, sizeof b->advice, "work-items of one %s touch scattered or misaligned lines%s", warp_word(r), of);
    else if (kind == GP_STRIDE_ELEMENTS)
        snprintf(b->advice, sizeof b->advice, "neighbouring work-items ask for neighbouring elements%s, but those of a %s do not start where a line does (halo, odd pitch); "
                 "align them, or go through %s memory", in, warp_word(r), shared);
    else if (kind == GP_STRIDE_RECORDS)
        snprintf(b->advice, sizeof b->advice, "work-items next to each other are %lld bytes apart%s, as in an array of structs; keep each member in an array of its own (SoA)", stride, in);
    else if (kind == GP_STRIDE_CHUNKS)
        snprintf(b->advice, sizeof b->advice, "each work-item has %lld bytes%s to itself; interleave, so that work-items next to each other take elements next to each other", stride, of);
    else if (stride <= LARGEST_GAP)
        snprintf(b->advice, sizeof b->advice, "work-items next to each other are %lld bytes apart%s and use %u of them; let them use elements next to each other", stride, in,
                 (unsigned)record->element_bytes * record->vector);
    else
        snprintf(b->advice, sizeof b->advice, "work-items next to each other in %s are %lld bytes apart%s; make %s its fastest index, or go through %s memory",
                 is_cuda(r) ? "threadIdx.x" : "dimension 0", stride, in, is_cuda(r) ? "threadIdx.x" : "get_global_id(0)", shared);
}

static void describe_uncoalesced(const struct finder *r, uint32_t m, struct gp_bottleneck *b)
{
    const struct gp_memory *record = &r->in->kernel->memory[m];
    const struct gp_memory_work *memory = &r->in->work->memory[m];
    const char *space = record->space == GP_SPACE_GENERIC ? "global" : gp_space_name((enum gp_space)record->space);
    long long stride = llabs((long long)memory->stride);
    int n = snprintf(b->measure, sizeof b->measure, "uncoalesced %s %s: %.0f transactions per %s", space, access_word(record),
                     memory->transactions / memory->requests, warp_word(r));
    if (stride > (long long)record->element_bytes * record->vector)
        snprintf(b->measure + n, sizeof b->measure - (size_t)n, ", stride %lld bytes along dimension 0", stride);
    else
        snprintf(b->measure + n, sizeof b->measure - (size_t)n, " where %.0f would do", fmax(1, memory->ideal_transactions / memory->requests));
    if (memory->by_address)
        b->repaired = is_cuda(r) ? "in shared memory" : "in local memory";
    advise_on_stride(r, m, b);
}

/* Padding helps where all conflicts of the group come from one distance. */
static bool is_one_stride(const struct finder *r, uint32_t m)
{
    const struct gp_memory_work *memory = r->in->work->memory;
    for (uint32_t i = 0; i < r->in->kernel->memory_count; i++)
        if (r->group[i] == r->group[m] && (memory[i].strides_differ || memory[i].stride != memory[m].stride))
            return false;
    return memory[m].stride != 0;
}

static void describe_conflict(const struct finder *r, uint32_t m, struct gp_bottleneck *b)
{
    const struct gp_memory *record = &r->in->kernel->memory[m];
    const struct gp_memory_work *memory = &r->in->work->memory[m];
    char of[NAME_TEXT];
    print_name(of, "of", base_name(r->in->kernel, record->base));
    if (memory->worst_conflict < 1.5) { /* a wide access is taken by halves or quarters: they share a pass where they share words */
        snprintf(b->measure, sizeof b->measure, "wide %s-memory %s: %.0f passes per %s instead of %.0f, because work-items that share a word are far apart",
                 is_cuda(r) ? "shared" : "local", access_word(record), memory->passes / memory->requests, warp_word(r), fmax(1, memory->ideal_passes / memory->requests));
        snprintf(b->advice, sizeof b->advice, "let work-items next to each other ask for the same element%s, as with small two-dimensional tiles of work-items", of);
        return;
    }
    snprintf(b->measure, sizeof b->measure, "%.0f-way bank conflict in %s-memory %s: %.0f passes per %s instead of %.0f", memory->worst_conflict,
             is_cuda(r) ? "shared" : "local", access_word(record), memory->passes / memory->requests, warp_word(r), fmax(1, memory->ideal_passes / memory->requests));
    if (is_one_stride(r, m))
        snprintf(b->advice, sizeof b->advice, "pad the rows%s by one element, so that neighbouring work-items fall into different banks", of);
    else
        snprintf(b->advice, sizeof b->advice, "let neighbouring work-items use neighbouring elements%s, or pad its rows so that they begin in different banks", of);
}

static void describe_contention(const struct finder *r, uint32_t m, struct gp_bottleneck *b)
{
    const struct gp_memory *record = &r->in->kernel->memory[m];
    const struct gp_memory_work *memory = &r->in->work->memory[m];
    const char *space = record->space == GP_SPACE_GENERIC ? "global" : gp_space_name((enum gp_space)record->space);
    double of_launch = memory->operations * r->in->work->warps_per_group * r->in->work->groups;
    bool combined = gp_atomic_is_combined(r->in->conditions->device, r->in->kernel, record);
    if (memory->operations > 0 && combined && memory->addresses == 1) {
        snprintf(b->measure, sizeof b->measure, "contended %s atomic: all %.0f operations of the launch on one address (the lanes of a %s make one)", space, of_launch, warp_word(r));
    } else if (memory->operations > 0 && memory->addresses < r->in->work->groups) { /* groups meet */
        if (memory->addresses == 1)
            snprintf(b->measure, sizeof b->measure, "contended %s atomic: all %.0f operations of the launch on one address", space, of_launch);
        else
            snprintf(b->measure, sizeof b->measure, "contended %s atomic: the launch's %.0f operations fall on %.0f addresses", space, of_launch, memory->addresses);
    } else {
        snprintf(b->measure, sizeof b->measure, "contended %s atomic: %.0f lanes of a %s on one address", space, memory->contention / memory->requests + 1, warp_word(r));
    }
    double of_group = memory->operations * r->in->work->warps_per_group;
    if (memory->contention <= 0 && of_group <= 1.01 * memory->addresses && memory->addresses > 1) /* as a group's own counts are added to the launch's */
        snprintf(b->advice, sizeof b->advice, "a work-group comes to each of them once at most; let fewer work-groups do more each, or give them several copies");
    else
        snprintf(b->advice, sizeof b->advice, "combine within the work-group first (%s memory), then one atomic per group", is_cuda(r) ? "shared" : "local");
}

typedef bool applies(const struct gp_memory_work *memory, const struct gp_memory *record);
typedef void mend(struct gp_repair *r, uint32_t m);
typedef void describe(const struct finder *r, uint32_t m, struct gp_bottleneck *b);

static bool mends_by_stride(enum gp_cause cause) { return cause == GP_CAUSE_UNCOALESCED || cause == GP_CAUSE_BANK_CONFLICT; }

static void find_groups(struct finder *r, enum gp_cause cause, applies *applies)
{
    const struct gp_kernel *kernel = r->in->kernel;
    for (uint32_t m = 0; m < kernel->memory_count; m++)
        r->group[m] = applies(&r->in->work->memory[m], &kernel->memory[m]) ? m : GP_NONE;
    gp_group_accesses(r->in->profile, kernel, r->in->work->memory, mends_by_stride(cause), r->group, r->scratch);
}

/* The further lines of a group. */
static void list_lines(const struct finder *r, uint32_t group, struct gp_bottleneck *b)
{
    const struct gp_kernel *kernel = r->in->kernel;
    for (uint32_t m = group; m < kernel->memory_count; m++) {
        uint32_t location = r->group[m] == group ? gp_own_place(kernel, kernel->memory[m].inst) : GP_NONE;
        if (location != GP_NONE)
            gp_bottleneck_add_line(r->in->profile, b, location);
    }
}

/* Of a group's loads, or of its stores, the one that takes most of the memory pipe; GP_NONE: there is none. */
static uint32_t widest(const struct finder *r, uint32_t group, bool store)
{
    const struct gp_memory *records = r->in->kernel->memory;
    uint32_t worst = GP_NONE;
    for (uint32_t i = group; i < r->in->kernel->memory_count; i++)
        if (r->group[i] == group && !(records[i].flags & GP_MEMORY_STORE) == !store &&
            (worst == GP_NONE || r->in->work->memory[i].wavefronts > r->in->work->memory[worst].wavefronts))
            worst = i;
    return worst;
}

/* The operation that a group's finding is told of: its widest load or store, whichever gains more where it alone is mended. */
static uint32_t costliest(struct finder *r, uint32_t group, mend *mend)
{
    uint32_t of[2] = {widest(r, group, false), widest(r, group, true)};
    double cycles[2];
    if (of[0] == GP_NONE || of[1] == GP_NONE)
        return of[0] == GP_NONE ? of[1] : of[0];
    for (int i = 0; i < 2; i++) {
        gp_repair_reset(&r->repair);
        mend(&r->repair, of[i]);
        cycles[i] = repaired_cycles(r);
    }
    return cycles[1] < cycles[0] ? of[1] : of[0];
}

/* One finding for what one change mends (model/findings/access_groups.h), at its costliest operation. */
static void try_memory(struct finder *r, enum gp_cause cause, applies *applies, mend *mend, describe *describe)
{
    const struct gp_kernel *kernel = r->in->kernel;
    find_groups(r, cause, applies);
    for (uint32_t group = 0; group < kernel->memory_count; group++) {
        if (r->group[group] != group)
            continue;
        uint32_t worst = costliest(r, group, mend);
        gp_repair_reset(&r->repair);
        for (uint32_t i = group; i < kernel->memory_count; i++)
            if (r->group[i] == group)
                mend(&r->repair, i);
        struct gp_bottleneck *b = record(r, cause, kernel->memory[worst].inst);
        if (b == NULL)
            continue;
        describe(r, worst, b);
        list_lines(r, group, b);
    }
}

static bool is_divergent(const struct finder *r, uint32_t branch)
{
    const struct gp_branch_work *work = &r->in->work->branches[branch];
    return work->divergences > 0 && work->excess.issue > 0;
}

/* One decision of the source: unrolling and inlining copy it. */
static bool is_one_decision(const struct finder *r, uint32_t a, uint32_t b)
{
    const struct gp_kernel *kernel = r->in->kernel;
    return a == b || gp_on_one_line(r->in->profile, kernel->insts[kernel->branches[a].inst].location, kernel->insts[kernel->branches[b].inst].location);
}

static bool is_first_copy(const struct finder *r, uint32_t branch)
{
    for (uint32_t i = 0; i < branch; i++)
        if (is_divergent(r, i) && is_one_decision(r, branch, i))
            return false;
    return is_divergent(r, branch);
}

/* Instructions per warp behind the divergent copies of a branch: all, and those that run for idle lanes. */
struct parted { double all, idle; };

/* Repairs the copies. */
static struct parted share_decision(struct finder *r, uint32_t branch)
{
    struct parted parted = {0};
    for (uint32_t i = branch; i < r->in->kernel->branch_count; i++) {
        if (!is_divergent(r, i) || !is_one_decision(r, branch, i))
            continue;
        gp_share_branch(&r->repair, i);
        parted.all += r->in->work->branches[i].behind;
        parted.idle += r->in->work->branches[i].excess.issue;
    }
    return parted;
}

/* All but one lane idle. */
static bool is_lone_lane(const struct finder *r, const struct parted *parted)
{
    return parted->all > 0 && parted->idle >= (1 - 1.5 / gp_device_lanes(r->in->conditions->device)) * parted->all;
}

static void try_divergence(struct finder *r)
{
    const struct gp_kernel *kernel = r->in->kernel;
    for (uint32_t i = 0; i < kernel->branch_count; i++) {
        if (!is_first_copy(r, i))
            continue;
        gp_repair_reset(&r->repair);
        struct parted parted = share_decision(r, i);
        struct gp_bottleneck *b = record(r, GP_CAUSE_DIVERGENCE, kernel->branches[i].inst);
        if (b == NULL)
            continue;
        double share = r->in->work->pipes.issue > 0 ? 100 * parted.idle / r->in->work->pipes.issue : 0;
        if (share >= 0.5)
            snprintf(b->measure, sizeof b->measure, "divergent branch: lanes of one %s part here, %.0f%% of the instructions run for idle lanes", warp_word(r), share);
        else
            snprintf(b->measure, sizeof b->measure, "divergent branch: lanes of one %s part here and wait for each other", warp_word(r));
        if (is_lone_lane(r, &parted))
            snprintf(b->advice, sizeof b->advice, "one work-item of a %s does this while the others wait; share it among them, as a reduction tree or a loop with their number as stride does", warp_word(r));
        else
            snprintf(b->advice, sizeof b->advice, "let all work-items of a %s decide alike (branch on %s / %u), or give them the same work", warp_word(r),
                     is_cuda(r) ? "threadIdx.x" : "get_local_id(0)", gp_device_lanes(r->in->conditions->device));
    }
}

/* Resident groups when nothing but the device's maximum of warps limits them. */
static double most_resident(const struct finder *r)
{
    const struct gp_device *d = r->in->conditions->device;
    return fmin(floor(d->max_warps_per_sm.value / r->in->occupancy->warps_per_group), d->max_threads_per_sm.value);
}

static void try_occupancy(struct finder *r)
{
    const struct gp_device *d = r->in->conditions->device;
    const struct gp_occupancy *o = r->in->occupancy;
    double most = most_resident(r);
    if (d->arch == GP_ARCH_CPU || most <= o->resident_groups)
        return;
    gp_repair_reset(&r->repair);
    r->repair.conditions.resident_groups = most;
    struct gp_bottleneck *b = record(r, GP_CAUSE_OCCUPANCY, GP_NONE);
    if (b == NULL)
        return;
    snprintf(b->measure, sizeof b->measure, "low occupancy: %.0f of %.0f %ss resident, limited by %s", o->resident_groups * o->warps_per_group, d->max_warps_per_sm.value,
             warp_word(r), gp_occupancy_limit_name(o->limit));
    const char *advice = o->limit == GP_LIMIT_REGISTERS ? "fewer live values per work-item, or a launch bound that makes the compiler use fewer registers"
                         : o->limit == GP_LIMIT_LOCAL_MEMORY ? "less work-group memory per group, or smaller groups"
                                                             : "larger work-groups";
    snprintf(b->advice, sizeof b->advice, "%s", advice);
}

/* Where the number of groups limits how many are resident, more of their work is if they are larger. False: it does not. */
static bool enlarge_groups(struct finder *r)
{
    if (r->in->occupancy->limit != GP_LIMIT_BLOCKS)
        return false;
    r->repair.conditions.resident_groups = fmax(r->repair.conditions.resident_groups, most_resident(r));
    return true;
}

/* Groups too small for the time that the device takes to start each. */
static void try_start(struct finder *r)
{
    const uint32_t *local = r->in->launch->local;
    uint32_t items = local[0] * local[1] * local[2];
    gp_repair_reset(&r->repair);
    r->repair.conditions.no_start = true;
    struct gp_bottleneck *b = record(r, GP_CAUSE_LOCAL_SIZE, GP_NONE);
    if (b == NULL)
        return;
    if (enlarge_groups(r)) {
        double larger = repaired_cycles(r);
        if (r->in->timing->cycles > b->speedup * larger)
            set_gain(r, b, larger);
    }
    b->repaired = "if fewer started";
    snprintf(b->measure, sizeof b->measure, "%.0f work-groups of %u work-items start at no more than %.2g a cycle", r->in->work->groups, items, r->in->conditions->device->group_rate.value);
    snprintf(b->advice, sizeof b->advice, "larger work-groups, or more work for each work-item");
}

/*
 * Least time with full warps: that of sizes that were predicted; by the throughput model, since a simulation moves the recorded requests, which have lanes without work, and so leaves out what full ones
 * move.
 */
static double least_filled_cycles(struct finder *r)
{
    struct gp_timing before, filled;
    gp_throughput(r->in->work, r->in->conditions, &before);
    gp_throughput(&r->repair.work, &r->repair.conditions, &filled);
    return fmax(r->in->filled_cycles, r->in->timing->cycles * filled.cycles / before.cycles);
}

static void try_local_size(struct finder *r)
{
    if (r->in->conditions->device->arch == GP_ARCH_CPU || r->in->work->lanes_used >= 1)
        return;
    gp_repair_reset(&r->repair);
    gp_fill_warps(&r->repair);
    double least = least_filled_cycles(r);
    if (r->in->timing->cycles < 1.01 * least)
        return;
    struct gp_bottleneck *b = record(r, GP_CAUSE_LOCAL_SIZE, GP_NONE);
    if (b == NULL)
        return;
    if (b->speedup * least > r->in->timing->cycles)
        set_gain(r, b, least);
    uint32_t lanes = gp_device_lanes(r->in->conditions->device);
    const uint32_t *local = r->in->launch->local;
    snprintf(b->measure, sizeof b->measure, "work-group of %u work-items fills its %ss of %u lanes to %.0f%%", local[0] * local[1] * local[2], warp_word(r), lanes,
             100 * r->in->work->lanes_used);
    snprintf(b->advice, sizeof b->advice, "use a multiple of %u work-items", lanes);
}

static double stall_of(const struct finder *r, uint32_t m) { return r->in->work->memory[m].stall; }
static double traffic_of(const struct finder *r, uint32_t m) { return r->in->work->memory[m].l2_bytes; }

/* A cause of the whole kernel is told of where most of it is. */
static void place_at_memory(const struct finder *r, struct gp_bottleneck *b, double (*weight)(const struct finder *, uint32_t))
{
    double most = 0;
    for (uint32_t m = 0; m < r->in->kernel->memory_count; m++)
        if (weight(r, m) > most) {
            most = weight(r, m);
            b->inst = r->in->kernel->memory[m].inst;
        }
    b->location = gp_inst_place(r->in->kernel, b->inst);
}

/* Where the instructions of a class run most often. */
static void place_at_barrier(const struct finder *r, struct gp_bottleneck *b)
{
    const struct gp_kernel *kernel = r->in->kernel;
    double most = 0;
    for (uint32_t k = 0; k < r->in->work->block_count; k++) {
        double visits = r->in->work->blocks[k].visits;
        for (uint32_t i = kernel->blocks[k].inst; visits > most && i < kernel->blocks[k].inst + kernel->blocks[k].inst_count; i++)
            if (kernel->insts[i].cost == GP_CLASS_BARRIER && kernel->insts[i].location != GP_NONE) {
                most = visits;
                b->inst = i;
                b->location = kernel->insts[i].location;
            }
    }
}

/* What a lone warp waits for: cycles, and of one block's. */
struct waits { double memory, local, results; };

static struct waits waits_of_block(const struct finder *r, uint32_t b)
{
    const struct gp_kernel *kernel = r->in->kernel;
    const struct gp_block_work *block = &r->in->work->blocks[b];
    double cycles = block->chain - block->visits * block->pipes.issue / r->in->conditions->device->issue_per_scheduler.value;
    struct waits waits = {.results = cycles};
    for (uint32_t i = kernel->blocks[b].inst; i < kernel->blocks[b].inst + kernel->blocks[b].inst_count; i++) {
        if (!gp_inst_accesses(&kernel->insts[i]))
            continue;
        uint32_t m = kernel->insts[i].record;
        double *of = kernel->memory[m].space == GP_SPACE_LOCAL ? &waits.local : &waits.memory;
        *of += r->in->work->memory[m].stall;
        waits.results -= r->in->work->memory[m].stall;
    }
    waits.results = fmax(0, waits.results);
    return waits;
}

/* One group runs on when the others are done. */
static bool waits_for_longest(const struct finder *r)
{
    return r->in->work->longest > 2 && r->in->work->longest * r->in->work->chain > 0.5 * r->prediction->cycles;
}

/* times: how often as long as the average one takes the group that they are told of, where others do little and wait for nothing. */
static struct waits sum_waits(const struct finder *r, double times)
{
    struct waits sum = {.memory = times * fmax(0, r->in->work->chain_memory - r->in->timing->sooner)};
    for (uint32_t b = 0; b < r->in->work->block_count; b++) {
        struct waits waits = waits_of_block(r, b);
        sum.local += times * waits.local;
        sum.results += times * waits.results;
    }
    return sum;
}

/* Where results are waited for most: the loop around, where there is one, else the first instruction that has a place. */
static void place_at_results(const struct finder *r, struct gp_bottleneck *b)
{
    const struct gp_kernel *kernel = r->in->kernel;
    double most = 0;
    for (uint32_t k = 0; k < r->in->work->block_count; k++) {
        const struct gp_block *block = &kernel->blocks[k];
        double waits = waits_of_block(r, k).results;
        uint32_t inst = block->inst, location = block->loop != GP_NONE ? kernel->loops[block->loop].location : GP_NONE;
        while (inst + 1 < block->inst + block->inst_count && (kernel->insts[inst].cost == GP_CLASS_FREE || kernel->insts[inst].location == GP_NONE))
            inst++;
        if (waits <= most)
            continue;
        most = waits;
        b->inst = inst;
        b->location = location != GP_NONE ? location : gp_inst_place(kernel, inst);
    }
}

static void place_chain(const struct finder *r, struct gp_bottleneck *b)
{
    place_at_results(r, b);
    snprintf(b->advice, sizeof b->advice, "several independent chains per work-item, as several accumulators make them, or more %ss per SM", warp_word(r));
}

/* Of all warps, as the simulation saw it. */
static void place_simulated_latency(const struct finder *r, struct gp_bottleneck *b)
{
    const struct gp_timing *t = r->in->timing;
    double memory = t->idle_for_memory + t->idle_for_requests;
    bool results = t->idle_for_results > memory, full = t->idle_for_requests > t->idle_for_memory;
    if (results)
        place_chain(r, b);
    else
        place_at_memory(r, b, full ? traffic_of : stall_of);
    if (full && !results)
        snprintf(b->advice, sizeof b->advice, "fewer requests under way: coalesced or wider accesses, or what is read again in %s memory", is_cuda(r) ? "shared" : "local");
    snprintf(b->measure, sizeof b->measure, "exposed latency: %.0f%% of the time a scheduler has nothing to issue, since its %ss wait for %s",
             100 * fmin(1, results ? t->idle_for_results : memory), warp_word(r), results ? "results of earlier instructions (a dependent chain)" : full ? "room in the table of outstanding requests" : "memory");
}

static void place_latency(const struct finder *r, struct gp_bottleneck *b)
{
    const struct gp_timing *t = r->in->timing;
    if (t->idle_for_memory + t->idle_for_requests + t->idle_for_results > 0) {
        place_simulated_latency(r, b);
        return;
    }
    bool longest = waits_for_longest(r);
    double times = longest ? r->in->work->longest : 1, chain = times * fmax(0, r->in->work->chain - t->sooner);
    const char *of = longest ? " of the longest work-group" : "";
    struct waits waits = sum_waits(r, times);
    if (waits.results > waits.memory + waits.local && waits.results >= 1) {
        place_chain(r, b);
        snprintf(b->measure, sizeof b->measure, "exposed latency: a lone %s%s waits %.0f of its %.0f cycles for results of earlier instructions (a dependent chain)", warp_word(r), of,
                 fmin(chain, waits.results), chain);
        return;
    }
    place_at_memory(r, b, stall_of);
    if (waits.memory >= 1)
        snprintf(b->measure, sizeof b->measure, "exposed latency: a lone %s%s waits %.0f of its %.0f cycles for memory", warp_word(r), of, waits.memory, chain);
    else
        snprintf(b->measure, sizeof b->measure, "exposed latency: a lone %s%s takes %.0f cycles", warp_word(r), of, chain);
}

static bool leaves_sms_idle(const struct finder *r) { return r->in->work->groups < r->in->conditions->device->sm_count.value; }

static bool place_in_block(const struct finder *r, struct gp_bottleneck *b, uint32_t block)
{
    const struct gp_block *in = &r->in->kernel->blocks[block];
    for (uint32_t i = in->inst + in->inst_count; i-- > in->inst;) {
        if (r->in->kernel->insts[i].location == GP_NONE)
            continue;
        b->inst = i;
        b->location = r->in->kernel->insts[i].location;
        return true;
    }
    return false;
}

/* smaller_groups: what these gain without less work for each work-item. */
static void describe_tail(const struct finder *r, struct gp_bottleneck *b, double smaller_groups)
{
    const struct gp_device *d = r->in->conditions->device;
    double groups = r->in->work->groups, sms = d->sm_count.value;
    const char *sm = gp_arch_is_amd(d->arch) ? "CU" : d->arch == GP_ARCH_CPU ? "core" : "SM";
    if (waits_for_longest(r)) {
        bool placed = place_in_block(r, b, r->in->work->longest_block);
        b->mendable = r->in->work->groups / r->in->work->longest < sms; /* so many like it at most: where others only find nothing to do, the launch is larger than its data */
        snprintf(b->measure, sizeof b->measure, "the longest work-group takes %.0f times as long as the average one%s", r->in->work->longest, placed ? ", most of it here" : "");
        snprintf(b->advice, sizeof b->advice, "spread its work over more work-groups");
        return;
    }
    if (!leaves_sms_idle(r)) {
        snprintf(b->measure, sizeof b->measure, "partial last wave of work-groups");
        return;
    }
    snprintf(b->measure, sizeof b->measure, "%.0f work-group%s on %.0f %ss: %.0f idle", groups, groups > 1 ? "s" : "", sms, sm, sms - groups);
    if (smaller_groups * 1.01 >= b->speedup)
        snprintf(b->advice, sizeof b->advice, "more work-groups: a larger global size, smaller groups, or less work for each work-item");
    else if (smaller_groups >= 1.01)
        snprintf(b->advice, sizeof b->advice, "more work-items, each with less of the work, as where several share a loop; smaller groups alone gain %.2fx", smaller_groups);
    else
        snprintf(b->advice, sizeof b->advice, "more work-items, each with less of the work, as where several share a loop; smaller groups gain nothing, since one work-item alone takes as long");
}

/* A work-item takes as long in a smaller group: of what idle SMs could take, smaller groups give them a part only. */
static void try_tail(struct finder *r)
{
    gp_repair_reset(&r->repair);
    r->repair.conditions.no_tail = true;
    double smaller_groups = r->in->timing->cycles / repaired_cycles(r);
    r->repair.conditions.split_items = leaves_sms_idle(r);
    struct gp_bottleneck *b = record(r, GP_CAUSE_TAIL, GP_NONE);
    if (b == NULL)
        return;
    describe_tail(r, b, smaller_groups);
}

/* ---- Private arrays ---------------------------------------------------------------------------------------------- */

static bool is_private_array(const struct finder *r, uint32_t m)
{
    return gp_ref_kind(r->in->kernel->memory[m].base) == GP_REF_PRIVATE && r->in->work->memory[m].requests > 0;
}

/* Arrays that stay in memory: a place that the compiler knows could be a register. */
static bool is_known_place(const struct gp_kernel *kernel, gp_ref ref, int depth)
{
    if (gp_ref_kind(ref) != GP_REF_INST)
        return true;
    const struct gp_inst *inst = &kernel->insts[gp_ref_index(ref)];
    bool known = depth > 0 && inst->op != GP_OP_PHI && inst->op != GP_OP_ID && inst->op != GP_OP_WEIGHT && !gp_op_is_memory((enum gp_op)inst->op);
    for (uint32_t k = 0; known && k < inst->operand_count; k++)
        known = gp_ref_kind(kernel->operands[inst->operand + k]) != GP_REF_PARAM && is_known_place(kernel, kernel->operands[inst->operand + k], depth - 1);
    return known;
}

static bool is_indexed(const struct finder *r, uint32_t m)
{
    const struct gp_kernel *kernel = r->in->kernel;
    const struct gp_inst *inst = &kernel->insts[kernel->memory[m].inst];
    return inst->operand_count > 0 && !is_known_place(kernel, kernel->operands[inst->operand], 8);
}

static void mend_private(struct finder *r, gp_ref array)
{
    for (uint32_t m = 0; m < r->in->kernel->memory_count; m++)
        if (r->in->kernel->memory[m].base == array && is_private_array(r, m))
            gp_keep_in_registers(&r->repair, m);
}

static void mend_private_arrays(struct finder *r)
{
    for (uint32_t p = 0; p < r->in->kernel->private_count; p++)
        mend_private(r, gp_ref_make(GP_REF_PRIVATE, p));
}

static void try_private(struct finder *r, uint32_t index)
{
    enum { MOST_WORDS = 64 }; /* that a compiler would keep in registers */
    const struct gp_kernel *kernel = r->in->kernel;
    gp_ref array = gp_ref_make(GP_REF_PRIVATE, index);
    const char *name = kernel->privates[index].name;
    uint32_t place = GP_NONE;
    double accesses = 0, most = -1;
    for (uint32_t m = 0; m < kernel->memory_count; m++) {
        const struct gp_memory_work *memory = &r->in->work->memory[m];
        if (kernel->memory[m].base != array || !is_private_array(r, m))
            continue;
        accesses += memory->requests;
        if (is_indexed(r, m) && memory->l2_bytes + memory->wavefronts > most)
            most = memory->l2_bytes + memory->wavefronts, place = m;
    }
    if (place == GP_NONE)
        return;
    gp_repair_reset(&r->repair);
    mend_private(r, array);
    struct gp_bottleneck *b = record(r, GP_CAUSE_SPILL, kernel->memory[place].inst);
    if (b == NULL)
        return;
    if (*name)
        snprintf(b->measure, sizeof b->measure, "'%.40s' is indexed by a value unknown at compile time, so it lives in memory: %.0f accesses per work-item", name, accesses);
    else
        snprintf(b->measure, sizeof b->measure, "a private array is indexed by a value unknown at compile time, so it lives in memory: %.0f accesses per work-item", accesses);
    snprintf(b->advice, sizeof b->advice, "%s, or keep it in %s memory",
             kernel->privates[index].bytes <= 4 * MOST_WORDS ? "let its indices be known, as in loops that are unrolled whole" : "a smaller array, with indices that are known", is_cuda(r) ? "shared" : "local");
}

/* How the source spells divisions, constants and powers decides latencies, too; without memory to work that out they stay. */
static void repair_paths(struct finder *r, uint32_t paths)
{
    uint32_t spelt = paths & (1u << GP_NARROW_CONSTANT | 1u << GP_NARROW_POWER | 1u << GP_NARROW_DIVISION);
    double saved = 0;
    if (spelt != 0 && !gp_chain_saved(r->in->kernel, r->in->work, r->in->conditions->device, spelt, &saved))
        saved = 0;
    gp_widen(&r->repair, paths, saved);
}

static uint32_t paths_at_work(const struct finder *r)
{
    uint32_t paths = 0;
    for (unsigned path = 0; path < GP_NARROW_COUNT; path++)
        if (r->in->work->paths[path].before.issue > 0)
            paths |= 1u << path;
    return paths;
}

/* AMD's compilers make squares of pow(x, 2) themselves (LLVM's AMDGPULibCalls.cpp, fold_pow()); code for no device in particular still calls. */
static bool compiler_multiplies(const struct finder *r)
{
    const struct gp_kernel *kernel = r->in->kernel;
    bool squares = gp_arch_is_amd(r->in->conditions->device->arch);
    for (uint32_t i = 0; squares && i < kernel->inst_count; i++)
        squares = gp_inst_path(&kernel->insts[i]) != GP_NARROW_POWER || kernel->insts[i].mended_repeat <= kernel->insts[i].repeat;
    return squares;
}

static void try_path(struct finder *r, enum gp_narrow_path path)
{
    if (r->in->work->paths[path].before.issue <= 0 || (path == GP_NARROW_POWER && compiler_multiplies(r)))
        return;
    gp_repair_reset(&r->repair);
    repair_paths(r, 1u << path);
    struct gp_bottleneck *b = record(r, GP_CAUSE_THROUGHPUT, GP_NONE);
    if (b != NULL)
        gp_describe_narrow_path(r->in, path, b);
}

static void try_conditions(struct finder *r)
{
    const struct gp_conditions *c = r->in->conditions;
    struct gp_bottleneck *b;
    gp_repair_reset(&r->repair), r->repair.conditions.hide_latency = true;
    if ((b = record(r, GP_CAUSE_LATENCY, GP_NONE)))
        place_latency(r, b);
    gp_repair_reset(&r->repair), r->repair.conditions.no_bandwidth = true;
    if ((b = record(r, GP_CAUSE_BANDWIDTH, GP_NONE)))
        snprintf(b->measure, sizeof b->measure, "L2 and DRAM bandwidth"), place_at_memory(r, b, traffic_of);
    try_tail(r);
    gp_repair_reset(&r->repair), r->repair.conditions.even_channels = true;
    if (c->device->channel_hash.value <= 0 && (b = record(r, GP_CAUSE_CHANNEL_SKEW, GP_NONE))) {
        snprintf(b->measure, sizeof b->measure, "some of the %.0f DRAM channels take more than their part", c->device->dram_channels.value);
        snprintf(b->advice, sizeof b->advice, "let groups that run at once start at different multiples of %.0f bytes", c->device->channel_bytes.value);
    }
    gp_repair_reset(&r->repair), r->repair.conditions.no_barrier = true;
    if (r->in->work->barriers > 0 && (b = record(r, GP_CAUSE_BARRIER, GP_NONE)))
        snprintf(b->measure, sizeof b->measure, "waiting at %.0f barrier%s per work-item", r->in->work->barriers, r->in->work->barriers < 1.5 ? "" : "s"), place_at_barrier(r, b);
    gp_repair_reset(&r->repair), r->repair.conditions.spill_store_bytes = r->repair.conditions.spill_load_bytes = 0;
    if (c->spill_store_bytes + c->spill_load_bytes > 0 && (b = record(r, GP_CAUSE_SPILL, GP_NONE))) {
        if (r->in->registers_wanted > 0)
            snprintf(b->measure, sizeof b->measure, "registers may spill: about %u are wanted, the launch bound leaves %u per work-item", r->in->registers_wanted, r->in->registers);
        else
            snprintf(b->measure, sizeof b->measure, "registers spill: %.0f bytes stored and %.0f loaded per work-item", c->spill_store_bytes, c->spill_load_bytes);
        snprintf(b->advice, sizeof b->advice, "fewer live values per work-item (smaller tiles, less unrolling) or a looser launch bound");
    }
}

/* What could not be known: no repair, so no speed-up; placed where most of it is. */
static void note_guesses(struct finder *r)
{
    const struct gp_work *work = r->in->work;
    uint32_t place = GP_NONE;
    double most = 0, requests = 0, of = 0, guessed = work->instructions > 0 ? work->guessed_instructions / work->instructions : 0;
    for (uint32_t m = 0; m < work->memory_count; m++) {
        of += work->memory[m].requests;
        requests += work->memory[m].guessed;
        if (work->memory[m].guessed > most) {
            most = work->memory[m].guessed;
            place = r->in->kernel->memory[m].inst;
        }
    }
    struct gp_prediction *p = r->prediction;
    if ((guessed < 0.05 && most < 0.05) || p->bottleneck_count == GP_MAX_BOTTLENECKS)
        return;
    struct gp_bottleneck *b = &p->bottlenecks[p->bottleneck_count++];
    *b = (struct gp_bottleneck){.cause = GP_CAUSE_DATA_DEPENDENT, .inst = place, .repaired_ns = p->time_ns, .speedup = 1,
                                .location = gp_inst_place(r->in->kernel, place)};
    snprintf(b->measure, sizeof b->measure, "depends on data: %.0f%% of the instructions and %.*f of %.*f memory requests per %s rest on guesses", 100 * guessed, requests < 10, requests,
             of < 10, of, warp_word(r));
}

static int by_share(const void *a, const void *b)
{
    const struct gp_bottleneck *x = a, *y = b;
    if (x->share != y->share)
        return x->share < y->share ? 1 : -1;
    if (x->cause != y->cause)
        return (int)x->cause - (int)y->cause;
    return x->inst < y->inst ? -1 : x->inst > y->inst;
}

/* A device that is mostly idle comes before what its few groups wait for, unless that gains clearly more. */
static void put_idle_sms_first(const struct finder *r)
{
    struct gp_bottleneck *list = r->prediction->bottlenecks;
    for (uint32_t i = 1; (leaves_sms_idle(r) || waits_for_longest(r)) && i < r->prediction->bottleneck_count; i++) {
        struct gp_bottleneck tail = list[i];
        if (tail.cause != GP_CAUSE_TAIL || tail.share < 0.95 * list[0].share)
            continue;
        memmove(&list[1], &list[0], i * sizeof *list);
        list[0] = tail;
    }
}

static void mend_group(struct finder *r, const struct gp_bottleneck *b, applies *applies, mend *mend)
{
    const struct gp_kernel *kernel = r->in->kernel;
    uint32_t worst = kernel->insts[b->inst].record;
    find_groups(r, b->cause, applies);
    for (uint32_t m = 0; m < kernel->memory_count; m++)
        if (r->group[m] == r->group[worst])
            mend(&r->repair, m);
}

/* A cause of the whole kernel. */
static void repair_whole(struct finder *r, enum gp_cause cause)
{
    struct gp_conditions *c = &r->repair.conditions;
    switch (cause) {
    case GP_CAUSE_OCCUPANCY: c->resident_groups = most_resident(r); break;
    case GP_CAUSE_LOCAL_SIZE:
        if (r->repair.work.lanes_used < 1)
            gp_fill_warps(&r->repair);
        c->no_start = true;
        enlarge_groups(r);
        break;
    case GP_CAUSE_LATENCY: c->hide_latency = true; break;
    case GP_CAUSE_BANDWIDTH: c->no_bandwidth = true; break;
    case GP_CAUSE_THROUGHPUT: repair_paths(r, paths_at_work(r)); break;
    case GP_CAUSE_TAIL:
        c->no_tail = true;
        c->split_items = leaves_sms_idle(r);
        break;
    case GP_CAUSE_BARRIER: c->no_barrier = true; break;
    case GP_CAUSE_SPILL: c->spill_store_bytes = c->spill_load_bytes = 0; break;
    case GP_CAUSE_CHANNEL_SKEW: c->even_channels = true; break;
    default: break;
    }
}

static void repair_again(struct finder *r, const struct gp_bottleneck *b)
{
    const struct gp_kernel *kernel = r->in->kernel;
    switch (b->cause) {
    case GP_CAUSE_SPILL:
        if (b->inst != GP_NONE)
            mend_private(r, kernel->memory[kernel->insts[b->inst].record].base);
        else
            repair_whole(r, GP_CAUSE_SPILL);
        break;
    case GP_CAUSE_UNCOALESCED: mend_group(r, b, is_uncoalesced, gp_coalesce); break;
    case GP_CAUSE_BANK_CONFLICT: mend_group(r, b, has_conflicts, gp_free_of_conflicts); break;
    case GP_CAUSE_ATOMICS: mend_group(r, b, has_contention, gp_no_contention); break;
    case GP_CAUSE_DIVERGENCE:
        for (uint32_t i = 0; i < kernel->branch_count; i++)
            if (kernel->branches[i].inst == b->inst)
                share_decision(r, i);
        break;
    case GP_CAUSE_THROUGHPUT: repair_paths(r, 1u << gp_inst_path(&kernel->insts[b->inst])); break;
    default: repair_whole(r, b->cause); break;
    }
}

/* All causes that were found, repaired at once: what each gains alone does not add up. */
static void repair_all(struct finder *r)
{
    struct gp_prediction *p = r->prediction;
    struct gp_timing timing;
    uint32_t repaired = 0;
    bool fills = false;
    p->repaired_all_ns = 0;
    gp_repair_reset(&r->repair);
    for (uint32_t i = 0; i < p->bottleneck_count; i++) {
        bool limit = gp_cause_is_a_limit(p->bottlenecks[i].cause), last = p->bottlenecks[i].cause == GP_CAUSE_LOCAL_SIZE; /* gp_fill_warps() comes after all others */
        if (!limit && !last)
            repair_again(r, &p->bottlenecks[i]);
        fills |= last;
        repaired += !limit;
    }
    if (fills)
        repair_whole(r, GP_CAUSE_LOCAL_SIZE);
    if (repaired < 2)
        return;
    r->in->timer(r->in->timer_context, &r->repair.work, &r->repair.conditions, &timing);
    p->repaired_all_ns = timing.cycles / r->in->conditions->clock_mhz * 1e3;
}

static void mend_all(struct finder *r, applies *applies, mend *mend)
{
    for (uint32_t m = 0; m < r->in->kernel->memory_count; m++)
        if (applies(&r->in->work->memory[m], &r->in->kernel->memory[m]))
            mend(&r->repair, m);
}

static void repair_everywhere(struct finder *r, enum gp_cause cause)
{
    switch (cause) {
    case GP_CAUSE_UNCOALESCED: mend_all(r, is_uncoalesced, gp_coalesce); break;
    case GP_CAUSE_BANK_CONFLICT: mend_all(r, has_conflicts, gp_free_of_conflicts); break;
    case GP_CAUSE_ATOMICS: mend_all(r, has_contention, gp_no_contention); break;
    case GP_CAUSE_DIVERGENCE:
        for (uint32_t i = 0; i < r->in->kernel->branch_count; i++)
            gp_share_branch(&r->repair, i);
        break;
    case GP_CAUSE_SPILL:
        mend_private_arrays(r);
        repair_whole(r, cause);
        break;
    default: repair_whole(r, cause); break;
    }
}

bool gp_time_without(const struct gp_bottleneck_inputs *inputs, uint32_t causes, struct gp_timing *timing, struct gp_error *error)
{
    struct finder r = {.in = inputs};
    bool ok = gp_repair_begin(&r.repair, inputs->work, inputs->conditions);
    for (int cause = 0; ok && cause < GP_CAUSE_COUNT; cause++)
        if (causes >> cause & 1)
            repair_everywhere(&r, (enum gp_cause)cause);
    if (ok)
        inputs->timer(inputs->timer_context, &r.repair.work, &r.repair.conditions, timing);
    gp_repair_end(&r.repair);
    return ok || gp_fail(error, "out of memory");
}

bool gp_find_bottlenecks(const struct gp_bottleneck_inputs *inputs, struct gp_prediction *prediction, struct gp_error *error)
{
    const struct gp_work *work = inputs->work;
    struct finder r = {.in = inputs, .prediction = prediction};
    prediction->bottleneck_count = 0;
    r.group = malloc((work->memory_count + 1) * sizeof *r.group);
    r.scratch = malloc(gp_grouping_scratch(inputs->kernel) * sizeof *r.scratch);
    bool ok = gp_repair_begin(&r.repair, work, inputs->conditions) && r.group != NULL && r.scratch != NULL;
    if (ok) {
        try_memory(&r, GP_CAUSE_UNCOALESCED, is_uncoalesced, gp_coalesce, describe_uncoalesced);
        try_memory(&r, GP_CAUSE_BANK_CONFLICT, has_conflicts, gp_free_of_conflicts, describe_conflict);
        try_memory(&r, GP_CAUSE_ATOMICS, has_contention, gp_no_contention, describe_contention);
        try_divergence(&r);
        try_occupancy(&r);
        try_local_size(&r);
        try_start(&r);
        for (uint32_t p = 0; r.in->conditions->device->arch != GP_ARCH_CPU && p < r.in->kernel->private_count; p++)
            try_private(&r, p);
        for (int path = 0; path < GP_NARROW_COUNT; path++)
            try_path(&r, (enum gp_narrow_path)path);
        try_conditions(&r);
        repair_all(&r);
        note_guesses(&r);
        qsort(prediction->bottlenecks, prediction->bottleneck_count, sizeof *prediction->bottlenecks, by_share);
        put_idle_sms_first(&r);
    }
    gp_repair_end(&r.repair);
    free(r.group);
    free(r.scratch);
    return ok || gp_fail(error, "out of memory");
}

static bool is_listed(const struct gp_profile *profile, const struct gp_bottleneck *b, uint32_t location)
{
    for (uint32_t i = 0; i <= b->also_count; i++)
        if (gp_on_one_line(profile, i == 0 ? b->location : b->also[i - 1], location))
            return true;
    return false;
}

void gp_bottleneck_add_line(const struct gp_profile *profile, struct gp_bottleneck *b, uint32_t location)
{
    if (b->also_count < GP_MAX_ALSO && !is_listed(profile, b, location))
        b->also[b->also_count++] = location;
}

void gp_bottleneck_also(const struct gp_profile *profile, const struct gp_bottleneck *b, char *text, size_t size)
{
    const struct gp_location *first = b->location < profile->location_count ? &profile->locations[b->location] : NULL;
    size_t n = 0;
    text[0] = '\0';
    for (uint32_t i = 0; i < b->also_count && n < size; i++) {
        const struct gp_location *line = &profile->locations[b->also[i]];
        bool elsewhere = first == NULL || strcmp(first->file, line->file) != 0;
        const char *start = i > 0 ? ", " : b->also_count > 1 ? " (and lines " : " (and line ";
        n += (size_t)snprintf(text + n, size - n, "%s%s%s%u%s", start, elsewhere ? line->file : "", elsewhere ? ":" : "", line->line,
                              i + 1 == b->also_count ? ")" : "");
    }
}

void gp_print_place(const struct gp_profile *profile, const struct gp_kernel *kernel, uint32_t location, char *text, size_t size)
{
    uint32_t at = location < profile->location_count ? location : kernel->location;
    text[0] = '\0';
    if (at < profile->location_count)
        snprintf(text, size, "%s:%u:%u", profile->locations[at].file, profile->locations[at].line, profile->locations[at].column);
}
