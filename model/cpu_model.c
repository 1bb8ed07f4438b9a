#include "model/cpu_model.h"

#include <math.h>

/*
 * PoCL makes a loop of the work-items along dimension 0 and leaves it to LLVM's loop vectoriser, which takes innermost
 * loops only and gives up on calls it does not know; a loop inside the kernel is then the innermost one.
 */
double gp_cpu_vector_factor(const struct gp_device *device, const struct gp_kernel *kernel, const uint32_t local[3])
{
    double lanes = gp_device_lanes(device);
    if (kernel->loop_count > 0 || kernel->callee_count > 0 || lanes < 2)
        return 1;
    for (uint32_t m = 0; m < kernel->memory_count; m++)
        if (kernel->memory[m].flags & (GP_MEMORY_ATOMIC | GP_MEMORY_VOLATILE) || kernel->memory[m].space == GP_SPACE_IMAGE)
            return 1;
    double vectors = floor(local[0] / lanes), rest = local[0] - vectors * lanes;
    return local[0] / (vectors + rest);
}

/* Cycles of one work-item on a core that runs it as scalar code. */
static void item_cycles(const struct gp_work *work, const struct gp_conditions *c, double cycles[GP_LIMITER_COUNT])
{
    const struct gp_device *d = c->device;
    double lanes = gp_device_lanes(d), misses = 0, accesses = 0;
    for (uint32_t m = 0; m < work->memory_count; m++) {
        accesses += work->memory[m].requests;
        misses += work->memory[m].l2_bytes / lanes;
    }
    const double *ops = work->pipes.ops;
    cycles[GP_LIMITER_ISSUE] = work->pipes.issue / (d->schedulers_per_sm.value * d->issue_per_scheduler.value);
    cycles[GP_LIMITER_FP32] = ops[GP_PIPE_FP32] / (gp_pipe_rate(d, GP_PIPE_FP32) / lanes);
    cycles[GP_LIMITER_FP64] = ops[GP_PIPE_FP64] / (gp_pipe_rate(d, GP_PIPE_FP64) / lanes * 2);
    cycles[GP_LIMITER_SFU] = ops[GP_PIPE_SFU] / fmax(1e-3, gp_pipe_rate(d, GP_PIPE_SFU) / lanes);
    cycles[GP_LIMITER_INT] = (ops[GP_PIPE_INT] + ops[GP_PIPE_SHIFT]) / (gp_pipe_rate(d, GP_PIPE_INT) / lanes);
    cycles[GP_LIMITER_LSU] = accesses / fmax(1, d->lsu_lanes.value / lanes);
    cycles[GP_LIMITER_L2] = c->no_bandwidth ? 0 : misses / fmax(1, d->l2_bytes_per_clk.value / d->sm_count.value);
}

void gp_cpu_time(const struct gp_kernel *kernel, const uint32_t local[3], const struct gp_work *work,
                 const struct gp_conditions *c, struct gp_timing *timing)
{
    const struct gp_device *d = c->device;
    *timing = (struct gp_timing){0};
    double cores = fmin(d->sm_count.value, work->groups);
    double items = (double)local[0] * local[1] * local[2];
    double vector = gp_cpu_vector_factor(d, kernel, local);
    item_cycles(work, c, timing->pipe_cycles);
    enum gp_limiter limiter = GP_LIMITER_ISSUE;
    for (int i = 0; i < GP_LIMITER_COUNT; i++)
        if (timing->pipe_cycles[i] > timing->pipe_cycles[limiter])
            limiter = (enum gp_limiter)i;
    double group = items * fmax(timing->pipe_cycles[limiter] / vector, timing->pipe_cycles[GP_LIMITER_L2]);
    double barriers = c->no_barrier ? 0 : work->barriers * d->barrier_latency.value * items; /* values live across it go through memory */
    double per_core = c->no_tail ? work->groups / d->sm_count.value : ceil(work->groups / cores);
    double cycles = per_core * (group + barriers + d->group_dispatch_clk.value);
    if (per_core * barriers > 0.5 * cycles)
        limiter = GP_LIMITER_BARRIER;
    if (d->group_dispatch_clk.value > group + barriers)
        limiter = GP_LIMITER_LAUNCH;

    double clock_hz = c->clock_mhz * 1e6;
    double cache = fmax(d->llc_size.value, d->l2_size.value * d->sm_count.value), touched = 0;
    for (uint32_t b = 0; b < work->buffer_count; b++)
        touched += fmin(work->buffers[b].group_bytes * work->groups, work->buffers[b].extent);
    timing->dram_bytes = touched > cache ? touched : 0;
    double dram = c->no_bandwidth ? 0 : timing->dram_bytes / (d->dram_gbps.value * 1e9 * d->dram_efficiency.value / clock_hz);
    if (dram > cycles) {
        cycles = dram;
        limiter = GP_LIMITER_DRAM;
    }
    double launch = d->launch_ns.value * 1e-9 * clock_hz;
    if (launch > cycles)
        limiter = GP_LIMITER_LAUNCH;
    timing->cycles = cycles + launch;
    timing->limiter = limiter;
    timing->waves = work->groups / cores;
    timing->chain = group;
}
