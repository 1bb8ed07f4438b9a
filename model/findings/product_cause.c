/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A product: in one loop what a work-item loads of one array others along a dimension load, too, and what it loads of
 * another array others along another dimension do, as in `sum += a[y * n + k] * b[k * n + x]`. Each element is loaded
 * once for each work-item of a whole row. Where a work-item computes several results, from a tile in registers, it is
 * loaded as many times less often, and its address made so.
 */
#include <stdio.h>

#include "model/findings/causes.h"
#include "model/value/id_sources.h"
#include "model/value/inst_facts.h"

/* Results of a work-item in the repaired state: two by two in a tile, and so half of the loads of each operand. */
enum { TILE = 2 };

/* The dimensions of the range along which all work-items load the same, as bits; 0: none, or not known. */
static uint32_t same_along(const struct gp_finder *f, uint32_t m)
{
    const struct gp_kernel *kernel = f->in->kernel;
    const struct gp_memory *memory = &kernel->memory[m];
    const struct gp_memory_work *work = &f->in->work->memory[m];
    bool loads = !(memory->flags & (GP_MEMORY_STORE | GP_MEMORY_ATOMIC)) && work->scattered <= 0;
    if (!loads || work->requests < 16 || memory->space == GP_SPACE_LOCAL || memory->space == GP_SPACE_PRIVATE ||
        memory->space == GP_SPACE_IMAGE)
        return 0;
    struct gp_made_of of = gp_made_of_start(kernel, kernel->operands[kernel->insts[memory->inst].operand]);
    uint32_t along = 0;
    for (uint32_t d = 0; d < f->in->launch->dims; d++)
        if (f->in->launch->global[d] >= 2 * TILE && !((of.items | of.groups) >> d & 1))
            along |= 1u << d;
    return of.items | of.groups ? along : 0;
}

static uint32_t loop_of(const struct gp_finder *f, uint32_t m)
{
    const struct gp_kernel *kernel = f->in->kernel;
    return kernel->blocks[gp_inst_block(kernel, kernel->memory[m].inst)].loop;
}

/* Another operand of the same loop, of another array, that is the same along another dimension. */
static bool is_operand(const struct gp_finder *f, uint32_t m)
{
    uint32_t along = same_along(f, m), loop = loop_of(f, m);
    for (uint32_t i = 0; along != 0 && loop != GP_NONE && i < f->in->kernel->memory_count; i++) {
        uint32_t other = loop_of(f, i) == loop ? same_along(f, i) : 0;
        if (other != 0 && (other & along) == 0 && f->in->kernel->memory[i].base != f->in->kernel->memory[m].base)
            return true;
    }
    return false;
}

/* Of them the one with most requests; GP_NONE: it is no product. */
static uint32_t busiest_operand(const struct gp_finder *f)
{
    uint32_t busiest = GP_NONE;
    for (uint32_t m = 0; m < f->in->kernel->memory_count; m++)
        if (is_operand(f, m) &&
            (busiest == GP_NONE || f->in->work->memory[m].wavefronts > f->in->work->memory[busiest].wavefronts))
            busiest = m;
    return busiest;
}

/* A load that is not made has no address, either: a block has as many fewer. */
static void spare_addresses(struct gp_finder *f, uint32_t block)
{
    const struct gp_kernel *kernel = f->in->kernel;
    double all = 0, operands = 0;
    for (uint32_t i = kernel->blocks[block].inst; i < gp_block_end(kernel, block); i++) {
        if (kernel->insts[i].op != GP_OP_LOAD || !gp_inst_accesses(&kernel->insts[i]))
            continue;
        uint32_t m = kernel->insts[i].record;
        all += f->in->work->memory[m].requests;
        operands += is_operand(f, m) ? f->in->work->memory[m].requests : 0;
    }
    if (operands > 0)
        gp_spare_addresses(&f->repair, block, operands / all * (1 - 1.0 / TILE));
}

void gp_repair_product(struct gp_finder *f)
{
    const struct gp_kernel *kernel = f->in->kernel;
    for (uint32_t m = 0; m < kernel->memory_count; m++)
        if (is_operand(f, m))
            gp_keep_between(&f->repair, m, f->in->work->memory[m].requests / TILE);
    for (uint32_t b = 0; b < kernel->block_count; b++)
        spare_addresses(f, b);
}

/* Work-items that load the same element. */
static double loads_of_each(const struct gp_finder *f, uint32_t m)
{
    uint32_t along = same_along(f, m);
    double times = 1;
    for (uint32_t d = 0; d < f->in->launch->dims; d++)
        times *= along >> d & 1 ? (double)f->in->launch->global[d] : 1;
    return times;
}

void gp_try_product(struct gp_finder *f)
{
    uint32_t m = busiest_operand(f);
    if (m == GP_NONE || f->in->conditions->device->arch == GP_ARCH_CPU)
        return;
    gp_repair_reset(&f->repair);
    gp_repair_product(f);
    if (f->in->timing->cycles < GP_WORTH_TELLING * gp_finder_cycles(f))
        return;
    struct gp_bottleneck *b = gp_finder_record(f, GP_CAUSE_THROUGHPUT, f->in->kernel->memory[m].inst);
    if (b == NULL)
        return;
    char of[GP_NAME_TEXT];
    gp_print_name(of, "of", gp_base_name(f->in->kernel, f->in->kernel->memory[m].base));
    b->repairable = true;
    b->repaired = "with a tile of 2x2 results in registers";
    snprintf(b->measure, sizeof b->measure, "loads: each element%s is loaded by %.0f work-items", of,
             loads_of_each(f, m));
    snprintf(b->advice, sizeof b->advice,
             "tile it: let each work-item compute 2x2 results or more, so that what it loads is used as often, from "
             "tiles in local memory");
}
