/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "test/oracle/machine.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { NOWHERE = -1 };
#define NO_BLOCK UINT32_MAX

struct oracle_now oracle_now;

/* ---- Who waits for whom
 * -------------------------------------------------------------------------------------------------- */

/*
 * Lanes wait at a block for those that may still come there before the loops around it begin another iteration. All of
 * it by definition, slow and plain; kernels are small.
 */
struct flow {
    uint32_t n;
    bool *back;   /* per successor: leads to a block that all ways to its origin pass */
    bool *reach;  /* [from * n + to] without such edges */
    bool *body;   /* [header * n + block]: from the block one comes to an edge back to the header, without passing it */
    bool *comes;  /* [from * n + to]: directly, or by leaving a loop that `to` is not in */
    bool *leaves; /* the same for lanes that have come back to the header `from`: by leaving a loop only */
};

/* Marks what one can come to from a block, past one that is taken out and, unless `around`, not by edges that lead
 * back. */
static void spread(const struct oracle_code *code, const struct flow *flow, uint32_t from, uint32_t without,
                   bool around, bool *seen, uint32_t *open)
{
    uint32_t count = 0;
    memset(seen, 0, flow->n);
    if (from == without)
        return;
    seen[from] = true;
    open[count++] = from;
    while (count > 0) {
        uint32_t block = open[--count];
        for (uint32_t i = code->first_successor[block]; i < code->first_successor[block + 1]; i++) {
            uint32_t next = code->successors[i];
            if (next != without && !seen[next] && (around || !flow->back[i])) {
                seen[next] = true;
                open[count++] = next;
            }
        }
    }
}

static void find_back_edges(const struct oracle_code *code, struct flow *flow, bool *seen, uint32_t *open)
{
    for (uint32_t header = 0; header < flow->n; header++) {
        spread(code, flow, 0, header, true, seen, open);
        for (uint32_t b = 0; b < flow->n; b++)
            for (uint32_t i = code->first_successor[b]; i < code->first_successor[b + 1]; i++)
                if (code->successors[i] == header && !seen[b])
                    flow->back[i] = true;
    }
}

static void find_bodies(const struct oracle_code *code, struct flow *flow, bool *seen, uint32_t *open)
{
    for (uint32_t b = 0; b < flow->n; b++)
        for (uint32_t latch = 0; latch < flow->n; latch++)
            for (uint32_t i = code->first_successor[latch]; i < code->first_successor[latch + 1]; i++) {
                uint32_t header = code->successors[i];
                if (!flow->back[i])
                    continue;
                spread(code, flow, b, header, true, seen, open);
                if (b == header || seen[latch])
                    flow->body[(size_t)header * flow->n + b] = true;
            }
}

static void find_waits(const struct oracle_code *code, struct flow *flow, bool *seen, uint32_t *open)
{
    size_t n = flow->n;
    for (uint32_t b = 0; b < n; b++) {
        spread(code, flow, b, NO_BLOCK, false, seen, open);
        memcpy(flow->reach + b * n, seen, n);
    }
    for (uint32_t from = 0; from < n; from++)
        for (uint32_t to = 0; to < n; to++) {
            bool leaves = false;
            for (uint32_t header = 0; header < n && !leaves; header++)
                leaves = flow->body[header * n + from] && !flow->body[header * n + to] && flow->reach[header * n + to];
            flow->leaves[from * n + to] = leaves;
            flow->comes[from * n + to] = from != to && (leaves || flow->reach[from * n + to]);
        }
}

static void free_flow(struct flow *flow)
{
    free(flow->back);
    free(flow->reach);
    free(flow->body);
    free(flow->comes);
    free(flow->leaves);
}

static bool find_flow(const struct oracle_code *code, struct flow *flow)
{
    size_t n = flow->n = code->block_count, edges = code->first_successor[n];
    bool *seen = malloc(n + 1);
    uint32_t *open = malloc((n + 1) * sizeof *open);
    flow->back = calloc(edges + 1, 1);
    flow->reach = calloc(n * n + 1, 1);
    flow->body = calloc(n * n + 1, 1);
    flow->comes = calloc(n * n + 1, 1);
    flow->leaves = calloc(n * n + 1, 1);
    bool ok = seen && open && flow->back && flow->reach && flow->body && flow->comes && flow->leaves;
    if (ok) {
        find_back_edges(code, flow, seen, open);
        find_bodies(code, flow, seen, open);
        find_waits(code, flow, seen, open);
    }
    free(seen);
    free(open);
    return ok;
}

/* ---- The machine
 * -------------------------------------------------------------------------------------------------------- */

/* Lanes that run together. */
struct party {
    uint64_t lanes;
    uint32_t piece; /* at most one party is at the beginning of a block */
    bool back;      /* they have come to a loop's next iteration */
};

enum { PARTIES = 4096 };

struct warp {
    struct party parties[PARTIES];
    uint32_t depth;
    bool waits; /* at a barrier */
    uint32_t barrier;
    struct oracle_trace trace;
};

/* A lane's events in the piece at hand. */
struct lane_event {
    uint8_t kind;
    uint32_t number, dims;
    uint64_t address;
    int64_t texel[3];
};

struct machine {
    const struct oracle_code *code;
    const void *arguments;
    const struct oracle_region *regions;
    size_t region_count;
    struct flow flow;
    uint32_t *block_of; /* per piece, once it has been reached */
    struct oracle_item *items;
    unsigned char *frames;
    struct warp *warps;
    uint32_t warp_count;
    uint64_t steps;
    struct gp_error *error;
    bool failed;
    struct lane_event *heard;
    size_t heard_count, heard_room;
};

static struct machine *machine; /* for the functions that the kernel calls */

static bool fail(const char *text, uint64_t number)
{
    if (!machine->failed)
        gp_fail(machine->error, "group %" PRIu64 "x%" PRIu64 "x%" PRIu64 ": %s (%" PRIu64 ")", oracle_now.group[0],
                oracle_now.group[1], oracle_now.group[2], text, number);
    machine->failed = true;
    return false;
}

static struct lane_event *hear(uint8_t kind, uint32_t number)
{
    struct machine *m = machine;
    if (m->heard_count == m->heard_room) {
        size_t room = m->heard_room ? 2 * m->heard_room : 256;
        struct lane_event *more = realloc(m->heard, room * sizeof *more);
        if (!more)
            abort();
        m->heard = more;
        m->heard_room = room;
    }
    struct lane_event *event = &m->heard[m->heard_count++];
    memset(event, 0, sizeof *event);
    event->kind = kind;
    event->number = number;
    return event;
}

static unsigned char *frame_of(const struct oracle_item *item)
{
    return machine->frames + (size_t)(item - machine->items) * machine->code->frame_bytes;
}

void oracle_access(uint32_t record, uint64_t address)
{
    uint64_t frame = (uint64_t)(uintptr_t)frame_of(oracle_now.item);
    struct lane_event *event = hear(ORACLE_ACCESS, record);
    event->address = address;
    if (address - frame < machine->code->frame_bytes) {
        event->address = address - frame;
        return;
    }
    for (size_t i = 0; i < machine->region_count; i++)
        if (address - machine->regions[i].start < machine->regions[i].bytes)
            return;
    fail("an access outside of all memory, by record", record);
}

void oracle_image(uint32_t record, uint32_t dims, int64_t x, int64_t y, int64_t z)
{
    struct lane_event *event = hear(ORACLE_IMAGE, record);
    event->dims = dims;
    event->texel[0] = x;
    event->texel[1] = y;
    event->texel[2] = z;
}

/* The group's first work-item copies; what it copies is seen by the others behind the barrier. */
void oracle_bulk_copy(uint32_t record, uint64_t to, uint64_t from, uint64_t elements, uint64_t stride, uint32_t bytes,
                      uint32_t to_local)
{
    struct lane_event *event = hear(ORACLE_BULK, record);
    event->address = to_local ? from : to;
    event->texel[0] = (int64_t)elements;
    event->texel[1] = (int64_t)stride;
    for (uint64_t i = 0; oracle_now.item == oracle_now.all && i < elements; i++)
        memcpy((char *)(uintptr_t)to + i * bytes * (to_local ? 1 : stride),
               (char *)(uintptr_t)from + i * bytes * (to_local ? stride : 1), bytes);
}

/* ---- One piece for some lanes
 * ------------------------------------------------------------------------------------------- */

static struct oracle_event *append(struct oracle_trace *trace)
{
    if (trace->count == trace->room) {
        size_t room = trace->room ? 2 * trace->room : 64;
        struct oracle_event *more = realloc(trace->events, room * sizeof *more);
        if (!more)
            abort();
        trace->events = more;
        trace->room = room;
    }
    struct oracle_event *event = &trace->events[trace->count++];
    memset(event, 0, sizeof *event);
    return event;
}

/* Every lane of a piece does the same: event i of each lane is one execution by all of them. */
static bool gather(struct warp *warp, size_t first, uint32_t lane, bool leads)
{
    for (size_t i = 0; i < machine->heard_count; i++) {
        const struct lane_event *one = &machine->heard[i];
        struct oracle_event *all = leads ? append(&warp->trace) : &warp->trace.events[first + i];
        if (!leads && (first + i >= warp->trace.count || all->kind != one->kind || all->number != one->number))
            return fail("lanes of one piece do different things at record", one->number);
        all->kind = one->kind;
        all->number = one->number;
        all->dims = one->dims;
        all->lanes |= (uint64_t)1 << lane;
        all->address[lane] = one->address;
        for (int d = 0; d < 3; d++)
            all->texel[d][lane] = one->texel[d];
    }
    if (!leads && first + machine->heard_count != warp->trace.count)
        return fail("lanes of one piece do different numbers of things; events", machine->heard_count);
    return true;
}

static bool run_piece(struct warp *warp, uint32_t piece, uint64_t lanes, int32_t next[ORACLE_LANES])
{
    size_t first = warp->trace.count;
    oracle_now.together = lanes;
    for (uint32_t lane = 0; lane < oracle_now.range.warp_width && !machine->failed; lane++) {
        if (!(lanes >> lane & 1))
            continue;
        oracle_now.item = &machine->items[(size_t)(warp - machine->warps) * oracle_now.range.warp_width + lane];
        machine->heard_count = 0;
        next[lane] = machine->code->step(frame_of(oracle_now.item), machine->arguments, (int32_t)piece);
        bool leads = (lanes & (((uint64_t)1 << lane) - 1)) == 0;
        if (!machine->failed && !gather(warp, first, lane, leads))
            return false;
    }
    return !machine->failed;
}

/* ---- One warp
 * -------------------------------------------------------------------------------------------------------------- */

static void push(struct warp *warp, uint64_t lanes, uint32_t piece, bool back)
{
    for (uint32_t i = 0; i < warp->depth; i++)
        if (warp->parties[i].piece == piece) { /* they are met */
            warp->parties[i].lanes |= lanes;
            warp->parties[i].back = warp->parties[i].back && back;
            return;
        }
    if (warp->depth == PARTIES) {
        fail("too many parties of lanes", warp->depth);
        return;
    }
    warp->parties[warp->depth++] = (struct party){lanes, piece, back};
}

static bool waits_for(const struct party *party, const struct party *other)
{
    const struct flow *flow = &machine->flow;
    size_t n = flow->n, here = machine->block_of[party->piece], there = machine->block_of[other->piece];
    if (party->back && !other->back && flow->body[here * n + there])
        return true;
    if (party->back && other->back && here != there && flow->body[here * n + there]) /* of a loop inside */
        return true;
    return other->back ? flow->leaves[there * n + here] : flow->comes[there * n + here];
}

/* Of those that wait for nobody any one will do; where all wait for each other (cycles that are no loops) the first. */
static uint32_t next_party(const struct warp *warp)
{
    for (uint32_t i = 0; i < warp->depth; i++) {
        bool waits = false;
        for (uint32_t k = 0; k < warp->depth && !waits; k++)
            waits = k != i && waits_for(&warp->parties[i], &warp->parties[k]);
        if (!waits)
            return i;
    }
    return 0;
}

/* Lanes have run `block` and go to their next one. */
static void part(struct warp *warp, uint32_t number, uint32_t block, const int32_t next[ORACLE_LANES])
{
    uint64_t lanes = warp->parties[number].lanes;
    uint32_t first = machine->code->first_successor[block], count = machine->code->first_successor[block + 1] - first;
    warp->parties[number] = warp->parties[--warp->depth];
    for (uint32_t lane = 0; lane < oracle_now.range.warp_width; lane++)
        for (uint32_t i = 0; lanes >> lane & 1 && next[lane] != NOWHERE && i < count; i++)
            if (machine->code->successors[first + i] == (uint32_t)next[lane]) {
                push(warp, (uint64_t)1 << lane, (uint32_t)next[lane], machine->flow.back[first + i]);
                break;
            }
}

/* Until the warp ends or waits at a barrier. */
static bool run_warp(struct warp *warp)
{
    int32_t next[ORACLE_LANES];
    const struct oracle_code *code = machine->code;
    while (warp->depth > 0 && !warp->waits && !machine->failed) {
        uint32_t number = next_party(warp);
        struct party *party = &warp->parties[number];
        if (++machine->steps > 50000000)
            return fail("does not end; steps", machine->steps);
        uint32_t piece = party->piece;
        if (!run_piece(warp, piece, party->lanes, next))
            return false;
        uint32_t behind = (uint32_t)next[__builtin_ctzll(party->lanes)];
        if (code->ends[piece] == ORACLE_BRANCHES) {
            part(warp, number, machine->block_of[piece], next);
            continue;
        }
        machine->block_of[behind] = machine->block_of[piece];
        party->piece = behind;
        party->back = false;
        if (code->ends[piece] == ORACLE_BARRIER) {
            struct oracle_event *event = append(&warp->trace);
            event->kind = ORACLE_AT_BARRIER;
            event->number = warp->barrier = code->barriers[piece];
            event->lanes = party->lanes;
            warp->waits = true;
        }
    }
    return !machine->failed;
}

/* ---- Groups
 * ------------------------------------------------------------------------------------------------------------------ */

static void start_group(uint64_t number)
{
    const struct oracle_range *range = &oracle_now.range;
    uint32_t width = range->warp_width;
    oracle_now.items = 1;
    for (int d = 0; d < 3; d++) {
        oracle_now.group[d] = number % oracle_now.groups[d];
        number /= oracle_now.groups[d];
        uint64_t left = range->global[d] - oracle_now.group[d] * range->local[d];
        oracle_now.size[d] = left < range->local[d] ? (uint32_t)left : range->local[d];
        oracle_now.items *= oracle_now.size[d];
    }
    for (size_t i = 0; i < machine->region_count; i++)
        if (machine->regions[i].local)
            memset((void *)(uintptr_t)machine->regions[i].start, 0x5a, machine->regions[i].bytes);
    memset(machine->frames, 0x5a, machine->code->frame_bytes * oracle_now.items);
    machine->warp_count = (oracle_now.items + width - 1) / width;
    for (uint32_t i = 0; i < oracle_now.items; i++)
        machine->items[i] =
            (struct oracle_item){.local_id = {i % oracle_now.size[0], i / oracle_now.size[0] % oracle_now.size[1],
                                              i / oracle_now.size[0] / oracle_now.size[1]},
                                 .lane = i % width,
                                 .warp = i / width};
    for (uint32_t w = 0; w < machine->warp_count; w++) {
        struct warp *warp = &machine->warps[w];
        uint32_t lanes = oracle_now.items - w * width < width ? oracle_now.items - w * width : width;
        warp->depth = 0;
        warp->waits = false;
        warp->trace.count = 0;
        warp->trace.warp = w;
        memcpy(warp->trace.group, oracle_now.group, sizeof warp->trace.group);
        push(warp, lanes == 64 ? ~(uint64_t)0 : ((uint64_t)1 << lanes) - 1, 0, false);
    }
}

/* Warps run in turn to the next barrier; all that have not ended must come to it. */
static bool run_group(void)
{
    for (;;) {
        uint32_t ended = 0;
        for (uint32_t w = 0; w < machine->warp_count; w++) {
            if (!run_warp(&machine->warps[w]))
                return false;
            ended += machine->warps[w].depth == 0;
        }
        if (ended == machine->warp_count)
            return true;
        for (uint32_t w = 0; w < machine->warp_count; w++)
            machine->warps[w].waits = false;
    }
}

static bool run_all(oracle_visit visit, void *context)
{
    uint64_t groups = oracle_now.groups[0] * oracle_now.groups[1] * oracle_now.groups[2];
    for (uint64_t g = 0; g < groups; g++) {
        start_group(g);
        if (!run_group())
            return false;
        for (uint32_t w = 0; w < machine->warp_count; w++)
            if (!visit(context, &machine->warps[w].trace))
                return false;
    }
    return true;
}

bool oracle_run(const struct oracle_code *code, const struct oracle_range *range, const void *arguments,
                const struct oracle_region *regions, size_t region_count, oracle_visit visit, void *context,
                struct gp_error *error)
{
    struct machine m = {
        .code = code, .arguments = arguments, .regions = regions, .region_count = region_count, .error = error};
    size_t items = (size_t)range->local[0] * range->local[1] * range->local[2];
    size_t warps = (items + range->warp_width - 1) / range->warp_width;
    m.block_of = calloc(code->piece_count + 1, sizeof *m.block_of);
    m.items = calloc(items, sizeof *m.items);
    m.frames =
        aligned_alloc(ORACLE_ALIGNMENT, (code->frame_bytes * items + ORACLE_ALIGNMENT) & -(size_t)ORACLE_ALIGNMENT);
    m.warps = calloc(warps, sizeof *m.warps);
    bool ok = m.block_of && m.items && m.frames && m.warps && find_flow(code, &m.flow);
    if (ok) {
        machine = &m;
        for (uint32_t b = 0; b < code->block_count; b++)
            m.block_of[b] = b;
        oracle_now = (struct oracle_now){.range = *range, .all = m.items};
        for (int d = 0; d < 3; d++)
            oracle_now.groups[d] = (range->global[d] + range->local[d] - 1) / range->local[d];
        ok = run_all(visit, context);
    } else {
        gp_fail(error, "out of memory");
    }
    for (size_t w = 0; m.warps && w < warps; w++)
        free(m.warps[w].trace.events);
    free_flow(&m.flow);
    free(m.block_of);
    free(m.items);
    free(m.frames);
    free(m.warps);
    free(m.heard);
    return ok;
}
