/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/compilers/inst_cost.h"

#include "model/value/inst_facts.h"

static bool is_double(uint8_t class) { return gp_single_class(class) != class; }

/* The hardware's approximation of a function, as native_ functions, __sinf() and their like have it; GP_CLASS_FREE:
 * there is none, or it is one. (A power is two of them and a product.) */
static uint8_t approximation(uint8_t class)
{
    static const uint8_t fast[GP_CLASS_COUNT] = {
        [GP_CLASS_FLOAT_DIV] = GP_CLASS_FLOAT_DIV_FAST,   [GP_CLASS_FLOAT_DIV_LOOSE] = GP_CLASS_FLOAT_DIV_FAST,
        [GP_CLASS_FLOAT_SQRT] = GP_CLASS_FLOAT_SQRT_FAST, [GP_CLASS_FLOAT_SQRT_LOOSE] = GP_CLASS_FLOAT_SQRT_FAST,
        [GP_CLASS_MATH32_TRIG] = GP_CLASS_SFU_SIN,        [GP_CLASS_MATH32_EXP] = GP_CLASS_SFU_EXP2,
        [GP_CLASS_MATH32_LOG] = GP_CLASS_SFU_LOG2,        [GP_CLASS_MATH32_POW] = GP_CLASS_SFU_LOG2};
    return fast[class];
}

static bool is_special(uint8_t class)
{
    return (class >= GP_CLASS_FLOAT_DIV && class < GP_CLASS_DOUBLE_ADD) ||
           (class >= GP_CLASS_FLOAT_DIV_LOOSE && class <= GP_CLASS_SFU_LOG2_FLUSH) ||
           (class >= GP_CLASS_FLOAT_RCP_NATIVE && class <= GP_CLASS_SFU_EXP2_NATIVE);
}

/* Of double precision for constants only conversions go; of a power all but its products. */
static bool is_of_power(const struct gp_inst *inst)
{
    return inst->repaired == GP_CLASS_DOUBLE_MUL || !is_double(inst->cost) ||
           (inst->repaired == GP_CLASS_FREE && inst->cost != GP_CLASS_CVT_64);
}

enum gp_narrow_path gp_inst_path(const struct gp_inst *inst)
{
    if ((inst->flags & GP_INST_REPAIRABLE) && inst->repaired == GP_CLASS_MOV)
        return GP_NARROW_ELEMENT;
    if (inst->flags & GP_INST_REPAIRABLE)
        return is_of_power(inst) ? GP_NARROW_POWER : GP_NARROW_CONSTANT;
    if (gp_class_divides_integers(inst->cost))
        return GP_NARROW_DIVISION;
    if (inst->cost == GP_CLASS_CVT || inst->cost == GP_CLASS_CVT_NARROW || inst->cost == GP_CLASS_CVT_FROM_INT)
        return GP_NARROW_CONVERSION;
    if (approximation(inst->cost) != GP_CLASS_FREE)
        return GP_NARROW_EXACT;
    return is_double(inst->cost) ? GP_NARROW_DOUBLE : is_special(inst->cost) ? GP_NARROW_SPECIAL : GP_NARROW_COUNT;
}

static struct gp_cost times(const struct gp_cost *cost, float count)
{
    struct gp_cost all = *cost;
    all.issue *= count;
    for (int p = 0; p < GP_PIPE_COUNT; p++)
        all.ops[p] *= count;
    return all;
}

static struct gp_cost widened(const struct gp_cost *cost)
{
    static const enum gp_pipe narrow[] = {GP_PIPE_FP64, GP_PIPE_SFU, GP_PIPE_CVT, GP_PIPE_CVT64};
    struct gp_cost wide = *cost;
    for (size_t i = 0; i < sizeof narrow / sizeof *narrow; i++) {
        wide.ops[GP_PIPE_FP32] += wide.ops[narrow[i]];
        wide.ops[narrow[i]] = 0;
    }
    return wide;
}

static void add(struct gp_cost *sum, const struct gp_cost *cost)
{
    sum->issue += cost->issue;
    sum->latency += cost->latency;
    for (int p = 0; p < GP_PIPE_COUNT; p++)
        sum->ops[p] += cost->ops[p];
}

/* pow() as exp2(y * log2(x)). */
static struct gp_cost approximated(uint8_t class, const struct gp_cost costs[GP_CLASS_COUNT])
{
    struct gp_cost cost = costs[approximation(class)];
    if (class == GP_CLASS_MATH32_POW) {
        add(&cost, &costs[GP_CLASS_FLOAT_MUL]);
        add(&cost, &costs[GP_CLASS_SFU_EXP2]);
    }
    return cost;
}

struct gp_cost gp_inst_cost(const struct gp_inst *inst, const struct gp_cost costs[GP_CLASS_COUNT],
                            uint32_t repaired_paths)
{
    struct gp_cost cost = costs[inst->cost];
    enum gp_narrow_path path = gp_inst_path(inst);
    bool is_wide = path == GP_NARROW_CONVERSION && cost.ops[GP_PIPE_CVT] <= 0;
    if (path == GP_NARROW_COUNT || is_wide || !(repaired_paths >> path & 1))
        return times(&cost, (float)inst->repeat);
    if (inst->flags & GP_INST_REPAIRABLE) {
        struct gp_cost repaired = times(&costs[inst->repaired], (float)inst->repaired_repeat);
        repaired.latency *= (float)inst->repaired_repeat / inst->repeat; /* one product after the other */
        return repaired;
    }
    struct gp_cost wide = path == GP_NARROW_DIVISION     ? costs[GP_CLASS_INT_LOGIC] /* a mask, or the like */
                          : path == GP_NARROW_CONVERSION ? costs[GP_CLASS_FREE]
                          : path == GP_NARROW_EXACT      ? approximated(inst->cost, costs)
                          : path == GP_NARROW_DOUBLE     ? costs[gp_single_class(inst->cost)]
                                                         : widened(&cost);
    return times(&wide, (float)inst->repeat);
}

struct gp_cost gp_cost_of_turn(const struct gp_cost *cost, uint8_t turns)
{
    if (turns == 1)
        return *cost;
    struct gp_cost part = times(cost, 1 / (float)turns);
    part.latency /= (float)turns;
    return part;
}
