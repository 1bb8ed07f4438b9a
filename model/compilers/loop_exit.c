/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/compilers/loop_exit.h"

#include "model/value/inst_facts.h"
#include "model/value/operand_walk.h"
#include "model/value/refs.h"

enum { DEEPEST = 12, MOST_COMPARED = 4096, MOST_CHOICES = 64 };

/* The load whose table the choices by a looked-up place stand for (passes/analysis/constant_tables.h); NULL: something
 * else. */
static const struct gp_inst *looked_up(const struct gp_kernel *kernel, const struct gp_inst *inst)
{
    for (uint32_t choices = 0;
         choices < MOST_CHOICES && inst != NULL && inst->op == GP_OP_SELECT && inst->cost == GP_CLASS_FREE; choices++)
        inst = gp_inst_of(kernel, gp_operand_of(kernel, inst, 2));
    return inst != NULL && inst->op == GP_OP_LOAD ? inst : NULL;
}

/* The same number by the same operations, which compilers leave standing where a function was called twice. */
static bool same_value(const struct gp_kernel *kernel, gp_ref a, gp_ref b, unsigned depth, uint32_t *left)
{
    const struct gp_inst *x = gp_inst_of(kernel, a), *y = gp_inst_of(kernel, b);
    if (a == b)
        return true;
    if (x == NULL || y == NULL || depth == 0 || *left == 0 || x->op != y->op || x->sub != y->sub ||
        x->bits != y->bits || x->width != y->width || x->operand_count != y->operand_count)
        return false;
    if (x->op != GP_OP_ID && (x->operand_count == 0 || x->op == GP_OP_PHI || x->op == GP_OP_CALL ||
                              gp_op_is_memory((enum gp_op)x->op) || x->op == GP_OP_SHUFFLE))
        return false;
    --*left;
    for (uint32_t i = 0; i < x->operand_count; i++)
        if (!same_value(kernel, gp_operand_of(kernel, x, i), gp_operand_of(kernel, y, i), depth - 1, left))
            return false;
    return true;
}

static bool same_place(const struct gp_kernel *kernel, const struct gp_inst *load, const struct gp_inst *other)
{
    uint32_t left = MOST_COMPARED;
    return same_value(kernel, gp_operand_of(kernel, load, 0), gp_operand_of(kernel, other, 0), DEEPEST, &left);
}

/* Loads of one place, told by the address: what compilers keep in phis between them. */
struct same_loads {
    const struct gp_inst *load, *phis[8];
    uint32_t phi_count;
};

static bool join_loads(const struct gp_kernel *kernel, gp_ref ref, struct same_loads *found)
{
    const struct gp_inst *inst = gp_inst_of(kernel, ref);
    if (inst != NULL && inst->op == GP_OP_LOAD) {
        found->load = found->load != NULL ? found->load : inst;
        return same_place(kernel, inst, found->load);
    }
    if (inst == NULL || inst->op != GP_OP_PHI)
        return false;
    for (uint32_t i = 0; i < found->phi_count; i++)
        if (found->phis[i] == inst)
            return true;
    if (found->phi_count == sizeof found->phis / sizeof *found->phis)
        return false;
    found->phis[found->phi_count++] = inst;
    for (uint32_t i = 0; i + 1 < inst->operand_count; i += 2)
        if (!join_loads(kernel, gp_operand_of(kernel, inst, i + 1), found))
            return false;
    return true;
}

/* The load that a value is, whichever way it came; NULL: something else. */
const struct gp_inst *gp_load_of(const struct gp_kernel *kernel, gp_ref ref)
{
    struct same_loads found = {0};
    const struct gp_inst *inst = gp_inst_of(kernel, ref);
    if (inst != NULL && inst->op == GP_OP_SELECT)
        return looked_up(kernel, inst);
    return join_loads(kernel, ref, &found) ? found.load : NULL;
}

/* ---- Counters ---------------------------------------------------------------------------------------------------- */

static bool is_counter(const struct gp_kernel *kernel, const struct gp_induction *induction, gp_ref ref, bool *next)
{
    const struct gp_inst *phi = &kernel->insts[induction->phi];
    *next = false;
    for (uint32_t i = 0; i + 1 < phi->operand_count; i += 2)
        *next |= gp_block_is_within(kernel, gp_ref_index(gp_operand_of(kernel, phi, i)), induction->loop) &&
                 gp_operand_of(kernel, phi, i + 1) == ref;
    return *next || gp_inst_of(kernel, ref) == phi;
}

static struct gp_loop_exit counter_of(const struct gp_kernel *kernel, uint32_t loop, gp_ref ref)
{
    struct gp_loop_exit tested = {0};
    const struct gp_inst *inst = gp_inst_of(kernel, ref);
    for (unsigned depth = 0; inst != NULL && depth < DEEPEST; depth++, inst = gp_inst_of(kernel, ref)) {
        for (uint32_t i = 0; i < kernel->induction_count; i++)
            if (kernel->inductions[i].loop == loop && is_counter(kernel, &kernel->inductions[i], ref, &tested.next)) {
                tested.counter = &kernel->inductions[i];
                return tested;
            }
        bool moved = inst->op == GP_OP_ADD && gp_ref_kind(gp_operand_of(kernel, inst, 1)) == GP_REF_CONST;
        int64_t by = moved ? gp_signed_constant(kernel, gp_operand_of(kernel, inst, 1), inst->bits) : 0;
        if (by <= -GP_MOST_COUNTED || by >= GP_MOST_COUNTED)
            break;
        if (moved)
            tested.more += by;
        else if (!gp_op_is_cast((enum gp_op)inst->op))
            break;
        ref = gp_operand_of(kernel, inst, 0);
    }
    return tested;
}

/* Whether a value is made from a phi of the loop's, whose next value is another one, or too much to tell. *left: how
 * many more are looked at. */
static bool changes(const struct gp_kernel *kernel, uint32_t loop, gp_ref ref, uint32_t *left)
{
    const struct gp_inst *inst = gp_inst_of(kernel, ref), *load = gp_load_of(kernel, ref);
    uint32_t block = inst != NULL ? gp_inst_block(kernel, gp_ref_index(ref)) : GP_NONE;
    if (*left == 0)
        return true;
    (*left)--;
    if (block == GP_NONE || !gp_block_is_within(kernel, block, loop))
        return false;
    if (load != NULL && inst->op == GP_OP_PHI)
        inst = load;
    if (inst->op == GP_OP_PHI || inst->op == GP_OP_ATOMIC || inst->op == GP_OP_CALL || inst->op == GP_OP_SHUFFLE)
        return true;
    for (uint32_t i = 0; i < inst->operand_count; i++)
        if (changes(kernel, loop, gp_operand_of(kernel, inst, i), left))
            return true;
    return false;
}

/* The loop whose counter the phi is, if it is another part of the same loop of the source; GP_NONE. */
static uint32_t part_that_counts(const struct gp_kernel *kernel, uint32_t loop, uint32_t phi)
{
    for (uint32_t i = 0; i < kernel->induction_count; i++) {
        uint32_t other = kernel->inductions[i].loop;
        const struct gp_loop *x = &kernel->loops[loop], *y = &kernel->loops[other];
        if (kernel->inductions[i].phi == phi && other != loop && x->parent == y->parent && x->location == y->location &&
            x->location != GP_NONE)
            return other;
    }
    return GP_NONE;
}

/* Where a value began that another part of the loop has counted up, in turns or, with less than a step of this one's,
 * once. */
static gp_ref root_of(const struct gp_kernel *kernel, const struct gp_induction *counter, gp_ref ref)
{
    const struct gp_inst *inst = gp_inst_of(kernel, ref);
    int64_t step = gp_signed_constant(kernel, counter->step, kernel->insts[counter->phi].bits);
    for (unsigned depth = 0; inst != NULL && depth < DEEPEST; depth++, inst = gp_inst_of(kernel, ref)) {
        uint32_t other = inst->op == GP_OP_PHI ? part_that_counts(kernel, counter->loop, gp_ref_index(ref)) : GP_NONE;
        bool moved = inst->op == GP_OP_ADD && gp_ref_kind(gp_operand_of(kernel, inst, 1)) == GP_REF_CONST;
        int64_t by = moved ? gp_signed_constant(kernel, gp_operand_of(kernel, inst, 1), inst->bits) : 0;
        bool less = step > 0 ? by > 0 && by < step : by < 0 && by > step;
        if (other == GP_NONE && !less)
            break;
        ref = other != GP_NONE ? gp_phi_start(kernel, inst, other) : gp_operand_of(kernel, inst, 0);
    }
    return ref;
}

/* What a phi joins that is counted up on one of its ways only; the phi where it is another one. */
static gp_ref before_join(const struct gp_kernel *kernel, const struct gp_induction *counter, gp_ref start)
{
    const struct gp_inst *join = gp_inst_of(kernel, start);
    if (join == NULL || join->op != GP_OP_PHI || gp_load_of(kernel, start) != NULL)
        return start;
    gp_ref first = root_of(kernel, counter, gp_operand_of(kernel, join, 1));
    for (uint32_t i = 0; i + 1 < join->operand_count; i += 2)
        if (root_of(kernel, counter, gp_operand_of(kernel, join, i + 1)) != first)
            return start;
    return first;
}

/* Where an unrolled loop and what is left over begin: the other one, or several, may have come some iterations already.
 */
static gp_ref first_start(const struct gp_kernel *kernel, const struct gp_induction *counter, gp_ref start)
{
    for (unsigned times = 0; times < DEEPEST; times++) {
        gp_ref before = before_join(kernel, counter, start);
        if (before == start)
            return start;
        start = before;
    }
    return start;
}

/* "n + first" less "first" is n. GP_REF_NONE: it is no such sum. */
gp_ref gp_rest_of_sum(const struct gp_kernel *kernel, gp_ref sum, gp_ref part)
{
    const struct gp_inst *inst = gp_inst_of(kernel, sum), *load = gp_load_of(kernel, part);
    for (uint32_t side = 0; inst != NULL && inst->op == GP_OP_ADD && side < 2; side++) {
        gp_ref summand = gp_operand_of(kernel, inst, side);
        const struct gp_inst *other = gp_load_of(kernel, summand);
        if (summand == part || (load != NULL && other != NULL && same_place(kernel, load, other)))
            return gp_operand_of(kernel, inst, 1 - side);
    }
    return GP_REF_NONE;
}

/* From the header on, where no branch has two ways within the loop, or behind where these meet. */
bool gp_passes_by(const struct gp_kernel *kernel, uint32_t loop, uint32_t block)
{
    uint32_t at = kernel->loops[loop].header;
    for (uint32_t steps = 0; at != block && steps < GP_MOST_VISITED; steps++) {
        const struct gp_inst *end = gp_block_terminator(kernel, at);
        uint32_t ways = 0, next = GP_NONE;
        for (uint32_t i = end->op == GP_OP_BR ? 0 : 1;
             (end->op == GP_OP_BR || end->op == GP_OP_CONDBR) && i < end->operand_count; i++)
            if (gp_block_is_within(kernel, gp_ref_index(gp_operand_of(kernel, end, i)), loop)) {
                next = gp_ref_index(gp_operand_of(kernel, end, i));
                ways++;
            }
        at = ways == 1 ? next : kernel->blocks[at].ipdom;
        if (at == GP_NONE || at == kernel->loops[loop].header || !gp_block_is_within(kernel, at, loop))
            return false;
    }
    return at == block;
}

static bool is_way_out(const struct gp_kernel *kernel, uint32_t loop, uint32_t block, struct gp_loop_exit *out)
{
    const struct gp_inst *branch = gp_block_terminator(kernel, block);
    if (!gp_block_is_within(kernel, block, loop) || branch->op != GP_OP_CONDBR)
        return false;
    bool stays_if_true = gp_block_is_within(kernel, gp_ref_index(gp_operand_of(kernel, branch, 1)), loop),
         stays_if_false = gp_block_is_within(kernel, gp_ref_index(gp_operand_of(kernel, branch, 2)), loop);
    const struct gp_inst *test = gp_inst_of(kernel, gp_operand_of(kernel, branch, 0));
    if (stays_if_true == stays_if_false || test == NULL || test->op != GP_OP_ICMP)
        return false;
    bool equal = test->sub == GP_PRED_EQ || test->sub == GP_PRED_NE;
    bool or_equal =
        test->sub == GP_PRED_ULE || test->sub == GP_PRED_UGE || test->sub == GP_PRED_SLE || test->sub == GP_PRED_SGE;
    uint32_t left = GP_MOST_VISITED;
    for (uint32_t side = 0; side < 2 && gp_passes_by(kernel, loop, block); side++) {
        *out = counter_of(kernel, loop, gp_operand_of(kernel, test, side));
        if (out->counter == NULL)
            continue;
        out->block = block;
        out->end = gp_operand_of(kernel, test, 1 - side);
        out->start = first_start(kernel, out->counter, gp_phi_start(kernel, &kernel->insts[out->counter->phi], loop));
        out->inclusive = !equal && or_equal == stays_if_true;
        if (gp_ref_kind(out->start) != GP_REF_NONE && !changes(kernel, loop, out->end, &left))
            return true;
    }
    return false;
}

bool gp_find_loop_exit(const struct gp_kernel *kernel, uint32_t loop, uint32_t block, struct gp_loop_exit *out)
{
    for (uint32_t b = block; b < kernel->block_count; b++)
        if (is_way_out(kernel, loop, b, out))
            return true;
    return false;
}

/* ---- Guards ------------------------------------------------------------------------------------------------------ */

static bool is_same(const struct gp_kernel *kernel, gp_ref a, gp_ref b)
{
    const struct gp_inst *x = gp_load_of(kernel, a), *y = gp_load_of(kernel, b);
    uint32_t left = MOST_COMPARED;
    return same_value(kernel, a, b, DEEPEST, &left) || (x != NULL && y != NULL && same_place(kernel, x, y));
}

/* Start or end, the number of iterations where one is the other and that, or one of the two numbers that the start is
 * the sum of. */
static bool is_part(const struct gp_kernel *kernel, const struct gp_loop_exit *out, gp_ref ref)
{
    const struct gp_inst *start = gp_inst_of(kernel, out->start);
    gp_ref rest = gp_rest_of_sum(kernel, out->end, out->start);
    bool part = is_same(kernel, ref, out->end) || is_same(kernel, ref, out->start) ||
                (gp_ref_kind(rest) != GP_REF_NONE && is_same(kernel, ref, rest));
    for (uint32_t i = 0; !part && start != NULL && start->op == GP_OP_ADD && i < 2; i++)
        part = is_same(kernel, ref, gp_operand_of(kernel, start, i));
    return part;
}

struct parts {
    const struct gp_loop_exit *out;
    bool met;
};

static enum gp_visit see_part(const struct gp_kernel *kernel, gp_ref ref, const struct gp_inst *inst, void *context)
{
    struct parts *parts = context;
    if (gp_ref_kind(ref) == GP_REF_CONST)
        return GP_VISIT_NEXT;
    if (is_part(kernel, parts->out, first_start(kernel, parts->out->counter, ref))) {
        parts->met = true;
        return GP_VISIT_NEXT;
    }
    bool opaque = inst == NULL || inst->operand_count == 0 || inst->op == GP_OP_PHI || inst->op == GP_OP_CALL ||
                  inst->op == GP_OP_WEIGHT || gp_op_is_memory((enum gp_op)inst->op);
    return opaque ? GP_VISIT_ENOUGH : GP_VISIT_OPERANDS;
}

/* Made of the loop's start and end, of one of them at least, and of constants. */
static bool is_made_of(const struct gp_kernel *kernel, const struct gp_loop_exit *out, gp_ref ref)
{
    struct parts parts = {.out = out};
    return gp_walk_operands(kernel, ref, see_part, &parts) == GP_WALK_WHOLE && parts.met;
}

bool gp_is_rest_of_loop(const struct gp_kernel *kernel, const struct gp_loop_exit *other,
                        const struct gp_loop_exit *out)
{
    return is_made_of(kernel, out, other->end);
}

/* The `data` branch at the end of a block beside the loop; NULL: it is none. */
static const struct gp_inst *branch_beside(const struct gp_kernel *kernel, uint32_t block, uint32_t loop)
{
    const struct gp_inst *branch = gp_block_terminator(kernel, block);
    bool beside = branch->op == GP_OP_CONDBR && kernel->blocks[block].loop == kernel->loops[loop].parent &&
                  kernel->branches[branch->record].kind == GP_BRANCH_DATA;
    return beside ? branch : NULL;
}

bool gp_guards_loop(const struct gp_kernel *kernel, uint32_t block, uint32_t loop, const struct gp_loop_exit *out)
{
    const struct gp_block *at = &kernel->blocks[block];
    const struct gp_inst *branch = branch_beside(kernel, block, loop);
    if (branch == NULL)
        return false;
    uint32_t then = gp_ref_index(gp_operand_of(kernel, branch, 1)),
             otherwise = gp_ref_index(gp_operand_of(kernel, branch, 2));
    return then != otherwise && (then == at->ipdom || otherwise == at->ipdom) &&
           is_made_of(kernel, out, gp_operand_of(kernel, branch, 0));
}

/* A number that operations on numbers make. */
static bool is_pure(const struct gp_inst *inst)
{
    return inst != NULL && inst->operand_count > 0 && inst->op != GP_OP_WEIGHT &&
           gp_operation_arity((enum gp_op)inst->op) > 0;
}

/* Whether one value is among what another one is made of. *left: how many more are looked at. */
static bool is_made_with(const struct gp_kernel *kernel, gp_ref whole, gp_ref part, uint32_t *left)
{
    const struct gp_inst *inst = gp_inst_of(kernel, whole);
    if (*left == 0)
        return false;
    (*left)--;
    if (is_same(kernel, whole, part))
        return true;
    for (uint32_t i = 0; is_pure(inst) && i < inst->operand_count; i++)
        if (is_made_with(kernel, gp_operand_of(kernel, inst, i), part, left))
            return true;
    return false;
}

/* Everything that a value is made of, but for constants, is among what the loop's start and end are made of. *met:
 * something is. */
static bool is_made_of_sources(const struct gp_kernel *kernel, const struct gp_loop_exit *out, gp_ref ref, bool *met,
                               uint32_t *left)
{
    const struct gp_inst *inst = gp_inst_of(kernel, ref);
    if (gp_ref_kind(ref) == GP_REF_CONST)
        return true;
    if (*left == 0)
        return false;
    --*left;
    if (!is_pure(inst))
        return *met = is_made_with(kernel, out->end, ref, left) || is_made_with(kernel, out->start, ref, left);
    for (uint32_t i = 0; i < inst->operand_count; i++)
        if (!is_made_of_sources(kernel, out, gp_operand_of(kernel, inst, i), met, left))
            return false;
    return true;
}

bool gp_asks_for_iterations(const struct gp_kernel *kernel, uint32_t block, uint32_t loop,
                            const struct gp_loop_exit *out)
{
    const struct gp_inst *branch = branch_beside(kernel, block, loop);
    bool met = false;
    uint32_t left = GP_MOST_VISITED;
    return branch != NULL && is_made_of_sources(kernel, out, gp_operand_of(kernel, branch, 0), &met, &left) && met;
}
