#define _GNU_SOURCE
#include "compile/job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compile/locate.h"
#include "compile/nvcc_prelude.h"

/* ---- The caller's arguments, which are clang's ---- */

/* One that nvcc knows by the same name, itself, or what stands behind it. */
static bool takes_value(const char *argument)
{
    return strcmp(argument, "-D") == 0 || strcmp(argument, "-U") == 0 || strcmp(argument, "-I") == 0 || strcmp(argument, "-include") == 0 || strcmp(argument, "-isystem") == 0;
}

static bool is_shared(const char *argument)
{
    return strncmp(argument, "-D", 2) == 0 || strncmp(argument, "-U", 2) == 0 || strncmp(argument, "-I", 2) == 0 || strncmp(argument, "-std=c++", 8) == 0;
}

/* Others say nothing that changes registers, or nothing that nvcc could be told. */
static const struct { const char *clangs, *nvccs; } renamed[] = {
    {"-ffast-math", "-use_fast_math"}, {"-cl-fast-relaxed-math", "-use_fast_math"}, {"-cl-denorms-are-zero", "-ftz=true"}, {"-fgpu-flush-denormals-to-zero", "-ftz=true"},
    {"-ffp-contract=off", "-fmad=false"}, {"-use_fast_math", "-use_fast_math"}, {"-ftz=true", "-ftz=true"}, {"-fmad=false", "-fmad=false"},
};

static bool has_argument(const char *const *arguments, const char *wanted)
{
    for (size_t i = 0; arguments != NULL && arguments[i] != NULL; i++)
        if (strcmp(arguments[i], wanted) == 0)
            return true;
    return false;
}

static void translate(const char *const *clangs, struct gp_arguments *arguments)
{
    for (size_t i = 0; clangs != NULL && clangs[i] != NULL; i++) {
        if (takes_value(clangs[i]) && clangs[i + 1] != NULL) {
            gp_arguments_add(arguments, "%s", clangs[i]);
            gp_arguments_add(arguments, "%s", clangs[++i]);
        } else if (is_shared(clangs[i])) {
            gp_arguments_add(arguments, "%s", clangs[i]);
        }
        for (size_t r = 0; r < sizeof renamed / sizeof renamed[0]; r++)
            if (clangs[i] != NULL && gp_is_option(clangs[i], renamed[r].clangs))
                gp_arguments_add(arguments, "%s", renamed[r].nvccs);
    }
}

/* ---- The run ---- */

/* OpenCL asks for division and roots that are right to a few units in the last place. */
static bool add_opencl(struct gp_job *job, struct gp_arguments *arguments)
{
    char *prelude = gp_workdir_file(&job->directory, "nvcc_prelude.h");
    bool written = gp_write_nvcc_prelude(prelude, NULL);
    gp_arguments_include(arguments, prelude);
    free(prelude);
    if (!has_argument(job->request->arguments, "-cl-fp32-correctly-rounded-divide-sqrt")) {
        gp_arguments_add(arguments, "-prec-div=false");
        gp_arguments_add(arguments, "-prec-sqrt=false");
    }
    return written;
}

static bool run_nvcc(struct gp_job *job, const struct gp_target *target, const char *nvcc, struct gp_text *output)
{
    const struct gp_device *device = job->request->device;
    struct gp_arguments arguments = {0};
    char *object = gp_workdir_file(&job->directory, "nvcc.cubin");
    gp_arguments_add(&arguments, "%s", nvcc);
    gp_arguments_add(&arguments, "-cubin");
    gp_arguments_add(&arguments, "-w");
    gp_arguments_add(&arguments, "-arch=%s", target->cpu);
    gp_arguments_add(&arguments, "-Xptxas");
    gp_arguments_add(&arguments, "-v");
    if (device != NULL && device->max_registers_per_thread.value >= 16 && device->max_registers_per_thread.value < 255)
        gp_arguments_add(&arguments, "-maxrregcount=%d", (int)device->max_registers_per_thread.value);
    bool ready = job->cuda || add_opencl(job, &arguments);
    translate(job->request->arguments, &arguments);
    gp_arguments_add(&arguments, "-x");
    gp_arguments_add(&arguments, "cu");
    gp_arguments_add(&arguments, "-o");
    gp_arguments_add(&arguments, "%s", object);
    gp_arguments_add_source(&arguments, job->source);
    struct gp_deadline part = gp_deadline_part(&job->deadline, 3);
    struct gp_process process = {.arguments = arguments.items, .temporary = job->directory.path, .deadline = &part};
    int status = 0;
    bool done = ready && gp_process_run(&process, &status, output, NULL) && status == 0;
    gp_arguments_free(&arguments);
    free(object);
    return done;
}

bool gp_ask_nvcc(struct gp_job *job, const struct gp_target *target, const struct gp_profile *profile, struct gp_backend_list *list)
{
    char *nvcc = gp_locate_nvcc();
    struct gp_text output = {0};
    bool done = nvcc != NULL && run_nvcc(job, target, nvcc, &output) && output.data != NULL;
    if (done)
        gp_read_ptxas(output.data, list);
    done = done && gp_backend_knows_all(list, profile);
    if (!done)
        gp_backend_free(list);
    gp_text_free(&output);
    free(nvcc);
    return done;
}
