/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Predicted against measured times as an SVG scatter plot with logarithmic axes. */
#ifndef GPUPERF_BENCH_PLOT_H
#define GPUPERF_BENCH_PLOT_H

#include <stdbool.h>

#include "bench/accuracy/score.h"
#include "support/error.h"

bool plot_times(const char *directory, const char *name, const struct config *configs, size_t count,
                struct gp_error *error);

#endif
