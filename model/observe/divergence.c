/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/observe/divergence.h"

#include "model/memory/lanes.h"

static void drop(struct gp_divergences *d, uint32_t i)
{
    d->count--;
    for (; i < d->count; i++)
        d->items[i] = d->items[i + 1];
}

void gp_divergences_add(struct gp_divergences *d, uint32_t branch, uint32_t reconvergence, gp_mask whole)
{
    for (uint32_t i = 0; i < d->count; i++)
        if (d->items[i].branch == branch) { /* a loop's exit, which lanes take one after the other */
            d->items[i].whole |= whole;
            return;
        }
    if (d->count < GP_MAX_DIVERGENCES)
        d->items[d->count++] = (struct gp_divergence){branch, reconvergence, whole};
}

/* All lanes that are off for it are off for a later branch that others went on from: by a break, say, inside of the
 * branch where the rest has met again. */
static bool is_explained(const struct gp_divergences *d, uint32_t i, gp_mask active)
{
    gp_mask off = d->items[i].whole & ~active;
    for (uint32_t k = i + 1; k < d->count; k++)
        if ((d->items[k].whole & active) && (off & ~d->items[k].whole) == 0)
            return true;
    return false;
}

void gp_divergences_enter(struct gp_divergences *d, uint32_t block, gp_mask active)
{
    for (uint32_t i = d->count; i-- > 0;) {
        const struct gp_divergence *one = &d->items[i];
        if (one->reconvergence == block || (one->whole & ~active) == 0 || is_explained(d, i, active))
            drop(d, i);
    }
}

const struct gp_divergence *gp_divergences_top(const struct gp_divergences *d, gp_mask active, double *idle)
{
    for (uint32_t i = d->count; i-- > 0;) {
        gp_mask whole = d->items[i].whole;
        if (whole & active && whole & ~active) { /* not in the block that ends with the branch */
            *idle = 1 - (double)gp_lanes_in(active & whole) / gp_lanes_in(whole);
            return &d->items[i];
        }
    }
    return NULL;
}
