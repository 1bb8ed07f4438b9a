/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the device could do at best with a launch, and how near its units come to their peaks. */
#include <math.h>
#include <string.h>

#include "model/predict/run.h"
#include "model/timing/cpu_model.h"
#include "model/timing/pipes.h"
#include "model/timing/throughput.h"
#include "model/timing/traffic.h"
#include "model/timing/working_set.h"
#include "model/value/inst_facts.h"

/* Nearer to the ideal time nothing is worth repairing: what is left are fillings, tails and noise. */
static const double AT_ROOF = 1.1;

/* ---- Bytes ------------------------------------------------------------------------------------------------------- */

static bool must_move(const struct gp_buffer_work *b)
{
    return gp_ref_kind(b->base) != GP_REF_LOCAL && gp_ref_kind(b->base) != GP_REF_PRIVATE;
}

/* Distinct bytes that all work-items ask for; of lines that they use a part of, that part. */
static struct gp_dram_traffic fewest_bytes(const struct run *run)
{
    const struct gp_work *work = &run->work;
    struct gp_dram_traffic fewest = {.alone = 1};
    double all[3];
    gp_block_of(work, &run->conditions, work->groups, all);
    for (uint32_t b = 0; b < work->buffer_count; b++) {
        const struct gp_buffer_work *buffer = &work->buffers[b];
        if (!must_move(buffer))
            continue;
        double asked = gp_spread(buffer->useful_bytes, &buffer->shared_words, work->further, all);
        double bytes = fmin(fmin(asked, gp_footprint_of_buffer(work, buffer, all)), buffer->extent),
               rewritten = bytes * gp_share_rewritten(buffer);
        fewest.bytes += bytes + rewritten;
        fewest.written += bytes * gp_share_stored(buffer) + rewritten;
    }
    return fewest;
}

/* Of what the launch before left in the last cache nothing comes; all of it crosses L2. */
static double moving_cycles(const struct run *run, struct gp_headroom *h)
{
    const struct gp_conditions *c = &run->conditions;
    const struct gp_device *d = c->device;
    struct gp_dram_traffic fewest = fewest_bytes(run);
    double lost = gp_lost_since_before(&run->work, c, gp_last_cache(d)), rate = gp_dram_bytes_per_clk(c, &fewest),
           dram = lost * fewest.bytes / rate,
           l2 = (fewest.bytes - fewest.written) / fmax(1, d->l2_bytes_per_clk.value) +
                fewest.written / fmax(1, d->l2_write_bytes_per_clk.value);
    h->by = l2 > dram ? GP_LIMITER_L2 : GP_LIMITER_DRAM;
    h->gbps = (h->by == GP_LIMITER_L2 ? fewest.bytes / l2 : rate) * c->clock_mhz * 1e-3;
    return fmax(l2, dram);
}

/* ---- Operations -------------------------------------------------------------------------------------------------- */

/* Of a path's repairs those that the source can make. */
static uint32_t repairable_paths(void)
{
    uint32_t paths = 0;
    for (int path = 0; path < GP_NARROW_COUNT; path++)
        paths |= gp_path_is_repairable((enum gp_narrow_path)path) ? 1u << path : 0;
    return paths;
}

/* Lanes that part pay for both sides. */
static void drop_divergence(struct gp_work *work)
{
    for (uint32_t b = 0; b < work->branch_count; b++)
        for (int p = 0; p < GP_PIPE_COUNT; p++)
            work->pipes.ops[p] = fmax(0, work->pipes.ops[p] - work->branches[b].excess.ops[p]);
}

/* Beside floats integers count elements and make addresses, of which nobody knows the fewest. */
static void drop_bookkeeping(struct gp_pipe_work *pipes)
{
    static const enum gp_pipe floats[] = {GP_PIPE_FP32, GP_PIPE_FP64, GP_PIPE_FP16, GP_PIPE_SFU, GP_PIPE_MATRIX};
    double sum = 0;
    for (size_t i = 0; i < sizeof floats / sizeof *floats; i++)
        sum += pipes->ops[floats[i]];
    if (sum > 0)
        pipes->ops[GP_PIPE_INT] = pipes->ops[GP_PIPE_INT_MUL] = pipes->ops[GP_PIPE_SHIFT] = pipes->sums = 0;
}

static double computing_cycles(const struct run *run, enum gp_limiter *pipe)
{
    static const enum gp_limiter pipes[] = {GP_LIMITER_FP32, GP_LIMITER_FP64, GP_LIMITER_SFU, GP_LIMITER_INT};
    struct gp_work work = run->work;
    struct gp_conditions c = run->conditions;
    double cycles[GP_LIMITER_COUNT] = {0};
    c.repaired_paths = repairable_paths();
    drop_divergence(&work);
    drop_bookkeeping(&work.pipes);
    gp_arithmetic_cycles(&work, &c, cycles);
    *pipe = pipes[0];
    for (size_t i = 1; i < sizeof pipes / sizeof *pipes; i++)
        *pipe = cycles[pipes[i]] > cycles[*pipe] ? pipes[i] : *pipe;
    return cycles[*pipe] * fmin(1, work.lanes_used) * work.groups / c.device->sm_count.value;
}

/* ---- Units ------------------------------------------------------------------------------------------------------- */

/* Of what a group takes of an SM's units, or of its share of L2 and DRAM, all groups' share of the time. */
static void take_shares(const struct run *run, const double of_group[GP_LIMITER_COUNT], struct gp_headroom *h)
{
    double sms = run->device->sm_count.value, groups = run->work.groups,
           busiest = gp_groups_per_sm(run->device, groups);
    for (int i = 0; i < GP_LIMITER_COUNT; i++) {
        bool shared = i == GP_LIMITER_L2 || i == GP_LIMITER_DRAM;
        h->share[i] = fmin(1, of_group[i] * (shared ? busiest : groups / sms) / run->timing.cycles);
    }
}

static void shares_of_gpu(const struct run *run, struct gp_headroom *h)
{
    struct gp_timing counted;
    gp_throughput(&run->work, &run->conditions, &counted); /* the same work, whichever model made the time */
    take_shares(run, counted.pipe_cycles, h);
}

/* A CPU's are of a work-item, and one core's; what caches take is waiting, no unit's peak. */
static void shares_of_cpu(const struct run *run, struct gp_headroom *h)
{
    double items = run->timing.terms.group_items * run->work.groups / run->device->sm_count.value;
    for (int i = 0; i < GP_LIMITER_COUNT; i++)
        h->share[i] = i == GP_LIMITER_L2 ? 0 : fmin(1, run->timing.pipe_cycles[i] * items / run->timing.cycles);
    h->share[GP_LIMITER_DRAM] = fmin(1, run->timing.terms.memory_cycles / run->timing.cycles);
}

/* ---- All of it --------------------------------------------------------------------------------------------------- */

static double least_of_cpu(const struct run *run, enum gp_limiter *port, struct gp_headroom *h)
{
    const struct gp_conditions *c = &run->conditions;
    double rate = c->device->dram_gbps.value * c->device->dram_efficiency.value,
           bytes = fmin(gp_cpu_dram_bytes(&run->work, c), fewest_bytes(run).bytes);
    h->by = GP_LIMITER_DRAM;
    h->gbps = rate;
    h->moving_ns = bytes / rate;
    return gp_cpu_least_cycles(run->predictor->kernel, run->launch->local, &run->work, c, port);
}

void gp_take_headroom(const struct run *run, double time_ns, struct gp_headroom *h)
{
    double ns = 1e3 / run->conditions.clock_mhz;
    enum gp_limiter pipe;
    *h = (struct gp_headroom){.launch_ns = run->device->launch_ns.value};
    if (run->device->arch == GP_ARCH_CPU) {
        h->computing_ns = ns * least_of_cpu(run, &pipe, h);
        shares_of_cpu(run, h);
    } else {
        h->moving_ns = ns * moving_cycles(run, h);
        h->computing_ns = ns * computing_cycles(run, &pipe);
        shares_of_gpu(run, h);
    }
    double least = fmax(h->moving_ns, h->computing_ns);
    if (h->computing_ns > h->moving_ns)
        h->by = pipe;
    if (h->launch_ns > least)
        h->by = GP_LIMITER_LAUNCH;
    h->ideal_ns =
        fmin(time_ns, h->launch_ns + least); /* a model's time of a copy may be a little less than its bytes */
    h->headroom = h->ideal_ns > 0 ? time_ns / h->ideal_ns : 1;
    h->at_roof = h->ideal_ns > 0 && h->headroom <= AT_ROOF;
}
