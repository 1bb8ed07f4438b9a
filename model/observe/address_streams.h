/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How the addresses of a warp's memory operations go on. */
#ifndef GPUPERF_MODEL_ADDRESS_STREAMS_H
#define GPUPERF_MODEL_ADDRESS_STREAMS_H

#include "model/executor/executor.h"
#include "model/profile/profile.h"

/* ---- Steps ------------------------------------------------------------------------------------------------------- */

/*
 * How the addresses of memory operations move from one iteration to the next, seen while a warp is executed. The
 * executor samples iterations: only of consecutive ones does the difference say anything.
 */

struct gp_steps;

/* Of a kernel, which must stay as it is. The caller frees it. */
struct gp_steps *gp_steps_new(const struct gp_kernel *kernel);
void gp_steps_free(struct gp_steps *steps);

/* A new warp: nothing is seen yet. */
void gp_steps_start(struct gp_steps *steps);

/* The executor has left out iterations of the loop (gp_observer's skip). */
void gp_steps_skip(struct gp_steps *steps, uint32_t loop);

/*
 * Memory operation `memory` is executed at symbol + offset: by how many bytes the address moved between the last two
 * consecutive iterations; negative: not seen.
 */
double gp_steps_see(struct gp_steps *steps, uint32_t memory, uint32_t symbol, uint64_t offset);

/* Between what gp_steps_see() saw of the operation last and the time before, its innermost loop had iterations left
 * out. */
bool gp_steps_jumped(const struct gp_steps *steps, uint32_t memory);

/* ---- Walks ------------------------------------------------------------------------------------------------------- */

/*
 * How addresses move from a start, above all one that nobody knows: in v[first[i] + k] each work-item begins anywhere,
 * but goes on side by side. An address is a sum of values that are not known, of constants, and of counters times
 * constants; operations with the same such values are on one walk, and what one of them touched the next one finds.
 */

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
