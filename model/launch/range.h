/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What can be said of an address without executing: how many places at most it may fall on. `bins[data[i] & 255]` is
 * one of 256 words, whatever the data is.
 */
#ifndef GPUPERF_MODEL_RANGE_H
#define GPUPERF_MODEL_RANGE_H

#include "model/launch/launch.h"

/*
 * Distinct addresses that a memory operation (an index in kernel->memory) can touch over a whole launch, by the
 * intervals and strides of the values that make up its address, and by the array that it is based on; 0 where no bound
 * is found. The start of the buffer counts as fixed. What data chooses among loops' counters (the nearest of n points)
 * is one of them. launch: its arguments are numbers, stated or assumed, but those of which it knows none; NULL: none
 * is.
 */
uint64_t gp_range_addresses(const struct gp_kernel *kernel, const struct gp_launch *launch, uint32_t memory);

/* The numbers that a value can be, low, low + step ... high, whatever memory holds. False: no bound is found. A step of
 * 0: it is low. */
struct gp_range {
    int64_t low, high, step;
};
bool gp_range_of(const struct gp_kernel *kernel, const struct gp_launch *launch, gp_ref value, struct gp_range *range);

/* Bytes of the kernel's own array that an access is based on; 0: it is none, or its size is that of the launch. */
uint32_t gp_array_bytes(const struct gp_kernel *kernel, gp_ref base);

/* Another number for other arguments, on which ranges depend. */
uint64_t gp_range_arguments(const struct gp_kernel *kernel, const struct gp_launch *launch);

/* The lowest and highest of these addresses, in bytes from the start of the buffer. False: no bound is found. */
bool gp_range_bytes(const struct gp_kernel *kernel, const struct gp_launch *launch, uint32_t memory, int64_t *low,
                    int64_t *high);

/*
 * The bytes of a buffer (a parameter of the kernel) that a launch can read, from its start, whatever memory holds: the
 * hull of its loads and atomics over all places of the launch, guards aside. False: one of them has no bound, or may
 * be of any buffer, or the kernel copies stretches or calls what is not followed. Nothing is read: from == to.
 */
bool gp_range_read(const struct gp_kernel *kernel, const struct gp_launch *launch, uint32_t param, int64_t *from,
                   int64_t *to);

#endif
