/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Local memory whose size the host gives at launch: __local pointers, CUDA's extern __shared__ arrays. Without a run
 * nobody knows the size; but how far a group's addresses reach into it can be seen by executing some of its warps.
 */
#ifndef GPUPERF_MODEL_LOCAL_REACH_H
#define GPUPERF_MODEL_LOCAL_REACH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/sampling/pilots.h"
#include "model/launch/launch.h"
#include "model/profile/profile.h"

/* Local memory of unstated size that groups reach the farther into the larger their number is, as where a global id
 * indexes it: the range is too large. */
struct gp_local_excess {
    uint32_t dimension; /* along which; GP_NONE: there is no such memory */
    const char *name;   /* of the argument or the array */
    uint64_t bytes;     /* that a group in the middle reaches */
};

/*
 * Bytes of local memory that a group of the launch needs beyond what the kernel declares: what is stated where it is
 * stated or where the launch is a real one (not launch->assumed); else as far as executed addresses reach; where they
 * are not known or rest on other assumed arguments, at least 4 bytes per work-item. lanes: of a warp. executor: of the
 * kernel. Addresses that the pilot runs do not get to are not known. Stated sizes alone where memory is out.
 */
uint64_t gp_local_reach(struct gp_pilots *pilots, struct gp_executor *executor, const struct gp_kernel *kernel,
                        const struct gp_launch *launch, uint32_t lanes, struct gp_local_excess *excess);

/* "work-items reach 2097280 bytes of 't': it is made for a smaller range (--global)". */
void gp_describe_local_excess(const struct gp_local_excess *excess, char *text, size_t size);

#endif
