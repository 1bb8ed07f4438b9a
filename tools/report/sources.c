/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/report/sources.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/json_string.h"
#include "support/text.h"
#include "tools/check/gate.h"

enum { LONGEST_LINE = 240, LONGEST_KERNEL = 2000, ABOVE = 2, AROUND = 3 };

/* A file, cut into lines. */
struct source {
    char *text;
    char **lines;
    bool *shown;
    size_t count;
};

static bool cut(struct source *s)
{
    for (const char *at = s->text; at != NULL; at = strchr(at, '\n'), at = at != NULL ? at + 1 : NULL)
        s->count++;
    s->lines = calloc(s->count + 1, sizeof *s->lines);
    s->shown = calloc(s->count + 1, sizeof *s->shown);
    if (s->lines == NULL || s->shown == NULL)
        return false;
    char *rest = s->text;
    for (size_t i = 0; i < s->count; i++)
        s->lines[i] = strsep(&rest, "\n");
    return true;
}

static bool open_source(const char *path, struct source *s)
{
    size_t length;
    *s = (struct source){.text = gp_read_file(path, &length)};
    return s->text != NULL && memchr(s->text, '\0', length) == NULL && cut(s);
}

static void close_source(struct source *s)
{
    free(s->text);
    free(s->lines);
    free(s->shown);
}

/* ---- Which lines
 * -------------------------------------------------------------------------------------------------------- */

/* Lines are numbered from 1; what is beyond the file is left out. */
static void show(struct source *s, long from, long to)
{
    for (long line = from < 1 ? 1 : from; line <= to && line <= (long)s->count; line++)
        s->shown[line - 1] = true;
}

/* Where a function's text ends: behind its last brace, comments and quoted text left out. */
struct braces {
    int depth;
    bool opened, comment;
};

static void skip_quoted(const char **at)
{
    char quote = **at;
    for (++*at; **at != '\0' && **at != quote; ++*at)
        if (**at == '\\' && (*at)[1] != '\0')
            ++*at;
}

static void count_braces(struct braces *b, const char *at)
{
    for (; *at != '\0'; at++) {
        if (b->comment) {
            b->comment = strncmp(at, "*/", 2) != 0;
            continue;
        }
        if (strncmp(at, "//", 2) == 0)
            return;
        b->comment = strncmp(at, "/*", 2) == 0;
        b->depth += (*at == '{') - (*at == '}');
        b->opened |= *at == '{';
        if (*at == '"' || *at == '\'')
            skip_quoted(&at);
        if (*at == '\0')
            return;
    }
}

/* The last line of the kernel that begins there; 0: it is not found. */
static long show_kernel(struct source *s, long line)
{
    struct braces b = {0};
    long end = line;
    for (; line > 0 && end <= (long)s->count && end < line + LONGEST_KERNEL; end++) {
        count_braces(&b, s->lines[end - 1]);
        if (b.opened && b.depth <= 0)
            break;
    }
    bool found = line > 0 && b.opened && b.depth <= 0;
    show(s, line - (found ? ABOVE : AROUND), found ? end : line > 0 ? line + AROUND : 0);
    return found ? end : 0;
}

static void show_place(struct source *s, const char *file, const json_t *place)
{
    long line = (long)gp_json_real(place, "line");
    if (line > 0 && strcmp(gp_json_word(place, "file"), file) == 0)
        show(s, line - AROUND, line + AROUND);
}

static void show_places(struct source *s, const char *file, const json_t *places)
{
    size_t index, inner;
    const json_t *place, *also;
    json_array_foreach(places, index, place)
    {
        show_place(s, file, place);
        json_array_foreach(json_object_get(place, "also"), inner, also) { show_place(s, file, also); }
    }
}

static void show_row(struct source *s, const char *file, const json_t *row)
{
    json_t *place = json_object_get(row, "place");
    long end = strcmp(gp_json_word(place, "file"), file) == 0 ? show_kernel(s, (long)gp_json_real(place, "line")) : 0;
    if (end > 0)
        json_object_set_new(place, "end", json_integer(end));
    show_places(s, file, json_object_get(row, "bottlenecks"));
    show_places(s, file, json_object_get(row, "lines"));
}

/* ---- Their text
 * --------------------------------------------------------------------------------------------------------- */

/* Of a line of any bytes. */
static json_t *line_text(const char *line)
{
    char text[LONGEST_LINE + 1];
    snprintf(text, sizeof text, "%.*s", (int)strcspn(line, "\r"), line);
    json_t *value = json_string(text);
    for (char *at = text; value == NULL && *at != '\0'; at++)
        if ((unsigned char)*at >= 0x80)
            *at = '?';
    return value != NULL ? value : gp_json_string(text);
}

static json_t *parts_of(const struct source *s, size_t *bytes)
{
    json_t *parts = json_array(), *lines = NULL;
    for (size_t i = 0; i < s->count; i++) {
        if (!s->shown[i]) {
            lines = NULL;
            continue;
        }
        if (lines == NULL)
            json_array_append_new(parts,
                                  json_pack("{s:I,s:o}", "first", (json_int_t)(i + 1), "lines", lines = json_array()));
        json_array_append_new(lines, line_text(s->lines[i]));
        *bytes += strlen(s->lines[i]) + 4;
    }
    return parts;
}

static void add_file(json_t *files, const json_t *rows, const char *file, size_t most_bytes, size_t *bytes, bool *whole)
{
    struct source s;
    size_t index, before = *bytes;
    const json_t *row;
    if (file[0] == '\0' || json_object_get(files, file) != NULL)
        return;
    json_t *parts = NULL;
    if (open_source(file, &s)) {
        json_array_foreach(rows, index, row) { show_row(&s, file, row); }
        parts = parts_of(&s, bytes);
    }
    close_source(&s);
    if (*bytes > most_bytes) {
        *bytes = before;
        *whole = false;
        json_decref(parts);
        parts = NULL;
    }
    json_object_set_new(files, file, parts != NULL ? parts : json_array());
}

json_t *gp_source_parts(const json_t *rows, size_t most_bytes, bool *whole)
{
    json_t *files = json_object();
    size_t index, inner, bytes = 0;
    const json_t *row, *item;
    *whole = true;
    json_array_foreach(rows, index, row)
    {
        add_file(files, rows, gp_json_word(json_object_get(row, "place"), "file"), most_bytes, &bytes, whole);
        json_array_foreach(json_object_get(row, "bottlenecks"), inner, item)
        {
            add_file(files, rows, gp_json_word(item, "file"), most_bytes, &bytes, whole);
        }
        json_array_foreach(json_object_get(row, "lines"), inner, item)
        {
            add_file(files, rows, gp_json_word(item, "file"), most_bytes, &bytes, whole);
        }
    }
    return files;
}
