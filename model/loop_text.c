#include "model/loop_text.h"

#include <inttypes.h>
#include <string.h>

#include "model/value.h"

enum { DEEPEST = 12, FORMULA_DEEPEST = 5, MOST_LOOKED_AT = 256 };

/* ---- Expressions ------------------------------------------------------------------------------------------------- */

static const char *symbol_of(enum gp_op op)
{
    switch (op) {
    case GP_OP_ADD: return " + ";
    case GP_OP_SUB: return " - ";
    case GP_OP_MUL: return " * ";
    case GP_OP_UDIV: case GP_OP_SDIV: return " / ";
    case GP_OP_SHL: return " << ";
    case GP_OP_LSHR: case GP_OP_ASHR: return " >> ";
    case GP_OP_AND: return " & ";
    case GP_OP_OR: return " | ";
    default: return NULL;
    }
}

static const struct gp_inst *inst_of(const struct gp_kernel *kernel, gp_ref ref)
{
    return gp_ref_kind(ref) == GP_REF_INST ? &kernel->insts[gp_ref_index(ref)] : NULL;
}

static gp_ref operand_of(const struct gp_kernel *kernel, const struct gp_inst *inst, uint32_t n) { return kernel->operands[inst->operand + n]; }

/* Division by a comparison says when a count holds (passes/inductions.h); it need not be read. */
static bool is_proviso(const struct gp_kernel *kernel, gp_ref ref)
{
    const struct gp_inst *inst = inst_of(kernel, ref);
    while (inst != NULL && inst->op == GP_OP_ZEXT)
        inst = inst_of(kernel, operand_of(kernel, inst, 0));
    return inst != NULL && inst->op == GP_OP_ICMP;
}

/* The load whose table the choices by a looked-up place stand for (passes/constant_tables.h); NULL: something else. */
static const struct gp_inst *looked_up(const struct gp_kernel *kernel, const struct gp_inst *inst)
{
    while (inst != NULL && inst->op == GP_OP_SELECT && inst->cost == GP_CLASS_FREE)
        inst = inst_of(kernel, operand_of(kernel, inst, 2));
    return inst != NULL && inst->op == GP_OP_LOAD ? inst : NULL;
}

/* The same number by the same operations, which compilers leave standing where a function was called twice. */
static bool same_value(const struct gp_kernel *kernel, gp_ref a, gp_ref b, unsigned depth)
{
    const struct gp_inst *x = inst_of(kernel, a), *y = inst_of(kernel, b);
    if (a == b)
        return true;
    if (x == NULL || y == NULL || depth == 0 || x->op != y->op || x->sub != y->sub || x->bits != y->bits || x->width != y->width || x->operand_count != y->operand_count)
        return false;
    if (x->op != GP_OP_ID && (x->operand_count == 0 || x->op == GP_OP_PHI || x->op == GP_OP_CALL || gp_op_is_memory((enum gp_op)x->op) || x->op == GP_OP_SHUFFLE))
        return false;
    for (uint32_t i = 0; i < x->operand_count; i++)
        if (!same_value(kernel, operand_of(kernel, x, i), operand_of(kernel, y, i), depth - 1))
            return false;
    return true;
}

static bool same_place(const struct gp_kernel *kernel, const struct gp_inst *load, const struct gp_inst *other)
{
    return same_value(kernel, operand_of(kernel, load, 0), operand_of(kernel, other, 0), DEEPEST);
}

/* Loads of one place, told by the address: what compilers keep in phis between them. */
struct same_loads { const struct gp_inst *load, *phis[8]; uint32_t phi_count; };

static bool join_loads(const struct gp_kernel *kernel, gp_ref ref, struct same_loads *found)
{
    const struct gp_inst *inst = inst_of(kernel, ref);
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
        if (!join_loads(kernel, operand_of(kernel, inst, i + 1), found))
            return false;
    return true;
}

/* The load that a value is, whichever way it came; NULL: something else. */
static const struct gp_inst *load_of(const struct gp_kernel *kernel, gp_ref ref)
{
    struct same_loads found = {0};
    const struct gp_inst *inst = inst_of(kernel, ref);
    if (inst != NULL && inst->op == GP_OP_SELECT)
        return looked_up(kernel, inst);
    return join_loads(kernel, ref, &found) ? found.load : NULL;
}

/* "" where nobody knows. */
static const char *buffer_of(const struct gp_kernel *kernel, const struct gp_inst *load)
{
    gp_ref base = kernel->memory[load->record].base;
    uint32_t index = gp_ref_index(base);
    return gp_ref_kind(base) == GP_REF_PARAM ? kernel->params[index].name : gp_ref_kind(base) == GP_REF_GLOBAL ? kernel->globals[index].name : "";
}

static void append_loaded(const struct gp_kernel *kernel, const struct gp_inst *load, struct gp_text *text)
{
    const char *name = buffer_of(kernel, load);
    if (name[0] != '\0')
        gp_text_printf(text, "%s[...]", name);
    else
        gp_text_printf(text, "loaded");
}

/* With the source's names; "..." for what lies deeper than `depth`. bits: of the operation that the value is for. */
static void append_value(const struct gp_kernel *kernel, gp_ref ref, unsigned depth, unsigned bits, struct gp_text *text);

static void append_operation(const struct gp_kernel *kernel, const struct gp_inst *inst, unsigned depth, struct gp_text *text)
{
    const char *symbol = symbol_of((enum gp_op)inst->op);
    bool proviso = inst->op == GP_OP_UDIV && is_proviso(kernel, operand_of(kernel, inst, 1));
    if (gp_op_is_cast((enum gp_op)inst->op) || inst->op == GP_OP_COPY || proviso || (inst->op == GP_OP_WEIGHT && inst->operand_count == 1)) {
        append_value(kernel, operand_of(kernel, inst, 0), depth - 1, inst->bits, text);
        return;
    }
    gp_text_printf(text, "%s(", symbol != NULL ? "" : gp_op_name((enum gp_op)inst->op));
    for (uint32_t i = 0; i < inst->operand_count; i++) {
        gp_text_printf(text, "%s", i == 0 ? "" : symbol != NULL ? symbol : ", ");
        append_value(kernel, operand_of(kernel, inst, i), depth - 1, inst->bits, text);
    }
    gp_text_printf(text, ")");
}

static void append_value(const struct gp_kernel *kernel, gp_ref ref, unsigned depth, unsigned bits, struct gp_text *text)
{
    uint32_t index = gp_ref_index(ref);
    const struct gp_inst *inst = inst_of(kernel, ref), *load = load_of(kernel, ref);
    if (gp_ref_kind(ref) == GP_REF_CONST)
        gp_text_printf(text, "%" PRId64, (int64_t)gp_sign_extend(kernel->constants[index], bits));
    else if (gp_ref_kind(ref) == GP_REF_PARAM && kernel->params[index].name[0] != '\0')
        gp_text_printf(text, "%s", kernel->params[index].name);
    else if (gp_ref_kind(ref) == GP_REF_PARAM)
        gp_text_printf(text, "$%u", index);
    else if (inst != NULL && inst->op == GP_OP_ID)
        gp_text_printf(text, "%s(%u)", gp_id_name((enum gp_id)(inst->sub >> 2)), inst->sub & 3);
    else if (load != NULL)
        append_loaded(kernel, load, text);
    else if (inst != NULL && inst->op == GP_OP_PHI)
        gp_text_printf(text, "counter");
    else if (inst == NULL || depth == 0 || inst->operand_count == 0)
        gp_text_printf(text, "...");
    else
        append_operation(kernel, inst, depth, text);
}

/* ---- What of the data decides ------------------------------------------------------------------------------------ */

static bool holds(const struct gp_kernel *kernel, uint32_t loop, uint32_t block)
{
    uint32_t inner = kernel->blocks[block].loop;
    while (inner != GP_NONE && inner != loop)
        inner = kernel->loops[inner].parent;
    return inner == loop;
}

static uint32_t block_of(const struct gp_kernel *kernel, uint32_t inst)
{
    for (uint32_t b = 0; b < kernel->block_count; b++)
        if (inst - kernel->blocks[b].inst < kernel->blocks[b].inst_count)
            return b;
    return GP_NONE; /* an expression of a loop's */
}

/* What a test compares: a counter of the loop, or its next value, or a number more than the counter; at the end of an iteration or at its beginning. */
struct tested { const struct gp_induction *counter; bool next, behind; int64_t more; };

static bool is_counter(const struct gp_kernel *kernel, const struct gp_induction *induction, gp_ref ref, bool *next)
{
    const struct gp_inst *phi = &kernel->insts[induction->phi];
    *next = false;
    for (uint32_t i = 0; i + 1 < phi->operand_count; i += 2)
        *next |= holds(kernel, induction->loop, gp_ref_index(operand_of(kernel, phi, i))) && operand_of(kernel, phi, i + 1) == ref;
    return *next || inst_of(kernel, ref) == phi;
}

static struct tested counter_of(const struct gp_kernel *kernel, uint32_t loop, gp_ref ref)
{
    struct tested tested = {0};
    const struct gp_inst *inst = inst_of(kernel, ref);
    for (unsigned depth = 0; inst != NULL && depth < DEEPEST; depth++, inst = inst_of(kernel, ref)) {
        for (uint32_t i = 0; i < kernel->induction_count; i++)
            if (kernel->inductions[i].loop == loop && is_counter(kernel, &kernel->inductions[i], ref, &tested.next)) {
                tested.counter = &kernel->inductions[i];
                return tested;
            }
        bool moved = inst->op == GP_OP_ADD && gp_ref_kind(operand_of(kernel, inst, 1)) == GP_REF_CONST;
        if (moved)
            tested.more += (int64_t)gp_sign_extend(kernel->constants[gp_ref_index(operand_of(kernel, inst, 1))], inst->bits);
        else if (!gp_op_is_cast((enum gp_op)inst->op))
            break;
        ref = operand_of(kernel, inst, 0);
    }
    return tested;
}

/* Whether a value is made from a phi of the loop's, whose next value is another one, or too much to tell. *left: how many more are looked at. */
static bool changes(const struct gp_kernel *kernel, uint32_t loop, gp_ref ref, uint32_t *left)
{
    const struct gp_inst *inst = inst_of(kernel, ref), *load = load_of(kernel, ref);
    uint32_t block = inst != NULL ? block_of(kernel, gp_ref_index(ref)) : GP_NONE;
    if (block == GP_NONE || !holds(kernel, loop, block))
        return false;
    if (load != NULL && inst->op == GP_OP_PHI)
        inst = load;
    if (inst->op == GP_OP_PHI || *left == 0)
        return true;
    (*left)--;
    for (uint32_t i = 0; i < inst->operand_count; i++)
        if (changes(kernel, loop, operand_of(kernel, inst, i), left))
            return true;
    return false;
}

/* What a phi is when the loop is entered. */
static gp_ref start_of(const struct gp_kernel *kernel, uint32_t loop, const struct gp_inst *phi)
{
    for (uint32_t i = 0; i + 1 < phi->operand_count; i += 2)
        if (!holds(kernel, loop, gp_ref_index(operand_of(kernel, phi, i))))
            return operand_of(kernel, phi, i + 1);
    return GP_REF_NONE;
}

/* Where a value began that is counted up by constants, also by another loop. */
static gp_ref root_of(const struct gp_kernel *kernel, uint32_t loop, gp_ref ref)
{
    const struct gp_inst *inst = inst_of(kernel, ref);
    for (unsigned depth = 0; inst != NULL && depth < DEEPEST; depth++, inst = inst_of(kernel, ref)) {
        uint32_t block = block_of(kernel, gp_ref_index(ref)), other = block != GP_NONE ? kernel->blocks[block].loop : GP_NONE;
        bool moved = inst->op == GP_OP_ADD && gp_ref_kind(operand_of(kernel, inst, 1)) == GP_REF_CONST;
        bool counts = inst->op == GP_OP_PHI && other != GP_NONE && kernel->loops[other].header == block && !holds(kernel, other, kernel->loops[loop].header);
        if (!moved && !counts)
            break;
        ref = moved ? operand_of(kernel, inst, 0) : start_of(kernel, other, inst);
    }
    return ref;
}

/* Where an unrolled loop and what is left over begin: the other one may have come some iterations already. */
static gp_ref first_start(const struct gp_kernel *kernel, uint32_t loop, gp_ref start)
{
    const struct gp_inst *join = inst_of(kernel, start);
    if (join == NULL || join->op != GP_OP_PHI || load_of(kernel, start) != NULL)
        return start;
    gp_ref first = root_of(kernel, loop, operand_of(kernel, join, 1));
    for (uint32_t i = 0; i + 1 < join->operand_count; i += 2)
        if (root_of(kernel, loop, operand_of(kernel, join, i + 1)) != first)
            return start;
    return first;
}

/* "n + first" less "first" is n. GP_REF_NONE: it is no such sum. */
static gp_ref rest_of_sum(const struct gp_kernel *kernel, gp_ref sum, gp_ref part)
{
    const struct gp_inst *inst = inst_of(kernel, sum), *load = load_of(kernel, part);
    for (uint32_t side = 0; inst != NULL && inst->op == GP_OP_ADD && side < 2; side++) {
        gp_ref summand = operand_of(kernel, inst, side);
        const struct gp_inst *other = load_of(kernel, summand);
        if (summand == part || (load != NULL && other != NULL && same_place(kernel, load, other)))
            return operand_of(kernel, inst, 1 - side);
    }
    return GP_REF_NONE;
}

static bool constant_of(const struct gp_kernel *kernel, gp_ref ref, unsigned bits, int64_t *value)
{
    bool constant = gp_ref_kind(ref) == GP_REF_CONST;
    *value = constant ? (int64_t)gp_sign_extend(kernel->constants[gp_ref_index(ref)], bits) : 0;
    return constant;
}

/* "to - from + more"; in brackets where there is more than "to". */
static void append_difference(const struct gp_kernel *kernel, gp_ref to, gp_ref from, int64_t more, unsigned bits, struct gp_text *text)
{
    gp_ref rest = rest_of_sum(kernel, to, from);
    int64_t number;
    bool constant = constant_of(kernel, from, bits, &number), summed = gp_ref_kind(rest) != GP_REF_NONE;
    more -= number;
    bool whole = more == 0 && (constant || summed);
    gp_text_printf(text, "%s", whole ? "" : "(");
    append_value(kernel, summed ? rest : to, FORMULA_DEEPEST, bits, text);
    if (!constant && !summed) {
        gp_text_printf(text, " - ");
        append_value(kernel, from, FORMULA_DEEPEST, bits, text);
    }
    if (more != 0)
        gp_text_printf(text, more < 0 ? " - %" PRId64 : " + %" PRId64, more < 0 ? -more : more);
    gp_text_printf(text, "%s", whole ? "" : ")");
}

/* Iterations until the tested number, that of the first iteration and so many steps, is no longer short of `end`: (end - start) / step, where the next value is tested. */
static bool append_count(const struct gp_kernel *kernel, const struct tested *tested, gp_ref end, bool inclusive, struct gp_text *text)
{
    const struct gp_induction *counter = tested->counter;
    unsigned bits = kernel->insts[counter->phi].bits;
    gp_ref start = first_start(kernel, counter->loop, start_of(kernel, counter->loop, &kernel->insts[counter->phi]));
    int64_t step, more = inclusive;
    bool constant = constant_of(kernel, counter->step, bits, &step), down = constant && step < 0;
    int64_t length = down ? -step : step;
    if (gp_ref_kind(start) == GP_REF_NONE || (constant ? step == 0 : !tested->next))
        return false;
    if (constant)
        more += (tested->next || !tested->behind ? 0 : length) + (down ? tested->more : -tested->more);
    append_difference(kernel, down ? start : end, down ? end : start, more, bits, text);
    if (length > 1)
        gp_text_printf(text, " / %" PRId64, length);
    if (!constant) {
        gp_text_printf(text, " / ");
        append_value(kernel, counter->step, FORMULA_DEEPEST, bits, text);
    }
    return true;
}

/* A way out that compares a counter with something that stays the same. inclusive: the loop goes on at `end` itself. */
struct way_out { struct tested tested; gp_ref end; bool inclusive; };

static bool is_way_out(const struct gp_kernel *kernel, uint32_t loop, uint32_t block, struct way_out *out)
{
    const struct gp_inst *branch = &kernel->insts[kernel->blocks[block].inst + kernel->blocks[block].inst_count - 1];
    if (!holds(kernel, loop, block) || branch->op != GP_OP_CONDBR)
        return false;
    bool stays_if_true = holds(kernel, loop, gp_ref_index(operand_of(kernel, branch, 1))), stays_if_false = holds(kernel, loop, gp_ref_index(operand_of(kernel, branch, 2)));
    const struct gp_inst *test = inst_of(kernel, operand_of(kernel, branch, 0));
    if (stays_if_true == stays_if_false || test == NULL || test->op != GP_OP_ICMP)
        return false;
    bool equal = test->sub == GP_PRED_EQ || test->sub == GP_PRED_NE;
    bool or_equal = test->sub == GP_PRED_ULE || test->sub == GP_PRED_UGE || test->sub == GP_PRED_SLE || test->sub == GP_PRED_SGE;
    uint32_t left = MOST_LOOKED_AT;
    for (uint32_t side = 0; side < 2; side++) {
        out->tested = counter_of(kernel, loop, operand_of(kernel, test, side));
        out->tested.behind = block == kernel->loops[loop].latch;
        out->end = operand_of(kernel, test, 1 - side);
        out->inclusive = !equal && or_equal == stays_if_true;
        if (out->tested.counter != NULL && !changes(kernel, loop, out->end, &left))
            return true;
    }
    return false;
}

static bool find_way_out(const struct gp_kernel *kernel, uint32_t loop, struct way_out *out)
{
    for (uint32_t b = 0; b < kernel->block_count; b++)
        if (is_way_out(kernel, loop, b, out))
            return true;
    return false;
}

bool gp_loop_formula(const struct gp_kernel *kernel, uint32_t loop, struct gp_text *text)
{
    struct way_out out;
    return find_way_out(kernel, loop, &out) && append_count(kernel, &out.tested, out.end, out.inclusive, text);
}

/* ---- Which data ---------------------------------------------------------------------------------------------------- */

enum { MOST_BUFFERS = 4 };
struct buffers { const char *names[MOST_BUFFERS]; uint32_t count, left; };

static void add_buffer(struct buffers *buffers, const char *name)
{
    for (uint32_t i = 0; i < buffers->count; i++)
        if (strcmp(buffers->names[i], name) == 0)
            return;
    if (name[0] != '\0' && buffers->count < MOST_BUFFERS)
        buffers->names[buffers->count++] = name;
}

/* Those that a value is loaded from, or computed from what is. */
static void find_buffers(const struct gp_kernel *kernel, gp_ref ref, struct buffers *buffers)
{
    const struct gp_inst *inst = inst_of(kernel, ref), *load = load_of(kernel, ref);
    if (inst == NULL || buffers->left == 0)
        return;
    buffers->left--;
    if (load != NULL)
        add_buffer(buffers, buffer_of(kernel, load));
    for (uint32_t i = 0; load == NULL && inst->op != GP_OP_PHI && i < inst->operand_count; i++)
        find_buffers(kernel, operand_of(kernel, inst, i), buffers);
}

bool gp_loop_decided_by(const struct gp_kernel *kernel, uint32_t loop, struct gp_text *text)
{
    struct way_out out;
    struct buffers buffers = {.left = MOST_LOOKED_AT};
    if (!find_way_out(kernel, loop, &out))
        return false;
    find_buffers(kernel, out.end, &buffers);
    find_buffers(kernel, first_start(kernel, loop, start_of(kernel, loop, &kernel->insts[out.tested.counter->phi])), &buffers);
    for (uint32_t i = 0; i < buffers.count; i++)
        gp_text_printf(text, "%s'%s'", i == 0 ? "" : i + 1 < buffers.count ? ", " : " and ", buffers.names[i]);
    return buffers.count > 0;
}

/* ---- A loop ------------------------------------------------------------------------------------------------------ */

void gp_describe_loop(const struct gp_kernel *kernel, uint32_t index, uint32_t assumed_trip_count, struct gp_text *text)
{
    const struct gp_loop *loop = &kernel->loops[index];
    struct gp_text formula = {0};
    gp_text_printf(text, "loop bound found by %s", gp_bound_name((enum gp_bound)loop->bound));
    if (gp_ref_kind(loop->trip_count) != GP_REF_NONE) {
        gp_text_printf(text, ": ");
        append_value(kernel, loop->trip_count, DEEPEST, 64, text);
        gp_text_printf(text, " iterations");
    }
    if (loop->bound == GP_BOUND_EXECUTED)
        gp_text_printf(text, ": no expression, but no loaded data decides when it ends");
    if (loop->bound == GP_BOUND_RETRY)
        gp_text_printf(text, ": until an exchange has succeeded; once more for each lane of a warp that meets others at its address");
    if (loop->bound == GP_BOUND_ASSUMED) {
        gp_text_printf(text, ": %u iterations (set with 'trip'), divided by the unroll factor", assumed_trip_count);
        if (gp_loop_formula(kernel, index, &formula))
            gp_text_printf(text, ", in place of %s", formula.data);
    }
    if (loop->unroll > 1)
        gp_text_printf(text, "; unrolled by %u", loop->unroll);
    if (loop->irreducible)
        gp_text_printf(text, "; entered in several places (irreducible)");
    if (loop->data_dependent && loop->bound != GP_BOUND_RETRY)
        gp_text_printf(text, "; an exit depends on loaded data");
    gp_text_printf(text, "; depth %u", loop->depth);
    gp_text_free(&formula);
}
