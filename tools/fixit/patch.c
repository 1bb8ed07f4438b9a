/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Unified patches. A fix changes words within lines, so that line N of one text is line N of the other. */
#include <string.h>

#include "tools/fixit/fixes.h"

enum { AROUND = 3 };

struct line {
    const char *text;
    size_t length; /* without its end */
    bool ended;
};

static bool next_line(const char **text, struct line *line)
{
    if (**text == '\0')
        return false;
    line->text = *text;
    line->length = strcspn(*text, "\n");
    line->ended = (*text)[line->length] == '\n';
    *text += line->length + line->ended;
    return true;
}

static bool is_same(const struct line *a, const struct line *b)
{
    return a->length == b->length && a->ended == b->ended && memcmp(a->text, b->text, a->length) == 0;
}

/* The first changed line from `from` on, counted from 0; the number of lines where none is. */
static size_t next_change(const char *before, const char *after, size_t from)
{
    struct line a, b;
    size_t number = 0;
    for (; next_line(&before, &a) && next_line(&after, &b); number++)
        if (number >= from && !is_same(&a, &b))
            return number;
    return number;
}

static size_t count_lines(const char *text)
{
    struct line line;
    size_t count = 0;
    while (next_line(&text, &line))
        count++;
    return count;
}

static void print_line(char sign, const struct line *line, struct gp_text *out)
{
    gp_text_printf(out, "%c%.*s\n%s", sign, (int)line->length, line->text,
                   line->ended ? "" : "\\ No newline at end of file\n");
}

/* Lines first..last of a hunk: those of a run of changes before and after together, so that old ones stand first. */
static void print_hunk(const char *before, const char *after, size_t first, size_t last, struct gp_text *out)
{
    struct gp_text added = {0};
    struct line a, b;
    gp_text_printf(out, "@@ -%zu,%zu +%zu,%zu @@\n", first + 1, last - first + 1, first + 1, last - first + 1);
    for (size_t number = 0; number <= last && next_line(&before, &a) && next_line(&after, &b); number++) {
        if (number < first)
            continue;
        bool same = is_same(&a, &b);
        if (same && added.length > 0) {
            gp_text_append(out, added.data, added.length);
            gp_text_free(&added);
        }
        print_line(same ? ' ' : '-', &a, out);
        if (!same)
            print_line('+', &b, &added);
    }
    if (added.length > 0)
        gp_text_append(out, added.data, added.length);
    gp_text_free(&added);
}

void gp_print_patch(const char *name, const char *before, const char *after, struct gp_text *out)
{
    size_t count = count_lines(before), change = next_change(before, after, 0);
    name += name[0] == '/'; /* "a/" stands in front */
    gp_text_printf(out, "--- a/%s\n+++ b/%s\n", name, name);
    while (change < count) {
        size_t first = change > AROUND ? change - AROUND : 0, last = change;
        for (size_t next = change; next < count && next <= last + 2 * AROUND;
             next = next_change(before, after, next + 1))
            last = next;
        change = next_change(before, after, last + 1);
        last = last + AROUND < count ? last + AROUND : count - 1;
        print_hunk(before, after, first, last, out);
    }
}
