/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Which branch the lanes that are off have parted at. Told of a warp's branches and blocks in the order of their
 * execution. */
#ifndef GPUPERF_MODEL_DIVERGENCE_H
#define GPUPERF_MODEL_DIVERGENCE_H

#include "model/executor/executor.h"

enum { GP_MAX_DIVERGENCES = 64 };

struct gp_divergence {
    uint32_t branch;        /* in kernel->branches */
    uint32_t reconvergence; /* its immediate post-dominator: there at the latest all lanes are back; GP_NONE */
    gp_mask whole;          /* lanes that came to it */
};

struct gp_divergences {
    struct gp_divergence items[GP_MAX_DIVERGENCES]; /* the latest one last; no two of the same branch */
    uint32_t count;
};

/* Lanes parted at a branch. Beyond GP_MAX_DIVERGENCES nothing is noted. */
void gp_divergences_add(struct gp_divergences *divergences, uint32_t branch, uint32_t reconvergence, gp_mask whole);

/* A block is executed by the active lanes: those that are back leave their branches. */
void gp_divergences_enter(struct gp_divergences *divergences, uint32_t block, gp_mask active);

/* The latest branch that some of the active lanes came to, of whose lanes some are off, with the share of these; NULL:
 * there is none. */
const struct gp_divergence *gp_divergences_top(const struct gp_divergences *divergences, gp_mask active, double *idle);

#endif
