/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The memory system as one SM sees it. A request takes its cycles of the load/store unit, looks for its segments in the
 * cache of its path, and fetches what is missing: over the SM's port, from L2, from a DRAM channel. Bandwidth is a
 * queue per resource; L2 and DRAM are shared, so that a fetch books them once for every active SM (the others are taken
 * to do the same at the same time). Latency and waiting add up. What waits for data holds an entry of the SM's tables:
 * one per missing line (MSHR) or per request (PRT); when there is none, the load/store unit stands until the earliest
 * is done (Lashgar et al., section 2).
 */
#include "model/trace/trace_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Start ------------------------------------------------------------------------------------------------------- */

enum { MOST_ENTRIES = 8192 };

/* How many it holds does not depend on what was simulated before. */
static void make_room(struct gp_in_flight *f, uint32_t entries)
{
    entries = entries < MOST_ENTRIES ? entries : MOST_ENTRIES;
    f->count = f->lanes = 0;
    f->most = entries;
    if (entries <= f->capacity)
        return;
    f->heap = realloc(f->heap, entries * sizeof *f->heap);
    f->capacity = entries;
}

void gp_sim_memory_share(struct gp_sim_memory *m, double active_sms)
{
    const struct gp_sm *sm = m->in->sm;
    double active = gp_later(1, active_sms), clusters = gp_later(1, sm->sm_count / gp_later(1, sm->cluster_sms));
    bool timed = !m->in->repairs.no_bandwidth, delayed = !m->in->repairs.no_latency;
    m->port_cost = 1 / sm->port_bytes;
    m->l2_cost = active / sm->l2_bytes;
    m->l2_write_cost = active / sm->l2_written_bytes;
    m->dram_cost = active / sm->dram_bytes;
    m->cluster_cost = sm->cluster_bytes > 0 ? gp_later(1, active / clusters) / sm->cluster_bytes : 0;
    /*
     * TEG, 3.2.4: a cluster's memory pipeline holds no more unfinished transactions than its bandwidth fills in one
     * latency, C_mem = B_peak latency / (N_TPC bytes clk). In bytes, this SM's share of it.
     */
    m->pipeline_bytes =
        m->cluster_cost > 0 && timed && delayed ? (uint32_t)fmin(UINT32_MAX, sm->dram_latency / m->cluster_cost) : 0;
}

void gp_sim_memory_start(struct gp_sim_memory *m, const struct gp_simulation *in, struct gp_sim_result *result)
{
    const struct gp_sm *sm = in->sm;
    uint32_t segment = sm->segment > 0 ? sm->segment : 32,
             entries = sm->prt_entries > sm->prt_lanes ? sm->prt_entries : sm->prt_lanes,
             most = in->whole_caches ? UINT32_MAX : GP_CACHE_MOST_LINES;
    m->in = in;
    m->result = result;
    m->segments = 0;
    m->turns_end = 0;
    m->pipeline_free = 0;
    struct gp_queue *queues[] = {&m->port, &m->l2_port, &m->cluster, &m->to_registers};
    for (size_t i = 0; i < sizeof queues / sizeof *queues; i++)
        gp_queue_clear(queues[i]);
    for (uint32_t c = 0; c < GP_MOST_CHANNELS; c++)
        gp_queue_clear(&m->channels[c]);
    memset(m->channel_time, 0, sizeof m->channel_time);
    memset(m->replays, 0, sizeof m->replays);
    for (uint32_t c = 0; c < GP_MOST_CHANNELS; c++)
        m->even_spread[c] = 1.0f / (float)(sm->channels > 0 ? sm->channels : 1);
    gp_sim_memory_share(m, in->active_sms);
    gp_cache_reset(&m->l1, &sm->l1, sm->l1.bytes, segment, most);
    gp_cache_reset(&m->texture, &sm->texture, sm->texture.bytes, segment, most);
    gp_cache_reset(&m->constant, &sm->constant, sm->constant.bytes, segment, most);
    gp_cache_reset(&m->l2, &sm->l2, sm->l2.bytes * in->l2_share, segment, most);
    make_room(&m->lines, sm->mshr_entries);
    make_room(&m->requests, entries);
    make_room(&m->turning, entries);
    make_room(&m->pipeline, m->pipeline_bytes > 0 ? MOST_ENTRIES : 0);
}

void gp_sim_memory_free(struct gp_sim_memory *m)
{
    gp_cache_free(&m->l1);
    gp_cache_free(&m->texture);
    gp_cache_free(&m->constant);
    gp_cache_free(&m->l2);
    free(m->lines.heap);
    free(m->requests.heap);
    free(m->turning.heap);
    free(m->pipeline.heap);
}

/* ---- Fetching a segment ------------------------------------------------------------------------------------------ */

/* Takes a place in a queue: from when on it is served. Only where loads go out side by side does one that is looked at
 * later arrive earlier. */
static double queue(struct gp_sim_memory *m, struct gp_queue *q, double time, double service)
{
    return gp_queue_serve(q, time, service, m->in->sm->load_replays > 1);
}

static double from_channel(struct gp_sim_memory *m, uint32_t channel, double time, double service)
{
    m->channel_time[channel] += service;
    m->result->channel = gp_later(m->result->channel, m->channel_time[channel]);
    return queue(m, &m->channels[channel], time, service);
}

static double from_dram(struct gp_sim_memory *m, uint64_t segment, double bytes, double time)
{
    const struct gp_sm *sm = m->in->sm;
    if (m->in->repairs.no_bandwidth)
        return time;
    double all = bytes * m->dram_cost;
    m->result->dram += all;
    if (m->cluster_cost > 0)
        time = queue(m, &m->cluster, time, bytes * m->cluster_cost);
    if (sm->channels < 2 || m->in->repairs.even_channels)
        return from_channel(m, 0, time, all);
    uint32_t channel = (uint32_t)(segment * sm->segment / sm->channel_bytes % sm->channels);
    if (m->spread == NULL)
        return from_channel(m, channel, time, all * sm->channels);
    for (uint32_t c = 1; c < sm->channels; c++)
        if (m->spread[c] > 0)
            from_channel(m, (channel + c) % sm->channels, time, all * sm->channels * m->spread[c]);
    return from_channel(m, channel, time, all * sm->channels * m->spread[0]);
}

/* How an access lies over the channels: the active SMs' accesses like it, and the iterations that it stands for. */
static const float *spread_of(struct gp_sim_memory *m, const struct gp_trace_access *a, double weight)
{
    const struct gp_sm *sm = m->in->sm;
    float places[GP_MOST_CHANNELS] = {0};
    if (m->in->channel_spread == NULL || sm->channels < 2)
        return NULL;
    const float *spread = m->in->channel_spread + (size_t)a->memory * sm->channels;
    if (weight < 1.5 || a->step <= 0)
        return spread;
    gp_place_iterations(sm, a->step, weight, places);
    memset(m->slid_spread, 0, sizeof m->slid_spread);
    for (uint32_t s = 0; s < sm->channels; s++)
        for (uint32_t c = 0; spread[s] > 0 && c < sm->channels; c++)
            m->slid_spread[(s + c) % sm->channels] += spread[s] * places[c];
    return m->slid_spread;
}

/*
 * Looks for a segment. Of a loop's iterations few are shown: that another one, of this warp or of one beside it, has
 * been in the same segment is chance, where addresses move; how many iterations enter a new one is known
 * (gp_trace_access.share).
 */
static struct gp_cache_line *look_up(struct gp_sim_memory *m, struct gp_cache *cache, uint64_t segment, double *time,
                                     bool waits, bool *present)
{
    struct gp_cache_line *line = gp_cache_touch(cache, segment, time, waits, present);
    if (line == NULL)
        return NULL;
    bool same_iteration = (uint32_t)line->bringer == (uint32_t)m->visit;
    *present = *present && (same_iteration || !m->moved);
    if (!*present)
        line->bringer = m->visit;
    return line;
}

/*
 * Fetches a segment that the SM's own caches do not have. dram: how much of it comes from there, if new; more than 1
 * with what L2 fetches beside it. A store writes it instead, for which L2 waits for nothing.
 */
static double fetch(struct gp_sim_memory *m, uint64_t segment, double bytes, double dram, double time, double weight,
                    bool store)
{
    const struct gp_sm *sm = m->in->sm;
    if (!m->in->repairs.no_bandwidth) {
        double port = weight * bytes * m->port_cost, l2 = weight * bytes * (store ? m->l2_write_cost : m->l2_cost);
        m->result->port += port;
        m->result->l2 += l2;
        time = queue(m, &m->port, time, port);
        time = queue(m, &m->l2_port, time, l2);
    }
    bool present;
    struct gp_cache_line *line = look_up(m, &m->l2, segment, &time, true, &present);
    double factor = m->in->repairs.no_latency ? 0 : weight, near = sm->l2.latency * factor,
           far = sm->dram_latency * factor;
    if (present) {
        m->result->l2_hits += weight;
        return gp_later(time + near, line->ready);
    }
    if (m->l2.sets == 0)
        dram = 1;
    m->result->dram_segments += weight * dram;
    double begin = dram > 0 ? from_dram(m, segment, weight * bytes * dram, time) : time;
    double share = gp_sooner(1, dram), done = share * (begin + far) + (1 - share) * (time + near);
    if (line != NULL)
        line->ready = gp_later(line->ready, store ? time + near : done);
    return done;
}

static struct gp_cache *cache_of(struct gp_sim_memory *m, uint8_t path, double *latency)
{
    const struct gp_sm *sm = m->in->sm;
    switch (path) {
    case GP_PATH_L1: *latency = sm->l1.latency; return &m->l1;
    case GP_PATH_TEXTURE: *latency = sm->texture.latency; return &m->texture;
    case GP_PATH_CONSTANT: *latency = sm->constant.latency; return &m->constant;
    default: *latency = 0; return NULL;
    }
}

struct request {
    const struct gp_trace_access *access;
    struct gp_cache *cache;  /* NULL: straight to L2 */
    double hit, dram, bytes; /* latency; share of what L2 has to fetch; bytes per segment */
    double fetched, waited; /* shares of the iterations that this one stands for: whose segments leave the SM; that wait
                               for them, those that another warp asked for, too */
    double weight;
    bool thrashed; /* the SM's cache does not hold its lines from one iteration to the next */
    bool missed;   /* some segment was not in the SM's caches */
};

/*
 * A transaction that leaves the SM. Without room in the cluster's pipeline it stands and with it its warp, but not the
 * load/store unit, which serves local memory meanwhile.
 */
static double leave(struct gp_sim_memory *m, uint64_t segment, double bytes, double dram, double time, double weight,
                    bool store)
{
    if (m->pipeline_bytes == 0)
        return fetch(m, segment, bytes, dram, time, weight, store);
    time = m->pipeline_free =
        gp_in_flight_room(&m->pipeline, gp_later(time, m->pipeline_free), (uint32_t)bytes, 0, m->pipeline_bytes);
    double done = fetch(m, segment, bytes, dram, time, weight, store);
    gp_in_flight_push(&m->pipeline, done, (uint32_t)bytes);
    return done;
}

/* One segment of a load. *stall: until when the load/store unit stands for want of an MSHR entry. */
static double load_segment(struct gp_sim_memory *m, struct request *q, uint64_t segment, double time, double *stall)
{
    const struct gp_sm *sm = m->in->sm;
    bool present = false;
    struct gp_cache_line *line = q->cache != NULL ? look_up(m, q->cache, segment, &time, false, &present) : NULL;
    m->result->segments += q->weight;
    /* Shown iterations lie closer together than real ones: what an earlier one left behind would be gone. */
    if (present && q->thrashed && line->ready <= time && q->cache->age > 4 * q->access->together)
        present = false;
    if (present) {
        m->result->l1_hits += q->weight;
        if (line->ready <= time)
            return time + q->hit;
        if (sm->mshr_entries > 0 && ++line->merged >= sm->mshr_merges)
            *stall = gp_later(*stall, line->ready); /* its entry has no room for one more */
        return gp_later(time + q->hit, line->ready);
    }
    double share = q->fetched;
    q->missed = true;
    bool limited = sm->mshr_entries > 0 && share >= 0.5 && q->access->path != GP_PATH_CONSTANT &&
                   (line == NULL || line->ready <= time);
    double enters = limited ? gp_in_flight_room(&m->lines, time, 0, sm->mshr_entries, 0) : time;
    if (enters > time)
        time = *stall = enters;
    double missed = leave(m, segment, q->bytes * share, q->dram, time, q->weight, false);
    double done = q->waited * missed + (1 - q->waited) * (time + q->hit);
    if (limited)
        gp_in_flight_push(&m->lines, done, 0);
    if (line != NULL) {
        line->merged = 0;
        line->ready = gp_later(line->ready, done);
    }
    return done;
}

static double store_segment(struct gp_sim_memory *m, const struct request *q, uint64_t segment, double time)
{
    return leave(m, segment, q->bytes * q->fetched, q->dram, time, q->weight, true);
}

/* ---- An access --------------------------------------------------------------------------------------------------- */

/*
 * The time from which the request table has room for one more of so many lanes. A load of several transactions is
 * replayed once for each, in turn with the other loads: it ends as much later as these have transactions in between,
 * and at the latest with the last of them. Only so can the K20 run out of entries at the first load beyond 1362
 * requests although replies come all the time (Lashgar et al., 5.2), and "waits for completion of prior memory
 * requests" (their 3.2).
 */
static double room_for_request(struct gp_sim_memory *m, double time, uint32_t lanes)
{
    const struct gp_sm *sm = m->in->sm;
    for (;;) {
        gp_in_flight_room(&m->requests, time, 0, 0, 0); /* gives back what is done */
        gp_in_flight_room(&m->turning, time, 0, 0, 0);
        if (time >= m->turns_end)
            m->turning.count = m->turning.lanes = 0;
        uint32_t entries = m->requests.count + m->turning.count, all = m->requests.lanes + m->turning.lanes;
        bool full =
            (sm->prt_entries > 0 && entries >= sm->prt_entries) || (sm->prt_lanes > 0 && all + lanes > sm->prt_lanes);
        if (!full || entries == 0)
            return time;
        time = m->requests.count > 0 ? m->requests.heap[0].time : INFINITY;
        if (m->turning.count > 0)
            time = gp_sooner(time, gp_sooner(m->turning.heap[0].time, m->turns_end));
    }
}

/* A load of several transactions that ends at `done` if nothing else is replayed: every other load that the table holds
 * has its passes in between. */
static void take_turns(struct gp_sim_memory *m, uint32_t lanes, double done, double passes)
{
    const struct gp_sm *sm = m->in->sm;
    double others = (sm->prt_lanes > 0 ? (double)sm->prt_lanes / gp_later(1, lanes) : sm->prt_entries) - 1;
    gp_in_flight_push(&m->turning, done + gp_later(0, others) * passes, lanes);
    m->turns_end = gp_later(m->turns_end, done);
}

static struct gp_sim_reply access_local(struct gp_sim_memory *m, const struct gp_trace_access *a, uint8_t repaired,
                                        double time, double weight)
{
    const struct gp_sm *sm = m->in->sm;
    bool even = repaired & GP_REPAIR_CONFLICTS;
    double atomics = repaired & GP_REPAIR_ATOMICS ? 0 : a->contention * sm->local_atomic;
    double occupied = (even ? a->ideal_wavefronts : a->wavefronts) / sm->lsu_units + atomics;
    double latency = m->in->repairs.no_latency ? 0 : sm->local_latency + (even ? 0 : a->replays * sm->local_replay);
    double held = sm->replays_hold && !even ? a->replays * sm->local_replay : 0;
    return (struct gp_sim_reply){.start = time,
                                 .occupied = weight * occupied,
                                 .work = weight * occupied,
                                 .accepted = time + weight * held,
                                 .done = time + weight * gp_later(occupied, latency + atomics)};
}

/*
 * When a transaction goes out that its load could send at `time`. Of loads that go out side by side each has a place,
 * which lets a transaction out every so many passes; a load that finds none waits for the first (Lashgar et al., 3.2:
 * latency grows with the threads of the first warp, not with those of the second and third).
 */
static double replay(struct gp_sim_memory *m, double time, double spacing)
{
    uint32_t count = m->in->sm->load_replays, best = 0;
    if (count <= 1)
        return time;
    for (uint32_t k = 1; k < count;
         k++) { /* the free one that was in use last; where none is free, the first that will be */
        bool later = m->replays[k] > m->replays[best];
        if (m->replays[best] > time ? !later : later && m->replays[k] <= time)
            best = k;
    }
    double start = gp_later(time, m->replays[best]);
    m->replays[best] = start + count * spacing;
    return start;
}

/* Well-mixed bits of a number (Steele, Lea & Flood's SplitMix64). */
static uint64_t mixed(uint64_t x)
{
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

/* Where the segment lies for this warp: as recorded, so many steps on, or anywhere within its range; private memory is
 * each warp's own. */
static uint64_t moved(const struct gp_simulation *in, const struct gp_sim_warp *warp, const struct gp_trace_access *a,
                      uint64_t segment, uint64_t own)
{
    if (segment & GP_SEGMENT_ANY) {
        const struct gp_segment_range *range = &in->ranges[a->memory];
        uint64_t together = segment & GP_SEGMENT_WALKED && range->count >= GP_WALKED_TOGETHER ? GP_WALKED_TOGETHER : 1,
                 beside = segment % together;
        segment = range->first +
                  mixed(segment - beside + own * UINT64_C(0x9e3779b97f4a7c15)) % (range->count / together) * together +
                  beside;
        return a->flags & GP_ACCESS_OWN ? segment + (own << 40) : segment;
    }
    if (in->group_step != NULL)
        segment += (uint64_t)(warp->group_steps * in->group_step[a->memory]);
    if (in->warp_step != NULL)
        segment += (uint64_t)(warp->warp_steps * in->warp_step[a->memory]);
    return a->flags & GP_ACCESS_OWN ? segment + (own << 40) : segment;
}

/*
 * Of the iterations that an access stands for only some enter a new segment. The others are still in those of the
 * iteration before: of the shown iteration before, as far as the caches are concerned. What of these the SM's cache no
 * longer has, each iteration fetches again; what L2 has not, either, from DRAM. A few segments tell. What other warps
 * brought in iterations that are not shown is not fetched again, but waited for: they run side by side. What the group
 * touched in them by another operation comes from L2: the middle plane of three that a loop goes through was the last
 * one an iteration before.
 */
static void share_iterations(const struct gp_sim_memory *m, const struct gp_sim_warp *warp,
                             const struct gp_trace_access *last, const uint64_t *segments, uint64_t own,
                             struct request *q)
{
    enum { LOOKED_AT = 4 };
    const struct gp_trace_access *a = q->access;
    double brought =
        q->cache != NULL && a->flags & GP_ACCESS_MOVED && m->in->brought != NULL ? m->in->brought[a->memory] : 0;
    double share = a->share * (1 - brought), near = q->cache != NULL, held = 1;
    if (last != NULL && !(a->flags & GP_ACCESS_MOVED))
        return; /* its segments are there or not */
    if (last != NULL) {
        uint32_t count = last->segment_count < LOOKED_AT ? last->segment_count : LOOKED_AT, in_cache = 0, in_l2 = 0;
        for (uint32_t i = 0; i < count; i++) {
            uint64_t segment = moved(
                m->in, warp, last,
                segments[last->segment + (uint64_t)i * (last->segment_count - 1) / (count > 1 ? count - 1 : 1)], own);
            in_cache += q->cache != NULL && gp_cache_peek(q->cache, segment) != NULL;
            in_l2 += gp_cache_peek(&m->l2, segment) != NULL;
        }
        near = (double)in_cache / count;
        held = (double)in_l2 / count;
    }
    q->thrashed = near < 0.5 && q->weight > 1.5;
    q->fetched = near * share + (1 - near);
    q->waited = near * a->share + (1 - near);
    double fresh =
        a->flags & GP_ACCESS_MOVED && m->in->fresh != NULL ? gp_sooner(share, m->in->fresh[a->memory]) : share;
    q->dram = q->fetched > 0 ? q->dram * (fresh + (1 - near) * (1 - share) * (1 - held)) / q->fetched : 0;
}

struct gp_sim_reply gp_sim_memory_access(struct gp_sim_memory *m, const struct gp_sim_warp *warp,
                                         const struct gp_trace_access *a, const struct gp_trace_access *last,
                                         const uint64_t *segments, uint64_t own, uint32_t visit, double time,
                                         double weight)
{
    const struct gp_simulation *in = m->in;
    const struct gp_sm *sm = in->sm;
    uint8_t repaired = in->repairs.memory != NULL ? in->repairs.memory[a->memory] : 0;
    m->result->touched += weight * a->segment_count;
    if (repaired & GP_REPAIR_REGISTERS) /* no access */
        return (struct gp_sim_reply){.start = time, .accepted = time, .done = time};
    if (a->path == GP_PATH_LOCAL)
        return access_local(m, a, repaired, time, weight);

    bool coalesced = repaired & GP_REPAIR_COALESCE, store = a->flags & GP_ACCESS_STORE,
         atomic = a->flags & GP_ACCESS_ATOMIC;
    uint32_t count = coalesced && a->ideal_segments < a->segment_count ? a->ideal_segments : a->segment_count;
    struct request q = {.access = a,
                        .dram = in->dram_share != NULL ? in->dram_share[a->memory] : 1,
                        .fetched = 1,
                        .waited = 1,
                        .weight = weight};
    q.cache = store || atomic ? NULL : cache_of(m, a->path, &q.hit);
    q.hit = in->repairs.no_latency ? 0 : weight * q.hit;
    q.bytes = (coalesced ? a->ideal_bytes : a->bytes) / gp_later(1, count);
    share_iterations(m, warp, last, segments, own, &q);
    m->segments += count;
    m->visit = own << 32 | visit;
    m->moved = a->flags & GP_ACCESS_MOVED;
    const float *spread = spread_of(m, a, weight);
    double wavefronts = (coalesced ? a->ideal_wavefronts : a->wavefronts) / sm->lsu_units;
    double spacing = weight * wavefronts / gp_later(1, count);
    double work = weight * gp_later(wavefronts, sm->departure), turn = spacing * sm->load_replays;

    bool counted = sm->prt_entries > 0 || sm->prt_lanes > 0, replayed = wavefronts > 1;
    double start = counted ? room_for_request(m, time, a->lanes) : time;
    double stall = start, done = start + q.hit;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t segment = moved(in, warp, a, segments[a->segment + i], own);
        m->spread = segments[a->segment + i] & GP_SEGMENT_ANY ? m->even_spread : spread;
        double leaves = gp_later(replay(m, start + i * turn, spacing), stall);
        double arrives =
            store || atomic ? store_segment(m, &q, segment, leaves) : load_segment(m, &q, segment, leaves, &stall);
        done = gp_later(done, arrives);
    }
    if (atomic && !(repaired & GP_REPAIR_ATOMICS) && a->contention > 0) {
        double service = weight * a->contention * sm->global_atomic;
        m->result->l2 += service;
        done = gp_later(done, queue(m, &m->l2_port, start, service) + service +
                                  (in->repairs.no_latency ? 0 : weight * sm->l2.latency));
    }
    if (q.missed && sm->return_lanes > 0 && !in->repairs.no_bandwidth) {
        double service = weight * a->lanes / sm->return_lanes;
        done = gp_later(done, queue(m, &m->to_registers, done - service, service) + service);
    }
    if (counted && replayed)
        take_turns(m, a->lanes, done, weight * wavefronts);
    else if (counted)
        gp_in_flight_push(&m->requests, done, a->lanes);
    bool aside = sm->load_replays > 1; /* others go on while this load waits for entries */
    double occupied = aside ? gp_sooner(work, spacing) : gp_later(work, stall - start);
    return (struct gp_sim_reply){.start = start,
                                 .occupied = occupied,
                                 .work = gp_later(work, occupied),
                                 .accepted = m->pipeline_free,
                                 .done = done,
                                 .full = start > time || stall - start > work};
}
