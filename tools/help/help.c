/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/help/help.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "support/prefix.h"
#include "support/suggest.h"

extern const char gp_help_words[];  /* words.md, glossary.md */
extern const char gp_help_causes[]; /* docs/causes/CAUSE.md, one behind the other */

enum { WIDTH = 79 };

static const char *line_end(const char *line)
{
    const char *end = strchr(line, '\n');
    return end != NULL ? end : line + strlen(line);
}

static const char *next_line(const char *line)
{
    const char *end = line_end(line);
    return *end == '\n' ? end + 1 : end;
}

/* ---- Plain text -------------------------------------------------------------------------------------------------- */

/* Adds a stretch of Markdown as words: without emphasis, links as their text, code as it is. */
static void add_plain(const char *from, const char *to, struct gp_text *plain)
{
    bool code = false;
    for (const char *at = from; at < to; at++) {
        const char *close = !code && *at == ']' && at[1] == '(' ? memchr(at, ')', (size_t)(to - at)) : NULL;
        code ^= *at == '`';
        if (close != NULL)
            at = close;
        else if (*at != '`' && (code || strchr("*[", *at) == NULL))
            gp_text_append(plain, isspace((unsigned char)*at) ? " " : at, 1);
    }
}

/* Words, in lines of WIDTH columns; the lines behind the first are indented. */
static void fill(const char *first, const char *indent, const char *words, struct gp_text *out)
{
    size_t column = strlen(first);
    bool begins = true;
    gp_text_printf(out, "%s", first);
    for (words += strspn(words, " "); *words != '\0'; words += strspn(words, " ")) {
        size_t length = strcspn(words, " ");
        if (!begins && column + 1 + length > WIDTH) {
            gp_text_printf(out, "\n%s", indent);
            column = strlen(indent);
            begins = true;
        }
        gp_text_printf(out, "%s%.*s", begins ? "" : " ", (int)length, words);
        column += length + !begins;
        begins = false;
        words += length;
    }
    gp_text_printf(out, "\n");
}

/* ---- Entries: "* **word**: ..." ---------------------------------------------------------------------------------- */

static bool is_entry(const char *line) { return gp_starts_with(line, "* **"); }

/* Behind the entry's last line. */
static const char *entry_end(const char *entry)
{
    const char *line = next_line(entry);
    while (gp_starts_with(line, "  "))
        line = next_line(line);
    return line;
}

/* The next word in bold from `at` on; NULL: there is none before `end`. */
static const char *bold_word(const char *at, const char *end, size_t *length)
{
    const char *open = strstr(at, "**"), *close = open != NULL && open < end ? strstr(open + 2, "**") : NULL;
    if (close == NULL || close >= end)
        return NULL;
    *length = (size_t)(close - open - 2);
    return open + 2;
}

static bool entry_is_on(const char *entry, const char *word)
{
    const char *end = entry_end(entry), *bold;
    size_t length;
    for (const char *at = entry; (bold = bold_word(at, end, &length)) != NULL; at = bold + length + 2)
        if (length == strlen(word) && strncasecmp(bold, word, length) == 0)
            return true;
    return false;
}

static void print_entry(const char *entry, struct gp_text *out)
{
    struct gp_text plain = {0};
    add_plain(entry + 2, entry_end(entry), &plain);
    fill("", "  ", plain.data, out);
    gp_text_free(&plain);
}

/* ---- Pages: "# cause" -------------------------------------------------------------------------------------------- */

static bool is_page(const char *line) { return gp_starts_with(line, "# "); }

static bool page_is_on(const char *page, const char *word)
{
    return line_end(page) == page + 2 + strlen(word) && strncasecmp(page + 2, word, strlen(word)) == 0;
}

/* A paragraph, or a point of a list, up to an empty line or the next point. */
static const char *print_paragraph(const char *line, struct gp_text *out)
{
    struct gp_text plain = {0};
    bool point = gp_starts_with(line, "* ");
    const char *at = point ? line + 2 : line, *end = next_line(line);
    while (*end != '\0' && *end != '\n' && !gp_starts_with(end, "* ") && *end != '#')
        end = next_line(end);
    add_plain(at, end, &plain);
    fill(point ? "  * " : "", point ? "    " : "", plain.data, out);
    gp_text_free(&plain);
    return end;
}

static bool is_told(const char *heading)
{
    return gp_starts_with(heading, "## What to do") || gp_starts_with(heading, "## When to ignore");
}

/* What it is; what to do; when to ignore it. What lies between, code and what it gains, is the documentation's. */
static void print_page(const char *page, struct gp_text *out)
{
    bool told = true;
    gp_text_printf(out, "%.*s, a cause of time:\n", (int)(line_end(page) - page - 2), page + 2);
    for (const char *line = next_line(page); *line != '\0' && !is_page(line);) {
        if (*line == '#') {
            told = is_told(line);
            if (told)
                gp_text_printf(out, "\n%.*s:\n", (int)(line_end(line) - line - 3), line + 3);
            line = next_line(line);
        } else if (*line == '\n' || !told) {
            line = next_line(line);
        } else {
            line = print_paragraph(line, out);
        }
    }
    gp_text_printf(out, "\nMore: docs/causes/%.*s.md\n", (int)(line_end(page) - page - 2), page + 2);
}

/* ---- A word ------------------------------------------------------------------------------------------------------ */

static void suggest_one(const char *word, const char *known, size_t length, struct gp_text *list)
{
    char other[48];
    snprintf(other, sizeof other, "%.*s", (int)(length < sizeof other ? length : 0), known);
    gp_suggest(word, other, list);
}

static void suggest(const char *word, struct gp_text *list)
{
    size_t length;
    for (const char *line = gp_help_causes; *line != '\0'; line = next_line(line))
        if (is_page(line))
            suggest_one(word, line + 2, (size_t)(line_end(line) - line - 2), list);
    for (const char *line = gp_help_words; *line != '\0'; line = next_line(line)) {
        const char *end = is_entry(line) ? entry_end(line) : line, *bold;
        for (const char *at = line; (bold = bold_word(at, end, &length)) != NULL; at = bold + length + 2)
            suggest_one(word, bold, length, list);
    }
}

bool gp_help_on(const char *word, struct gp_text *out, struct gp_error *error)
{
    for (const char *line = gp_help_words; *line != '\0'; line = next_line(line))
        if (is_entry(line) && entry_is_on(line, word))
            print_entry(line, out);
    for (const char *line = gp_help_causes; *line != '\0'; line = next_line(line)) {
        if (!is_page(line) || !page_is_on(line, word))
            continue;
        gp_text_printf(out, "%s", out->length > 0 ? "\n" : "");
        print_page(line, out);
    }
    if (out->length > 0)
        return true;
    struct gp_text list = {0};
    suggest(word, &list);
    gp_fail(error, "no help on '%.40s'%s; ask for a word of the output, such as limiter or occupancy", word,
            list.length > 0 ? list.data : "");
    gp_text_free(&list);
    return false;
}
