/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * gpu_kit --device NAME [--out DIR] [--compiled DIR] [--every N] [--once] [--opencl] [--small] [NAME...]
 * gpu_kit --compile-only sm_XX [--out DIR] [--every N] [NAME...]
 *
 * Times every kernel of cases.c in every block shape on the GPU of this machine, checks the results against a reference
 * on the CPU, and writes DIR/KERNEL__NAME.csv (default bench/gpu/results/NAME) with a row per configuration: block
 * shape, tunables, median and mean time, registers, shared and local memory, and the clock of the SMs. NAME is the
 * device's name in hwdb/; `accuracy --measured DIR` scores predictions on it.
 *
 * --every N takes every N-th configuration; --once launches each configuration once, in order, for a profiler, and
 * writes no times. --opencl takes the first OpenCL device instead, --small little inputs: to try the kit out.
 * --compile-only gives every batch to nvcc, as many at once as there are processors, and keeps what comes out in DIR:
 * for --compiled DIR of a run with the same --every.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bench/gpu/device.h"

enum { BATCH = 32, WARM_UPS = 3, FEWEST = 5, MOST = 51 };

struct settings {
    const char *device, *out, *architecture, *compiled;
    bool opencl, small, once;
    size_t every;
};

struct result {
    double median_ms, mean_ms, clock_mhz;
    struct kernel_facts facts;
    bool valid;
};

/* One case at work. */
struct job {
    const struct gpu_case *item;
    struct subject subject;
    struct table table;
    struct arrays arrays;
    struct result *results;
    size_t wrong, refused;
    struct gp_error why; /* of the last row that the device refused */
};

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- Timing ---------------------------------------------------------------------------------------------------- */

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/*
 * After warm-ups: at least FEWEST times, and more until they add up to ENOUGH. A launch alone takes some microseconds
 * to begin and to end between two events; of short kernels as many as take SPAN are launched at a time, so that one
 * begins as the other ends.
 */
static bool time_row(struct device *device, const char *kernel, const struct gp_launch *launch, struct result *result,
                     struct gp_error *error)
{
    const double ENOUGH = 15, SPAN = 1; /* ms */
    double times[MOST], sum = 0, first;
    int count = 0;
    for (int i = 0; i < WARM_UPS; i++)
        if (!device->time(device, kernel, launch, 1, &first, error))
            return false;
    unsigned together = first < SPAN ? (unsigned)ceil(SPAN / fmax(first, 0.001)) : 1;
    for (; count < MOST && (count < FEWEST || sum * together < ENOUGH); count++) {
        if (!device->time(device, kernel, launch, together, &times[count], error))
            return false;
        sum += times[count];
    }
    result->clock_mhz = device->clock_mhz(device);
    qsort(times, (size_t)count, sizeof *times, ascending);
    result->median_ms = times[count / 2];
    result->mean_ms = sum / count;
    return true;
}

/* A row that the device refuses (too many registers for its size, say) is left out, like a wrong one; the latter fails
 * the run. */
static void run_row(struct job *job, struct device *device, const char *kernel, size_t row, bool once)
{
    struct gp_launch *launch = calloc(1, sizeof *launch);
    struct result *result = &job->results[row];
    if (launch == NULL)
        return;
    subject_launch(&job->subject, &job->table, row, launch);
    if (!device->run(device, kernel, launch, &job->arrays, &job->why)) {
        job->refused++;
    } else {
        double error = job->item->error(&job->subject, &job->table, row, &job->arrays);
        if (!(error <= 1)) {
            fprintf(stderr, "gpu_kit: %s %ux%u (row %zu): wrong result, %.3g times the error that rounding explains\n",
                    job->item->file, launch->local[0], launch->local[1], row + 2, error);
            job->wrong++;
        } else if (once) {
            result->valid = true;
        } else if (time_row(device, kernel, launch, result, &job->why) &&
                   device->facts(device, kernel, &result->facts)) {
            result->valid = true;
        } else {
            job->refused++;
        }
    }
    free(launch);
}

/* ---- Cases ----------------------------------------------------------------------------------------------------- */

static double largest_stride(const struct table *table)
{
    double largest = 1;
    for (size_t row = 0; row < table->rows; row++)
        largest = fmax(largest, table_cell(table, row, "stride", 1));
    return largest;
}

static bool open_job(const struct settings *settings, const struct gpu_case *item, struct job *job,
                     struct gp_error *error)
{
    const struct subject *subject = subject_find(item->file, strlen(item->file));
    *job = (struct job){.item = item};
    if (subject == NULL)
        return gp_fail(error, "%s: no such subject", item->file);
    job->subject = settings->small ? subject_small(subject) : *subject;
    if (!case_rows(item, &job->subject, &job->table) ||
        (job->results = calloc(job->table.rows + 1, sizeof *job->results)) == NULL)
        return gp_fail(error, "out of memory");
    size_t columns = job->table.columns, kept = 0;
    for (size_t row = 0; row < job->table.rows; row += settings->every, kept++)
        memmove(&job->table.cells[kept * columns], &job->table.cells[row * columns],
                columns * sizeof *job->table.cells);
    job->table.rows = kept;
    return true;
}

static void close_job(struct job *job)
{
    table_free(&job->table);
    arrays_free(&job->arrays);
    free(job->results);
}

static char *batch_of(const struct job *job, size_t first, size_t *count)
{
    size_t rows[BATCH];
    *count = job->table.rows - first < BATCH ? job->table.rows - first : BATCH;
    for (size_t i = 0; i < *count; i++)
        rows[i] = first + i;
    return subject_batch(&job->subject, &job->table, rows, *count);
}

static bool write_csv(const struct settings *settings, const struct job *job, struct gp_error *error)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s__%s.csv", settings->out, job->item->file, settings->device);
    FILE *out = fopen(path, "w");
    if (out == NULL)
        return gp_fail(error, "%s: %s", path, strerror(errno));
    for (size_t c = 0; c < job->table.columns; c++)
        fprintf(out, "%s,", job->table.names[c]);
    fprintf(out, "time_ms,mean_ms,regs,smem_bytes,local_bytes,sm_mhz\n");
    for (size_t row = 0; row < job->table.rows; row++) {
        const struct result *r = &job->results[row];
        for (size_t c = 0; r->valid && c < job->table.columns; c++)
            fprintf(out, "%.0f,", job->table.cells[row * job->table.columns + c]);
        if (r->valid)
            fprintf(out, "%.6g,%.6g,%d,%d,%d,%.0f\n", r->median_ms, r->mean_ms, r->facts.registers,
                    r->facts.shared_bytes, r->facts.local_bytes, r->clock_mhz);
    }
    return fclose(out) == 0 || gp_fail(error, "%s: %s", path, strerror(errno));
}

static bool run_case(const struct settings *settings, const struct gpu_case *item, struct device *device,
                     struct gp_error *error)
{
    struct job job;
    double begin = seconds();
    bool done = open_job(settings, item, &job, error) &&
                (item->make(&job.subject, largest_stride(&job.table), &job.arrays) || gp_fail(error, "out of memory"));
    done = done && device->upload(device, &job.arrays, error);
    for (size_t first = 0, count; done && first < job.table.rows; first += count) {
        char *source = batch_of(&job, first, &count), compiled[512];
        snprintf(compiled, sizeof compiled, "%s/%s-%zu.cubin", settings->compiled, item->file, first);
        done = source != NULL ? device->build(device, source, settings->compiled != NULL ? compiled : NULL, error)
                              : gp_fail(error, "out of memory");
        for (size_t i = 0; done && i < count; i++) {
            char kernel[64];
            snprintf(kernel, sizeof kernel, "%s_%zu", job.subject.kernel, i);
            run_row(&job, device, kernel, first + i, settings->once);
        }
        free(source);
    }
    done = done && (settings->once || write_csv(settings, &job, error));
    if (done) {
        printf("%-14s %4zu configurations, %zu refused, %zu wrong, %.1f s\n", item->file, job.table.rows, job.refused,
               job.wrong, seconds() - begin);
        if (job.refused > 0)
            printf("%-14s last refusal: %s\n", "", job.why.text);
        fflush(stdout);
    }
    if (done && job.wrong > 0)
        done = gp_fail(error, "%s: wrong results", item->file);
    close_job(&job);
    return done;
}

static bool compile_batch(const struct settings *settings, const struct job *job, size_t first, struct gp_error *error)
{
    char path[512];
    size_t count;
    char *source = batch_of(job, first, &count);
    snprintf(path, sizeof path, "%s/%s-%zu", settings->out, job->item->file, first);
    bool done =
        source != NULL ? cuda_compile(source, settings->architecture, path, error) : gp_fail(error, "out of memory");
    free(source);
    return done;
}

/* Waits for one of the compilers. */
static bool compiler_done(struct gp_error *error)
{
    int status = 0;
    return wait(&status) > 0 && status == 0 ? true : gp_fail(error, "nvcc refuses a batch");
}

/* A process per batch. */
static bool compile_case(const struct settings *settings, const struct gpu_case *item, struct gp_error *error)
{
    struct job job;
    long running = 0, most = sysconf(_SC_NPROCESSORS_ONLN);
    bool done = open_job(settings, item, &job, error);
    for (size_t first = 0; done && first < job.table.rows; first += BATCH) {
        if (running == most) {
            done = compiler_done(error);
            running--;
        }
        pid_t child = done ? fork() : -1;
        if (child == 0) {
            done = compile_batch(settings, &job, first, error);
            if (!done)
                fprintf(stderr, "gpu_kit: %s\n", error->text);
            _exit(!done);
        }
        running += child > 0;
        if (done && child < 0)
            done = gp_fail(error, "cannot start a process: %s", strerror(errno));
    }
    for (; running > 0; running--)
        done &= compiler_done(error);
    if (done)
        printf("%-14s %4zu configurations compile for %s\n", item->file, job.table.rows, settings->architecture);
    fflush(stdout);
    close_job(&job);
    return done;
}

/* ---- The program ----------------------------------------------------------------------------------------------- */

static bool parse_options(int argc, char **argv, struct settings *settings)
{
    static const struct option options[] = {{"device", 1, 0, 'd'},   {"out", 1, 0, 'o'},   {"compile-only", 1, 0, 'c'},
                                            {"opencl", 0, 0, 'O'},   {"small", 0, 0, 's'}, {"every", 1, 0, 'e'},
                                            {"compiled", 1, 0, 'C'}, {"once", 0, 0, '1'},  {0}};
    for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        switch (option) {
        case 'd': settings->device = optarg; break;
        case 'o': settings->out = optarg; break;
        case 'C': settings->compiled = optarg; break;
        case 'c': settings->architecture = optarg; break;
        case 'O': settings->opencl = true; break;
        case 's': settings->small = true; break;
        case '1': settings->once = true; break;
        case 'e': settings->every = (size_t)atol(optarg); break;
        default: return false;
        }
    }
    return (settings->device != NULL) != (settings->architecture != NULL) && settings->every > 0;
}

static bool wanted(const struct gpu_case *item, char *const *names)
{
    bool take = *names == NULL;
    for (; *names != NULL; names++)
        take |= strcmp(item->file, *names) == 0;
    return take;
}

static bool make_directory(struct settings *settings, char *path, size_t size, struct gp_error *error)
{
    if (settings->out == NULL) {
        snprintf(path, size, "%s/gpu/results/%s", BENCH_DIR,
                 settings->device ? settings->device : settings->architecture);
        settings->out = path;
        char parent[512];
        snprintf(parent, sizeof parent, "%s/gpu/results", BENCH_DIR);
        mkdir(parent, 0777);
    }
    return mkdir(settings->out, 0777) == 0 || errno == EEXIST ||
           gp_fail(error, "%s: %s", settings->out, strerror(errno));
}

int main(int argc, char **argv)
{
    struct settings settings = {.every = 1};
    struct device device = {.name = ""};
    struct gp_error error = {{0}};
    char path[512];
    int status = 0;
    if (!parse_options(argc, argv, &settings)) {
        fprintf(stderr, "usage: gpu_kit --device NAME [--out DIR] [--compiled DIR] [--every N] [--once] [--opencl] "
                        "[--small] [NAME...]\n"
                        "       gpu_kit --compile-only sm_XX [--out DIR] [--every N] [NAME...]\n");
        return 2;
    }
    bool compiles = settings.architecture != NULL;
    if (!compiles && !(settings.opencl ? device_open_opencl(&device, &error) : device_open_cuda(&device, &error))) {
        fprintf(stderr, "gpu_kit: %s\n", error.text);
        return 1;
    }
    if (!compiles)
        printf("%s\n", device.name);
    if (!make_directory(&settings, path, sizeof path, &error)) {
        fprintf(stderr, "gpu_kit: %s\n", error.text);
        status = 1;
    }
    for (size_t i = 0; status != 1 && i < gpu_case_count; i++)
        if (wanted(&gpu_cases[i], argv + optind) && !(compiles ? compile_case(&settings, &gpu_cases[i], &error)
                                                               : run_case(&settings, &gpu_cases[i], &device, &error))) {
            fprintf(stderr, "gpu_kit: %s\n", error.text);
            status = 3; /* the others still run */
        }
    if (!compiles)
        device.close(&device);
    return status;
}
