/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* When each group of an SM has done a part of its work: the sampling paper's "additional instrumentation code" (Figure
 * 7). */
#ifndef GPUPERF_BENCH_PAPERS_STAIRCASE_PROGRESS_H
#define GPUPERF_BENCH_PAPERS_STAIRCASE_PROGRESS_H

#include "bench/papers/simulate.h"

/*
 * reached: [experiment->groups], cycles at which each group has done what `part` does in all; `whole` and `part` are
 * launches of one kernel that differ in the trip count of its loop only. A group that ends there, among others that go
 * on, runs until then as it would have run to its end. False and a sentence.
 */
bool progress(const struct subject *subject, const struct gp_launch *whole, const struct gp_launch *part,
              const struct experiment *experiment, double *reached, struct gp_error *error);

#endif
