/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Resident work-groups per SM, by the vendors' own calculators: cuda_occupancy.h of the CUDA toolkit, LLVM's AMDGPU
 * subtarget and HIP's occupancy query. Wang et al.'s equations 1 to 7 are the same scheme with other names.
 */
#ifndef GPUPERF_MODEL_OCCUPANCY_H
#define GPUPERF_MODEL_OCCUPANCY_H

#include "hwdb/hwdb.h"

#ifdef __cplusplus
extern "C" {
#endif

enum gp_occupancy_limit {
    GP_LIMIT_WARPS,
    GP_LIMIT_BLOCKS,
    GP_LIMIT_REGISTERS,
    GP_LIMIT_LOCAL_MEMORY,
    GP_LIMIT_COUNT,
    GP_LIMIT_ASKED = GP_LIMIT_COUNT /* gp_occupancy_hold() */
};
const char *gp_occupancy_limit_name(enum gp_occupancy_limit limit); /* "registers" ... */

struct gp_occupancy {
    uint32_t groups;        /* resident per SM, whole ones but at least 1; 0: the launch is impossible */
    double resident_groups; /* the same with the halves that RDNA has, where two CUs share a work-group processor */
    uint32_t warps_per_group;
    uint32_t groups_by[GP_LIMIT_COUNT]; /* what each limit alone would allow */
    enum gp_occupancy_limit limit;      /* the smallest of these */
    double occupancy;                   /* resident warps over the device's maximum */
};

/*
 * registers: per work-item, cut to what the device has (a compiler spills the rest); scalar_registers: per wave (GCN
 * and CDNA only); local_bytes: per group, static and dynamic. False and a sentence when one group exceeds a per-group
 * limit.
 */
bool gp_occupancy(const struct gp_device *device, uint32_t work_items, uint32_t registers, uint32_t scalar_registers,
                  uint32_t local_bytes, struct gp_occupancy *result, struct gp_error *error);

/*
 * No more resident groups than have so many warps together, but one: as where a program asks for more local memory than
 * it uses. What the device holds anyway is not exceeded.
 */
void gp_occupancy_hold(const struct gp_device *device, uint32_t warps, struct gp_occupancy *result);

/* The nearest change of one thing with which more warps are resident. */
enum gp_step_of { GP_STEP_NONE, GP_STEP_REGISTERS, GP_STEP_LOCAL_MEMORY, GP_STEP_GROUP_SIZE };
struct gp_occupancy_step {
    enum gp_step_of of;
    uint32_t by;              /* registers of a work-item, or bytes of a group, fewer; work-items of a group instead */
    double groups, occupancy; /* resident then */
};

/* From what gp_occupancy() says of the same. GP_STEP_NONE: no change of one thing does, or the SM is full. Sizes of
 * groups are tried in whole warps up to twice the size, and where registers and local memory are not the limit. */
struct gp_occupancy_step gp_next_occupancy(const struct gp_device *device, uint32_t work_items, uint32_t registers,
                                           uint32_t scalar_registers, uint32_t local_bytes,
                                           const struct gp_occupancy *now);

/* Of a launch's groups those that the busiest SM gets; where a group lies on two SMs, half of what the two get. */
double gp_groups_per_sm(const struct gp_device *device, double groups);

#ifdef __cplusplus
}
#endif
#endif
