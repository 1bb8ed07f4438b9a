/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How addresses go on: steps from iteration to iteration, and streams from a start that is not known. */
#include "model/observe/address_streams.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/value/inst_facts.h"
#include "model/value/operand_walk.h"
#include "model/value/refs.h"

/* ---- Steps ------------------------------------------------------------------------------------------------------- */

struct place {
    bool valid;
    uint32_t symbol;
    uint64_t offset, skips;
    uint64_t inner_skips; /* of the innermost loop */
    bool jumped;          /* that had skipped iterations since the last time */
    double step;          /* bytes; negative: not known */
};

struct gp_steps {
    const struct gp_kernel *kernel;
    uint32_t *loop;     /* the innermost one around each memory operation; GP_NONE */
    struct place *last; /* where each memory operation was */
    uint64_t *skips;    /* of each loop, so far */
};

struct gp_steps *gp_steps_new(const struct gp_kernel *kernel)
{
    struct gp_steps *s = calloc(1, sizeof *s);
    s->kernel = kernel;
    s->loop = calloc((size_t)kernel->memory_count + 1, sizeof *s->loop);
    s->last = calloc((size_t)kernel->memory_count + 1, sizeof *s->last);
    s->skips = calloc((size_t)kernel->loop_count + 1, sizeof *s->skips);
    gp_memory_loops(kernel, s->loop);
    return s;
}

void gp_steps_free(struct gp_steps *steps)
{
    if (steps == NULL)
        return;
    free(steps->loop);
    free(steps->last);
    free(steps->skips);
    free(steps);
}

void gp_steps_start(struct gp_steps *steps)
{
    for (uint32_t m = 0; m < steps->kernel->memory_count; m++)
        steps->last[m] = (struct place){.step = -1};
    memset(steps->skips, 0, steps->kernel->loop_count * sizeof *steps->skips);
}

void gp_steps_skip(struct gp_steps *steps, uint32_t loop) { steps->skips[loop]++; }

/* Skips of the loops around a memory operation so far: the same number at two visits means consecutive iterations. */
static uint64_t skips_around(const struct gp_steps *steps, uint32_t innermost)
{
    uint64_t skips = 0;
    for (uint32_t l = innermost; l != GP_NONE; l = steps->kernel->loops[l].parent)
        skips += steps->skips[l];
    return skips;
}

double gp_steps_see(struct gp_steps *steps, uint32_t memory, uint32_t symbol, uint64_t offset)
{
    struct place *last = &steps->last[memory];
    uint32_t loop = steps->loop[memory];
    uint64_t skips = skips_around(steps, loop);
    if (last->valid && last->skips == skips && last->symbol == symbol)
        last->step = fabs((double)(int64_t)(offset - last->offset));
    uint64_t inner_skips = loop != GP_NONE ? steps->skips[loop] : 0;
    *last = (struct place){true,
                           symbol,
                           offset,
                           skips,
                           inner_skips,
                           last->valid && last->inner_skips != inner_skips,
                           last->valid ? last->step : -1};
    return last->step;
}

bool gp_steps_jumped(const struct gp_steps *steps, uint32_t memory) { return steps->last[memory].jumped; }

/* ---- Walks ------------------------------------------------------------------------------------------------------- */

enum { MOST_PARTS = 6, MOST_MOVES = 3, DEEPEST = 24, MOST_COMPARED = 64 };

struct part {
    gp_ref value;
    int64_t factor;
};
struct move {
    uint32_t loop;
    int64_t step;
}; /* bytes per iteration */

/* parts + offset + moves: the parts are values that nobody takes apart, in ascending order. */
struct sum {
    struct part parts[MOST_PARTS];
    struct move moves[MOST_MOVES]; /* an outer loop's before an inner one's */
    uint32_t part_count, move_count;
    int64_t offset;
    uint32_t left; /* values that are looked at yet */
    bool failed;
};

/* A memory operation. `asked`: what gp_walks_asked() said of `period` bytes; 0: it was not asked. */
struct walker {
    bool looked, walks;
    uint32_t walk, width, period, asked;
    struct sum sum;
};

/* What its operations have in common, and what they touched since the start: bytes low to high from there. */
struct walk {
    uint32_t root_loop;  /* the start is another one in each of its iterations; GP_NONE: one for the whole warp */
    uint64_t key, start; /* of the start at hand */
    int64_t low, high;
    uint32_t loop;     /* that moved it last; GP_NONE */
    uint64_t position; /* of that loop then */
};

struct gp_walks {
    const struct gp_kernel *kernel;
    struct walker *walkers;      /* [memory_count] */
    struct walk *walks;          /* by the number of its first operation */
    uint32_t *first, walk_count; /* these numbers */
    uint64_t starts;
};

struct gp_walks *gp_walks_new(const struct gp_kernel *kernel)
{
    struct gp_walks *w = calloc(1, sizeof *w);
    w->kernel = kernel;
    w->walkers = calloc((size_t)kernel->memory_count + 1, sizeof *w->walkers);
    w->walks = calloc((size_t)kernel->memory_count + 1, sizeof *w->walks);
    w->first = calloc((size_t)kernel->memory_count + 1, sizeof *w->first);
    return w;
}

void gp_walks_free(struct gp_walks *walks)
{
    if (walks == NULL)
        return;
    free(walks->walkers);
    free(walks->walks);
    free(walks->first);
    free(walks);
}

void gp_walks_start(struct gp_walks *walks)
{
    walks->starts = 0;
    for (uint32_t i = 0; i < walks->walk_count; i++)
        walks->walks[walks->first[i]].start = 0;
}

/* ---- An address as a sum ----------------------------------------------------------------------------------------- */

static const int64_t largest = INT64_C(1) << 32,
                     largest_factor =
                         1 << 22; /* numbers beyond are not multiplied: 64 of their products do not overflow */

static void add_part(struct sum *s, gp_ref value, int64_t factor)
{
    uint32_t i = s->part_count;
    while (i > 0 && s->parts[i - 1].value >= value)
        i--;
    if (i < s->part_count && s->parts[i].value == value) {
        s->parts[i].factor += factor;
        return;
    }
    if (s->part_count == MOST_PARTS) {
        s->failed = true;
        return;
    }
    memmove(&s->parts[i + 1], &s->parts[i], (s->part_count - i) * sizeof *s->parts);
    s->parts[i] = (struct part){value, factor};
    s->part_count++;
}

static uint32_t depth_of(const struct gp_kernel *kernel, uint32_t loop)
{
    uint32_t depth = 0;
    for (; loop != GP_NONE; loop = kernel->loops[loop].parent)
        depth++;
    return depth;
}

static void add_move(const struct gp_kernel *kernel, struct sum *s, uint32_t loop, int64_t step)
{
    uint32_t i = s->move_count;
    while (i > 0 && s->moves[i - 1].loop != loop && depth_of(kernel, s->moves[i - 1].loop) > depth_of(kernel, loop))
        i--;
    if (i > 0 && s->moves[i - 1].loop == loop) {
        s->moves[i - 1].step += step;
        return;
    }
    if (s->move_count == MOST_MOVES) {
        s->failed = true;
        return;
    }
    memmove(&s->moves[i + 1], &s->moves[i], (s->move_count - i) * sizeof *s->moves);
    s->moves[i] = (struct move){loop, step};
    s->move_count++;
}

/* A counter that takes constant steps; NULL: something else. */
static const struct gp_induction *counter_of(const struct gp_kernel *kernel, uint32_t phi)
{
    const struct gp_induction *counter = gp_counter_of(kernel, phi);
    return counter != NULL && gp_ref_kind(counter->step) == GP_REF_CONST ? counter : NULL;
}

static void add_value(const struct gp_kernel *kernel, struct sum *s, gp_ref ref, unsigned bits, int64_t factor,
                      unsigned depth);

static bool add_counter(const struct gp_kernel *kernel, struct sum *s, uint32_t phi, int64_t factor, unsigned depth)
{
    const struct gp_induction *counter = counter_of(kernel, phi);
    gp_ref start = counter != NULL ? gp_phi_start(kernel, &kernel->insts[phi], counter->loop) : GP_REF_NONE;
    unsigned bits = kernel->insts[phi].bits;
    int64_t step = counter != NULL ? gp_signed_constant(kernel, counter->step, bits) : 0;
    if (start == GP_REF_NONE || step > largest || step < -largest)
        return false;
    add_move(kernel, s, counter->loop, factor * step);
    add_value(kernel, s, start, bits, factor, depth);
    return true;
}

/* The constant that a value is multiplied by; 0: it is not. */
static int64_t constant_factor(const struct gp_kernel *kernel, const struct gp_inst *inst)
{
    gp_ref by = inst->operand_count > 1 ? gp_operand_of(kernel, inst, 1) : GP_REF_NONE;
    if (gp_ref_kind(by) != GP_REF_CONST)
        return 0;
    int64_t constant = gp_signed_constant(kernel, by, inst->bits);
    if (inst->op == GP_OP_SHL)
        return constant >= 0 && constant < 40 ? INT64_C(1) << constant : 0;
    return inst->op == GP_OP_MUL && constant < largest && constant > -largest ? constant : 0;
}

/* Indices do not wrap around, as the source's author believes. */
static void add_value(const struct gp_kernel *kernel, struct sum *s, gp_ref ref, unsigned bits, int64_t factor,
                      unsigned depth)
{
    const struct gp_inst *inst = gp_inst_of(kernel, ref);
    if (gp_ref_kind(ref) == GP_REF_CONST) {
        int64_t constant = gp_signed_constant(kernel, ref, bits);
        s->failed |= constant > largest || constant < -largest;
        s->offset += s->failed ? 0 : constant * factor;
        return;
    }
    if (inst == NULL || depth == 0 || s->left == 0) {
        add_part(s, ref, factor);
        return;
    }
    s->left--;
    int64_t by = constant_factor(kernel, inst);
    if (by != 0 && factor * by < largest_factor && factor * by > -largest_factor) {
        add_value(kernel, s, gp_operand_of(kernel, inst, 0), inst->bits, factor * by, depth - 1);
    } else if (inst->op == GP_OP_ADD || inst->op == GP_OP_SUB) {
        add_value(kernel, s, gp_operand_of(kernel, inst, 0), inst->bits, factor, depth - 1);
        add_value(kernel, s, gp_operand_of(kernel, inst, 1), inst->bits, inst->op == GP_OP_ADD ? factor : -factor,
                  depth - 1);
    } else if (inst->op == GP_OP_SEXT || inst->op == GP_OP_ZEXT || inst->op == GP_OP_COPY) {
        add_value(kernel, s, gp_operand_of(kernel, inst, 0), inst->width, factor, depth - 1);
    } else if (inst->op != GP_OP_PHI || !add_counter(kernel, s, gp_ref_index(ref), factor, depth - 1)) {
        add_part(s, ref, factor);
    }
}

/* ---- Walks ------------------------------------------------------------------------------------------------------- */

/* The innermost loop that one of the parts is computed in. */
static uint32_t loop_of_parts(const struct gp_kernel *kernel, const struct sum *s)
{
    uint32_t innermost = GP_NONE;
    for (uint32_t i = 0; i < s->part_count; i++) {
        uint32_t block = gp_ref_kind(s->parts[i].value) == GP_REF_INST
                             ? gp_inst_block(kernel, gp_ref_index(s->parts[i].value))
                             : GP_NONE;
        uint32_t loop = block != GP_NONE ? kernel->blocks[block].loop : GP_NONE;
        innermost = depth_of(kernel, loop) > depth_of(kernel, innermost) ? loop : innermost;
    }
    return innermost;
}

static bool same_parts(const struct sum *a, const struct sum *b)
{
    bool same = a->part_count == b->part_count;
    for (uint32_t i = 0; same && i < a->part_count; i++)
        same = a->parts[i].value == b->parts[i].value && a->parts[i].factor == b->parts[i].factor;
    return same;
}

static void look_at(struct gp_walks *w, uint32_t memory)
{
    const struct gp_kernel *kernel = w->kernel;
    const struct gp_memory *m = &kernel->memory[memory];
    const struct gp_inst *inst = &kernel->insts[m->inst];
    struct walker *walker = &w->walkers[memory];
    *walker = (struct walker){
        .looked = true, .walk = memory, .width = (uint32_t)m->element_bytes * m->vector, .sum.left = GP_MOST_FOLDED};
    if (m->space == GP_SPACE_IMAGE || inst->operand_count == 0)
        return;
    add_value(kernel, &walker->sum, gp_operand_of(kernel, inst, 0), 64, 1, DEEPEST);
    walker->walks = !walker->sum.failed;
    for (uint32_t i = w->walk_count; walker->walks && i > 0 && i + MOST_COMPARED > w->walk_count; i--)
        if (same_parts(&w->walkers[w->first[i - 1]].sum, &walker->sum)) {
            walker->walk = w->first[i - 1];
            return;
        }
    if (!walker->walks)
        return;
    w->first[w->walk_count++] = memory;
    w->walks[memory] = (struct walk){.root_loop = loop_of_parts(kernel, &walker->sum)};
}

/* Another number for each iteration of the loop and of those around it. */
static uint64_t iteration_of(const struct gp_walks *w, const struct gp_executor *executor, uint32_t loop)
{
    uint64_t key = 0;
    for (; loop != GP_NONE; loop = w->kernel->loops[loop].parent)
        key = (key + gp_executor_position(executor, loop) + 1) * UINT64_C(0x9e3779b97f4a7c15);
    return key;
}

static void begin(struct gp_walks *w, struct walk *walk, uint64_t key)
{
    walk->key = key;
    walk->start = ++w->starts;
    walk->loop = GP_NONE;
}

/* Iterations that were left out have touched what lies between. */
static void catch_up(struct walk *walk, const struct move *move, uint64_t position)
{
    if (walk->loop == move->loop && position > walk->position + 1) {
        int64_t *end = move->step > 0 ? &walk->high : &walk->low;
        *end = (int64_t)((uint64_t)*end + (position - walk->position - 1) * (uint64_t)move->step);
    }
    walk->loop = move->loop;
    walk->position = position;
}

struct gp_walk_step gp_walks_see(struct gp_walks *w, const struct gp_executor *executor, uint32_t memory)
{
    struct walker *walker = &w->walkers[memory];
    if (!walker->looked)
        look_at(w, memory);
    if (!walker->walks)
        return (struct gp_walk_step){.walk = GP_NONE, .beyond = INFINITY};
    struct walk *walk = &w->walks[walker->walk];
    const struct sum *sum = &walker->sum;
    uint64_t key = iteration_of(w, executor, walk->root_loop);
    bool starts = walk->start == 0 || walk->key != key;
    uint64_t from_start = (uint64_t)sum->offset;
    if (starts)
        begin(w, walk, key);
    for (uint32_t i = 0; i < sum->move_count; i++)
        from_start += gp_executor_position(executor, sum->moves[i].loop) * (uint64_t)sum->moves[i].step;
    if (sum->move_count > 0)
        catch_up(walk, &sum->moves[sum->move_count - 1],
                 gp_executor_position(executor, sum->moves[sum->move_count - 1].loop));
    int64_t at = (int64_t)from_start, end = (int64_t)(from_start + walker->width);
    double beyond =
        starts ? INFINITY : fmax(0, (double)walk->low - (double)at) + fmax(0, (double)end - (double)walk->high);
    walk->low = starts || at < walk->low ? at : walk->low;
    walk->high = starts || end > walk->high ? end : walk->high;
    return (struct gp_walk_step){walker->walk, walk->start, at, beyond};
}

/* ---- Side by side ------------------------------------------------------------------------------------------------ */

enum { MOST_BYTES = 128 }; /* of a period */

static bool same_moves(const struct sum *a, const struct sum *b)
{
    bool same = a->move_count == b->move_count;
    for (uint32_t i = 0; same && i < a->move_count; i++)
        same = a->moves[i].loop == b->moves[i].loop && a->moves[i].step == b->moves[i].step;
    return same;
}

static const struct walker *walker_of(struct gp_walks *w, uint32_t memory)
{
    if (!w->walkers[memory].looked)
        look_at(w, memory);
    return &w->walkers[memory];
}

/* Marks the bytes of an operation within a period. */
static void mark(bool marked[MOST_BYTES], uint32_t period, const struct walker *walker)
{
    int64_t first = walker->sum.offset % period;
    for (uint32_t i = 0; i < walker->width && i < period; i++)
        marked[((uint64_t)(first < 0 ? first + period : first) + i) % period] = true;
}

double gp_walks_asked(struct gp_walks *w, uint32_t memory, uint32_t period)
{
    const struct walker *own = walker_of(w, memory);
    if (!own->walks || period == 0 || period > MOST_BYTES)
        return 0;
    if (own->period == period && own->asked > 0)
        return (double)own->asked / period;
    bool marked[MOST_BYTES] = {false}, stores = w->kernel->memory[memory].flags & GP_MEMORY_STORE;
    uint32_t asked = 0, from = memory > MOST_COMPARED ? memory - MOST_COMPARED : 0;
    for (uint32_t m = from; m < w->kernel->memory_count && m - from <= 2 * MOST_COMPARED; m++) {
        bool alike = !(w->kernel->memory[m].flags & GP_MEMORY_STORE) == !stores;
        const struct walker *other = alike ? walker_of(w, m) : own;
        if (other->walks && same_parts(&other->sum, &own->sum) && same_moves(&other->sum, &own->sum))
            mark(marked, period, other);
    }
    for (uint32_t i = 0; i < period; i++)
        asked += marked[i];
    w->walkers[memory].period = period;
    w->walkers[memory].asked = asked;
    return (double)asked / period;
}
