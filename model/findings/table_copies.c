#include <math.h>
#include <stdio.h>

#include "model/findings/causes.h"

/* ---- Tables in local memory that data indexes: their banks are met by chance, but for a copy of the table in each bank -- */

static bool is_look_up(const struct gp_finder *f, uint32_t m)
{
    const struct gp_memory *record = &f->in->kernel->memory[m];
    const struct gp_memory_work *memory = &f->in->work->memory[m];
    return record->space == GP_SPACE_LOCAL && !gp_memory_writes(record) && memory->requests > 0 && memory->scattered > 0.5 * memory->requests && memory->passes > 1.05 * memory->ideal_passes;
}

/* What is written by chance as well is no table: copies of it would have to be added up. */
static bool is_written_anywhere(const struct gp_finder *f, gp_ref array)
{
    bool anywhere = false;
    for (uint32_t m = 0; m < f->in->kernel->memory_count; m++) {
        const struct gp_memory_work *memory = &f->in->work->memory[m];
        anywhere |= f->in->kernel->memory[m].base == array && gp_memory_writes(&f->in->kernel->memory[m]) && memory->scattered > 0.5 * memory->requests;
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

/* Groups that stay resident where each holds the copies instead of the table; 0: a group may not have as much. */
static double resident_with_copies(const struct gp_finder *f, uint32_t index, uint32_t m)
{
    const uint32_t *local = f->in->launch->local;
    double bytes = f->prediction->local_memory + (bytes_of_copies(f, index, m) - f->in->kernel->locals[index].bytes);
    struct gp_occupancy occupancy;
    if (bytes > f->in->conditions->device->smem_per_block.value ||
        !gp_occupancy(f->in->conditions->device, local[0] * local[1] * local[2], f->in->registers, 0, (uint32_t)bytes, &occupancy, NULL))
        return 0;
    return fmin(f->in->occupancy->resident_groups, occupancy.resident_groups);
}

bool gp_is_table(const struct gp_finder *f, uint32_t m) { return is_look_up(f, m) && gp_ref_kind(f->in->kernel->memory[m].base) == GP_REF_LOCAL; }

void gp_mend_table(struct gp_finder *f, gp_ref array)
{
    const struct gp_kernel *kernel = f->in->kernel;
    uint32_t index = gp_ref_index(array), any = GP_NONE;
    for (uint32_t m = 0; m < kernel->memory_count; m++) {
        if (kernel->memory[m].base != array)
            continue;
        if (gp_memory_writes(&kernel->memory[m]))
            gp_write_copies(&f->repair, m, f->in->conditions->device->smem_banks.value);
        else if (is_look_up(f, m)) {
            gp_free_of_conflicts(&f->repair, any = m);
            gp_find_own_copy(&f->repair, m);
        }
    }
    double resident = any == GP_NONE ? 0 : resident_with_copies(f, index, any);
    if (resident > 0)
        f->repair.conditions.resident_groups = fmin(f->repair.conditions.resident_groups, resident);
}

static void describe(const struct gp_finder *f, uint32_t index, uint32_t m, struct gp_bottleneck *b)
{
    const struct gp_memory_work *memory = &f->in->work->memory[m];
    const char *name = f->in->kernel->locals[index].name;
    char in[GP_NAME_TEXT];
    gp_print_name(in, "in", name);
    snprintf(b->measure, sizeof b->measure, "bank conflicts of look-ups%s that data decides: %.1f passes per %s on average instead of %.0f", in, memory->passes / memory->requests, gp_warp_word(f),
             fmax(1, memory->ideal_passes / memory->requests));
    snprintf(b->advice, sizeof b->advice, "a copy of the table in each bank: work-items %.0f apart use the same one (%.3g KB of each group instead of %.3g)", f->in->conditions->device->smem_banks.value,
             bytes_of_copies(f, index, m) / 1024, f->in->kernel->locals[index].bytes / 1024.0);
}

void gp_try_table(struct gp_finder *f, uint32_t index)
{
    const struct gp_kernel *kernel = f->in->kernel;
    gp_ref array = gp_ref_make(GP_REF_LOCAL, index);
    uint32_t worst = GP_NONE;
    for (uint32_t m = 0; m < kernel->memory_count; m++)
        if (kernel->memory[m].base == array && is_look_up(f, m) && (worst == GP_NONE || f->in->work->memory[m].wavefronts > f->in->work->memory[worst].wavefronts))
            worst = m;
    if (worst == GP_NONE || is_written_anywhere(f, array) || resident_with_copies(f, index, worst) <= 0)
        return;
    gp_repair_reset(&f->repair);
    gp_mend_table(f, array);
    struct gp_bottleneck *b = gp_finder_record(f, GP_CAUSE_BANK_CONFLICT, kernel->memory[worst].inst);
    if (b == NULL)
        return;
    b->repaired = "with the copies";
    describe(f, index, worst, b);
}
