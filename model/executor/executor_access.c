/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What observers are told of an access: symbols by the names that outlive the execution of a warp, and how far lanes
 * are apart. */
#include "model/executor/executor_internal.h"

/* Symbols' names, in an array of our own, which may be that of the symbols. Lanes side by side mostly have the same. */
const uint32_t *gp_names_of_symbols(struct gp_executor *ex, const uint32_t *symbols, uint32_t *names)
{
    uint32_t symbol = symbols[0], name = gp_symbols_name(&ex->symbols, symbol);
    for (uint32_t lane = 0; lane < ex->lanes; lane++) {
        if (symbols[lane] != symbol)
            name = gp_symbols_name(&ex->symbols, symbol = symbols[lane]);
        names[lane] = name;
    }
    return names;
}

/* The same name for all lanes; mostly it is that of the access before. */
static const uint32_t *one_symbol(struct gp_executor *ex, uint32_t symbol)
{
    if (ex->one_symbol[0] != symbol)
        for (uint32_t lane = 0; lane < GP_MAX_LANES; lane++)
            ex->one_symbol[lane] = symbol;
    return ex->one_symbol;
}

static const uint64_t *few_offsets(struct gp_executor *ex, const struct slot *slot, const struct gp_access *access)
{
    unsigned first = (unsigned)__builtin_ctzll(access->active);
    ex->scratch.offsets[4][first] = slot->offset + access->distances->lane[first];
    ex->scratch.offsets[4][0] = slot->offset;
    return ex->scratch.offsets[4];
}

void gp_report_access(struct gp_executor *ex, struct gp_access *access, const struct slot *slot, enum gp_guess guessed)
{
    access->one_symbol = slot->shape != SHAPE_MIXED;
    access->symbol = access->one_symbol ? one_symbol(ex, gp_symbols_name(&ex->symbols, slot->symbol))
                                        : gp_names_of_symbols(ex, slot->symbols, ex->scratch.symbols[4]);
    access->distances = slot->shape == SHAPE_MIXED    ? NULL
                        : slot->shape == SHAPE_VECTOR ? slot->distances
                                                      : ex->distances.none;
    access->offset = ex->observer->few_offsets && access->distances != NULL
                         ? few_offsets(ex, slot, access)
                         : gp_slot_offsets(ex, slot, ex->scratch.offsets[4]);
    access->guessed = guessed;
    ex->observer->access(ex->observer->context, access);
}
