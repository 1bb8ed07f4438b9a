/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The cause `throughput` in words: of a narrow path, where it costs most and what to try. */
#ifndef GPUPERF_MODEL_NARROW_PATH_H
#define GPUPERF_MODEL_NARROW_PATH_H

#include "model/findings/bottlenecks.h"
#include "model/compilers/inst_cost.h"
#include "model/predict.h"

/* Fills measure, advice, the place of the instruction that keeps the path busy longest, and the further lines that do
 * so. */
void gp_describe_narrow_path(const struct gp_bottleneck_inputs *inputs, enum gp_narrow_path path,
                             struct gp_bottleneck *bottleneck);

#endif
