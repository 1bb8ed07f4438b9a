/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Whether a group has the texels that it asks for to itself: then no neighbour has to be looked at to know what it
 * shares. */
#include "model/observe/collect_internal.h"

#include <string.h>

/* ---- What is seen of an access ----------------------------------------------------------------------------------- */

/* Whether one of the lanes' coordinates is a number, and no wild one; relative to it those of all lanes are known then.
 */
static bool is_known(const struct gp_access *access, uint32_t dim)
{
    const int64_t far = INT64_C(1) << 40;
    const struct gp_distances *d = access->coordinate_distances[dim];
    int64_t zero = (int64_t)access->coordinate[dim][0];
    bool number = access->coordinate_symbol[dim][__builtin_ctzll(access->active)] == GP_SYMBOL_KNOWN;
    return d != NULL && number && zero > -far && zero < far && d->low > -far && d->high < far;
}

/* Of a request whose lanes' texels are all known, or taken for the work-items' own places, and that stands for no
 * others. */
static bool is_plain(const struct gp_access *access)
{
    bool plain = access->weight <= 1;
    for (uint32_t dim = 0; plain && dim < access->coordinates && dim < 3; dim++)
        plain = is_known(access, dim);
    return plain;
}

static int64_t lowest(const struct gp_access *access, uint32_t dim)
{
    return dim < access->coordinates ? (int64_t)access->coordinate[dim][0] + access->coordinate_distances[dim]->low : 0;
}

static int64_t highest(const struct gp_access *access, uint32_t dim)
{
    return dim < access->coordinates ? (int64_t)access->coordinate[dim][0] + access->coordinate_distances[dim]->high
                                     : 0;
}

void gp_collector_note_box(struct gp_collector *c, const struct gp_access *access)
{
    struct texel_box *box = &c->touch.boxes[access->memory];
    box->open |= !is_plain(access);
    if (box->open)
        return;
    for (uint32_t dim = 0; dim < 3; dim++) {
        int64_t low = lowest(access, dim), high = highest(access, dim);
        if (!box->seen)
            box->first[dim] = low;
        box->low[dim] = box->seen && box->low[dim] < low ? box->low[dim] : low;
        box->high[dim] = box->seen && box->high[dim] > high ? box->high[dim] : high;
    }
    box->dims = access->coordinates;
    box->seen = true;
}

void gp_collector_note_moved(struct gp_collector *c, const struct gp_access *access)
{
    struct texel_box *box = &c->touch.boxes[access->memory];
    box->open |= !is_plain(access) || !box->seen;
    for (uint32_t dim = 0; !box->open && !box->met && dim < 3; dim++)
        box->moved[dim] = lowest(access, dim) - box->first[dim];
    box->met = true;
}

/* ---- What follows for an image ----------------------------------------------------------------------------------- */

/* Of an image in blocks of texels, whose sides are powers of two. */
struct blocks {
    int64_t low[3], high[3];
};

static void include(struct blocks *all, const struct texel_box *box, const int64_t moved[3],
                    struct gp_block_sides block)
{
    const uint32_t sides[3] = {block.columns, block.rows, 1};
    for (uint32_t dim = 0; dim < 3; dim++) {
        int64_t low = (box->low[dim] + moved[dim]) & -(int64_t)sides[dim],
                high = (box->high[dim] + moved[dim]) | (sides[dim] - 1);
        all->low[dim] = low < all->low[dim] ? low : all->low[dim];
        all->high[dim] = high > all->high[dim] ? high : all->high[dim];
    }
}

static struct blocks no_blocks(void)
{
    return (struct blocks){{INT64_MAX, INT64_MAX, INT64_MAX}, {INT64_MIN, INT64_MIN, INT64_MIN}};
}

/* The blocks that all operations of a buffer ask for in the group; in the neighbour that was followed. False: not all
 * are known. */
static bool blocks_of(const struct gp_collector *c, uint32_t buffer, struct blocks *own, struct blocks *next)
{
    *own = *next = no_blocks();
    for (uint32_t m = 0; m < c->kernel->memory_count; m++) {
        const struct texel_box *box = &c->touch.boxes[m];
        if (c->code.buffer_of[m] != buffer || (!box->seen && !box->open))
            continue;
        if (box->open || !box->met)
            return false;
        struct gp_block_sides block = gp_image_block(c->device, c->kernel, m, box->dims);
        include(own, box, (int64_t[3]){0, 0, 0}, block);
        include(next, box, box->moved, block);
    }
    return true;
}

static bool meet(const struct blocks *a, const struct blocks *b)
{
    bool apart = false;
    for (uint32_t dim = 0; dim < 3; dim++)
        apart |= a->high[dim] < b->low[dim] || b->high[dim] < a->low[dim];
    return !apart;
}

/*
 * Where its warps are in the same blocks, or in halves of what L2 fetches at once, those that were executed do not tell
 * how many these are. They are not where each asks for all of its blocks, and all of them for no more than there is.
 */
static bool warps_may_share(const struct gp_collector *c, uint32_t buffer, uint32_t texel_bytes,
                            const struct blocks *own)
{
    const double slack = 0.02;
    double bytes = texel_bytes;
    for (uint32_t dim = 0; dim < 3; dim++)
        bytes *= (double)(own->high[dim] - own->low[dim] + 1);
    const struct gp_buffer_work *b = &c->buffers[buffer];
    return b->fetched_beside > 0 || b->useful_bytes < (1 - slack) * b->group_bytes ||
           b->group_bytes > (1 + slack) * bytes;
}

/* How the texels of an operation's image are shared, as far as the neighbour tells that was followed. */
static enum gp_texels_of texels_of(const struct gp_collector *c, uint32_t m)
{
    struct blocks own, next;
    uint32_t buffer = c->code.buffer_of[m],
             bytes = (uint32_t)c->kernel->memory[m].element_bytes * c->kernel->memory[m].vector;
    if (!blocks_of(c, buffer, &own, &next) || meet(&own, &next))
        return GP_TEXELS_OF_SEVERAL;
    return warps_may_share(c, buffer, bytes, &own) ? GP_TEXELS_OF_GROUP : GP_TEXELS_OF_WARP;
}

static enum gp_texels_of most_shared(const struct gp_collector *c)
{
    enum gp_texels_of most = GP_TEXELS_OF_WARP;
    for (uint32_t m = 0; m < c->kernel->memory_count; m++) {
        const struct texel_box *box = &c->touch.boxes[m];
        enum gp_texels_of here = box->seen || box->open ? texels_of(c, m) : GP_TEXELS_OF_WARP;
        most = here > most ? here : most;
    }
    return most;
}

/* ---- All of it --------------------------------------------------------------------------------------------------- */

/* The first warp of the group behind it along a dimension, or before it at the end. */
static bool follow_neighbour(struct gp_collector *c, const struct gp_launch *launch, uint32_t dim,
                             const uint64_t groups[3], struct gp_error *error)
{
    uint64_t neighbour[3];
    memcpy(neighbour, c->touch.boxed_group, sizeof neighbour);
    neighbour[dim] += neighbour[dim] + 1 < groups[dim] ? 1 : (uint64_t)-1;
    for (uint32_t m = 0; m < c->kernel->memory_count; m++)
        c->touch.boxes[m].met = false;
    c->purpose = FOLLOW;
    bool ok = gp_collector_run_warp(c, launch, neighbour, 0, 0, NULL, error);
    c->purpose = COUNT;
    return ok;
}

bool gp_collector_texels_of(struct gp_collector *c, const struct gp_launch *launch, enum gp_texels_of *of,
                            struct gp_error *error)
{
    uint64_t groups[3];
    gp_launch_groups(launch, groups);
    *of = c->effort.thinned || c->code.at_points ? GP_TEXELS_OF_SEVERAL : GP_TEXELS_OF_WARP;
    for (uint32_t dim = 0; *of != GP_TEXELS_OF_SEVERAL && dim < 3; dim++) {
        if (groups[dim] < 2)
            continue;
        if (!follow_neighbour(c, launch, dim, groups, error))
            return false;
        *of = most_shared(c);
    }
    return true;
}
