/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * calibrate_confidence [--table FILE] [--compare FILE] [--curve] [--judge] ROWS.tsv
 *
 * Reads rows "SOURCE KERNEL CIRCUMSTANCES MEASURED PREDICTED" (tabs; times in ms; gp_circumstances_path())
 * and says, per cell of circumstances, how probable it is that a time is within 1.5 times of the truth, and between
 * which multiples of a predicted time four of five measured ones lie. --table writes that for model/predict/. --curve
 * prints, in Markdown, what would have been said of each row by a table without its kernel and without its architecture
 * family, against what was observed. --compare fails where FILE is not what --table would write, --judge where a tenth
 * of that curve with 30 rows and more is observed 0.05 below what is stated, the ranges hold less than 70% or more than
 * 90% of the times, are wider than 2.5 times in the median, or confidence follows accuracy by less than 0.3 (Spearman).
 */
#define _GNU_SOURCE
#include <getopt.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/calibration/cells.h"
#include "support/rank_correlation.h"
#include "support/text.h"

/* ---- Rows -------------------------------------------------------------------------------------------------------- */

static int by_error(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    if (x->error != y->error)
        return x->error < y->error ? -1 : 1;
    return strcmp(x->path, y->path);
}

/* In the order of their errors. False: not such a file. */
static bool read_rows(const char *path, struct rows *rows)
{
    FILE *in = fopen(path, "r");
    char source[32], kernel[48], circumstances[96];
    double measured, predicted;
    bool good = in != NULL;
    for (int fields; good && (fields = fscanf(in, "%31s %47s %95s %lf %lf", source, kernel, circumstances, &measured,
                                              &predicted)) != EOF;)
        good = fields == 5 && measured > 0 && predicted > 0 &&
               rows_add(rows, source, kernel, circumstances, measured, predicted);
    if (in != NULL)
        fclose(in);
    if (good)
        qsort(rows->items, rows->count, sizeof *rows->items, by_error);
    return good && rows->count > 0;
}

/* ---- What is said of rows that the table has not seen ------------------------------------------------------------ */

struct said {
    double confidence, low, high; /* as the table says */
};

/* By a table without the row's kernel, its architecture family, or both. */
enum { KERNEL = 1, FAMILY = 2 };

static bool is_like(const struct row *a, const struct row *b, int what)
{
    return (what & KERNEL && a->kernel == b->kernel) || (what & FAMILY && a->family == b->family);
}

static void say_of(const struct rows *rows, int without, struct said *said)
{
    bool *done = calloc(rows->count, sizeof *done), *used = calloc(rows->count, sizeof *used);
    for (size_t i = 0; done != NULL && used != NULL && i < rows->count; i++) {
        struct cells cells;
        if (done[i])
            continue;
        for (size_t k = 0; k < rows->count; k++)
            used[k] = !is_like(&rows->items[k], &rows->items[i], without);
        cells_make(&cells, rows, used);
        for (size_t k = i; k < rows->count; k++) {
            const struct row *row = &rows->items[k];
            if (row->kernel != rows->items[i].kernel || row->family != rows->items[i].family)
                continue;
            const struct cell *cell = cells_find(&cells, row->path);
            said[k] = (struct said){cell->confidence, cell->low, cell->high};
            done[k] = true;
        }
        cells_free(&cells);
    }
    free(done);
    free(used);
}

struct tenth {
    size_t rows, within, kernels;
    double stated; /* the sum */
};

static struct tenth tenth_of(const struct rows *rows, const struct said *said, int number)
{
    struct tenth t = {0};
    bool *seen = calloc(rows->name_count + 1, sizeof *seen);
    for (size_t i = 0; seen != NULL && i < rows->count; i++) {
        const struct row *row = &rows->items[i];
        if (fmin(9, floor(said[i].confidence * 10)) != number)
            continue;
        t.rows++;
        t.within += fabs(row->error) <= log(WITHIN);
        t.stated += said[i].confidence;
        t.kernels += !seen[row->kernel];
        seen[row->kernel] = true;
    }
    free(seen);
    return t;
}

static void print_tenths(const struct rows *rows, const struct said *said)
{
    printf("| stated | rows | kernels | stated, mean | within %.1fx |\n| --- | --- | --- | --- | --- |\n", WITHIN);
    for (int i = 0; i < 10; i++) {
        struct tenth t = tenth_of(rows, said, i);
        if (t.rows > 0)
            printf("| %.1f to %.1f | %zu | %zu | %.2f | %.2f |\n", i * 0.1, i * 0.1 + 0.1, t.rows, t.kernels,
                   t.stated / (double)t.rows, (double)t.within / (double)t.rows);
    }
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* How well ranges and confidences do over all rows. */
struct summary {
    double held, width, follows; /* share; high over low, median; rank correlation of confidence with accuracy */
};

static struct summary sum_up(const struct rows *rows, const struct said *said)
{
    double *numbers = calloc(3 * rows->count, sizeof *numbers), *width = numbers, *accuracy = numbers + rows->count,
           *confidence = accuracy + rows->count;
    struct summary s = {0};
    for (size_t i = 0; numbers != NULL && i < rows->count; i++) {
        double error = rows->items[i].error;
        s.held += (error >= log(said[i].low) && error <= log(said[i].high)) / (double)rows->count;
        width[i] = said[i].high / said[i].low;
        accuracy[i] = -fabs(error);
        confidence[i] = said[i].confidence;
    }
    if (numbers != NULL) {
        qsort(width, rows->count, sizeof *width, ascending);
        s.width = width[rows->count / 2];
        s.follows = gp_rank_correlation(confidence, accuracy, rows->count);
    }
    free(numbers);
    return s;
}

static void print_curve(const struct rows *rows, struct said *said, int without, const char *words)
{
    say_of(rows, without, said);
    printf("By a table without the row's %s:\n\n", words);
    print_tenths(rows, said);
    struct summary s = sum_up(rows, said);
    printf("\nThe ranges hold %.0f%% of the %zu times; the high end is %.2f times the low end in the median.\nRank "
           "correlation of confidence with accuracy: %.2f.\n",
           100 * s.held, rows->count, s.width, s.follows);
}

static bool print_curves(const struct rows *rows)
{
    struct said *said = calloc(rows->count, sizeof *said);
    if (said == NULL)
        return false;
    print_curve(rows, said, KERNEL | FAMILY, "kernel and without its architecture family");
    printf("\n");
    print_curve(rows, said, KERNEL, "kernel");
    free(said);
    return true;
}

static bool judge(const struct rows *rows)
{
    enum { ENOUGH = 30 };
    struct said *said = calloc(rows->count, sizeof *said);
    bool good = said != NULL;
    if (good)
        say_of(rows, KERNEL | FAMILY, said);
    for (int i = 0; said != NULL && i < 10; i++) {
        struct tenth t = tenth_of(rows, said, i);
        bool holds = t.rows < ENOUGH || (double)t.within >= t.stated - 0.05 * (double)t.rows;
        if (!holds)
            fprintf(stderr, "calibrate_confidence: of %zu rows at confidence %.2f only %zu are right\n", t.rows,
                    t.stated / (double)t.rows, t.within);
        good &= holds;
    }
    struct summary s = said != NULL ? sum_up(rows, said) : (struct summary){0};
    if (s.held < 0.7 || s.held > 0.9 || s.width > 2.5 || s.follows < 0.3) {
        fprintf(stderr, "calibrate_confidence: ranges hold %.0f%% and are %.2f times wide; rank correlation %.2f\n",
                100 * s.held, s.width, s.follows);
        good = false;
    }
    free(said);
    return good;
}

/* ---- The table --------------------------------------------------------------------------------------------------- */

static double longest(const struct rows *rows)
{
    double longest = 0;
    for (size_t i = 0; i < rows->count; i++)
        longest = fmax(longest, rows->items[i].measured_ms * 1e6);
    return longest;
}

static char *table_text(const struct rows *rows)
{
    struct cells cells;
    struct gp_text text = {0};
    if (!cells_make(&cells, rows, NULL))
        return NULL;
    gp_text_printf(
        &text,
        "/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */\n"
        "/* Made by bench/calibrate_confidence.sh: the longest measured time; cell, rows and kernels behind it,\n * "
        "confidence, and the range in multiples of the predicted time. */\n"
        "/* clang-format off */\n"
        "static const double longest_ns = %.3g;\n"
        "static const struct cell cells[] = {\n",
        longest(rows));
    for (size_t i = 0; i < cells.count; i++) {
        const struct cell *c = &cells.items[i];
        gp_text_printf(&text, "    {\"%s\", %zu, %zu, %.3f, %.3f, %.3f},\n", c->path, c->rows, c->kernels,
                       c->confidence, c->low, c->high);
    }
    gp_text_printf(&text, "};\n/* clang-format on */\n");
    cells_free(&cells);
    return gp_text_take(&text);
}

static bool write_table(const struct rows *rows, const char *path)
{
    char *text = table_text(rows);
    bool good = text != NULL && gp_write_file(path, text, strlen(text));
    free(text);
    return good;
}

static bool is_table(const struct rows *rows, const char *path)
{
    enum { MOST = 1 << 16 };
    char *text = table_text(rows), *there = calloc(1, MOST);
    FILE *in = fopen(path, "r");
    bool same = text != NULL && there != NULL && in != NULL && fread(there, 1, MOST - 1, in) == strlen(text) &&
                strcmp(text, there) == 0;
    if (in != NULL)
        fclose(in);
    if (!same)
        fprintf(stderr, "calibrate_confidence: %s is not what the rows say; run bench/calibrate_confidence.sh -k\n",
                path);
    free(text);
    free(there);
    return same;
}

int main(int argc, char **argv)
{
    static const struct option options[] = {
        {"table", 1, 0, 't'}, {"compare", 1, 0, 'm'}, {"curve", 0, 0, 'c'}, {"judge", 0, 0, 'j'}, {0}};
    const char *table = NULL, *compared = NULL;
    bool curve = false, judged = false, usage = false;
    for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;)
        switch (option) {
        case 't': table = optarg; break;
        case 'm': compared = optarg; break;
        case 'c': curve = true; break;
        case 'j': judged = true; break;
        default: usage = true;
        }
    if (usage || optind != argc - 1) {
        fprintf(stderr, "usage: calibrate_confidence [--table FILE] [--compare FILE] [--curve] [--judge] ROWS.tsv\n");
        return 2;
    }
    struct rows rows = {0};
    bool good = read_rows(argv[optind], &rows);
    if (!good)
        fprintf(stderr,
                "calibrate_confidence: %s is no list of rows \"SOURCE KERNEL CIRCUMSTANCES MEASURED PREDICTED\"\n",
                argv[optind]);
    if (good && table != NULL && !write_table(&rows, table)) {
        fprintf(stderr, "calibrate_confidence: cannot write %s\n", table);
        good = false;
    }
    good = good && (compared == NULL || is_table(&rows, compared)) && (!curve || print_curves(&rows)) &&
           (!judged || judge(&rows));
    rows_free(&rows);
    return good ? 0 : 1;
}
