/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#define _GNU_SOURCE
#include "compile/job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compile/locate.h"
#include "compile/preludes.h"
#include "support/prefix.h"

/*
 * nvcc, or for OpenCL C NVRTC, the same compiler as a library: it takes functions beside the kernels, which nvcc would
 * have marked as the device's, has no compiler for the host beside it, and is done in a third of the time.
 */

/* ---- The caller's arguments, which are clang's ---- */

/* One whose value may stand behind it. */
static bool takes_value(const char *argument)
{
    return strcmp(argument, "-D") == 0 || strcmp(argument, "-U") == 0 || strcmp(argument, "-I") == 0 ||
           strcmp(argument, "-include") == 0 || strcmp(argument, "-isystem") == 0;
}

/* Others say nothing that changes registers, or nothing that nvcc could be told. */
static const struct {
    const char *clangs, *nvccs;
} renamed[] = {
    {"-ffast-math", "-use_fast_math"},
    {"-cl-fast-relaxed-math", "-use_fast_math"},
    {"-cl-denorms-are-zero", "-ftz=true"},
    {"-fgpu-flush-denormals-to-zero", "-ftz=true"},
    {"-ffp-contract=off", "-fmad=false"},
    {"-use_fast_math", "-use_fast_math"},
    {"-ftz=true", "-ftz=true"},
    {"-fmad=false", "-fmad=false"},
};

static bool has_argument(const char *const *arguments, const char *wanted)
{
    for (size_t i = 0; arguments != NULL && arguments[i] != NULL; i++)
        if (strcmp(arguments[i], wanted) == 0)
            return true;
    return false;
}

/* "N=3" as #define N 3, "N" as #define N 1. */
static void define(struct gp_text *macros, const char *macro)
{
    size_t name = strcspn(macro, "=");
    gp_text_printf(macros, "#define %.*s %s\n", (int)name, macro, macro[name] == '=' ? macro + name + 1 : "1");
}

/* An argument in one piece. Macros go into `macros`, where there is one. */
static void translate_one(const char *option, const char *value, struct gp_arguments *arguments, struct gp_text *macros)
{
    if (macros != NULL && strcmp(option, "-D") == 0)
        define(macros, value);
    else if (macros != NULL && strcmp(option, "-U") == 0)
        gp_text_printf(macros, "#undef %s\n", value);
    else if (strcmp(option, "-include") == 0)
        gp_arguments_add(arguments, "-include=%s", value);
    else
        gp_arguments_add(arguments, "%s%s", strcmp(option, "-isystem") == 0 ? "-I" : option, value);
}

static void translate(const char *const *clangs, struct gp_arguments *arguments, struct gp_text *macros)
{
    for (size_t i = 0; clangs != NULL && clangs[i] != NULL; i++) {
        char option[3] = "";
        strncat(option, clangs[i], 2);
        if (takes_value(clangs[i]) && clangs[i + 1] != NULL) {
            translate_one(clangs[i], clangs[i + 1], arguments, macros);
            i++;
        } else if (strlen(clangs[i]) > 2 && takes_value(option)) {
            translate_one(option, clangs[i] + 2, arguments, macros);
        } else if (gp_starts_with(clangs[i], "-std=c++")) {
            gp_arguments_add(arguments, "%s", clangs[i]);
        }
        for (size_t r = 0; r < sizeof renamed / sizeof renamed[0]; r++)
            if (gp_is_option(clangs[i], renamed[r].clangs))
                gp_arguments_add(arguments, "%s", renamed[r].nvccs);
    }
}

/* ---- The run ---- */

/* OpenCL asks for division and roots that are right to a few units in the last place. */
static bool add_opencl(struct gp_job *job, const char *macros, struct gp_arguments *arguments)
{
    char *prelude = gp_workdir_file(&job->directory, "nvcc_prelude.h");
    bool written = gp_write_nvcc_prelude(prelude, macros, NULL);
    gp_arguments_add(arguments, "-include=%s", prelude);
    free(prelude);
    if (!has_argument(job->request->arguments, "-cl-fp32-correctly-rounded-divide-sqrt")) {
        gp_arguments_add(arguments, "-prec-div=false");
        gp_arguments_add(arguments, "-prec-sqrt=false");
    }
    return written;
}

/* The source is compiled for the target, machine code is made for the chip. NVRTC takes one name for both. */
static void add_chip(const struct gp_job *job, const struct gp_target *target, struct gp_arguments *arguments)
{
    if (job->cuda && strcmp(target->chip, target->cpu) != 0)
        gp_arguments_add(arguments, "-gencode=arch=compute_%s,code=%s", target->cpu + strlen("sm_"), target->chip);
    else
        gp_arguments_add(arguments, "-arch=%s", target->chip);
}

/* What both are told. False: a file could not be written. */
static bool add_common(struct gp_job *job, const struct gp_target *target, struct gp_arguments *arguments)
{
    const struct gp_device *device = job->request->device;
    struct gp_text macros = {0};
    struct gp_arguments translated = {0};
    gp_arguments_add(arguments, "-w");
    gp_arguments_add(arguments, "-lineinfo");
    add_chip(job, target, arguments);
    if (device != NULL && device->max_registers_per_thread.value >= 16 && device->max_registers_per_thread.value < 255)
        gp_arguments_add(arguments, "-maxrregcount=%d", (int)device->max_registers_per_thread.value);
    translate(job->request->arguments, &translated, job->cuda ? NULL : &macros);
    bool ready = job->cuda || add_opencl(job, macros.data != NULL ? macros.data : "", arguments);
    gp_arguments_add_all(arguments, (const char *const *)translated.items);
    gp_arguments_free(&translated);
    gp_text_free(&macros);
    return ready;
}

static bool run(struct gp_job *job, const struct gp_arguments *arguments, struct gp_text *output)
{
    struct gp_deadline part = gp_deadline_part(&job->deadline, 3);
    struct gp_process process = {.arguments = arguments->items,
                                 .environment = job->request->environment,
                                 .temporary = job->directory.path,
                                 .deadline = &part};
    int status = 0;
    return gp_process_run(&process, &status, output, NULL) && status == 0 && output->data != NULL;
}

static bool run_nvcc(struct gp_job *job, const struct gp_target *target, const char *nvcc, const char *object,
                     struct gp_text *output)
{
    struct gp_arguments arguments = {0};
    gp_arguments_add(&arguments, "%s", nvcc);
    gp_arguments_add(&arguments, "-cubin");
    gp_arguments_add(&arguments, "-Xptxas");
    gp_arguments_add(&arguments, "-v");
    bool ready = add_common(job, target, &arguments);
    gp_arguments_add(&arguments, "-x");
    gp_arguments_add(&arguments, "cu");
    gp_arguments_add(&arguments, "-o");
    gp_arguments_add(&arguments, "%s", object);
    gp_arguments_add_source(&arguments, job->source);
    bool done = ready && run(job, &arguments, output);
    gp_arguments_free(&arguments);
    return done;
}

/* It does not look for headers beside the source by itself. */
static void add_directory(const char *source, struct gp_arguments *arguments)
{
    const char *slash = strrchr(source, '/');
    if (slash != NULL)
        gp_arguments_add(arguments, "-I%.*s", (int)(slash - source + 1), source);
    else
        gp_arguments_add(arguments, "-I.");
}

static bool run_nvrtc(struct gp_job *job, const struct gp_target *target, const char *program, const char *library,
                      const char *object, const char *assembly, struct gp_text *output)
{
    struct gp_arguments arguments = {0};
    gp_arguments_add(&arguments, "%s", program);
    gp_arguments_add(&arguments, "%s", library);
    gp_arguments_add(&arguments, "%s", job->source);
    gp_arguments_add(&arguments, "%s", object);
    gp_arguments_add(&arguments, "%s", assembly);
    gp_arguments_add(&arguments, "-std=c++17");
    gp_arguments_add(&arguments, "-default-device");
    gp_arguments_add(&arguments, "--ptxas-options=-v");
    bool done = add_common(job, target, &arguments);
    add_directory(job->source, &arguments);
    done = done && run(job, &arguments, output);
    gp_arguments_free(&arguments);
    return done;
}

bool gp_ask_nvcc(struct gp_job *job, const struct gp_target *target, const struct gp_profile *profile,
                 struct gp_backend_list *list)
{
    char *library = job->cuda ? NULL : gp_locate_nvrtc(job->request->environment),
         *program = library != NULL ? gp_locate_nvrtc_program() : NULL;
    char *nvcc = program == NULL ? gp_locate_nvcc(job->request->environment) : NULL;
    char *object = gp_workdir_file(&job->directory, "nvcc.cubin");
    char *assembly = gp_workdir_file(&job->directory, "nvcc.ptx");
    struct gp_text output = {0};
    bool done = program != NULL ? run_nvrtc(job, target, program, library, object, assembly, &output)
                                : nvcc != NULL && run_nvcc(job, target, nvcc, object, &output);
    if (done) {
        gp_read_ptxas(output.data, list);
        gp_read_cubin(object, list);
    }
    done = done && (profile != NULL ? gp_backend_knows_all(list, profile) : list->count > 0);
    if (!done)
        gp_backend_free(list);
    else if (program != NULL)
        gp_ask_ptxas_of_sibling(job, assembly);
    gp_text_free(&output);
    free(assembly);
    free(object);
    free(nvcc);
    free(program);
    free(library);
    return done;
}
