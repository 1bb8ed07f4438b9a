/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the paper's evaluation says (section 6) beside what tables of instances say. */
#ifndef GPUPERF_BENCH_PAPERS_SAMPLING_REPORT_H
#define GPUPERF_BENCH_PAPERS_SAMPLING_REPORT_H

#include <stdbool.h>

#include "bench/papers/sampling/subjects.h"
#include "support/error.h"

/* A kernel at one local size on one device: its instances, by their point. */
struct subject_times {
    struct instance at[POINTS];
    bool has[POINTS];
};

struct times {
    struct subject_times *items;
    int count;
};

/* Adds a table's rows. Free with times_free(). False and a sentence. */
bool times_read(const char *path, struct times *times, struct gp_error *error);
/* All tables in a directory, in the order of their names. */
bool times_read_all(const char *directory, struct times *times, struct gp_error *error);
void times_free(struct times *times);

/* Whether it was measured at each point. */
bool is_complete(const struct subject_times *s);
/* Devices in the order of their first rows, from *at = 0 on; NULL: there are no more. */
const char *next_device(const struct times *times, int *at);

/* Of a time of the whole launch, in percent. */
double error_of(double ns, const struct subject_times *s);
/* The linear model's two points: 2 and 3 Psat; 2 and 4 where Psat does not fill the SM (setiv). */
void linear_points(const struct subject_times *s, int *first, int *second);
/* The line through two points at a third. */
double linear_ns(const struct subject_times *s, int first, int second, int at);
/* |estimate - measured| / measured, in percent, at a point and at the whole launch. */
double linear_error_at(const struct subject_times *s, int first, int second, int at);
double linear_error(const struct subject_times *s);

/* Instructions that a run issued; where nobody counted them a work-item counts as one. */
double issued_of(const struct instance *i);
/* The whole launch by the line through the two points' instructions instead of their groups: the executor knows how
 * many the whole launch issues. */
double work_ns(const struct subject_times *s);

/* Prints the tables; no files: those in results/. */
bool report(int count, const char *const *files, struct gp_error *error);

#endif
