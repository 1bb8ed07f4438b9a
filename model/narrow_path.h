/* The cause `throughput` in words: which narrow path costs most, where, and what to try. */
#ifndef GPUPERF_MODEL_NARROW_PATH_H
#define GPUPERF_MODEL_NARROW_PATH_H

#include "model/bottlenecks.h"

/* Fills measure, advice and the place: the instruction that keeps its path busy longest, of the kind that costs most in all. */
void gp_describe_narrow_path(const struct gp_bottleneck_inputs *inputs, struct gp_bottleneck *bottleneck);

#endif
