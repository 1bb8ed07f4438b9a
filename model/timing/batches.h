/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Batches of resident groups that an SM runs one after the other:
 *
 *     T(b) = max(b S + Z / sqrt(n) + W, ((L + W)^k + (b D)^k)^(1/k))
 *
 * (throughput.h names the terms.)
 */
#ifndef GPUPERF_MODEL_TIMING_BATCHES_H
#define GPUPERF_MODEL_TIMING_BATCHES_H

#include "model/timing/conditions.h"

/* Requests whose latencies alone add up to `latency` and their transfers to `transfer`. */
double gp_with_queues(double latency, double transfer, double knee);

/* Fills in the terms of one batch, and returns the cycles of all that the busiest SM gets. */
double gp_all_batches(const struct gp_work *work, const struct gp_conditions *conditions, struct gp_terms *terms);

#endif
