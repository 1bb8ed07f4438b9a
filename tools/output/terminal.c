/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/output/terminal.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "support/prefix.h"

/* ---- What standard output is ------------------------------------------------------------------------------------- */

bool gp_colour_parse(const char *name, enum gp_colour *colour, struct gp_error *error)
{
    static const char *const names[] = {"auto", "always", "never"};
    for (int i = 0; i < 3; i++)
        if (strcmp(name, names[i]) == 0) {
            *colour = (enum gp_colour)i;
            return true;
        }
    return gp_fail(error, "--color takes auto, always or never, not '%.40s'", name);
}

static bool is_set(const char *variable)
{
    const char *value = getenv(variable);
    return value != NULL && value[0] != '\0';
}

bool gp_colours(enum gp_colour colour)
{
    const char *term = getenv("TERM");
    if (colour != GP_COLOUR_AUTO)
        return colour == GP_COLOUR_ALWAYS;
    return isatty(STDOUT_FILENO) && !is_set("NO_COLOR") && term != NULL && strcmp(term, "dumb") != 0;
}

/* What a shell or a pager exports of the place that a pipe ends at. */
static unsigned stated_width(unsigned least)
{
    const char *columns = getenv("COLUMNS");
    unsigned long width = columns != NULL && isdigit((unsigned char)columns[0]) ? strtoul(columns, NULL, 10) : 0;
    return width >= least && width <= UINT_MAX ? (unsigned)width : 0;
}

unsigned gp_terminal_width(void)
{
    struct winsize size;
    enum { USUAL = 80, LEAST = 40 };
    unsigned stated = stated_width(LEAST);
    if (stated > 0 && !isatty(STDOUT_FILENO))
        return stated;
    if (!isatty(STDOUT_FILENO) || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
        return USUAL;
    return size.ws_col > LEAST ? size.ws_col : LEAST;
}

/* ---- Lines ------------------------------------------------------------------------------------------------------- */

/* Columns, of UTF-8 one for each character. */
static size_t columns(const char *text, size_t length)
{
    size_t count = 0;
    for (size_t i = 0; i < length; i++)
        count += ((unsigned char)text[i] & 0xc0) != 0x80;
    return count;
}

/* Where the text of a line begins, behind its indentation, its number or its label. */
static size_t text_column(const char *line, size_t length)
{
    enum { MOST = 20 };
    size_t at = 0;
    for (size_t i = 0; i < length && i <= MOST; i++)
        if (line[i] != ' ' && (i == 0 || (i >= 2 && line[i - 1] == ' ' && line[i - 2] == ' ')))
            at = i;
    return at;
}

/* The last space that a line of so many columns can end at; 0: there is none behind `from`. */
static size_t last_break(const char *line, size_t length, size_t from, size_t width)
{
    size_t at = 0;
    for (size_t i = from; i < length && columns(line, i) <= width; i++)
        if (line[i] == ' ' && line[i - 1] != ' ')
            at = i;
    return at;
}

static void add_wrapped(const char *line, size_t length, unsigned width, struct gp_text *out)
{
    size_t indent = text_column(line, length), from = indent + 1, room = width;
    while (width > 0 && columns(line, length) > room) {
        size_t at = last_break(line, length, from, room);
        if (at == 0)
            break;
        gp_text_printf(out, "%.*s\n%*s", (int)at, line, (int)indent, "");
        line += at + 1;
        length -= at + 1;
        room = width - indent;
        from = 1;
    }
    gp_text_append(out, line, length);
}

/* ---- Colours ----------------------------------------------------------------------------------------------------- */

static bool ends_in(const char *line, size_t length, const char *end)
{
    return length >= strlen(end) && memcmp(line + length - strlen(end), end, strlen(end)) == 0;
}

/* A heading stands at the left edge or ends in a colon; a row says so when it is the best; notes begin with the word.
 */
static const char *colour_of(const char *line, size_t length)
{
    if (length == 0)
        return NULL;
    if (gp_starts_with(line, "  note ") || gp_starts_with(line, "  assumed "))
        return "33";
    if (ends_in(line, length, "  best"))
        return "32";
    if (!isspace((unsigned char)line[0]) || line[length - 1] == ':')
        return "1";
    return gp_starts_with(line, "  rank ") || gp_starts_with(line, "  local ") || gp_starts_with(line, "  block ")
               ? "4"
               : NULL;
}

static void add_line(const char *line, size_t length, bool colours, unsigned width, struct gp_text *out)
{
    const char *colour = colours ? colour_of(line, length) : NULL;
    if (colour != NULL)
        gp_text_printf(out, "\033[%sm", colour);
    add_wrapped(line, length, width, out);
    if (colour != NULL)
        gp_text_printf(out, "\033[0m");
}

void gp_dress(struct gp_text *out, size_t from, bool colours, unsigned width)
{
    struct gp_text dressed = {0};
    if ((!colours && width == 0) || out->length <= from)
        return;
    for (const char *line = out->data + from; *line != '\0';) {
        size_t length = strcspn(line, "\n");
        add_line(line, length, colours, width, &dressed);
        line += length;
        if (*line == '\n')
            gp_text_append(&dressed, line++, 1);
    }
    out->length = from;
    gp_text_append(out, dressed.data, dressed.length);
    gp_text_free(&dressed);
}
