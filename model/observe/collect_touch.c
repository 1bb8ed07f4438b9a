/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What an access touches: which of its lines the warp's group had touched before, and whether L1 still has them; in the
 * iterations that were left out, too. */
#include "model/observe/collect_internal.h"

#include <math.h>
#include <stdlib.h>

#include "model/value/value.h"
#include "support/saturate.h"

/*
 * How a request looks at lines: the SM's cache, of so many bytes, may have them; that of constants; what the warp had
 * brought until then, and what the lines it touches are stamped with; in which iterations, and whether these were left
 * out. It writes them; and reads them as well, as atomics do. From one iteration to the next it goes on to others.
 */
struct look {
    bool cached, constant, skipped;
    double cache, brought, stamp;
    uint32_t turn, memory;
    bool writes, updates, moves_on;
};

/* As struct tally of one access, and its lines, and of these those touched for the first time. */
struct lines {
    uint32_t all, fresh, missing, entered, crossed, apart, lost, rewritten, awaited;
    uint32_t room; /* L1's lines that the missing ones, its sectors, take up */
    double since;
};

/* ---- What L1 has ------------------------------------------------------------------------------------------------- */

/* What the warp brings to L1 in an iteration. */
static double iteration_bytes(const struct gp_collector *c, const struct movement *m)
{
    return gp_max(c->line.bytes, m->brought);
}

/* Whether its cache keeps what an iteration touched for the next one: as long as it holds what the resident warps bring
 * in one. */
static bool holds_iteration(const struct gp_collector *c, const struct movement *m, struct look look)
{
    return look.cached && iteration_bytes(c, m) * c->resident_warps <= look.cache;
}

/* Bytes of private arrays that a warp has touched so far. */
static double private_bytes(struct gp_collector *c)
{
    if (c->touch.private_bytes_known)
        return c->touch.private_bytes;
    c->touch.private_bytes = 0;
    for (uint32_t b = 0; b < c->buffer_count; b++)
        if (gp_ref_kind(c->buffers[b].base) == GP_REF_PRIVATE)
            c->touch.private_bytes +=
                gp_max(0, c->touch.reaches[b].high - c->touch.reaches[b].low) * gp_device_lanes(c->device);
    c->touch.private_bytes_known = true;
    return c->touch.private_bytes;
}

/* Private arrays are gone through again and again, each warp its own: an L1 that does not hold those of all resident
 * warps has lost each line when its turn comes. */
static bool may_find(struct gp_collector *c, const struct gp_memory *memory, double cache)
{
    bool lost = memory->space == GP_SPACE_PRIVATE && private_bytes(c) * c->resident_warps > cache;
    return gp_memory_reads_cached(c->device, memory) && !lost;
}

/* ---- A line ------------------------------------------------------------------------------------------------------ */

/* What the warp brought since the line was touched. Iterations that were left out are looked at as of then: what was
 * executed after them may have touched it before. */
static double brought_since(const struct gp_collector *c, const struct gp_line *entry, const struct look *look)
{
    return entry->owner != c->warp ? c->line.bytes : gp_max(0, look->brought - entry->stamp);
}

/*
 * Whether the warp has not waited since it asked for the line: in the same visit of the same block, or line of blocks,
 * and registers hold what all asked for since. Then as many warps as there are schedulers have asked for other lines
 * beside it, not all resident ones: the oldest that can go on does.
 */
static bool in_one_visit(const struct gp_collector *c, uint32_t before, uint32_t now)
{
    return c->code.straight.head[c->code.block_of[before]] == c->code.straight.head[c->code.block_of[now]] &&
           before <= now && now - before < gp_load_words(c->registers, c->code.held_words[c->code.block_of[now]]);
}

static bool is_under_way(const struct gp_collector *c, const struct gp_line *entry, const struct look *look)
{
    bool same_visit = entry->last_turn == look->turn && (look->skipped || entry->request > c->block_request);
    return entry->owner == c->warp && same_visit && in_one_visit(c, entry->memory, look->memory);
}

/* Resident warps that bring something meanwhile. */
static double warps_between(const struct gp_collector *c, bool under_way)
{
    return under_way ? fmin(c->resident_warps, c->device->schedulers_per_sm.value) : c->resident_warps;
}

/*
 * Does L1 still have a line that was touched before? What another warp of the group touched first it brings anew each
 * time, side by side with this one. Else L1 has it until the resident warps have brought as much as it holds. The cache
 * of constants is so small that warps side by side drive each other's lines out where a group's constants do not fit
 * it.
 */
static bool still_there(const struct gp_collector *c, const struct gp_line *entry, bool under_way,
                        const struct look *look)
{
    if (look->constant)
        return c->touch.constants <= c->device->const_size.value;
    return brought_since(c, entry, look) * warps_between(c, under_way) <= look->cache;
}

/* Whether L1, which has room for whole lines, has kept it for another of the line's sectors. */
static bool has_room(struct gp_collector *c, uint32_t symbol, uint64_t sector, const struct look *look)
{
    uint64_t first = sector - sector % c->sectors;
    for (uint64_t other = first; other < first + c->sectors; other++) {
        const struct gp_line *entry = other != sector ? gp_line_set_find(&c->touch.lines, symbol, other) : NULL;
        if (entry != NULL && (entry->request == c->request || (look->cached && still_there(c, entry, false, look))))
            return true;
    }
    return false;
}

/* One line of one access: was it touched, and can L1 still have it? What several lanes of a request ask for is moved
 * once. */
static void touch_line(struct gp_collector *c, uint32_t symbol, uint64_t line, const struct look *look,
                       struct lines *lines)
{
    bool fresh;
    struct gp_line *entry = gp_line_set_touch(&c->touch.lines, symbol, line, &fresh);
    if (entry != NULL && entry->request == c->request)
        return;
    bool first = entry == NULL || fresh, under_way = !first && is_under_way(c, entry, look),
         found = !first && look->cached && still_there(c, entry, under_way, look);
    bool entered = first || entry->request < c->first_request, apart = first || entry->turn != look->turn;
    lines->all++;
    lines->fresh += first;
    lines->missing += !found;
    lines->room += !found && (c->sectors == 1 || !has_room(c, symbol, line, look));
    if (!first && !found && !under_way &&
        (entry->memory != look->memory || look->moves_on)) { /* the last cache has what is under way */
        lines->lost++;
        lines->since += brought_since(c, entry, look);
    }
    lines->apart += apart;
    lines->awaited += !found && under_way;
    lines->entered += entered;
    lines->crossed += entered && found && apart;
    lines->rewritten += look->writes && (look->updates || !first) && (entry == NULL || !entry->written);
    if (entry == NULL)
        return;
    if (fresh) {
        entry->owner = c->warp;
        entry->turn = look->turn;
    }
    if (entry->owner == c->warp &&
        !under_way) /* all resident warps come by between two visits, whatever finds the line in this one */
        entry->stamp = look->stamp;
    entry->request = c->request;
    entry->memory = look->memory & INT32_MAX;
    entry->written |= look->writes;
    entry->last_turn = look->turn;
}

static double share_awaited(const struct lines *lines)
{
    return lines->missing > 0 ? (double)lines->awaited / lines->missing : 0;
}

/* Bytes of L1 that each of the missing ones takes up. */
static double room_of_missing(const struct gp_collector *c, const struct lines *lines)
{
    return lines->missing > 0 ? c->line.bytes * c->sectors * (double)lines->room / lines->missing : c->line.bytes;
}

static struct lines touch_lines(struct gp_collector *c, const struct gp_footprint *f, const struct look *look)
{
    struct lines lines = {0};
    c->request++;
    for (uint32_t r = 0; r < f->count && f->count > 1; r++)
        gp_line_set_expect(&c->touch.lines, f->runs[r].symbol, f->from + f->runs[r].first);
    for (uint32_t r = 0; r < f->count; r++)
        for (uint32_t i = 0; i < f->runs[r].count; i++)
            touch_line(c, f->runs[r].symbol, f->from + f->runs[r].first + i, look, &lines);
    return lines;
}

/* ---- Where a group's accesses lie -------------------------------------------------------------------------------- */

static void note_reach(struct gp_collector *c, uint32_t buffer, int64_t lowest, int64_t highest, uint32_t bytes)
{
    struct reach *reach = &c->touch.reaches[buffer];
    c->touch.private_bytes_known &= (double)lowest >= reach->low && (double)highest + bytes <= reach->high;
    reach->low = gp_min(reach->low, (double)lowest);
    reach->high = gp_max(reach->high, (double)highest + bytes);
    for (int d = 0; d < 3; d++) {
        reach->first[d] = c->group[d] < reach->first[d] ? c->group[d] : reach->first[d];
        reach->last[d] = c->group[d] > reach->last[d] ? c->group[d] : reach->last[d];
    }
}

/* What was loaded says where: each other such place is another part of the buffer. */
static void note_loaded(struct reach *reach, uint32_t symbol)
{
    if (!gp_symbol_name_is_loaded(symbol))
        return;
    reach->open |= reach->symbol != GP_SYMBOL_UNKNOWN && reach->symbol != symbol;
    reach->symbol = symbol;
}

void gp_collector_reach(struct gp_collector *c, const struct gp_access *access)
{
    const struct gp_memory *memory = &c->kernel->memory[access->memory];
    for (gp_mask lanes = access->active; lanes != 0; lanes &= lanes - 1) {
        uint32_t lane = (uint32_t)__builtin_ctzll(lanes);
        int64_t offset = (int64_t)gp_access_offset(access, lane);
        if (access->symbol[lane] != GP_SYMBOL_UNKNOWN)
            note_reach(c, c->code.buffer_of[access->memory], offset, offset,
                       (uint32_t)memory->element_bytes * memory->vector);
    }
}

static void note_hull(struct hull *hull, uint32_t symbol, int64_t lowest, int64_t highest, uint32_t bytes)
{
    hull->open |= hull->symbol != GP_SYMBOL_UNKNOWN && hull->symbol != symbol;
    hull->symbol = symbol;
    hull->low = gp_min(hull->low, (double)lowest);
    hull->high = gp_max(hull->high, (double)highest + bytes);
}

static void note_place(struct gp_collector *c, const struct gp_access *access, const struct gp_footprint *f,
                       uint32_t width)
{
    struct reach *reach = &c->touch.reaches[c->code.buffer_of[access->memory]];
    struct hull *hull = &c->touch.hulls[access->memory];
    for (uint32_t r = 0; r < f->count && (r == 0 || !access->one_symbol); r++)
        note_loaded(reach, f->runs[r].symbol);
    if (f->lowest <= f->highest) {
        note_reach(c, c->code.buffer_of[access->memory], f->lowest, f->highest, width);
        note_hull(hull, access->symbol[__builtin_ctzll(access->active)], f->lowest, f->highest, width);
    }
    hull->open |= !access->one_symbol || c->kernel->memory[access->memory].space == GP_SPACE_PRIVATE;
}

/* ---- Lines that nobody knows ------------------------------------------------------------------------------------- */

/* The lines of an operation's bound. */
static double lines_within(struct gp_collector *c, uint32_t memory)
{
    const struct gp_scatter *bound = gp_scatter_of(c->touch.bounds, c->kernel, memory);
    return ceil(gp_scatter_warp_bytes(bound, &c->kernel->memory[memory], gp_device_lanes(c->device)) / c->line.bytes);
}

double gp_collector_share_drawn(struct gp_collector *c, uint32_t memory)
{
    if (c->kernel->memory[memory].space == GP_SPACE_PRIVATE ||
        !gp_scatter_of(c->touch.bounds, c->kernel, memory)->known)
        return 0;
    return gp_min(1, c->touch.drawn[c->code.buffer_of[memory]] / lines_within(c, memory));
}

/* Of lines that nobody knows: those that the walk had not come to, and the share of their bytes that is asked for, if
 * it goes along them; those that L1 does not have for the first of turns that wait together, and for the average one;
 * and of the latter those that L2 may have from the iteration before. */
struct stride {
    double new, asked, waited, missed, stayed;
};

/* Where the operation begins its walk. */
static void note_walk(struct gp_access_shape *shape, const struct gp_walk_step *step)
{
    if (shape->walk != GP_NONE)
        return;
    shape->walk = step->walk;
    shape->walked = step->at;
}

static struct stride walk_on(struct gp_collector *c, const struct gp_access *access, double lines, struct look look)
{
    const struct gp_memory *memory = &c->kernel->memory[access->memory];
    struct gp_memory_work *m = &c->memory[access->memory];
    struct gp_walk_step step = gp_walks_see(c->touch.walks, c->executor, access->memory);
    if (step.walk == GP_NONE)
        return (struct stride){lines, 0, lines, lines, 0};
    note_walk(&m->shape, &step);
    struct walked *walked = &c->touch.walked[step.walk], before = *walked;
    *walked = (struct walked){c->touch.brought_once, c->request, access->memory};
    bool under_way = before.request > c->block_request && in_one_visit(c, before.memory, access->memory),
         same = before.memory == access->memory,
         turned = !under_way && c->code.block_of[before.memory] == c->code.block_of[access->memory];
    double since = c->touch.brought_once - before.brought_once,
           first =
               turned && look.cached ? 1.0 / gp_collector_turns(c, access->memory).unrolled : 1; /* of unrolled ones */
    bool holds = look.cached && since * warps_between(c, under_way) <= look.cache;
    double new = fmin(lines, gp_lanes_in(access->active) * step.beyond / c->line.bytes), old = lines - new,
           lost = holds || under_way ? 0 : first *old,
           asked = old > 0 ? fmin(1, memory->element_bytes * memory->vector / step.beyond) : 0;
    m->reuse.lost += same ? 0 : lost;
    m->reuse.since += same ? 0 : lost * since;
    return (struct stride){new, asked, holds ? new : lines, holds ? new : new + first *old, same ? lost : 0};
}

/*
 * Lines that nobody knows. Without a bound nothing is found again but by who walks on from one to the next; within one,
 * any line of the range is as likely as any other, and the group has touched some of them.
 */
static void touch_unknown(struct gp_collector *c, const struct gp_access *access, double lines, struct look look,
                          struct touch *t)
{
    struct stride stride = walk_on(c, access, lines, look);
    const struct gp_scatter *bound = gp_scatter_of(c->touch.bounds, c->kernel, access->memory);
    const struct gp_memory *memory = &c->kernel->memory[access->memory];
    double fresh = stride.new, bytes = gp_scatter_warp_bytes(bound, memory, gp_device_lanes(c->device));
    if (bound->known) {
        double *drawn = &c->touch.drawn[c->code.buffer_of[access->memory]], cells = lines_within(c, access->memory),
               before = gp_min(*drawn, cells);
        *drawn = before + (1 - before / cells) * gp_expected_distinct(cells, stride.new * access->weight);
        fresh = (*drawn - before) / access->weight;
    }
    bytes *= memory->space == GP_SPACE_PRIVATE ? c->resident_warps : 1; /* each warp's own */
    bool all_there = bound->known && look.cached && bytes <= look.cache;
    double missed = all_there ? fresh : stride.missed, waited = all_there ? fresh : stride.waited;
    t->all_rewritten += look.updates ? access->weight * fresh : 0;
    t->room = t->all > 0 ? t->room : c->line.bytes * c->sectors;
    t->all += lines;
    t->fresh += fresh;
    t->missed += missed;
    t->waited += waited;
    t->all_fresh += access->weight * fresh;
    t->all_scattered = access->weight * fresh;
    t->asked = stride.asked;
    if (!gp_memory_writes(memory))
        t->all_stayed += access->weight * stride.stayed;
    t->all_missed += access->weight * missed;
    t->deep = gp_max(t->deep, bound->known ? fresh / lines : waited > 0 ? fresh / waited : 0);
}

/* ---- Iterations that were left out ------------------------------------------------------------------------------- */

static void note_tally(struct gp_collector *c, uint32_t memory, const struct tally *tally)
{
    c->memory[memory].reuse.entered += tally->entered;
    c->memory[memory].reuse.crossed += tally->crossed;
    c->memory[memory].reuse.lost += tally->lost;
    c->memory[memory].reuse.since += tally->since;
}

static void note_lines(struct gp_collector *c, uint32_t memory, const struct lines *lines)
{
    c->memory[memory].reuse.entered += lines->entered;
    c->memory[memory].reuse.crossed += lines->crossed;
    c->memory[memory].reuse.lost += lines->lost;
    c->memory[memory].reuse.since += lines->since;
}

/* Iterations that a point is looked at for at once, and the bytes that the warp brings to L1 in one. */
struct pace {
    double stride, bytes;
};

/*
 * A point so many before the access at hand. From the point before on, the iterations between touch the same lines, so
 * that these are never more than an iteration old; they are left as old as the point's own iteration leaves them.
 */
static struct look look_before(struct look at_hand, struct pace pace, double points)
{
    at_hand.stamp = at_hand.brought - points * pace.stride * pace.bytes;
    at_hand.brought = at_hand.stamp - (pace.stride - 1) * pace.bytes;
    return at_hand;
}

/*
 * Touches what the listed iterations do, `by` bytes beside the access; how many lines of that nobody had touched
 * before. Of those that a point stands for beside its own, other warps of the group may have touched some.
 */
static double touch_listed(struct gp_collector *c, const struct gp_access *access, const struct movement *m,
                           const struct gp_skipped *list, int64_t by, uint32_t width, struct look look,
                           struct pace pace, struct tally *tally)
{
    struct texels room;
    double fresh = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        const struct gp_point *point = &list->point[i];
        struct beside b = gp_collector_beside(c, &room, m, access, point->beside);
        struct gp_footprint f = gp_footprint_beside(c->touch.footprints, b.access, b.by + by, c->line, width);
        struct look here = look_before(look, pace, list->count - i);
        here.turn = point->turn;
        here.skipped = true;
        struct lines lines = touch_lines(c, &f, &here);
        double met = point->weight > 1 ? list->met[GP_COMPANIONS_OWN] : 0;
        fresh += point->weight * (1 - met) * lines.fresh;
        tally->rewritten += point->weight * (1 - met) * lines.rewritten;
        tally->missing += point->weight * (look.cached ? 1 - met : 1) * lines.missing;
        tally->apart += point->weight * lines.apart;
        tally->lost += point->weight * lines.lost;
        tally->since += point->weight * lines.since;
        tally->entered += point->weight * lines.entered;
        tally->crossed += point->weight * (lines.crossed + (look.cached ? met * lines.fresh : 0));
    }
    return fresh;
}

/*
 * The first listed iterations read what a store wrote in iterations that are not listed, so far before as it is `ahead`
 * bytes on: that is touched, too, and counted nowhere, since the listed ones stand for it.
 */
static void touch_before_listed(struct gp_collector *c, const struct gp_access *access, const struct movement *m,
                                const struct gp_skipped *list, int64_t ahead, uint32_t width, struct look look,
                                struct pace pace)
{
    struct texels room;
    uint32_t before = 0;
    while (before < list->count &&
           gp_size_of(gp_subtract(list->point[before].beside, list->point[0].beside)) < gp_size_of(ahead))
        before++;
    for (uint32_t i = 0; i < before; i++) {
        struct beside b = gp_collector_beside(c, &room, m, access, list->point[i].beside);
        struct gp_footprint f = gp_footprint_beside(c->touch.footprints, b.access, b.by, c->line, width);
        struct look here = look_before(look, pace, list->count - i + before);
        here.turn = list->point[i].turn;
        here.skipped = true;
        touch_lines(c, &f, &here);
    }
}

/*
 * What stores behind the load in its block did in the listed iterations, if the load reads in each what they wrote in
 * one before: they are looked at first, as they were made, lest the load seem to find memory untouched. The stores' own
 * turn comes when they are executed.
 */
static void touch_stores_ahead(struct gp_collector *c, const struct gp_access *access, const struct movement *m,
                               const struct gp_skipped *list, uint32_t width, struct look look, struct pace pace)
{
    enum { NEAR = 64 }; /* operations behind it that are looked through */
    const struct gp_memory *loads = &c->kernel->memory[access->memory];
    if (gp_memory_writes(loads) || access->coordinates > 0 || m->source->coordinates > 0)
        return;
    for (uint32_t i = c->code.next_store[access->memory]; i != GP_NONE && i - access->memory < NEAR;
         i = c->code.next_store[i]) {
        const struct gp_memory *stores = &c->kernel->memory[i];
        int64_t by;
        bool same = !(stores->flags & GP_MEMORY_ATOMIC) && c->code.buffer_of[i] == c->code.buffer_of[access->memory] &&
                    (uint32_t)stores->element_bytes * stores->vector == width;
        if (!same || c->touch.ahead[i].touched ||
            !gp_trajectories_goes_ahead(c->waits.trajectories, access->memory, i, &by))
            continue;
        struct look as_store = look;
        as_store.cached = may_find(c, stores, look.cache);
        as_store.memory = i;
        as_store.writes = true;
        c->touch.ahead[i] = (struct ahead){.touched = true};
        c->touch.looked_ahead = true;
        c->touch.ahead[i].fresh = touch_listed(c, access, m, list, by, width, as_store, pace, &c->touch.ahead[i].tally);
        touch_before_listed(c, access, m, list, by, width, as_store, pace);
    }
}

/*
 * The access, and the iterations before it that were left out: their average; *here: its own footprint. What L1 does
 * not hold from one to the next is fetched anew in each, whether there is a point for it or not.
 */
static void touch_left_out(struct gp_collector *c, const struct gp_access *access, const struct movement *m,
                           uint32_t width, struct look look, struct touch *t, struct gp_footprint *here)
{
    struct tally tally = {0};
    struct ahead *ahead = &c->touch.ahead[access->memory];
    const struct gp_skipped *list = gp_collector_list(c, m, c->line.bytes, false);
    double iterations = (double)list->iterations, times = m->runs * iterations;
    struct pace pace = {(double)list->covered / (list->count + 1), m->brought};
    touch_stores_ahead(c, access, m, list, width, look, pace);
    double fresh = ahead->touched ? ahead->fresh : touch_listed(c, access, m, list, 0, width, look, pace, &tally);
    if (ahead->touched)
        tally = ahead->tally;
    ahead->touched = false;
    *here = gp_footprint_of(c->touch.footprints, access, c->line, width);
    struct look now = look_before(look, pace, 0);
    struct lines lines = touch_lines(c, here, &now);
    bool holds = holds_iteration(c, m, look);
    double missing = tally.missing + list->weight * lines.missing;
    t->all = lines.all;
    t->awaited = share_awaited(&lines);
    t->room = room_of_missing(c, &lines);
    t->fresh = (fresh + list->weight * lines.fresh) / iterations;
    t->missed = missing / (holds ? iterations : list->points);
    t->deep = missing > 0 ? gp_min(1, t->fresh) / gp_min(1, t->missed) : 0;
    t->all_fresh += times * t->fresh;
    t->all_missed += times * t->missed;
    t->all_rewritten += times * (tally.rewritten + list->weight * lines.rewritten) / iterations;
    t->all_apart += times * (tally.apart + list->weight * lines.apart) / iterations;
    note_tally(c, access->memory, &tally);
    note_lines(c, access->memory, &lines);
}

/* What inner loops did in iterations of outer ones that were left out, before the one at hand; where these began was
 * counted then. */
static void touch_within(struct gp_collector *c, const struct gp_access *access, const struct movement *m,
                         uint32_t width, struct look look, struct touch *t)
{
    struct tally tally = {0};
    const struct gp_skipped *list = gp_collector_list(c, m, c->line.bytes, true);
    if (list->count == 0)
        return;
    look.brought -= iteration_bytes(c, m);
    t->all_fresh += m->runs_before * touch_listed(c, access, m, list, 0, width, look, (struct pace){1, 0}, &tally);
    t->all_missed += m->runs_before * tally.missing;
    t->all_rewritten += m->runs_before * tally.rewritten;
    t->all_apart += m->runs_before * tally.apart;
    note_tally(c, access->memory, &tally);
}

/* ---- The access at hand ------------------------------------------------------------------------------------------ */

static void count_touched(const struct gp_collector *c, const struct movement *m, const struct gp_window *window,
                          double missing, struct look look, struct touch *t)
{
    t->all = window->all;
    if (missing == 0)
        return;
    const struct gp_window_move *move = &m->move;
    bool holds = holds_iteration(c, m, look);
    t->fresh = move->weight > 0 ? gp_window_fresh(move, window) / move->weight : 0;
    t->missed = holds ? gp_window_lacks(move, window, missing) : missing;
    t->deep = gp_min(1, gp_window_lacks(move, window, window->fresh)) / gp_min(1, t->missed);
}

/* The access for itself. */
static void touch_here(struct gp_collector *c, const struct gp_access *access, const struct movement *m, uint32_t width,
                       struct look look, struct touch *t, struct gp_footprint *here)
{
    *here = gp_footprint_of(c->touch.footprints, access, c->line, width);
    struct lines lines = touch_lines(c, here, &look);
    struct gp_window window = {
        .unit = c->line.bytes, .all = lines.all, .runs = gp_min(here->stretches, lines.all), .fresh = lines.fresh};
    window.moved = gp_units_between(c->line, m->from, access->offset[__builtin_ctzll(access->active)]);
    count_touched(c, m, &window, lines.missing, look, t);
    t->room = room_of_missing(c, &lines);
    note_lines(c, access->memory, &lines);
    window.fresh = lines.rewritten;
    t->all_rewritten +=
        lines.rewritten > 0 && m->move.weight > 0 ? m->runs * gp_window_fresh(&m->move, &window) / m->move.weight : 0;
    t->all_fresh += m->runs * t->fresh;
    t->all_missed += m->runs * t->missed;
    t->all_apart += m->runs * lines.apart;
    t->awaited = share_awaited(&lines);
}

/* Of the lines that seem new, those that warps of the group touched which were not executed: L1 has them, as all that
 * another warp brings. */
static void meet_others(const struct gp_collector *c, const struct gp_access *access, struct look look, struct touch *t)
{
    double fewer = c->behind_first ? gp_min(1, c->survey.surveyed[access->memory].fewer) : 1,
           found = look.cached ? 1 - fewer : 0;
    t->all_rewritten *= fewer;
    if (fewer == 1 || t->fresh <= 0)
        return;
    double waiting = t->deep * t->missed; /* for what nobody had touched */
    t->missed = gp_max(0, t->missed - found * t->fresh);
    t->all_missed = gp_max(0, t->all_missed - found * t->all_fresh);
    t->fresh *= fewer;
    t->all_fresh *= fewer;
    t->deep = t->missed > 0 ? gp_min(1, fewer * waiting / t->missed) : 0;
}

/* Of the missing lines those that a walk comes to, also where another loop has touched them. */
static double come_to(const struct gp_collector *c, const struct movement *m, const struct touch *t)
{
    return fmin(t->missed, t->all * fmax(0, m->move.step) / c->line.bytes);
}

/* Loads that stay in a line for several iterations, each of which finds that L1 has lost it: a row for each lane.
 * Stores and images do not wait in each. */
static bool stays_in_lost_lines(const struct gp_collector *c, const struct gp_memory *memory, const struct movement *m,
                                struct look look)
{
    bool waits = !gp_memory_writes(memory) && memory->space != GP_SPACE_IMAGE;
    return waits && m->trajectory != GP_TRAJECTORY_PLAIN && m->move.step >= 0 && m->move.step < c->line.bytes &&
           !holds_iteration(c, m, look);
}

static void find_on_the_way(const struct gp_collector *c, const struct movement *m, double turns, struct touch *t)
{
    double new = fmax(t->fresh, come_to(c, m, t)), missed = new + (t->missed - new) / turns, /* on average */
        all_missed = fmin(t->all_missed, fmax(t->all_fresh, t->all_missed * missed / t->missed));
    t->all_stayed -= t->all_stayed != 0 ? t->all_missed - all_missed : 0;
    t->missed = missed;
    t->all_missed = all_missed;
}

/* Of unrolled turns the first asks for what L1 has lost, the others find it on its way, but for lines that they come
 * to. Those that are under way together all wait for those of them that come to a line. */
static void share_turns(const struct gp_collector *c, const struct gp_access *access, const struct movement *m,
                        uint32_t width, struct look look, struct touch *t)
{
    struct gp_driver_turns turns = gp_collector_turns(c, access->memory);
    double step = m->move.step;
    bool along = m->trajectory != GP_TRAJECTORY_PLAIN && step > 0 && step < c->line.bytes;
    t->waited = t->missed;
    t->at_lines = 1;
    if (turns.unrolled <= 1 || !along || !look.cached || t->missed <= 0)
        return;
    if (!holds_iteration(c, m, look))
        find_on_the_way(c, m, turns.unrolled, t);
    t->waited = fmin(t->all, turns.waiting * t->missed);
    t->at_lines = fmin(1, turns.waiting * gp_max(width, step) / c->line.bytes);
}

/* Each iteration goes to other lines: what comes to one again is another way through them. */
static bool moves_on(const struct gp_collector *c, const struct movement *m)
{
    return m->trajectory != GP_TRAJECTORY_PLAIN && m->move.step >= c->line.bytes;
}

struct touch gp_collector_touch(struct gp_collector *c, const struct gp_access *access, const struct movement *m,
                                const struct gp_request *request)
{
    const struct gp_memory *memory = &c->kernel->memory[access->memory];
    uint32_t width = (uint32_t)memory->element_bytes * memory->vector;
    bool constant = gp_memory_reads_constants(c->device, memory),
         texture = gp_memory_reads_texture_cache(c->device, memory);
    double hit = constant  ? c->device->const_latency.value
                 : texture ? c->device->tex_latency.value
                           : c->device->l1_latency.value;
    struct touch t = {.hit = hit, .constant = constant, .room = c->line.bytes};
    double cache = texture ? c->device->tex_size.value : c->l1_bytes;
    struct look look = {may_find(c, memory, cache),
                        t.constant,
                        false,
                        cache,
                        c->touch.brought,
                        c->touch.brought,
                        gp_trajectories_turn(c->waits.trajectories, access->memory),
                        access->memory,
                        gp_memory_writes(memory),
                        memory->flags & GP_MEMORY_ATOMIC,
                        moves_on(c, m)};
    struct gp_footprint here;
    touch_within(c, access, m, width, look, &t);
    (m->trajectory == GP_TRAJECTORY_SKIPPED ? touch_left_out : touch_here)(c, access, m, width, look, &t, &here);
    if (m->trajectory != GP_TRAJECTORY_PLAIN &&
        !holds_iteration(c, m, look)) /* each iteration misses again: the executed ones tell */
        t.all_missed = access->weight * t.missed;
    if (stays_in_lost_lines(c, memory, m, look))
        t.all_stayed =
            (1 - t.awaited) * t.all_missed -
            fmax(t.all_fresh,
                 access->weight * come_to(c, m, &t)); /* less than nothing: others lack less than they enter */
    meet_others(c, access, look, &t);
    share_turns(c, access, m, width, look, &t);
    note_place(c, access, &here, width);
    double unknown = request->transactions - t.all; /* lanes whose address nobody knows: nothing is found again */
    if (request->guessed && unknown > 0 && access->assumed == 0) {
        touch_unknown(c, access, unknown, look, &t);
        c->touch.reaches[c->code.buffer_of[access->memory]].open = true;
        c->touch.hulls[access->memory].open = true;
    }
    return t;
}
