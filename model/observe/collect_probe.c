/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a group's neighbours touch of the lines and words that it touches itself. */
#include "model/observe/collect_internal.h"

#include <math.h>

#include "support/memo.h"

const struct gp_unit gp_word = {4, 2};

/* A stretch and how much of it is filled; mostly the next address lies in it, too. */
struct filled {
    const struct gp_stretch *stretch; /* NULL: there was none */
    double fill;
};

static void look_for_stretch(const struct gp_collector *c, uint32_t symbol, double offset, struct filled *last)
{
    const struct gp_stretch *s = last->stretch;
    if (s != NULL && s->symbol == symbol && s->low <= offset && offset < s->high)
        return;
    last->stretch = gp_stretches_at(c->near.stretches, c->near.stretch_count, symbol, offset);
    last->fill = last->stretch != NULL ? gp_stretch_fill(last->stretch) : 0;
}

/*
 * Whether the group, too, touches what is there and was not seen to: the iterations between those that were executed
 * fill a stretch, or step through it from where they were seen.
 */
static double touches_between(const struct gp_collector *c, const struct gp_unit_set *group, uint32_t symbol,
                              uint64_t offset, double step, struct gp_unit unit, struct filled *last)
{
    enum { STEPS = 16 };
    look_for_stretch(c, symbol, (double)(int64_t)offset, last);
    if (last->stretch == NULL || last->fill > 0 || step < unit.bytes)
        return last->fill;
    for (uint64_t i = 1; i <= STEPS; i++)
        if (gp_unit_set_has(group, symbol, gp_unit_of(unit, offset - i * (uint64_t)step)) ||
            gp_unit_set_has(group, symbol, gp_unit_of(unit, offset + i * (uint64_t)step)))
            return 1;
    return 0;
}

/* Whether touches_between() can be anything but 0 for what a footprint has of the symbol. */
static bool may_fill(const struct gp_collector *c, uint32_t symbol, const struct gp_footprint *f, bool steps)
{
    const struct gp_stretch *end = c->near.stretches + c->near.stretch_count;
    for (const struct gp_stretch *s =
             c->near.stretches + gp_stretches_from(c->near.stretches, c->near.stretch_count, symbol, (double)f->lowest);
         s < end && s->symbol == symbol && s->low <= (double)f->highest; s++)
        if (steps || gp_stretch_fill(s) > 0)
            return true;
    return false;
}

/* What is looked at: a set that it joins, and that of another group, if there is one. */
struct sets {
    struct gp_unit_set *probed;
    const struct gp_unit_set *group; /* or NULL */
};

/* Units side by side in the first set; most of an access's lie in the same few. */
struct side_by_side {
    uint32_t symbol;
    uint64_t number; /* of the first of them; not a multiple of GP_UNITS: none are */
    struct gp_units *units;
};

static struct gp_units *look_at(struct side_by_side *last, struct gp_unit_set *probed, uint32_t symbol, uint64_t number)
{
    uint64_t first = number / GP_UNITS * GP_UNITS;
    if (last->symbol != symbol || last->number != first)
        *last = (struct side_by_side){symbol, first, gp_unit_set_enter(probed, symbol, number)};
    return last->units;
}

/* Units of a footprint that are side by side in a set, and where it goes on behind them. */
struct bunch {
    uint32_t symbol;
    uint64_t number; /* as in side_by_side */
    uint64_t units;  /* a bit for each */
    uint32_t run, in_run;
};

/* False: there are no further ones. */
static bool next_bunch(const struct gp_footprint *f, struct bunch *b)
{
    if (b->run == f->count)
        return false;
    b->symbol = f->runs[b->run].symbol;
    b->number = (f->from + f->runs[b->run].first + b->in_run) / GP_UNITS * GP_UNITS;
    b->units = 0;
    while (b->run < f->count && f->runs[b->run].symbol == b->symbol) {
        uint64_t first = f->from + f->runs[b->run].first + b->in_run - b->number;
        if (first >= GP_UNITS)
            break;
        uint32_t rest = f->runs[b->run].count - b->in_run, most = GP_UNITS - (uint32_t)first,
                 some = rest < most ? rest : most;
        b->units |= gp_units_from((uint32_t)first, some);
        b->in_run += some;
        if (some < rest)
            break;
        b->run++;
        b->in_run = 0;
    }
    return true;
}

/* As probe_point(), where nothing goes on unseen. */
static double probe_bunches(struct sets sets, const struct gp_footprint *f, double *found)
{
    uint32_t all_fresh = 0, shared = 0;
    for (struct bunch b = {0}; next_bunch(f, &b);) {
        struct gp_units *probed = gp_unit_set_enter(sets.probed, b.symbol, b.number);
        uint64_t fresh = probed != NULL ? b.units & ~probed->present : b.units;
        if (fresh == 0)
            continue;
        if (probed != NULL)
            probed->present |= b.units;
        all_fresh += gp_lanes_in(fresh);
        const struct gp_units *group = sets.group != NULL ? gp_unit_set_find(sets.group, b.symbol, b.number) : NULL;
        shared += group != NULL ? gp_lanes_in(fresh & group->present) : 0;
    }
    *found += shared;
    return all_fresh;
}

static bool may_fill_any(const struct gp_collector *c, const struct gp_footprint *f, bool steps)
{
    for (uint32_t r = 0; r < f->count && (steps || c->near.some_filled); r++)
        if ((r == 0 || f->runs[r].symbol != f->runs[r - 1].symbol) && may_fill(c, f->runs[r].symbol, f, steps))
            return true;
    return false;
}

/*
 * Units that an access of a group touches for the first time, and of these what another group has touched, too. step:
 * by which that may have gone on unseen; negative: it was seen whole.
 */
static double probe_point(const struct gp_collector *c, struct sets sets, struct beside at,
                          const struct gp_footprint *f, double step, struct gp_unit unit, double *found)
{
    if (!gp_keyed_set_is_full(&sets.probed->units) && (sets.group == NULL || !may_fill_any(c, f, step >= unit.bytes)))
        return probe_bunches(sets, f, found);
    const uint8_t *lane = f->lanes;
    struct side_by_side last_units = {.number = 1};
    struct filled last = {0};
    uint32_t all_fresh = 0;
    for (uint32_t r = 0, some; r < f->count; r++)
        for (uint32_t i = 0; i < f->runs[r].count; i += some, lane += some) {
            uint32_t symbol = f->runs[r].symbol;
            uint64_t number = f->from + f->runs[r].first + i;
            uint64_t fresh =
                gp_units_add(look_at(&last_units, sets.probed, symbol, number), number, f->runs[r].count - i, &some);
            if (fresh == 0)
                continue;
            all_fresh += gp_lanes_in(fresh);
            if (sets.group == NULL)
                continue;
            const struct gp_units *group = gp_unit_set_find(sets.group, symbol, number);
            uint64_t present = group != NULL ? group->present >> number % GP_UNITS : 0;
            for (; fresh; fresh &= fresh - 1) {
                unsigned bit = (unsigned)__builtin_ctzll(fresh);
                *found += present >> bit & 1 ? 1
                                             : touches_between(c, sets.group, symbol,
                                                               gp_access_offset(at.access, lane[bit]) + (uint64_t)at.by,
                                                               step, unit, &last);
            }
        }
    return all_fresh;
}

/* Points that are listed, of so many runs. Where one that stands for many is, the group may have been in iterations
 * that were not looked at. */
static void probe_listed(struct gp_collector *c, struct sets sets, const struct gp_access *access,
                         const struct movement *m, const struct gp_skipped *list, double runs, struct gp_unit unit,
                         double *touched, double *shared)
{
    struct texels room;
    const double *met = list->met;
    for (uint32_t i = 0; i < list->count; i++) {
        const struct gp_point *point = &list->point[i];
        bool many = point->weight > 1;
        c->survey.surveyed[access->memory].between |= many;
        struct beside beside = gp_collector_beside(c, &room, m, access, point->beside);
        struct gp_footprint f = gp_footprint_beside(c->touch.footprints, beside.access, beside.by, unit, 1);
        double found = 0, fresh = probe_point(c, sets, beside, &f, -1, unit, &found);
        if (fresh == 0)
            continue;
        double times = runs * point->weight * (many ? 1 - met[GP_COMPANIONS_OWN] : 1);
        *touched += times * fresh;
        *shared += times * (many ? fmax(found, met[GP_COMPANIONS_NEXT] * fresh) : found);
    }
}

static double units_in(const struct gp_footprint *f)
{
    uint32_t units = 0;
    for (uint32_t r = 0; r < f->count; r++)
        units += f->runs[r].count;
    return units;
}

/*
 * Loops over outputs, and the warps of a group, read the same again and again: then all of it is in the set, and there
 * is nothing to look at. False: what an access touches has no short name.
 */
static bool is_named(const struct gp_collector *c, const struct gp_unit_set *set, const struct gp_access *access,
                     const struct movement *m, struct joined *name)
{
    unsigned first = (unsigned)__builtin_ctzll(access->active);
    if (m->source->coordinates > 0 || !(access->uniform || (access->one_symbol && access->distances != NULL)))
        return false;
    *name = (struct joined){.set = set,
                            .generation = set->units.generation,
                            .symbol = access->symbol[first],
                            .offset = access->offset[first]};
    if (!access->uniform) {
        name->distances = access->distances->id;
        name->active = access->active;
    }
    return gp_trajectories_gap(c->waits.trajectories, access->memory, m->trajectory, &name->gap);
}

static struct joined *place_of(const struct gp_collector *c, const struct joined *name)
{
    const uint64_t factor = UINT64_C(0x9e3779b97f4a7c15);
    uint64_t hash = (name->distances ^ name->active * factor) * factor +
                    (name->offset ^ (uint64_t)name->symbol << 32 ^ name->gap.skipped << 24 ^
                     (uint64_t)((const char *)name->set - (const char *)c));
    return &c->near.joined[(hash * factor >> 32) & (c->near.joined_count - 1)];
}

/* A set that is full takes nothing in, so that all is new. */
static bool has_joined(const struct joined *at, const struct joined *name)
{
    return at->set == name->set && at->generation == name->generation && at->symbol == name->symbol &&
           at->offset == name->offset && at->distances == name->distances && at->active == name->active &&
           at->gap.skipped == name->gap.skipped && at->gap.step == name->gap.step &&
           !gp_keyed_set_is_full(&name->set->units);
}

static void note_joined(struct gp_collector *c, const struct joined *name)
{
    enum { MOST_JOINED = 4096 };
    struct joined *at = place_of(c, name);
    c->near.joined_clashes += at->set != NULL && at->generation == at->set->units.generation;
    *at = *name;
    c->near.joined = gp_memo_grown(c->near.joined, &c->near.joined_count, MOST_JOINED, &c->near.joined_clashes,
                                   sizeof *c->near.joined);
}

/* The same of this access and all executions that it stands for. */
static void look_at_all(struct gp_collector *c, struct sets sets, const struct gp_access *access,
                        const struct movement *m, struct gp_unit unit, double *touched, double *shared)
{
    double found = 0;
    probe_listed(c, sets, access, m, gp_collector_list(c, m, unit.bytes, true), m->runs_before, unit, touched, shared);
    const struct gp_skipped *list = gp_collector_list(c, m, unit.bytes, false);
    probe_listed(c, sets, access, m, list, m->runs, unit, touched, shared);
    c->survey.surveyed[access->memory].between |=
        list->weight > 1 || (m->trajectory == GP_TRAJECTORY_PLAIN && access->weight > 1);
    bool stepped = m->trajectory == GP_TRAJECTORY_PLAIN && c->survey.surveyed[access->memory].skipped;
    struct gp_footprint f = gp_footprint_of(c->touch.footprints, access, unit, 1);
    struct gp_window window = {.unit = unit.bytes, .runs = f.stretches, .all = units_in(&f)};
    window.fresh = probe_point(c, sets, (struct beside){access, 0}, &f, stepped ? m->move.step : -1, unit, &found);
    if (window.fresh == 0)
        return;
    window.moved = gp_units_between(unit, m->from, access->offset[__builtin_ctzll(access->active)]);
    double fresh = m->trajectory == GP_TRAJECTORY_PLAIN ? gp_window_fresh(&m->move, &window)
                                                        : m->runs * list->weight * window.fresh;
    *touched += fresh;
    *shared += fresh * found / window.fresh;
}

static void probe_units(struct gp_collector *c, struct sets sets, const struct gp_access *access,
                        const struct movement *m, struct gp_unit unit, double *touched, double *shared)
{
    struct joined name;
    bool named = is_named(c, sets.probed, access, m, &name);
    const struct joined *at = named ? place_of(c, &name) : NULL;
    if (named && has_joined(at, &name)) {
        c->work->effort += at->effort;
        return;
    }
    uint64_t before = c->work->effort;
    look_at_all(c, sets, access, m, unit, touched, shared);
    name.effort = c->work->effort - before;
    if (named)
        note_joined(c, &name);
}

double gp_collector_new_units(struct gp_collector *c, struct gp_unit_set *set, const struct gp_access *access,
                              const struct movement *m, struct gp_unit unit)
{
    double touched = 0, shared = 0;
    probe_units(c, (struct sets){set, NULL}, access, m, unit, &touched, &shared);
    return touched;
}

/* ---- Buffers that are read and written --------------------------------------------------------------------------- */

typedef void see_lines(struct gp_collector *c, uint32_t memory, const struct gp_footprint *lines);

/* Lines that an access touches, and those listed before it. What was not looked at is in no set: ratios of what is
 * counted so tell. */
static void see_listed(struct gp_collector *c, const struct gp_access *access, const struct movement *m, see_lines *see)
{
    struct texels room;
    const struct gp_skipped *list = gp_collector_list(c, m, c->line.bytes, false);
    struct gp_footprint f;
    for (uint32_t i = 0; i < list->count; i++) {
        struct beside beside = gp_collector_beside(c, &room, m, access, list->point[i].beside);
        f = gp_footprint_beside(c->touch.footprints, beside.access, beside.by, c->line, 1);
        see(c, access->memory, &f);
    }
    f = gp_footprint_of(c->touch.footprints, access, c->line, 1);
    see(c, access->memory, &f);
}

static bool reads(const struct gp_memory *memory)
{
    return !gp_memory_writes(memory) || memory->flags & GP_MEMORY_ATOMIC;
}

/* Of the group whose neighbours are probed. */
static void keep_bunches(struct gp_collector *c, uint32_t memory, const struct gp_footprint *lines)
{
    for (struct bunch b = {0}; next_bunch(lines, &b);) {
        struct gp_units *read = gp_unit_set_enter(&c->near.read, b.symbol, b.number),
                        *written = gp_unit_set_enter(&c->near.written, b.symbol, b.number),
                        *stored = gp_unit_set_enter(&c->near.stored, b.symbol, b.number);
        if (read == NULL || written == NULL || stored == NULL)
            return;
        read->present |= reads(&c->kernel->memory[memory]) ? b.units : 0;
        if (!gp_memory_writes(&c->kernel->memory[memory]))
            continue;
        uint64_t first = b.units & ~written->present & ~read->present;
        written->present |= b.units;
        stored->present |= first;
        c->near.crossed[c->code.buffer_of[memory]].stored += gp_lanes_in(first);
    }
}

/* What the neighbour writes that the group does, too, or what it reads of what the group stores. */
static void probe_written(struct gp_collector *c, uint32_t memory, const struct gp_footprint *lines)
{
    uint32_t buffer = c->code.buffer_of[memory];
    struct probe *probe = &c->near.probes[buffer];
    if (gp_memory_writes(&c->kernel->memory[memory]) && c->near.probing == 0)
        probe->written +=
            probe_bunches((struct sets){&c->near.probed_written, &c->near.written}, lines, &probe->shared_written);
    if (reads(&c->kernel->memory[memory]))
        probe_bunches((struct sets){&c->near.read_elsewhere, &c->near.stored}, lines, &c->near.crossed[buffer].read);
}

/* ---- An access of the group, or of a neighbour ------------------------------------------------------------------- */

void gp_collector_probe(struct gp_collector *c, const struct gp_access *access, const struct movement *m)
{
    struct probe *probe = &c->near.probes[c->near.probing * c->buffer_count + c->code.buffer_of[access->memory]];
    if (!c->behind_first && c->near.probing == 0)
        gp_collector_begin(&c->near.next_began[access->memory], access);
    if (c->near.read_and_written[c->code.buffer_of[access->memory]])
        see_listed(c, access, m, probe_written);
    probe_units(c, (struct sets){&c->near.probed_words, &c->near.words}, access, m, gp_word, &probe->words,
                &probe->shared_words);
    probe_units(c, (struct sets){&c->near.probed_lines, &c->near.kept_lines}, access, m, c->line, &probe->lines,
                &probe->shared_lines);
}

/*
 * Bytes that each work-item has to itself of what it asks for. Where neighbours, or iterations, begin within it, it is
 * as much as they are apart: LLVM makes one unaligned access of a[i] and a[i + 1] for AMD's devices.
 */
static double bytes_to_itself(const struct gp_access *access, const struct movement *m, double width)
{
    gp_mask others = access->active & (access->active - 1);
    double step = m->trajectory != GP_TRAJECTORY_PLAIN ? fabs(m->move.step) : 0;
    if (step > 0)
        width = fmin(width, step);
    if (others == 0 || width <= gp_word.bytes)
        return fmax(gp_word.bytes, width);
    uint32_t first = (uint32_t)__builtin_ctzll(access->active), second = (uint32_t)__builtin_ctzll(others);
    int64_t apart = (int64_t)(gp_access_offset(access, second) - gp_access_offset(access, first));
    bool beside = apart != 0 && access->symbol[first] == access->symbol[second];
    return fmax(gp_word.bytes, beside ? fmin(width, (double)gp_size_of(apart)) : width);
}

/* Bytes that a work-item asks for count at the word where they begin. */
double gp_collector_keep_words(struct gp_collector *c, const struct gp_access *access, const struct movement *m)
{
    const struct gp_memory *memory = &c->kernel->memory[access->memory];
    double touched = gp_collector_new_units(c, &c->near.words, access, m, gp_word);
    if (c->near.read_and_written[c->code.buffer_of[access->memory]])
        see_listed(c, access, m, keep_bunches);
    if (!c->behind_first)
        gp_collector_begin(&c->near.began[access->memory], access);
    c->survey.surveyed[access->memory].skipped |= access->weight > 1;
    c->near.probes[c->code.buffer_of[access->memory]].words +=
        c->group_weight * bytes_to_itself(access, m, (double)memory->element_bytes * memory->vector) * touched;
    return touched;
}
