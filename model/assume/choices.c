/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/assume/rules.h"

#include "model/value/inst_facts.h"
#include "model/value/id_sources.h"
#include "model/value/refs.h"
#include "model/launch/range.h"

enum { MOST_CONSTANTS = 32, MOST_VALUES = 64 };

/* What a parameter is compared with: constants, and whether the kernel does nothing where it is that; values that ids
 * give. */
struct compared {
    uint32_t count;
    int64_t constant[MOST_CONSTANTS];
    bool idle[MOST_CONSTANTS];
    bool values, decides; /* decides: it has another use */
    int64_t least;        /* of the values */
};

struct search {
    const struct gp_kernel *kernel;
    const struct gp_launch *launch;
    struct compared *compared;
};

static void add_constant(struct compared *c, int64_t constant, bool idle)
{
    for (uint32_t i = 0; i < c->count; i++)
        if (c->constant[i] == constant) {
            c->idle[i] |= idle;
            return;
        }
    c->decides |= c->count == MOST_CONSTANTS;
    if (c->count == MOST_CONSTANTS)
        return;
    c->idle[c->count] = idle;
    c->constant[c->count++] = constant;
}

static void see_switch(const struct search *s, const struct gp_inst *inst, struct compared *c, unsigned bits)
{
    for (uint32_t k = 2; k + 1 < inst->operand_count; k += 2)
        add_constant(c, gp_signed_constant(s->kernel, gp_operand_of(s->kernel, inst, k), bits),
                     gp_block_is_idle(s->kernel, gp_ref_index(gp_operand_of(s->kernel, inst, k + 1))));
}

/* Whether the kernel does nothing where two are equal: a branch asks just that. */
static bool is_idle_where_equal(const struct gp_kernel *kernel, uint32_t comparison)
{
    for (uint32_t b = 0; b < kernel->block_count; b++) {
        const struct gp_inst *last = gp_block_terminator(kernel, b);
        if (last->op == GP_OP_CONDBR && gp_operand_of(kernel, last, 0) == gp_ref_make(GP_REF_INST, comparison))
            return gp_block_is_idle(
                kernel, gp_ref_index(gp_operand_of(kernel, last, kernel->insts[comparison].sub == GP_PRED_EQ ? 1 : 2)));
    }
    return false;
}

static void see_comparison(const struct search *s, uint32_t index, uint32_t k, struct compared *c)
{
    const struct gp_inst *inst = &s->kernel->insts[index];
    gp_ref other = gp_operand_of(s->kernel, inst, 1 - k);
    struct gp_made_of made = gp_made_of(s->kernel, other);
    struct gp_range range;
    if (inst->sub != GP_PRED_EQ && inst->sub != GP_PRED_NE)
        c->decides = true;
    else if (gp_ref_kind(other) == GP_REF_CONST)
        add_constant(c, gp_signed_constant(s->kernel, other, inst->width), is_idle_where_equal(s->kernel, index));
    else if ((made.items | made.groups) != 0 && gp_range_of(s->kernel, s->launch, other, &range) &&
             range.high - range.low < MOST_VALUES) {
        c->least = c->values && c->least < range.low ? c->least : range.low;
        c->values = true;
    } else {
        c->decides = true;
    }
}

static void see_use(const struct search *s, uint32_t index, uint32_t k)
{
    const struct gp_inst *inst = &s->kernel->insts[index];
    uint32_t param = gp_integer_parameter(s->kernel, gp_behind_casts(s->kernel, gp_operand_of(s->kernel, inst, k)));
    if (param == GP_NONE || gp_op_is_cast((enum gp_op)inst->op) || gp_operand_decides_nothing(inst, k))
        return;
    struct compared *c = &s->compared[param];
    if (inst->op == GP_OP_SWITCH && k == 0)
        see_switch(s, inst, c, s->kernel->params[param].bits);
    else if (inst->op == GP_OP_ICMP)
        see_comparison(s, index, k, c);
    else
        c->decides = true;
}

/* The least constant that does something; where all of them end the kernel, the least number that is none of them. */
static int64_t least_of(const struct compared *c)
{
    int64_t least = INT64_MAX, other = 0;
    bool flag = c->count == 1 && c->constant[0] == 0;
    for (uint32_t i = 0; i < c->count; i++)
        if (!c->idle[i] && !flag && c->constant[i] < least)
            least = c->constant[i];
    for (uint32_t i = 0; i < c->count; i++)
        for (uint32_t k = 0; k < c->count; k++)
            other += c->constant[k] == other;
    return least < INT64_MAX ? least : other;
}

void gp_choices(const struct gp_kernel *kernel, const struct gp_launch *launch,
                struct gp_choice choices[GP_MAX_ARGUMENTS])
{
    struct compared compared[GP_MAX_ARGUMENTS] = {0};
    struct search search = {kernel, launch, compared};
    for (uint32_t i = 0; i < kernel->inst_count; i++)
        for (uint32_t k = 0; k < kernel->insts[i].operand_count; k++)
            see_use(&search, i, k);
    for (uint32_t p = 0; p < GP_MAX_ARGUMENTS; p++) {
        const struct compared *c = &compared[p];
        bool found = !c->decides && (c->count > 0 || c->values);
        int64_t value = found ? c->count > 0 ? least_of(c) : c->least : 0;
        choices[p] = (struct gp_choice){found, found ? (uint64_t)value & gp_bits_mask(kernel->params[p].bits) : 0};
    }
}
