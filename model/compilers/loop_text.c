/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/compilers/loop_text.h"

#include <inttypes.h>
#include <string.h>

#include "model/compilers/loop_exit.h"
#include "model/value/operand_walk.h"
#include "model/value/refs.h"

enum { DEEPEST = 12, FORMULA_DEEPEST = 5 };

/* ---- Expressions ------------------------------------------------------------------------------------------------- */

static const char *symbol_of(enum gp_op op)
{
    switch (op) {
    case GP_OP_ADD: return " + ";
    case GP_OP_SUB: return " - ";
    case GP_OP_MUL: return " * ";
    case GP_OP_UDIV:
    case GP_OP_SDIV: return " / ";
    case GP_OP_SHL: return " << ";
    case GP_OP_LSHR:
    case GP_OP_ASHR: return " >> ";
    case GP_OP_AND: return " & ";
    case GP_OP_OR: return " | ";
    default: return NULL;
    }
}

/* Division by a comparison says when a count holds (passes/analysis/inductions.h); it need not be read. */
static bool is_proviso(const struct gp_kernel *kernel, gp_ref ref)
{
    const struct gp_inst *inst = gp_inst_of(kernel, ref);
    for (unsigned depth = 0; depth < DEEPEST && inst != NULL && inst->op == GP_OP_ZEXT; depth++)
        inst = gp_inst_of(kernel, gp_operand_of(kernel, inst, 0));
    return inst != NULL && inst->op == GP_OP_ICMP;
}

/* "" where nobody knows. */
static const char *buffer_of(const struct gp_kernel *kernel, const struct gp_inst *load)
{
    gp_ref base = kernel->memory[load->record].base;
    uint32_t index = gp_ref_index(base);
    return gp_ref_kind(base) == GP_REF_PARAM    ? kernel->params[index].name
           : gp_ref_kind(base) == GP_REF_GLOBAL ? kernel->globals[index].name
                                                : "";
}

static void append_loaded(const struct gp_kernel *kernel, const struct gp_inst *load, struct gp_text *text)
{
    const char *name = buffer_of(kernel, load);
    if (name[0] != '\0')
        gp_text_printf(text, "%s[...]", name);
    else
        gp_text_printf(text, "loaded");
}

static void append_within(const struct gp_kernel *kernel, gp_ref ref, unsigned depth, unsigned bits, unsigned *left,
                          struct gp_text *text);

static void append_operation(const struct gp_kernel *kernel, const struct gp_inst *inst, unsigned depth, unsigned *left,
                             struct gp_text *text)
{
    const char *symbol = symbol_of((enum gp_op)inst->op);
    bool proviso = inst->op == GP_OP_UDIV && is_proviso(kernel, gp_operand_of(kernel, inst, 1));
    if (gp_op_is_cast((enum gp_op)inst->op) || inst->op == GP_OP_COPY || proviso ||
        (inst->op == GP_OP_WEIGHT && inst->operand_count == 1)) {
        append_within(kernel, gp_operand_of(kernel, inst, 0), depth - 1, inst->bits, left, text);
        return;
    }
    gp_text_printf(text, "%s(", symbol != NULL ? "" : gp_op_name((enum gp_op)inst->op));
    for (uint32_t i = 0; i<inst->operand_count && * left> 0; i++) {
        gp_text_printf(text, "%s", i == 0 ? "" : symbol != NULL ? symbol : ", ");
        append_within(kernel, gp_operand_of(kernel, inst, i), depth - 1, inst->bits, left, text);
    }
    gp_text_printf(text, ")");
}

static void append_within(const struct gp_kernel *kernel, gp_ref ref, unsigned depth, unsigned bits, unsigned *left,
                          struct gp_text *text)
{
    uint32_t index = gp_ref_index(ref);
    const struct gp_inst *inst = gp_inst_of(kernel, ref), *load = gp_load_of(kernel, ref);
    *left -= *left > 0;
    if (gp_ref_kind(ref) == GP_REF_CONST)
        gp_text_printf(text, "%" PRId64, gp_signed_constant(kernel, ref, bits));
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
    else if (inst == NULL || depth == 0 || *left == 0 || inst->operand_count == 0)
        gp_text_printf(text, "...");
    else
        append_operation(kernel, inst, depth, left, text);
}

/* With the source's names; "..." for what lies deeper than `depth`, or behind the first GP_MOST_VISITED. bits: of the
 * operation that the value is for. */
static void append_value(const struct gp_kernel *kernel, gp_ref ref, unsigned depth, unsigned bits,
                         struct gp_text *text)
{
    unsigned left = GP_MOST_VISITED;
    append_within(kernel, ref, depth, bits, &left, text);
}

static bool constant_of(const struct gp_kernel *kernel, gp_ref ref, unsigned bits, int64_t *value)
{
    int64_t number = gp_ref_kind(ref) == GP_REF_CONST ? gp_signed_constant(kernel, ref, bits) : INT64_MAX;
    bool counts = number > -GP_MOST_COUNTED && number < GP_MOST_COUNTED;
    *value = counts ? number : 0;
    return counts;
}

/* "to - from + more"; in brackets where there is more than "to". */
static void append_difference(const struct gp_kernel *kernel, gp_ref to, gp_ref from, int64_t more, unsigned bits,
                              struct gp_text *text)
{
    gp_ref rest = gp_rest_of_sum(kernel, to, from);
    int64_t number;
    bool constant = constant_of(kernel, from, bits, &number), summed = gp_ref_kind(rest) != GP_REF_NONE;
    more -= summed ? 0 : number;
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

/* Iterations until the tested number, that of the first iteration and so many steps, is no longer short of `end`: (end
 * - start) / step, where the next value is tested. */
static bool append_count(const struct gp_kernel *kernel, const struct gp_loop_exit *out, struct gp_text *text)
{
    const struct gp_induction *counter = out->counter;
    unsigned bits = kernel->insts[counter->phi].bits;
    int64_t step, more = out->inclusive;
    bool constant = constant_of(kernel, counter->step, bits, &step), down = constant && step < 0,
         behind = out->block == kernel->loops[counter->loop].latch;
    int64_t length = down ? -step : step;
    if (constant ? step == 0 : !out->next)
        return false;
    if (constant)
        more += (out->next == behind ? 0 : behind ? length : -length) + (down ? out->more : -out->more);
    append_difference(kernel, down ? out->start : out->end, down ? out->end : out->start, more, bits, text);
    if (length > 1)
        gp_text_printf(text, " / %" PRId64, length);
    if (!constant) {
        gp_text_printf(text, " / ");
        append_value(kernel, counter->step, FORMULA_DEEPEST, bits, text);
    }
    return true;
}

bool gp_loop_formula(const struct gp_kernel *kernel, uint32_t loop, struct gp_text *text)
{
    struct gp_loop_exit out;
    return gp_find_loop_exit(kernel, loop, 0, &out) && append_count(kernel, &out, text);
}

/* ---- Which data -------------------------------------------------------------------------------------------------- */

enum { MOST_BUFFERS = 4 };
struct buffers {
    const char *names[MOST_BUFFERS];
    uint32_t count;
};

static void add_buffer(struct buffers *buffers, const char *name)
{
    for (uint32_t i = 0; i < buffers->count; i++)
        if (strcmp(buffers->names[i], name) == 0)
            return;
    if (name[0] != '\0' && buffers->count < MOST_BUFFERS)
        buffers->names[buffers->count++] = name;
}

/* Those that a value is loaded from, or computed from what is. */
static enum gp_visit find_buffer(const struct gp_kernel *kernel, gp_ref ref, const struct gp_inst *inst, void *buffers)
{
    const struct gp_inst *load = gp_load_of(kernel, ref);
    if (load != NULL)
        add_buffer(buffers, buffer_of(kernel, load));
    return load != NULL || (inst != NULL && inst->op == GP_OP_PHI) ? GP_VISIT_NEXT : GP_VISIT_OPERANDS;
}

bool gp_loop_decided_by(const struct gp_kernel *kernel, uint32_t loop, struct gp_text *text)
{
    struct gp_loop_exit out;
    struct buffers buffers = {0};
    if (!gp_find_loop_exit(kernel, loop, 0, &out))
        return false;
    gp_walk_operands(kernel, out.end, find_buffer, &buffers);
    gp_walk_operands(kernel, out.start, find_buffer, &buffers);
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
        gp_text_printf(
            text,
            ": until an exchange has succeeded; once more for each lane of a warp that meets others at its address");
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
