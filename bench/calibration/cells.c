/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * How a cell comes to what it says. Its rows are not alike in worth: a kernel on a device counts once, however many
 * sizes of it were measured, and of all sources none has more than a quarter of the weight. So few kernels tell little:
 * what a cell says is drawn to what the one above it says, as if that had spoken for SOME kernels more, the confidence
 * is as much lower as the share of so many draws may be by chance, and the range as much wider.
 */
#define _GNU_SOURCE
#include "bench/calibration/cells.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { FEWEST_ROWS = 30, FEWEST_KERNELS = 4 };
static const double MOST_OF_A_SOURCE = 0.25, SOME = 6, OUTSIDE = 0.09, STANDARD_ERRORS = 1.3;

/* ---- Rows -------------------------------------------------------------------------------------------------------- */

static bool number_of(struct rows *rows, const char *name, size_t *number)
{
    for (*number = 0; *number < rows->name_count; ++*number)
        if (strcmp(rows->names[*number], name) == 0)
            return true;
    char **names = realloc(rows->names, (rows->name_count + 1) * sizeof *names);
    if (names == NULL)
        return false;
    rows->names = names;
    rows->names[rows->name_count] = strdup(name);
    return rows->names[rows->name_count++] != NULL;
}

bool rows_add(struct rows *rows, const char *source, const char *kernel, const char *path, double measured_ms,
              double predicted_ms)
{
    const char *family = strrchr(path, '/');
    if (rows->count == rows->room) {
        size_t room = 2 * rows->room + 64;
        struct row *items = realloc(rows->items, room * sizeof *items);
        if (items == NULL)
            return false;
        rows->items = items;
        rows->room = room;
    }
    struct row *row = &rows->items[rows->count];
    *row = (struct row){.path = strdup(path), .measured_ms = measured_ms, .error = log(measured_ms / predicted_ms)};
    rows->count += row->path != NULL;
    return row->path != NULL && number_of(rows, source, &row->source) && number_of(rows, kernel, &row->kernel) &&
           number_of(rows, family != NULL ? family : path, &row->family);
}

void rows_free(struct rows *rows)
{
    for (size_t i = 0; i < rows->count; i++)
        free(rows->items[i].path);
    for (size_t i = 0; i < rows->name_count; i++)
        free(rows->names[i]);
    free(rows->items);
    free(rows->names);
}

/* ---- Weights ----------------------------------------------------------------------------------------------------- */

/* A kernel of a source on an architecture has 1 in all. */
static void weigh_kernels(const struct rows *rows, const bool *used, double *weight)
{
    size_t names = rows->name_count;
    double *count = calloc(names * names, sizeof *count);
    for (int pass = 0; count != NULL && pass < 2; pass++)
        for (size_t i = 0; i < rows->count; i++) {
            double *of = &count[rows->items[i].source * names + rows->items[i].kernel];
            if (pass == 0)
                *of += used[i];
            else
                weight[i] = used[i] ? 1 / *of : 0;
        }
    free(count);
}

/* Each source has a quarter of all at most: sources beyond it are made smaller together until that holds. Where there
 * are fewer than four, all have the same. */
static void bound_sources(const struct rows *rows, double *weight)
{
    double *of = calloc(rows->name_count, sizeof *of), most = INFINITY;
    for (size_t i = 0; of != NULL && i < rows->count; i++)
        of[rows->items[i].source] += weight[i];
    for (int turn = 0; of != NULL && turn < 200; turn++) {
        double all = 0, largest = 0;
        for (size_t s = 0; s < rows->name_count; s++) {
            all += fmin(of[s], most);
            largest = fmax(largest, fmin(of[s], most));
        }
        if (largest <= MOST_OF_A_SOURCE * all)
            break;
        most = fmin(most, largest) * 0.97;
    }
    for (size_t i = 0; of != NULL && i < rows->count; i++)
        weight[i] *= fmin(1, most / of[rows->items[i].source]);
    free(of);
}

/* ---- One cell ---------------------------------------------------------------------------------------------------- */

static bool holds(const char *cell, const char *path)
{
    size_t length = strlen(cell);
    return length == 0 || (strncmp(cell, path, length) == 0 && (path[length] == '/' || path[length] == '\0'));
}

/* What its rows say by themselves; `draws`: so many equally heavy kernels would be as sure. */
struct spoken {
    double within, low, high, draws;
    double sure; /* draws, with those that stand for what is said above */
};

static void count_kernels(const struct rows *rows, const double *weight, struct cell *cell, struct spoken *s)
{
    double *of = calloc(rows->name_count, sizeof *of), sum = 0, squares = 0;
    for (size_t i = 0; of != NULL && i < rows->count; i++)
        if (weight[i] > 0 && holds(cell->path, rows->items[i].path)) {
            of[rows->items[i].kernel] += weight[i];
            cell->rows++;
        }
    for (size_t k = 0; of != NULL && k < rows->name_count; k++) {
        cell->kernels += of[k] > 0;
        sum += of[k];
        squares += of[k] * of[k];
    }
    s->draws = squares > 0 ? sum * sum / squares : 0;
    free(of);
}

static void ask_rows(const struct rows *rows, const double *weight, const struct cell *cell, struct spoken *s)
{
    double all = 0, within = 0, sum = 0;
    for (size_t i = 0; i < rows->count; i++)
        if (weight[i] > 0 && holds(cell->path, rows->items[i].path)) {
            all += weight[i];
            within += fabs(rows->items[i].error) <= log(WITHIN) ? weight[i] : 0;
        }
    s->within = all > 0 ? within / all : 0;
    s->low = s->high = NAN;
    for (size_t i = 0; i < rows->count; i++) {
        if (weight[i] <= 0 || !holds(cell->path, rows->items[i].path))
            continue;
        sum += weight[i];
        s->low = isnan(s->low) && sum >= OUTSIDE * all ? rows->items[i].error : s->low;
        s->high = isnan(s->high) && sum >= (1 - OUTSIDE) * all ? rows->items[i].error : s->high;
    }
}

/* Drawn to what is said above, as far as that is sure. NULL: nothing is, and all rows together speak for what none of
 * them is: another kind of processor, of which they are one draw. */
static void draw_to(const struct spoken *above, struct spoken *s)
{
    double others = above != NULL ? fmin(SOME, above->sure) : 0;
    s->sure = above != NULL ? s->draws + others : 1;
    if (above == NULL)
        return;
    double own = s->draws / s->sure;
    s->within = own * s->within + (1 - own) * above->within;
    s->low = own * s->low + (1 - own) * above->low;
    s->high = own * s->high + (1 - own) * above->high;
}

static void conclude(const struct spoken *s, struct cell *cell)
{
    double p = (s->within * s->sure + 1) / (s->sure + 2), wider = 1 + 1 / s->sure;
    cell->confidence = fmax(0, p - STANDARD_ERRORS * sqrt(p * (1 - p) / (s->sure + 2)));
    cell->low = exp(fmin(0, s->low) * wider);
    cell->high = exp(fmax(0, s->high) * wider);
}

/* ---- All cells --------------------------------------------------------------------------------------------------- */

static const struct cell *find_cell(const struct cells *cells, const char *path)
{
    const struct cell *found = cells->items;
    for (size_t i = 1; i < cells->count; i++)
        if (holds(cells->items[i].path, path) && strlen(cells->items[i].path) > strlen(found->path))
            found = &cells->items[i];
    return found;
}

const struct cell *cells_find(const struct cells *cells, const char *path) { return find_cell(cells, path); }

static int by_path(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

/* All prefixes of the used rows' paths, each once, sorted: "" first, each behind what it is part of. */
static char **all_paths(const struct rows *rows, const bool *used, size_t *count)
{
    char **paths = calloc(rows->count * 8 + 1, sizeof *paths);
    *count = 0;
    if (paths != NULL)
        paths[(*count)++] = strdup("");
    for (size_t i = 0; paths != NULL && i < rows->count; i++) {
        const char *path = rows->items[i].path;
        if (!used[i])
            continue;
        for (const char *end = path; *end != '\0';) {
            end = strchrnul(end + 1, '/');
            paths[(*count)++] = strndup(path, (size_t)(end - path));
        }
    }
    if (paths != NULL)
        qsort(paths, *count, sizeof *paths, by_path);
    size_t kept = 0;
    for (size_t i = 0; i < *count; i++) {
        if (kept > 0 && strcmp(paths[kept - 1], paths[i]) == 0)
            free(paths[i]);
        else
            paths[kept++] = paths[i];
    }
    *count = kept;
    return paths;
}

/* Whether a path ends in an architecture family. */
static bool is_whole(const char *path)
{
    int slashes = 0;
    for (; *path != '\0'; path++)
        slashes += *path == '/';
    return slashes == 5;
}

/* Than the one above it. A family of few kernels would be less sure than one of which there are none. */
static bool says_more(const struct cell *cell, const struct cell *above)
{
    return cell->rows >= FEWEST_ROWS && cell->rows < above->rows &&
           (!is_whole(cell->path) || cell->kernels >= FEWEST_KERNELS);
}

bool cells_make(struct cells *cells, const struct rows *rows, const bool *used)
{
    bool *all = malloc(rows->count * sizeof *all);
    double *weight = calloc(rows->count, sizeof *weight);
    for (size_t i = 0; all != NULL && i < rows->count; i++)
        all[i] = used == NULL || used[i];
    size_t count = 0;
    char **paths = all != NULL ? all_paths(rows, all, &count) : NULL;
    struct spoken *said = calloc(count + 1, sizeof *said);
    *cells = (struct cells){.items = calloc(count + 1, sizeof *cells->items)};
    bool good = paths != NULL && weight != NULL && said != NULL && cells->items != NULL;
    if (good) {
        weigh_kernels(rows, all, weight);
        bound_sources(rows, weight);
    }
    for (size_t i = 0; good && i < count; i++) {
        struct cell cell = {.path = paths[i]};
        struct spoken s;
        count_kernels(rows, weight, &cell, &s);
        ask_rows(rows, weight, &cell, &s);
        const struct cell *above = cells->count > 0 ? find_cell(cells, cell.path) : NULL;
        draw_to(above != NULL ? &said[above - cells->items] : NULL, &s);
        conclude(&s, &cell);
        if (above != NULL && !says_more(&cell, above))
            continue; /* what the one above says */
        paths[i] = NULL;
        said[cells->count] = s;
        cells->items[cells->count++] = cell;
    }
    for (size_t i = 0; paths != NULL && i < count; i++)
        free(paths[i]);
    free(paths);
    free(said);
    free(weight);
    free(all);
    return good;
}

void cells_free(struct cells *cells)
{
    for (size_t i = 0; i < cells->count; i++)
        free(cells->items[i].path);
    free(cells->items);
}
