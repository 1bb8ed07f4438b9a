/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * counters [--measured DIR] [--cache DIR] [--rows DIR] [--jobs N] [--made-by CODE] [--slices N] [NAME...]
 *
 * Counts what a real GPU's profiler counted. For every configuration of every file KERNEL_counters__DEVICE.csv in DIR
 * (default
 * bench/accuracy/measured): the kernel compiled with the row's tunables for the device's own target, its sampled warps
 * executed, and their requests, wavefronts and instructions beside the measured ones. Kernels, cache and options are
 * those of `accuracy`.
 *
 *   convolution_counters__rtx2080ti: 3977 configurations
 *   counter                        rows  median err  90th   within   goal
 *   shared load wavefronts         3977        0.0%  1.2%    97.1% in 5%, goal 85%
 */
#define _GNU_SOURCE
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "bench/accuracy/measured.h"
#include "bench/accuracy/workers.h"
#include "bench/counters/tally.h"
#include "model/predict.h"

enum counter {
    LOAD_WAVEFRONTS,
    STORE_WAVEFRONTS,
    LOAD_REQUESTS,
    REGISTERS,
    SPILLS,
    WARPS_ACTIVE,
    FP32,
    INTEGER,
    COUNTERS
};

/* A configuration agrees when it is within the limit: of the relative error; of registers the difference; of spills
 * whether there are any. */
static const struct {
    const char *column, *name;
    double limit, goal; /* goal: share of configurations that agree; 0: none set for the share */
} counters[COUNTERS] = {
    [LOAD_WAVEFRONTS] = {"smem_ld_wavefronts", "shared load wavefronts", 0.05, 0.85},
    [STORE_WAVEFRONTS] = {"smem_st_wavefronts", "shared store wavefronts", 0.05, 0.85},
    [LOAD_REQUESTS] = {"gld_req", "global load requests", 0.06, 0.85},
    [REGISTERS] = {"regs", "registers (difference)", 2, 0.50},
    [SPILLS] = {"local_bytes", "spilling or not", 0, 0.90},
    [WARPS_ACTIVE] = {"warps_active_pct", "warps active", 0.10, 0},
    [FP32] = {"fp32_thr_inst", "fp32 thread instructions", 0.15, 0},
    [INTEGER] = {"int_thr_inst", "integer thread instructions", 0.15, 0},
};

struct settings {
    struct measured_options measured;
    const char *rows;
    int jobs;
};

/* One file at work. */
struct job {
    struct measured measured;
    struct row {
        double predicted[COUNTERS], waves;
        struct gp_error why; /* no prediction: the reason */
    } * rows;
};

static bool count_row(const struct job *job, size_t number, const struct gp_profile *profile, struct row *row)
{
    const struct measured *m = &job->measured;
    const struct gp_kernel *kernel = gp_profile_find(profile, m->subject->kernel);
    struct gp_launch *launch = malloc(sizeof *launch);
    struct gp_prediction *prediction = malloc(sizeof *prediction);
    struct gp_predictor *predictor = kernel != NULL ? gp_predictor_new(profile, kernel) : NULL;
    bool done = false;
    if (launch == NULL || prediction == NULL || predictor == NULL) {
        gp_fail(&row->why, kernel == NULL ? "the profile has no such kernel" : "out of memory");
    } else {
        struct gp_predict_options options = {.quick = true};
        struct tally tally;
        done = measured_launch(m, number, kernel, launch, &row->why) &&
               gp_predict(predictor, m->device, launch, &options, prediction, &row->why) &&
               (prediction->feasible || gp_fail(&row->why, "%s", prediction->why)) &&
               tally_launch(m->device, kernel, launch, m->subject->zero_over_zero, &tally, &row->why);
        if (done) {
            row->waves = prediction->waves;
            row->predicted[LOAD_WAVEFRONTS] = tally.shared_load_wavefronts;
            row->predicted[STORE_WAVEFRONTS] = tally.shared_store_wavefronts;
            row->predicted[LOAD_REQUESTS] = tally.global_load_requests;
            row->predicted[REGISTERS] = prediction->registers;
            row->predicted[SPILLS] = prediction->spill_bytes;
            row->predicted[WARPS_ACTIVE] = 100 * prediction->occupancy;
            row->predicted[FP32] = tally.fp32;
            row->predicted[INTEGER] = tally.integer;
        }
    }
    gp_predictor_free(predictor);
    free(prediction);
    free(launch);
    return done;
}

static void predict_row(void *context, size_t number)
{
    struct job *job = context;
    struct row *row = &job->rows[number];
    struct gp_profile *profile = profiles_read(&job->measured.profiles, number, &row->why);
    if (profile == NULL || !count_row(job, number, profile, row))
        for (int c = 0; c < COUNTERS; c++)
            row->predicted[c] = NAN;
    gp_profile_free(profile);
}

/* ---- Errors ---------------------------------------------------------------------------------------------------- */

static double error_of(enum counter counter, double predicted, double measured)
{
    if (counter == REGISTERS)
        return fabs(predicted - measured);
    if (counter == SPILLS)
        return (predicted > 0) != (measured > 0);
    return predicted == measured ? 0 : measured == 0 ? INFINITY : fabs(predicted / measured - 1);
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* Where a counter has something to say: a measured number, and for the occupancy a grid that fills the device. */
static bool has_counter(const struct job *job, size_t number, enum counter counter)
{
    const struct row *row = &job->rows[number];
    double measured = table_cell(&job->measured.table, number, counters[counter].column, NAN);
    return !isnan(measured) && !isnan(row->predicted[counter]) && (counter != WARPS_ACTIVE || row->waves >= 1) &&
           (measured != 0 || row->predicted[counter] != 0 || counter == SPILLS);
}

static void print_counter(const struct job *job, enum counter counter, double *errors)
{
    size_t count = 0, within = 0;
    for (size_t i = 0; i < job->measured.table.rows; i++)
        if (has_counter(job, i, counter)) {
            double measured = table_cell(&job->measured.table, i, counters[counter].column, NAN);
            errors[count] = error_of(counter, job->rows[i].predicted[counter], measured);
            within += errors[count++] <= counters[counter].limit;
        }
    if (count == 0) {
        printf("%-30s none\n", counters[counter].name);
        return;
    }
    qsort(errors, count, sizeof *errors, ascending);
    double median = errors[count / 2], high = errors[(size_t)(0.9 * (double)(count - 1) + 0.5)],
           share = 100.0 * (double)within / (double)count;
    printf("%-30s %6zu ", counters[counter].name, count);
    if (counter == REGISTERS)
        printf("%9.0f  %9.0f  %6.1f%% within %.0f", median, high, share, counters[counter].limit);
    else if (counter == SPILLS)
        printf("%9s  %9s  %6.1f%% agree", "", "", share);
    else
        printf("%8.1f%%  %8.1f%%  %6.1f%% within %.0f%%", 100 * median, 100 * high, share,
               100 * counters[counter].limit);
    if (counters[counter].goal > 0)
        printf(", goal %.0f%%", 100 * counters[counter].goal);
    printf("\n");
}

static bool print_file(const struct job *job)
{
    size_t rows = job->measured.table.rows, failed = 0;
    double *errors = malloc((rows + 1) * sizeof *errors);
    if (errors == NULL)
        return false;
    for (size_t i = 0; i < rows; i++)
        failed += job->rows[i].why.text[0] != '\0';
    printf("%s: %zu configurations\n%-30s %6s %9s  %9s\n", job->measured.name, rows, "counter", "rows", "median",
           "90th");
    for (int c = 0; c < COUNTERS; c++)
        print_counter(job, (enum counter)c, errors);
    for (size_t i = 0; failed > 0 && i < rows; i++)
        if (job->rows[i].why.text[0] != '\0') {
            printf("%zu configurations have no counts; the first of them: %s\n", failed, job->rows[i].why.text);
            break;
        }
    printf("\n");
    fflush(stdout);
    free(errors);
    return true;
}

/* The tunables, then each counter measured and predicted. */
static bool write_rows(const struct job *job, const char *directory, struct gp_error *error)
{
    const struct table *table = &job->measured.table;
    char path[512];
    snprintf(path, sizeof path, "%s/%s.csv", directory, job->measured.name);
    FILE *out = fopen(path, "w");
    if (out == NULL)
        return gp_fail(error, "%s: %s", path, strerror(errno));
    int time = table_column(table, "time_ms");
    for (int c = 0; c < time; c++)
        fprintf(out, "%s,", table->names[c]);
    for (int c = 0; c < COUNTERS; c++)
        fprintf(out, "%s,predicted_%s%s", counters[c].column, counters[c].column, c + 1 < COUNTERS ? "," : "\n");
    for (size_t row = 0; row < table->rows; row++) {
        for (int c = 0; c < time; c++)
            fprintf(out, "%.10g,", table->cells[row * table->columns + (size_t)c]);
        for (int c = 0; c < COUNTERS; c++)
            fprintf(out, "%.10g,%.10g%s", table_cell(table, row, counters[c].column, NAN), job->rows[row].predicted[c],
                    c + 1 < COUNTERS ? "," : "\n");
    }
    return fclose(out) == 0 || gp_fail(error, "%s: %s", path, strerror(errno));
}

static bool run_file(const struct settings *settings, const char *file, struct gp_error *error)
{
    struct job job = {0};
    bool done = measured_open(&job.measured, file, &settings->measured, error);
    job.rows = done ? calloc(job.measured.table.rows + 1, sizeof *job.rows) : NULL;
    if (job.rows != NULL) {
        profiles_compile(&job.measured.profiles, settings->jobs);
        workers_run(settings->jobs, job.measured.table.rows, predict_row, &job);
        done = print_file(&job) && (settings->rows == NULL || write_rows(&job, settings->rows, error));
    }
    measured_close(&job.measured);
    free(job.rows);
    return done;
}

static bool parse_options(int argc, char **argv, struct settings *settings)
{
    static const struct option options[] = {{"measured", 1, 0, 'm'},
                                            {"cache", 1, 0, 'c'},
                                            {"rows", 1, 0, 'r'},
                                            {"jobs", 1, 0, 'j'},
                                            {"slices", 1, 0, 's'},
                                            {"made-by", 1, 0, 'M'},
                                            {0}};
    for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        switch (option) {
        case 'm': settings->measured.directory = optarg; break;
        case 'c': settings->measured.cache = optarg; break;
        case 'M': settings->measured.maker = optarg; break;
        case 'r': settings->rows = optarg; break;
        case 'j': settings->jobs = atoi(optarg); break;
        case 's': settings->measured.every = (unsigned)atoi(optarg); break;
        default: return false;
        }
    }
    return settings->jobs > 0 && settings->measured.every > 0;
}

int main(int argc, char **argv)
{
    struct settings settings = {
        .measured = {.directory = "bench/accuracy/measured", .cache = "build/accuracy", .every = 1, .batch = 32},
        .jobs = 2};
    char *files[MAX_FILES];
    struct gp_error error = {{0}};
    if (!parse_options(argc, argv, &settings)) {
        fprintf(stderr, "usage: counters [--measured DIR] [--cache DIR] [--rows DIR] [--jobs N] [--made-by CODE] "
                        "[--slices N] [NAME...]\n");
        return 2;
    }
    int count = measured_find(settings.measured.directory, argv + optind, files), used = 0, status = 0;
    if (count < 0)
        count = 0;
    if (settings.rows != NULL && mkdir(settings.rows, 0777) != 0 && errno != EEXIST) {
        fprintf(stderr, "counters: %s: %s\n", settings.rows, strerror(errno));
        return 1;
    }
    for (int i = 0; i < count; i++) {
        if (strstr(files[i], "_counters__") != NULL) {
            used++;
            if (!run_file(&settings, files[i], &error)) {
                fprintf(stderr, "counters: %s\n", error.text);
                status = 1;
            }
        }
        free(files[i]);
    }
    if (used == 0) {
        fprintf(stderr,
                "counters: no measured counters (NAME_counters__DEVICE.csv) in %s; say where they are with --measured "
                "DIR\n",
                settings.measured.directory);
        return 1;
    }
    return status;
}
