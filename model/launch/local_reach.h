/*
 * Local memory whose size the host gives at launch: __local pointers, CUDA's extern __shared__ arrays. Without a run nobody knows the size; but how far
 * a group's addresses reach into it can be seen by executing some of its warps.
 */
#ifndef GPUPERF_MODEL_LOCAL_REACH_H
#define GPUPERF_MODEL_LOCAL_REACH_H

#include <stdbool.h>
#include <stdint.h>

#include "model/executor/glances.h"
#include "model/launch/launch.h"
#include "model/profile/profile.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Bytes of local memory that a group of the launch needs beyond what the kernel declares: what is stated where it is stated or where the launch is a real
 * one (not launch->assumed); else as far as executed addresses reach; where they are not known or rest on other assumed arguments, at least 4 bytes per
 * work-item. lanes: of a warp.
 * executor: of the kernel. Addresses that the glances do not get to are not known. Stated sizes alone where memory is out.
 */
uint64_t gp_local_reach(struct gp_glances *glances, struct gp_executor *executor, const struct gp_kernel *kernel, const struct gp_launch *launch, uint32_t lanes);

#ifdef __cplusplus
}
#endif
#endif
