/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * How addresses move from a start, above all one that nobody knows: in v[first[i] + k] each work-item begins anywhere,
 * but goes on side by side. An address is a sum of values that are not known, of constants, and of counters times
 * constants; operations with the same such values are on one walk, and what one of them touched the next one finds.
 */
#ifndef GPUPERF_MODEL_WALKS_H
#define GPUPERF_MODEL_WALKS_H

#include "model/executor/executor.h"

struct gp_walks;

/* Of a kernel, which must stay as it is. The caller frees it. */
struct gp_walks *gp_walks_new(const struct gp_kernel *kernel);
void gp_walks_free(struct gp_walks *walks);

/* A new warp: nothing is touched yet. */
void gp_walks_start(struct gp_walks *walks);

struct gp_walk_step {
    uint32_t walk;  /* below kernel->memory_count; GP_NONE: on none */
    uint64_t start; /* numbers the warp's starts, from 1 */
    int64_t at;     /* bytes from there */
    double beyond;  /* of the access's bytes, those that the walk had not come to since its start; infinite: it starts
                       here */
};

/* Within the executor's callback: memory operation `memory` is executed, and lanes of its address are not known. */
struct gp_walk_step gp_walks_see(struct gp_walks *walks, const struct gp_executor *executor, uint32_t memory);

/*
 * Of so many bytes, of which each iteration or each lane has others, the share that the operation asks for together
 * with those that read, or write, beside it in the same iteration: what unrolling made of one, members of one
 * structure. 0: not known.
 */
double gp_walks_asked(struct gp_walks *walks, uint32_t memory, uint32_t period);

#endif
