/* What a group's neighbours touch of the lines and words that it touches itself. */
#include "model/collect_internal.h"

#include <math.h>

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
    last->stretch = gp_stretches_at(c->stretches, c->stretch_count, symbol, offset);
    last->fill = last->stretch != NULL ? gp_stretch_fill(last->stretch) : 0;
}

/*
 * Whether the group, too, touches what is there and was not seen to: the iterations between those that were executed fill a stretch, or step through it from where
 * they were seen.
 */
static double touches_between(const struct gp_collector *c, const struct gp_unit_set *group, uint32_t symbol, uint64_t offset, double step, struct gp_unit unit,
                              struct filled *last)
{
    enum { STEPS = 16 };
    look_for_stretch(c, symbol, (double)(int64_t)offset, last);
    if (last->stretch == NULL || last->fill > 0 || step < unit.bytes)
        return last->fill;
    for (uint64_t i = 1; i <= STEPS; i++)
        if (gp_unit_set_has(group, symbol, gp_unit_of(unit, offset - i * (uint64_t)step)) || gp_unit_set_has(group, symbol, gp_unit_of(unit, offset + i * (uint64_t)step)))
            return 1;
    return 0;
}

/* Units side by side that are looked at, in two sets: most of an access's lie in the same few. */
struct both {
    uint32_t symbol;
    uint64_t number;                /* of the first of them; not a multiple of GP_UNITS: none are */
    struct gp_units *probed;
    const struct gp_units *group;   /* NULL: the group has none of them, or there is none */
};

static void look_at(struct both *b, struct gp_unit_set *probed, const struct gp_unit_set *group, uint32_t symbol, uint64_t number)
{
    uint64_t first = number / GP_UNITS * GP_UNITS;
    if (b->symbol == symbol && b->number == first)
        return;
    *b = (struct both){symbol, first, gp_unit_set_enter(probed, symbol, number), group != NULL ? gp_unit_set_find(group, symbol, number) : NULL};
}

/*
 * What an access of a group touches for the first time (window.fresh), and of that what another group, if there is one, has touched, too. step: by which that may have gone on unseen;
 * negative: it was seen whole.
 */
static struct gp_window probe_point(const struct gp_collector *c, struct gp_unit_set *probed, const struct gp_unit_set *group, struct beside at,
                                    double step, struct gp_unit unit, double *found)
{
    struct gp_footprint f = gp_footprint_beside(c->footprints, at.access, at.by, unit, 1);
    struct gp_window window = {.unit = unit.bytes, .runs = f.stretches};
    const uint8_t *lane = f.lanes;
    struct both both = {.number = 1};
    struct filled last = {0};
    for (uint32_t r = 0, some; r < f.count; r++)
        for (uint32_t i = 0; i < f.runs[r].count; i += some, lane += some) {
            uint32_t symbol = f.runs[r].symbol;
            uint64_t number = f.from + f.runs[r].first + i;
            look_at(&both, probed, group, symbol, number);
            uint64_t fresh = gp_units_add(both.probed, number, f.runs[r].count - i, &some), present;
            window.all += some;
            if (fresh == 0)
                continue;
            window.fresh += gp_lanes_in(fresh);
            if (group == NULL)
                continue;
            present = both.group != NULL ? both.group->present >> number % GP_UNITS : 0;
            for (; fresh; fresh &= fresh - 1) {
                unsigned bit = (unsigned)__builtin_ctzll(fresh);
                *found += present >> bit & 1 ? 1 : touches_between(c, group, symbol, gp_access_offset(at.access, lane[bit]) + (uint64_t)at.by, step, unit, &last);
            }
        }
    return window;
}

/* Points that are listed, of so many runs. Where one that stands for many is, the group may have been in iterations that were not looked at. */
static void probe_listed(struct gp_collector *c, struct gp_unit_set *probed, const struct gp_unit_set *group, const struct gp_access *access, const struct movement *m,
                         double runs, struct gp_unit unit, double *touched, double *shared)
{
    struct texels room;
    const double *met = c->left_out.met;
    for (uint32_t i = 0; i < c->left_out.count; i++) {
        const struct gp_point *point = &c->left_out.point[i];
        bool many = point->weight > 1;
        struct beside beside = gp_collector_beside(c, &room, m, access, point->beside);
        double found = 0, fresh = probe_point(c, probed, group, beside, -1, unit, &found).fresh;
        double times = runs * point->weight * (many ? 1 - met[GP_COMPANIONS_OWN] : 1);
        *touched += times * fresh;
        *shared += times * (many ? fmax(found, met[GP_COMPANIONS_NEXT] * fresh) : found);
    }
}

/* The same of this access and all executions that it stands for. */
static void probe_units(struct gp_collector *c, struct gp_unit_set *probed, const struct gp_unit_set *group, const struct gp_access *access,
                        const struct movement *m, struct gp_unit unit, double *touched, double *shared)
{
    double found = 0;
    gp_collector_list(c, m, unit.bytes, true);
    probe_listed(c, probed, group, access, m, m->runs_before, unit, touched, shared);
    gp_collector_list(c, m, unit.bytes, false);
    probe_listed(c, probed, group, access, m, m->runs, unit, touched, shared);
    bool stepped = m->course == GP_COURSE_PLAIN && c->surveyed[access->memory].left_out;
    struct gp_window window = probe_point(c, probed, group, (struct beside){access, 0}, stepped ? m->slide.step : -1, unit, &found);
    if (window.fresh == 0)
        return;
    window.moved = gp_units_between(unit, m->from, access->offset[__builtin_ctzll(access->active)]);
    double fresh = m->course == GP_COURSE_PLAIN ? gp_slide_fresh(&m->slide, &window) : m->runs * c->left_out.weight * window.fresh;
    *touched += fresh;
    *shared += fresh * found / window.fresh;
}

double gp_collector_new_units(struct gp_collector *c, struct gp_unit_set *set, const struct gp_access *access, const struct movement *m, struct gp_unit unit)
{
    double touched = 0, shared = 0;
    probe_units(c, set, NULL, access, m, unit, &touched, &shared);
    return touched;
}

void gp_collector_probe(struct gp_collector *c, const struct gp_access *access, const struct movement *m)
{
    struct probe *probe = &c->probes[c->buffer_of[access->memory]];
    probe_units(c, &c->probed_words, &c->words, access, m, gp_word, &probe->words, &probe->shared_words);
    probe_units(c, &c->probed_lines, &c->kept_lines, access, m, c->line, &probe->lines, &probe->shared_lines);
}

/* Bytes that a work-item asks for count at the word where they begin. */
double gp_collector_keep_words(struct gp_collector *c, const struct gp_access *access, const struct movement *m)
{
    const struct gp_memory *memory = &c->kernel->memory[access->memory];
    double touched = gp_collector_new_units(c, &c->words, access, m, gp_word);
    c->surveyed[access->memory].left_out |= access->weight > 1;
    c->probes[c->buffer_of[access->memory]].words += c->group_weight * fmax(gp_word.bytes, (double)memory->element_bytes * memory->vector) * touched;
    return touched;
}
