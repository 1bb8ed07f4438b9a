/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Several profiles as one: the tables stand one behind the other, and locations are counted on. */
#include "model/profile/arena.h"
#include "model/profile/profile_find.h"

#include <string.h>

static void shift(uint32_t *location, uint32_t by)
{
    if (*location != GP_NONE)
        *location += by;
}

static void shift_arrays(struct gp_array *arrays, uint32_t count, uint32_t by)
{
    for (uint32_t i = 0; i < count; i++)
        shift(&arrays[i].location, by);
}

static void shift_kernel(struct gp_kernel *kernel, uint32_t by)
{
    shift(&kernel->location, by);
    for (uint32_t i = 0; i < kernel->inst_count; i++)
        shift(&kernel->insts[i].location, by);
    for (uint32_t i = 0; i < kernel->loop_count; i++)
        shift(&kernel->loops[i].location, by);
    shift_arrays(kernel->locals, kernel->local_count, by);
    shift_arrays(kernel->globals, kernel->global_count, by);
    shift_arrays(kernel->privates, kernel->private_count, by);
}

static void append(struct gp_profile *all, const struct gp_profile *next)
{
    uint32_t by = all->location_count;
    for (uint32_t i = 0; i < next->location_count; i++)
        shift(&next->locations[i].inlined_at, by);
    for (uint32_t i = 0; i < next->kernel_count; i++)
        shift_kernel(&next->kernels[i], by);
    if (next->location_count != 0)
        memcpy(all->locations + all->location_count, next->locations, next->location_count * sizeof *all->locations);
    if (next->kernel_count != 0)
        memcpy(all->kernels + all->kernel_count, next->kernels, next->kernel_count * sizeof *all->kernels);
    all->location_count += next->location_count;
    all->kernel_count += next->kernel_count;
}

/* An empty profile with the first one's header and room for all; NULL: out of memory, or too many of something. */
static struct gp_profile *reserve(struct gp_arena *arena, struct gp_profile *const *profiles, size_t count)
{
    uint64_t locations = 0, kernels = 0;
    for (size_t i = 0; i < count; i++) {
        locations += profiles[i]->location_count;
        kernels += profiles[i]->kernel_count;
    }
    struct gp_profile *all = gp_arena_new(arena, 1, sizeof *all);
    if (all == NULL || locations >= GP_NONE || kernels >= GP_NONE)
        return NULL;
    *all = *profiles[0];
    all->location_count = all->kernel_count = 0;
    all->locations = gp_arena_new(arena, locations, sizeof *all->locations);
    all->kernels = gp_arena_new(arena, kernels, sizeof *all->kernels);
    return all->locations && all->kernels ? all : NULL;
}

struct gp_profile *gp_profile_merge(struct gp_profile **profiles, size_t count, struct gp_error *error)
{
    struct gp_arena arena = {0};
    struct gp_profile *all = count > 1 ? reserve(&arena, profiles, count) : NULL;
    if (count == 1)
        return profiles[0];
    for (size_t i = 0; i < count && all != NULL; i++)
        append(all, profiles[i]);
    for (size_t i = 0; i < count; i++) {
        struct gp_arena part = gp_arena_unseal(profiles[i]->storage);
        gp_arena_adopt(&arena, &part);
    }
    if (all != NULL && (all->storage = gp_arena_seal(&arena)) != NULL)
        return all;
    gp_arena_free(&arena);
    gp_fail(error, "out of memory for %zu profiles", count);
    return NULL;
}
