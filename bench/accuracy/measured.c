/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#define _GNU_SOURCE
#include "bench/accuracy/measured.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compile/compile.h"
#include "model/assume/defaults.h"
#include "model/assume/stated.h"

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

int measured_find(const char *directory, char *const *wanted, char *files[MAX_FILES])
{
    DIR *dir = opendir(directory);
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

/* ---- Slices ---------------------------------------------------------------------------------------------------- */

/* Columns before time_ms that are no block shape. */
bool measured_same_slice(const struct table *a, size_t row_a, const struct table *b, size_t row_b)
{
    int time = table_column(a, "time_ms");
    for (int c = 0; c < time; c++) {
        double here = a->cells[row_a * a->columns + (size_t)c];
        if (strncmp(a->names[c], "block_size", 10) != 0 && table_cell(b, row_b, a->names[c], here) != here)
            return false;
    }
    return true;
}

static bool cut_slices(struct measured *m)
{
    size_t *firsts = malloc((m->table.rows + 1) * sizeof *firsts), count = 0;
    m->slice = calloc(m->table.rows + 1, sizeof *m->slice);
    for (size_t row = 0; m->slice != NULL && firsts != NULL && row < m->table.rows; row++) {
        size_t s = 0;
        while (s < count && !measured_same_slice(&m->table, firsts[s], &m->table, row))
            s++;
        if (s == count)
            firsts[count++] = row;
        m->slice[row] = s;
    }
    bool done = m->slice != NULL && firsts != NULL;
    free(firsts);
    return done;
}

static void thin_slices(struct measured *m, size_t every)
{
    size_t kept = 0, columns = m->table.columns;
    for (size_t row = 0; row < m->table.rows; row++) {
        if (m->slice[row] % every != 0)
            continue;
        memmove(&m->table.cells[kept * columns], &m->table.cells[row * columns], columns * sizeof *m->table.cells);
        m->slice[kept++] = m->slice[row];
    }
    m->table.rows = kept;
}

/* ---- Opening --------------------------------------------------------------------------------------------------- */

static bool take_name(struct measured *m, const char *file, char device[64], struct gp_error *error)
{
    const char *cut = strstr(file, "__"), *end = strstr(file, ".csv");
    if (cut == NULL || end == NULL)
        return gp_fail(error, "%s: the name is not KERNEL__DEVICE.csv", file);
    snprintf(m->name, sizeof m->name, "%.*s", (int)(end - file), file);
    snprintf(device, 64, "%.*s", (int)(end - cut - 2), cut + 2);
    m->subject = subject_find(file, (size_t)(cut - file));
    return m->subject != NULL || gp_fail(error, "%s: no kernel here does that", file);
}

static void prepare_device(struct gp_device *device)
{
    device->cu_mode =
        device->arch == GP_ARCH_RDNA; /* Kernel Tuner compiles with hiprtc, whose default that was (ROCm/hip#3374) */
}

/* A device of another file of the kernel that the same code serves. */
static struct gp_device *find_sibling(const struct measured *m, char *const *others)
{
    char name[64];
    struct gp_error ignored;
    size_t kernel = (size_t)(strstr(m->name, "__") - m->name);
    for (; others != NULL && *others != NULL; others++) {
        struct measured other = {0};
        bool alike = strncmp(*others, m->name, kernel + 2) == 0 && take_name(&other, *others, name, &ignored);
        struct gp_device *device = alike ? gp_device_load(name, getenv("GPUPERF_HWDB"), &ignored) : NULL;
        if (device != NULL && strcmp(device->cpu, m->device->cpu) != 0 && gp_compile_siblings(m->device, device)) {
            prepare_device(device);
            return device;
        }
        gp_device_free(device);
    }
    return NULL;
}

bool measured_open(struct measured *m, const char *file, const struct measured_options *options, struct gp_error *error)
{
    char path[512], device[64];
    *m = (struct measured){0};
    if (!take_name(m, file, device, error) ||
        (m->device = gp_device_load(device, getenv("GPUPERF_HWDB"), error)) == NULL)
        return false;
    if (gp_arch_is_amd(m->device->arch)) {
        m->amd = subject_on_amd(m->subject);
        m->subject = &m->amd;
    }
    prepare_device(m->device);
    snprintf(path, sizeof path, "%s/%s", options->directory, file);
    if (!table_read(path, &m->table, error))
        return false;
    if (!cut_slices(m))
        return gp_fail(error, "out of memory");
    thin_slices(m, options->every);
    m->sibling = find_sibling(m, options->others);
    m->profiles = (struct profiles){.cache = options->cache,
                                    .maker = options->maker,
                                    .subject = m->subject,
                                    .device = m->device,
                                    .sibling = m->sibling,
                                    .table = &m->table,
                                    .nvcc = options->nvcc,
                                    .each_row = options->each_row,
                                    .batch = options->batch};
    return profiles_open(&m->profiles, error);
}

void measured_close(struct measured *m)
{
    profiles_close(&m->profiles);
    table_free(&m->table);
    free(m->slice);
    gp_device_free(m->device);
    gp_device_free(m->sibling);
}

bool measured_launch(const struct measured *m, size_t row, const struct gp_kernel *kernel, struct gp_launch *launch,
                     struct gp_error *error)
{
    const char *assume = subject_assume(m->subject, &m->table, row);
    gp_launch_default(kernel, launch);
    subject_launch(m->subject, &m->table, row, launch);
    return assume == NULL || gp_launch_assume(kernel, launch, assume, error);
}

static bool predict_launch(const struct measured *m, size_t row, const struct gp_kernel *kernel,
                           struct gp_predictor *predictor, const struct gp_predict_options *options,
                           struct gp_prediction *prediction, struct gp_error *error)
{
    struct gp_launch *launch = malloc(sizeof *launch);
    if (launch == NULL || predictor == NULL) {
        free(launch);
        return gp_fail(error, "out of memory");
    }
    bool done = measured_launch(m, row, kernel, launch, error) &&
                gp_predict(predictor, m->device, launch, options, prediction, error) &&
                (prediction->feasible || gp_fail(error, "%s", prediction->why));
    free(launch);
    return done;
}

bool measured_predict(const struct measured *m, size_t row, const struct gp_predict_options *options,
                      struct gp_prediction *prediction, struct gp_error *error)
{
    struct gp_profile *profile = profiles_read(&m->profiles, row, error);
    if (profile == NULL)
        return false;
    const struct gp_kernel *kernel = gp_profile_find(profile, m->subject->kernel);
    struct gp_predictor *predictor = kernel != NULL ? gp_predictor_new(profile, kernel) : NULL;
    bool done = kernel != NULL ? predict_launch(m, row, kernel, predictor, options, prediction, error)
                               : gp_fail(error, "the profile has no kernel %s", m->subject->kernel);
    gp_predictor_free(predictor);
    gp_profile_free(profile);
    return done;
}
