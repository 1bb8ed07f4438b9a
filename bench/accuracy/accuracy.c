/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * accuracy [--measured DIR] [--cache DIR] [--plots DIR] [--rows DIR] [--jobs N] [--batch N] [--each-row] [--made-by
 * CODE]
 *          [--clock DEVICE=MHZ|NAME=MHZ]... [--slices N] [--model M] [--nvcc always|spilled|never] [--ablation]
 * [--data-sheet] [--screen N] [--at-most REGRET] [--error-at-most PERCENT] [NAME...]
 *
 * Predicts every configuration of every file KERNEL__DEVICE.csv in DIR (default bench/accuracy/measured) and compares
 * with the times that real GPUs took. The kernels stand beside this file; each row is compiled with its own tunables
 * for its device's own target, so registers and spills come from the compile. Profiles are kept in the cache by
 * content: after a change of the model only predictions are made again. --rows writes each configuration with its
 * prediction to DIR/NAME.csv; --slices N takes every N-th slice only; --batch N gives clang N rows at a time;
 * --each-row asks NVIDIA's assembler of each row, though its code differs from another's in numbers only; --made-by
 * CODE takes the profiles in the cache's directory of that name, though the code that makes profiles has changed since;
 * AMD's registers are those of LLVM 14 where there is a clang-14 (GPUPERF_AMD_CLANG= does without); --nvcc says when
 * NVIDIA's registers are those of NVIDIA's compiler, as gpuperf predict takes them: always (hours for all files), where
 * ptxas spills what clang has made and for kernels of small bodies (the default), or never; --model M predicts with
 * that model (default auto); --ablation predicts again without each effect of the model (effects.c), and prints regret
 * and rank correlation without it; --screen N lets the simulation choose among the N best of each slice;
 * --data-sheet predicts for the device as its data sheet alone has it, without what was measured or fitted on its chip;
 * --at-most REGRET fails where a file's regret is larger,
 * --error-at-most PERCENT where the median error of its times is; both leave with 77 (skipped) where there are no
 * measured times.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "bench/accuracy/effects.h"
#include "bench/accuracy/measured.h"
#include "bench/accuracy/plot.h"
#include "bench/accuracy/rules.h"
#include "bench/accuracy/score.h"
#include "bench/accuracy/transfer.h"
#include "bench/accuracy/workers.h"
#include "hwdb/boards.h"
#include "model/predict.h"
#include "model/predict/calibration.h"

/* What HIP's compiler was made of when AMD's GPUs were measured: its joined reads of local memory, which later ones do
 * not make, are in the W6600's times, its spills in the MI50's. */
#define HIP_CLANG "clang-14"

struct settings {
    struct measured_options measured;
    const char *plots, *rows;
    int jobs;
    const char *clocks[MAX_FILES];
    int clock_count;
    enum gp_model model;
    bool ablation, data_sheet;
    unsigned screened;    /* of a slice; 0: none */
    double at_most;       /* regret of a file; 0: any */
    double error_at_most; /* median error of a file's times in percent; 0: any */
};

enum { SKIPPED = 77 };

/* One measured file at work. */
struct job {
    struct measured measured;
    struct config *configs; /* per row */
    struct result *results; /* per row */
    double clock_mhz;
    enum gp_model model;
    uint32_t without; /* struct gp_predict_options */
    const bool *only; /* per row: is predicted; NULL: all are */
};

/* What the model says of a row beside its time. */
struct result {
    struct gp_error why; /* no prediction: the reason */
    enum gp_limiter limiter;
    unsigned registers, spill_bytes;
    double confidence, known_share, low_ms, high_ms;
    char circumstances[GP_CELL_TEXT];
};

/* ---- Predicting ------------------------------------------------------------------------------------------------ */

static bool same_launch(const struct job *job, size_t a, size_t b)
{
    const struct config *x = &job->configs[a], *y = &job->configs[b];
    const struct measured *m = &job->measured;
    return memcmp(x->block, y->block, sizeof x->block) == 0 && memcmp(x->items, y->items, sizeof x->items) == 0 &&
           subject_assume(m->subject, &m->table, a) == subject_assume(m->subject, &m->table, b);
}

/* The row whose prediction is this one's, too: of equal code and launch, as where a tunable changes no code (AMD's
 * read-only loads). Most often itself. */
static size_t predicted_with(const struct job *job, size_t row)
{
    size_t first = job->measured.profiles.first[row];
    return (job->only == NULL || job->only[first]) && same_launch(job, first, row) ? first : row;
}

static void predict_row(void *context, size_t row)
{
    struct job *job = context;
    struct config *config = &job->configs[row];
    struct result *result = &job->results[row];
    if ((job->only != NULL && !job->only[row]) || predicted_with(job, row) != row)
        return;
    struct gp_prediction *prediction = malloc(sizeof *prediction);
    struct gp_predict_options options = {.model = job->model, .clock_mhz = job->clock_mhz, .without = job->without};
    config->predicted_ms = NAN;
    if (prediction != NULL && measured_predict(&job->measured, row, &options, prediction, &result->why)) {
        config->predicted_ms = prediction->time_ns * 1e-6;
        config->occupancy = prediction->occupancy;
        config->full_group = prediction->full_group;
        result->limiter = prediction->limiter;
        result->registers = prediction->registers;
        result->spill_bytes = prediction->spill_bytes;
        result->confidence = prediction->confidence;
        result->known_share = prediction->known_share;
        result->low_ms = prediction->time_ns_low * 1e-6;
        result->high_ms = prediction->time_ns_high * 1e-6;
        gp_circumstances_path(&prediction->basis.circumstances, result->circumstances);
    }
    free(prediction);
}

/* ---- One file -------------------------------------------------------------------------------------------------- */

static int by_slice(const void *a, const void *b)
{
    const struct config *x = a, *y = b;
    if (x->slice != y->slice)
        return x->slice < y->slice ? -1 : 1;
    return x->row < y->row ? -1 : x->row > y->row;
}

static bool describe_rows(struct job *job)
{
    size_t rows = job->measured.table.rows;
    struct gp_launch *launch = calloc(1, sizeof *launch);
    job->configs = calloc(rows + 1, sizeof *job->configs);
    job->results = calloc(rows + 1, sizeof *job->results);
    bool done = launch != NULL && job->configs != NULL && job->results != NULL;
    for (size_t row = 0; done && row < rows; row++) {
        struct config *config = &job->configs[row];
        config->slice = job->measured.slice[row];
        config->row = row;
        config->measured_ms = table_cell(&job->measured.table, row, "time_ms", NAN);
        subject_launch(job->measured.subject, &job->measured.table, row, launch);
        for (int d = 0; d < 2; d++) {
            config->block[d] = launch->local[d];
            config->items[d] = (unsigned)launch->global[d];
        }
    }
    free(launch);
    return done;
}

static double clock_named(const struct settings *settings, const char *name)
{
    size_t length = strlen(name);
    for (int i = 0; i < settings->clock_count; i++)
        if (strncmp(settings->clocks[i], name, length) == 0 && settings->clocks[i][length] == '=')
            return atof(settings->clocks[i] + length + 1);
    return 0;
}

/* A file's own clock, else its device's; 0: the database's. */
static double clock_of(const struct settings *settings, const struct measured *measured)
{
    double clock = clock_named(settings, measured->name);
    return clock > 0 ? clock : clock_named(settings, measured->device->name);
}

static bool open_job(const struct settings *settings, const char *file, struct job *job, struct gp_error *error)
{
    *job = (struct job){0};
    if (!measured_open(&job->measured, file, &settings->measured, error))
        return false;
    job->clock_mhz = clock_of(settings, &job->measured);
    if (settings->data_sheet)
        gp_device_forget_measured(job->measured.device);
    job->model = settings->model;
    return describe_rows(job) || gp_fail(error, "out of memory");
}

static void close_job(struct job *job)
{
    measured_close(&job->measured);
    free(job->configs);
    free(job->results);
}

static void print_score(const struct job *job, const char *directory, const struct score *s)
{
    size_t count = job->measured.table.rows;
    unsigned warp = (unsigned)job->measured.device->warp_width.value;
    printf("%-32s %5zu %6zu %7.3f %7.3f %8.3f %6.2f %6.2f %7.0f%% %7.0f%%", job->measured.name, s->slices, s->configs,
           s->regret, s->regret_90, s->spearman, s->top1, s->top3, 100 * s->mape, 100 * s->median_ape);
    for (size_t i = 0; i < baseline_count; i++)
        printf(" %8.2f", score_rule(job->configs, count, warp, baselines[i].pick));
    printf(" %8.2f %8.2f %8.2f\n", transfer_regret(directory, &job->measured, job->configs, count),
           score_random(job->configs, count), score_fixed_shape(job->configs, count));
    if (s->fallen > 0)
        printf("%-32s %zu configurations take three times the best of their slice and more; %zu (%.0f%%) are predicted "
               "at twice the best prediction and more\n",
               "", s->fallen, s->fallen_predicted, 100.0 * (double)s->fallen_predicted / (double)s->fallen);
    for (size_t i = 0; i < count; i++)
        if (job->configs[i].slice == s->worst_slice) {
            printf("%-32s worst slice: that of row %zu, regret %.2f\n", "", job->configs[i].row + 2, s->worst_regret);
            break;
        }
}

/* Times within the ranges that are printed beside them. */
static void print_held(const struct job *job)
{
    size_t held = 0, all = 0;
    for (size_t row = 0; row < job->measured.table.rows; row++) {
        const struct config *config = &job->configs[row];
        const struct result *result = &job->results[config->row];
        if (isnan(config->predicted_ms) || isnan(config->measured_ms))
            continue;
        all++;
        held += config->measured_ms >= result->low_ms && config->measured_ms <= result->high_ms;
    }
    printf("%-32s range holds %zu of %zu times\n", "", held, all);
}

/* Each reason once, with how many configurations have it; of many reasons the first few. */
static void print_reasons(const struct job *job)
{
    enum { SHOWN = 3 };
    size_t shown = 0, rest = 0;
    for (size_t row = 0; row < job->measured.table.rows; row++) {
        const char *why = job->results[row].why.text;
        size_t same = 0, earlier = 0;
        for (size_t other = 0; *why != '\0' && other < job->measured.table.rows; other++) {
            bool equal = strcmp(job->results[other].why.text, why) == 0;
            same += equal;
            earlier += equal && other < row;
        }
        if (*why == '\0' || earlier > 0)
            continue;
        if (shown++ < SHOWN)
            printf("%-32s %zu configurations have no prediction: %s\n", "", same, why);
        else
            rest += same;
    }
    if (rest > 0)
        printf("%-32s %zu more have none for the like\n", "", rest);
}

/* The file's own columns, then what was predicted. */
static bool write_rows(const struct job *job, const char *directory, struct gp_error *error)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s.csv", directory, job->measured.name);
    FILE *out = fopen(path, "w");
    if (out == NULL)
        return gp_fail(error, "%s: %s", path, strerror(errno));
    for (size_t c = 0; c < job->measured.table.columns; c++)
        fprintf(out, "%s,", job->measured.table.names[c]);
    fprintf(out, "slice,predicted_ms,occupancy,limiter,registers,spill_bytes,confidence,known_share,low_ms,high_ms,"
                 "circumstances,why\n");
    for (size_t i = 0; i < job->measured.table.rows; i++) {
        const struct config *config = &job->configs[i];
        const struct result *result = &job->results[config->row];
        for (size_t c = 0; c < job->measured.table.columns; c++)
            fprintf(out, "%.10g,", job->measured.table.cells[config->row * job->measured.table.columns + c]);
        fprintf(out, "%zu,%.6g,%.3f,%s,%u,%u,%.2f,%.2f,%.6g,%.6g,%s,%s\n", config->slice, config->predicted_ms,
                config->occupancy, gp_limiter_name(result->limiter), result->registers, result->spill_bytes,
                result->confidence, result->known_share, result->low_ms, result->high_ms, result->circumstances,
                result->why.text);
    }
    return fclose(out) == 0 || gp_fail(error, "%s: %s", path, strerror(errno));
}

static int by_row(const void *a, const void *b)
{
    const struct config *x = a, *y = b;
    return x->row < y->row ? -1 : x->row > y->row;
}

static void copy_prediction(struct job *job, size_t from, size_t to)
{
    job->configs[to].predicted_ms = job->configs[from].predicted_ms;
    job->configs[to].occupancy = job->configs[from].occupancy;
    job->configs[to].full_group = job->configs[from].full_group;
    job->results[to] = job->results[from];
}

static struct score predict_rows(const struct settings *settings, struct job *job)
{
    size_t rows = job->measured.table.rows;
    qsort(job->configs, rows, sizeof *job->configs, by_row);
    workers_run(settings->jobs, rows, predict_row, job);
    for (size_t row = 0; row < rows; row++)
        if (job->only == NULL || job->only[row])
            copy_prediction(job, predicted_with(job, row), row);
    qsort(job->configs, rows, sizeof *job->configs, by_slice);
    return score_predictions(job->configs, rows);
}

static void print_without(const char *effect, const struct score *s)
{
    printf("%-32s %-26s %7.3f %8.3f %6.0f%%\n", "", effect, s->regret, s->spearman, 100 * s->median_ape);
}

static void print_ablation(const struct settings *settings, struct job *job, const struct score *with)
{
    struct gp_device *device = job->measured.device, whole = *device;
    printf("%-32s %-26s %7s %8s %7s\n", "", "without", "regret", "spearman", "median");
    print_without("nothing", with);
    for (size_t i = 0; i < effect_count; i++) {
        job->without = effects[i].causes;
        if (effects[i].remove != NULL)
            effects[i].remove(device);
        struct score s = predict_rows(settings, job);
        print_without(effects[i].name, &s);
        *device = whole;
    }
    job->without = 0;
}

/* Whether fewer than `most` of the slice are predicted to take less time. */
static bool is_among_best(const struct job *job, size_t i, unsigned most)
{
    const struct config *configs = job->configs;
    size_t first = i, better = 0;
    while (first > 0 && configs[first - 1].slice == configs[i].slice)
        first--;
    for (size_t k = first; k < job->measured.table.rows && configs[k].slice == configs[i].slice; k++)
        better += configs[k].predicted_ms < configs[i].predicted_ms ||
                  (configs[k].predicted_ms == configs[i].predicted_ms && k < i);
    return !isnan(configs[i].predicted_ms) && better < most;
}

/* The choice of the simulation among the best that the model at hand has; the others stay, too slow to be chosen. */
static void print_screened(const struct settings *settings, struct job *job)
{
    size_t rows = job->measured.table.rows;
    bool *among_best = calloc(rows + 1, sizeof *among_best);
    for (size_t i = 0; among_best != NULL && i < rows; i++)
        among_best[job->configs[i].row] = is_among_best(job, i, settings->screened);
    for (size_t i = 0; among_best != NULL && i < rows; i++)
        job->configs[i].predicted_ms *= among_best[job->configs[i].row] ? 1 : 1e9;
    if (among_best != NULL) {
        job->model = GP_MODEL_TRACE;
        job->only = among_best;
        struct score s = predict_rows(settings, job);
        printf("%-32s trace among the best %u: regret %.3f, 90th %.3f\n", "", settings->screened, s.regret,
               s.regret_90);
        job->only = NULL;
    }
    free(among_best);
}

static bool run_file(const struct settings *settings, const char *file, struct score *score, struct gp_error *error)
{
    struct job job;
    bool done = open_job(settings, file, &job, error);
    if (done) {
        profiles_compile(&job.measured.profiles, settings->jobs);
        *score = predict_rows(settings, &job);
        print_score(&job, settings->measured.directory, score);
        print_held(&job);
        print_reasons(&job);
        fflush(stdout);
        done = (settings->plots == NULL ||
                plot_times(settings->plots, job.measured.name, job.configs, job.measured.table.rows, error)) &&
               (settings->rows == NULL || write_rows(&job, settings->rows, error));
        if (settings->ablation)
            print_ablation(settings, &job, score);
        if (settings->screened > 0)
            print_screened(settings, &job);
    }
    close_job(&job);
    return done;
}

static bool take_nvcc(const char *text, enum nvcc_use *use)
{
    static const char *const names[] = {
        [NVCC_ALWAYS] = "always", [NVCC_WHERE_SPILLED] = "spilled", [NVCC_NEVER] = "never"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(text, names[i]) == 0) {
            *use = (enum nvcc_use)i;
            return true;
        }
    return false;
}

static bool parse_options(int argc, char **argv, struct settings *settings)
{
    static const struct option options[] = {
        {"measured", 1, 0, 'm'}, {"cache", 1, 0, 'c'},      {"plots", 1, 0, 'p'},
        {"jobs", 1, 0, 'j'},     {"batch", 1, 0, 'b'},      {"clock", 1, 0, 'k'},
        {"rows", 1, 0, 'r'},     {"slices", 1, 0, 's'},     {"made-by", 1, 0, 'M'},
        {"model", 1, 0, 'o'},    {"at-most", 1, 0, 'a'},    {"error-at-most", 1, 0, 'e'},
        {"ablation", 0, 0, 'A'}, {"data-sheet", 0, 0, 'D'}, {"screen", 1, 0, 'S'},
        {"nvcc", 1, 0, 'n'},     {"each-row", 0, 0, 'E'},   {0}};
    for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        switch (option) {
        case 'm': settings->measured.directory = optarg; break;
        case 'A': settings->ablation = true; break;
        case 'D': settings->data_sheet = true; break;
        case 'S':
            settings->screened = (unsigned)strtoul(optarg, NULL, 10);
            if (settings->screened == 0)
                return false;
            break;
        case 'n':
            if (!take_nvcc(optarg, &settings->measured.nvcc))
                return false;
            break;
        case 'a': settings->at_most = atof(optarg); break;
        case 'e': settings->error_at_most = atof(optarg); break;
        case 'c': settings->measured.cache = optarg; break;
        case 'M': settings->measured.maker = optarg; break;
        case 'p': settings->plots = optarg; break;
        case 'r': settings->rows = optarg; break;
        case 'j': settings->jobs = atoi(optarg); break;
        case 'E': settings->measured.each_row = true; break;
        case 'b': settings->measured.batch = (unsigned)atoi(optarg); break;
        case 's': settings->measured.every = (unsigned)atoi(optarg); break;
        case 'o':
            if (!gp_model_parse(optarg, &settings->model, NULL))
                return false;
            break;
        case 'k':
            if (settings->clock_count < MAX_FILES)
                settings->clocks[settings->clock_count++] = optarg;
            break;
        default: return false;
        }
    }
    return settings->jobs > 0 && settings->measured.every > 0 && settings->measured.batch > 0;
}

static bool make_directories(const struct settings *settings)
{
    const char *const directories[] = {settings->plots, settings->rows};
    for (size_t i = 0; i < sizeof directories / sizeof *directories; i++)
        if (directories[i] != NULL && mkdir(directories[i], 0777) != 0 && errno != EEXIST) {
            fprintf(stderr, "accuracy: %s: %s\n", directories[i], strerror(errno));
            return false;
        }
    return true;
}

static void print_header(void)
{
    printf("%-32s %5s %6s %7s %7s %8s %6s %6s %8s %8s", "file", "slice", "config", "regret", "90th", "spearman", "top1",
           "top3", "mean err", "median");
    for (size_t i = 0; i < baseline_count; i++)
        printf(" %8.8s", baselines[i].name);
    printf(" %8s %8s %8s\n", "transfer", "random", "fixed");
}

static bool is_within_bounds(const struct settings *settings, const char *file, const struct score *score)
{
    bool good = settings->at_most <= 0 || score->regret <= settings->at_most,
         near = settings->error_at_most <= 0 || 100 * score->median_ape <= settings->error_at_most;
    if (!good)
        fprintf(stderr, "accuracy: %s: a regret of %.3f is more than %.2f\n", file, score->regret, settings->at_most);
    if (!near)
        fprintf(stderr, "accuracy: %s: a median error of %.0f%% is more than %.0f%%\n", file, 100 * score->median_ape,
                settings->error_at_most);
    return good && near;
}

int main(int argc, char **argv)
{
    struct settings settings = {.measured = {.directory = "bench/accuracy/measured",
                                             .cache = "build/accuracy",
                                             .nvcc = NVCC_WHERE_SPILLED,
                                             .every = 1,
                                             .batch = 64},
                                .jobs = 2};
    char *files[MAX_FILES + 1] = {NULL};
    struct gp_error error = {{0}};
    if (!parse_options(argc, argv, &settings)) {
        fprintf(stderr,
                "usage: accuracy [--measured DIR] [--cache DIR] [--plots DIR] [--rows DIR] [--jobs N] [--batch "
                "N] [--each-row] [--made-by CODE] "
                "[--clock DEVICE=MHZ|NAME=MHZ]... [--slices N] [--model M] [--nvcc always|spilled|never] "
                "[--ablation] [--data-sheet] [--screen N] [--at-most REGRET] [--error-at-most PERCENT] [NAME...]\n");
        return 2;
    }
    setenv("GPUPERF_AMD_CLANG", HIP_CLANG, 0);
    int count = measured_find(settings.measured.directory, argv + optind, files);
    if (count <= 0) {
        fprintf(stderr, "accuracy: no measured times in %s; say where they are with --measured DIR\n",
                settings.measured.directory);
        return settings.at_most > 0 ? SKIPPED : 1;
    }
    if (!make_directories(&settings))
        return 1;
    print_header();
    double regrets = 0, spearman = 0;
    int done = 0, spearmans = 0, status = 0;
    for (int i = 0; i < count; i++) {
        struct score score;
        settings.measured.others = files + i + 1;
        if (run_file(&settings, files[i], &score, &error)) {
            done++;
            regrets += log(score.regret);
            spearman += score.spearman_slices > 0 ? score.spearman : 0;
            spearmans += score.spearman_slices > 0;
            if (!is_within_bounds(&settings, files[i], &score))
                status = 1;
        } else {
            fprintf(stderr, "accuracy: %s\n", error.text);
            status = 1;
        }
        free(files[i]);
    }
    if (done > 0)
        printf("macro: regret %.3f, spearman %.3f over %d files\n", exp(regrets / done),
               spearmans ? spearman / spearmans : NAN, done);
    return status;
}
