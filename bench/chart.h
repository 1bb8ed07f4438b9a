/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Line charts, scatter plots and spans as SVG. */
#ifndef GPUPERF_BENCH_CHART_H
#define GPUPERF_BENCH_CHART_H

#include <stdbool.h>
#include <stddef.h>

#include "support/error.h"

enum chart_kind { CHART_LINE, CHART_POINTS, CHART_SPANS };

/* Points that are NAN are left out. */
struct chart_series {
    const char *name; /* in the legend; NULL: none */
    enum chart_kind kind;
    const double *x, *y;
    const double *from; /* CHART_SPANS: a vertical line from `from` to y */
    size_t count;
    bool right; /* against the right axis, which has a scale of its own */
};

struct chart {
    const char *title, *x_label, *y_label, *right_label; /* right_label NULL: no right axis */
    bool logarithmic;                                    /* both axes, on one common scale, with the diagonal drawn */
    const struct chart_series *series;
    size_t series_count;
};

/* False: the file cannot be written. */
bool chart_write(const char *path, const struct chart *chart, struct gp_error *error);

#endif
