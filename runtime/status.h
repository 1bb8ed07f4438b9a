/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What became of a kernel's launches on a device, over all processes: a row of the cache's table `status`, which
 * `gpuperf status` prints. Of launches that leave their local size open; the layer adds to it under the lock that it
 * holds anyway, and its worker writes it now and then and at the end.
 */
#ifndef GPUPERF_RUNTIME_STATUS_H
#define GPUPERF_RUNTIME_STATUS_H

#include <stdint.h>

#include "runtime/hash.h"

enum { GP_STATUS_NAME = 128, GP_STATUS_SIZE = 72, GP_STATUS_REASON = 200 };

struct gp_kernel_status {
    char kernel[GP_STATUS_NAME], device[GP_STATUS_NAME]; /* as the program and the driver call them */
    uint64_t launches;
    uint64_t chosen;                                    /* of these, with gpuperf's local size */
    double ns;                                          /* predicted, of those whose time is known */
    double driver_ns;                                   /* the same as the driver would have run them; 0: not known */
    char global[GP_STATUS_SIZE], local[GP_STATUS_SIZE]; /* of the last one; local "auto": the driver's, not known */
    char from[16];                                      /* model, cache, sample, driver, program */
    char reason[GP_STATUS_REASON];
};

/* The key of its row. */
struct gp_hash gp_status_key(const struct gp_kernel_status *status);

struct gp_cache;

/* Adds the counts and times to the row's, and replaces what is of the last launch. */
void gp_cache_add_status(struct gp_cache *cache, const struct gp_kernel_status *status);

/* Calls `each` for every row, what takes most time first. */
typedef void gp_each_status(void *context, const struct gp_kernel_status *status, int64_t seconds);
void gp_cache_statuses(struct gp_cache *cache, gp_each_status *each, void *context);

#endif
