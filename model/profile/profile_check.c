/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * gp_profile_check(): every invariant that profile.h states, in time linear in the size of the profile. Whoever
 * computes with a profile relies on this and checks nothing again.
 */
#include "model/profile/profile.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "model/profile/checker.h"

/* ---- Parameters, arrays and facts -------------------------------------------------------------------------------- */

/* Checks of what a kernel has beside its code: tables, parameters, arrays, facts. */

enum { MAX_INDEX = 0x1fffffff, MAX_ALIGNMENT = 1 << 20 };

static bool check_table(struct check *c, const void *table, uint32_t count, const char *what)
{
    REQUIRE(c, count <= MAX_INDEX, "%u %s are too many", count, what);
    REQUIRE(c, count == 0 || table != NULL, "the %s are missing", what);
    return true;
}

static bool check_tables(struct check *c)
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

static bool check_params(struct check *c)
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

static bool check_arrays(struct check *c, const struct gp_array *arrays, uint32_t count, const char *what)
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

static bool check_facts(struct check *c)
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

/* ---- Memory operations and branches ------------------------------------------------------------------------------ */

/* Checks of what is recorded of memory operations and branches. */

static bool valid_base(gp_ref base)
{
    switch (gp_ref_kind(base)) {
    case GP_REF_NONE:
    case GP_REF_PARAM:
    case GP_REF_LOCAL:
    case GP_REF_GLOBAL:
    case GP_REF_PRIVATE: return true;
    default: return false;
    }
}

static bool adds_constant(const struct gp_kernel *kernel, const struct gp_memory *memory)
{
    const struct gp_inst *inst = &kernel->insts[memory->inst];
    return inst->operand_count >= 2 && gp_ref_kind(kernel->operands[inst->operand + 1]) == GP_REF_CONST;
}

static bool check_memory_flags(struct check *c, const struct gp_memory *memory, enum gp_op op)
{
    bool image = op == GP_OP_IMAGE_LOAD || op == GP_OP_IMAGE_STORE,
         store = op == GP_OP_STORE || op == GP_OP_IMAGE_STORE;
    bool load = op == GP_OP_LOAD || op == GP_OP_IMAGE_LOAD, atomic = op == GP_OP_ATOMIC;
    REQUIRE(c, !store || (memory->flags & GP_MEMORY_STORE), "a store without the flag 'store'");
    REQUIRE(c, !load || !(memory->flags & GP_MEMORY_STORE), "a load with the flag 'store'");
    REQUIRE(c, atomic == ((memory->flags & GP_MEMORY_ATOMIC) != 0), "the flag 'atomic' is for atomics");
    REQUIRE(c, atomic || !(memory->flags & GP_MEMORY_RETURNS), "the flag 'returns' is for atomics");
    REQUIRE(c, atomic || !(memory->flags & GP_MEMORY_COMBINES), "the flag 'combines' is for atomics");
    REQUIRE(c, atomic || !(memory->flags & GP_MEMORY_EXCHANGES), "the flag 'exchanges' is for atomics");
    REQUIRE(c, atomic || !(memory->flags & GP_MEMORY_KEEPS), "the flag 'keeps' is for atomics");
    REQUIRE(c, memory->flags < 2 * GP_MEMORY_KEEPS, "unknown flags %#x", memory->flags);
    REQUIRE(c, load || !(memory->flags & GP_MEMORY_ASYNC), "the flag 'async' is for loads");
    REQUIRE(c, !(memory->flags & GP_MEMORY_COUNTS) || (atomic && adds_constant(c->kernel, memory)),
            "the flag 'counts' is for atomics that add a constant");
    REQUIRE(c, image == (memory->space == GP_SPACE_IMAGE), "image operations and the space 'image' go together");
    return true;
}

static bool check_memory_records(struct check *c)
{
    const struct gp_kernel *k = c->kernel;
    for (uint32_t i = 0; i < k->memory_count; i++) {
        const struct gp_memory *memory = &k->memory[i];
        REQUIRE(c,
                memory->inst < k->inst_count && gp_op_is_memory((enum gp_op)k->insts[memory->inst].op) &&
                    k->insts[memory->inst].record == i,
                "memory record %u belongs to no instruction", i);
        c->inst = memory->inst;
        REQUIRE(c, memory->space < GP_SPACE_COUNT, "unknown space %u", memory->space);
        REQUIRE(c, memory->element_bytes >= 1 && memory->vector >= 1, "it moves no bytes");
        REQUIRE(c, gp_check_is_power_of_two(memory->alignment), "alignment %u is no power of two", memory->alignment);
        REQUIRE(c, valid_base(memory->base), "the base of an address is a parameter or an array");
        if (!check_memory_flags(c, memory, (enum gp_op)k->insts[memory->inst].op) || !gp_check_ref(c, memory->base))
            return false;
        c->inst = GP_NONE;
    }
    return true;
}

static bool check_branch_records(struct check *c)
{
    const struct gp_kernel *k = c->kernel;
    for (uint32_t i = 0; i < k->branch_count; i++) {
        const struct gp_branch *branch = &k->branches[i];
        REQUIRE(c,
                branch->inst < k->inst_count && gp_check_has_branch_record((enum gp_op)k->insts[branch->inst].op) &&
                    k->insts[branch->inst].record == i,
                "branch record %u belongs to no instruction", i);
        c->inst = branch->inst;
        REQUIRE(c, branch->kind < GP_BRANCH_KIND_COUNT, "unknown kind of branch %u", branch->kind);
        REQUIRE(c, branch->has_probability <= 1 && (branch->has_probability || branch->probability == 0),
                "a probability that is not there");
        c->inst = GP_NONE;
    }
    return true;
}

/* ---- All of it --------------------------------------------------------------------------------------------------- */

/* ---- Complaints -------------------------------------------------------------------------------------------------- */

bool gp_check_complain(struct check *c, const char *format, ...)
{
    char what[256], where[64] = "";
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    size_t length = 0;
    if (c->block != GP_NONE)
        length = (size_t)snprintf(where, sizeof where, ", block %u", c->block);
    if (c->inst != GP_NONE)
        snprintf(where + length, sizeof where - length, ", instruction %%%u", c->inst);
    if (c->kernel == NULL)
        return gp_fail(c->error, "invalid profile: %s", what);
    const char *name = c->kernel->name ? c->kernel->name : "?";
    return gp_fail(c->error, "invalid profile: kernel '%.200s'%s: %s", name, where, what);
}

/* ---- The profile's own tables ------------------------------------------------------------------------------------ */

bool gp_check_location_index(struct check *c, uint32_t location)
{
    REQUIRE(c, location == GP_NONE || location < c->profile->location_count, "location %u does not exist", location);
    return true;
}

static bool check_locations(struct check *c)
{
    const struct gp_profile *profile = c->profile;
    REQUIRE(c, profile->location_count == 0 || profile->locations != NULL, "the locations are missing");
    for (uint32_t i = 0; i < profile->location_count; i++) {
        const struct gp_location *location = &profile->locations[i];
        REQUIRE(c, location->file != NULL, "location %u has no file", i);
        REQUIRE(c, location->inlined_at == GP_NONE || location->inlined_at < i,
                "location %u is inlined at location %u, which does not stand before it", i, location->inlined_at);
    }
    return true;
}

static bool check_header(struct check *c)
{
    const struct gp_profile *profile = c->profile;
    REQUIRE(c, profile->producer && profile->source && profile->triple && profile->cpu && profile->language,
            "a string of the header is missing");
    REQUIRE(c, profile->opt_level <= 3, "optimisation level %u", profile->opt_level);
    REQUIRE(c, profile->kernel_count == 0 || profile->kernels != NULL, "the kernels are missing");
    return check_locations(c);
}

/* ---- A kernel ---------------------------------------------------------------------------------------------------- */

static bool reserve(struct check *c)
{
    size_t insts = c->kernel->inst_count + (size_t)1, blocks = c->kernel->block_count + (size_t)1,
           loops = c->kernel->loop_count + (size_t)1;
    c->block_of = calloc(insts, sizeof *c->block_of);
    c->first_edge = calloc(blocks, sizeof *c->first_edge);
    c->mark = calloc(blocks, sizeof *c->mark);
    c->seen = calloc(blocks, sizeof *c->seen);
    c->loop_begin = calloc(loops, sizeof *c->loop_begin);
    c->loop_end = calloc(loops, sizeof *c->loop_end);
    return (c->block_of && c->first_edge && c->mark && c->seen && c->loop_begin && c->loop_end) ||
           gp_check_complain(c, "out of memory");
}

static void release(struct check *c)
{
    free(c->block_of);
    free(c->edges);
    free(c->first_edge);
    free(c->mark);
    free(c->seen);
    free(c->loop_begin);
    free(c->loop_end);
    c->block_of = c->edges = c->first_edge = c->mark = c->seen = c->loop_begin = c->loop_end = NULL;
}

static bool check_kernel(struct check *c)
{
    const struct gp_kernel *k = c->kernel;
    bool good = check_tables(c) && check_params(c) && check_arrays(c, k->locals, k->local_count, "local") &&
                check_arrays(c, k->globals, k->global_count, "global") &&
                check_arrays(c, k->privates, k->private_count, "private") && check_facts(c) &&
                gp_check_operand_total(c) && reserve(c) && gp_check_blocks(c) && gp_check_post_dominators(c) &&
                gp_check_block_insts(c) && gp_check_expressions(c) && gp_check_cycles(c) && gp_check_phis(c) &&
                check_memory_records(c) && check_branch_records(c) && gp_check_loop_nest(c) && gp_check_loops(c) &&
                gp_check_inductions(c);
    release(c);
    return good;
}

bool gp_profile_check(const struct gp_profile *profile, struct gp_error *error)
{
    struct check c = {.profile = profile, .error = error, .block = GP_NONE, .inst = GP_NONE};
    if (!check_header(&c))
        return false;
    for (uint32_t i = 0; i < profile->kernel_count; i++) {
        c.kernel = &profile->kernels[i];
        c.block = c.inst = GP_NONE;
        if (!check_kernel(&c))
            return false;
    }
    return true;
}
