/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The throughput model: time of a launch from its work.
 *
 * A work-group costs each pipe of its SM so many cycles; the busiest pipe's are S. Its slowest warp alone would take L
 * cycles (the chain), Z of them waiting for memory or to be started. With b resident groups an SM finishes a batch in
 *
 *     T(b) = max(b S + Z / sqrt(n) + W, ((L + W)^k + (b D)^k)^(1/k))
 *
 * Z / sqrt(n) is what imperfect overlap leaves: groups that started together wait together and only slowly fall out of
 * step. n is how many parts of the batch run independently of each other (its warps; its groups where barriers hold a
 * group's warps together). W is what all of them wait for together: what L2 does not hold of the lines that they read
 * again side by side. D is the time that DRAM is busy for a group on each SM: the closer a batch comes to keeping it
 * busy the longer its requests queue there, which k, a property of the device (dram_knee), says. Batches follow each
 * other until the groups of the busiest SM are done; L2, DRAM and the rate at which the device starts groups, shared by
 * all SMs, set floors. Groups of different work count as so many average ones, but no launch ends before its longest
 * group does.
 */
#ifndef GPUPERF_MODEL_THROUGHPUT_H
#define GPUPERF_MODEL_THROUGHPUT_H

#include "model/timing/conditions.h"

/* Cycles that the device takes to start all groups one after the other (device->group_rate); 0 where no such limit is
 * known. */
double gp_start_cycles(const struct gp_work *work, const struct gp_conditions *conditions);

void gp_throughput(const struct gp_work *work, const struct gp_conditions *conditions, struct gp_timing *timing);

#endif
