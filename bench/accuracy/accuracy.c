/*
 * accuracy [--measured DIR] [--cache DIR] [--plots DIR] [--jobs N] [--clock DEVICE=MHZ]... [--slices N] [--rows] [NAME...]
 *
 * Predicts every configuration of every file KERNEL__DEVICE.csv in DIR (default ../shared/measured) and compares with the times
 * that real GPUs took. The kernels stand beside this file; each row is compiled with its own tunables for its device's own
 * target, so registers and spills come from the compile. Profiles are kept in the cache by content: after a change of the model
 * only predictions are made again. --slices N takes every N-th slice only; --rows prints each configuration to standard error.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/accuracy/plot.h"
#include "bench/accuracy/score.h"
#include "bench/accuracy/table.h"
#include "compile/compile.h"
#include "model/predict.h"
#include "model/profile_binary.h"
#include "support/text.h"

enum { MAX_FILES = 64, MAX_MACROS = 16 };

struct macro { const char *name, *column; double fixed; };

/* A kernel of the measured files: how a row's columns become macros, and the launch's range. */
struct subject {
    const char *name, *kernel;
    struct macro macros[MAX_MACROS];
    unsigned range[2];      /* outputs per dimension */
};

static const struct subject subjects[] = {
    {"convolution", "convolution",
     {{"BLOCK_X", "block_size_x", 1}, {"BLOCK_Y", "block_size_y", 1}, {"TILE_X", "tile_size_x", 1}, {"TILE_Y", "tile_size_y", 1},
      {"READ_ONLY", "read_only", 0}, {"USE_PADDING", "use_padding", 0}, {"FILTER", NULL, 17}, {"SIZE", NULL, 4096}},
     {4096, 4096}},
    /* 15x15; padding was never in effect when these were measured */
    {"convolution_counters", "convolution",
     {{"BLOCK_X", "block_size_x", 1}, {"BLOCK_Y", "block_size_y", 1}, {"TILE_X", "tile_size_x", 1}, {"TILE_Y", "tile_size_y", 1},
      {"READ_ONLY", "read_only", 0}, {"USE_PADDING", NULL, 0}, {"FILTER", NULL, 15}, {"SIZE", NULL, 4096}},
     {4096, 4096}},
    {"dedispersion", "dedispersion",
     {{"BLOCK_X", "block_size_x", 1}, {"BLOCK_Y", "block_size_y", 1}, {"TILE_X", "tile_size_x", 1}, {"TILE_Y", "tile_size_y", 1},
      {"STRIDE_X", "tile_stride_x", 0}, {"STRIDE_Y", "tile_stride_y", 0}, {"UNROLL", "loop_unroll_factor_channel", 0}},
     {25000, 2048}},
    {"pnpoly_counters", "pnpoly",
     {{"BLOCK_X", "block_size_x", 1}, {"TILE_X", "tile_size", 1}, {"BETWEEN", "between_method", 0}, {"USE", "use_method", 0},
      {"VERTICES", NULL, 600}, {"POINTS", NULL, 20000000}},
     {20000000, 1}},
};

struct settings {
    const char *measured, *cache, *plots, *rows;
    int jobs, every;
    const char *clocks[MAX_FILES];
    int clock_count;
};

/* One measured file at work. */
struct job {
    char name[128];
    const struct subject *subject;
    struct gp_device *device;
    struct table table;
    struct config *configs;
    double clock_mhz;
    char *source;
};

static double macro_value(const struct job *job, const struct macro *macro, size_t row)
{
    return macro->column ? table_cell(&job->table, row, macro->column, macro->fixed) : macro->fixed;
}

/* -DNAME=VALUE for each macro, in one string each; the caller frees. */
static size_t row_arguments(const struct job *job, size_t row, char *arguments[MAX_MACROS + 2])
{
    size_t n = 0;
    for (const struct macro *m = job->subject->macros; m->name != NULL; m++)
        if (asprintf(&arguments[n], "-D%s=%.0f", m->name, macro_value(job, m, row)) >= 0)
            n++;
    arguments[n] = NULL;
    return n;
}

static uint64_t hash_text(uint64_t hash, const char *text)
{
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
    return (hash ^ 0xff) * 0x100000001b3u;
}

static void cache_path(const struct settings *settings, const struct job *job, char *const *arguments, char *path, size_t size)
{
    uint64_t hash = hash_text(0xcbf29ce484222325u, job->source);
    hash = hash_text(hash_text(hash, job->device->triple), job->device->cpu);
    for (; *arguments; arguments++)
        hash = hash_text(hash, *arguments);
    snprintf(path, size, "%s/%s-%s-%016llx.gpuperf", settings->cache, job->subject->kernel, job->device->cpu, (unsigned long long)hash);
}

static bool compile_row(const struct settings *settings, const struct job *job, size_t row)
{
    char *arguments[MAX_MACROS + 2], path[512], source[256];
    size_t n = row_arguments(job, row, arguments);
    struct gp_error error = {{0}};
    cache_path(settings, job, arguments, path, sizeof path);
    bool ok = access(path, R_OK) == 0;
    if (!ok) {
        snprintf(source, sizeof source, "%s/kernels/%s.cl", ACCURACY_DIR, job->subject->kernel);
        struct gp_compile_request request = {.source_path = source, .language = "opencl", .arguments = (const char *const *)arguments, .device = job->device,
                                             .for_llvm_compile = gp_arch_is_amd(job->device->arch)};
        struct gp_compile_result result;
        ok = gp_compile(&request, &result, &error);
        if (ok) {
            ok = gp_profile_write_file(result.profile, path, &error);
            gp_compile_result_free(&result);
        }
        if (!ok)
            fprintf(stderr, "accuracy: %s row %zu: %s\n", job->name, row, error.text);
    }
    while (n > 0)
        free(arguments[--n]);
    return ok;
}

/* Rows that share their code share the profile: the cache makes the second one free. Workers take every jobs-th row. */
static void compile_all(const struct settings *settings, const struct job *job)
{
    for (int worker = 0; worker < settings->jobs; worker++) {
        if (fork() != 0)
            continue;
        for (size_t row = (size_t)worker; row < job->table.rows; row += (size_t)settings->jobs)
            compile_row(settings, job, row);
        _exit(0);
    }
    while (wait(NULL) > 0)
        ;
}

static void set_launch(const struct job *job, size_t row, struct gp_launch *launch)
{
    unsigned block[2] = {(unsigned)table_cell(&job->table, row, "block_size_x", 1), (unsigned)table_cell(&job->table, row, "block_size_y", 1)};
    unsigned tile[2] = {(unsigned)table_cell(&job->table, row, table_column(&job->table, "tile_size") >= 0 ? "tile_size" : "tile_size_x", 1),
                        (unsigned)table_cell(&job->table, row, "tile_size_y", 1)};
    struct config *config = &job->configs[row];
    launch->dims = 2;
    for (int d = 0; d < 2; d++) {
        unsigned outputs = block[d] * tile[d];
        launch->local[d] = config->block[d] = block[d];
        launch->global[d] = (uint64_t)((job->subject->range[d] + outputs - 1) / outputs) * block[d];
        config->items[d] = (unsigned)launch->global[d];
    }
    launch->global[2] = launch->local[2] = 1;
}

static bool predict_row(const struct settings *settings, struct job *job, size_t row, struct gp_error *error)
{
    char *arguments[MAX_MACROS + 2], path[512];
    size_t n = row_arguments(job, row, arguments);
    cache_path(settings, job, arguments, path, sizeof path);
    while (n > 0)
        free(arguments[--n]);
    struct config *config = &job->configs[row];
    config->predicted_ms = NAN;
    struct gp_profile *profile = gp_profile_read_file(path, error);
    if (profile == NULL)
        return false;
    const struct gp_kernel *kernel = gp_profile_find(profile, job->subject->kernel);
    static struct gp_launch launch;
    static struct gp_prediction prediction;
    struct gp_predict_options options = {.clock_mhz = job->clock_mhz};
    bool ok = kernel != NULL;
    if (ok) {
        gp_launch_default(kernel, &launch);
        set_launch(job, row, &launch);
        struct gp_predictor *predictor = gp_predictor_new(profile, kernel);
        ok = gp_predict(predictor, job->device, &launch, &options, &prediction, error);
        gp_predictor_free(predictor);
        if (ok && prediction.feasible) {
            config->predicted_ms = prediction.time_ns * 1e-6;
            config->occupancy = prediction.occupancy;
        } else if (ok) {
            ok = gp_fail(error, "%s", prediction.why);
        }
        if (ok && settings->rows)
            fprintf(stderr, "%s,%ux%u,%zu,%.4f,%.4f,%.2f,%s,%u,%u\n", job->name, config->block[0], config->block[1], row, config->measured_ms, config->predicted_ms,
                    prediction.occupancy, gp_limiter_name(prediction.limiter), prediction.registers, prediction.spill_bytes);
    }
    gp_profile_free(profile);
    return ok;
}

/* Columns before time_ms that are no block shape. */
static bool same_slice(const struct table *table, size_t a, size_t b)
{
    int time = table_column(table, "time_ms");
    for (int c = 0; c < time; c++)
        if (strncmp(table->names[c], "block_size", 10) != 0 && table->cells[a * table->columns + (size_t)c] != table->cells[b * table->columns + (size_t)c])
            return false;
    return true;
}

static int by_slice(const void *a, const void *b)
{
    const struct config *x = a, *y = b;
    if (x->slice != y->slice)
        return x->slice < y->slice ? -1 : 1;
    return x->row < y->row ? -1 : x->row > y->row;
}

static void cut_slices(struct job *job)
{
    size_t *firsts = malloc((job->table.rows + 1) * sizeof *firsts), count = 0;
    for (size_t row = 0; row < job->table.rows; row++) {
        size_t s = 0;
        while (s < count && !same_slice(&job->table, firsts[s], row))
            s++;
        if (s == count)
            firsts[count++] = row;
        job->configs[row].slice = s;
        job->configs[row].row = row;
        job->configs[row].measured_ms = table_cell(&job->table, row, "time_ms", NAN);
    }
    free(firsts);
}

/* Keeps every n-th slice. */
static void thin_slices(struct job *job, size_t n)
{
    size_t kept = 0, columns = job->table.columns;
    for (size_t row = 0; row < job->table.rows; row++) {
        if (job->configs[row].slice % n != 0)
            continue;
        memmove(&job->table.cells[kept * columns], &job->table.cells[row * columns], columns * sizeof *job->table.cells);
        job->configs[kept] = job->configs[row];
        job->configs[kept].row = kept;
        kept++;
    }
    job->table.rows = kept;
}

static bool open_job(const struct settings *settings, const char *file, struct job *job, struct gp_error *error)
{
    *job = (struct job){0};
    const char *cut = strstr(file, "__"), *end = strstr(file, ".csv");
    char path[512], device[64];
    if (cut == NULL || end == NULL)
        return gp_fail(error, "%s: the name is not KERNEL__DEVICE.csv", file);
    snprintf(job->name, sizeof job->name, "%.*s", (int)(end - file), file);
    snprintf(device, sizeof device, "%.*s", (int)(end - cut - 2), cut + 2);
    for (size_t i = 0; i < sizeof subjects / sizeof *subjects; i++)
        if (strlen(subjects[i].name) == (size_t)(cut - file) && strncmp(subjects[i].name, file, (size_t)(cut - file)) == 0)
            job->subject = &subjects[i];
    if (job->subject == NULL)
        return gp_fail(error, "%s: no kernel here does that", file);
    snprintf(path, sizeof path, "%s/kernels/%s.cl", ACCURACY_DIR, job->subject->kernel);
    if ((job->source = gp_read_file(path, NULL)) == NULL)
        return gp_fail(error, "%s: %s", path, strerror(errno));
    if ((job->device = gp_device_load(device, getenv("GPUPERF_HWDB"), error)) == NULL)
        return false;
    for (int i = 0; i < settings->clock_count; i++)
        if (strncmp(settings->clocks[i], device, strlen(device)) == 0 && settings->clocks[i][strlen(device)] == '=')
            job->clock_mhz = atof(settings->clocks[i] + strlen(device) + 1);
    snprintf(path, sizeof path, "%s/%s", settings->measured, file);
    if (!table_read(path, &job->table, error))
        return false;
    job->configs = calloc(job->table.rows + 1, sizeof *job->configs);
    cut_slices(job);
    thin_slices(job, (size_t)settings->every);
    return job->configs != NULL;
}

static void close_job(struct job *job)
{
    table_free(&job->table);
    free(job->configs);
    free(job->source);
    gp_device_free(job->device);
}

static void print_score(const struct job *job, size_t failed)
{
    size_t count = job->table.rows;
    unsigned warp = (unsigned)job->device->warp_width.value;
    struct score s = score_predictions(job->configs, count);
    printf("%-32s %5zu %6zu %7.3f %7.3f %8.3f %6.2f %6.2f %7.0f%% %7.0f%%", job->name, s.slices, s.configs, s.regret, s.regret_90, s.spearman, s.top1, s.top3,
           100 * s.mape, 100 * s.median_ape);
    for (size_t i = 0; i < baseline_count; i++)
        printf(" %8.2f", score_rule(job->configs, count, warp, baselines[i].pick));
    printf(" %8.2f %8.2f\n", score_random(job->configs, count), score_fixed_shape(job->configs, count));
    if (failed > 0)
        printf("%-32s %zu configurations have no prediction\n", "", failed);
    for (size_t i = 0; i < count; i++)
        if (job->configs[i].slice == s.worst_slice) {
            printf("%-32s worst slice: that of row %zu, regret %.2f\n", "", job->configs[i].row + 2, s.worst_regret);
            break;
        }
}

static bool run_file(const struct settings *settings, const char *file, struct score *score, double *regret_sum, double *spearman_sum, int *spearmans, struct gp_error *error)
{
    struct job job;
    if (!open_job(settings, file, &job, error)) {
        close_job(&job);
        return false;
    }
    compile_all(settings, &job);
    size_t failed = 0;
    struct gp_error first = {{0}}, why;
    for (size_t row = 0; row < job.table.rows; row++)
        if (!predict_row(settings, &job, row, &why) && failed++ == 0)
            first = why;
    qsort(job.configs, job.table.rows, sizeof *job.configs, by_slice);
    print_score(&job, failed);
    if (failed > 0)
        printf("%-32s first of these: %s\n", "", first.text);
    *score = score_predictions(job.configs, job.table.rows);
    *regret_sum += log(score->regret);
    if (score->spearman_slices > 0) {
        *spearman_sum += score->spearman;
        (*spearmans)++;
    }
    if (settings->plots && !plot_times(settings->plots, job.name, job.configs, job.table.rows, error))
        fprintf(stderr, "accuracy: %s\n", error->text);
    close_job(&job);
    fflush(stdout);
    return true;
}

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static int find_files(const struct settings *settings, char *const *wanted, char *files[MAX_FILES])
{
    DIR *dir = opendir(settings->measured);
    int count = 0;
    if (dir == NULL)
        return -1;
    for (struct dirent *entry; (entry = readdir(dir)) != NULL && count < MAX_FILES;) {
        if (strstr(entry->d_name, "__") == NULL || strstr(entry->d_name, ".csv") == NULL)
            continue;
        bool take = *wanted == NULL;
        for (char *const *w = wanted; *w != NULL; w++)
            take |= strstr(entry->d_name, *w) != NULL;
        if (take)
            files[count++] = strdup(entry->d_name);
    }
    closedir(dir);
    qsort(files, (size_t)count, sizeof *files, by_name);
    return count;
}

static bool parse_options(int argc, char **argv, struct settings *settings)
{
    static const struct option options[] = {{"measured", 1, 0, 'm'}, {"cache", 1, 0, 'c'}, {"plots", 1, 0, 'p'}, {"jobs", 1, 0, 'j'},
                                            {"clock", 1, 0, 'k'}, {"rows", 0, 0, 'r'}, {"slices", 1, 0, 's'}, {0}};
    for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        switch (option) {
        case 'm': settings->measured = optarg; break;
        case 'c': settings->cache = optarg; break;
        case 'p': settings->plots = optarg; break;
        case 'j': settings->jobs = atoi(optarg); break;
        case 's': settings->every = atoi(optarg); break;
        case 'r': settings->rows = "stderr"; break;
        case 'k':
            if (settings->clock_count < MAX_FILES)
                settings->clocks[settings->clock_count++] = optarg;
            break;
        default: return false;
        }
    }
    return settings->jobs > 0 && settings->every > 0;
}

int main(int argc, char **argv)
{
    struct settings settings = {.measured = "../shared/measured", .cache = "build/accuracy", .jobs = 2, .every = 1};
    char *files[MAX_FILES];
    struct gp_error error = {{0}};
    if (!parse_options(argc, argv, &settings)) {
        fprintf(stderr, "usage: accuracy [--measured DIR] [--cache DIR] [--plots DIR] [--jobs N] [--clock DEVICE=MHZ]... [--slices N] [--rows] [NAME...]\n");
        return 2;
    }
    int count = find_files(&settings, argv + optind, files);
    if (count <= 0) {
        fprintf(stderr, "accuracy: no measured times in %s; say where they are with --measured DIR\n", settings.measured);
        return 1;
    }
    mkdir(settings.cache, 0777);
    if (settings.plots)
        mkdir(settings.plots, 0777);
    printf("%-32s %5s %6s %7s %7s %8s %6s %6s %8s %8s", "file", "slice", "config", "regret", "90th", "spearman", "top1", "top3", "mean err", "median");
    for (size_t i = 0; i < baseline_count; i++)
        printf(" %8.8s", baselines[i].name);
    printf(" %8s %8s\n", "random", "fixed");
    double regrets = 0, spearman = 0;
    int done = 0, spearmans = 0, status = 0;
    for (int i = 0; i < count; i++) {
        struct score score;
        if (run_file(&settings, files[i], &score, &regrets, &spearman, &spearmans, &error)) {
            done++;
        } else {
            fprintf(stderr, "accuracy: %s\n", error.text);
            status = 1;
        }
        free(files[i]);
    }
    if (done > 0)
        printf("macro: regret %.3f, spearman %.3f over %d files\n", exp(regrets / done), spearmans ? spearman / spearmans : NAN, done);
    return status;
}
