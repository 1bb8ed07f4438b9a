/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#define _GNU_SOURCE
#include "tools/fixit/fixes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    bool rounds;
    enum gp_cause cause; /* of the findings that it repairs */
} kinds[GP_FIX_KIND_COUNT] = {[GP_FIX_PADDING] = {"padding", false, GP_CAUSE_BANK_CONFLICT},
                              [GP_FIX_MASK] = {"mask", false, GP_CAUSE_THROUGHPUT},
                              [GP_FIX_SHIFT] = {"shift", false, GP_CAUSE_THROUGHPUT},
                              [GP_FIX_BOUNDS] = {"bounds", false, GP_CAUSE_OCCUPANCY},
                              [GP_FIX_SUFFIX] = {"suffix", true, GP_CAUSE_THROUGHPUT},
                              [GP_FIX_SQUARE] = {"square", true, GP_CAUSE_THROUGHPUT}};

const char *gp_fix_kind_name(enum gp_fix_kind kind) { return kinds[kind].name; }

bool gp_fix_rounds(enum gp_fix_kind kind) { return kinds[kind].rounds; }

/* ---- Reading ----------------------------------------------------------------------------------------------------- */

enum { MOST_FIELDS = 6 };

/* The fields of a line, which it cuts. */
static size_t cut(char *line, char *fields[MOST_FIELDS])
{
    size_t count = 0;
    for (char *field; count < MOST_FIELDS && (field = strsep(&line, "\t")) != NULL;)
        fields[count++] = field;
    return count;
}

static bool find_kind(const char *name, enum gp_fix_kind *kind)
{
    for (size_t i = 0; i < GP_FIX_KIND_COUNT; i++) {
        if (strcmp(kinds[i].name, name) != 0)
            continue;
        *kind = (enum gp_fix_kind)i;
        return true;
    }
    return false;
}

static bool add_fix(struct gp_fixes *fixes, char *const fields[MOST_FIELDS])
{
    struct gp_fix *list = realloc(fixes->list, (fixes->count + 1) * sizeof *list);
    if (list == NULL)
        return false;
    fixes->list = list;
    struct gp_fix *fix = &list[fixes->count];
    *fix = (struct gp_fix){.line = (uint32_t)strtoul(fields[4], NULL, 10),
                           .column = (uint32_t)strtoul(fields[5], NULL, 10)};
    if (!find_kind(fields[1], &fix->kind))
        return false;
    fix->name = strdup(fields[2]);
    fix->function = strdup(fields[3]);
    fixes->count++;
    return fix->name != NULL && fix->function != NULL;
}

static bool add_line(struct gp_fix *fix, const char *number)
{
    uint32_t *lines = realloc(fix->lines, (fix->line_count + 1) * sizeof *lines);
    if (lines == NULL)
        return false;
    fix->lines = lines;
    lines[fix->line_count++] = (uint32_t)strtoul(number, NULL, 10);
    return true;
}

static bool add_replacement(struct gp_fix *fix, char *const fields[MOST_FIELDS])
{
    struct gp_replacement *list = realloc(fix->replacements, (fix->count + 1) * sizeof *list);
    if (list == NULL)
        return false;
    fix->replacements = list;
    list[fix->count] = (struct gp_replacement){
        .offset = strtoul(fields[1], NULL, 10), .old = strdup(fields[2]), .text = strdup(fields[3])};
    bool done = list[fix->count].old != NULL && list[fix->count].text != NULL;
    fix->count++;
    return done;
}

static bool read_line(char *line, struct gp_fixes *fixes)
{
    char *fields[MOST_FIELDS];
    size_t count = cut(line, fields);
    if (count == 6 && strcmp(fields[0], "fix") == 0)
        return add_fix(fixes, fields);
    struct gp_fix *last = fixes->count > 0 ? &fixes->list[fixes->count - 1] : NULL;
    if (last != NULL && count == 2 && strcmp(fields[0], "line") == 0)
        return add_line(last, fields[1]);
    return last != NULL && count == 4 && strcmp(fields[0], "at") == 0 && add_replacement(last, fields);
}

bool gp_fixes_parse(const char *text, struct gp_fixes *fixes, struct gp_error *error)
{
    char *copy = strdup(text), *rest = copy;
    bool done = copy != NULL;
    *fixes = (struct gp_fixes){0};
    for (char *line; done && (line = strsep(&rest, "\n")) != NULL;)
        done = line[0] == '\0' || read_line(line, fixes);
    free(copy);
    if (!done)
        gp_fixes_free(fixes);
    return done || gp_fail(error, "the Clang plugin names changes of the source that this gpuperf does not know; set "
                                  "GPUPERF_PLUGIN to the plugin that was installed with it");
}

void gp_fixes_free(struct gp_fixes *fixes)
{
    for (size_t i = 0; i < fixes->count; i++) {
        struct gp_fix *fix = &fixes->list[i];
        for (size_t k = 0; k < fix->count; k++) {
            free(fix->replacements[k].old);
            free(fix->replacements[k].text);
        }
        free(fix->replacements);
        free(fix->lines);
        free(fix->name);
        free(fix->function);
    }
    free(fixes->list);
    *fixes = (struct gp_fixes){0};
}

/* ---- Applying ---------------------------------------------------------------------------------------------------- */

char *gp_fix_apply(const struct gp_fix *fix, const char *source, size_t length, struct gp_error *error)
{
    struct gp_text text = {0};
    size_t at = 0;
    for (size_t i = 0; i < fix->count; i++) {
        const struct gp_replacement *r = &fix->replacements[i];
        size_t old = strlen(r->old);
        if (r->offset < at || r->offset > length || old > length - r->offset ||
            memcmp(source + r->offset, r->old, old) != 0) {
            gp_text_free(&text);
            gp_fail(error, "the source has changed while it was compiled; try again");
            return NULL;
        }
        gp_text_append(&text, source + at, r->offset - at);
        gp_text_append(&text, r->text, strlen(r->text));
        at = r->offset + old;
    }
    gp_text_append(&text, source + at, length - at);
    char *result = gp_text_take(&text);
    if (result == NULL)
        gp_fail(error, "out of memory");
    return result;
}

/* ---- Words ------------------------------------------------------------------------------------------------------- */

void gp_fix_title(const struct gp_fix *fix, struct gp_text *text)
{
    switch (fix->kind) {
    case GP_FIX_PADDING: gp_text_printf(text, "pad the rows of '%s'", fix->name); break;
    case GP_FIX_MASK: gp_text_printf(text, "a mask instead of '%s', whose divisor is a power of two", fix->name); break;
    case GP_FIX_SHIFT: gp_text_printf(text, "a shift instead of '%s'", fix->name); break;
    case GP_FIX_BOUNDS:
        gp_text_printf(text, "tell the compiler of %s's groups: %s", fix->name,
                       fix->count > 0 ? fix->replacements[0].text : "");
        if (text->length > 0 && text->data[text->length - 1] == ' ')
            text->data[--text->length] = '\0';
        break;
    case GP_FIX_SUFFIX: gp_text_printf(text, "single-precision constants in %s", fix->name); break;
    default: gp_text_printf(text, "a product instead of '%s'", fix->name); break;
    }
}

static bool has_line(const struct gp_fix *fix, const struct gp_profile *profile, uint32_t location)
{
    for (size_t i = 0; location < profile->location_count && i < fix->line_count; i++)
        if (profile->locations[location].line == fix->lines[i])
            return true;
    return false;
}

/* A fix of the kernel as a whole repairs findings of its cause wherever they stand. */
static bool repairs(const struct gp_fix *fix, const struct gp_profile *profile, const struct gp_bottleneck *b)
{
    bool there = fix->line_count == 0 || has_line(fix, profile, b->location);
    for (uint32_t i = 0; !there && i < b->also_count; i++)
        there = has_line(fix, profile, b->also[i]);
    return there && b->cause == kinds[fix->kind].cause;
}

double gp_fix_promise(const struct gp_fix *fix, const struct gp_profile *profile,
                      const struct gp_prediction *prediction)
{
    double promise = 0;
    for (uint32_t i = 0; i < prediction->bottleneck_count; i++)
        if (repairs(fix, profile, &prediction->bottlenecks[i]))
            promise = fmax(promise, prediction->bottlenecks[i].speedup);
    return promise;
}
