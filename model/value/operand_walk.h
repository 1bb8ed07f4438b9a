/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A walk over what a value is made of: a rule says what it thinks of each value, and how far a walk goes is here. */
#ifndef GPUPERF_MODEL_OPERAND_WALK_H
#define GPUPERF_MODEL_OPERAND_WALK_H

#include "model/profile/profile.h"

/* Where a walk goes on behind a value. */
enum gp_visit {
    GP_VISIT_OPERANDS, /* what it is made of */
    GP_VISIT_START,    /* of a phi, what comes from before its loop; a loop's own blocks stand behind those */
    GP_VISIT_NEXT,     /* not that, but the other values */
    GP_VISIT_ENOUGH    /* nothing more has to be seen */
};

/* inst: NULL where no instruction makes the value. */
typedef enum gp_visit gp_visitor(const struct gp_kernel *kernel, gp_ref ref, const struct gp_inst *inst, void *context);

enum gp_walk {
    GP_WALK_WHOLE,  /* all was visited */
    GP_WALK_ENOUGH, /* the visitor ended it */
    GP_WALK_CUT     /* there are more than GP_MOST_VISITED instructions: what is behind them nobody has seen */
};

#define GP_MOST_VISITED 256

/* What makes one answer of its operands' answers, a sum or a product, is no visitor: it looks at so many values, one
 * that it comes to by several ways as often. */
#define GP_MOST_FOLDED 64

/* Visits a value and what it is made of, operands in their order, each instruction once. The blocks that a phi names
 * are values like others (GP_REF_BLOCK). */
enum gp_walk gp_walk_operands(const struct gp_kernel *kernel, gp_ref ref, gp_visitor *visit, void *context);

#endif
