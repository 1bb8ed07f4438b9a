/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The table that `gpuperf validate` reads: a line of names, and a row per launch; lines of # are remarks. */
#ifndef GPUPERF_TOOLS_MEASURED_TABLE_H
#define GPUPERF_TOOLS_MEASURED_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "support/error.h"

enum { GP_MOST_COLUMNS = 64 };

struct gp_measured_table {
    const char *path;
    char *text;
    char *names[GP_MOST_COLUMNS];
    size_t columns;
    char *(*fields)[GP_MOST_COLUMNS];
    size_t *lines; /* of the file, of each row */
    size_t rows;
};

/* Reads a file. False: a sentence; what is there is freed by gp_measured_table_free() then, too. */
bool gp_measured_table_read(const char *path, struct gp_measured_table *table, struct gp_error *error);
void gp_measured_table_free(struct gp_measured_table *table);

/* What a row says in a column; "" where there is no such column, or nothing in it. */
const char *gp_measured_field(const struct gp_measured_table *table, size_t row, const char *name);

/* Whether a column's name is an argument's: none of those that the table itself has. */
bool gp_is_measured_argument(const char *name);

#endif
