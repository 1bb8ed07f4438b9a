/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/papers/sampling/report.h"

static struct subject_times *subject_of(struct times *times, const struct instance *i)
{
    for (int s = 0; s < times->count; s++)
        for (int p = 0; p < POINTS; p++) {
            const struct instance *other = &times->items[s].at[p];
            if (times->items[s].has[p] && strcmp(other->device, i->device) == 0 &&
                strcmp(other->kernel, i->kernel) == 0 && other->local == i->local)
                return &times->items[s];
        }
    struct subject_times *more = realloc(times->items, (size_t)(times->count + 1) * sizeof *more);
    if (more == NULL)
        return NULL;
    times->items = more;
    times->items[times->count] = (struct subject_times){.has = {false}};
    return &times->items[times->count++];
}

static const char *next_field(char **at)
{
    char *field = *at, *end = field != NULL ? strpbrk(field, "\t\n") : NULL;
    *at = end != NULL && *end == '\t' ? end + 1 : NULL;
    if (end != NULL)
        *end = '\0';
    return field != NULL ? field : "";
}

static bool parse(char *line, struct instance *i)
{
    char *at = line;
    snprintf(i->device, sizeof i->device, "%s", next_field(&at));
    snprintf(i->kernel, sizeof i->kernel, "%s", next_field(&at));
    const char *kind = next_field(&at);
    for (i->kind = EVEN; i->kind < KINDS && strcmp(kind_names[i->kind], kind) != 0; i->kind++)
        ;
    bool whole = i->kind < KINDS;
#define X(name) \
    do { \
        whole = whole && at != NULL; \
        i->name = atof(next_field(&at)); \
    } while (0);
    COLUMNS(X)
#undef X
    return whole && i->ns > 0;
}

static int point_of(double multiple)
{
    for (int p = 0; p < POINTS; p++)
        if (multiples[p] == multiple)
            return p;
    return -1;
}

bool times_read(const char *path, struct times *times, struct gp_error *error)
{
    char line[1024];
    int number = 1;
    FILE *file = fopen(path, "r");
    bool done = file != NULL ? fgets(line, sizeof line, file) != NULL : gp_fail(error, "cannot read %s", path);
    while (done && fgets(line, sizeof line, file) != NULL) {
        struct instance i = {.ns = 0};
        number++;
        int point = parse(line, &i) ? point_of(i.multiple) : -1;
        struct subject_times *s = point >= 0 ? subject_of(times, &i) : NULL;
        if (s == NULL) {
            done = gp_fail(error, "%s:%d: not an instance; make the table anew with `sampling simulate`", path, number);
            break;
        }
        s->at[point] = i;
        s->has[point] = true;
    }
    if (file != NULL)
        fclose(file);
    return done;
}

static int is_table(const struct dirent *entry)
{
    const char *end = strrchr(entry->d_name, '.');
    return end != NULL && strcmp(end, ".tsv") == 0;
}

bool times_read_all(const char *directory, struct times *times, struct gp_error *error)
{
    struct dirent **entries;
    int count = scandir(directory, &entries, is_table, alphasort);
    bool done = count > 0 ? true : gp_fail(error, "no tables in %s", directory);
    for (int i = 0; i < count; i++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/%s", directory, entries[i]->d_name);
        done = done && times_read(path, times, error);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
    return done;
}

void times_free(struct times *times)
{
    free(times->items);
    *times = (struct times){0};
}

void linear_points(const struct subject_times *s, int *first, int *second)
{
    *first = FIRST_POINT;
    *second = s->at[SECOND_POINT].kind == FEW ? SECOND_POINT + 1 : SECOND_POINT;
}

double linear_ns(const struct subject_times *s, int first, int second, int at)
{
    const struct instance *a = &s->at[first], *b = &s->at[second];
    return a->ns + (b->ns - a->ns) / (b->multiple - a->multiple) * (s->at[at].multiple - a->multiple);
}

double error_of(double ns, const struct subject_times *s) { return 100 * fabs(ns / s->at[POINTS - 1].ns - 1); }

double linear_error_at(const struct subject_times *s, int first, int second, int at)
{
    return 100 * fabs(linear_ns(s, first, second, at) / s->at[at].ns - 1);
}

double linear_error(const struct subject_times *s)
{
    int first, second;
    linear_points(s, &first, &second);
    return linear_error_at(s, first, second, POINTS - 1);
}

double issued_of(const struct instance *i) { return i->issued > 0 ? i->issued : i->items; }

double work_ns(const struct subject_times *s)
{
    int first, second;
    linear_points(s, &first, &second);
    const struct instance *a = &s->at[first], *b = &s->at[second];
    double wa = issued_of(a), wb = issued_of(b), all = issued_of(&s->at[POINTS - 1]);
    if (wb - wa > 0.05 * wb && b->ns > a->ns)
        return a->ns + (b->ns - a->ns) / (wb - wa) * (all - wa);
    return b->ns * all / wb; /* hardly any work in between, or no line */
}

bool is_complete(const struct subject_times *s)
{
    for (int p = 0; p < POINTS; p++)
        if (!s->has[p])
            return false;
    return true;
}

const char *next_device(const struct times *times, int *at)
{
    for (; *at < times->count; ++*at) {
        bool seen = false;
        for (int s = 0; s < *at; s++)
            seen |= strcmp(times->items[s].at[0].device, times->items[*at].at[0].device) == 0;
        if (!seen)
            return times->items[(*at)++].at[0].device;
    }
    return NULL;
}
