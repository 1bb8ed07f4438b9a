/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Measured rows in cells of like circumstances: what each cell says of a time. */
#ifndef GPUPERF_BENCH_CALIBRATION_CELLS_H
#define GPUPERF_BENCH_CALIBRATION_CELLS_H

#include <stdbool.h>
#include <stddef.h>

/* A time is right within so many times. */
static const double WITHIN = 1.5;

/* Names are numbered: of a source, a kernel, an architecture family. */
struct row {
    char *path;
    size_t source, kernel, family;
    double measured_ms, error; /* error: logarithm of measured over predicted */
};

struct rows {
    struct row *items;
    size_t count, room;
    char **names;
    size_t name_count;
};

bool rows_add(struct rows *rows, const char *source, const char *kernel, const char *path, double measured_ms,
              double predicted_ms);
void rows_free(struct rows *rows);

struct cell {
    char *path; /* a prefix of its rows' paths; "": of all */
    size_t rows, kernels;
    double confidence, low, high;
};

struct cells {
    struct cell *items; /* all rows' first, each behind those that it is part of */
    size_t count;
};

/* Of the rows that are used (NULL: all), which are in the order of their errors. False: no memory. */
bool cells_make(struct cells *cells, const struct rows *rows, const bool *used);
void cells_free(struct cells *cells);

/* The smallest that holds such rows. */
const struct cell *cells_find(const struct cells *cells, const char *path);

#endif
