/* Resident work-groups per SM. Rules: DEVICES.md section 3 (the vendors' calculators); the hybrid framework's equations 1 to 7. */
#ifndef GPUPERF_MODEL_OCCUPANCY_H
#define GPUPERF_MODEL_OCCUPANCY_H

#include "hwdb/hwdb.h"

#ifdef __cplusplus
extern "C" {
#endif

enum gp_occupancy_limit { GP_LIMIT_WARPS, GP_LIMIT_BLOCKS, GP_LIMIT_REGISTERS, GP_LIMIT_LOCAL_MEMORY, GP_LIMIT_COUNT };
const char *gp_occupancy_limit_name(enum gp_occupancy_limit limit); /* "registers" ... */

struct gp_occupancy {
    uint32_t groups;               /* resident per SM; 0: the launch is impossible */
    uint32_t warps_per_group;
    uint32_t groups_by[GP_LIMIT_COUNT]; /* what each limit alone would allow */
    enum gp_occupancy_limit limit; /* the smallest of these */
    double occupancy;              /* resident warps over the device's maximum */
};

/*
 * registers: per work-item; scalar_registers: per wave (GCN only); local_bytes: per group, static and dynamic.
 * False and a sentence when one group exceeds a per-group limit.
 */
bool gp_occupancy(const struct gp_device *device, uint32_t work_items, uint32_t registers, uint32_t scalar_registers,
                  uint32_t local_bytes, struct gp_occupancy *result, struct gp_error *error);

#ifdef __cplusplus
}
#endif
#endif
