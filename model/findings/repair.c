/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/findings/repair.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/memory/scatter.h"
#include "model/trace/trace.h"
#include "model/observe/same_place.h"
#include "model/compilers/inst_cost.h"

/* Bytes of each buffer that the work-items of a group ask for, no matter how they are loaded. */
static void sum_useful_bytes(struct gp_repair *r)
{
    const struct gp_work *work = r->before;
    const struct gp_memory_work **sorted = malloc((work->memory_count + 1) * sizeof *sorted);
    double *known = calloc(work->memory_count + 1, sizeof *known); /* what earlier operations asked for of the same */
    for (uint32_t m = 0; m < work->memory_count; m++)
        sorted[m] = &work->memory[m];
    qsort(sorted, work->memory_count, sizeof *sorted, gp_by_place);
    for (uint32_t i = 1; i < work->memory_count; i++)
        if (gp_is_at_one_place(sorted[i], sorted[i - 1]))
            known[sorted[i] - work->memory] = fmax(known[sorted[i - 1] - work->memory], sorted[i - 1]->useful_bytes);
    for (uint32_t b = 0; b < work->buffer_count; b++)
        r->useful[b] = 0;
    for (uint32_t m = 0; m < work->memory_count; m++)
        r->useful[work->memory[m].buffer] += fmax(0, work->memory[m].useful_bytes - known[m]) * work->warps_per_group;
    free(sorted);
    free(known);
}

static double wasted_transactions(const struct gp_memory_work *memory)
{
    return fmax(0, memory->transactions - memory->ideal.transactions);
}

void gp_repair_begin(struct gp_repair *r, const struct gp_work *work, const struct gp_conditions *conditions)
{
    struct gp_cost costs[GP_CLASS_COUNT];
    *r = (struct gp_repair){.before = work, .conditions_before = conditions};
    r->work.memory = malloc((work->memory_count + 1) * sizeof *r->work.memory);
    r->work.branches = malloc((work->branch_count + 1) * sizeof *r->work.branches);
    r->work.buffers = malloc((work->buffer_count + 1) * sizeof *r->work.buffers);
    r->repaired = malloc(work->memory_count + 1);
    r->shared = malloc(work->branch_count + 1);
    r->useful = malloc((work->buffer_count + 1) * sizeof *r->useful);
    r->wasted = calloc(work->buffer_count + 1, sizeof *r->wasted);
    r->longer = calloc(work->memory_count + 1, sizeof *r->longer);
    r->changed = malloc((work->memory_count + 1) * sizeof *r->changed);
    sum_useful_bytes(r);
    for (uint32_t m = 0; m < work->memory_count; m++)
        r->wasted[work->memory[m].buffer] += wasted_transactions(&work->memory[m]);
    memcpy(r->work.memory, work->memory, work->memory_count * sizeof *r->work.memory);
    memcpy(r->work.branches, work->branches, work->branch_count * sizeof *r->work.branches);
    memset(r->repaired, 0, work->memory_count);
    gp_cost_table(conditions->device, costs, NULL);
    r->addition = costs[GP_CLASS_INT_ADD];
    gp_repair_reset(r);
}

void gp_repair_end(struct gp_repair *r)
{
    free(r->work.memory);
    free(r->work.branches);
    free(r->work.buffers);
    free(r->repaired);
    free(r->shared);
    free(r->useful);
    free(r->wasted);
    free(r->longer);
    free(r->changed);
}

void gp_repair_reset(struct gp_repair *r)
{
    struct gp_memory_work *memory = r->work.memory;
    struct gp_branch_work *branches = r->work.branches;
    struct gp_buffer_work *buffers = r->work.buffers;
    const struct gp_work *from = r->before;
    r->work = *from;
    for (; r->changed_count > 0; r->changed_count--) {
        uint32_t m = r->changed[r->changed_count - 1];
        memory[m] = from->memory[m];
        r->repaired[m] = 0;
        r->longer[m] = 0;
    }
    memcpy(buffers, from->buffers, from->buffer_count * sizeof *buffers);
    r->work.memory = memory;
    r->work.branches = branches;
    r->work.buffers = buffers;
    r->conditions = *r->conditions_before;
    memset(r->shared, 0, from->branch_count);
    r->conditions.repaired_memory = r->repaired;
    r->conditions.repaired_branches = r->shared;
}

static void mark(struct gp_repair *r, uint32_t m, enum gp_repaired how)
{
    if (r->repaired[m] == 0)
        r->changed[r->changed_count++] = m;
    r->repaired[m] |= how;
}

/* The waits for a repaired access become as much shorter as its latency; what the longer waits of others have added to
 * them stays. */
static void shorten_chain(struct gp_repair *r, uint32_t m, bool on_chip)
{
    const struct gp_memory_work *before = &r->before->memory[m];
    struct gp_memory_work *memory = &r->work.memory[m];
    double kept = memory->latency > 0 ? fmin(1, memory->ideal.latency / memory->latency) : 1;
    double saved = fmin(memory->chain_stall, before->chain_stall) * (1 - kept);
    memory->chain_stall -= saved;
    memory->stall -= fmin(memory->stall, before->stall) * (1 - kept);
    memory->latency = memory->ideal.latency;
    r->work.chain = fmax(0, r->work.chain - saved);
    if (!on_chip)
        r->work.chain_memory = fmax(0, r->work.chain_memory - saved);
}

static double mean_latency(const struct gp_memory_work *memory)
{
    return memory->requests > 0 ? memory->latency / memory->requests : 0;
}

static bool is_waited_for(const struct gp_memory_work *memory)
{
    return memory->waits * memory->together > 0.5 * memory->requests;
}

/* Nobody waits for stores. */
static bool is_left_alone(const struct gp_memory_work *memory) { return memory->writes && !is_waited_for(memory); }

/* Accesses that are made as often, one after the other, are under way together till the next of them that is waited
 * for. GP_NONE: none is. */
static uint32_t waited_for_with(const struct gp_work *work, uint32_t m)
{
    double requests = work->memory[m].requests;
    if (is_left_alone(&work->memory[m]))
        return GP_NONE;
    while (m < work->memory_count && work->memory[m].requests == requests && !is_waited_for(&work->memory[m]))
        m++;
    return m < work->memory_count && work->memory[m].requests == requests ? m : GP_NONE;
}

/* The first of those that are under way together with this one, which is waited for. */
static uint32_t first_under_way(const struct gp_work *work, uint32_t waited)
{
    uint32_t first = waited;
    while (first > 0 && work->memory[first - 1].requests == work->memory[waited].requests &&
           !is_waited_for(&work->memory[first - 1]))
        first--;
    return first;
}

/* A wait for several ends with the longest of them: one that was waited for no longer than the others may be the
 * longest once its lanes ask for what L1 does not have. */
static void wait_longer(struct gp_repair *r, uint32_t m)
{
    uint32_t waited = waited_for_with(r->before, m);
    if (waited == GP_NONE)
        return;
    double before = 0, after = 0;
    for (uint32_t i = first_under_way(r->before, waited); i <= waited; i++) {
        if (is_left_alone(&r->before->memory[i]))
            continue;
        before = fmax(before, mean_latency(&r->before->memory[i]));
        after = fmax(after, mean_latency(&r->work.memory[i]));
    }
    const struct gp_memory_work *was = &r->before->memory[waited];
    double more = fmax(0, after - before) - r->longer[waited],
           chain = more * was->waits * (was->stall > 0 ? was->chain_stall / was->stall : 1);
    mark(r, waited, GP_REPAIR_WAITS);
    r->longer[waited] += more;
    r->work.memory[waited].stall += more * was->waits;
    r->work.memory[waited].chain_stall += chain;
    r->work.chain += chain;
    r->work.chain_memory += chain;
}

/* Of a group's bytes so many times fewer are left, and as many of them no other group touches. */
static void keep_unshared(struct gp_shared *shared, const struct gp_shared *before, int d, double grown)
{
    double left = 1;
    shared->next[d] = fmax(0, 1 - (1 - before->next[d]) * grown);
    left -= shared->next[d];
    for (int i = 0; i < GP_MOST_FURTHER; i++) {
        shared->further[d][i] = fmin(left, before->further[d][i] * grown);
        left -= shared->further[d][i];
    }
}

/*
 * Bytes of a buffer that no work-item of a group asks for leave DRAM alone once every request moves its useful bytes
 * only; of several operations that waste them each takes its part along.
 */
static void drop_wasted_bytes(struct gp_repair *r, uint32_t m)
{
    const struct gp_memory_work *memory = r->before->memory;
    uint32_t b = memory[m].buffer;
    const struct gp_buffer_work *before = &r->before->buffers[b];
    double useful = r->useful[b], wasted = r->wasted[b];
    if (before->group_bytes <= useful || useful <= 0 || wasted <= 0)
        return;
    struct gp_buffer_work *buffer = &r->work.buffers[b];
    buffer->group_bytes -= (before->group_bytes - useful) * wasted_transactions(&memory[m]) / wasted;
    buffer->fetched_beside -= before->fetched_beside * wasted_transactions(&memory[m]) / wasted;
    buffer->apart_bytes -= before->apart_bytes * wasted_transactions(&memory[m]) / wasted;
    double grown = before->group_bytes / buffer->group_bytes;
    buffer->stored_bytes = before->stored_bytes / grown;
    buffer->rewritten_bytes = before->rewritten_bytes / grown;
    for (int d = 0; d < 3; d++)
        keep_unshared(&buffer->shared, &before->shared, d, grown);
    for (int d = 0; d < 3; d++)
        keep_unshared(&buffer->shared_written, &before->shared_written, d, grown);
}

/* Constants that lanes read different ones of belong in local memory: passes over its banks that as many words take,
 * wherever they lie. */
static double passes_over_banks(struct gp_repair *r, const struct gp_memory_work *memory)
{
    unsigned words = (unsigned)fmax(1, fmin(GP_MAX_LANES, round(memory->transactions / memory->requests)));
    double *passes = &r->fullest_bank[words];
    if (*passes == 0)
        *passes = gp_expected_in_fullest((uint64_t)fmax(1, r->conditions.device->smem_banks.value), words);
    return memory->requests * *passes;
}

void gp_coalesce(struct gp_repair *r, uint32_t m)
{
    struct gp_memory_work *memory = &r->work.memory[m];
    mark(r, m, GP_REPAIR_COALESCE);
    shorten_chain(r, m, false);
    memory->dram_latency = memory->ideal.dram_latency;
    memory->misses = memory->ideal.misses;
    memory->reuse.again = fmin(memory->ideal.again, memory->misses);
    memory->reuse.at_lines = memory->requests; /* each to its own */
    memory->reuse.lost = memory->ideal.lost;
    memory->reuse.since = memory->ideal.since;
    if (memory->ideal.latency > r->before->memory[m].latency)
        wait_longer(r, m);
    memory->wavefronts =
        memory->shape.by_address ? fmin(memory->wavefronts, passes_over_banks(r, memory)) : memory->ideal.wavefronts;
    memory->transactions = memory->ideal.transactions;
    memory->uncoalesced = memory->uncoalesced_transactions = 0;
    memory->l2_bytes = memory->ideal.l2_bytes;
    memory->l2_busy = 1;
    memory->reuse.stayed_bytes = memory->reuse.awaited_bytes = 0;
    memory->core = (struct gp_core_misses){.known = false};
    drop_wasted_bytes(r, m);
}

void gp_free_of_conflicts(struct gp_repair *r, uint32_t m)
{
    struct gp_memory_work *memory = &r->work.memory[m];
    mark(r, m, GP_REPAIR_CONFLICTS);
    shorten_chain(r, m, true);
    memory->wavefronts = memory->ideal.wavefronts;
    memory->passes = memory->ideal.passes;
}

void gp_write_copies(struct gp_repair *r, uint32_t m, double copies)
{
    struct gp_memory_work *memory = &r->work.memory[m];
    double more = (copies - 1) * memory->requests, cycles = (copies - 1) * memory->wavefronts;
    mark(r, m, GP_REPAIR_CONFLICTS);
    r->work.pipes.issue += gp_arch_is_amd(r->conditions.device->arch) ? 0 : more;
    r->work.chain += fmax(more, cycles);
    memory->requests += more;
    memory->wavefronts *= copies;
    memory->ideal.wavefronts *= copies;
    memory->passes *= copies;
    memory->ideal.passes *= copies;
}

void gp_find_own_copy(struct gp_repair *r, uint32_t m)
{
    const struct gp_cost *each = &r->addition;
    double requests = r->before->memory[m].requests, waits = fmin(requests, r->before->memory[m].waits);
    r->work.pipes.issue += requests * each->issue;
    for (int p = 0; p < GP_PIPE_COUNT; p++)
        r->work.pipes.ops[p] += requests * each->ops[p];
    r->work.chain += waits * each->latency + (requests - waits) * each->issue;
}

/* What it takes a warp's lanes to combine in local memory: those on one address take turns; or, if all are on one, each
 * step of a tree loads and stores. */
static double combining_cycles(const struct gp_memory_work *memory, const struct gp_device *device)
{
    double turns = memory->atomics.contention * device->atomic_local_clk.value,
           tree = 2 * log2(gp_device_lanes(device)) * memory->requests;
    return memory->atomics.addresses == 1 ? fmin(turns, tree) : turns;
}

/* Of a group's operations those that are left when it comes to each address once: copies of one in an unrolled loop,
 * and whatever else adds to the same buffer, add up together. */
static double left_of(const struct gp_work *work, const struct gp_memory_work *memory)
{
    double operations = 0;
    for (uint32_t m = 0; m < work->memory_count; m++)
        if (work->memory[m].atomics.operations > 0 && work->memory[m].buffer == memory->buffer &&
            work->memory[m].atomics.addresses == memory->atomics.addresses)
            operations += work->memory[m].atomics.operations;
    return fmin(1, memory->atomics.addresses / (operations * work->warps_per_group));
}

/* Lines that as many operations ask for where they are a group's sums, one after the other; infinite: its addresses are
 * too many for that. */
static double lines_of_sums(const struct gp_work *work, const struct gp_memory_work *memory)
{
    bool all = memory->atomics.operations * work->warps_per_group >= 0.99 * memory->atomics.addresses;
    return all ? memory->atomics.operations * memory->atomics.lines / memory->atomics.addresses : INFINITY;
}

void gp_combine_in_groups(struct gp_repair *r, uint32_t m)
{
    const struct gp_memory_work *before = &r->before->memory[m];
    struct gp_memory_work *memory = &r->work.memory[m];
    if (r->repaired[m] & GP_REPAIR_ATOMICS || before->atomics.operations <= 0 || isinf(before->atomics.addresses)) {
        gp_no_contention(r, m);
        return;
    }
    double left = left_of(r->before, before);
    mark(r, m, GP_REPAIR_ATOMICS);
    memory->wavefronts += combining_cycles(before, r->conditions.device);
    memory->core.contended = 0; /* a CPU's local memory is the core's */
    memory->atomics.contention = 0;
    memory->atomics.operations *= left;
    memory->atomics.successes = fmin(memory->atomics.successes, memory->atomics.operations);
    memory->atomics.asked_lines = left * fmin(before->atomics.asked_lines, lines_of_sums(r->before, before));
    memory->transactions =
        left * fmin(before->transactions, fmax(before->ideal.transactions, lines_of_sums(r->before, before)));
    memory->l2_bytes *= before->transactions > 0 ? memory->transactions / before->transactions : left;
}

void gp_no_contention(struct gp_repair *r, uint32_t m)
{
    struct gp_memory_work *memory = &r->work.memory[m];
    if (r->repaired[m] & GP_REPAIR_ATOMICS)
        return;
    mark(r, m, GP_REPAIR_ATOMICS);
    if (memory->atomics.operations > 0)
        memory->l2_bytes *= left_of(r->before, &r->before->memory[m]);
    memory->core.contended = 0;
    memory->atomics.contention = 0;
    memory->atomics.operations = memory->atomics.successes = 0;
}

void gp_keep_in_registers(struct gp_repair *r, uint32_t m)
{
    struct gp_memory_work *memory = &r->work.memory[m];
    struct gp_buffer_work *buffer = &r->work.buffers[memory->buffer];
    mark(r, m, GP_REPAIR_REGISTERS);
    memory->ideal.latency = 0;
    shorten_chain(r, m, false);
    memory->wavefronts = memory->transactions = memory->ideal.transactions = memory->uncoalesced =
        memory->uncoalesced_transactions = 0;
    memory->misses = memory->l2_bytes = memory->ideal.l2_bytes = memory->reuse.stayed_bytes =
        memory->reuse.awaited_bytes = memory->waits = memory->dram_latency = 0;
    if (gp_ref_kind(buffer->base) == GP_REF_PRIVATE)
        buffer->group_bytes = buffer->useful_bytes = buffer->fetched_beside = buffer->stored_bytes =
            buffer->rewritten_bytes = 0;
}

void gp_keep_between(struct gp_repair *r, uint32_t m, double times)
{
    struct gp_memory_work *memory = &r->work.memory[m];
    double requests = memory->requests, left = requests > 0 ? fmin(1, times / requests) : 1;
    if (left >= 1 || r->repaired[m] & GP_REPAIR_REGISTERS)
        return;
    mark(r, m, GP_REPAIR_REGISTERS);
    memory->ideal.latency = left * memory->latency;
    shorten_chain(r, m, memory->passes > 0);
    double *parts[] = {&memory->requests,
                       &memory->wavefronts,
                       &memory->ideal.wavefronts,
                       &memory->transactions,
                       &memory->ideal.transactions,
                       &memory->uncoalesced,
                       &memory->uncoalesced_transactions,
                       &memory->passes,
                       &memory->ideal.passes,
                       &memory->misses,
                       &memory->reuse.again,
                       &memory->reuse.waited,
                       &memory->reuse.at_lines,
                       &memory->l2_bytes,
                       &memory->ideal.l2_bytes,
                       &memory->reuse.stayed_bytes,
                       &memory->reuse.awaited_bytes,
                       &memory->waits,
                       &memory->dram_latency};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        *parts[i] *= left;
    memory->core = (struct gp_core_misses){.known = false};
    r->work.pipes.issue -=
        gp_arch_is_amd(r->conditions.device->arch) ? 0 : fmin(r->work.pipes.issue, (1 - left) * requests);
}

void gp_spare_addresses(struct gp_repair *r, uint32_t block, double share)
{
    const struct gp_pipe_work *addresses = &r->before->blocks[block].addresses;
    struct gp_pipe_work *pipes = &r->work.pipes;
    double times = share * r->before->blocks[block].visits;
    pipes->issue = fmax(0, pipes->issue - times * addresses->issue);
    pipes->sums = fmax(0, pipes->sums - times * addresses->sums);
    for (int p = 0; p < GP_PIPE_COUNT; p++)
        pipes->ops[p] = fmax(0, pipes->ops[p] - times * addresses->ops[p]);
}

void gp_wait_less(struct gp_repair *r, double cycles)
{
    double chain = fmax(1, r->work.chain - cycles);
    r->work.chain_memory *= chain / fmax(1, r->work.chain);
    r->work.chain = chain;
}

void gp_widen(struct gp_repair *r, uint32_t paths, double chain_saved)
{
    r->conditions.repaired_paths |= paths;
    r->work.chain = fmax(1, r->work.chain - chain_saved);
}

/* ---- Warps with work in all lanes
 * ------------------------------------------------------------------------------------ */

/* How often what an operation moves for a warp is moved with `times` the lanes: the fewest transactions have room for
 * more bytes, and one address is one for however many; what lanes waste grows as they do. */
static double grown_transfers(const struct gp_memory_work *memory, double times)
{
    if (memory->transactions <= 0 || memory->bytes <= 0)
        return times;
    double ideal = fmin(1, memory->ideal.transactions / memory->transactions); /* part of what moves */
    double filled = fmin(1, memory->useful_bytes / (memory->bytes * fmax(ideal, 1e-9)));
    return ideal * fmax(1, times * filled) + (1 - ideal) * times;
}

/* The same for the load/store unit, which takes a request of few lanes as long as one of all that its addresses and
 * bytes allow. */
static double grown_wavefronts(const struct gp_memory_work *memory, double times, double bytes_per_clk)
{
    double of_bytes = bytes_per_clk > 0 ? times * memory->useful_bytes / bytes_per_clk : INFINITY;
    double perfect = fmin(memory->wavefronts, memory->ideal.wavefronts);
    return fmax(perfect, fmin(times * perfect, of_bytes)) + times * (memory->wavefronts - perfect);
}

void gp_scale_l2_bytes(struct gp_memory_work *memory, double by)
{
    memory->l2_bytes *= by;
    memory->reuse.stayed_bytes *= by;
    memory->reuse.awaited_bytes *= by;
    memory->reuse.iteration_bytes *= by;
}

static void fill_lanes(struct gp_memory_work *memory, const struct gp_device *device, double times)
{
    double grown = grown_transfers(memory, times);
    memory->wavefronts = grown_wavefronts(
        memory, times, memory->passes > 0 ? device->smem_bytes_per_clk.value : device->l1_bytes_per_clk.value);
    gp_scale_l2_bytes(memory, grown);
    memory->transactions *= grown;
    memory->bytes *= grown;
    memory->useful_bytes *= times;
    memory->atomics.contention *= times;
    memory->atomics.asked_lines *= grown;
    if (memory->atomics.operations > memory->requests) /* else compilers make one of a warp's */
        memory->atomics.operations *= times;
    memory->atomics.successes *= times;
}

/*
 * What `times` neighbouring groups along a direction touch is what one of the larger ones does, so much more than
 * before; all of them touch as much as before (group_overlap.h). What lay less than the larger group apart is shared
 * with the next.
 */
static double join_shared(struct gp_shared *shared, const gp_distances distances, int direction, double times)
{
    double n[3] = {1, 1, 1}, *further = shared->further[direction], next = shared->next[direction];
    n[direction] = times;
    double grown = gp_spread(1, shared, distances, n);
    for (int i = 0; i < GP_MOST_FURTHER && distances[direction][i] > 0; i++) {
        bool within = distances[direction][i] < times;
        next += within ? further[i] * distances[direction][i] : 0;
        further[i] = within ? 0 : further[i] * times / grown;
    }
    shared->next[direction] = next / grown;
    return grown;
}

static void join_groups(struct gp_buffer_work *buffer, const gp_distances distances, int direction, double times)
{
    double grown = join_shared(&buffer->shared, distances, direction, times),
           grown_words = join_shared(&buffer->shared_words, distances, direction, times);
    buffer->group_bytes = fmin(buffer->group_bytes * grown, fmax(buffer->group_bytes, buffer->extent));
    buffer->useful_bytes *= grown_words;
    buffer->fetched_beside *= grown;
    buffer->apart_bytes *= grown;
    buffer->stored_bytes *= grown;
    buffer->rewritten_bytes *= grown;
    join_shared(&buffer->shared_written, distances, direction, times);
}

void gp_fill_warps(struct gp_repair *r)
{
    double times = 1 / r->work.lanes_used, lattice[3];
    int direction = 0;
    gp_work_lattice(&r->work, r->conditions.grid, lattice);
    while (direction < 2 && lattice[direction] <= 1)
        direction++;
    for (uint32_t m = 0; m < r->work.memory_count; m++) {
        mark(r, m, GP_REPAIR_LANES);
        fill_lanes(&r->work.memory[m], r->conditions.device, times);
    }
    for (uint32_t b = 0; b < r->work.buffer_count; b++)
        join_groups(&r->work.buffers[b], r->before->further, direction, times);
    for (int i = 0; i < GP_MOST_FURTHER; i++)
        r->work.further[direction][i] /= times;
    r->work.groups /= times;
    r->work.lanes_used = 1;
    if (r->work.rows[0] > 0) {
        for (int d = direction; d < 2; d++)
            r->work.rows[d] /= times;
    } else {
        uint64_t *groups = &r->conditions.grid[direction];
        *groups = (uint64_t)fmax(1, round((double)*groups / times));
    }
}

static void scale_pipes(struct gp_pipe_work *pipes, const struct gp_pipe_work *before, double times)
{
    pipes->issue = before->issue * times;
    for (int p = 0; p < GP_PIPE_COUNT; p++)
        pipes->ops[p] = before->ops[p] * times;
}

/* A path has as much less to repair as went with the idle lanes. */
static void share_path(struct gp_repair *r, const struct gp_branch_work *branch, int path)
{
    const struct gp_path_work *before = &r->before->paths[path];
    struct gp_path_work *left = &r->work.paths[path];
    if (branch->excess_on_path[path] <= 0)
        return;
    double times = fmax(0, left->before.issue - branch->excess_on_path[path]) / before->before.issue;
    scale_pipes(&left->before, &before->before, times);
    scale_pipes(&left->repaired, &before->repaired, times);
}

void gp_share_branch(struct gp_repair *r, uint32_t i)
{
    const struct gp_branch_work *branch = &r->before->branches[i];
    r->shared[i] = true;
    r->work.pipes.issue = fmax(0, r->work.pipes.issue - branch->excess.issue);
    for (int p = 0; p < GP_PIPE_COUNT; p++)
        r->work.pipes.ops[p] = fmax(0, r->work.pipes.ops[p] - branch->excess.ops[p]);
    for (int path = 0; path < GP_NARROW_COUNT; path++)
        share_path(r, branch, path);
    gp_wait_less(r, branch->stall);
}

void gp_share_among_warps(struct gp_repair *r, uint32_t i)
{
    double of_share = r->before->branches[i].stall / (gp_device_lanes(r->conditions.device) - 1);
    gp_wait_less(r, of_share * (1 - 1 / r->before->warps_per_group));
}

void gp_ask_side_by_side(struct gp_repair *r, uint32_t m, double turns)
{
    struct gp_memory_work *memory = &r->work.memory[m];
    const struct gp_device *d = r->conditions.device;
    double requests = fmax(turns, memory->requests / gp_device_lanes(d)), fewer = requests / memory->requests;
    if (fewer >= 1)
        return;
    mark(r, m, GP_REPAIR_LANES);
    if (memory->passes > 0) { /* of local memory words side by side are in as many banks */
        memory->passes *= fewer;
        memory->wavefronts *= fewer;
        memory->requests = requests;
        return;
    }
    memory->wavefronts =
        fmax(requests, fmin(memory->wavefronts, memory->useful_bytes / fmax(1, d->l1_bytes_per_clk.value)));
    memory->transactions =
        fmax(requests, fmin(memory->transactions, memory->useful_bytes / fmax(1, d->l1_sector.value)));
    memory->misses = fmin(memory->misses, requests);
    memory->requests = requests;
}
