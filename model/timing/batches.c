/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/timing/batches.h"

#include <math.h>

/*
 * What requests take whose latencies alone add up to `latency` and their transfers to `transfer`: the busier DRAM is
 * the longer they queue. A norm of the two whose exponent is that of bandwidth over resident warps as measured
 * (docs/models.md).
 */
double gp_with_queues(double latency, double transfer, double knee)
{
    double most = fmax(latency, transfer);
    return most > 0 ? most * pow(pow(latency / most, knee) + pow(transfer / most, knee), 1 / knee) : 0;
}

/*
 * The places of a group's warps that have ended stay empty until its last one ends, as if the others' requests took
 * longer: the more the larger the groups are, beyond those of eight warps that dram_knee was found with.
 */
static double emptying(const struct gp_work *work, const struct gp_device *d)
{
    const double warps = 8;
    return 1 + d->emptying_per_doubling.value * fmax(0, log2(work->warps_per_group / warps));
}

/* n: what runs independently of each other. */
static double independent_parts(const struct gp_work *work, const struct gp_conditions *c, double resident)
{
    return work->barriers > 0 && !c->no_barrier ? resident : resident * work->warps_per_group;
}

/* b S + Z / sqrt(n) + W: as the busiest unit and imperfect overlap have it. */
static double at_units(const struct gp_work *work, const struct gp_conditions *c, const struct gp_terms *t,
                       double resident)
{
    double independent = independent_parts(work, c, resident);
    return resident * t->busiest + t->waiting / sqrt(fmax(1, independent)) + t->beyond_l2;
}

/* ((L + W)^k + (b D)^k)^(1/k): as latencies and DRAM's queues have it. */
static double in_queues(const struct gp_terms *t, double resident)
{
    return gp_with_queues(t->emptying * (t->chain + t->beyond_l2), resident * t->dram_busy, t->knee);
}

/* T(b) */
static double batch_cycles(const struct gp_work *work, const struct gp_conditions *c, const struct gp_terms *t,
                           double resident)
{
    if (resident <= 0)
        return 0;
    return c->hide_latency ? resident * t->busiest : fmax(at_units(work, c, t, resident), in_queues(t, resident));
}

static void take_batch(const struct gp_work *work, const struct gp_conditions *c, struct gp_terms *t)
{
    t->emptying = emptying(work, c->device);
    t->independent = independent_parts(work, c, t->batch_groups);
    t->at_units = at_units(work, c, t, t->batch_groups);
    t->in_queues = in_queues(t, t->batch_groups);
    t->batch = batch_cycles(work, c, t, t->batch_groups);
    t->full_batches = floor(t->groups_per_sm / t->batch_groups);
    t->last_groups = t->groups_per_sm - t->full_batches * t->batch_groups;
    t->last_batch = batch_cycles(work, c, t, t->last_groups);
}

/* None is done sooner than it would be alone, and none starts in another's place before that one is done. */
static double least_of_groups(const struct gp_work *work, const struct gp_conditions *c, const struct gp_terms *t)
{
    const double alike = 1.05; /* else some end sooner than the average one */
    if (c->no_tail)
        return c->split_items || c->hide_latency ? 0 : t->chain;
    if (c->hide_latency)
        return t->part * t->busiest * fmax(1, work->longest);
    double turns = work->longest < alike ? ceil(t->groups_per_sm / t->batch_groups) * t->chain : 0;
    return fmax(turns, t->longest); /* whatever else the device does meanwhile */
}

double gp_all_batches(const struct gp_work *work, const struct gp_conditions *c, struct gp_terms *t)
{
    take_batch(work, c, t);
    double fluid = t->batch * t->groups_per_sm / t->batch_groups;
    double lockstep = t->full_batches * t->batch + t->last_batch;
    /* A new group starts as soon as one ends, so batches do not march in step: half of the last one's loss remains. */
    double cycles = c->no_tail ? fluid : fluid + 0.5 * fmax(0, lockstep - fluid);
    t->groups_cycles = least_of_groups(work, c, t);
    return fmax(fmax(cycles, t->groups_cycles), t->scheduler_cycles);
}
