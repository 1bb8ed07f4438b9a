/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/assume/array_overrun.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- One access -------------------------------------------------------------------------------------------------- */

/* Whether the distances alone tell that all lanes stay within. */
static bool is_within(const struct gp_access *access, uint64_t bytes)
{
    const struct gp_distances *d = access->distances;
    uint64_t first = access->offset[0];
    return d != NULL && first < bytes && (int64_t)first + d->low >= 0 && (int64_t)first + d->high < (int64_t)bytes;
}

/* A place before the array's start is a number beyond INT32_MAX. */
static bool is_beyond(const struct gp_access *access, unsigned lane, uint32_t start, uint64_t bytes)
{
    uint64_t offset = gp_access_offset(access, lane);
    return access->symbol[lane] == start && offset >= bytes && offset <= INT32_MAX;
}

void gp_note_overrun(const struct gp_kernel *kernel, const struct gp_access *access, const uint64_t group[3],
                     uint32_t warp, struct gp_overrun *overrun)
{
    const struct gp_memory *memory = &kernel->memory[access->memory];
    uint32_t array = gp_ref_index(memory->base);
    if (gp_ref_kind(memory->base) != GP_REF_LOCAL || access->guessed || (overrun->bytes > 0 && overrun->array != array))
        return;
    uint64_t bytes = kernel->locals[array].bytes;
    uint32_t start = gp_symbol_of(kernel, memory->base);
    if (bytes == 0 || is_within(access, bytes)) /* 0: the host says how large it is */
        return;
    for (gp_mask rest = access->active; rest != 0; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(rest);
        uint64_t end = gp_access_offset(access, lane) + (uint64_t)memory->element_bytes * memory->vector;
        if (is_beyond(access, lane, start, bytes) && end > overrun->bytes)
            *overrun = (struct gp_overrun){end, array, {group[0], group[1], group[2]}, warp, GP_NONE};
    }
}

/* ---- With other arguments ---------------------------------------------------------------------------------------- */

struct look {
    struct gp_pilots *pilots;
    const struct gp_kernel *kernel;
    struct gp_overrun before, again;
};

static void on_access(void *context, const struct gp_access *access)
{
    struct look *look = context;
    gp_note_overrun(look->kernel, access, look->before.group, look->before.warp, &look->again);
}

static bool is_assumed(const struct gp_kernel *kernel, const struct gp_launch *launch, uint32_t param)
{
    return kernel->params[param].kind == GP_PARAM_INT && kernel->params[param].bounds_dim == GP_NONE &&
           launch->arguments[param].known && !launch->arguments[param].stated;
}

/* Replaces the arguments that nobody stated. False: there are none. */
static bool replace_assumed(const struct gp_kernel *kernel, struct gp_launch *launch, struct gp_argument by)
{
    bool any = false;
    for (uint32_t p = 0; p < kernel->param_count && p < GP_MAX_ARGUMENTS; p++)
        if (is_assumed(kernel, launch, p)) {
            launch->arguments[p] = by;
            any = true;
        }
    return any;
}

/* Whether the warp overruns an array with these arguments, too. */
static bool overruns_again(struct gp_executor *executor, struct look *look, const struct gp_launch *launch,
                           uint32_t lanes)
{
    const struct gp_observer observer = {.context = look, .access = on_access};
    struct gp_exec_result result;
    return gp_pilot_warp(look->pilots, executor, launch, look->before.group, look->before.warp, lanes, &observer,
                         &result) &&
           look->again.bytes > 0;
}

/* Where there is but one group along a dimension the same work-items have other global ids alone, also of `size - 1 -
 * id`. Of several such dimensions the first. range: the launch, whose range may be changed. */
static uint32_t find_range(struct gp_executor *executor, const struct look *look, struct gp_launch *range,
                           uint32_t lanes)
{
    for (uint32_t d = 0; d < range->dims; d++) {
        struct look first = *look;
        uint64_t whole = range->global[d];
        bool several = whole > range->local[d];
        first.before.group[d] = 0;
        first.again = (struct gp_overrun){0};
        range->global[d] = several ? range->local[d] : whole;
        bool again = !several || overruns_again(executor, &first, range, lanes);
        range->global[d] = whole;
        if (!again && first.pilots->spent < first.pilots->affordable)
            return d;
    }
    return GP_NONE;
}

bool gp_overrun_is_certain(struct gp_pilots *pilots, struct gp_executor *executor, const struct gp_kernel *kernel,
                           const struct gp_launch *launch, uint32_t lanes, struct gp_overrun *overrun)
{
    struct gp_launch *open = launch->assumed ? malloc(sizeof *open) : NULL;
    if (open == NULL)
        return !launch->assumed; /* a program's launch states all that is known of it */
    memcpy(open, launch, sizeof *open);
    struct look look = {pilots, kernel, *overrun, {0}};
    bool certain = !replace_assumed(kernel, open, (struct gp_argument){0});
    if (!certain) {
        certain = overruns_again(executor, &look, open, lanes);
        memcpy(open, launch, sizeof *open);
        replace_assumed(kernel, open, (struct gp_argument){.known = true, .value = 1});
        certain = certain || overruns_again(executor, &look, open, lanes);
        *overrun = certain ? look.again : *overrun;
    }
    memcpy(open, launch, sizeof *open);
    if (certain)
        overrun->of_range = find_range(executor, &look, open, lanes);
    free(open);
    return certain;
}

void gp_describe_overrun(const struct gp_kernel *kernel, const struct gp_launch *launch,
                         const struct gp_overrun *overrun, char *text, size_t size)
{
    const struct gp_array *array = &kernel->locals[overrun->array];
    const char *why = overrun->of_range != GP_NONE        ? "made for a smaller range (--global)"
                      : gp_launch_group_items(launch) > 1 ? "made for smaller work-groups"
                                                          : "too small for groups of any size";
    snprintf(text, size, "work-items reach %" PRIu64 " bytes of '%.60s', which has %" PRIu32 ": it is %s",
             overrun->bytes, array->name, array->bytes, why);
}
