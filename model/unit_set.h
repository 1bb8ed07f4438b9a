/*
 * Which units of memory (words, lines) were met: a set of (symbol, number), 64 neighbouring numbers to an entry, so that runs of
 * neighbours are added and looked up at once.
 */
#ifndef GPUPERF_MODEL_UNIT_SET_H
#define GPUPERF_MODEL_UNIT_SET_H

#include "model/keyed_set.h"

struct gp_units {
    struct gp_key key;    /* number: of the 64, from the symbol's start */
    uint64_t present;     /* a bit for each of them */
};

enum { GP_UNITS = 64, GP_UNIT_SET_FIRST = 64 }; /* numbers in an entry; entries at first */

struct gp_unit_set { struct gp_keyed_set units; }; /* of struct gp_units */

void gp_unit_set_init(struct gp_unit_set *set);
void gp_unit_set_free(struct gp_unit_set *set);
void gp_unit_set_clear(struct gp_unit_set *set);

/*
 * Adds number, number + 1 ... up to `count` of them, but none beyond a multiple of 64; *added: how many it looked at, *fresh: of these, a bit
 * for each that was not there. Without memory, or with 2^20 entries, it adds nothing and calls all of them fresh.
 */
static inline void gp_unit_set_add(struct gp_unit_set *set, uint32_t symbol, uint64_t number, uint32_t count, uint32_t *added, uint64_t *fresh)
{
    uint32_t first = (uint32_t)(number % GP_UNITS), most = GP_UNITS - first;
    *added = count < most ? count : most;
    uint64_t wanted = (*added == GP_UNITS ? UINT64_MAX : (UINT64_C(1) << *added) - 1) << first;
    *fresh = wanted >> first;
    if (!gp_keyed_set_reserve(&set->units, sizeof(struct gp_units), GP_UNIT_SET_FIRST))
        return;
    struct gp_units *entry = (struct gp_units *)gp_keyed_set_probe(&set->units, sizeof *entry, symbol, number / GP_UNITS);
    if (!gp_keyed_set_holds(&set->units, &entry->key)) {
        *entry = (struct gp_units){.key = {number / GP_UNITS, symbol, set->units.generation}};
        set->units.used++;
    }
    *fresh = (wanted & ~entry->present) >> first;
    entry->present |= wanted;
}

/* Of number ... number + 63 a bit for each that is there, as far as the next multiple of 64. */
uint64_t gp_unit_set_present(const struct gp_unit_set *set, uint32_t symbol, uint64_t number);
bool gp_unit_set_has(const struct gp_unit_set *set, uint32_t symbol, uint64_t number);

#endif
