/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/assume/guards.h"

#include "model/value/operand_walk.h"
#include "model/value/inst_facts.h"
#include "model/value/refs.h"
#include "model/value/value.h"
#include "model/launch/launch_index.h"
#include "support/saturate.h"

static const int64_t largest = GP_INDEX_BEYOND;
static const struct gp_index unknown = {0};

static struct gp_index at_item(const struct gp_kernel *kernel, const struct gp_launch *launch, gp_ref ref,
                               unsigned bits, struct gp_item item)
{
    return gp_index_at(kernel, launch, ref, bits, item, GP_INDEX_STATED);
}

static struct gp_index at_item_assuming(const struct gp_kernel *kernel, const struct gp_launch *launch, gp_ref ref,
                                        unsigned bits, struct gp_item item)
{
    return gp_index_at(kernel, launch, ref, bits, item, GP_INDEX_ASSUMED);
}

/* What a value does to the parameter that it is made of: a sum, a product, a quotient with constants, the last one
 * first. */
enum { MOST_STEPS = 8 };
struct made {
    uint32_t param, count;
    uint8_t op[MOST_STEPS];
    int64_t by[MOST_STEPS];
};

static bool add_step(struct made *made, unsigned op, int64_t by)
{
    bool sum = op == GP_OP_ADD || op == GP_OP_SUB, shift = op == GP_OP_SHL || op == GP_OP_LSHR || op == GP_OP_ASHR;
    if (shift && (by < 0 || by > 30))
        return false;
    if (by < -largest || by > largest || (!sum && by < (shift ? 0 : 1)))
        return false;
    made->op[made->count] = (uint8_t)(op == GP_OP_SUB             ? GP_OP_ADD
                                      : op == GP_OP_SHL           ? GP_OP_MUL
                                      : shift || op == GP_OP_SDIV ? GP_OP_UDIV
                                                                  : op);
    made->by[made->count++] = op == GP_OP_SUB ? gp_negate(by) : shift ? INT64_C(1) << by : by;
    return true;
}

/* The least exponent of a power of two that is `value` or more. */
static int64_t bits_for(int64_t value) { return value > 1 ? 64 - __builtin_clzll((uint64_t)value - 1) : 0; }

/* The least parameter of which a value so made is `value` or more. */
static int64_t parameter_for(const struct made *made, int64_t value)
{
    for (uint32_t i = 0; i < made->count && value > -largest && value < largest; i++) {
        int64_t by = made->by[i];
        if (made->op[i] == GP_OP_SHL) {
            value = bits_for((value + by - 1) / by);
            continue;
        }
        value = made->op[i] == GP_OP_ADD   ? gp_subtract(value, by)
                : made->op[i] == GP_OP_MUL ? (value + by - 1) / by
                : value > largest / by     ? largest
                                           : value * by;
    }
    return value;
}

/* OpenCL shifts by the lower bits of what it is told. */
static gp_ref behind_mask(const struct gp_kernel *kernel, gp_ref ref, unsigned bits)
{
    const struct gp_inst *inst = gp_inst_of(kernel, ref);
    bool masked = inst != NULL && inst->op == GP_OP_AND &&
                  gp_signed_constant(kernel, gp_operand_of(kernel, inst, 1), inst->bits) == (int64_t)bits - 1;
    return masked ? gp_operand_of(kernel, inst, 0) : ref;
}

/* The parameter that a value is made of. */
static bool is_parameter(const struct gp_kernel *kernel, const struct gp_launch *launch, gp_ref ref, unsigned bits,
                         struct made *made)
{
    *made = (struct made){0};
    for (unsigned steps = 0; steps < MOST_STEPS && gp_ref_kind(ref) == GP_REF_INST; steps++) {
        const struct gp_inst *inst = &kernel->insts[gp_ref_index(ref)];
        const gp_ref *operands = &kernel->operands[inst->operand];
        if (inst->op == GP_OP_SHL && gp_ref_kind(operands[0]) == GP_REF_CONST) { /* 1 << n */
            int64_t one = gp_signed_constant(kernel, operands[0], inst->bits);
            if (one < 1)
                return false;
            made->op[made->count] = GP_OP_SHL;
            made->by[made->count++] = one;
            ref = behind_mask(kernel, operands[1], inst->bits);
            continue;
        }
        bool cast = inst->op == GP_OP_TRUNC || inst->op == GP_OP_ZEXT || inst->op == GP_OP_SEXT;
        bool counts = inst->op == GP_OP_ADD || inst->op == GP_OP_SUB || inst->op == GP_OP_MUL ||
                      inst->op == GP_OP_SHL || inst->op == GP_OP_UDIV || inst->op == GP_OP_SDIV ||
                      inst->op == GP_OP_LSHR || inst->op == GP_OP_ASHR;
        struct gp_index by =
            counts ? at_item_assuming(kernel, launch, operands[1], inst->bits, (struct gp_item){0}) : unknown;
        if (!cast && !(by.known && !by.of_group && !by.of_item && add_step(made, inst->op, by.value)))
            return false;
        bits = cast ? inst->width : bits;
        ref = operands[0];
    }
    made->param = gp_ref_index(ref);
    return gp_ref_kind(ref) == GP_REF_PARAM && kernel->params[made->param].kind == GP_PARAM_INT && bits > 1;
}

/* What one comparison asks of its parameter: that the last work-item passes, and the round number that the first one
 * beyond the launch would have. */
struct limit {
    bool known, within; /* the first one beyond has the last one's, as in a quotient that begins no new row there */
    int64_t least, round;
};

/* `diag - k`: largest at the first work-item. Not known: it is no such difference. */
static struct gp_index largest_falling(const struct gp_kernel *kernel, const struct gp_launch *launch, gp_ref ref)
{
    const struct gp_inst *inst = gp_inst_of(kernel, ref);
    if (inst == NULL || inst->op != GP_OP_SUB)
        return unknown;
    struct gp_index from =
        at_item_assuming(kernel, launch, gp_operand_of(kernel, inst, 0), inst->bits, (struct gp_item){0});
    struct gp_index less =
        at_item_assuming(kernel, launch, gp_operand_of(kernel, inst, 1), inst->bits, (struct gp_item){0});
    if (!from.known || from.of_group || from.of_item || from.value < 0 || from.value >= largest || !less.known ||
        !less.of_group || less.value < 0)
        return unknown;
    from.value -= less.value;
    return from;
}

/* start: what the index is counted from. */
static struct limit limit_beyond(const struct gp_kernel *kernel, const struct gp_launch *launch, gp_ref ref,
                                 unsigned bits, int64_t start)
{
    uint64_t groups[3];
    if (gp_launch_groups(launch, groups) == 0)
        return (struct limit){0};
    struct gp_index most = at_item_assuming(kernel, launch, ref, bits, gp_last_item(launch)),
                    falling = largest_falling(kernel, launch, ref);
    if (falling.known && start == 0)
        return (struct limit){true, false, falling.value + 1, falling.value + 1};
    if (!most.known || !most.of_group || most.value < start || most.value - start >= largest)
        return (struct limit){0};
    struct limit limit = {true, false, most.value - start + 1, largest};
    for (int d = 0; d < 3; d++) {
        struct gp_item beyond = {0};
        beyond.group[d] = groups[d];
        struct gp_index next = at_item_assuming(kernel, launch, ref, bits, beyond);
        if (next.known && next.value - start >= limit.least && next.value - start < limit.round)
            limit.round = next.value - start;
        limit.within |= next.known && next.value - start == limit.least - 1;
    }
    return limit;
}

/* Of two comparisons of one parameter. A round number goes before others. */
static struct limit both(struct limit a, struct limit b)
{
    if (!a.known || (a.round == largest && b.round < largest))
        return b;
    if (b.round == largest && a.round < largest)
        return a;
    int64_t least = a.least > b.least ? a.least : b.least, low = a.round < b.round ? a.round : b.round,
            high = a.round < b.round ? b.round : a.round;
    return (struct limit){true, a.within || b.within, least, low >= least ? low : high};
}

/* Of what is compared with an index: a parameter, or the least of several. */
static void see_bound(const struct gp_kernel *kernel, const struct gp_launch *launch, gp_ref bound, unsigned bits,
                      struct limit limit, unsigned deepest, struct limit *limits)
{
    struct made made;
    const struct gp_inst *inst = gp_ref_kind(bound) == GP_REF_INST ? &kernel->insts[gp_ref_index(bound)] : NULL;
    if (inst != NULL && deepest > 0 && (inst->op == GP_OP_UMIN || inst->op == GP_OP_SMIN)) {
        see_bound(kernel, launch, kernel->operands[inst->operand], bits, limit, deepest - 1, limits);
        see_bound(kernel, launch, kernel->operands[inst->operand + 1], bits, limit, deepest - 1, limits);
        return;
    }
    if (!is_parameter(kernel, launch, bound, bits, &made) || made.param >= GP_MAX_ARGUMENTS)
        return;
    limit.least = parameter_for(&made, limit.least);
    limit.round = limit.round < largest ? parameter_for(&made, limit.round) : largest;
    if (limit.least > 0 && (limit.round < largest || limit.within))
        limits[made.param] = both(limits[made.param], limit);
}

static enum gp_visit see_phi(const struct gp_kernel *kernel, gp_ref ref, const struct gp_inst *inst, void *unused)
{
    (void)kernel, (void)ref, (void)unused;
    return inst != NULL && inst->op == GP_OP_PHI ? GP_VISIT_ENOUGH : GP_VISIT_OPERANDS;
}

/* What a loop's counter starts with, or its unrolled copies add, moves a window, which is cut off at the edge. */
static int64_t counted_from(const struct gp_kernel *kernel, const struct gp_launch *launch, gp_ref index, unsigned bits)
{
    if (gp_walk_operands(kernel, index, see_phi, NULL) != GP_WALK_ENOUGH)
        return 0;
    struct gp_index first = at_item_assuming(kernel, launch, index, bits, (struct gp_item){0});
    return first.known ? first.value : 0;
}

static void see_comparison(const struct gp_kernel *kernel, const struct gp_launch *launch, const struct gp_inst *inst,
                           uint32_t side, struct limit *limits)
{
    enum { DEEPEST = 3 };
    gp_ref index = gp_operand_of(kernel, inst, 1 - side);
    struct limit limit =
        limit_beyond(kernel, launch, index, inst->width, counted_from(kernel, launch, index, inst->width));
    if (limit.known)
        see_bound(kernel, launch, kernel->operands[inst->operand + side], inst->width, limit, DEEPEST, limits);
}

/* `diag - k < 1`: what the index is taken from is so much more than all of them. */
static void see_difference(const struct gp_kernel *kernel, const struct gp_launch *launch, const struct gp_inst *inst,
                           uint32_t side, struct limit *limits)
{
    const struct gp_inst *difference = gp_inst_of(kernel, gp_operand_of(kernel, inst, side));
    struct gp_index least =
        at_item(kernel, launch, gp_operand_of(kernel, inst, 1 - side), inst->width, (struct gp_item){0});
    if (difference == NULL || difference->op != GP_OP_SUB || !least.known || least.of_group || least.of_item ||
        least.value < 0 || least.value >= largest)
        return;
    struct limit limit = limit_beyond(kernel, launch, gp_operand_of(kernel, difference, 1), difference->bits, 0);
    int64_t more = least.value > 0 ? least.value - 1 : 0;
    if (limit.known)
        see_bound(kernel, launch, gp_operand_of(kernel, difference, 0), difference->bits,
                  (struct limit){true, false, limit.least + more, limit.round + more}, 0, limits);
}

/* An index that is kept from being negative: the index. */
static gp_ref behind_floor(const struct gp_kernel *kernel, const struct gp_launch *launch, gp_ref ref, unsigned bits)
{
    const struct gp_inst *inst = gp_inst_of(kernel, ref);
    for (uint32_t side = 0; inst != NULL && inst->op == GP_OP_SMAX && side < 2; side++) {
        struct gp_index floor =
            at_item_assuming(kernel, launch, gp_operand_of(kernel, inst, side), bits, (struct gp_item){0});
        if (floor.known && !floor.of_group && !floor.of_item)
            return gp_operand_of(kernel, inst, 1 - side);
    }
    return ref;
}

/* `min(4 * i, n - 1)`: the index stays below n where nothing is cut off. What is added to it besides, as to a
 * neighbour's, is cut off at the edge. */
static void see_clamp(const struct gp_kernel *kernel, const struct gp_launch *launch, const struct gp_inst *inst,
                      uint32_t side, struct limit *limits)
{
    gp_ref index = behind_floor(kernel, launch, gp_operand_of(kernel, inst, 1 - side), inst->bits);
    struct gp_index first = at_item_assuming(kernel, launch, index, inst->bits, (struct gp_item){0});
    struct limit limit = first.known ? limit_beyond(kernel, launch, index, inst->bits, first.value) : (struct limit){0};
    if (limit.known)
        see_bound(kernel, launch, gp_operand_of(kernel, inst, side), inst->bits,
                  (struct limit){true, false, limit.least - 1, limit.round - 1}, 0, limits);
}

void gp_guard_limits(const struct gp_kernel *kernel, const struct gp_launch *launch, uint64_t limits[GP_MAX_ARGUMENTS])
{
    struct limit found[GP_MAX_ARGUMENTS] = {0};
    for (uint32_t b = 0; b < kernel->block_count; b++) {
        const struct gp_inst *insts = &kernel->insts[kernel->blocks[b].inst];
        for (uint32_t i = 0; i < kernel->blocks[b].inst_count; i++)
            for (uint32_t side = 0; side < 2; side++)
                if (insts[i].op == GP_OP_ICMP) {
                    see_comparison(kernel, launch, &insts[i], side, found);
                    see_difference(kernel, launch, &insts[i], side, found);
                } else if (insts[i].op == GP_OP_SMIN || insts[i].op == GP_OP_UMIN)
                    see_clamp(kernel, launch, &insts[i], side, found);
    }
    for (uint32_t p = 0; p < GP_MAX_ARGUMENTS; p++)
        limits[p] = !found[p].known            ? 0
                    : found[p].round < largest ? (uint64_t)found[p].round
                                               : (uint64_t)found[p].least;
}

/* ---- Where groups begin to do otherwise -------------------------------------------------------------------------- */

/* An index along one dimension. others: where an item is in the other dimensions that is the first of its group, and
 * one that is the last. */
struct line {
    const struct gp_kernel *kernel;
    const struct gp_launch *launch;
    gp_ref index;
    unsigned bits;
    int dimension;
    uint64_t groups[3];
    struct gp_item others[2];
};

static struct gp_index at_group(const struct line *line, uint64_t group, bool last_item, struct gp_item others)
{
    others.group[line->dimension] = group;
    others.local[line->dimension] = last_item ? line->launch->local[line->dimension] - 1 : 0;
    return at_item_assuming(line->kernel, line->launch, line->index, line->bits, others);
}

static struct gp_index on_line(const struct line *line, uint64_t group, bool last_item)
{
    return at_group(line, group, last_item, line->others[last_item]);
}

static struct line line_along(const struct gp_kernel *kernel, const struct gp_launch *launch, gp_ref index,
                              unsigned bits, int dimension)
{
    struct line line = {.kernel = kernel, .launch = launch, .index = index, .bits = bits, .dimension = dimension};
    gp_launch_groups(launch, line.groups);
    for (int d = 0; d < 3; d++)
        line.others[1].local[d] = launch->local[d] - 1;
    return line;
}

/* In all other dimensions the last group's. */
static struct gp_item farthest(const struct line *line, bool last_item)
{
    struct gp_item far = {0};
    for (int d = 0; d < 3; d++) {
        far.group[d] = line->groups[d] - 1;
        far.local[d] = last_item ? line->launch->local[d] - 1 : 0;
    }
    return far;
}

static bool grows(const struct line *line)
{
    struct gp_index first = on_line(line, 0, false), last = on_line(line, line->groups[line->dimension] - 1, false);
    return first.known && last.known && last.of_group && last.value > first.value;
}

static bool follows_dimension(const struct line *line)
{
    uint64_t end = line->groups[line->dimension] - 1;
    struct gp_index last = on_line(line, end, false), far = at_group(line, end, false, farthest(line, false));
    return grows(line) && far.known && far.value == last.value;
}

/* The first group whose first, or last, work-item has the value or more; all of them where none has. */
static uint64_t first_reaching(const struct line *line, bool last_item, int64_t value)
{
    uint64_t low = 0, high = line->groups[line->dimension];
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        struct gp_index index = on_line(line, middle, last_item);
        if (index.known && index.value >= value)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static void cut_at(struct gp_cuts *cuts, uint64_t group, uint64_t groups)
{
    uint32_t i = cuts->count;
    for (uint32_t k = 0; k < cuts->count; k++)
        if (cuts->at[k] == group)
            return;
    if (group == 0 || group >= groups || cuts->count == GP_MOST_CUTS)
        return;
    for (; i > 0 && cuts->at[i - 1] > group; i--)
        cuts->at[i] = cuts->at[i - 1];
    cuts->at[i] = group;
    cuts->count++;
}

/* The values from which on lanes go the other way; of an equality also back again. */
static bool turning_points(unsigned predicate, bool swapped, int64_t value, int64_t *from, int64_t *back)
{
    *from = value;
    *back = value;
    switch (predicate) {
    case GP_PRED_EQ:
    case GP_PRED_NE: *back = value + 1; return true;
    case GP_PRED_ULT:
    case GP_PRED_SLT:
    case GP_PRED_UGE:
    case GP_PRED_SGE: *from = *back = value + swapped; return true;
    case GP_PRED_ULE:
    case GP_PRED_SLE:
    case GP_PRED_UGT:
    case GP_PRED_SGT: *from = *back = value + !swapped; return true;
    default: return false;
    }
}

/* The same for all work-items. */
static struct gp_index same_for_all(const struct gp_kernel *kernel, const struct gp_launch *launch, gp_ref ref,
                                    unsigned bits)
{
    struct gp_item first = {0}, last = {.local = {launch->local[0] - 1, launch->local[1] - 1, launch->local[2] - 1}};
    struct gp_index a = at_item_assuming(kernel, launch, ref, bits, first),
                    b = at_item_assuming(kernel, launch, ref, bits, last);
    return a.known && b.known && !a.of_group && a.value == b.value && a.value > -largest && a.value < largest ? a
                                                                                                              : unknown;
}

/* Where a line's work-items begin to reach a value, and where all have. */
static void cut_between(const struct line *line, int64_t from, int64_t back, struct gp_cuts *cuts)
{
    cut_at(cuts, first_reaching(line, true, from), line->groups[line->dimension]);
    cut_at(cuts, first_reaching(line, false, back), line->groups[line->dimension]);
}

/* `y * width + x`: a step along the slow dimension is worth all of the fast one. */
static bool is_plane(const struct line *slow, const struct line *fast)
{
    if (slow->groups[slow->dimension] <= 1 || fast->groups[fast->dimension] <= 1 || !grows(slow) || !grows(fast))
        return false;
    struct gp_index row = on_line(slow, 1, false), end = on_line(fast, fast->groups[fast->dimension] - 1, false);
    return row.known && end.known && row.value > end.value;
}

/* The first of the group's rows of work-items that reaches the value; the last one where none does. */
static uint32_t row_reaching(const struct line *slow, uint64_t group, int64_t value)
{
    struct gp_item item = farthest(slow, true);
    item.group[slow->dimension] = group;
    for (uint32_t row = 0; row + 1 < slow->launch->local[slow->dimension]; row++) {
        item.local[slow->dimension] = row;
        struct gp_index index = at_item_assuming(slow->kernel, slow->launch, slow->index, slow->bits, item);
        if (index.known && index.value >= value)
            return row;
    }
    return slow->launch->local[slow->dimension] - 1;
}

/* Rows of groups whose last work-item reaches the value while their first does not; in the first of these, the groups
 * along the row. */
static void cut_plane(struct line slow, struct line fast, int64_t from, int64_t back, struct gp_cuts cuts[3])
{
    slow.others[1] = farthest(&slow, true);
    cut_between(&slow, from, back, &cuts[slow.dimension]);
    uint64_t row = first_reaching(&slow, true, from);
    if (row >= slow.groups[slow.dimension])
        return;
    struct gp_item within = {0};
    within.group[slow.dimension] = row;
    within.local[slow.dimension] = row_reaching(&slow, row, from);
    fast.others[0] = fast.others[1] = within;
    cut_between(&fast, from, back, &cuts[fast.dimension]);
}

static void cut_by_planes(const struct gp_kernel *kernel, const struct gp_launch *launch, gp_ref index, unsigned bits,
                          int64_t from, int64_t back, struct gp_cuts cuts[3])
{
    for (int d = 0; d < 3; d++)
        for (int other = 0; other < 3; other++) {
            if (other == d)
                continue;
            struct line slow = line_along(kernel, launch, index, bits, d),
                        fast = line_along(kernel, launch, index, bits, other);
            if (is_plane(&slow, &fast))
                cut_plane(slow, fast, from, back, cuts);
        }
}

static void cut_by_comparison(const struct gp_kernel *kernel, const struct gp_launch *launch,
                              const struct gp_inst *compare, struct gp_cuts cuts[3])
{
    for (uint32_t side = 0; side < 2; side++) {
        struct gp_index other =
            same_for_all(kernel, launch, kernel->operands[compare->operand + 1 - side], compare->width);
        gp_ref index = kernel->operands[compare->operand + side];
        int64_t from, back;
        if (!other.known || !turning_points(compare->sub, side == 1, other.value, &from, &back))
            continue;
        for (int d = 0; d < 3; d++) {
            struct line line = line_along(kernel, launch, index, compare->width, d);
            if (line.groups[d] <= 2 || !follows_dimension(&line))
                continue;
            cut_between(&line, from, back, &cuts[d]);
            if (gp_compares_unsigned(compare->sub))
                cut_between(&line, 0, 0, &cuts[d]);
        }
        cut_by_planes(kernel, launch, index, compare->width, from, back, cuts);
    }
}

struct cutting {
    const struct gp_launch *launch;
    struct gp_cuts *cuts;
};

/* A condition's comparisons: itself, or those that it joins. */
static enum gp_visit cut_by_condition(const struct gp_kernel *kernel, gp_ref ref, const struct gp_inst *inst,
                                      void *context)
{
    const struct cutting *cutting = context;
    (void)ref;
    if (inst != NULL && inst->op == GP_OP_ICMP)
        cut_by_comparison(kernel, cutting->launch, inst, cutting->cuts);
    bool joins = inst != NULL && inst->bits == 1 &&
                 (inst->op == GP_OP_AND || inst->op == GP_OP_OR || inst->op == GP_OP_XOR || inst->op == GP_OP_SELECT);
    return joins ? GP_VISIT_OPERANDS : GP_VISIT_NEXT;
}

void gp_guard_cuts(const struct gp_kernel *kernel, const struct gp_launch *launch, struct gp_cuts cuts[3])
{
    uint64_t groups[3];
    struct cutting cutting = {launch, cuts};
    for (int d = 0; d < 3; d++)
        cuts[d].count = 0;
    if (gp_launch_groups(launch, groups) == 0)
        return;
    for (uint32_t b = 0; b < kernel->block_count; b++) {
        const struct gp_block *block = &kernel->blocks[b];
        const struct gp_inst *last = block->inst_count > 0 ? &kernel->insts[block->inst + block->inst_count - 1] : NULL;
        if (last != NULL && last->op == GP_OP_CONDBR)
            gp_walk_operands(kernel, gp_operand_of(kernel, last, 0), cut_by_condition, &cutting);
    }
}
