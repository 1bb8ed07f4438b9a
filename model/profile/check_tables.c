/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Checks of what a kernel has beside its code: tables, parameters, arrays, facts. */
#include "model/profile/checker.h"

enum { MAX_INDEX = 0x1fffffff, MAX_ALIGNMENT = 1 << 20 };

static bool check_table(struct check *c, const void *table, uint32_t count, const char *what)
{
    REQUIRE(c, count <= MAX_INDEX, "%u %s are too many", count, what);
    REQUIRE(c, count == 0 || table != NULL, "the %s are missing", what);
    return true;
}

bool gp_check_tables(struct check *c)
{
    const struct gp_kernel *k = c->kernel;
    REQUIRE(c, k->name != NULL && k->symbol != NULL, "it has no name or no symbol");
    REQUIRE(c, k->local_size_agnostic.reason != NULL && k->split_safe.reason != NULL, "a fact has no reason");
    return check_table(c, k->params, k->param_count, "parameters") &&
           check_table(c, k->blocks, k->block_count, "blocks") &&
           check_table(c, k->insts, k->inst_count, "instructions") &&
           check_table(c, k->operands, k->operand_count, "operands") &&
           check_table(c, k->constants, k->constant_count, "constants") &&
           check_table(c, k->memory, k->memory_count, "memory records") &&
           check_table(c, k->branches, k->branch_count, "branch records") &&
           check_table(c, k->loops, k->loop_count, "loops") &&
           check_table(c, k->inductions, k->induction_count, "inductions") &&
           check_table(c, k->locals, k->local_count, "local arrays") &&
           check_table(c, k->globals, k->global_count, "global arrays") &&
           check_table(c, k->privates, k->private_count, "private arrays") &&
           check_table(c, k->callees, k->callee_count, "callees") &&
           check_table(c, k->resources, k->resource_count, "resources") &&
           check_table(c, k->stated.defaults, k->stated.default_count, "default arguments") &&
           check_table(c, k->code, k->code_count, "machine code");
}

/* An element lies within a vector or a structure that stands before it. */
static bool check_element(struct check *c, uint32_t index)
{
    const struct gp_param *param = &c->kernel->params[index];
    REQUIRE(c, param->vector < index, "parameter %u is an element of parameter %u, which is not before it", index,
            param->vector);
    const struct gp_param *vector = &c->kernel->params[param->vector];
    bool whole = vector->kind == GP_PARAM_INT || vector->kind == GP_PARAM_OTHER;
    REQUIRE(c, param->kind == GP_PARAM_INT && whole && !(vector->flags & GP_PARAM_ELEMENT),
            "parameter %u is no integer of a vector or structure", index);
    REQUIRE(c, ((uint64_t)param->element + 1) * param->bits <= (uint64_t)vector->size * 8,
            "parameter %u is element %u, which its vector does not have", index, param->element);
    return true;
}

bool gp_check_params(struct check *c)
{
    REQUIRE(c, c->kernel->param_count <= GP_MAX_ARGUMENTS, "%u parameters, more than %d", c->kernel->param_count,
            GP_MAX_ARGUMENTS);
    for (uint32_t i = 0; i < c->kernel->param_count; i++) {
        const struct gp_param *param = &c->kernel->params[i];
        if ((param->flags & GP_PARAM_ELEMENT) != 0 && !check_element(c, i))
            return false;
        bool scalar = param->kind == GP_PARAM_INT || param->kind == GP_PARAM_FLOAT;
        REQUIRE(c, param->name != NULL, "parameter %u has no name string", i);
        REQUIRE(c, param->kind < GP_PARAM_KIND_COUNT, "parameter %u is of unknown kind %u", i, param->kind);
        REQUIRE(c, param->space < GP_SPACE_COUNT, "parameter %u is in unknown space %u", i, param->space);
        REQUIRE(c, param->flags < 64, "parameter %u has unknown flags %#x", i, param->flags);
        REQUIRE(c, !scalar || param->bits > 0, "parameter %u is a number of 0 bits", i);
        REQUIRE(c, param->kind != GP_PARAM_LOCAL || param->size == 0, "local parameter %u has a size of its own", i);
        REQUIRE(c, param->bounds_dim == GP_NONE || (param->bounds_dim < GP_MAX_DIMS && param->kind == GP_PARAM_INT),
                "parameter %u bounds dimension %u", i, param->bounds_dim);
    }
    return true;
}

bool gp_check_arrays(struct check *c, const struct gp_array *arrays, uint32_t count, const char *what)
{
    uint64_t total = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct gp_array *array = &arrays[i];
        REQUIRE(c, array->name != NULL, "%s array %u has no name string", what, i);
        REQUIRE(c, gp_check_is_power_of_two(array->alignment) && array->alignment <= MAX_ALIGNMENT,
                "%s array %u is aligned to %u, not a power of two up to %d", what, i, array->alignment, MAX_ALIGNMENT);
        if (!gp_check_location_index(c, array->location))
            return false;
        total += (uint64_t)array->bytes + array->alignment;
    }
    REQUIRE(c, total <= UINT32_MAX || arrays != c->kernel->locals, "the %s arrays together exceed 4 GiB", what);
    return true;
}

static bool check_sizes(struct check *c, const uint32_t sizes[3], uint64_t most, const char *what)
{
    bool none = sizes[0] == 0 && sizes[1] == 0 && sizes[2] == 0, all = sizes[0] != 0 && sizes[1] != 0 && sizes[2] != 0;
    REQUIRE(c, none || all, "%s is 0 in some dimensions only", what);
    uint64_t area = (uint64_t)sizes[0] * sizes[1];
    REQUIRE(c, none || (area <= most && area * sizes[2] / sizes[2] == area && area * sizes[2] <= most),
            "%s is too large", what);
    return true;
}

bool gp_check_facts(struct check *c)
{
    const struct gp_kernel *k = c->kernel;
    REQUIRE(c, k->dims <= GP_MAX_DIMS, "it uses %u dimensions", k->dims);
    for (uint32_t i = 0; i < k->callee_count; i++)
        REQUIRE(c, k->callees[i] != NULL, "callee %u has no name", i);
    for (uint32_t i = 0; i < k->resource_count; i++) {
        const struct gp_resources *entry = &k->resources[i];
        REQUIRE(c, entry->source < GP_SOURCE_COUNT, "resources %u are from unknown source %u", i, entry->source);
        REQUIRE(c, (entry->loop_store_bytes == 0 && entry->loop_load_bytes == 0) || entry->spill_loop < k->loop_count,
                "resources %u spill in loop %u, which there is not", i, entry->spill_loop);
        REQUIRE(
            c, entry->loop_store_bytes <= entry->spill_store_bytes && entry->loop_load_bytes <= entry->spill_load_bytes,
            "resources %u spill more in a loop than in all", i);
    }
    for (uint32_t i = 0; i < k->code_count; i++)
        REQUIRE(c, k->code[i].loop == GP_NONE || k->code[i].loop < k->loop_count,
                "machine code %u is of loop %u, which there is not", i, k->code[i].loop);
    for (uint32_t i = 0; i < k->stated.default_count; i++) {
        uint32_t param = k->stated.defaults[i].param;
        REQUIRE(c,
                param < k->param_count &&
                    (k->params[param].kind == GP_PARAM_INT || k->params[param].kind == GP_PARAM_FLOAT),
                "default argument %u is for parameter %u, which is no number", i, param);
    }
    return gp_check_location_index(c, k->location) &&
           check_sizes(c, k->stated.required_local, INT32_MAX, "the required local size") &&
           check_sizes(c, k->stated.default_local, INT32_MAX, "the default local size") &&
           check_sizes(c, k->stated.default_global, INT64_MAX, "the default global size");
}
