/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/memory/image_memo.h"

#include <stdlib.h>
#include <string.h>

#include "support/memo.h"

/* What addresses are relative to the first active lane's, and requests, depend on beside the device. */
struct key {
    uint64_t distances[3]; /* of the coordinates, their ids; 0: there is none */
    gp_mask active;
    uint32_t column, row, texel_bytes;
};

struct entry {
    struct key key;
    const struct gp_distances *distances; /* of the addresses; NULL: empty */
    bool costed;
    struct gp_request request;
};

enum { FEW_ENTRIES = 16, MOST_ENTRIES = 1024 };

struct gp_image_memo {
    const struct gp_kernel *kernel;
    const struct gp_device *device;
    struct gp_distance_table distances; /* its ids are none of the executor's */
    struct entry *entries;              /* by the keys' hashes */
    uint32_t count, clashes;            /* of entries, a power of two; how often one made way for another since */
};

struct gp_image_memo *gp_image_memo_new(const struct gp_kernel *kernel)
{
    struct gp_image_memo *memo = calloc(1, sizeof *memo);
    struct entry *entries = calloc(FEW_ENTRIES, sizeof *entries);
    memo->kernel = kernel;
    memo->entries = entries;
    memo->count = FEW_ENTRIES;
    memo->distances.last_id = UINT64_C(1) << 63;
    return memo;
}

void gp_image_memo_free(struct gp_image_memo *memo)
{
    if (memo == NULL)
        return;
    gp_distances_free(&memo->distances);
    free(memo->entries);
    free(memo);
}

static void forget(struct gp_image_memo *memo) { memset(memo->entries, 0, memo->count * sizeof *memo->entries); }

/* For a device, and lanes as many as the access has. */
static void prepare(struct gp_image_memo *memo, const struct gp_device *device, const struct gp_access *access)
{
    uint32_t lanes = access->coordinate_distances[0]->lanes;
    if (memo->device != device || memo->distances.lanes != lanes) {
        forget(memo);
        gp_distances_start(&memo->distances, lanes);
        memo->device = device;
    }
    if (gp_distances_crowded(&memo->distances)) {
        forget(memo);
        gp_distances_sweep(&memo->distances);
    }
}

static struct key key_of(const struct gp_access *access, const struct gp_image_place *place)
{
    struct key key = {
        .active = access->active, .column = place->column, .row = place->row, .texel_bytes = place->texel_bytes};
    for (uint32_t dim = 0; dim < access->coordinates && dim < 3; dim++)
        key.distances[dim] = access->coordinate_distances[dim]->id;
    return key;
}

static bool is_equal(const struct key *a, const struct key *b)
{
    return a->distances[0] == b->distances[0] && a->distances[1] == b->distances[1] &&
           a->distances[2] == b->distances[2] && a->active == b->active && a->column == b->column && a->row == b->row &&
           a->texel_bytes == b->texel_bytes;
}

static struct entry *entry_of(struct gp_image_memo *memo, const struct key *key)
{
    const uint64_t factor = UINT64_C(0x9e3779b97f4a7c15);
    uint64_t hash =
        ((key->distances[0] * factor ^ key->distances[1]) * factor ^ key->distances[2] ^ key->active) * factor +
        ((uint64_t)key->texel_bytes << 32 ^ (uint64_t)key->row << 16 ^ key->column);
    return &memo->entries[(hash * factor >> 32) & (memo->count - 1)];
}

/* Distances between the addresses of all lanes; one that is off is where the first active one is. */
static const struct gp_distances *distances_of(struct gp_image_memo *memo, const struct gp_access *access)
{
    struct gp_image_addresses a;
    gp_image_addresses(memo->device, memo->kernel, access, &a);
    gp_fill_idle_lanes(a.offset, access->active, memo->distances.lanes);
    return gp_distances_of(&memo->distances, a.offset);
}

/* NULL: the access is not one of those that are alike. */
static struct entry *find(struct gp_image_memo *memo, const struct gp_device *device, const struct gp_access *access,
                          struct gp_image_place *place)
{
    if (!gp_image_place_of(device, memo->kernel, access, place))
        return NULL;
    prepare(memo, device, access);
    memo->entries = gp_memo_grown(memo->entries, &memo->count, MOST_ENTRIES, &memo->clashes, sizeof *memo->entries);
    struct key key = key_of(access, place);
    struct entry *entry = entry_of(memo, &key);
    if (entry->distances != NULL && is_equal(&entry->key, &key))
        return entry;
    memo->clashes += entry->distances != NULL;
    *entry = (struct entry){.key = key, .distances = distances_of(memo, access)};
    return entry;
}

void gp_image_memo_addresses(struct gp_image_memo *memo, const struct gp_device *device, const struct gp_access *access,
                             struct gp_image_addresses *a)
{
    struct gp_image_place place;
    const struct entry *entry = find(memo, device, access, &place);
    if (entry == NULL) {
        gp_image_addresses(device, memo->kernel, access, a);
        return;
    }
    uint32_t first = (uint32_t)__builtin_ctzll(access->active);
    gp_image_addresses_start(access, a);
    a->access.distances = entry->distances;
    for (uint32_t lane = 0; lane < entry->distances->lanes; lane++)
        a->symbol[lane] = place.symbol;
    a->offset[first] = place.offset;
    a->offset[0] = place.offset - entry->distances->lane[first];
}

void gp_image_memo_cost(struct gp_image_memo *memo, const struct gp_device *device, const struct gp_access *access,
                        struct gp_request *request)
{
    struct gp_image_place place;
    struct entry *entry = find(memo, device, access, &place);
    if (entry == NULL) {
        gp_request_cost(device, memo->kernel, access, request);
        return;
    }
    if (!entry->costed)
        gp_request_cost(device, memo->kernel, access, &entry->request);
    entry->costed = true;
    *request = entry->request;
    request->guessed = access->assumed != 0;
}
