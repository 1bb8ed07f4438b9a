#include "model/unit_set.h"

enum { FIRST_CAPACITY = 64, BITS = 64 };

void gp_unit_set_init(struct gp_unit_set *set) { gp_keyed_set_init(&set->units); }
void gp_unit_set_free(struct gp_unit_set *set) { gp_keyed_set_free(&set->units); }
void gp_unit_set_clear(struct gp_unit_set *set) { gp_keyed_set_clear(&set->units, sizeof(struct gp_units)); }

void gp_unit_set_add(struct gp_unit_set *set, uint32_t symbol, uint64_t number, uint32_t count, uint32_t *added, uint64_t *fresh)
{
    uint32_t first = (uint32_t)(number % BITS), most = BITS - first;
    *added = count < most ? count : most;
    uint64_t wanted = (*added == BITS ? UINT64_MAX : (UINT64_C(1) << *added) - 1) << first;
    *fresh = wanted >> first;
    if (!gp_keyed_set_reserve(&set->units, sizeof(struct gp_units), FIRST_CAPACITY))
        return;
    struct gp_units *entry = (struct gp_units *)gp_keyed_set_probe(&set->units, sizeof *entry, symbol, number / BITS);
    if (!gp_keyed_set_holds(&set->units, &entry->key)) {
        *entry = (struct gp_units){.key = {number / BITS, symbol, set->units.generation}};
        set->units.used++;
    }
    *fresh = (wanted & ~entry->present) >> first;
    entry->present |= wanted;
}

uint64_t gp_unit_set_present(const struct gp_unit_set *set, uint32_t symbol, uint64_t number)
{
    const struct gp_units *entry = (const struct gp_units *)gp_keyed_set_find(&set->units, sizeof *entry, symbol, number / BITS);
    return entry != NULL ? entry->present >> number % BITS : 0;
}

bool gp_unit_set_has(const struct gp_unit_set *set, uint32_t symbol, uint64_t number) { return gp_unit_set_present(set, symbol, number) & 1; }
