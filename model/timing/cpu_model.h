/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The CPU model, for devices like PoCL's: a work-group runs on one core as loops over its work-items, one loop per
 * region between barriers, vectorised along dimension 0 where the compiler can.
 */
#ifndef GPUPERF_MODEL_CPU_MODEL_H
#define GPUPERF_MODEL_CPU_MODEL_H

#include "model/timing/conditions.h"

void gp_cpu_time(const struct gp_kernel *kernel, const uint32_t local[3], const struct gp_work *work,
                 const struct gp_conditions *conditions, struct gp_timing *timing);

/* Cycles that all cores together need at least for all operations, in full vectors, and which port takes them. */
double gp_cpu_least_cycles(const struct gp_kernel *kernel, const uint32_t local[3], const struct gp_work *work,
                           const struct gp_conditions *conditions, enum gp_limiter *port);

/* Bytes that come from DRAM: what all groups touch, unless the same launch before left it in the caches of all cores.
 */
double gp_cpu_dram_bytes(const struct gp_work *work, const struct gp_conditions *conditions);

#endif
