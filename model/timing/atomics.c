/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Floors that atomics set. */
#include "model/timing/atomics.h"

#include <math.h>

#include "model/observe/work.h"

/*
 * Cycles that one part of L2 is busy with a warp's atomics by an operation: those for each line that a request asks for
 * there, or as long as the lanes take turns that ask for one word of it, and those for each word. Where none are known
 * a line lies in one part, which is taken to work on one segment a cycle.
 */
static double atomics_in_one_part(const struct gp_memory_work *memory, const struct gp_device *device)
{
    double line_clk = device->atomic_line_clk.value, word_clk = device->atomic_word_clk.value;
    if (line_clk <= 0)
        return memory->transactions / memory->atomics.lines;
    double parts = fmax(1, memory->atomics.lines * device->l2_line.value / device->atomic_part_bytes.value);
    double turns = device->atomic_global_clk.value *
                   fmin(memory->atomics.operations, memory->requests + memory->atomics.contention);
    return (fmax(line_clk * memory->atomics.asked_lines, turns) + word_clk * memory->atomics.operations) / parts;
}

/* Whether two operations may fall into one stretch of so many bytes: loops that are unrolled make several of one, each
 * with addresses of its own. */
static bool may_meet(const struct gp_memory_work *a, const struct gp_memory_work *b, double stretch)
{
    return a->buffer == b->buffer && a->atomics.operations > 0 && b->atomics.operations > 0 &&
           floor(a->atomics.lowest / stretch) <= floor(b->atomics.highest / stretch) &&
           floor(b->atomics.lowest / stretch) <= floor(a->atomics.highest / stretch);
}

/* Cycles that a warp's atomics take for the one address, or in the one part of L2, that most of those by an operation
 * fall on, and all others that may fall there. */
static double atomics_in_one_place(const struct gp_work *work, const struct gp_device *device, uint32_t operation)
{
    double on_address = 0, in_part = 0;
    for (uint32_t m = 0; m < work->memory_count; m++) {
        const struct gp_memory_work *memory = &work->memory[m];
        on_address +=
            may_meet(memory, &work->memory[operation], 1) ? memory->atomics.operations / memory->atomics.addresses : 0;
        in_part += may_meet(memory, &work->memory[operation], device->atomic_part_bytes.value)
                       ? atomics_in_one_part(memory, device)
                       : 0;
    }
    return fmax(on_address * device->atomic_global_clk.value, in_part);
}

/* Whether no atomic before this one is on its buffer. */
static bool is_first_on_buffer(const struct gp_work *work, uint32_t atomic)
{
    uint32_t m = 0;
    while (m < atomic &&
           (work->memory[m].atomics.operations <= 0 || work->memory[m].buffer != work->memory[atomic].buffer))
        m++;
    return m == atomic;
}

/* Of exchanges on one address those that another one fails for: all, or the largest numbers so far of as many in random
 * order, 1 + 1/2 + ... + 1/n of n, as one that changes nothing lets the others succeed. */
static double changing(const struct gp_atomic_work *atomics, double exchanges)
{
    return atomics->keeps && exchanges > 1 ? log(exchanges) + 0.5772 : exchanges;
}

/* Round trips, one after the other, of so many warps' exchanges on an address of the buffer. The first need not follow
 * another. */
static double round_trips(const struct gp_work *work, uint32_t first, double warps)
{
    double on_address = 0;
    for (uint32_t m = first; m < work->memory_count; m++)
        if (work->memory[m].atomics.successes > 0 && work->memory[m].buffer == work->memory[first].buffer)
            on_address += changing(&work->memory[m].atomics,
                                   warps * work->memory[m].atomics.successes / work->memory[m].atomics.addresses);
    return fmax(0, on_address - 1);
}

/*
 * Of the lanes of a request that wait for exchanges on addresses of their own, the share that is still waiting in the
 * average round: each succeeds as likely as another, and the last of n needs 1 + 1/2 + ... + 1/n times as many rounds
 * as the average. Lanes side by side go on together; what lanes of a warp do on one address is counted round by round.
 */
static double share_still_waiting(const struct gp_memory_work *memory)
{
    double lanes = memory->atomics.operations / memory->requests;
    return memory->scattered > 0.5 * memory->requests && lanes > 1 ? 1 / (log(lanes) + 0.5772) : 1;
}

/* Cycles that the place of an exchange is busy with one warp's, in the average round, of those on the buffer. */
static double busy_with_a_warp(const struct gp_work *work, const struct gp_device *device, uint32_t first)
{
    double cycles = 0, requests = 0;
    for (uint32_t m = first; m < work->memory_count; m++) {
        const struct gp_memory_work *memory = &work->memory[m];
        if (memory->atomics.successes <= 0 || memory->buffer != work->memory[first].buffer || memory->requests <= 0)
            continue;
        double on_address = memory->atomics.operations / memory->atomics.addresses * device->atomic_global_clk.value;
        cycles += share_still_waiting(memory) * fmax(on_address, atomics_in_one_part(memory, device));
        requests += memory->requests;
    }
    return requests > 0 ? cycles / requests : 0;
}

/* Warps that are resident in the mean: in the last wave they get fewer. */
static double warps_resident(const struct gp_work *work, const struct gp_conditions *c)
{
    double all = work->groups * work->warps_per_group,
           at_once = fmin(all, c->device->sm_count.value * c->resident_groups * work->warps_per_group);
    return all > 0 ? at_once * (1 - at_once / (2 * all)) : 0;
}

double gp_retry_cycles(const struct gp_work *work, const struct gp_conditions *c, double rest)
{
    double most = 0, latency = c->device->l2_latency.value, resident = warps_resident(work, c);
    for (uint32_t m = 0; m < work->memory_count && c->device->arch != GP_ARCH_CPU; m++) {
        if (work->memory[m].atomics.operations <= 0 || !is_first_on_buffer(work, m))
            continue;
        double trips = round_trips(work, m, work->warps_per_group * work->groups);
        double waiting = resident * (rest > 0 ? fmin(1, trips * latency / rest) : 1);
        most = fmax(most, trips * fmax(latency, waiting * busy_with_a_warp(work, c->device, m)));
    }
    return most;
}

static double turns_of(double count, double at_once) { return at_once > 0 ? count / at_once : 0; }

/* Cycles that all of L2 needs for a warp's atomics, wherever they fall: so many sectors or words in the time of a
 * line's lookup. */
static double atomics_everywhere(const struct gp_work *work, const struct gp_device *device)
{
    double sectors = 0, words = 0;
    for (uint32_t m = 0; m < work->memory_count; m++) {
        bool atomic = work->memory[m].atomics.operations > 0;
        sectors += atomic ? work->memory[m].transactions : 0;
        words += atomic ? work->memory[m].atomics.operations : 0;
    }
    double lookups = fmax(turns_of(sectors, device->atomic_sectors.value), turns_of(words, device->atomic_words.value));
    return lookups / device->l2_lines_per_clk.value;
}

double gp_atomic_cycles(const struct gp_work *work, const struct gp_device *device)
{
    double most = atomics_everywhere(work, device);
    for (uint32_t m = 0; m < work->memory_count; m++)
        most = fmax(most, work->memory[m].atomics.operations > 0 ? atomics_in_one_place(work, device, m) : 0);
    return most * work->warps_per_group * work->groups;
}
