/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The experiment on an OpenCL device that is a CPU: PoCL. */
#ifndef GPUPERF_BENCH_PAPERS_SAMPLING_MEASURED_H
#define GPUPERF_BENCH_PAPERS_SAMPLING_MEASURED_H

#include "bench/papers/sampling/subjects.h"
#include "support/error.h"

/* Prints the instances of all kernels at two local sizes, or of one kernel (not NULL). False and a sentence. */
bool measure_device(const char *only, struct gp_error *error);

#endif
