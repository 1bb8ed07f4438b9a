#include "test/oracle/machine.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { NOWHERE = -1 };
#define NO_BLOCK UINT32_MAX

struct oracle_now oracle_now;

/* ---- Where lanes meet again ------------------------------------------------------------------------------------------ */

/*
 * Immediate post-dominators by the definition: P post-dominates B if B cannot reach the exit once P is taken out. Slow and
 * plain; kernels are small.
 */
static bool reaches_exit(const struct oracle_code *code, uint32_t from, uint32_t without, bool *seen, uint32_t *open)
{
    uint32_t count = 0;
    if (from == without)
        return false;
    memset(seen, 0, code->block_count);
    seen[from] = true;
    open[count++] = from;
    while (count > 0) {
        uint32_t block = open[--count];
        if (code->first_successor[block] == code->first_successor[block + 1])
            return true;
        for (uint32_t i = code->first_successor[block]; i < code->first_successor[block + 1]; i++) {
            uint32_t next = code->successors[i];
            if (next != without && !seen[next]) {
                seen[next] = true;
                open[count++] = next;
            }
        }
    }
    return false;
}

/* The first block that every way from `block` to the exit passes: the one that all the others come after. */
static bool find_meeting_points(const struct oracle_code *code, uint32_t *meet)
{
    uint32_t n = code->block_count;
    bool *seen = malloc(n), *must = malloc(n);
    uint32_t *open = malloc(n * sizeof *open);
    bool ok = seen && must && open;
    for (uint32_t b = 0; ok && b < n; b++) {
        meet[b] = NO_BLOCK;
        for (uint32_t p = 0; p < n; p++)
            must[p] = p != b && !reaches_exit(code, b, p, seen, open);
        for (uint32_t p = 0; p < n; p++) { /* p is the first if every other such block comes after p as well */
            bool first = must[p];
            for (uint32_t q = 0; q < n && first; q++)
                first = !must[q] || q == p || !reaches_exit(code, p, q, seen, open);
            if (first)
                meet[b] = p;
        }
    }
    free(seen);
    free(must);
    free(open);
    return ok;
}

/* ---- The machine -------------------------------------------------------------------------------------------------------- */

/* Lanes that run together: from `block` until they come to `until`. */
struct party {
    uint64_t lanes;
    uint32_t piece;
    uint32_t until;
};

enum { PARTIES = 4096 };

struct warp {
    struct party parties[PARTIES];
    uint32_t depth;
    uint64_t finished;             /* lanes that have returned */
    bool waits;                    /* at a barrier */
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
    uint32_t *meet;                /* per block */
    uint32_t *block_of;            /* per piece, once it has been reached */
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

/* ---- One piece for some lanes ------------------------------------------------------------------------------------------- */

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

/* ---- One warp -------------------------------------------------------------------------------------------------------------- */

static void push(struct warp *warp, uint64_t lanes, uint32_t piece, uint32_t until)
{
    if (warp->depth == PARTIES) {
        fail("too many parties of lanes", warp->depth);
        return;
    }
    warp->parties[warp->depth++] = (struct party){lanes, piece, until};
}

/* The lanes at the top have run `block` and go to their next one. */
static void part(struct warp *warp, uint32_t block, const int32_t next[ORACLE_LANES])
{
    struct party party = warp->parties[--warp->depth];
    uint32_t meet = machine->meet[block], ways = 0;
    uint64_t to[2 + 256] = {0};
    const uint32_t *target = machine->code->successors + machine->code->first_successor[block];
    uint32_t count = machine->code->first_successor[block + 1] - machine->code->first_successor[block];
    if (count > 256) {
        fail("a switch of so many ways", count);
        return;
    }
    for (uint32_t lane = 0; lane < oracle_now.range.warp_width; lane++) {
        uint64_t bit = (uint64_t)1 << lane;
        if (!(party.lanes & bit))
            continue;
        if (next[lane] == NOWHERE) {
            warp->finished |= bit;
            continue;
        }
        for (uint32_t i = 0; i < count; i++)
            if (target[i] == (uint32_t)next[lane]) {
                to[i] |= bit;
                break;
            }
    }
    for (uint32_t i = 0; i < count; i++)
        ways += to[i] != 0;
    uint32_t until = party.until;
    if (ways > 1 && meet != until) {
        if (meet != NO_BLOCK)
            push(warp, party.lanes, meet, until);
        until = meet;
    }
    for (uint32_t i = count; i-- > 0;)
        if (to[i] && target[i] != until)
            push(warp, to[i], target[i], until);
}

/* Until the warp ends or waits at a barrier. */
static bool run_warp(struct warp *warp)
{
    int32_t next[ORACLE_LANES];
    const struct oracle_code *code = machine->code;
    while (warp->depth > 0 && !warp->waits && !machine->failed) {
        struct party *party = &warp->parties[warp->depth - 1];
        party->lanes &= ~warp->finished;
        if (party->lanes == 0) {
            warp->depth--;
            continue;
        }
        if (++machine->steps > 50000000)
            return fail("does not end; steps", machine->steps);
        uint32_t piece = party->piece;
        if (!run_piece(warp, piece, party->lanes, next))
            return false;
        uint32_t behind = (uint32_t)next[__builtin_ctzll(party->lanes)];
        if (code->ends[piece] == ORACLE_BRANCHES) {
            part(warp, machine->block_of[piece], next);
            continue;
        }
        machine->block_of[behind] = machine->block_of[piece];
        party->piece = behind;
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

/* ---- Groups ------------------------------------------------------------------------------------------------------------------ */

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
        machine->items[i] = (struct oracle_item){
            .local_id = {i % oracle_now.size[0], i / oracle_now.size[0] % oracle_now.size[1],
                         i / oracle_now.size[0] / oracle_now.size[1]},
            .lane = i % width, .warp = i / width};
    for (uint32_t w = 0; w < machine->warp_count; w++) {
        struct warp *warp = &machine->warps[w];
        uint32_t lanes = oracle_now.items - w * width < width ? oracle_now.items - w * width : width;
        warp->depth = 0;
        warp->finished = 0;
        warp->waits = false;
        warp->trace.count = 0;
        warp->trace.warp = w;
        memcpy(warp->trace.group, oracle_now.group, sizeof warp->trace.group);
        push(warp, lanes == 64 ? ~(uint64_t)0 : ((uint64_t)1 << lanes) - 1, 0, NO_BLOCK);
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
    struct machine m = {.code = code, .arguments = arguments, .regions = regions, .region_count = region_count,
                        .error = error};
    size_t items = (size_t)range->local[0] * range->local[1] * range->local[2];
    size_t warps = (items + range->warp_width - 1) / range->warp_width;
    m.meet = calloc(code->block_count + 1, sizeof *m.meet);
    m.block_of = calloc(code->piece_count + 1, sizeof *m.block_of);
    m.items = calloc(items, sizeof *m.items);
    m.frames = aligned_alloc(ORACLE_ALIGNMENT, (code->frame_bytes * items + ORACLE_ALIGNMENT) & -(size_t)ORACLE_ALIGNMENT);
    m.warps = calloc(warps, sizeof *m.warps);
    bool ok = m.meet && m.block_of && m.items && m.frames && m.warps && find_meeting_points(code, m.meet);
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
    free(m.meet);
    free(m.block_of);
    free(m.items);
    free(m.frames);
    free(m.warps);
    free(m.heard);
    return ok;
}
