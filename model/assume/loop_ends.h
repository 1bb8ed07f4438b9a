/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Arguments at which loops begin and end: in `for (j = start; j < end; j++)` nothing is done where both are the number
 * that is assumed of any argument, and in `for (x = r; x < w - r; x++)` neither. What shortens a loop is small, so that
 * the loop that its author wrote does something.
 */
#ifndef GPUPERF_MODEL_LOOP_ENDS_H
#define GPUPERF_MODEL_LOOP_ENDS_H

#include "model/launch/launch.h"

#ifdef __cplusplus
extern "C" {
#endif

struct gp_loop_ends {
    bool first[GP_MAX_ARGUMENTS];  /* a loop begins with it, and it shortens loops only */
    bool radius[GP_MAX_ARGUMENTS]; /* a window's: a loop's counter starts at minus its value, or both of a loop's ends
                                      are so far from the edges, or it shortens one loop and is the length of another */
    bool longer[GP_MAX_ARGUMENTS]; /* the larger it is the longer is a loop */
};

/* Loops that begin where a group stands are the guards' (guards.h): these let all groups pass. */
void gp_loop_ends(const struct gp_kernel *kernel, const struct gp_launch *launch, struct gp_loop_ends *ends);

#ifdef __cplusplus
}
#endif
#endif
