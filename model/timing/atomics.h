/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Floors that atomics set to every model's time. */
#ifndef GPUPERF_MODEL_TIMING_ATOMICS_H
#define GPUPERF_MODEL_TIMING_ATOMICS_H

#include "model/timing/conditions.h"

/*
 * Cycles below which no launch with these atomics can be: operations on one address are made one after the other, from
 * whichever SM they come (device->atomic_global_clk each), and so are those in one part of L2. Addresses and lines are
 * taken to be asked for equally often.
 */
double gp_atomic_cycles(const struct gp_work *work, const struct gp_device *device);

/*
 * The same of compare-and-swap that a loop retries: each that succeeds had read what the one before it wrote, so that
 * those on one address are a round trip to L2 apart, from whichever SM they come. A round trip is l2_latency, or as
 * long as L2 takes for an exchange of each warp that waits meanwhile, since those that fail take as long: all resident
 * warps, or as many as there are if the exchanges take but a part of what all else takes (`rest` cycles; 0: nothing). 0
 * on CPUs, whose cores keep the line.
 */
double gp_retry_cycles(const struct gp_work *work, const struct gp_conditions *conditions, double rest);

#endif
