/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/measured_table.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/text.h"
#include "support/words.h"

static const char *const own_names[] = {"kernel", "device", "local", "global", "time_us"};

bool gp_is_measured_argument(const char *name)
{
    return !gp_is_one_of(name, own_names, sizeof own_names / sizeof *own_names);
}

/* ---- A line ------------------------------------------------------------------------------------------------------ */

static char *without_blanks(char *field)
{
    field += strspn(field, " \t");
    for (size_t length = strlen(field); length > 0 && strchr(" \t\r", field[length - 1]) != NULL;)
        field[--length] = '\0';
    return field;
}

/* The end of a field: its comma, or NULL. One in quotes ("rtx 4060") ends behind them, and loses them. */
static char *end_of_field(char **field)
{
    char *start = *field + strspn(*field, " \t"), *quote = *start == '"' ? strchr(start + 1, '"') : NULL;
    if (quote == NULL)
        return strchr(*field, ',');
    char *comma = strchr(quote + 1, ',');
    *quote = '\0';
    *field = start + 1;
    return comma;
}

/* Cuts a line at its commas, blanks around fields off; returns how many there are, more than GP_MOST_COLUMNS for too
 * many. */
static size_t cut(char *line, char *fields[GP_MOST_COLUMNS])
{
    size_t count = 0;
    for (char *at = line; at != NULL; count++) {
        char *end = end_of_field(&at), *next = end != NULL ? end + 1 : NULL;
        if (end != NULL)
            *end = '\0';
        if (count < GP_MOST_COLUMNS)
            fields[count] = without_blanks(at);
        at = next;
    }
    return count;
}

/* ---- The first line ---------------------------------------------------------------------------------------------- */

static bool has_column(const struct gp_measured_table *table, const char *name)
{
    for (size_t c = 0; c < table->columns; c++)
        if (strcmp(table->names[c], name) == 0)
            return true;
    return false;
}

static bool no_column(const struct gp_measured_table *table, const char *name, struct gp_error *error)
{
    struct gp_text list = {0};
    for (size_t c = 0; c < table->columns; c++)
        gp_text_printf(&list, "%s%s", c > 0 ? ", " : "", table->names[c]);
    gp_fail(error, "%s has no column '%s'; its first line names %.400s%s", table->path, name, list.data,
            strchr(table->names[0], ';') != NULL || strchr(table->names[0], '\t') != NULL
                ? " (columns are separated by commas)"
                : "");
    gp_text_free(&list);
    return false;
}

static bool takes_names(const struct gp_measured_table *table, struct gp_error *error)
{
    static const char *const needed[] = {"local", "time_us"};
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (!has_column(table, needed[i]))
            return no_column(table, needed[i], error);
    return true;
}

/* ---- The file ---------------------------------------------------------------------------------------------------- */

static bool make_room(struct gp_measured_table *table, size_t *room, struct gp_error *error)
{
    if (table->rows < *room)
        return true;
    *room = *room > 0 ? 2 * *room : 64;
    void *fields = realloc(table->fields, *room * sizeof *table->fields);
    table->fields = fields != NULL ? fields : table->fields;
    void *lines = fields != NULL ? realloc(table->lines, *room * sizeof *table->lines) : NULL;
    if (lines == NULL)
        return gp_fail(error, "out of memory");
    table->lines = lines;
    return true;
}

static bool take_line(struct gp_measured_table *table, char *line, size_t number, size_t *room, struct gp_error *error)
{
    bool head = table->columns == 0;
    if (!head && !make_room(table, room, error))
        return false;
    size_t count = cut(line, head ? table->names : table->fields[table->rows]);
    if (count > GP_MOST_COLUMNS)
        return gp_fail(error, "%s:%zu: more than %d columns", table->path, number, GP_MOST_COLUMNS);
    if (!head && count != table->columns)
        return gp_fail(error, "%s:%zu: %zu fields, but the first line names %zu", table->path, number, count,
                       table->columns);
    if (head)
        table->columns = count;
    else
        table->lines[table->rows++] = number;
    return true;
}

bool gp_measured_table_read(const char *path, struct gp_measured_table *table, struct gp_error *error)
{
    char *rest = NULL;
    size_t length, number = 0, room = 0;
    *table = (struct gp_measured_table){.path = path, .text = gp_read_file(path, &length)};
    if (table->text == NULL)
        return gp_fail(error, "cannot read %s: %s", path, strerror(errno));
    for (char *line = table->text; line != NULL; line = rest) {
        rest = strchr(line, '\n');
        if (rest != NULL)
            *rest++ = '\0';
        number++;
        if (line[strspn(line, " \t\r")] != '\0' && line[0] != '#' && !take_line(table, line, number, &room, error))
            return false;
    }
    if (table->rows == 0)
        return gp_fail(
            error,
            "%s has no rows; it needs a line of column names, such as kernel,device,local,global,time_us, and a "
            "row per launch",
            path);
    return takes_names(table, error);
}

void gp_measured_table_free(struct gp_measured_table *table)
{
    free(table->fields);
    free(table->lines);
    free(table->text);
}

const char *gp_measured_field(const struct gp_measured_table *table, size_t row, const char *name)
{
    for (size_t c = 0; c < table->columns; c++)
        if (strcmp(table->names[c], name) == 0)
            return table->fields[row][c];
    return "";
}
