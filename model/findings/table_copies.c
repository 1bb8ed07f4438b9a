/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <math.h>
#include <stdio.h>

#include "model/findings/causes.h"

/* ---- Tables in local memory that data indexes: their banks are met by chance, but for a copy of the table in each
 * bank -- */

static bool is_look_up(const struct gp_finder *f, uint32_t m)
{
    const struct gp_memory *record = &f->in->kernel->memory[m];
    const struct gp_memory_work *memory = &f->in->work->memory[m];
    return record->space == GP_SPACE_LOCAL && !gp_memory_writes(record) && memory->requests > 0 &&
           memory->scattered > 0.5 * memory->requests && memory->passes > 1.05 * memory->ideal.passes;
}

/* What is written by chance as well is no table: copies of it would have to be added up. */
static bool is_written_anywhere(const struct gp_finder *f, gp_ref array)
{
    bool anywhere = false;
    for (uint32_t m = 0; m < f->in->kernel->memory_count; m++) {
        const struct gp_memory_work *memory = &f->in->work->memory[m];
        anywhere |= f->in->kernel->memory[m].base == array && gp_memory_writes(&f->in->kernel->memory[m]) &&
                    memory->scattered > 0.5 * memory->requests;
    }
    return anywhere;
}

/* Bytes of a copy in each bank; an element takes a bank's width at least. */
static double bytes_of_copies(const struct gp_finder *f, uint32_t index, uint32_t m)
{
    const struct gp_device *d = f->in->conditions->device;
    double element = f->in->kernel->memory[m].element_bytes, width = d->smem_bank_bytes.value;
    return f->in->kernel->locals[index].bytes / element * fmax(element, width) * d->smem_banks.value;
}

/* What a finding's gain is of: so many of the launch's groups that are one, so that more warps share the copies.
 * Without these words its groups are as large as they are. */
static const char *const JOINED = "with the copies, in larger groups";

static uint32_t group_items(const struct gp_finder *f)
{
    return f->in->launch->local[0] * f->in->launch->local[1] * f->in->launch->local[2];
}

/* The launch's groups that stay resident where so many are one that holds the copies instead of the table; what else
 * they hold grows with them. 0: a group may not have as much, or as many work-items. */
static double resident_with_copies(const struct gp_finder *f, uint32_t index, uint32_t m, uint32_t joined)
{
    const struct gp_device *d = f->in->conditions->device;
    double table = f->in->kernel->locals[index].bytes,
           bytes = joined * fmax(0, f->prediction->local_memory - table) + bytes_of_copies(f, index, m);
    struct gp_occupancy occupancy;
    if (bytes > d->smem_per_block.value ||
        !gp_occupancy(d, joined * group_items(f), f->in->registers, 0, (uint32_t)bytes, &occupancy, NULL))
        return 0;
    return fmin(f->in->occupancy->resident_groups, joined * occupancy.resident_groups);
}

/* How many groups to make one of that most stay resident; 1 where that is no more than as they are. */
static uint32_t groups_to_join(const struct gp_finder *f, uint32_t index, uint32_t m)
{
    const struct gp_kernel *kernel = f->in->kernel;
    double most_items = f->in->conditions->device->max_threads_per_block.value,
           most = resident_with_copies(f, index, m, 1);
    uint32_t best = 1;
    if (kernel->stated.max_local > 0)
        most_items = fmin(most_items, kernel->stated.max_local);
    for (uint32_t joined = 2; kernel->stated.required_local[0] == 0 && joined * group_items(f) <= most_items &&
                              joined <= f->in->work->groups;
         joined *= 2) {
        double resident = resident_with_copies(f, index, m, joined);
        best = resident > most ? joined : best;
        most = fmax(most, resident);
    }
    return best;
}

bool gp_is_table(const struct gp_finder *f, uint32_t m)
{
    return is_look_up(f, m) && gp_ref_kind(f->in->kernel->memory[m].base) == GP_REF_LOCAL;
}

static void repair_table(struct gp_finder *f, gp_ref array, uint32_t joined)
{
    const struct gp_kernel *kernel = f->in->kernel;
    uint32_t index = gp_ref_index(array), any = GP_NONE;
    for (uint32_t m = 0; m < kernel->memory_count; m++) {
        if (kernel->memory[m].base != array)
            continue;
        if (gp_memory_writes(&kernel->memory[m]))
            gp_write_copies(&f->repair, m, fmax(1, f->in->conditions->device->smem_banks.value / joined));
        else if (is_look_up(f, m)) {
            gp_free_of_conflicts(&f->repair, any = m);
            gp_find_own_copy(&f->repair, m);
        }
    }
    double resident = any == GP_NONE ? 0 : resident_with_copies(f, index, any, joined);
    if (resident > 0)
        f->repair.conditions.resident_groups = fmin(f->repair.conditions.resident_groups, resident);
}

void gp_repair_table(struct gp_finder *f, const struct gp_bottleneck *b)
{
    uint32_t m = f->in->kernel->insts[b->inst].record;
    gp_ref array = f->in->kernel->memory[m].base;
    repair_table(f, array, b->repaired == JOINED ? groups_to_join(f, gp_ref_index(array), m) : 1);
}

static double cycles_with_copies(struct gp_finder *f, gp_ref array, uint32_t joined)
{
    gp_repair_reset(&f->repair);
    repair_table(f, array, joined);
    return gp_finder_cycles(f);
}

/* as_here: cycles with the copies in groups as they are. */
static void describe(const struct gp_finder *f, uint32_t index, uint32_t m, uint32_t joined, double as_here,
                     struct gp_bottleneck *b)
{
    const struct gp_memory_work *memory = &f->in->work->memory[m];
    const char *name = f->in->kernel->locals[index].name;
    char in[GP_NAME_TEXT];
    gp_print_name(in, "in", name);
    snprintf(b->measure, sizeof b->measure,
             "bank conflicts of look-ups%s that data decides: %.1f passes per %s on average instead of %.0f", in,
             memory->passes / memory->requests, gp_warp_word(f), fmax(1, memory->ideal.passes / memory->requests));
    size_t n = (size_t)snprintf(b->advice, sizeof b->advice,
                                "a copy of the table in each bank: work-items %.0f apart use the same one (%.3g KB of "
                                "each group instead of %.3g)",
                                f->in->conditions->device->smem_banks.value, bytes_of_copies(f, index, m) / 1024,
                                f->in->kernel->locals[index].bytes / 1024.0);
    if (joined > 1)
        snprintf(b->advice + n, sizeof b->advice - n, ", in groups of %u work-items; of %u as here: %.2fx",
                 joined * group_items(f), group_items(f), f->in->timing->cycles / as_here);
}

void gp_try_table(struct gp_finder *f, uint32_t index)
{
    const struct gp_kernel *kernel = f->in->kernel;
    gp_ref array = gp_ref_make(GP_REF_LOCAL, index);
    uint32_t worst = GP_NONE;
    for (uint32_t m = 0; m < kernel->memory_count; m++)
        if (kernel->memory[m].base == array && is_look_up(f, m) &&
            (worst == GP_NONE || f->in->work->memory[m].wavefronts > f->in->work->memory[worst].wavefronts))
            worst = m;
    if (worst == GP_NONE || is_written_anywhere(f, array) || resident_with_copies(f, index, worst, 1) <= 0)
        return;
    uint32_t joined = groups_to_join(f, index, worst);
    double as_here = cycles_with_copies(f, array, 1);
    if (joined > 1 && as_here < GP_WORTH_TELLING * cycles_with_copies(f, array, joined))
        joined = 1;
    gp_repair_reset(&f->repair);
    repair_table(f, array, joined);
    struct gp_bottleneck *b = gp_finder_record(f, GP_CAUSE_BANK_CONFLICT, kernel->memory[worst].inst);
    if (b == NULL)
        return;
    b->repaired = joined > 1 ? JOINED : "with the copies";
    describe(f, index, worst, joined, as_here, b);
}
