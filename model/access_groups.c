#include "model/access_groups.h"

#include <string.h>

#include "model/inst_facts.h"

bool gp_on_one_line(const struct gp_profile *profile, uint32_t a, uint32_t b)
{
    const struct gp_location *locations = profile->locations;
    return a != GP_NONE && b != GP_NONE && (a == b || (locations[a].line == locations[b].line && strcmp(locations[a].file, locations[b].file) == 0));
}

bool gp_same_line(const struct gp_profile *profile, const struct gp_kernel *kernel, uint32_t a, uint32_t b)
{
    uint32_t la = kernel->insts[a].location, lb = kernel->insts[b].location;
    return a == b || (gp_on_one_line(profile, la, lb) && profile->locations[la].inlined_at == profile->locations[lb].inlined_at);
}

static bool same_stride(const struct gp_kernel *kernel, const struct gp_memory_work *memory, uint32_t a, uint32_t b)
{
    gp_ref base = kernel->memory[a].base;
    return gp_ref_kind(base) != GP_REF_NONE && base == kernel->memory[b].base && memory[a].stride != 0 && memory[a].stride == memory[b].stride;
}

/* Copies of an access in a loop of which the optimiser took the places away. */
static bool lost_together(const struct gp_kernel *kernel, uint32_t a, uint32_t b)
{
    const struct gp_memory *x = &kernel->memory[a], *y = &kernel->memory[b];
    return gp_ref_kind(x->base) != GP_REF_NONE && x->base == y->base && x->flags == y->flags && x->element_bytes == y->element_bytes && x->vector == y->vector &&
           kernel->insts[x->inst].location == GP_NONE && kernel->insts[y->inst].location == GP_NONE && gp_place_around(kernel, x->inst) == gp_place_around(kernel, y->inst);
}

void gp_group_accesses(const struct gp_profile *profile, const struct gp_kernel *kernel, const struct gp_memory_work *memory, bool by_stride,
                       uint32_t *group)
{
    for (uint32_t m = 0; m < kernel->memory_count; m++) {
        if (group[m] == GP_NONE)
            continue;
        group[m] = m;
        for (uint32_t i = 0; i < m; i++) {
            if (group[i] == GP_NONE || group[i] == group[m])
                continue;
            if (!gp_same_line(profile, kernel, kernel->memory[i].inst, kernel->memory[m].inst) && !lost_together(kernel, i, m) &&
                !(by_stride && same_stride(kernel, memory, i, m)))
                continue;
            uint32_t from = group[i] > group[m] ? group[i] : group[m], to = group[i] < group[m] ? group[i] : group[m];
            for (uint32_t k = 0; k <= m; k++)
                if (group[k] == from)
                    group[k] = to;
        }
    }
}
