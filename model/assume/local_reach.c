/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/assume/local_reach.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { ENDS = 2, ASSUMED_BYTES_PER_ITEM = 4 };

/* Of one parameter, or of all dynamic arrays, which CUDA starts at one address. */
struct reach {
    bool wanted, unknown, reached;
    uint64_t bytes, low; /* where the last access ends, the first begins */
};

struct reaches {
    struct gp_pilots *pilots;
    const struct gp_kernel *kernel;
    struct reach *of; /* [param_count + 1] */
};

static struct reach *reach_into(const struct reaches *r, gp_ref base)
{
    uint32_t index = gp_ref_index(base);
    if (gp_ref_kind(base) == GP_REF_PARAM)
        return &r->of[index];
    if (gp_ref_kind(base) == GP_REF_LOCAL && r->kernel->locals[index].bytes == 0)
        return &r->of[r->kernel->param_count];
    return NULL;
}

static void on_access(void *context, const struct gp_access *access)
{
    const struct reaches *r = context;
    const struct gp_memory *memory = &r->kernel->memory[access->memory];
    struct reach *reach = reach_into(r, memory->base);
    if (reach == NULL || !reach->wanted || access->coordinates > 0)
        return;
    uint32_t start = gp_symbol_of(r->kernel, memory->base);
    for (gp_mask rest = access->active; rest != 0; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(rest);
        uint64_t end = access->offset[lane] + (uint64_t)memory->element_bytes * memory->vector;
        if (access->symbol[lane] != start || end > UINT32_MAX)
            reach->unknown = true;
        else if (end > reach->bytes)
            reach->bytes = end;
        reach->low = !reach->reached || access->offset[lane] < reach->low ? access->offset[lane] : reach->low;
        reach->reached = true;
        if (access->uniform)
            break;
    }
}

/* The first and the last warps of a group in the middle, or of the first one along a dimension: where arrays begin and
 * end. */
static void execute_ends(struct reaches *r, struct gp_executor *executor, const struct gp_launch *launch,
                         uint32_t lanes, uint32_t first)
{
    const struct gp_observer observer = {.context = r, .access = on_access};
    uint64_t group[3], items = gp_launch_group_items(launch);
    uint32_t warps = (uint32_t)((items + lanes - 1) / lanes);
    gp_launch_groups(launch, group);
    for (uint32_t d = 0; d < 3; d++)
        group[d] = d == first ? 0 : group[d] / 2;
    for (uint32_t w = 0; w < warps; w++) {
        struct gp_exec_result result;
        if (w >= ENDS && w + ENDS < warps)
            continue;
        if (!gp_pilot_warp(r->pilots, executor, launch, group, w, lanes, &observer, &result))
            break;
    }
}

static const char *name_of(const struct gp_kernel *kernel, uint32_t p)
{
    if (p < kernel->param_count)
        return kernel->params[p].name;
    for (uint32_t i = 0; i < kernel->local_count; i++)
        if (kernel->locals[i].bytes == 0)
            return kernel->locals[i].name;
    return "";
}

/* What a group in the middle begins to touch farther from the start than the first one along a dimension does is told
 * apart by groups' numbers. */
static void find_excess(const struct reaches *r, struct gp_executor *executor, const struct gp_launch *launch,
                        uint32_t lanes, struct gp_local_excess *excess)
{
    uint64_t groups[3];
    uint32_t count = r->kernel->param_count + 1;
    struct reaches first = {r->pilots, r->kernel, malloc((size_t)count * sizeof *first.of)};
    gp_launch_groups(launch, groups);
    for (uint32_t d = 0; first.of != NULL && d < launch->dims && excess->dimension == GP_NONE; d++) {
        for (uint32_t p = 0; p < count; p++)
            first.of[p] = (struct reach){.wanted = r->of[p].wanted};
        if (groups[d] > 1)
            execute_ends(&first, executor, launch, lanes, d);
        for (uint32_t p = 0; p < count; p++)
            if (first.of[p].reached && !first.of[p].unknown && r->of[p].reached && !r->of[p].unknown &&
                first.of[p].low < r->of[p].low)
                *excess = (struct gp_local_excess){d, name_of(r->kernel, p), r->of[p].bytes};
    }
    free(first.of);
}

/* A reach that is another with other values of the integers that nobody stated is not known. */
static void doubt_assumed_arguments(struct reaches *r, struct gp_executor *executor, const struct gp_launch *launch,
                                    uint32_t lanes)
{
    struct gp_launch *other = malloc(sizeof *other);
    struct reaches again = {r->pilots, r->kernel, malloc(((size_t)r->kernel->param_count + 1) * sizeof *again.of)};
    bool ready = other != NULL && again.of != NULL;
    for (uint32_t p = 0; ready && p <= r->kernel->param_count; p++)
        again.of[p] = (struct reach){.wanted = r->of[p].wanted};
    if (ready) {
        *other = *launch;
        for (uint32_t p = 0; p < r->kernel->param_count && p < GP_MAX_ARGUMENTS; p++)
            if (r->kernel->params[p].kind == GP_PARAM_INT && r->kernel->params[p].bounds_dim == GP_NONE &&
                !other->arguments[p].stated)
                other->arguments[p].value /= 2;
        execute_ends(&again, executor, other, lanes, GP_NONE);
    }
    for (uint32_t p = 0; p <= r->kernel->param_count; p++)
        if (!ready || again.of[p].bytes != r->of[p].bytes)
            r->of[p] = (struct reach){.wanted = r->of[p].wanted, .unknown = true};
    free(other);
    free(again.of);
}

static uint64_t size_of(const struct reach *reach, const struct gp_launch *launch)
{
    uint64_t assumed = gp_launch_group_items(launch) * ASSUMED_BYTES_PER_ITEM;
    bool seen = reach->bytes > 0 && !reach->unknown;
    return seen || reach->bytes > assumed ? reach->bytes : assumed;
}

static bool wants(const struct gp_kernel *kernel, const struct gp_launch *launch, uint32_t param)
{
    return launch->assumed && kernel->params[param].kind == GP_PARAM_LOCAL && !launch->arguments[param].stated;
}

static bool has_dynamic_array(const struct gp_kernel *kernel)
{
    for (uint32_t i = 0; i < kernel->local_count; i++)
        if (kernel->locals[i].bytes == 0)
            return true;
    return false;
}

uint64_t gp_local_reach(struct gp_pilots *pilots, struct gp_executor *executor, const struct gp_kernel *kernel,
                        const struct gp_launch *launch, uint32_t lanes, struct gp_local_excess *excess)
{
    *excess = (struct gp_local_excess){.dimension = GP_NONE, .name = ""};
    uint32_t params = kernel->param_count < GP_MAX_ARGUMENTS ? kernel->param_count : GP_MAX_ARGUMENTS;
    bool dynamic = launch->assumed && !launch->dynamic_stated && has_dynamic_array(kernel), any = dynamic;
    uint64_t bytes = dynamic ? 0 : launch->dynamic_local_bytes;
    for (uint32_t p = 0; p < params; p++) {
        any |= wants(kernel, launch, p);
        if (kernel->params[p].kind == GP_PARAM_LOCAL && !wants(kernel, launch, p))
            bytes += launch->arguments[p].bytes;
    }
    struct reaches reaches = {pilots, kernel, any ? calloc((size_t)kernel->param_count + 1, sizeof *reaches.of) : NULL};
    if (reaches.of == NULL)
        return bytes;
    for (uint32_t p = 0; p < params; p++)
        reaches.of[p].wanted = wants(kernel, launch, p);
    reaches.of[kernel->param_count].wanted = dynamic;
    execute_ends(&reaches, executor, launch, lanes, GP_NONE);
    find_excess(&reaches, executor, launch, lanes, excess);
    doubt_assumed_arguments(&reaches, executor, launch, lanes);
    for (uint32_t p = 0; p <= kernel->param_count; p++)
        bytes += reaches.of[p].wanted ? size_of(&reaches.of[p], launch) : 0;
    free(reaches.of);
    return bytes;
}

void gp_describe_local_excess(const struct gp_local_excess *excess, char *text, size_t size)
{
    snprintf(text, size, "work-items reach %" PRIu64 " bytes of '%.60s': it is made for a smaller range (--global)",
             excess->bytes, excess->name);
}
