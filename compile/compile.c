/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#define _GNU_SOURCE /* strcasecmp */
#include "compile/compile.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "compile/job.h"
#include "compile/locate.h"
#include "support/environment.h"
#include "support/operation.h"
#include "support/prefix.h"
#include "support/text.h"

enum { DEFAULT_TIMEOUT = 120 };

/* HIP is CUDA that AMD's devices run. */
static bool is_hip(const struct gp_compile_request *request)
{
    if (request->language != NULL)
        return strcmp(request->language, "hip") == 0;
    return request->source_path != NULL && gp_ends_with(request->source_path, ".hip");
}

static bool find_language(const struct gp_compile_request *request, bool *cuda, struct gp_error *error)
{
    const char *language = request->language;
    if (language == NULL) {
        *cuda = request->source_path != NULL && (gp_ends_with(request->source_path, ".cu") ||
                                                 gp_ends_with(request->source_path, ".cuh") || is_hip(request));
        return true;
    }
    *cuda = strcmp(language, "cuda") == 0 || is_hip(request);
    return *cuda || strcmp(language, "opencl") == 0 || strcmp(language, "clcpp") == 0 ||
           gp_fail(error, "unknown language '%s'; there are opencl, clcpp, cuda and hip", language);
}

/* CUDA runs on NVIDIA's devices only, HIP is compiled for AMD's. */
static bool check_device(const struct gp_compile_request *request, bool cuda, struct gp_error *error)
{
    bool hip = is_hip(request);
    enum gp_target_kind wanted = hip ? GP_TARGET_AMDGCN : GP_TARGET_NVPTX;
    if (!cuda || (request->device != NULL && gp_target_of(request->device).kind == wanted))
        return true;
    if (request->device == NULL)
        return gp_fail(error, "a %s source needs a device to be compiled for; name one of %s", hip ? "HIP" : "CUDA",
                       hip ? "AMD's" : "NVIDIA's");
    return gp_fail(error, "%s is %s, which %s does not run; choose an %s device%s",
                   request->source_path ? request->source_path : "the source", hip ? "HIP" : "CUDA",
                   request->device->nearest != NULL
                       ? request->device->name
                       : request->device->title, /* the title of a stand-in is a sentence */
                   hip ? "AMD" : "NVIDIA", hip ? ", or -x cuda where the source is CUDA, too" : "");
}

/* By its name, or what the caller asks for: -cl-std=CLC++, -cl-std=clc++2021. */
static bool is_cpp(const struct gp_compile_request *request)
{
    if (request->language != NULL ? strcmp(request->language, "clcpp") == 0
                                  : request->source_path != NULL && gp_ends_with(request->source_path, ".clcpp"))
        return true;
    for (const char *const *argument = request->arguments; argument != NULL && *argument != NULL; argument++)
        if (strncasecmp(*argument, "-cl-std=clc++", strlen("-cl-std=clc++")) == 0)
            return true;
    return false;
}

bool gp_compile_suits(const struct gp_compile_request *request, struct gp_error *error)
{
    bool cuda;
    return find_language(request, &cuda, error) && check_device(request, cuda, error);
}

static bool find_programs(struct gp_job *job, struct gp_error *error)
{
    const struct gp_compile_request *request = job->request;
    job->clang = gp_locate_clang(request->environment, request->compiler);
    if (job->clang == NULL)
        return gp_fail(error, "there is no clang-22 or clang in PATH; install clang-22 or set GPUPERF_CLANG");
    job->plugin = gp_locate_plugin(request->environment, request->plugin);
    if (job->plugin == NULL)
        return gp_fail(error,
                       "the Clang plugin gpuperf.so is not where it was installed; set GPUPERF_PLUGIN to its path");
    job->hip = is_hip(request);
    job->cuda_root = job->cuda && !job->hip ? gp_locate_cuda(request->environment) : NULL;
    return true;
}

static const char *name_of(const struct gp_compile_request *request)
{
    return request->source_path ? request->source_path : "source";
}

/* #line, so that messages and source positions name the file that the user knows. */
static void write_line_marker(FILE *file, const char *name)
{
    fputs("#line 1 \"", file);
    for (; *name != '\0'; name++) {
        if (*name == '"' || *name == '\\')
            fputc('\\', file);
        fputc(*name == '\n' ? ' ' : *name, file);
    }
    fputs("\"\n", file);
}

static bool place_source(struct gp_job *job, struct gp_error *error)
{
    const struct gp_compile_request *request = job->request;
    if (request->source_text == NULL) {
        job->source = request->source_path ? strdup(request->source_path) : NULL;
        return job->source != NULL || gp_fail(error, "no source to compile was given");
    }
    job->source = gp_workdir_file(&job->directory, job->hip ? "source.hip" : job->cuda ? "source.cu" : "source.cl");
    FILE *file = fopen(job->source, "wb");
    if (file == NULL)
        return gp_fail(error, "cannot write %s: %s", job->source, strerror(errno));
    write_line_marker(file, name_of(request));
    fputs(request->source_text, file);
    bool failed = ferror(file) != 0;
    failed = fclose(file) != 0 || failed;
    return !failed || gp_fail(error, "cannot write %s: %s", job->source, strerror(errno));
}

static bool states_version(const char *const *arguments)
{
    for (; arguments != NULL && *arguments != NULL; arguments++)
        if (strstr(*arguments, "-cl-std=") != NULL)
            return true;
    return false;
}

/* Of a source that was refused: whether OpenCL C 2.0, which nobody asked for, is what it is written in. */
static void hint_at_version(struct gp_job *job, const char *module, struct gp_error *error)
{
    struct gp_profile *profile = NULL;
    struct gp_target target = gp_target_of(NULL);
    struct gp_text messages = {0};
    struct gp_error first = *error, again;
    if (job->cuda || job->opencl == GP_OPENCL_CPP || states_version(job->request->arguments))
        return;
    job->opencl = GP_OPENCL_2_0;
    if (gp_make_profile(job, &target, module, &profile, &messages, &again) == GP_DONE)
        gp_fail(error, "%.700s; OpenCL C 2.0 takes it: add -cl-std=CL2.0 (gpuperf predict: after --)", first.text);
    gp_profile_free(profile);
    gp_text_free(&messages);
}

/* A device whose compiler does not take the source still gets a prediction, from code for no device in particular. */
static bool make_profile(struct gp_job *job, struct gp_target *target, const char *module,
                         struct gp_compile_result *result, struct gp_text *messages, struct gp_error *error)
{
    enum gp_outcome outcome = gp_make_profile(job, target, module, &result->profile, messages, error);
    job->refused = outcome == GP_REFUSED;
    if (outcome != GP_REFUSED || job->cuda || target->kind == GP_TARGET_SPIR)
        return outcome == GP_DONE;
    struct gp_error first = *error;
    struct gp_text again = {0};
    *target = gp_target_of(NULL);
    outcome = gp_make_profile(job, target, module, &result->profile, &again, error);
    job->refused = outcome == GP_REFUSED;
    if (outcome == GP_REFUSED)
        *error = first;
    gp_text_free(&again);
    result->foreign_target = true;
    result->foreign_why = first;
    return outcome == GP_DONE;
}

bool gp_compile_siblings(const struct gp_device *device, const struct gp_device *sibling)
{
    struct gp_target a = gp_target_of(device), b = gp_target_of(sibling);
    if (a.kind == GP_TARGET_AMDGCN && b.kind == GP_TARGET_AMDGCN)
        return strcmp(a.triple, b.triple) == 0;
    return a.kind == GP_TARGET_NVPTX && b.kind == GP_TARGET_NVPTX && device->arch == sibling->arch &&
           strcmp(a.chip, b.chip) <= 0 && strlen(a.chip) == strlen(b.chip) &&
           device->max_registers_per_thread.value == sibling->max_registers_per_thread.value;
}

/* The sibling's profile, where its assembler was asked as the device's was, or none is there. */
static bool add_sibling(struct gp_job *job, struct gp_compile_result *result, bool estimates, bool stand_ins,
                        const char *source, struct gp_error *error)
{
    bool asked = estimates || job->sibling.count > 0;
    if (job->request->sibling == NULL || job->cuda || result->foreign_target || !asked)
        return true;
    struct gp_profile *copy = gp_backend_copy_for(result->profile, job->request->sibling->cpu, error);
    result->sibling = copy != NULL ? gp_backend_apply(copy, &job->sibling, stand_ins, source, error) : NULL;
    return result->sibling != NULL;
}

static bool add_resources(struct gp_job *job, const struct gp_target *target, const char *module,
                          struct gp_compile_result *result, struct gp_error *error)
{
    struct gp_backend_list list = {0};
    bool stand_ins = false;
    const char *source =
        job->request->source_text ? name_of(job->request) : NULL; /* the file that clang read is gone soon */
    gp_ask_backend(job, target, module, result->profile, &list, &stand_ins);
    if (!add_sibling(job, result, list.count == 0, stand_ins, source, error)) {
        gp_backend_free(&list);
        return false;
    }
    if (list.count > 0 || source != NULL)
        result->profile = gp_backend_apply(result->profile, &list, stand_ins, source, error);
    gp_backend_free(&list);
    const int *cancelled = job->request->cancelled;
    if (cancelled != NULL && __atomic_load_n(cancelled, __ATOMIC_RELAXED) != 0)
        return gp_fail(error, "the compile of %s was cancelled", name_of(job->request));
    return result->profile != NULL;
}

/* A job's work as an operation. The job's own memory, its directory and what it was given are the caller's. */
struct run {
    struct gp_job *job;
    struct gp_compile_result *result;
    struct gp_backend_list *list; /* gp_compile_registers()'s */
    struct gp_error *error;
    bool done;
};

static void find_the_programs(void *context)
{
    struct run *r = context;
    r->done = find_programs(r->job, r->error);
}

/* NULL: the compiler did not come so far. */
static char *read_output(const struct gp_job *job, const char *name)
{
    size_t length;
    char *path = gp_workdir_file(&job->directory, name), *text = gp_read_file(path, &length);
    free(path);
    return text;
}

static void compile_source(void *context)
{
    struct run *r = context;
    struct gp_job *job = r->job;
    struct gp_target target = gp_target_of(job->request->device);
    struct gp_text messages = {0};
    char *module = gp_workdir_file(&job->directory, "out.ll");
    r->done = place_source(job, r->error) && make_profile(job, &target, module, r->result, &messages, r->error) &&
              add_resources(job, &target, module, r->result, r->error);
    if (job->request->preprocessed && (r->done || job->refused))
        r->result->preprocessed = read_output(job, gp_preprocessed_name);
    if (job->request->edits && r->done)
        r->result->edits = read_output(job, gp_edits_name);
    if (job->refused)
        hint_at_version(job, module, r->error);
    r->result->messages = gp_text_take(&messages);
    free(module);
}

static void count_registers(void *context)
{
    struct run *r = context;
    struct gp_target target = gp_target_of(r->job->request->device);
    r->done = place_source(r->job, r->error) &&
              (gp_ask_nvcc(r->job, &target, NULL, r->list) ||
               gp_fail(r->error, "NVIDIA's compiler is not there or does not take %s", name_of(r->job->request)));
}

/* False: a sentence. Without memory nothing is left of what the work has made. */
static bool run_job(void (*work)(void *context), struct run *run)
{
    if (gp_operation(work, run))
        return run->done;
    if (work == find_the_programs)
        run->job->clang = run->job->plugin = run->job->cuda_root = NULL;
    run->job->source = NULL;
    run->job->sibling = (struct gp_backend_list){0};
    if (run->result != NULL)
        *run->result = (struct gp_compile_result){0};
    if (run->list != NULL)
        *run->list = (struct gp_backend_list){0};
    return gp_fail(run->error, GP_OUT_OF_MEMORY);
}

static struct gp_job begin(const struct gp_compile_request *request)
{
    unsigned seconds = request->timeout_seconds ? request->timeout_seconds : DEFAULT_TIMEOUT;
    return (struct gp_job){.request = request,
                           .opencl = is_cpp(request) ? GP_OPENCL_CPP : GP_OPENCL_1_2,
                           .deadline = gp_deadline_in(seconds, request->cancelled)};
}

static void end(struct gp_job *job)
{
    gp_workdir_remove(&job->directory);
    gp_backend_free(&job->sibling);
    free(job->clang);
    free(job->plugin);
    free(job->source);
    free(job->cuda_root);
}

static bool make_directory(struct gp_job *job, struct gp_error *error)
{
    return gp_workdir_make(&job->directory, gp_variable(job->request->environment, "TMPDIR"), error);
}

bool gp_compile(const struct gp_compile_request *request, struct gp_compile_result *result, struct gp_error *error)
{
    struct gp_error local;
    error = error ? error : &local;
    *result = (struct gp_compile_result){0};
    struct gp_job job = begin(request);
    struct run run = {.job = &job, .result = result, .error = error};
    bool done = find_language(request, &job.cuda, error) && check_device(request, job.cuda, error) &&
                run_job(find_the_programs, &run) && make_directory(&job, error) && run_job(compile_source, &run);
    end(&job);
    char *preprocessed = result->preprocessed;
    result->preprocessed = NULL;
    if (!done)
        gp_compile_result_free(result);
    result->preprocessed = preprocessed;
    result->refused = !done && job.refused;
    return done;
}

bool gp_compile_registers(const struct gp_compile_request *request, struct gp_backend_list *list,
                          struct gp_backend_list *sibling, struct gp_error *error)
{
    struct gp_job job = begin(request);
    *list = (struct gp_backend_list){0};
    bool done = find_language(request, &job.cuda, error) && check_device(request, job.cuda, error) &&
                make_directory(&job, error) &&
                run_job(count_registers, &(struct run){.job = &job, .list = list, .error = error});
    if (sibling != NULL) {
        *sibling = job.sibling;
        job.sibling = (struct gp_backend_list){0};
    }
    end(&job);
    return done;
}

char *gp_compile_programs(char *const *environment)
{
    char *clang = gp_locate_clang(environment, NULL), *plugin = gp_locate_plugin(environment, NULL), *text = NULL;
    struct stat of_clang, of_plugin;
    bool there = clang != NULL && plugin != NULL && stat(clang, &of_clang) == 0 && stat(plugin, &of_plugin) == 0;
    if (there &&
        asprintf(&text, "%s %lld %lld, %s %lld %lld", clang, (long long)of_clang.st_size, (long long)of_clang.st_mtime,
                 plugin, (long long)of_plugin.st_size, (long long)of_plugin.st_mtime) < 0)
        text = NULL;
    free(clang);
    free(plugin);
    return text;
}

void gp_compile_result_free(struct gp_compile_result *result)
{
    gp_profile_free(result->profile);
    gp_profile_free(result->sibling);
    free(result->preprocessed);
    free(result->edits);
    free(result->messages);
    *result = (struct gp_compile_result){0};
}
