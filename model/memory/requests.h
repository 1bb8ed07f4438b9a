/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * From lanes' addresses to what the memory system does with them: transactions, wavefronts, bank-conflict passes.
 * A table of rules per architecture (struct gp_request_rules in request_rules.h), picked by the device's architecture;
 * docs/memory.md tells the rules, each function names its source.
 */
#ifndef GPUPERF_MODEL_REQUESTS_H
#define GPUPERF_MODEL_REQUESTS_H

#include "hwdb/hwdb.h"
#include "model/executor/executor.h"

struct gp_request {
    /* global, constant, generic and image memory */
    double transactions; /* what the warning prints: distinct sectors (NVIDIA) or lines (AMD) that the request moves */
    double ideal_transactions; /* the fewest in which the device can move the useful bytes */
    double lines;              /* distinct tag lines: lookups of L1 */
    double bytes;              /* moved between L1 and L2 if all misses: transactions x their size */
    double useful_bytes;       /* distinct bytes the lanes asked for (duplicates once) */
    double wavefronts;         /* cycles of the L1 data stage, address lanes and bank rule included; 0: a scalar load */
    double ideal_wavefronts;   /* the same with perfect access of the same useful bytes */
    /* local memory: passes in wavefronts; here the conflict degree */
    double passes;          /* bank-conflict passes over all lane groups */
    double ideal_passes;    /* conflict-free passes of that width */
    double conflict_degree; /* most distinct words in one bank within one pass group (1: none; 32: 32-way) */
    double same_address;    /* atomics: most lanes on one address (1: no contention) */
    double cell; /* bytes that one transaction serves, where that is not bytes / transactions: a word of constant memory
                    on NVIDIA's devices; else 0 */
    bool uniform;   /* one address for all lanes */
    bool guessed;   /* some address was unknown: taken as scattered, each lane in its own sector */
    int64_t stride; /* bytes between neighbouring lanes when it is constant, else 0 */
};

/* Costs one access on one device. kernel->memory[access->memory] says space and width. */
void gp_request_cost(const struct gp_device *device, const struct gp_kernel *kernel, const struct gp_access *access,
                     struct gp_request *request);

/*
 * An access to an image as one to memory: each texel at its place in the layout that requests assume (docs/memory.md),
 * so that texels of one block have neighbouring addresses. Offsets are from a place of the image's own; lanes of one
 * symbol have coordinates relative to the same unknowns.
 */
struct gp_image_addresses {
    struct gp_access access; /* its symbol and offset are those below */
    uint32_t symbol[GP_MAX_LANES];
    uint64_t offset[GP_MAX_LANES];
};
void gp_image_addresses(const struct gp_device *device, const struct gp_kernel *kernel, const struct gp_access *access,
                        struct gp_image_addresses *addresses);

/* Its access without coordinates, of one symbol; symbol[] and offset[] are to be filled. */
static inline void gp_image_addresses_start(const struct gp_access *access, struct gp_image_addresses *a)
{
    a->access = *access;
    a->access.coordinates = 0;
    a->access.symbol = a->symbol;
    a->access.offset = a->offset;
    a->access.uniform = false;
    a->access.one_symbol = true;
    a->access.distances = NULL;
}

/* An access's coordinate, also where it has distances and only lane 0's and the first active one's are there. */
static inline uint64_t gp_access_coordinate(const struct gp_access *access, uint32_t dim, uint32_t lane)
{
    const struct gp_distances *d = access->coordinate_distances[dim];
    return d != NULL ? access->coordinate[dim][0] + d->lane[lane] : access->coordinate[dim][lane];
}

/* Where an access's first active lane is: within its line, and its address. */
struct gp_image_place {
    uint32_t column, row, texel_bytes;
    uint32_t symbol;
    uint64_t offset;
};

/*
 * False: coordinates have no distances, or some may be clamped at a border. Else accesses whose coordinates have the
 * same distances, and whose first lanes lie alike in their lines, have addresses as far apart, and one symbol each.
 */
bool gp_image_place_of(const struct gp_device *device, const struct gp_kernel *kernel, const struct gp_access *access,
                       struct gp_image_place *place);

/* Columns and rows of the blocks of texels, powers of two, of an image of so many dimensions that a memory operation is
 * of. */
struct gp_block_sides {
    uint32_t columns, rows;
};
struct gp_block_sides gp_image_block(const struct gp_device *device, const struct gp_kernel *kernel, uint32_t memory,
                                     uint32_t dims);

/* Bytes that a request puts on L2 if all of it misses: of stores that write parts of sectors more than they move. */
double gp_request_l2_bytes(const struct gp_device *device, const struct gp_memory *memory,
                           const struct gp_request *request);

#endif
