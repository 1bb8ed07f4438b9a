/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Arguments that choose what a kernel does: a mode that a switch asks for, a flag, the colour of a checkerboard's
 * fields in `if (((x + y) & 1) != colour) return`. The number that is assumed of others would mostly be none of those
 * that the kernel knows.
 */
#ifndef GPUPERF_MODEL_CHOICES_H
#define GPUPERF_MODEL_CHOICES_H

#include "model/launch/launch.h"

#ifdef __cplusplus
extern "C" {
#endif

struct gp_choice {
    bool found;
    uint64_t value;
};

/*
 * choices[GP_MAX_ARGUMENTS]: per integer parameter that is compared for equality only, with constants or with what has
 * few values whatever the ids are, and decides nothing else: the least constant with which the kernel does something (1
 * where it is compared with 0 alone, which is how a flag is asked for), or the least of the values.
 */
void gp_choices(const struct gp_kernel *kernel, const struct gp_launch *launch,
                struct gp_choice choices[GP_MAX_ARGUMENTS]);

#ifdef __cplusplus
}
#endif
#endif
