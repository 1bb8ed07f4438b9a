/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <string.h>

#include "runtime/layer_state.h"

/* So many decisions in a row for different scalars are taken to hold for further ones, until these are looked at. */
enum { AGREEING = 3 };

struct gp_family *gp_family_of(const struct gp_hash *kernel_key, const struct gp_kernel *kernel,
                               const struct gp_open_launch *launch)
{
    return gp_map_made(&gp_layer.families, gp_family_key(kernel_key, kernel, launch), sizeof(struct gp_family));
}

static const uint32_t *best_local(const struct gp_decision *decision)
{
    return decision->alternative_count > 0 ? decision->alternatives[0].local : decision->baseline;
}

static void tell(struct gp_family *family, struct gp_entry *entry)
{
    bool agrees = family->last != NULL && memcmp(best_local(&family->last->decision), best_local(&entry->decision),
                                                 sizeof entry->decision.baseline) == 0;
    family->agreeing = agrees ? family->agreeing + 1 : 1;
    family->last = entry;
    entry->told = true;
}

void gp_family_join(struct gp_family *family, struct gp_entry *entry)
{
    entry->family = family;
    if (family != NULL && entry->state == GP_ENTRY_READY && !entry->told)
        tell(family, entry);
}

struct gp_entry *gp_family_usual(const struct gp_family *family)
{
    return family != NULL && family->agreeing >= AGREEING ? family->last : NULL;
}
