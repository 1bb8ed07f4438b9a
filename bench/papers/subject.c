/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "bench/papers/subject.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "compile/arguments.h"
#include "compile/compile.h"

static bool compile(const char *file, const char *const *arguments, struct subject *subject, struct gp_error *error)
{
    char path[512];
    struct gp_arguments all = {0};
    struct gp_compile_result result;
    snprintf(path, sizeof path, "%s/%s", PAPERS_DIR, file);
    gp_arguments_add(&all, "-cl-std=CL2.0");
    gp_arguments_add_all(&all, arguments);
    struct gp_compile_request request = {
        .source_path = path, .arguments = (const char *const *)all.items, .device = subject->device};
    bool done = gp_compile(&request, &result, error);
    gp_arguments_free(&all);
    if (!done)
        return false;
    subject->profile = result.profile;
    subject->foreign = result.foreign_target || subject->device->proxy_target;
    result.profile = NULL;
    gp_compile_result_free(&result);
    return true;
}

bool subject_choose(struct subject *subject, const char *name, struct gp_error *error)
{
    subject->kernel = gp_profile_find(subject->profile, name);
    return subject->kernel != NULL ? true : gp_fail(error, "%s has no kernel '%s'", subject->profile->source, name);
}

bool subject_open(const char *device, const char *file, const char *name, const char *const *arguments,
                  struct subject *subject, struct gp_error *error)
{
    *subject = (struct subject){.device = gp_device_load(device, getenv("GPUPERF_HWDB"), error)};
    bool done =
        subject->device != NULL && compile(file, arguments, subject, error) && subject_choose(subject, name, error);
    if (!done)
        subject_close(subject);
    return done;
}

void subject_close(struct subject *subject)
{
    gp_profile_free(subject->profile);
    gp_device_free(subject->device);
    *subject = (struct subject){0};
}

double processor_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
