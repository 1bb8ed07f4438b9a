/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/launch/occupancy.h"

#include <math.h>
#include <stdio.h>

/* A group as the rules below see it. Bytes and registers may be large: 64 bits. */
struct group {
    uint64_t work_items, warps, registers, scalar_registers, local_bytes;
};

static const uint32_t unlimited = UINT32_MAX;

const char *gp_occupancy_limit_name(enum gp_occupancy_limit limit)
{
    static const char *const names[] = {"warps", "groups", "registers", "local memory", "what was asked for"};
    return (unsigned)limit < sizeof names / sizeof names[0] ? names[limit] : "none";
}

static uint64_t whole(const struct gp_number *number) { return (uint64_t)number->value; }

static uint64_t ceil_div(uint64_t value, uint64_t unit) { return value / unit + (value % unit != 0); }

static uint64_t round_up(uint64_t value, uint64_t unit) { return ceil_div(value, unit) * unit; }

static uint32_t clamp(uint64_t value) { return value < unlimited ? (uint32_t)value : unlimited; }

/* ---- NVIDIA: cuda_occupancy.h ----------------------------------------------------------------------------------- */

/* Compute capability 1.x gives registers to a block as a whole, its warps rounded up to pairs. */
static uint32_t registers_per_block_rule(const struct gp_device *d, const struct group *g)
{
    uint64_t warps = round_up(g->warps, whole(&d->warp_unit));
    uint64_t needed = round_up(warps * whole(&d->warp_width) * g->registers, whole(&d->register_unit));
    return needed == 0 ? unlimited : clamp(whole(&d->registers_per_sm) / needed);
}

/* Registers of a warp. Fermi's allocator takes double units for these eight counts. */
static uint64_t registers_of_warp(const struct gp_device *d, uint64_t registers)
{
    uint64_t unit = whole(&d->register_unit);
    if (d->arch == GP_ARCH_FERMI && (registers == 21 || registers == 22 || registers == 29 || registers == 30 ||
                                     registers == 37 || registers == 38 || registers == 45 || registers == 46))
        unit *= 2;
    return round_up(registers * whole(&d->warp_width), unit);
}

/* Later ones to each warp, out of its partition's share of the register file; warp_unit is the number of partitions. */
static uint32_t registers_per_warp_rule(const struct gp_device *d, const struct group *g)
{
    if (g->registers == 0)
        return unlimited;
    uint64_t of_warp = registers_of_warp(d, g->registers);
    uint64_t partitions = whole(&d->warp_unit), file = whole(&d->registers_per_sm);
    if (of_warp * round_up(g->warps, partitions) > file) /* the launch itself is refused */
        return 0;
    return clamp(partitions * (file / partitions / of_warp) / g->warps);
}

static void nvidia(const struct gp_device *d, const struct group *g, uint32_t by[GP_LIMIT_COUNT])
{
    bool tesla = d->arch <= GP_ARCH_TESLA2;
    by[GP_LIMIT_WARPS] =
        clamp(whole(&d->max_warps_per_sm) / (tesla ? round_up(g->warps, whole(&d->warp_unit)) : g->warps));
    by[GP_LIMIT_BLOCKS] = clamp(whole(&d->max_blocks_per_sm));
    by[GP_LIMIT_REGISTERS] = tesla ? registers_per_block_rule(d, g) : registers_per_warp_rule(d, g);
    uint64_t bytes = round_up(g->local_bytes + whole(&d->smem_reserved), whole(&d->smem_unit));
    by[GP_LIMIT_LOCAL_MEMORY] = bytes == 0 ? unlimited : clamp(whole(&d->smem_per_sm) / bytes);
}

/* ---- AMD: LLVM's AMDGPU subtarget (GCNSubtarget, AMDGPUBaseInfo), HIP's occupancy query ------------------------- */

/* Waves of a SIMD by vector registers: allocated per lane in units, for all lanes of the wave. */
static uint64_t waves_by_registers(const struct gp_device *d, const struct group *g)
{
    uint64_t simds = whole(&d->schedulers_per_sm), most = whole(&d->max_warps_per_sm) / simds;
    uint64_t file = whole(&d->registers_per_sm) / (simds * whole(&d->warp_width));
    uint64_t waves = g->registers == 0 ? most : file / round_up(g->registers, whole(&d->register_unit));
    if (whole(&d->scalar_registers) > 0 && g->scalar_registers > 0) {
        uint64_t by_scalar =
            whole(&d->scalar_registers) / round_up(g->scalar_registers, whole(&d->scalar_register_unit));
        waves = by_scalar < waves ? by_scalar : waves;
    }
    return waves < most ? waves : most;
}

static void amd(const struct gp_device *d, const struct group *g, uint32_t by[GP_LIMIT_COUNT])
{
    uint64_t cus = gp_device_group_sms(d), simds = cus * whole(&d->schedulers_per_sm);
    uint64_t waves = waves_by_registers(d, g), most = cus * whole(&d->max_warps_per_sm);
    by[GP_LIMIT_WARPS] = clamp(most / g->warps);
    /* Barriers are the limited resource; a group of one wave needs none. */
    by[GP_LIMIT_BLOCKS] = clamp(g->warps > 1 ? cus * whole(&d->max_blocks_per_sm) : most);
    by[GP_LIMIT_REGISTERS] = ceil_div(g->warps, simds) > waves ? 0 : clamp(simds * waves / g->warps);
    uint64_t bytes = round_up(g->local_bytes + whole(&d->smem_reserved), whole(&d->smem_unit));
    by[GP_LIMIT_LOCAL_MEMORY] = bytes == 0 ? unlimited : clamp(cus * whole(&d->smem_per_sm) / bytes);
}

/* ---- Intel: the GPU occupancy calculator of oneAPI --------------------------------------------------------------- */

/* Local memory of a group: 1, 2, 4 KB ..., and on Xe-HPC and Xe2, whose groups may have 128 KB, 48 and 96 beside. */
static uint64_t local_size_on_xe(const struct gp_device *d, uint64_t bytes)
{
    const uint64_t kb = 1024;
    uint64_t size = kb;
    if (bytes == 0)
        return 0;
    while (size < bytes)
        size *= 2;
    bool between = size > 32 * kb && d->smem_per_block.value > 64.0 * kb;
    return between && bytes <= size / 4 * 3 ? size / 4 * 3 : size;
}

/* A hardware thread has its registers whether the kernel uses them or not; a group of several takes a barrier. */
static void intel(const struct gp_device *d, const struct group *g, uint32_t by[GP_LIMIT_COUNT])
{
    uint64_t bytes = local_size_on_xe(d, g->local_bytes);
    by[GP_LIMIT_WARPS] = clamp(whole(&d->max_warps_per_sm) / g->warps);
    bool needs_barrier = g->warps > 1 && whole(&d->max_barriers_per_sm) > 0;
    by[GP_LIMIT_BLOCKS] = clamp(whole(needs_barrier ? &d->max_barriers_per_sm : &d->max_blocks_per_sm));
    by[GP_LIMIT_REGISTERS] = unlimited;
    by[GP_LIMIT_LOCAL_MEMORY] = bytes == 0 ? unlimited : clamp(whole(&d->smem_per_sm) / bytes);
}

/* ---- CPU: a core runs one group after another ------------------------------------------------------------------- */

static void cpu(uint32_t by[GP_LIMIT_COUNT])
{
    by[GP_LIMIT_WARPS] = by[GP_LIMIT_REGISTERS] = by[GP_LIMIT_LOCAL_MEMORY] = unlimited;
    by[GP_LIMIT_BLOCKS] = 1;
}

/* ---- The smallest limit ----------------------------------------------------------------------------------------- */

static bool fits(const struct gp_device *d, const struct group *g, struct gp_error *error)
{
    if (g->work_items == 0)
        return gp_fail(error, "a work-group of 0 work-items");
    if (g->work_items > whole(&d->max_threads_per_block))
        return gp_fail(error, "a work-group of %llu work-items; %s allows %.0f", (unsigned long long)g->work_items,
                       d->name, d->max_threads_per_block.value);
    if (g->local_bytes > whole(&d->smem_per_block))
        return gp_fail(error, "a work-group with %llu bytes of local memory; %s allows %.0f",
                       (unsigned long long)g->local_bytes, d->name, d->smem_per_block.value);
    return true;
}

static bool impossible(const struct gp_device *d, const struct group *g, enum gp_occupancy_limit limit,
                       struct gp_error *error)
{
    if (limit == GP_LIMIT_REGISTERS)
        return gp_fail(
            error, "a work-group of %llu work-items with %llu registers each needs more registers than %s has (%.0f)",
            (unsigned long long)g->work_items, (unsigned long long)g->registers, d->name, d->registers_per_sm.value);
    if (limit == GP_LIMIT_LOCAL_MEMORY)
        return gp_fail(error, "a work-group with %llu bytes of local memory and %.0f reserved; %s has %.0f",
                       (unsigned long long)g->local_bytes, d->smem_reserved.value, d->name, d->smem_per_sm.value);
    return gp_fail(error, "a work-group of %llu work-items is more than %s holds", (unsigned long long)g->work_items,
                   d->name);
}

static struct group describe(const struct gp_device *d, uint32_t work_items, uint32_t registers,
                             uint32_t scalar_registers, uint32_t local_bytes)
{
    uint64_t most = whole(&d->max_registers_per_thread);
    return (struct group){.work_items = work_items,
                          .warps = ceil_div(work_items, whole(&d->warp_width)),
                          .registers = registers < most ? registers : most,
                          .scalar_registers = scalar_registers,
                          .local_bytes = local_bytes};
}

/* groups_by holds the limits of the CUs that share a group; halves them to one. */
static void conclude(const struct gp_device *d, const struct group *g, struct gp_occupancy *result)
{
    uint32_t together = gp_device_group_sms(d), groups = result->groups_by[result->limit];
    for (int i = 0; i < GP_LIMIT_COUNT; i++) {
        uint32_t *by = &result->groups_by[i];
        *by = *by == 0 || *by == unlimited ? *by : *by / together + (*by < together);
    }
    result->resident_groups = (double)groups / together;
    result->groups = result->groups_by[result->limit];
    result->occupancy =
        d->arch == GP_ARCH_CPU ? 1 : result->resident_groups * (double)g->warps / d->max_warps_per_sm.value;
}

bool gp_occupancy(const struct gp_device *device, uint32_t work_items, uint32_t registers, uint32_t scalar_registers,
                  uint32_t local_bytes, struct gp_occupancy *result, struct gp_error *error)
{
    struct group group = describe(device, work_items, registers, scalar_registers, local_bytes);
    *result = (struct gp_occupancy){.warps_per_group = clamp(group.warps)};
    if (!fits(device, &group, error))
        return false;
    if (device->arch == GP_ARCH_CPU)
        cpu(result->groups_by);
    else if (gp_arch_is_nvidia(device->arch))
        nvidia(device, &group, result->groups_by);
    else if (device->arch == GP_ARCH_XE)
        intel(device, &group, result->groups_by);
    else
        amd(device, &group, result->groups_by);
    for (int i = 1; i < GP_LIMIT_COUNT; i++)
        if (result->groups_by[i] < result->groups_by[result->limit])
            result->limit = (enum gp_occupancy_limit)i;
    if (result->groups_by[result->limit] == 0)
        return impossible(device, &group, result->limit, error);
    conclude(device, &group, result);
    return true;
}

void gp_occupancy_hold(const struct gp_device *device, uint32_t warps, struct gp_occupancy *result)
{
    uint32_t groups = warps / result->warps_per_group;
    groups = groups > 0 ? groups : 1;
    if (groups >= result->resident_groups)
        return;
    result->groups = groups;
    result->resident_groups = groups;
    result->limit = GP_LIMIT_ASKED;
    result->occupancy = (double)groups * result->warps_per_group / device->max_warps_per_sm.value;
}

double gp_groups_per_sm(const struct gp_device *device, double groups)
{
    double together = gp_device_group_sms(device);
    return ceil(groups * together / device->sm_count.value) / together;
}
