/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/findings/access_groups.h"

#include <stdlib.h>
#include <string.h>

#include "model/value/inst_facts.h"
#include "support/hash.h"
#include "support/saturate.h"

bool gp_on_one_line(const struct gp_profile *profile, uint32_t a, uint32_t b)
{
    const struct gp_location *locations = profile->locations;
    return a != GP_NONE && b != GP_NONE &&
           (a == b || (locations[a].line == locations[b].line && strcmp(locations[a].file, locations[b].file) == 0));
}

/* Same file, line and kernel text. `a` and `b`: instructions. */
static bool same_line(const struct gp_profile *profile, const struct gp_kernel *kernel, uint32_t a, uint32_t b)
{
    uint32_t la = kernel->insts[a].location, lb = kernel->insts[b].location;
    return a == b ||
           (gp_on_one_line(profile, la, lb) && profile->locations[la].inlined_at == profile->locations[lb].inlined_at);
}

/* What operations are grouped by, and who has been seen. */
struct grouping {
    const struct gp_profile *profile;
    const struct gp_kernel *kernel;
    const struct gp_memory_work *memory;
    uint32_t *group; /* [memory_count] one of the same group before it, itself for the first; GP_NONE: left out */
    uint32_t *seen;  /* [mask + 1] by hash: the first operation of each kind, or GP_NONE */
    uint32_t mask;
};

/* Operations are of one kind under a relation if same() says so; those of one kind have one key, those without a kind
 * none. */
struct relation {
    bool (*key)(const struct grouping *g, uint32_t m, uint64_t *key);
    bool (*same)(const struct grouping *g, uint32_t a, uint32_t b);
};

static uint64_t hash(uint64_t key, uint64_t value) { return gp_fnv1a(key, &value, sizeof value); }

static bool line_key(const struct grouping *g, uint32_t m, uint64_t *key)
{
    uint32_t location = g->kernel->insts[g->kernel->memory[m].inst].location;
    if (location == GP_NONE)
        return false;
    *key = hash(hash(GP_FNV1A, g->profile->locations[location].line), g->profile->locations[location].inlined_at);
    return true;
}

static bool of_one_line(const struct grouping *g, uint32_t a, uint32_t b)
{
    return same_line(g->profile, g->kernel, g->kernel->memory[a].inst, g->kernel->memory[b].inst);
}

/* Lanes side by side, which at most do not begin where a line does: another change repairs that than what repairs lanes
 * far apart. */
static bool is_side_by_side(const struct grouping *g, uint32_t m)
{
    const struct gp_memory *record = &g->kernel->memory[m];
    return gp_size_of(g->memory[m].shape.stride) == (int64_t)record->element_bytes * record->vector;
}

static bool of_one_line_alike(const struct grouping *g, uint32_t a, uint32_t b)
{
    return of_one_line(g, a, b) && is_side_by_side(g, a) == is_side_by_side(g, b);
}

static bool stride_key(const struct grouping *g, uint32_t m, uint64_t *key)
{
    *key = hash(hash(GP_FNV1A, g->kernel->memory[m].base), (uint64_t)g->memory[m].shape.stride);
    return gp_ref_kind(g->kernel->memory[m].base) != GP_REF_NONE && g->memory[m].shape.stride != 0;
}

static bool of_one_stride(const struct grouping *g, uint32_t a, uint32_t b)
{
    return g->kernel->memory[a].base == g->kernel->memory[b].base &&
           g->memory[a].shape.stride == g->memory[b].shape.stride;
}

/* A table in constant memory, which another memory would serve better, and an array in local memory with rows that one
 * more element each parts. */
static bool has_one_remedy(const struct grouping *g, uint32_t m)
{
    const struct gp_memory *record = &g->kernel->memory[m];
    return record->space == GP_SPACE_CONSTANT || (record->space == GP_SPACE_LOCAL && g->memory[m].shape.stride != 0);
}

static bool array_key(const struct grouping *g, uint32_t m, uint64_t *key)
{
    *key = hash(GP_FNV1A, g->kernel->memory[m].base);
    return gp_ref_kind(g->kernel->memory[m].base) != GP_REF_NONE && has_one_remedy(g, m);
}

/* Of local memory rows of one length: a stride is a multiple of the other. */
static bool of_one_array(const struct grouping *g, uint32_t a, uint32_t b)
{
    const struct gp_memory *x = &g->kernel->memory[a], *y = &g->kernel->memory[b];
    if (x->base != y->base || x->space != y->space)
        return false;
    return x->space == GP_SPACE_CONSTANT || g->memory[a].shape.stride % g->memory[b].shape.stride == 0 ||
           g->memory[b].shape.stride % g->memory[a].shape.stride == 0;
}

/* Copies of an access in a loop of which the optimiser took the places away. */
static bool lost_key(const struct grouping *g, uint32_t m, uint64_t *key)
{
    const struct gp_memory *record = &g->kernel->memory[m];
    if (gp_ref_kind(record->base) == GP_REF_NONE || g->kernel->insts[record->inst].location != GP_NONE)
        return false;
    *key = hash(hash(GP_FNV1A, record->base), gp_place_around(g->kernel, record->inst));
    return true;
}

static bool lost_together(const struct grouping *g, uint32_t a, uint32_t b)
{
    const struct gp_memory *x = &g->kernel->memory[a], *y = &g->kernel->memory[b];
    return x->base == y->base && x->flags == y->flags && x->element_bytes == y->element_bytes &&
           x->vector == y->vector && gp_place_around(g->kernel, x->inst) == gp_place_around(g->kernel, y->inst);
}

static uint32_t first_of_group(uint32_t *group, uint32_t m)
{
    while (group[m] != m)
        m = group[m] = group[group[m]];
    return m;
}

static void join(uint32_t *group, uint32_t a, uint32_t b)
{
    a = first_of_group(group, a);
    b = first_of_group(group, b);
    group[a > b ? a : b] = a < b ? a : b;
}

static void group_by(struct grouping *g, const struct relation *relation)
{
    memset(g->seen, 0xff, ((size_t)g->mask + 1) * sizeof *g->seen); /* GP_NONE */
    for (uint32_t m = 0; m < g->kernel->memory_count; m++) {
        uint64_t key;
        if (g->group[m] == GP_NONE || !relation->key(g, m, &key))
            continue;
        uint32_t at = (uint32_t)(key ^ key >> 32) & g->mask;
        while (g->seen[at] != GP_NONE && !relation->same(g, g->seen[at], m))
            at = (at + 1) & g->mask;
        if (g->seen[at] == GP_NONE)
            g->seen[at] = m;
        else
            join(g->group, g->seen[at], m);
    }
}

size_t gp_grouping_scratch(const struct gp_kernel *kernel)
{
    size_t words = 2;
    while (words < 2 * (size_t)kernel->memory_count)
        words *= 2;
    return words;
}

void gp_group_accesses(const struct gp_profile *profile, const struct gp_kernel *kernel,
                       const struct gp_memory_work *memory, bool by_stride, uint32_t *group, uint32_t *scratch)
{
    static const struct relation line = {line_key, of_one_line}, alike = {line_key, of_one_line_alike},
                                 lost = {lost_key, lost_together}, stride = {stride_key, of_one_stride},
                                 array = {array_key, of_one_array};
    struct grouping g = {profile, kernel, memory, group, scratch, (uint32_t)gp_grouping_scratch(kernel) - 1};
    for (uint32_t m = 0; m < kernel->memory_count; m++)
        group[m] = group[m] == GP_NONE ? GP_NONE : m;
    group_by(&g, by_stride ? &alike : &line);
    group_by(&g, &lost);
    if (by_stride) {
        group_by(&g, &stride);
        group_by(&g, &array);
    }
    for (uint32_t m = 0; m < kernel->memory_count; m++)
        group[m] = group[m] == GP_NONE ? GP_NONE : first_of_group(group, m);
}
