/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/observe/skipped_iterations.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/value/inst_facts.h"

/*
 * Points that are listed at a time: up to most of them where that is all, in a kernel with few operations in loops
 * more; else a quarter, but at least the least number, and the fewest where there are so many operations that not two
 * each would be all.
 */
enum {
    MOST_LEVELS = 4,
    MOST_ALIKE = 64,
    LEAST_ALIKE = 8,
    FEWEST_ALIKE = 4,
    ALL_ALIKE = 256,
    MOST_WITHIN = GP_MOST_SKIPPED / 4
};

/* Bytes that no array reaches: what moves so far in an iteration has wrapped around. */
#define FAR (INT64_C(1) << 40)

/* One loop around a memory operation. */
struct level {
    uint64_t position, least, most; /* iteration: now; of those seen or known to come */
    uint64_t behind;                /* the last iteration in which the operation was, of its loop's the fewest seen */
    int64_t step;                   /* bytes per iteration */
    bool known;                     /* step */
};

/* From one execution to the next: iterations that were left out. */
struct jump {
    uint32_t level;
    uint64_t skipped; /* 0: none, or they are not known */
    bool last;        /* it led to an iteration that stands for itself only: one of the loop's last */
    uint64_t offset;  /* where it led */
    uint64_t position[MOST_LEVELS];
    uint64_t trips[MOST_LEVELS], trips_before[MOST_LEVELS]; /* of the loops, there and where it came from; 0: unknown */
    bool compared;                                          /* met[] is known, as gp_skipped has it */
    double met[GP_COMPANIONS_COUNT];
};

/* Where an operation in loops was first, and how these moved it since. */
struct path {
    bool seen;
    struct gp_place first;
    struct level level[MOST_LEVELS]; /* from the innermost loop */
};

struct trajectory {
    uint32_t warp; /* whose it is: nothing is seen yet of the one at hand unless it is that */
    struct path path;
    bool bent;                /* not linear */
    struct gp_place place;    /* now */
    struct jump jump, before; /* to there, and the one before that */
};

struct gp_trajectories {
    uint32_t memory_count;
    uint32_t *loop;   /* [memory operations][MOST_LEVELS] */
    uint32_t *depth;  /* loops around each; 0 also where there are more than MOST_LEVELS */
    uint32_t *number; /* of each among those in loops, that have a path */
    uint32_t path_count;
    struct trajectory *trajectory;            /* [path_count] */
    uint32_t warp;                            /* number of the one at hand */
    uint64_t executions;                      /* seen so far */
    struct path **kept[GP_COMPANIONS_COUNT];  /* [companions][path_count]; NULL: none was kept there so far */
    uint32_t companions;                      /* of each kind at most */
    uint32_t kept_count[GP_COMPANIONS_COUNT]; /* of these, compared with */
    uint32_t most_alike;
};

static void find_loops(struct gp_trajectories *c, const struct gp_kernel *kernel)
{
    gp_memory_loops(kernel, c->depth);
    for (uint32_t m = 0; m < kernel->memory_count; m++) {
        uint32_t depth = 0;
        for (uint32_t l = c->depth[m]; l != GP_NONE; l = kernel->loops[l].parent, depth++)
            if (depth < MOST_LEVELS)
                c->loop[m * MOST_LEVELS + depth] = l;
        c->depth[m] = depth <= MOST_LEVELS ? depth : 0;
        c->number[m] = c->path_count;
        c->path_count += c->depth[m] > 0;
    }
}

struct gp_trajectories *gp_trajectories_new(const struct gp_kernel *kernel, uint32_t companions)
{
    struct gp_trajectories *c = calloc(1, sizeof *c);
    c->memory_count = kernel->memory_count;
    c->companions = companions;
    c->loop = calloc((size_t)kernel->memory_count + 1, MOST_LEVELS * sizeof *c->loop);
    c->depth = calloc((size_t)kernel->memory_count + 1, sizeof *c->depth);
    c->number = calloc((size_t)kernel->memory_count + 1, sizeof *c->number);
    find_loops(c, kernel);
    c->trajectory = calloc((size_t)c->path_count + 1, sizeof *c->trajectory);
    for (int i = 0; i < GP_COMPANIONS_COUNT; i++)
        c->kept[i] = calloc((size_t)companions + 1, sizeof *c->kept[i]);
    uint32_t each = ALL_ALIKE / (c->path_count + 1);
    c->most_alike = each < 2 ? FEWEST_ALIKE : each < LEAST_ALIKE ? LEAST_ALIKE : each < MOST_ALIKE ? each : MOST_ALIKE;
    return c;
}

void gp_trajectories_free(struct gp_trajectories *trajectories)
{
    if (trajectories == NULL)
        return;
    free(trajectories->loop);
    free(trajectories->depth);
    free(trajectories->trajectory);
    free(trajectories->number);
    for (int i = 0; i < GP_COMPANIONS_COUNT; i++) {
        for (uint32_t k = 0; trajectories->kept[i] && k < trajectories->companions; k++)
            free(trajectories->kept[i][k]);
        free(trajectories->kept[i]);
    }
    free(trajectories);
}

void gp_trajectories_start(struct gp_trajectories *trajectories, const uint32_t count[GP_COMPANIONS_COUNT])
{
    trajectories->warp++;
    memcpy(trajectories->kept_count, count, sizeof trajectories->kept_count);
}

/* Of an operation in loops. */
static struct trajectory *trajectory_of(const struct gp_trajectories *trajectories, uint32_t memory)
{
    return &trajectories->trajectory[trajectories->number[memory]];
}

/* Few of the companions that there may be are kept, and of a large kernel each has megabytes. */
void gp_trajectories_keep(struct gp_trajectories *trajectories, enum gp_companions companions, uint32_t number)
{
    struct path **kept = &trajectories->kept[companions][number];
    if (*kept == NULL)
        *kept = malloc(((size_t)trajectories->path_count + 1) * sizeof **kept);
    for (uint32_t i = 0; i < trajectories->path_count; i++)
        if (trajectories->trajectory[i].warp == trajectories->warp)
            (*kept)[i] = trajectories->trajectory[i].path;
        else
            (*kept)[i].seen = false;
}

/* From where the operation was: one loop's step may be new, the others must have taken it here. */
static bool learn(struct trajectory *trajectory, uint32_t depth, const uint64_t *position, uint64_t offset)
{
    int64_t rest = (int64_t)(offset - trajectory->place.offset), moved = 0;
    struct level *unknown = NULL;
    for (uint32_t i = 0; i < depth; i++) {
        struct level *level = &trajectory->path.level[i];
        int64_t by = (int64_t)(position[i] - level->position);
        if (level->known) {
            rest = (int64_t)((uint64_t)rest - (uint64_t)by * (uint64_t)level->step);
        } else if (by != 0) {
            if (unknown != NULL)
                return false;
            unknown = level;
            moved = by;
        }
    }
    if (unknown == NULL || rest > FAR || rest < -FAR)
        return rest == 0;
    unknown->step = rest / moved;
    unknown->known = rest % moved == 0;
    return unknown->known;
}

static void move_to(struct trajectory *trajectory, uint32_t depth, const struct jump *to, const struct gp_place *place)
{
    const uint64_t *position = to->position;
    for (uint32_t i = 0; i < depth; i++) {
        struct level *level = &trajectory->path.level[i];
        uint64_t behind = to->trips[i] > position[i] ? to->trips[i] - 1 - position[i] : 0;
        level->position = position[i];
        level->least = !trajectory->path.seen || position[i] < level->least ? position[i] : level->least;
        level->behind = !trajectory->path.seen || behind < level->behind ? behind : level->behind;
        uint64_t last = position[i] + behind - level->behind; /* also where this run of the loop has yet to come to */
        level->most = !trajectory->path.seen || last > level->most ? last : level->most;
    }
    if (!trajectory->path.seen)
        trajectory->path.first = *place;
    trajectory->path.seen = true;
    trajectory->place = *place;
}

bool gp_trajectories_goes_ahead(const struct gp_trajectories *trajectories, uint32_t memory, uint32_t other,
                                int64_t *bytes)
{
    uint32_t depth = trajectories->depth[memory];
    if (depth == 0 || trajectories->depth[other] != depth)
        return false;
    const struct trajectory *behind = trajectory_of(trajectories, memory), *ahead = trajectory_of(trajectories, other);
    if (behind->warp != trajectories->warp || ahead->warp != trajectories->warp || behind->bent || ahead->bent ||
        !behind->path.seen || !ahead->path.seen)
        return false;
    if (behind->path.first.symbol != ahead->path.first.symbol || behind->path.first.shape != ahead->path.first.shape)
        return false;
    for (uint32_t i = 0; i < depth; i++) {
        const struct level *a = &behind->path.level[i], *b = &ahead->path.level[i];
        if (trajectories->loop[memory * MOST_LEVELS + i] != trajectories->loop[other * MOST_LEVELS + i] ||
            (a->known && b->known && a->step != b->step))
            return false;
    }
    const struct level *on = &behind->path.level[behind->jump.level];
    *bytes = (int64_t)(ahead->path.first.offset - behind->path.first.offset);
    return on->known && ahead->path.level[behind->jump.level].known && on->step != 0 && *bytes % on->step == 0 &&
           *bytes / on->step >= 1;
}

/* Iterations have names that differ by as much as they lie apart, in each loop by another number. */
static uint32_t turns(uint32_t level, int64_t iterations)
{
    static const uint32_t factors[MOST_LEVELS] = {1, 0x9e3779b1, 0x85ebca6b, 0xc2b2ae35};
    return factors[level] * (uint32_t)iterations;
}

static uint32_t turn_of(uint32_t depth, const struct jump *jump)
{
    uint32_t turn = 0;
    for (uint32_t i = 0; i < depth; i++)
        turn += turns(i, (int64_t)jump->position[i]);
    return turn;
}

uint32_t gp_trajectories_turn(const struct gp_trajectories *trajectories, uint32_t memory)
{
    uint32_t depth = trajectories->depth[memory];
    const struct trajectory *trajectory = trajectory_of(trajectories, memory);
    return depth > 0 && trajectory->warp == trajectories->warp ? turn_of(depth, &trajectory->jump) : 0;
}

/* Iterations from one point to the next, so that none is more than a unit on. */
static uint64_t stride_of(const struct level *level, double unit)
{
    double step = level->step < 0 ? -(double)level->step : (double)level->step;
    if (step >= unit)
        return 1;
    return step > 0 ? (uint64_t)(unit / step) : UINT64_MAX / 2;
}

/* Points of a level that turns: its least iteration, every stride-th behind it, its most. */
static uint64_t points_to(const struct level *level, uint64_t most, double unit)
{
    uint64_t stride = stride_of(level, unit), last = most - level->least;
    return last / stride + (last % stride != 0) + 1;
}

static uint64_t points_of(const struct level *level, double unit) { return points_to(level, level->most, unit); }

/*
 * Behind the last iteration of a level in one that a jump left out, `back` before where it led: loops in triangles go
 * round more often from one to the next, or less, evenly.
 */
static uint64_t end_of(const struct trajectory *trajectory, const struct jump *jump, uint32_t level, uint64_t back)
{
    const struct level *inner = &trajectory->path.level[level];
    double there = (double)jump->trips[level], before = (double)jump->trips_before[level];
    if (there <= 0 || before <= 0 || there == before || !inner->known)
        return inner->most + 1;
    double trips = there + (before - there) * (double)back / (double)(jump->skipped + 1);
    return (uint64_t)fmax(0, floor(trips + 0.5) - (double)inner->behind);
}

static void append(struct gp_skipped *skipped, struct gp_point point)
{
    if (skipped->count < GP_MOST_SKIPPED)
        skipped->point[skipped->count++] = point;
}

/* All iterations of the loops within level `level`, which itself is `at` from here and `back` iterations of the jump's
 * loop before where that led; but that where these loops were after the jump. */
static void append_within(struct gp_skipped *skipped, const struct trajectory *trajectory, const struct jump *jump,
                          uint32_t level, uint64_t back, struct gp_point at, bool there, double unit)
{
    if (level == 0) {
        if (!there)
            append(skipped, at);
        return;
    }
    const struct level *inner = &trajectory->path.level[level - 1];
    uint64_t end = end_of(trajectory, jump, level - 1, back), stride = stride_of(inner, unit),
             points = end > inner->least ? points_to(inner, end - 1, unit) : 0;
    for (uint64_t i = 0; i < points; i++) {
        uint64_t position = i + 1 < points ? inner->least + i * stride : end - 1;
        int64_t by = (int64_t)(position - jump->position[level - 1]);
        append_within(skipped, trajectory, jump, level - 1, back,
                      (struct gp_point){at.beside + by * inner->step, at.weight, at.turn + turns(level - 1, by)},
                      there && by == 0, unit);
    }
}

/* Points of the loops within a level; 0: one of them moves it nobody knows how far. */
static uint64_t inner_points(const struct trajectory *trajectory, uint32_t level, double unit)
{
    uint64_t points = 1;
    for (uint32_t i = 0; i < level; i++) {
        const struct level *inner = &trajectory->path.level[i];
        if (inner->most > inner->least && !inner->known)
            return 0;
        uint64_t own = inner->most > inner->least ? points_of(inner, unit) : 1;
        points = own > GP_MOST_SKIPPED ? own : points * own;
        if (points > GP_MOST_SKIPPED)
            return points;
    }
    return points;
}

/* Iterations that a level leaves out are listed, and what the loops within it do in them; not those that go the same
 * way again, which the executed ones tell of. */
static bool is_listed(const struct trajectory *trajectory, uint32_t level, double unit)
{
    uint64_t within = trajectory->path.level[level].known && trajectory->path.level[level].step != 0
                          ? inner_points(trajectory, level, unit)
                          : 0;
    return within > 0 && within <= MOST_WITHIN;
}

enum gp_trajectory gp_trajectories_see(struct gp_trajectories *trajectories, const struct gp_executor *executor,
                                       uint32_t memory, const struct gp_place *place, double unit, double *stands_for)
{
    const uint32_t *loop = &trajectories->loop[memory * MOST_LEVELS];
    uint32_t depth = trajectories->depth[memory], outermost = depth;
    trajectories->executions++;
    if (depth == 0)
        return GP_TRAJECTORY_PLAIN;
    struct trajectory *trajectory = trajectory_of(trajectories, memory);
    if (trajectory->warp != trajectories->warp)
        *trajectory = (struct trajectory){.warp = trajectories->warp};
    struct jump jump = {.offset = place->offset};
    uint64_t from = 0;
    for (uint32_t i = 0; i < depth; i++) {
        jump.position[i] = gp_executor_position(executor, loop[i]);
        jump.trips[i] = gp_executor_trips(executor, loop[i]);
        jump.trips_before[i] = trajectory->jump.trips[i];
    }
    bool from_here =
        trajectory->path.seen && trajectory->place.symbol == place->symbol && trajectory->place.shape == place->shape;
    if (from_here && !trajectory->bent)
        trajectory->bent = !learn(trajectory, depth, jump.position, place->offset);
    while (outermost > 0 && jump.position[outermost - 1] == trajectory->path.level[outermost - 1].position)
        outermost--;
    if (outermost > 0)
        from = trajectory->path.level[outermost - 1].position;
    move_to(trajectory, depth, &jump, place);
    trajectory->before = trajectory->jump;
    trajectory->jump = jump;
    if (!from_here || trajectory->bent || outermost == 0 || jump.position[outermost - 1] < from ||
        !trajectory->path.level[outermost - 1].known) {
        trajectory->before.skipped = 0;
        return GP_TRAJECTORY_PLAIN;
    }
    trajectory->jump.level = outermost - 1;
    trajectory->jump.skipped = jump.position[outermost - 1] - from - 1;
    trajectory->jump.last = gp_executor_stands_for(executor, loop[outermost - 1]) == 1;
    *stands_for = 1;
    for (uint32_t i = trajectory->jump.level; i < depth; i++)
        if (i == trajectory->jump.level || is_listed(trajectory, i, unit))
            *stands_for *= gp_executor_stands_for(executor, loop[i]);
    return trajectory->jump.skipped > 0 ? GP_TRAJECTORY_SKIPPED : GP_TRAJECTORY_NEXT;
}

/* Which iterations are listed: how many points, how many iterations from one to the next; the last point is one such
 * stride before the execution itself. */
struct points {
    uint64_t count, stride;
};

static struct points choose(const struct trajectory *trajectory, const struct jump *jump, uint64_t most, double unit)
{
    uint64_t stride = stride_of(&trajectory->path.level[jump->level], unit), between = jump->skipped + 1,
             within = inner_points(trajectory, jump->level, unit);
    if (within > 1 && within <= MOST_WITHIN && most > GP_MOST_SKIPPED / within)
        most = GP_MOST_SKIPPED / within;
    stride = stride < between ? stride : between;
    uint64_t count = between / stride - (between % stride == 0);
    uint64_t few = most / 4 > LEAST_ALIKE ? most / 4 : most < LEAST_ALIKE ? most : LEAST_ALIKE;
    return (struct points){count <= most ? count : few, stride};
}

/* Some points in the middle stand for so many each, those behind them for `end`, those before for none. */
struct shares {
    uint64_t first, behind;
    double each, end;
};

static struct shares share_out(struct points points, double all, bool last)
{
    enum { FEW = 4 };
    uint64_t first = points.count >= FEW, behind = points.count >= FEW ? points.count / 2 + 1 : points.count;
    double ends = last ? (double)(points.count - behind) + 1 : 0;
    return (struct shares){first, behind, (all - ends) / (double)(behind - first), last};
}

/* Of the iterations of a jump the share in which another warp, which began elsewhere, was where this one is, in
 * iterations of its own. */
static double share_met(const struct path *path, const struct jump *jump, const struct path *other)
{
    const struct level *own = &path->level[jump->level], *its = &other->level[jump->level];
    if (!other->seen || other->first.symbol != path->first.symbol || other->first.shape != path->first.shape ||
        own->step == 0 || !its->known || its->step != own->step)
        return 0;
    int64_t apart = (int64_t)(path->first.offset - other->first.offset);
    if (apart > FAR || apart < -FAR || apart % own->step != 0)
        return 0;
    double from = (double)(apart / own->step) + (double)(jump->position[jump->level] - jump->skipped),
           to = from + (double)jump->skipped;
    double low = fmax(from, (double)its->least), high = fmin(to, (double)its->most);
    return high > low ? (high - low) / (to - from) : 0;
}

static double most_met(const struct gp_trajectories *trajectories, uint32_t memory, const struct jump *jump,
                       enum gp_companions companions)
{
    double met = 0;
    for (uint32_t i = 0; i < trajectories->kept_count[companions] && met < 1; i++) {
        const struct path *other = trajectories->kept[companions][i];
        double share = other != NULL ? share_met(&trajectory_of(trajectories, memory)->path, jump,
                                                 &other[trajectories->number[memory]])
                                     : 0;
        met = share > met ? share : met;
    }
    return met;
}

/* Companions' trajectories do not change while a warp runs. */
static void compare(const struct gp_trajectories *trajectories, uint32_t memory, struct jump *jump)
{
    for (int i = 0; !jump->compared && i < GP_COMPANIONS_COUNT; i++)
        jump->met[i] = most_met(trajectories, memory, jump, (enum gp_companions)i);
    jump->compared = true;
}

/* What each of the points stands for. */
static struct shares start_list(const struct gp_trajectories *trajectories, uint32_t memory, struct points points,
                                struct jump *jump, struct gp_skipped *skipped)
{
    uint64_t all = jump->skipped + 1, covered = (points.count + 1) * points.stride;
    bool whole = covered + points.stride > all;
    skipped->count = 0;
    if (!whole)
        compare(trajectories, memory, jump);
    for (int i = 0; i < GP_COMPANIONS_COUNT; i++)
        skipped->met[i] = whole ? 0 : jump->met[i];
    skipped->iterations = all;
    skipped->covered = whole ? all : covered;
    skipped->points = whole ? (double)points.count + 1 : (double)all / (double)points.stride;
    struct shares shares =
        whole ? (struct shares){0, points.count, 1, 1} : share_out(points, skipped->points, jump->last);
    skipped->weight = points.count > 0 ? shares.end : skipped->points;
    return shares;
}

static double share_of(const struct shares *shares, uint64_t point)
{
    return point < shares->first ? 0 : point < shares->behind ? shares->each : shares->end;
}

void gp_trajectories_list(struct gp_trajectories *trajectories, uint32_t memory, double unit,
                          struct gp_skipped *skipped)
{
    struct trajectory *trajectory = trajectory_of(trajectories, memory);
    struct jump *jump = &trajectory->jump;
    struct points points = choose(trajectory, jump, trajectories->most_alike, unit);
    if (skipped->execution == trajectories->executions && skipped->count == points.count &&
        skipped->stride == points.stride)
        return;
    struct shares shares = start_list(trajectories, memory, points, jump, skipped);
    uint32_t turn = turn_of(trajectories->depth[memory], jump);
    skipped->execution = trajectories->executions;
    skipped->stride = points.stride;
    for (uint64_t i = 0, back = skipped->covered - points.stride; i < points.count; i++, back -= points.stride)
        append(skipped, (struct gp_point){-(int64_t)back * trajectory->path.level[jump->level].step,
                                          share_of(&shares, i), turn - turns(jump->level, (int64_t)back)});
}

bool gp_trajectories_gap(const struct gp_trajectories *trajectories, uint32_t memory, enum gp_trajectory at,
                         struct gp_gap *gap)
{
    *gap = (struct gp_gap){0, 0};
    if (at == GP_TRAJECTORY_PLAIN)
        return true;
    const struct trajectory *trajectory = trajectory_of(trajectories, memory);
    if (at == GP_TRAJECTORY_SKIPPED)
        *gap = (struct gp_gap){trajectory->jump.skipped, trajectory->path.level[0].step};
    return (at == GP_TRAJECTORY_NEXT || trajectory->jump.level == 0) &&
           (trajectory->before.skipped == 0 || trajectory->before.level == 0);
}

void gp_skipped_nothing(struct gp_skipped *skipped)
{
    skipped->iterations = skipped->covered = 1;
    skipped->points = skipped->weight = 1;
    skipped->count = 0;
    skipped->execution = 0;
}

void gp_trajectories_list_within(struct gp_trajectories *trajectories, uint32_t memory, double unit,
                                 struct gp_skipped *skipped)
{
    struct trajectory *trajectory = trajectory_of(trajectories, memory);
    struct jump *jump = &trajectory->before;
    gp_skipped_nothing(skipped);
    if (jump->skipped == 0 || !is_listed(trajectory, jump->level, unit) ||
        inner_points(trajectory, jump->level, unit) == 1)
        return;
    struct points points = choose(trajectory, jump, trajectories->most_alike, unit);
    struct shares shares = start_list(trajectories, memory, points, jump, skipped);
    int64_t from_here = (int64_t)(jump->offset - trajectory->place.offset);
    uint32_t turn = turn_of(trajectories->depth[memory], jump);
    for (uint64_t i = 0, back = skipped->covered - points.stride; i < points.count; i++, back -= points.stride) {
        struct gp_point at = {from_here - (int64_t)back * trajectory->path.level[jump->level].step,
                              share_of(&shares, i), turn - turns(jump->level, (int64_t)back)};
        append_within(skipped, trajectory, jump, jump->level, back, at, true, unit);
    }
}
