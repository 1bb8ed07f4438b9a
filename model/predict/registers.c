/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How many registers a work-item has, and what is spilled. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/predict/run.h"

/* ---- Narrower sub-groups ----------------------------------------------------------------------------------------- */

/*
 * Sub-groups that Intel's compiler makes narrower: a hardware thread has a fixed number of registers, and what does not
 * fit with 16 (32) work-items is compiled with half as many, which have twice the registers each. So the same device
 * has twice as many registers per work-item, and half the work-items resident.
 */

/* A device and what it is with narrower sub-groups. They live as long as the predictor, since what was found out of a
 * device is kept by its place. */
struct gp_narrower {
    struct gp_device of, narrower;
    struct gp_narrower *next;
};

static void scale(struct gp_number *number, double by)
{
    *number = (struct gp_number){number->value * by, number->origin, number->source};
}

static struct gp_narrower *make(struct gp_predictor *predictor, const struct gp_device *device)
{
    struct gp_narrower *made = malloc(sizeof *made);
    memcpy(&made->of, device, sizeof made->of); /* padding, too: it is compared */
    made->narrower = *device;
    made->next = predictor->narrower;
    scale(&made->narrower.warp_width, 0.5);
    scale(&made->narrower.max_threads_per_sm, 0.5);
    scale(&made->narrower.max_registers_per_thread, 2);
    scale(&made->narrower.register_unit, 2);
    predictor->narrower = made;
    return made;
}

const struct gp_device *gp_with_room_for(struct gp_predictor *predictor, const struct gp_device *device,
                                         const struct gp_resources *resources)
{
    double most = device->max_registers_per_thread.value, slack = 1.2; /* an estimate's (registers.c) */
    if (device->arch != GP_ARCH_XE || resources == NULL || resources->registers <= slack * most)
        return device;
    struct gp_narrower *known = predictor->narrower;
    while (known != NULL && memcmp(&known->of, device, sizeof *device) != 0)
        known = known->next;
    known = known != NULL ? known : make(predictor, device);
    return &known->narrower;
}

void gp_narrower_free(struct gp_predictor *predictor)
{
    while (predictor->narrower != NULL) {
        struct gp_narrower *next = predictor->narrower->next;
        free(predictor->narrower);
        predictor->narrower = next;
    }
}

/* ---- Registers and spills ---------------------------------------------------------------------------------------- */

/* Registers and spills: what the compiler told, what a launch bound does not leave, and how often loops repeat it. */

/* ---- Registers --------------------------------------------------------------------------------------------------- */

enum { REGISTERS_IF_UNKNOWN = 32 };

/*
 * Registers that a compiler may give each work-item so that a group of `bound` of them fits: on NVIDIA as many such
 * groups as the kernel says an SM must hold, on AMD one on the CUs that it may lie on (LLVM's AMDGPU backend,
 * occupancy). More groups than an SM has work-items for ptxas does not heed ("Value of threads per SM is out of range.
 * .minnctapersm will be ignored", ptxas 13.0).
 */
static uint32_t registers_within(const struct gp_device *d, const struct gp_kernel *kernel, uint64_t bound)
{
    bool nvidia = gp_arch_is_nvidia(d->arch);
    double items = ceil((double)bound / d->warp_width.value) * d->warp_width.value;
    double wanted = kernel->stated.min_groups,
           groups = nvidia && wanted * items <= d->max_threads_per_sm.value ? fmax(1, wanted) : 1;
    double cus = gp_device_group_sms(d), unit = nvidia ? 8 : fmax(1, d->register_unit.value);
    return (uint32_t)(floor(cus * d->registers_per_sm.value / (items * groups) / unit) * unit);
}

/* What the launch bound leaves each work-item where the count was made without it; 0: nothing is said. */
static uint32_t left_by_bound(const struct run *run)
{
    const struct gp_kernel *kernel = run->predictor->kernel;
    uint64_t bound = gp_stated_items(&kernel->stated);
    return bound == 0 || run->resources->launch_bound != 0 ? 0 : registers_within(run->device, kernel, bound);
}

/* No work-item has more than the device's maximum. An estimate is a fifth off: what exceeds it by less is taken to fit.
 */
static void fit_into_device(struct run *run)
{
    uint32_t most = (uint32_t)run->device->max_registers_per_thread.value;
    if (run->resources->source != GP_SOURCE_ESTIMATE || most == 0 || run->registers <= most)
        return;
    run->missing_registers = run->registers > 1.2 * most ? run->registers - most : 0;
    run->registers = most;
}

/*
 * Registers and spills. A kernel that states its work-group size or a bound is compiled to fit: where the count at hand
 * was made without that bound, what exceeds it is taken to be spilled (weigh_spills()), and so is what an estimate has
 * beyond the device's registers.
 */
void gp_take_resources(struct run *run)
{
    const struct gp_resources *r = run->resources;
    run->registers = r != NULL ? r->registers : REGISTERS_IF_UNKNOWN;
    if (r == NULL || run->device->arch == GP_ARCH_CPU)
        return;
    run->spill_store_bytes = run->spill_slot_bytes = r->spill_store_bytes;
    run->spill_load_bytes = r->spill_load_bytes;
    if (r->stack_bytes > 0) /* several stores, and those of a loop's turns, go to one place of the frame */
        run->spill_slot_bytes = fmin(run->spill_slot_bytes, r->stack_bytes);
    uint32_t most = left_by_bound(run), wanted = run->registers;
    fit_into_device(run);
    if (most >= run->registers || most == 0)
        return;
    run->missing_registers = wanted - most;
    run->registers = most;
}

/* ---- Spills ------------------------------------------------------------------------------------------------------ */

static void find_spills(struct gp_predictor *predictor, uint32_t excess, bool scalar_unit)
{
    if (predictor->spills_excess == excess && predictor->spills_scalar_unit == scalar_unit)
        return;
    gp_spills_end(&predictor->spills);
    gp_spills_find(predictor->kernel, scalar_unit, excess, &predictor->spills);
    predictor->spills_excess = excess;
    predictor->spills_scalar_unit = scalar_unit;
}

/* Words of a work-item that the estimate stores and loads: as often as blocks are visited, and each place in the code
 * once. */
struct spill_words {
    double stores, loads, stores_once, loads_once;
};

static struct spill_words spill_words_of(const struct gp_spills *spills, const struct gp_work *work)
{
    struct spill_words words = {0};
    for (uint32_t b = 0; b < work->block_count; b++) {
        words.stores += work->blocks[b].visits * spills->blocks[b].stores;
        words.loads += work->blocks[b].visits * spills->blocks[b].loads;
        words.stores_once += spills->blocks[b].stores;
        words.loads_once += spills->blocks[b].loads;
    }
    return words;
}

/* Of registers that the launch bound does not leave each is stored and loaded once at least; what lives in a loop, as
 * often as its blocks are visited. */
static void weigh_spills(struct run *run)
{
    double least = 4.0 * run->missing_registers;
    find_spills(run->predictor, run->missing_registers, gp_arch_is_amd(run->device->arch));
    struct spill_words words = spill_words_of(&run->predictor->spills, &run->work);
    run->spill_store_bytes += fmax(least, 4 * words.stores);
    run->spill_load_bytes += fmax(least, 4 * words.loads);
    run->spill_slot_bytes += fmax(least, 4 * run->predictor->spills.slots);
}

/* ptxas tells how many stores and loads its code has, each once. Loops repeat them: how often is taken from where the
 * estimate has them. */
static void repeat_spills(struct run *run)
{
    const struct gp_resources *r = run->resources;
    uint32_t slots = r->spill_store_bytes / 4;
    find_spills(run->predictor, slots > 0 ? slots : 1, false);
    struct spill_words words = spill_words_of(&run->predictor->spills, &run->work);
    run->spill_store_bytes =
        r->spill_store_bytes * (words.stores_once > 0 ? fmax(1, words.stores / words.stores_once) : 1);
    run->spill_load_bytes = r->spill_load_bytes * (words.loads_once > 0 ? fmax(1, words.loads / words.loads_once) : 1);
}

/* LLVM's assembly tells what a loop spills in a turn; how often it turns, the sampled warps. */
static void repeat_spill_loop(struct run *run)
{
    const struct gp_resources *r = run->resources;
    const struct gp_kernel *kernel = run->predictor->kernel;
    double turns =
        run->work.blocks[kernel->loops[r->spill_loop].latch].visits / gp_constant_iterations(kernel, r->spill_loop);
    run->spill_store_bytes += fmax(0, turns - 1) * r->loop_store_bytes;
    run->spill_load_bytes += fmax(0, turns - 1) * r->loop_load_bytes;
}

void gp_take_spills(struct run *run)
{
    const struct gp_resources *r = run->resources;
    if (r != NULL && (r->loop_store_bytes > 0 || r->loop_load_bytes > 0))
        repeat_spill_loop(run);
    if (run->missing_registers > 0)
        weigh_spills(run);
    else if (r != NULL && r->source == GP_SOURCE_PTXAS && r->spill_load_bytes > 0 &&
             run->predictor->kernel->loop_count > 0)
        repeat_spills(run);
}
