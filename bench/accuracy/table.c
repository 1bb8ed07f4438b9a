/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "bench/accuracy/table.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/text.h"

static bool read_header(char *line, struct table *table)
{
    for (char *name = strsep(&line, ","); name != NULL; name = strsep(&line, ",")) {
        if (table->columns == MAX_COLUMNS)
            return false;
        table->names[table->columns++] = strdup(name);
    }
    return table->columns > 0;
}

static bool read_row(char *line, struct table *table, double *cells)
{
    size_t column = 0;
    for (char *cell = strsep(&line, ","); cell != NULL; cell = strsep(&line, ",")) {
        char *end;
        if (column == table->columns)
            return false;
        cells[column++] = *cell ? strtod(cell, &end) : NAN;
        if (*cell && *end != '\0' && *end != '\r')
            return false;
    }
    return column == table->columns;
}

bool table_read(const char *path, struct table *table, struct gp_error *error)
{
    *table = (struct table){0};
    char *text = gp_read_file(path, NULL), *rest = text;
    if (text == NULL)
        return gp_fail(error, "%s: %s", path, strerror(errno));
    size_t capacity = 0, number = 1;
    bool ok = read_header(strsep(&rest, "\n"), table);
    for (char *line = strsep(&rest, "\n"); ok && line != NULL; line = strsep(&rest, "\n")) {
        number++;
        if (*line == '\0')
            continue;
        if (table->rows == capacity) {
            capacity = capacity ? 2 * capacity : 1024;
            double *cells = realloc(table->cells, capacity * table->columns * sizeof *cells);
            if (cells == NULL)
                break;
            table->cells = cells;
        }
        ok = read_row(line, table, &table->cells[table->rows * table->columns]);
        table->rows += ok;
    }
    free(text);
    if (ok)
        return true;
    table_free(table);
    return gp_fail(error, "%s:%zu: not a row of numbers as wide as the header", path, number);
}

void table_free(struct table *table)
{
    for (size_t i = 0; i < table->columns; i++)
        free(table->names[i]);
    free(table->cells);
    *table = (struct table){0};
}

int table_column(const struct table *table, const char *name)
{
    for (size_t i = 0; i < table->columns; i++)
        if (strcmp(table->names[i], name) == 0)
            return (int)i;
    return -1;
}

double table_cell(const struct table *table, size_t row, const char *name, double otherwise)
{
    int column = table_column(table, name);
    return column < 0 ? otherwise : table->cells[row * table->columns + (size_t)column];
}
