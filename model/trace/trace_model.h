/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The trace model's answer for a whole launch: the groups of the busiest SM are simulated until their throughput is
 * steady, the rest follows from it; what the device's shared resources and the SM's units need at least is a floor.
 */
#ifndef GPUPERF_MODEL_TRACE_MODEL_H
#define GPUPERF_MODEL_TRACE_MODEL_H

#include "model/timing/conditions.h"
#include "model/trace/trace.h"

/* Traces of a kernel and what simulating them needs; used by one thread at a time. */
struct gp_tracer;
struct gp_tracer *gp_tracer_new(const struct gp_kernel *kernel);
void gp_tracer_free(struct gp_tracer *tracer);

/*
 * Records the launch on the device. l1_bytes: what the unified data cache leaves to L1. exhaustive: every iteration of
 * every loop, which costs as much as there are. Valid until the next begin.
 */
bool gp_trace_begin(struct gp_tracer *tracer, const struct gp_launch *launch, const struct gp_work *work,
                    const struct gp_conditions *conditions, double l1_bytes, bool exhaustive, struct gp_error *error);

/*
 * Simulates what was recorded under the conditions, which may be those of a repaired cause. timing's pipe_cycles are of
 * one group, as gp_throughput()'s.
 */
void gp_trace_time(struct gp_tracer *tracer, const struct gp_work *work, const struct gp_conditions *conditions,
                   struct gp_timing *timing);

/* A simulation of so many groups that was stopped, to its end (trace_stopped.c). spills: it made accesses to spilled
 * registers. */
void gp_complete_stopped(const struct gp_recording *recording, double groups, bool spills,
                         struct gp_sim_result *result);

/* What the last simulations cost: instructions simulated. */
uint64_t gp_trace_effort(const struct gp_tracer *tracer);

#endif
