/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What work-items find in a core's caches: some hundred groups that a core runs one after the other, with their
 * work-items one after the other, x fastest, as PoCL's loops over work-items run them. How much of a line is used
 * before it is lost depends on the local size alone where rows are a power of two apart.
 */
#ifndef GPUPERF_MODEL_CPU_WALK_H
#define GPUPERF_MODEL_CPU_WALK_H

#include "model/executor/executor.h"
#include "model/observe/work.h"

/* Fills work->memory[].core. True where nothing can be said of an operation (images; never reached): its `core.known`
 * is false. False and a sentence: out of memory. */
bool gp_cpu_walk(struct gp_executor *executor, const struct gp_kernel *kernel, const struct gp_device *device,
                 const struct gp_launch *launch, struct gp_work *work, struct gp_error *error);

#endif
