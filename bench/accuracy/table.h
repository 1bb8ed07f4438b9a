/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A CSV of numbers with a header line: the measured times. */
#ifndef GPUPERF_BENCH_TABLE_H
#define GPUPERF_BENCH_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "support/error.h"

enum { MAX_COLUMNS = 40 };

struct table {
    char *names[MAX_COLUMNS];
    size_t columns, rows;
    double *cells; /* [rows][columns]; NAN where a cell is empty */
};

bool table_read(const char *path, struct table *table, struct gp_error *error);
void table_free(struct table *table);
/* Column of that name, or -1. */
int table_column(const struct table *table, const char *name);
/* The cell, or `otherwise` where there is no such column. */
double table_cell(const struct table *table, size_t row, const char *name, double otherwise);

#endif
