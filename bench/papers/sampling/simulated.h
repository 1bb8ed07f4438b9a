/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The experiment on a simulated GPU: the trace simulator, each group with the work of its own place. */
#ifndef GPUPERF_BENCH_PAPERS_SAMPLING_SIMULATED_H
#define GPUPERF_BENCH_PAPERS_SAMPLING_SIMULATED_H

#include "bench/papers/sampling/subjects.h"
#include "support/error.h"

/* Prints the instances of all kernels, or of one (not NULL). False and a sentence. */
bool simulate_device(const char *device, const char *only, struct gp_error *error);

#endif
