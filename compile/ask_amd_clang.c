/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#define _GNU_SOURCE
#include "compile/job.h"

#include <stdlib.h>
#include <string.h>

#include "compile/locate.h"
#include "compile/preludes.h"
#include "compile/stand_ins.h"

static bool add_prelude(struct gp_job *job, const struct gp_target *target, struct gp_arguments *arguments)
{
    char *prelude = gp_workdir_file(&job->directory, "amd_prelude.h");
    bool written = gp_write_opencl_prelude(prelude, target, true, NULL);
    gp_arguments_include(arguments, prelude);
    free(prelude);
    return written;
}

/* As AMD's drivers compile; where that clang has no library of OpenCL's functions, ids and sizes come from the prelude.
 */
static bool build_command(struct gp_job *job, const struct gp_target *target, const char *module,
                          struct gp_arguments *arguments)
{
    static const char *const fixed[] = {"-Xclang", "-finclude-default-header", "-O3",
                                        "-w",      "-fno-crash-diagnostics",   NULL};
    struct gp_target own = *target;
    own.library = gp_has_amd_library(job->clang);
    gp_arguments_add(arguments, "%s", job->clang);
    gp_arguments_add_opencl(arguments, job->opencl);
    gp_arguments_add_all(arguments, fixed);
    gp_target_arguments(&own, arguments);
    bool added = own.library || add_prelude(job, target, arguments);
    gp_arguments_add_source(arguments, job->source);
    gp_arguments_add_all(arguments, job->request->arguments);
    gp_arguments_add(arguments, "-S");
    gp_arguments_add(arguments, "-emit-llvm");
    gp_arguments_add(arguments, "-o");
    gp_arguments_add(arguments, "%s", module);
    return added;
}

bool gp_compile_with_amd_clang(struct gp_job *job, const struct gp_target *target, struct gp_text *module)
{
    struct gp_arguments arguments = {0};
    struct gp_text output = {0};
    char *path = gp_workdir_file(&job->directory, "amd.ll"), *text = NULL;
    struct gp_deadline part = gp_deadline_part(&job->deadline, 3);
    int status = 0;
    bool ready = build_command(job, target, path, &arguments);
    struct gp_process process = {.arguments = arguments.items,
                                 .environment = job->request->environment,
                                 .temporary = job->directory.path,
                                 .deadline = &part};
    if (ready && gp_process_run(&process, &status, &output, NULL) && status == 0)
        text = gp_read_file(path, NULL);
    bool whole = text != NULL &&
                 gp_is_whole(text); /* code that calls what is not there has other registers than the program's */
    if (whole)
        gp_text_append(module, text, strlen(text));
    free(text);
    free(path);
    gp_text_free(&output);
    gp_arguments_free(&arguments);
    return whole;
}
