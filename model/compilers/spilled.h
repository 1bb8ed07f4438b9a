/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * How often registers would be stored and loaded if a kernel had to do with fewer: an estimate, where no back end was
 * asked.
 *
 * Belady's MIN, block by block as in Braun & Hack, "Register Spilling and Live-Range Splitting for SSA-Form Programs",
 * CC 2009: what is used furthest in the future goes to memory; it is stored once, behind its definition, and loaded
 * where it is used. A block begins with what its predecessors end with, a loop with what it uses first; what differs
 * along an edge is stored or loaded there. (Their distances look through the whole kernel, these one block ahead.)
 */
#ifndef GPUPERF_MODEL_SPILLED_H
#define GPUPERF_MODEL_SPILLED_H

#include "model/profile/profile.h"

struct gp_block_spills {
    double stores, loads;
}; /* words of a work-item, per visit */

struct gp_spills {
    struct gp_block_spills *blocks; /* as kernel->blocks */
    double slots;                   /* words that have a place in memory */
};

/* `excess`: by how many words the most that is live at once is too much. scalar_unit: as in liveness.h. gp_spills_end()
 * ends it. */
void gp_spills_find(const struct gp_kernel *kernel, bool scalar_unit, uint32_t excess, struct gp_spills *spills);
void gp_spills_end(struct gp_spills *spills);

/* Iterations of a loop times those of the loops around it, where trip counts are constants; the others count once.
 * GP_NONE: 1. */
double gp_constant_iterations(const struct gp_kernel *kernel, uint32_t loop);

#endif
