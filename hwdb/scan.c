/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The fields of a device file and their lines, from libyaml's events. libcyaml reports neither the line of a missing or
 * unknown field nor does it know a field that is either a mapping or a word; the values themselves are libcyaml's.
 */
#include "hwdb/internal.h"

#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "support/text.h"

struct scan {
    const char *path;
    char *text;
    size_t length;
    yaml_parser_t parser;
    struct gp_places *places;
    size_t before;           /* the field read last */
    size_t byte, characters; /* the offset found last, counted in both */
    struct gp_error *error;
};

static unsigned line_of(const yaml_event_t *event) { return (unsigned)event->start_mark.line + 1; }

static bool next(struct scan *scan, yaml_event_t *event)
{
    if (yaml_parser_parse(&scan->parser, event))
        return true;
    const yaml_parser_t *p = &scan->parser;
    return gp_fail(scan->error, "%s:%zu: not YAML: %s", scan->path, p->problem_mark.line + 1,
                   p->problem != NULL ? p->problem : "cannot be read");
}

/* libyaml's marks count characters, not bytes. They are asked for in ascending order: each search goes on from the
 * last. */
static size_t byte_offset(struct scan *scan, size_t characters)
{
    for (; scan->byte < scan->length && scan->characters < characters; scan->characters++) {
        do
            scan->byte++;
        while (scan->byte < scan->length && ((unsigned char)scan->text[scan->byte] & 0xC0) == 0x80);
    }
    return scan->byte;
}

/* Files mostly keep the fields' order: the search begins behind the field before. */
static size_t find_place(const char *key, size_t before)
{
    for (size_t i = 1; i <= GP_PLACE_COUNT; i++) {
        size_t place = (before + i) % GP_PLACE_COUNT;
        if (strcmp(gp_place_name(place), key) == 0)
            return place;
    }
    return GP_PLACE_COUNT;
}

static bool key(struct scan *scan, const yaml_event_t *event, size_t *place)
{
    unsigned line = line_of(event);
    if (event->type != YAML_SCALAR_EVENT)
        return gp_fail(scan->error, "%s:%u: expected the name of a field", scan->path, line);
    const char *name = (const char *)event->data.scalar.value;
    *place = find_place(name, scan->before);
    if (*place == GP_PLACE_COUNT)
        return gp_fail(scan->error, "%s:%u: field '%.80s': there is no such field; docs/hwdb.md lists them", scan->path,
                       line, name);
    if (scan->places->line[*place] != 0)
        return gp_fail(scan->error, "%s:%u: field '%s': given before, in line %u", scan->path, line, name,
                       scan->places->line[*place]);
    scan->places->line[*place] = line;
    scan->before = *place;
    return true;
}

static bool number_value(struct scan *scan, const yaml_event_t *event, size_t place)
{
    static const char word[] = "unknown", null[] = "null   ";
    if (event->type == YAML_MAPPING_START_EVENT)
        return true;
    size_t at = byte_offset(scan, event->start_mark.index);
    if (event->type == YAML_SCALAR_EVENT && event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE &&
        strcmp((const char *)event->data.scalar.value, word) == 0 && at + strlen(word) <= scan->length &&
        memcmp(scan->text + at, word, strlen(word)) == 0) {
        memcpy(scan->text + at, null, strlen(word));
        return true;
    }
    return gp_fail(scan->error,
                   "%s:%u: field '%s': expected {value: NUMBER, from: ORIGIN, source: \"TEXT\"} or unknown", scan->path,
                   line_of(event), gp_place_name(place));
}

/* Reads on to the end of the value that began with `event`. */
static bool skip_value(struct scan *scan, const yaml_event_t *event)
{
    int depth = event->type == YAML_MAPPING_START_EVENT || event->type == YAML_SEQUENCE_START_EVENT;
    while (depth > 0) {
        yaml_event_t inner;
        if (!next(scan, &inner))
            return false;
        depth += (inner.type == YAML_MAPPING_START_EVENT || inner.type == YAML_SEQUENCE_START_EVENT) -
                 (inner.type == YAML_MAPPING_END_EVENT || inner.type == YAML_SEQUENCE_END_EVENT);
        yaml_event_delete(&inner);
    }
    return true;
}

static bool field(struct scan *scan, const yaml_event_t *name)
{
    size_t place = 0;
    yaml_event_t value;
    if (!key(scan, name, &place) || !next(scan, &value))
        return false;
    bool ok = (place < GP_TEXT_COUNT || number_value(scan, &value, place)) && skip_value(scan, &value);
    yaml_event_delete(&value);
    return ok;
}

static bool fields(struct scan *scan)
{
    for (;;) {
        yaml_event_t event;
        if (!next(scan, &event))
            return false;
        bool end = event.type == YAML_MAPPING_END_EVENT;
        bool ok = end || field(scan, &event);
        yaml_event_delete(&event);
        if (end || !ok)
            return ok;
    }
}

static bool document(struct scan *scan)
{
    unsigned documents = 0;
    for (;;) {
        yaml_event_t event;
        if (!next(scan, &event))
            return false;
        yaml_event_type_t type = event.type;
        unsigned line = line_of(&event);
        yaml_event_delete(&event);
        switch (type) {
        case YAML_STREAM_START_EVENT:
        case YAML_DOCUMENT_END_EVENT: break;
        case YAML_DOCUMENT_START_EVENT:
            if (++documents > 1)
                return gp_fail(scan->error, "%s:%u: a second document; a file describes one device", scan->path, line);
            break;
        case YAML_MAPPING_START_EVENT:
            if (!fields(scan))
                return false;
            break;
        case YAML_STREAM_END_EVENT:
            return documents == 1 || gp_fail(scan->error, "%s:1: the file is empty", scan->path);
        default: return gp_fail(scan->error, "%s:%u: expected fields, 'NAME: VALUE'", scan->path, line);
        }
    }
}

/* A number that is missing counts as unknown; a text has to be there. */
static bool texts_there(const struct scan *scan)
{
    struct gp_text names = {0};
    for (size_t place = 0; place < GP_TEXT_COUNT; place++)
        if (scan->places->line[place] == 0)
            gp_text_printf(&names, "%s%s", names.length > 0 ? ", " : "", gp_place_name(place));
    bool there = names.length == 0 ||
                 gp_fail(scan->error, "%s:1: missing: %s; docs/hwdb.md says what goes there", scan->path, names.data);
    gp_text_free(&names);
    return there;
}

bool gp_scan(const char *path, char *text, size_t length, struct gp_places *places, struct gp_error *error)
{
    struct scan scan = {.path = path, .text = text, .length = length, .places = places, .error = error};
    *places = (struct gp_places){0};
    if (!yaml_parser_initialize(&scan.parser))
        return gp_fail(error, "%s: out of memory", path);
    yaml_parser_set_encoding(&scan.parser, YAML_UTF8_ENCODING);
    /* libyaml reads the bytes while `unknown` is written over: it must have its own. */
    unsigned char *copy = malloc(length + 1);
    bool ok = copy != NULL || gp_fail(error, "%s: out of memory", path);
    if (ok) {
        memcpy(copy, text, length);
        yaml_parser_set_input_string(&scan.parser, copy, length);
        ok = document(&scan) && texts_there(&scan);
    }
    yaml_parser_delete(&scan.parser);
    free(copy);
    return ok;
}
