/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The trip count of a loop as far as the launch alone decides it, for printing. */
#include <stdlib.h>

#include "model/executor/executor_internal.h"

enum { MAX_CHAIN = 256, UNSEEN = 0, UNKNOWN, KNOWN };

struct query {
    const struct gp_kernel *kernel;
    const struct gp_launch *launch;
    uint8_t *state; /* per instruction */
    uint64_t *value;
};

/* What is the same for all work-items of a launch. */
static bool launch_constant(const struct gp_launch *launch, unsigned sub, uint64_t *value)
{
    unsigned id = sub >> 2, dim = sub & 3;
    if (id == GP_ID_WORK_DIM) {
        *value = launch->dims;
        return true;
    }
    if (dim >= GP_MAX_DIMS || launch->local[dim] == 0)
        return false;
    uint64_t global = launch->global[dim], local = launch->local[dim];
    switch (id) {
    case GP_ID_LOCAL_SIZE: *value = local; return true;
    case GP_ID_GLOBAL_SIZE: *value = global; return true;
    case GP_ID_GROUP_COUNT: *value = global / local + (global % local != 0); return true;
    case GP_ID_OFFSET: *value = launch->offset[dim]; return true;
    default: return false;
    }
}

static bool evaluate(struct query *query, gp_ref ref, unsigned chain, uint64_t *value);

static bool evaluate_instruction(struct query *query, uint32_t index, unsigned chain, uint64_t *value)
{
    const struct gp_inst *inst = &query->kernel->insts[index];
    unsigned arity = gp_operation_arity(inst->op);
    uint64_t in[3] = {0, 0, 0};
    if (inst->op == GP_OP_ID) {
        bool constant = launch_constant(query->launch, inst->sub, value);
        *value &= gp_bits_mask(inst->bits);
        return constant;
    }
    if (arity == 0 || arity > inst->operand_count)
        return false;
    for (unsigned i = 0; i < arity; i++)
        if (!evaluate(query, query->kernel->operands[inst->operand + i], chain + 1, &in[i]))
            return false;
    struct gp_operation operation = {inst->op, inst->bits, inst->width, inst->sub};
    return gp_compute(&operation, in[0], in[1], in[2], value);
}

static bool evaluate(struct query *query, gp_ref ref, unsigned chain, uint64_t *value)
{
    uint32_t index = gp_ref_index(ref);
    *value = 0;
    switch (gp_ref_kind(ref)) {
    case GP_REF_CONST: *value = query->kernel->constants[index]; return true;
    case GP_REF_PARAM:
        if (index >= GP_MAX_ARGUMENTS || !query->launch->arguments[index].known)
            return false;
        *value = query->launch->arguments[index].value & gp_bits_mask(query->kernel->params[index].bits);
        return query->kernel->params[index].kind == GP_PARAM_INT || query->kernel->params[index].kind == GP_PARAM_FLOAT;
    case GP_REF_INST:
        if (query->state[index] == UNSEEN && chain < MAX_CHAIN) {
            query->state[index] = UNKNOWN; /* also while it is evaluated: a value that needs itself is not known */
            if (evaluate_instruction(query, index, chain, &query->value[index]))
                query->state[index] = KNOWN;
        }
        *value = query->value[index];
        return query->state[index] == KNOWN;
    default: return false;
    }
}

bool gp_loop_trip_count(struct gp_executor *executor, const struct gp_launch *launch, uint32_t loop, uint64_t *count)
{
    const struct gp_kernel *kernel = executor->kernel;
    if (loop >= kernel->loop_count)
        return false;
    struct query query = {kernel, launch, NULL, NULL};
    query.state = calloc((size_t)kernel->inst_count + 1, sizeof *query.state);
    query.value = calloc((size_t)kernel->inst_count + 1, sizeof *query.value);
    bool known = evaluate(&query, kernel->loops[loop].trip_count, 0, count);
    if (known)
        *count &= gp_bits_mask(executor->loops[loop].trip_bits);
    free(query.state);
    free(query.value);
    return known;
}
