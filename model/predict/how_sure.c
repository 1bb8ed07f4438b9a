/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Confidence and range of a predicted time: how far off measured times were in the same circumstances, and what is not
 * known of this launch and this device beside. */
#include "model/predict/how_sure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "hwdb/boards.h"
#include "model/predict/calibration.h"
#include "model/predict/run.h"

/* ---- Circumstances ----------------------------------------------------------------------------------------------- */

static double transactions_per_request(const struct gp_work *work)
{
    double requests = 0, transactions = 0;
    for (uint32_t m = 0; m < work->memory_count; m++) {
        requests += work->memory[m].requests;
        transactions += work->memory[m].transactions;
    }
    return requests > 0 ? transactions / requests : 0;
}

static void take_circumstances(const struct run *run, struct gp_prediction *p)
{
    p->basis.circumstances =
        (struct gp_circumstances){.arch = run->device->arch,
                                  .limiter = p->limiter,
                                  .known_share = p->known_share,
                                  .transactions = transactions_per_request(&run->work),
                                  .compiled = run->resources != NULL && run->resources->source != GP_SOURCE_ESTIMATE,
                                  .spills = p->spill_bytes > 0};
}

/* ---- What is not known besides ----------------------------------------------------------------------------------- */

/* Times that a time may be off, to either side. */
static const double A_BOARD = 1.75, A_DOUBTFUL_BOARD = 2, A_RELATIVE = 2.5;

static bool is_target(const struct gp_device *device)
{
    char name[100];
    snprintf(name, sizeof name, "%.*s", (int)gp_device_name_length(device->name), device->name);
    return gp_is_target(name);
}

static bool is_stated(const struct gp_number *number)
{
    return number->source != NULL && strcmp(number->source, "stated by the user") == 0;
}

/* SMs and bandwidth make a board of a compile target, which clock and L2 complete. */
static bool states_board(const struct gp_device *device)
{
    return is_stated(&device->sm_count) && is_stated(&device->dram_gbps);
}

static bool states_all(const struct gp_device *device)
{
    return states_board(device) && is_stated(&device->clock_mhz) && is_stated(&device->l2_size);
}

/* Boards of a compile target whose board nobody named: as far from the entry as bandwidth and peak say, and no surer
 * than a board is. */
static struct gp_unknown unknown_of_target(const struct gp_device *device, bool relative)
{
    double faster, slower, least = log(relative ? A_RELATIVE : A_BOARD);
    bool own_units = is_stated(&device->sm_count) || device->sm_count.origin == GP_FROM_MEASURED;
    char target[100];
    snprintf(target, sizeof target, "%.*s", (int)gp_device_name_length(device->name), device->name);
    if (!gp_boards_apart(target, device, own_units, &faster, &slower))
        return (struct gp_unknown){log(A_RELATIVE), log(A_RELATIVE)};
    return (struct gp_unknown){fmax(least, log(faster)), fmax(least, log(slower))};
}

/*
 * A board by its name has its own numbers, and its chip's code: what was measured on a chip, taken out of its entry,
 * puts the times of an A100, H100, H200 and RTX 2080 Ti so far off that 1.75 times hold 89% and more of them
 * (docs/devices.md, "Without measurements"). An entry that was made from documents is no better off. Twice, where some
 * of a board's numbers are recalled or the entry's: nobody has counted how far such numbers are off. A relative's: 2.5
 * times, as far as boards of one compile target lie from their mean (hwdb/boards.tsv, sm_89).
 */
struct gp_unknown gp_unknown_of_device(const struct gp_device *device)
{
    bool relative = device->proxy_target || (device->nearest != NULL && !device->same_target),
         target = is_target(device);
    double times = 1;
    if (target && !states_board(device))
        return unknown_of_target(device, relative);
    if (relative)
        times = A_RELATIVE;
    else if (gp_board_is_doubtful(device) || (target && !states_all(device)))
        times = A_DOUBTFUL_BOARD;
    else if (device->nearest != NULL || !gp_device_is_measured(device))
        times = A_BOARD;
    return (struct gp_unknown){log(times), log(times)};
}

/* A quotient of times as what it adds below and above; one of 0 is of a launch that cannot be, and adds nothing. */
static void add_ratio(double ratio, double *down, double *up)
{
    double change = ratio > 0 ? log(ratio) : 0;
    *down = fmax(*down, -change);
    *up = fmax(*up, change);
}

/* Four of five arguments that nobody stated are taken to lie within 1.75 times of what is assumed: less than the twice
 * that is asked of them. */
static void add_effect(struct gp_unknown *all, double halved, double doubled)
{
    const double part = 0.8; /* of twice, in logarithms */
    double down = 0, up = 0;
    add_ratio(halved, &down, &up);
    add_ratio(doubled, &down, &up);
    all->down = hypot(all->down, part * down);
    all->up = hypot(all->up, part * up);
}

struct gp_unknown gp_unknown_of_arguments(const struct gp_argument_effects *effects)
{
    struct gp_unknown all = {0, 0};
    for (uint32_t i = 0; i < effects->count; i++)
        add_effect(&all, effects->items[i].halved, effects->items[i].doubled);
    if (effects->asked < effects->assumed)
        add_effect(&all, 0.5, 2);
    if (effects->trip_matters)
        add_effect(&all, effects->trip.halved, effects->trip.doubled);
    return all;
}

/* How probable it is that what strays so far in four of five cases strays by no more than a right time may. */
static double share_within(double range)
{
    const double four_of_five = 1.2816; /* standard deviations of a normal distribution */
    return range > 0 ? erf(log(GP_RIGHT_WITHIN) * four_of_five / range / sqrt(2)) : 1;
}

/* A launch that runs for much longer than any that was measured, with sizes that nobody stated, is most likely no
 * launch of anybody's: drivers end those that keep a screen waiting for some seconds. */
static double share_of_long_ones(const struct gp_prediction *p)
{
    const double much_longer = 10, half = 0.5;
    bool assumed = p->basis.assumes_arguments || p->basis.assumes_range;
    return assumed && p->time_ns > much_longer * gp_longest_evidence() ? half : 1;
}

/*
 * What a launch takes at least, as part of the predicted time: no less than the device needs for it. Of 2101 rows that
 * were measured on GPUs 2.9% lie below that. Ranges that went below it held 94% of their rows and hold 83% so, as a
 * range shall; all together 84% (docs/accuracy.md). A CPU's ideal time was not compared.
 */
static double least_of(const struct gp_prediction *p)
{
    bool compared = p->basis.circumstances.arch != GP_ARCH_CPU && p->time_ns > 0;
    return fmax(p->basis.evidence.low, compared ? p->headroom.ideal_ns / p->time_ns : 0);
}

void gp_take_unknown(struct gp_prediction *p, struct gp_unknown device, struct gp_unknown arguments)
{
    double down = hypot(device.down, arguments.down), up = hypot(device.up, arguments.up);
    const double meant = 0.1;   /* arguments with which a kernel does nothing */
    const double so_long = 0.1; /* that a kernel ends soon after the part of it that was followed */
    p->confidence = p->basis.evidence.confidence * share_within((down + up) / 2) * share_of_long_ones(p) *
                    (p->does_nothing ? meant : 1) * (p->cut_off ? so_long : 1);
    p->time_ns_low = p->time_ns * exp(-hypot(log(least_of(p)), down));
    p->time_ns_high = p->time_ns * exp(hypot(log(p->basis.evidence.high), up));
}

void gp_say_how_sure(const struct run *run, struct gp_prediction *p)
{
    char path[GP_CELL_TEXT];
    take_circumstances(run, p);
    gp_circumstances_path(&p->basis.circumstances, path);
    gp_find_evidence(path, &p->basis.evidence);
    struct gp_argument_effects not_looked_at = {0};
    p->basis.assumes_arguments = gp_any_argument_is_assumed(run->predictor->as_it_came, run->launch);
    p->basis.assumes_range = run->launch->assumed && run->launch->global_assumed;
    not_looked_at.assumed = p->basis.assumes_arguments;
    gp_take_unknown(p, gp_unknown_of_device(run->device), gp_unknown_of_arguments(&not_looked_at));
}
