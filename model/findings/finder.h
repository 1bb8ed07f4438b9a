/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Inside the search for causes: what the causes' files share. A cause is repaired in a copy of the launch's work, the
 * copy timed, and what that gains written down. */
#ifndef GPUPERF_MODEL_FINDER_H
#define GPUPERF_MODEL_FINDER_H

#include "model/findings/bottlenecks.h"
#include "model/findings/repair.h"
#include "model/predict.h"

enum { GP_NAME_TEXT = 56, GP_MAX_HIDDEN = 16, GP_MEMORY_CAUSES = 3 };

/* What is worth telling of a gain that others hide. */
#define GP_WORTH_TELLING 1.1

/* A cause that gains nothing alone. */
struct gp_hidden {
    enum gp_cause cause;
    uint32_t inst;
    double cycles;         /* with it repaired, alone */
    double speedup_beside; /* gp_bottleneck's; 0: not worth telling */
    const char *beside;    /* the condition of that */
};

struct gp_finder {
    const struct gp_bottleneck_inputs *in;
    struct gp_repair repair;
    uint32_t
        *groups; /* per cause of GP_MEMORY_CAUSES and memory operation: gp_group_accesses(), when first asked for */
    uint32_t grouped;  /* the causes that were, as bits */
    uint32_t *group;   /* of the cause at hand, in `groups` */
    uint32_t *scratch; /* for gp_group_accesses() */
    struct gp_prediction *prediction;
    struct gp_hidden hidden[GP_MAX_HIDDEN]; /* hidden_causes.c */
    uint32_t hidden_count;
    char in_cache[GP_BESIDE_TEXT]; /* unknown_sizes.c: "if 'x' fits L2" */
    bool telling_hidden;           /* the search is run once more, for the descriptions of these */
};

/* Cycles of the launch as it is repaired now. */
double gp_finder_cycles(struct gp_finder *f);

/* The gain of a finding with which the launch takes so many cycles. */
void gp_finder_gain(const struct gp_finder *f, struct gp_bottleneck *b, double cycles);

/* A finding with whose repair the launch takes so many cycles. NULL: the list is full of larger ones. */
struct gp_bottleneck *gp_finder_add(struct gp_finder *f, enum gp_cause cause, uint32_t inst, double cycles);

/*
 * Times the repaired state and adds it to the findings, at an instruction or GP_NONE. NULL where the cause costs less
 * than one percent (or the list is full of larger ones); such a one is kept among the hidden, if the source could mend
 * it.
 */
struct gp_bottleneck *gp_finder_record(struct gp_finder *f, enum gp_cause cause, uint32_t inst);

/* ---- Words: as the source's language and the device's vendor have them; not to be freed ----------------------------
 */

const char *gp_base_name(const struct gp_kernel *kernel, gp_ref base); /* "" where it has none */
const char *gp_access_word(const struct gp_memory *memory);
bool gp_speaks_cuda(const struct gp_finder *f);
const char *gp_warp_word(const struct gp_finder *f);

/* "in 'name'", or nothing where the name is not known. */
void gp_print_name(char text[GP_NAME_TEXT], const char *preposition, const char *name);

#endif
