/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the kit runs: for each kernel its block shapes and tunables, its input, and a reference that checks its output.
 */
#ifndef GPUPERF_BENCH_CASES_H
#define GPUPERF_BENCH_CASES_H

#include "bench/accuracy/subject.h"
#include "bench/accuracy/table.h"
#include "bench/gpu/arrays.h"

enum { MAX_TUNABLES = 4, MAX_VALUES = 6 };

enum shapes { LINES, LINES_OF_POWERS, PLANES, PLANES_OF_WARPS };

struct gpu_case {
    const char *file; /* names the subject, and the CSV */
    enum shapes shapes;
    struct {
        const char *column;
        unsigned count;
        double values[MAX_VALUES];
    } tunables[MAX_TUNABLES];
    bool (*accepts)(const struct subject *subject, const struct table *table, size_t row); /* NULL: every row */
    bool (*make)(const struct subject *subject, double stride,
                 struct arrays *arrays); /* allocates and fills; stride: the largest in the table */
    /* The largest error of the outputs looked at, as a share of what rounding explains: at most 1 is right. */
    double (*error)(const struct subject *subject, const struct table *table, size_t row, const struct arrays *arrays);
};

extern const struct gpu_case gpu_cases[];
extern const size_t gpu_case_count;

/* block_size_x, block_size_y and the tunables as columns; room for results behind is the caller's matter. False: no
 * memory. */
bool case_rows(const struct gpu_case *item, const struct subject *subject, struct table *table);

#endif
