/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * promises [--measured DIR] [--cache DIR] [--model M] [--jobs N] [--block X] [--most FACTOR] [NAME...]
 *
 * Of the twins among the measured kernels (twins.h): what repairing the fault gained on the GPU, what the findings at
 * the faulty kernel promise (the largest, with its cause, and all repaired at once), and the gain as predicted for both
 * kernels. A line per group size, or of --block's alone. --most: exit status 1 where a promise or a predicted gain is
 * off by more than that factor.
 */
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/accuracy/measured.h"
#include "model/predict.h"

struct settings {
    struct measured_options measured;
    enum gp_model model;
    int jobs;
    double block, most;
};

/* Of the lines printed: sums of logarithms of promise over gain. */
struct total {
    double promised, predicted;
    unsigned count, off;
};

static bool predict(const struct settings *settings, const struct measured *measured, size_t row, bool bottlenecks,
                    struct gp_prediction *prediction, struct gp_error *error)
{
    struct gp_predict_options options = {.model = settings->model,
                                         .bottlenecks = bottlenecks,
                                         .clock_mhz = table_cell(&measured->table, row, "sm_mhz", 0)};
    return measured_predict(measured, row, &options, prediction, error);
}

/* The twin of a row: the same but variant 1. */
static size_t twin_of(const struct table *table, size_t row)
{
    for (size_t other = 0; other < table->rows; other++)
        if (table_cell(table, other, "variant", 0) == 1 &&
            table_cell(table, other, "block_size_x", 0) == table_cell(table, row, "block_size_x", 0))
            return other;
    return row;
}

/* What nobody can repair is no promise. */
static const struct gp_bottleneck *largest(const struct gp_prediction *p)
{
    for (uint32_t i = 0; i < p->bottleneck_count; i++)
        if (!gp_cause_is_a_limit(p->bottlenecks[i].cause))
            return &p->bottlenecks[i];
    return NULL;
}

static bool off(double a, double b, double most) { return a > b * most || b > a * most; }

static void print_pair(const struct settings *settings, const struct measured *measured, size_t row,
                       struct total *total)
{
    const struct table *t = &measured->table;
    size_t other = twin_of(t, row);
    struct gp_prediction *faulty = calloc(2, sizeof *faulty), *repaired = faulty + 1;
    struct gp_error error = {{0}};
    double before = table_cell(t, row, "time_ms", NAN), after = table_cell(t, other, "time_ms", NAN);
    if (faulty == NULL || other == row)
        ;
    else if (!predict(settings, measured, row, true, faulty, &error) ||
             !predict(settings, measured, other, false, repaired, &error)) {
        printf("%-24s %5.0f  %s\n", measured->subject->file, table_cell(t, row, "block_size_x", 1), error.text);
        total->off++;
    } else {
        const struct gp_bottleneck *b = largest(faulty);
        double promised = b != NULL ? b->speedup : 1,
               all = faulty->repaired_all_ns > 0 ? faulty->time_ns / faulty->repaired_all_ns : promised;
        double gain = before / after, predicted = faulty->time_ns / repaired->time_ns;
        printf("%-16s %5.0f %10.1f %10.1f %7.2fx | %10.1f %10.1f %7.2fx | %7.2fx %-14s %7.2fx\n",
               measured->subject->file, table_cell(t, row, "block_size_x", 1), 1e3 * before, 1e3 * after, gain,
               1e-3 * faulty->time_ns, 1e-3 * repaired->time_ns, predicted, promised,
               b != NULL ? gp_cause_name(b->cause) : "none", all);
        total->promised += fabs(log(promised / gain));
        total->predicted += fabs(log(predicted / gain));
        total->off +=
            settings->most > 0 && (off(promised, gain, settings->most) || off(predicted, gain, settings->most));
        total->count++;
    }
    free(faulty);
}

static bool run_file(const struct settings *settings, const char *file, struct total *total, struct gp_error *error)
{
    struct measured measured;
    bool done = measured_open(&measured, file, &settings->measured, error);
    if (done && strstr(measured.subject->source, "gpu/twins/") != NULL) {
        profiles_compile(&measured.profiles, settings->jobs);
        for (size_t row = 0; row < measured.table.rows; row++) {
            bool wanted =
                settings->block == 0 || table_cell(&measured.table, row, "block_size_x", 0) == settings->block;
            if (wanted && table_cell(&measured.table, row, "variant", 1) == 0)
                print_pair(settings, &measured, row, total);
        }
        fflush(stdout);
    }
    measured_close(&measured);
    return done;
}

static bool parse(int argc, char **argv, struct settings *s, struct gp_error *error)
{
    static const struct option options[] = {{"measured", 1, 0, 'm'},
                                            {"cache", 1, 0, 'c'},
                                            {"model", 1, 0, 'M'},
                                            {"jobs", 1, 0, 'j'},
                                            {"block", 1, 0, 'b'},
                                            {"most", 1, 0, 'f'},
                                            {0}};
    for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;)
        switch (option) {
        case 'm': s->measured.directory = optarg; break;
        case 'c': s->measured.cache = optarg; break;
        case 'j': s->jobs = atoi(optarg); break;
        case 'b': s->block = atof(optarg); break;
        case 'f': s->most = atof(optarg); break;
        case 'M':
            if (!gp_model_parse(optarg, &s->model, error))
                return false;
            break;
        default:
            return gp_fail(error, "usage: promises [--measured DIR] [--cache DIR] [--model M] [--jobs N] [--block X] "
                                  "[--most FACTOR] [NAME...]");
        }
    return true;
}

int main(int argc, char **argv)
{
    struct settings settings = {.measured = {.directory = "bench/gpu/results/h200",
                                             .cache = "build/accuracy",
                                             .nvcc = NVCC_NEVER,
                                             .batch = 16,
                                             .every = 1},
                                .model = GP_MODEL_THROUGHPUT,
                                .jobs = 2};
    struct gp_error error = {{0}};
    struct total total = {0};
    char *files[MAX_FILES];
    if (!parse(argc, argv, &settings, &error)) {
        fprintf(stderr, "promises: %s\n", error.text);
        return 2;
    }
    int count = measured_find(settings.measured.directory, argv + optind, files), status = 0;
    if (count <= 0) {
        fprintf(stderr, "promises: no files KERNEL__DEVICE.csv in %s\n", settings.measured.directory);
        return 2;
    }
    printf("%-16s %5s %31s | %31s | %s\n%-16s %5s %10s %10s %8s | %10s %10s %8s | %8s %-14s %8s\n", "", "",
           "measured, us", "predicted, us", "promised at the faulty", "twins", "group", "faulty", "repaired", "gain",
           "faulty", "repaired", "gain", "largest", "by repairing", "all");
    for (int i = 0; i < count; i++) {
        if (!run_file(&settings, files[i], &total, &error)) {
            fprintf(stderr, "promises: %s: %s\n", files[i], error.text);
            status = 1;
        }
        free(files[i]);
    }
    if (total.count > 0)
        printf("off in the mean: promises by a factor of %.2f, predicted gains by %.2f\n",
               exp(total.promised / total.count), exp(total.predicted / total.count));
    return total.off > 0 && settings.most > 0 ? 1 : status;
}
