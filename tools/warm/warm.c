/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * gpuperf warm FILE: fills the layer's cache ahead, so that a program's first launch finds its decision. FILE is a
 * recording (GPUPERF_RECORD) or an OpenCL source; of a source gpuperf.yaml may state launches. A process of its own
 * builds the programs under the layer, as the program would, and launches nothing (rehearse_all.h).
 *
 *   pthread-skylake-avx512
 *       blur_h      1920x1080      decided     240x1, predicted 1.42x as fast as the driver's 8x90
 *       sums        1048576        left alone  results may depend on the local size: it has a barrier
 */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/prefix.h"
#include "tools/cache_folder.h"
#include "tools/check/look.h"
#include "tools/command.h"
#include "tools/opencl_devices.h"
#include "tools/warm/rehearse_all.h"

struct warm {
    const char *path, *config_path;
    char layer[4096], cache[4096];
    struct gp_check_config config;
    struct gp_arguments kernels, options;
    struct gp_warm_program *programs;
    size_t count;
};

/* ---- The command line ---- */

enum { OPTION_KERNEL = GP_FIRST_OPTION, OPTION_CONFIG };
static const struct option options[] = {
    {"kernel", required_argument, NULL, OPTION_KERNEL}, {"config", required_argument, NULL, OPTION_CONFIG}, {0}};

static bool parse(struct warm *w, const struct gp_command_line *line, struct gp_error *error)
{
    optind = 1;
    int option;
    while ((option = getopt_long(line->count, line->arguments, ":", options, NULL)) != -1) {
        if (option == '?' || option == ':') {
            gp_bad_option(line, option, error);
            return false;
        }
        if (option == OPTION_KERNEL)
            gp_arguments_add(&w->kernels, "%s", optarg);
        else
            w->config_path = optarg;
    }
    if (line->count - optind != 1)
        return gp_fail(error,
                       "'warm' takes one file: gpuperf warm [OPTIONS] FILE [-- BUILD-OPTIONS]; an OpenCL source, or a "
                       "recording of GPUPERF_RECORD");
    w->path = line->arguments[optind];
    gp_arguments_add_all(&w->options, (const char *const *)line->rest);
    return true;
}

/* ---- The programs ---- */

static bool add_program(struct warm *w, const char *path, const struct gp_arguments *with, bool recorded,
                        struct gp_error *error)
{
    struct gp_warm_program *programs = realloc(w->programs, (w->count + 1) * sizeof *programs);
    if (programs == NULL)
        return gp_fail(error, "out of memory");
    w->programs = programs;
    programs[w->count++] = (struct gp_warm_program){.path = path, .options = with, .recorded = recorded};
    return true;
}

static bool is_there(const struct warm *w, const struct gp_check_launch *launch)
{
    for (size_t i = 0; i < w->count; i++) {
        const struct gp_arguments *with = w->programs[i].options;
        bool same = strcmp(w->programs[i].path, launch->source) == 0 && with->count == launch->options.count;
        for (size_t k = 0; same && k < with->count; k++)
            same = strcmp(with->items[k], launch->options.items[k]) == 0;
        if (same)
            return true;
    }
    return false;
}

/* Each source with each set of options once. */
static bool add_recorded(struct warm *w, struct gp_error *error)
{
    for (size_t i = 0; i < w->config.count; i++)
        for (size_t l = 0; l < w->config.rules[i].launch_count; l++) {
            const struct gp_check_launch *launch = &w->config.rules[i].launches[l];
            if (launch->source != NULL && !is_there(w, launch) &&
                !add_program(w, launch->source, &launch->options, true, error))
                return false;
        }
    return w->count > 0 ||
           gp_fail(error, "%s has no launch whose source is known; GPUPERF_RECORD writes them", w->path);
}

static bool check_source(const char *path, struct gp_error *error)
{
    if (access(path, R_OK) != 0)
        return gp_fail(error, "cannot read %s: %s", path, strerror(errno));
    return gp_ends_with(path, ".cl") || gp_ends_with(path, ".clcpp") ||
           gp_fail(error, "%s is neither an OpenCL source (.cl, .clcpp) nor a recording (.yaml)", path);
}

static bool find_programs(struct warm *w, struct gp_error *error)
{
    if (gp_is_recording(w->path))
        return gp_check_config_load(w->path, &w->config, error) && add_recorded(w, error);
    return check_source(w->path, error) && gp_check_config_find(w->config_path, &w->config, error) &&
           add_program(w, w->path, &w->options, false, error);
}

/* ---- What the layer needs ---- */

static bool find_layer(struct warm *w, struct gp_error *error)
{
    if (!gp_find_layer(w->layer))
        return gp_fail(error, "libgpuperf-opencl.so is missing: build gpuperf with -DGPUPERF_LAYER=ON and install it "
                              "whole");
    if (!gp_cache_folder(w->cache) || w->cache[0] == '\0')
        return gp_fail(error, "there is no cache to fill: %s",
                       getenv("GPUPERF_CACHE") != NULL ? "GPUPERF_CACHE is empty"
                                                       : "HOME is not set; set GPUPERF_CACHE to its folder");
    return true;
}

/* ---- The process ---- */

/* Drivers may print what they like: not among the answers. */
static _Noreturn void run_child(const struct warm *w, int answers)
{
    struct gp_warm_question question = {
        .layer = w->layer, .programs = w->programs, .count = w->count, .config = &w->config, .kernels = &w->kernels};
    FILE *file = fdopen(answers, "w");
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    dup2(STDERR_FILENO, STDOUT_FILENO);
    if (file != NULL) {
        gp_rehearse_all(&question, file);
        fclose(file);
    }
    exit(0); /* the layer keeps what it knows at the end */
}

static bool read_answers(const struct warm *w, struct gp_text *text, struct gp_error *error)
{
    int ends[2], status = 0;
    char bytes[4096];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return gp_fail(error, "cannot start a process: %s", strerror(errno));
    fflush(NULL);
    pid_t child = fork();
    if (child == 0)
        run_child(w, ends[1]);
    close(ends[1]);
    for (ssize_t count;
         child > 0 && ((count = read(ends[0], bytes, sizeof bytes)) > 0 || (count < 0 && errno == EINTR));)
        if (count > 0)
            gp_text_append(text, bytes, (size_t)count);
    close(ends[0]);
    if (child < 0)
        return gp_fail(error, "cannot start a process: %s", strerror(errno));
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    return !WIFSIGNALED(status) ||
           gp_fail(error, "the process with the OpenCL driver was ended by signal %d", WTERMSIG(status));
}

/* ---- The result ---- */

static bool is_kept(const struct warm *w)
{
    char file[4200];
    snprintf(file, sizeof file, "%s/gpuperf.db", w->cache);
    return access(file, W_OK) == 0;
}

/* *failed: what could not be read, built or analysed in time. */
static bool print_answers(const struct warm *w, char *text, unsigned long *failed, struct gp_text *out,
                          struct gp_error *error)
{
    unsigned long decided = 0, analysed = 0, alone = 0, devices = 0;
    for (char *line; (line = strsep(&text, "\n")) != NULL;) {
        if (line[0] == '!')
            return gp_fail(error, "%s", line + 2);
        if (line[0] == '=')
            sscanf(line, "= %lu %lu %lu %lu %lu", &decided, &analysed, &alone, failed, &devices);
        else if (line[0] != '\0' || text != NULL)
            gp_text_printf(out, "%s\n", line);
    }
    if (devices == 0)
        return gp_fail(error, "OpenCL has no device here; see gpuperf doctor");
    if (decided + analysed > 0 && !is_kept(w))
        return gp_fail(error, "%s cannot be written to: nothing is kept", w->cache);
    gp_text_printf(out, "\n%lu decided, %lu analysed, %lu left alone, %lu failed; kept in %s\n", decided, analysed,
                   alone, *failed, w->cache);
    return true;
}

static void release(struct warm *w)
{
    free(w->programs);
    gp_check_config_free(&w->config);
    gp_arguments_free(&w->kernels);
    gp_arguments_free(&w->options);
}

/* 0: all was looked at. 1: something could not be. 2: wrong usage. */
enum gp_status gp_warm_command(const struct gp_command_line *line, struct gp_text *out, struct gp_error *error)
{
    struct warm w = {0};
    struct gp_text answers = {0};
    enum gp_status status = GP_STATUS_USAGE;
    unsigned long failed = 0;
    if (parse(&w, line, error)) {
        bool done = find_programs(&w, error) && find_layer(&w, error) && read_answers(&w, &answers, error) &&
                    print_answers(&w, answers.data, &failed, out, error);
        status = !done ? GP_STATUS_FAILED : failed > 0 ? GP_STATUS_TOLD_FAILED : GP_STATUS_OK;
    }
    gp_text_free(&answers);
    release(&w);
    return status;
}
