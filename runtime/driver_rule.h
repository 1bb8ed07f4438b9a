/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What a driver takes when a launch leaves the local size open. Known for PoCL's CPU devices (its published default
 * rule) and for NVIDIA's GPUs (observed); for other drivers only where they answer cl_khr_suggested_local_work_size.
 */
#ifndef GPUPERF_RUNTIME_DRIVER_RULE_H
#define GPUPERF_RUNTIME_DRIVER_RULE_H

#include <stdint.h>

struct gp_driver_limits {
    uint64_t max_sizes[3];       /* CL_DEVICE_MAX_WORK_ITEM_SIZES */
    uint64_t max_group;          /* CL_DEVICE_MAX_WORK_GROUP_SIZE */
    uint64_t preferred_multiple; /* CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE; 0 counts as 1 */
    uint64_t compute_units;      /* CL_DEVICE_MAX_COMPUTE_UNITS */
};

/* global: 1 beyond the launch's dimensions, and of work-items that can be counted (gp_range_is_countable()). */
void gp_pocl_local_size(const struct gp_driver_limits *limits, const uint64_t global[3], uint32_t local[3]);

/*
 * most_items: the largest group that the kernel's registers and the device allow. It is not CL_KERNEL_WORK_GROUP_SIZE,
 * which NVIDIA's driver says is 256 for every kernel, and which its own choice may exceed.
 */
void gp_nvidia_local_size(uint64_t most_items, const uint64_t global[3], uint32_t local[3]);

#endif
