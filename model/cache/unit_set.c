/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/cache/unit_set.h"

void gp_unit_set_init(struct gp_unit_set *set) { gp_keyed_set_init(&set->units); }
void gp_unit_set_free(struct gp_unit_set *set) { gp_keyed_set_free(&set->units); }
void gp_unit_set_clear(struct gp_unit_set *set) { gp_keyed_set_clear(&set->units); }

void gp_unit_set_add(struct gp_unit_set *set, uint32_t symbol, uint64_t number, uint32_t count, uint32_t *added,
                     uint64_t *fresh)
{
    *fresh = gp_units_add(gp_unit_set_enter(set, symbol, number), number, count, added);
}

bool gp_unit_set_has(const struct gp_unit_set *set, uint32_t symbol, uint64_t number)
{
    const struct gp_units *entry = gp_unit_set_find(set, symbol, number);
    return entry != NULL && entry->present >> number % GP_UNITS & 1;
}
