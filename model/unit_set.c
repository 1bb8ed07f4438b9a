#include "model/unit_set.h"

void gp_unit_set_init(struct gp_unit_set *set) { gp_keyed_set_init(&set->units); }
void gp_unit_set_free(struct gp_unit_set *set) { gp_keyed_set_free(&set->units); }
void gp_unit_set_clear(struct gp_unit_set *set) { gp_keyed_set_clear(&set->units, sizeof(struct gp_units)); }

uint64_t gp_unit_set_present(const struct gp_unit_set *set, uint32_t symbol, uint64_t number)
{
    const struct gp_units *entry = (const struct gp_units *)gp_keyed_set_find(&set->units, sizeof *entry, symbol, number / GP_UNITS);
    return entry != NULL ? entry->present >> number % GP_UNITS : 0;
}

bool gp_unit_set_has(const struct gp_unit_set *set, uint32_t symbol, uint64_t number) { return gp_unit_set_present(set, symbol, number) & 1; }
