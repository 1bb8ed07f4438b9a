/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/findings/access_groups.h"
#include "model/findings/causes.h"
#include "model/observe/combined_atomics.h"
#include "support/saturate.h"

/* Where nobody knows the addresses it is no finding, unless each work-item walks a row of its own: two rows are not in
 * one line. */
static bool is_uncoalesced(const struct gp_finder *f, uint32_t m)
{
    const struct gp_memory *record = &f->in->kernel->memory[m];
    const struct gp_memory_work *memory = &f->in->work->memory[m];
    if (record->space == GP_SPACE_LOCAL || record->space == GP_SPACE_PRIVATE || memory->requests <= 0)
        return false;
    if (memory->scattered > 0.5 * memory->requests && !memory->shape.by_address && !gp_walks_rows(f->in->kernel, m))
        return false;
    return memory->transactions > 1.05 * memory->ideal.transactions;
}

static bool has_conflicts(const struct gp_finder *f, uint32_t m)
{
    const struct gp_memory *record = &f->in->kernel->memory[m];
    const struct gp_memory_work *memory = &f->in->work->memory[m];
    return record->space == GP_SPACE_LOCAL && memory->passes > 1.05 * memory->ideal.passes &&
           memory->scattered <= 0.5 * memory->requests;
}

static bool has_contention(const struct gp_finder *f, uint32_t m)
{
    const struct gp_memory_work *memory = &f->in->work->memory[m];
    bool in_the_warp = memory->atomics.contention > 0 && memory->scattered <= 0.5 * memory->requests;
    return in_the_warp || (memory->atomics.operations > 0 && isfinite(memory->atomics.addresses));
}

/* Constant memory of NVIDIA's devices answers a warp one address at a time, so that no order of the lanes helps. */
static bool is_served_by_address(const struct gp_finder *f, const struct gp_memory *record)
{
    return record->space == GP_SPACE_CONSTANT && gp_arch_is_nvidia(f->in->conditions->device->arch);
}

bool gp_walks_apart(const struct gp_finder *f, uint32_t m)
{
    const struct gp_memory_work *memory = &f->in->work->memory[m];
    if (memory->requests <= 0 || !is_uncoalesced(f, m) || !gp_walks_rows(f->in->kernel, m))
        return false;
    return memory->scattered > 0.5 * memory->requests ||
           gp_stride_kind(f->in->kernel, f->in->work->memory, m) == GP_STRIDE_OTHER;
}

static void advise_on_stride(const struct gp_finder *f, uint32_t m, struct gp_bottleneck *b)
{
    const struct gp_memory *record = &f->in->kernel->memory[m];
    const char *name = gp_base_name(f->in->kernel, record->base);
    long long stride = gp_size_of((int64_t)f->in->work->memory[m].shape.stride);
    char in[GP_NAME_TEXT], of[GP_NAME_TEXT];
    gp_print_name(in, "in", name);
    gp_print_name(of, "of", name);
    enum gp_stride_kind kind = gp_stride_kind(f->in->kernel, f->in->work->memory, m);
    struct gp_stride_use use = gp_stride_use(f->in->kernel, f->in->work->memory, m);
    if (is_served_by_address(f, record))
        snprintf(b->advice, sizeof b->advice,
                 "constant memory serves a %s one address at a time; where work-items read different elements%s, keep "
                 "them in global or local memory",
                 gp_warp_word(f), of);
    else if (gp_walks_apart(f, m))
        snprintf(b->advice, sizeof b->advice,
                 "each work-item walks a row of its own%s; let the work-items of a work-group walk it together, a "
                 "work-group for each row, or store it transposed",
                 of);
    else if (kind == GP_STRIDE_NONE)
        snprintf(b->advice, sizeof b->advice, "work-items of one %s touch scattered or misaligned lines%s",
                 gp_warp_word(f), of);
    else if (kind == GP_STRIDE_ELEMENTS && f->in->work->memory[m].shape.lanes_apart > 1)
        snprintf(b->advice, sizeof b->advice,
                 "work-items next to each other have elements next to each other%s, but one in %u gets here; let whole "
                 "%ss get here, or none of their work-items",
                 in, f->in->work->memory[m].shape.lanes_apart, gp_warp_word(f));
    else if (kind == GP_STRIDE_ELEMENTS)
        snprintf(b->advice, sizeof b->advice,
                 "neighbouring work-items ask for neighbouring elements%s, but those of a %s do not start where a line "
                 "does (halo, odd pitch); "
                 "align them, or go through local memory",
                 in, gp_warp_word(f));
    else if (kind == GP_STRIDE_VECTOR)
        snprintf(b->advice, sizeof b->advice,
                 "each work-item goes to its %lld bytes%s in %u accesses; make them one, of a vector (%s)", stride, of,
                 use.accesses, gp_speaks_cuda(f) ? "float2, float4, uchar4 ..." : "vload4(), vstore4(), a float4 ...");
    else if (kind == GP_STRIDE_PACKED)
        snprintf(b->advice, sizeof b->advice,
                 "each work-item goes to its %lld bytes%s in %u accesses; let it take several neighbours' in whole "
                 "words or vectors, or go through local memory",
                 stride, of, use.accesses);
    else if (kind == GP_STRIDE_RECORDS)
        snprintf(b->advice, sizeof b->advice,
                 "work-items next to each other are %lld bytes apart%s, as in an array of structs; keep each member in "
                 "an array of its own (SoA)",
                 stride, in);
    else if (kind == GP_STRIDE_CHUNKS)
        snprintf(b->advice, sizeof b->advice,
                 "each work-item has %lld bytes%s to itself; interleave, so that work-items next to each other take "
                 "elements next to each other",
                 stride, of);
    else if (stride <= GP_LARGEST_GAP)
        snprintf(b->advice, sizeof b->advice,
                 "work-items next to each other are %lld bytes apart%s and use %u of them; let them use elements next "
                 "to each other",
                 stride, in, use.bytes);
    else
        snprintf(b->advice, sizeof b->advice,
                 "work-items next to each other in dimension 0 are %lld bytes apart%s; make get_global_id(0) its "
                 "fastest index, or go through local memory",
                 stride, in);
}

static void describe_uncoalesced(const struct gp_finder *f, uint32_t m, struct gp_bottleneck *b)
{
    const struct gp_memory *record = &f->in->kernel->memory[m];
    const struct gp_memory_work *memory = &f->in->work->memory[m];
    const char *space = record->space == GP_SPACE_GENERIC ? "global" : gp_space_name((enum gp_space)record->space);
    long long stride = gp_size_of((int64_t)memory->shape.stride);
    int n = snprintf(b->measure, sizeof b->measure, "uncoalesced %s %s: %.0f transactions per %s", space,
                     gp_access_word(record), memory->transactions / memory->requests, gp_warp_word(f));
    if (stride > (long long)record->element_bytes * record->vector)
        snprintf(b->measure + n, sizeof b->measure - (size_t)n, ", stride %lld bytes along dimension 0", stride);
    else
        snprintf(b->measure + n, sizeof b->measure - (size_t)n, " where %.0f would do",
                 fmax(1, memory->ideal.transactions / memory->requests));
    if (memory->shape.by_address)
        b->repaired = gp_speaks_cuda(f) ? "in shared memory" : "in local memory";
    advise_on_stride(f, m, b);
}

/* Padding helps where all conflicts of the group come from one distance. */
static bool is_one_stride(const struct gp_finder *f, uint32_t m)
{
    const struct gp_memory_work *memory = f->in->work->memory;
    for (uint32_t i = 0; i < f->in->kernel->memory_count; i++)
        if (f->group[i] == f->group[m] &&
            (memory[i].shape.strides_differ || memory[i].shape.stride != memory[m].shape.stride))
            return false;
    return memory[m].shape.stride != 0;
}

/* Elements that one work-item accesses at once, and which must stay aligned. */
static unsigned elements_at_once(const struct gp_finder *f, uint32_t m)
{
    const struct gp_memory *record = &f->in->kernel->memory[m];
    const struct gp_memory_work *memory = &f->in->work->memory[m];
    double bytes = memory->useful_bytes / fmax(1, memory->requests) / gp_device_lanes(f->in->conditions->device);
    return (unsigned)round(fmax(record->vector, bytes / record->element_bytes));
}

static void describe_conflict(const struct gp_finder *f, uint32_t m, struct gp_bottleneck *b)
{
    const struct gp_memory *record = &f->in->kernel->memory[m];
    const struct gp_memory_work *memory = &f->in->work->memory[m];
    char of[GP_NAME_TEXT];
    gp_print_name(of, "of", gp_base_name(f->in->kernel, record->base));
    if (memory->worst_conflict <
        1.5) { /* a wide access is taken by halves or quarters: they share a pass where they share words */
        snprintf(b->measure, sizeof b->measure,
                 "wide local-memory %s: %.0f passes per %s instead of %.0f, because work-items that share a word are "
                 "far apart",
                 gp_access_word(record), memory->passes / memory->requests, gp_warp_word(f),
                 fmax(1, memory->ideal.passes / memory->requests));
        snprintf(b->advice, sizeof b->advice,
                 "let work-items next to each other ask for the same element%s, as with small two-dimensional tiles of "
                 "work-items",
                 of);
        return;
    }
    snprintf(b->measure, sizeof b->measure,
             "%.0f-way bank conflict in local-memory %s: %.0f passes per %s instead of %.0f", memory->worst_conflict,
             gp_access_word(record), memory->passes / memory->requests, gp_warp_word(f),
             fmax(1, memory->ideal.passes / memory->requests));
    unsigned wide = elements_at_once(f, m);
    if (is_one_stride(f, m) && wide > 1)
        snprintf(b->advice, sizeof b->advice,
                 "pad the rows%s by %u elements, as many as are accessed at once, so that neighbouring work-items fall "
                 "into different banks",
                 of, wide);
    else if (is_one_stride(f, m))
        snprintf(b->advice, sizeof b->advice,
                 "pad the rows%s by one element, so that neighbouring work-items fall into different banks", of);
    else
        snprintf(b->advice, sizeof b->advice,
                 "let neighbouring work-items use neighbouring elements%s, or pad its rows so that they begin in "
                 "different banks",
                 of);
}

/* Lanes of a warp meet, in the average request; else what is told of is that groups do. */
static void measure_contention(const struct gp_finder *f, uint32_t m, const char *space, struct gp_bottleneck *b)
{
    const struct gp_memory_work *memory = &f->in->work->memory[m];
    double of_launch = memory->atomics.operations * f->in->work->warps_per_group * f->in->work->groups,
           lanes = memory->atomics.contention / memory->requests + 1;
    bool combined = gp_atomic_is_combined(f->in->conditions->device, f->in->kernel, &f->in->kernel->memory[m]);
    double succeed = memory->atomics.successes * f->in->work->warps_per_group * f->in->work->groups;
    if (memory->atomics.successes > 0 && !memory->atomics.keeps && isfinite(memory->atomics.addresses) &&
        succeed > memory->atomics.addresses)
        snprintf(b->measure, sizeof b->measure,
                 "contended %s atomic: the launch's %.0f exchanges that succeed fall on %.0f address%s, and each had "
                 "read what the one before it wrote",
                 space, succeed, memory->atomics.addresses, memory->atomics.addresses == 1 ? "" : "es");
    else if (memory->atomics.operations > 0 && combined && memory->atomics.addresses == 1)
        snprintf(b->measure, sizeof b->measure,
                 "contended %s atomic: all %.0f operations of the launch on one address (the lanes of a %s make one)",
                 space, of_launch, gp_warp_word(f));
    else if (memory->atomics.operations > 0 && memory->atomics.addresses == 1)
        snprintf(b->measure, sizeof b->measure, "contended %s atomic: all %.0f operations of the launch on one address",
                 space, of_launch);
    else if (memory->atomics.operations > 0 && isfinite(memory->atomics.addresses) &&
             (memory->atomics.addresses < f->in->work->groups || lanes < 1.5)) /* groups meet */
        snprintf(b->measure, sizeof b->measure,
                 "contended %s atomic: the launch's %.0f operations fall on %.0f addresses", space, of_launch,
                 memory->atomics.addresses);
    else if (lanes < 1.5)
        snprintf(b->measure, sizeof b->measure, "contended %s atomic: some lanes of a %s on one address", space,
                 gp_warp_word(f));
    else
        snprintf(b->measure, sizeof b->measure, "contended %s atomic: %.0f lanes of a %s on one address", space, lanes,
                 gp_warp_word(f));
}

/* Where data decides who gets to the atomic, and nobody says how often it does. */
static void add_condition(const struct gp_finder *f, uint32_t m, struct gp_bottleneck *b)
{
    const struct gp_kernel *kernel = f->in->kernel;
    uint32_t branch = gp_data_branch_before(kernel, gp_inst_block(kernel, kernel->memory[m].inst));
    uint32_t location = branch == GP_NONE ? GP_NONE : kernel->insts[kernel->branches[branch].inst].location;
    if (location == GP_NONE)
        return;
    size_t measured = strlen(b->measure), advised = strlen(b->advice);
    snprintf(b->measure + measured, sizeof b->measure - measured, ", if all take the branch of line %u",
             f->in->profile->locations[location].line);
    snprintf(b->advice + advised, sizeof b->advice - advised, "; __builtin_expect() there says if few do");
}

/* No other work-item's operands stand for an exchange's: to combine them is no remedy. */
static bool exchanges(const struct gp_finder *f, uint32_t group)
{
    const struct gp_memory *records = f->in->kernel->memory;
    for (uint32_t m = group; m < f->in->kernel->memory_count; m++)
        if (f->group[m] == group && (records[m].flags & GP_MEMORY_EXCHANGES))
            return true;
    return false;
}

/* What a finding's gain is of: groups that combine; without these words nobody meets anybody. */
static const char *const COMBINED = "if combined";

static void describe_contention(const struct gp_finder *f, uint32_t m, struct gp_bottleneck *b)
{
    const struct gp_memory_work *memory = &f->in->work->memory[m];
    const struct gp_memory *record = &f->in->kernel->memory[m];
    bool one = memory->atomics.operations <= 0 || memory->atomics.addresses == 1;
    measure_contention(f, m, record->space == GP_SPACE_GENERIC ? "global" : gp_space_name((enum gp_space)record->space),
                       b);
    if (record->flags & GP_MEMORY_EXCHANGES)
        snprintf(b->advice, sizeof b->advice,
                 "exchanges take turns and cannot be combined; look with a plain load first whether one is still "
                 "needed, let fewer work-items try, or spread them over several addresses");
    else if (b->repaired == COMBINED)
        snprintf(b->advice, sizeof b->advice,
                 "combine within the work-group first (local memory), then one atomic per group%s",
                 one ? "" : " and address");
    else if (memory->atomics.contention <= 0 &&
             memory->atomics.operations * f->in->work->warps_per_group <=
                 1.01 * memory->atomics.addresses) /* as a group's own counts are added to the launch's */
        snprintf(
            b->advice, sizeof b->advice,
            "a work-group comes to %s once at most; let fewer work-groups do more each, or give them several copies",
            one ? "it" : "each of them");
    else
        snprintf(b->advice, sizeof b->advice,
                 "to combine within the work-group alone would gain nothing; let fewer work-groups do more each and "
                 "combine that, or give them several copies");
    add_condition(f, m, b);
}

typedef bool applies(const struct gp_finder *f, uint32_t m);
typedef void repair_one(struct gp_repair *r, uint32_t m);
typedef void describe(const struct gp_finder *f, uint32_t m, struct gp_bottleneck *b);

struct memory_cause {
    enum gp_cause cause;
    applies *applies;
    repair_one *repair, *otherwise; /* where the first gains nothing, and of a kernel as a whole */
    describe *describe;
};

static const struct memory_cause memory_causes[GP_MEMORY_CAUSES] = {
    {GP_CAUSE_UNCOALESCED, is_uncoalesced, gp_coalesce, gp_coalesce, describe_uncoalesced},
    {GP_CAUSE_BANK_CONFLICT, has_conflicts, gp_free_of_conflicts, gp_free_of_conflicts, describe_conflict},
    {GP_CAUSE_ATOMICS, has_contention, gp_combine_in_groups, gp_no_contention, describe_contention},
};

static bool repairs_by_stride(enum gp_cause cause)
{
    return cause == GP_CAUSE_UNCOALESCED || cause == GP_CAUSE_BANK_CONFLICT;
}

/* What a cause's repair changes does not change whom it is told with. */
static void find_groups(struct gp_finder *f, const struct memory_cause *c)
{
    const struct gp_kernel *kernel = f->in->kernel;
    uint32_t index = (uint32_t)(c - memory_causes);
    f->group = f->groups + (size_t)index * kernel->memory_count;
    if (f->grouped >> index & 1)
        return;
    f->grouped |= 1u << index;
    for (uint32_t m = 0; m < kernel->memory_count; m++)
        f->group[m] = c->applies(f, m) ? m : GP_NONE;
    gp_group_accesses(f->in->profile, kernel, f->in->work->memory, repairs_by_stride(c->cause), f->group, f->scratch);
}

/* The further lines of a group. */
static void list_lines(const struct gp_finder *f, uint32_t group, struct gp_bottleneck *b)
{
    const struct gp_kernel *kernel = f->in->kernel;
    for (uint32_t m = group; m < kernel->memory_count; m++) {
        uint32_t location = f->group[m] == group ? gp_own_place(kernel, kernel->memory[m].inst) : GP_NONE;
        if (location != GP_NONE)
            gp_bottleneck_add_line(f->in->profile, b, location);
    }
}

static bool is_first_of_base(const struct gp_finder *f, uint32_t group, uint32_t m)
{
    const struct gp_memory *records = f->in->kernel->memory;
    uint32_t i = group;
    while (i < m && (f->group[i] != group || records[i].base != records[m].base))
        i++;
    return i == m;
}

/* A line may go to several buffers: the gain is that of repairing all, and the advice names that of its costliest
 * operation. As many as there is room for. */
static void name_other_buffers(const struct gp_finder *f, uint32_t group, uint32_t worst, struct gp_bottleneck *b)
{
    const struct gp_memory *records = f->in->kernel->memory;
    for (uint32_t m = group; m < f->in->kernel->memory_count; m++) {
        char name[GP_NAME_TEXT];
        size_t end = strlen(b->advice);
        if (f->group[m] != group || records[m].base == records[worst].base || !is_first_of_base(f, group, m))
            continue;
        gp_print_name(name, "; fix", gp_base_name(f->in->kernel, records[m].base));
        if (*name && end + strlen(name) + strlen(" there, too") < sizeof b->advice)
            snprintf(b->advice + end, sizeof b->advice - end, "%s there, too", name + 1);
    }
}

/* Index in f->at_place of an operation's place; the last: it has none. */
static uint32_t place_of(const struct gp_finder *f, uint32_t m)
{
    uint32_t location = f->in->kernel->insts[f->in->kernel->memory[m].inst].location;
    return location < f->in->profile->location_count ? location : f->in->profile->location_count;
}

static bool is_of_group(const struct gp_finder *f, uint32_t m, uint32_t group, bool store)
{
    return f->group[m] == group && !(f->in->kernel->memory[m].flags & GP_MEMORY_STORE) == !store;
}

static bool is_wider(const struct gp_finder *f, uint32_t m, uint32_t than)
{
    const double alike = 1.01, *wavefronts = f->at_place;
    const struct gp_memory_work *work = f->in->work->memory;
    uint32_t here = place_of(f, m), there = place_of(f, than);
    return here == there ? work[m].wavefronts > work[than].wavefronts : wavefronts[here] > alike * wavefronts[there];
}

/* Of a group's loads, or of its stores, the one at the place that takes most of the memory pipe, in however many copies
 * it was unrolled; of several the first. GP_NONE: there is none. */
static uint32_t widest(const struct gp_finder *f, uint32_t group, bool store)
{
    uint32_t worst = GP_NONE, count = f->in->kernel->memory_count;
    for (uint32_t i = group; i < count; i++)
        if (is_of_group(f, i, group, store))
            f->at_place[place_of(f, i)] += f->in->work->memory[i].wavefronts;
    for (uint32_t i = group; i < count; i++)
        if (is_of_group(f, i, group, store) && (worst == GP_NONE || is_wider(f, i, worst)))
            worst = i;
    for (uint32_t i = group; i < count; i++)
        f->at_place[place_of(f, i)] = 0;
    return worst;
}

static void repair_place(struct gp_finder *f, uint32_t group, uint32_t m, repair_one *repair)
{
    bool store = f->in->kernel->memory[m].flags & GP_MEMORY_STORE;
    gp_repair_reset(&f->repair);
    for (uint32_t i = group; i < f->in->kernel->memory_count; i++)
        if (is_of_group(f, i, group, store) && place_of(f, i) == place_of(f, m))
            repair(&f->repair, i);
}

/* The operation that a group's finding is told of: its widest load or store, whichever gains more where its place alone
 * is repaired. */
static uint32_t costliest(struct gp_finder *f, uint32_t group, repair_one *repair)
{
    uint32_t of[2] = {widest(f, group, false), widest(f, group, true)};
    double cycles[2];
    if (of[0] == GP_NONE || of[1] == GP_NONE)
        return of[0] == GP_NONE ? of[1] : of[0];
    for (int i = 0; i < 2; i++) {
        repair_place(f, group, of[i], repair);
        cycles[i] = gp_finder_cycles(f);
    }
    return cycles[1] < cycles[0] ? of[1] : of[0];
}

static void repair_members(struct gp_finder *f, uint32_t group, repair_one *repair)
{
    gp_repair_reset(&f->repair);
    for (uint32_t m = group; m < f->in->kernel->memory_count; m++)
        if (f->group[m] == group)
            repair(&f->repair, m);
}

/* The first that gains. */
static repair_one *repair_that_gains(struct gp_finder *f, uint32_t group, const struct memory_cause *c)
{
    if (c->repair == c->otherwise || exchanges(f, group))
        return c->otherwise;
    repair_members(f, group, c->repair);
    return f->in->timing->cycles >= 1.01 * gp_finder_cycles(f) ? c->repair : c->otherwise;
}

/* One finding for what one change repairs (model/findings/access_groups.h), at its costliest operation. */
static void try_memory(struct gp_finder *f, const struct memory_cause *c)
{
    const struct gp_kernel *kernel = f->in->kernel;
    find_groups(f, c);
    for (uint32_t group = 0; group < kernel->memory_count; group++) {
        if (f->group[group] != group)
            continue;
        repair_one *repair = repair_that_gains(f, group, c);
        uint32_t worst = costliest(f, group, repair);
        repair_members(f, group, repair);
        struct gp_bottleneck *b = gp_finder_record(f, c->cause, kernel->memory[worst].inst);
        if (b == NULL)
            continue;
        b->repaired = repair == gp_combine_in_groups ? COMBINED : NULL;
        c->describe(f, worst, b);
        name_other_buffers(f, group, worst, b);
        list_lines(f, group, b);
    }
}

void gp_try_memory_causes(struct gp_finder *f)
{
    for (int i = 0; i < GP_MEMORY_CAUSES; i++)
        try_memory(f, &memory_causes[i]);
}

static const struct memory_cause *cause_named(enum gp_cause cause)
{
    const struct memory_cause *c = memory_causes;
    while (c->cause != cause)
        c++;
    return c;
}

void gp_repair_memory_again(struct gp_finder *f, const struct gp_bottleneck *b)
{
    const struct gp_kernel *kernel = f->in->kernel;
    const struct memory_cause *c = cause_named(b->cause);
    uint32_t worst = kernel->insts[b->inst].record;
    find_groups(f, c);
    for (uint32_t m = 0; m < kernel->memory_count; m++)
        if (f->group[m] == f->group[worst])
            (b->repaired == COMBINED ? c->repair : c->otherwise)(&f->repair, m);
}

void gp_repair_memory_everywhere(struct gp_finder *f, enum gp_cause cause)
{
    const struct memory_cause *c = cause_named(cause);
    for (uint32_t m = 0; m < f->in->kernel->memory_count; m++)
        if (c->applies(f, m))
            c->otherwise(&f->repair, m);
}
