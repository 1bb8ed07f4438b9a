/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Bytes between the last cache and DRAM, and at which rate DRAM moves them. */
#include "model/timing/traffic.h"

#include <math.h>

#include "model/timing/working_set.h"

/*
 * How many groups share what they have in common through the last cache: as many, started one after the other, as it
 * holds the footprint of; the resident ones in any case, since they work side by side and what they share is asked for
 * at about the same time.
 */
static double sharing_groups(const struct gp_work *work, const struct gp_conditions *c, double concurrent, double cache)
{
    double low = fmin(concurrent, work->groups), high = work->groups;
    if (gp_working_set(work, c, high) <= cache)
        return high;
    while (high - low > 0.01 * low) {
        double middle = 0.5 * (low + high);
        if (gp_working_set(work, c, middle) <= cache)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/*
 * Share of what neighbours along a dimension have in common that the last cache loses before the later one asks for it:
 * the groups that start between the two go through all they touch, a round of the cache (Xiang et al., "HOTL: A Higher
 * Order Theory of Locality", ASPLOS 2013: a cache loses what is asked for again after its size in other data).
 * Neighbours that run together ask at about the same time; of each wave the first have their neighbours in the wave
 * before. distance: of the two, along the dimension.
 */
static double lost_between(const struct gp_work *work, const struct gp_conditions *c, double concurrent, double cache,
                           int dimension, double distance)
{
    double between = distance, stretch = 0, lattice[3];
    gp_work_lattice(work, c->grid, lattice);
    for (int d = 0; d < dimension; d++)
        between *= lattice[d];
    for (uint32_t b = 0; b < work->buffer_count; b++)
        stretch += work->buffers[b].extent;
    double round = gp_working_set(work, c, fmax(between, concurrent));
    return fmin(1, between / concurrent) * gp_beyond_cache(round, stretch, cache, c->device->l2_ways.value);
}

/* The same of all that groups share along each dimension, as struct gp_shared has it. */
static struct gp_shared lost_of_shared(const struct gp_work *work, const struct gp_conditions *c, double concurrent,
                                       double cache)
{
    struct gp_shared lost = {0};
    double lattice[3];
    gp_work_lattice(work, c->grid, lattice);
    for (int d = 0; d < 3; d++) {
        lost.next[d] = lattice[d] > 1 ? lost_between(work, c, concurrent, cache, d, 1) : 0;
        for (int i = 0; i < GP_MOST_FURTHER && work->further[d][i] > 0; i++)
            lost.further[d][i] = lost_between(work, c, concurrent, cache, d, work->further[d][i]);
    }
    return lost;
}

static void lose(struct gp_shared *shared, const struct gp_shared *lost)
{
    for (int d = 0; d < 3; d++) {
        shared->next[d] *= 1 - lost->next[d];
        for (int i = 0; i < GP_MOST_FURTHER; i++)
            shared->further[d][i] *= 1 - lost->further[d][i];
    }
}

/* Distinct bytes of all groups, where those share as much as the cache keeps. */
static double footprint_of_kept(const struct gp_work *work, const struct gp_buffer_work *buffer, const double all[3],
                                const struct gp_shared *lost)
{
    struct gp_buffer_work kept = *buffer;
    lose(&kept.shared, lost);
    lose(&kept.shared_words, lost);
    return gp_unbounded_footprint(work, &kept, all);
}

/*
 * Of `moved` bytes of a buffer those that are written, where they are such a share of what a group touches. Where
 * groups read what others write, as an update in place of rows from the rows beside them does, they share more of what
 * they read than of what they write.
 */
static double written_bytes(const struct gp_work *work, const struct gp_buffer_work *b, const double all[3],
                            const struct gp_shared *lost, double missing, double moved, double share)
{
    struct gp_shared kept = b->shared_written;
    lose(&kept, lost);
    return b->read_and_written ? fmin(moved, missing * gp_spread(share * b->group_bytes, &kept, work->further, all))
                               : moved * share;
}

/*
 * Bytes that come when `bytes` of a buffer do: those beside them that L2 fetches along, unless others touch these
 * anyway, as far as all that the launch touches fills the stretch in which it lies.
 */
static double fetched_along(const struct gp_work *work, const struct gp_buffer_work *b, const double all[3],
                            double bytes)
{
    double touched = gp_unbounded_footprint(work, b, all),
           along = b->group_bytes > 0 ? touched * (1 + b->fetched_beside / b->group_bytes) : touched;
    return touched > 0 && touched < b->extent ? bytes * fmin(along, b->extent) / touched : bytes;
}

/*
 * Of lines that the launch stores to, those of which it leaves a part alone, where the device reads such a line before
 * it writes it. What is left alone of a line is a word of 4 bytes at least.
 */
static double share_completed_by_reading(const struct gp_work *work, const struct gp_device *device,
                                         const struct gp_buffer_work *b, const double all[3])
{
    double line = device->l2_sector.value, lines = gp_unbounded_footprint(work, b, all),
           words = gp_spread(b->useful_bytes, &b->shared_words, work->further, all);
    if (device->l2_completes_lines.value <= 0 || lines <= 0)
        return 0;
    return fmin(1, line / 4 * fmax(0, 1 - words / lines));
}

/* Of what DRAM reads of a buffer, as gp_buffer_work.apart_bytes. What neighbours share they ask for at about the same
 * time, and so all of a line. */
static double share_apart(const struct gp_buffer_work *b)
{
    double shared = fmax(b->shared.next[0], fmax(b->shared.next[1], b->shared.next[2]));
    return b->group_bytes > 0 ? fmin(2, b->apart_bytes / b->group_bytes) * (1 - shared) : 0;
}

/* Whether warps mostly go to L2 or beyond for it. */
static bool goes_beyond_l1(const struct gp_memory_work *m)
{
    return m->passes <= 0 && m->requests > 0 && m->misses > 0.5 * m->requests;
}

/* Places, some pages apart, that warps go to. Of an operation where it went first stands for all. */
static double count_streams(const struct gp_work *work)
{
    enum { MOST = 64, APART = 13 }; /* places that make no more difference; bits of 8 KB */
    struct {
        uint32_t symbol;
        uint64_t page;
    } seen[MOST];
    uint32_t count = 0;
    for (uint32_t m = 0; m < work->memory_count && count < MOST; m++) {
        const struct gp_memory_work *memory = &work->memory[m];
        uint32_t i = 0;
        while (i < count &&
               (seen[i].symbol != memory->shape.first_symbol || seen[i].page != memory->shape.first_offset >> APART))
            i++;
        if (i == count && goes_beyond_l1(memory)) {
            seen[count].symbol = memory->shape.first_symbol;
            seen[count++].page = memory->shape.first_offset >> APART;
        }
    }
    return count;
}

/* Cycles that SMs are kept by those requests of their warps that DRAM serves, of as many as bytes of what L2 is asked
 * for. Atomics are L2's. */
static double request_cycles(const struct gp_work *work, const struct gp_device *device, double bytes)
{
    double missed = 0, asked = 0;
    for (uint32_t m = 0; m < work->memory_count; m++) {
        bool other = work->memory[m].passes > 0 || work->memory[m].atomics.operations > 0;
        missed += other ? 0 : fmin(work->memory[m].misses, work->memory[m].requests);
        asked += other ? 0 : work->memory[m].l2_bytes;
    }
    double warps = work->warps_per_group * work->groups;
    return asked > 0 ? device->dram_request_clk.value * missed * warps / device->sm_count.value *
                           fmin(1, bytes / (asked * warps))
                     : 0;
}

/* gp_dram_traffic.alone: a table that all read through L1 is no part of the rows that each reads time and again. */
static double share_alone(const struct gp_work *work, const struct gp_conditions *c, double concurrent)
{
    double brought = 0, alone = 0, of_buffer = 1;
    uint32_t known = GP_NONE; /* neighbouring operations mostly are of one buffer */
    for (uint32_t m = 0; m < work->memory_count; m++) {
        const struct gp_memory_work *memory = &work->memory[m];
        double bytes = memory->passes > 0 ? 0 : memory->l2_bytes;
        if (bytes <= 0)
            continue;
        if (memory->buffer != known)
            of_buffer = gp_alone_of_buffer(work, c, &work->buffers[known = memory->buffer], concurrent);
        brought += bytes;
        alone += bytes * of_buffer;
    }
    return brought > 0 ? alone / brought : 1;
}

/*
 * What groups share through the cache is moved once for all of them, anything else for every group; what they read and
 * write goes back as well, and what a group writes first comes where another one reads it, for who is first nobody
 * knows. What the launch before has left in the cache need not come.
 */
void gp_dram_traffic(const struct gp_work *work, const struct gp_conditions *c, double concurrent, double *of_buffer,
                     struct gp_dram_traffic *traffic)
{
    double cache = gp_last_cache(c->device), missing = gp_lost_since_before(work, c, cache);
    double all[3], together[3];
    *traffic = (struct gp_dram_traffic){.alone = share_alone(work, c, concurrent)};
    double sharing = sharing_groups(work, c, concurrent, cache);
    gp_block_of(work, c, work->groups, all);
    gp_block_of(work, c, sharing, together);
    struct gp_shared lost = lost_of_shared(work, c, concurrent, cache);
    for (uint32_t b = 0; b < work->buffer_count; b++) {
        const struct gp_buffer_work *buffer = &work->buffers[b];
        double own = buffer->group_bytes * work->groups, times = fmax(1, work->groups / sharing);
        double kept =
            fmin(footprint_of_kept(work, buffer, all, &lost), gp_footprint_of_buffer(work, buffer, together) * times);
        double part = gp_ref_kind(buffer->base) == GP_REF_LOCAL
                          ? 0
                          : missing * fmin(own, fmax(gp_footprint_of_buffer(work, buffer, all), kept));
        double stored = gp_share_stored(buffer), written = written_bytes(work, buffer, all, &lost, missing, part,
                                                                         fmin(1, stored + gp_share_rewritten(buffer)));
        double read =
                   part - written_bytes(work, buffer, all, &lost, missing, part, stored * (1 - buffer->read_elsewhere)),
               fetched = fetched_along(work, buffer, all, read) +
                         (part - read) * share_completed_by_reading(work, c->device, buffer, all);
        traffic->bytes += fetched + written;
        traffic->written += written;
        traffic->apart += fetched * share_apart(buffer);
        if (of_buffer != NULL)
            of_buffer[b] = part + fetched - read;
    }
    traffic->streams = count_streams(work);
    traffic->request_cycles = request_cycles(work, c->device, traffic->bytes);
    double spilled = work->groups * gp_spills_beyond(work, c, concurrent, cache),
           per_byte = gp_device_lanes(c->device) * work->warps_per_group;
    traffic->bytes += spilled * gp_spill_bytes(work, c);
    traffic->written += spilled * c->spill_store_bytes * per_byte;
}

/* 0: nothing is written; 1: as in copies and in sums of two vectors, where a third and more is. */
static double mixed(const struct gp_dram_traffic *t) { return t->bytes > 0 ? fmin(1, 3 * t->written / t->bytes) : 0; }

double gp_between_reading_and_copying(double reading, double copying, const struct gp_dram_traffic *t)
{
    return reading + mixed(t) * (copying - reading);
}

/* From what copies of two arrays reach to what copies of many do, evenly over doublings of their number: triads have
 * three streams, a step of lattice Boltzmann's D3Q19 38. */
static double of_streams(double share, const struct gp_device *device, double streams)
{
    const double few = 3, many = 38;
    double most = device->dram_streams_efficiency.value,
           part = fmin(1, log(fmax(few, streams) / few) / log(many / few));
    return most < share ? share * pow(most / share, part) : share;
}

double gp_dram_bytes_per_clk(const struct gp_conditions *c, const struct gp_dram_traffic *traffic)
{
    double share = gp_between_reading_and_copying(c->device->dram_read_efficiency.value,
                                                  c->device->dram_efficiency.value, traffic),
           apart = c->device->dram_apart_efficiency.value;
    share = of_streams(share, c->device, traffic->streams);
    if (traffic->apart > 0 && apart < share)
        share = traffic->bytes / (fmax(0, traffic->bytes - traffic->apart) / share + traffic->apart / apart);
    double rate = c->device->dram_gbps.value * 1e9 * share / (c->clock_mhz * 1e6);
    return traffic->request_cycles > 0 ? traffic->bytes / (traffic->bytes / rate + traffic->request_cycles) : rate;
}
