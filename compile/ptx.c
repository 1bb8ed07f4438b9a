/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "compile/ptx.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compile/arguments.h"
#include "compile/locate.h"
#include "compile/messages.h"
#include "compile/process.h"
#include "compile/workdir.h"
#include "support/text.h"

enum { SECONDS = 120 };

/* The PTX version that has a compute capability first (PTX ISA, release notes). Code for one runs on later ones. */
static const struct first {
    unsigned capability, version;
} firsts[] = {{90, 78}, {89, 78}, {86, 71}, {80, 70}, {75, 63}, {70, 60}, {60, 50}, {50, 42}, {35, 42}};

static const struct first *first_of(unsigned capability)
{
    for (size_t i = 0; i < sizeof firsts / sizeof *firsts; i++)
        if (firsts[i].capability <= capability)
            return &firsts[i];
    return NULL;
}

/* --cuda-path: a toolkit that is here would raise the version. */
static void add_arguments(const char *clang, const struct first *first, struct gp_arguments *arguments)
{
    static const char *const fixed[] = {"-w",
                                        "-O2",
                                        "-S",
                                        "-target",
                                        "nvptx64-nvidia-cuda",
                                        "-nogpulib",
                                        "--cuda-path=/dev/null",
                                        "-fno-crash-diagnostics",
                                        "-Xclang",
                                        "-fdenormal-fp-math-f32=preserve-sign,preserve-sign",
                                        "-Xclang",
                                        "-target-feature",
                                        "-Xclang",
                                        NULL};
    gp_arguments_add(arguments, "%s", clang);
    gp_arguments_add_opencl(arguments, GP_OPENCL_1_2);
    gp_arguments_add_all(arguments, fixed);
    gp_arguments_add(arguments, "+ptx%u", first->version);
    gp_arguments_add(arguments, "-march=sm_%u", first->capability);
}

static char *compile(const struct gp_workdir *directory, const char *clang, const char *source,
                     const struct first *first, struct gp_error *error)
{
    char *path = gp_workdir_file(directory, "source.cl"), *result = gp_workdir_file(directory, "source.ptx"),
         *ptx = NULL;
    struct gp_deadline deadline = gp_deadline_in(SECONDS, NULL);
    struct gp_arguments arguments = {0};
    struct gp_text output = {0};
    int status = 0;
    add_arguments(clang, first, &arguments);
    gp_arguments_add(&arguments, "-o");
    gp_arguments_add(&arguments, "%s", result);
    gp_arguments_add_source(&arguments, path);
    const struct gp_process process = {
        .arguments = arguments.items, .temporary = directory->path, .deadline = &deadline};
    if (!gp_write_file(path, source, strlen(source)))
        gp_fail(error, "cannot write %s: %s", path, strerror(errno));
    else if (gp_process_run(&process, &status, &output, error) &&
             (status == 0 || gp_fail_with_output(error, "clang", output.data)) &&
             (ptx = gp_read_file(result, NULL)) == NULL)
        gp_fail(error, "clang made no code");
    gp_text_free(&output);
    gp_arguments_free(&arguments);
    free(result);
    free(path);
    return ptx;
}

char *gp_compile_ptx(const char *source, unsigned capability, struct gp_error *error)
{
    const struct first *first = first_of(capability);
    char *clang = gp_locate_clang(NULL, NULL), *ptx = NULL;
    struct gp_workdir directory;
    if (first == NULL)
        gp_fail(error, "compute capability %u.%u is older than clang makes code for", capability / 10, capability % 10);
    else if (clang == NULL)
        gp_fail(error, "there is no clang-22 or clang in PATH; install clang-22 or set GPUPERF_CLANG");
    else if (gp_workdir_make(&directory, getenv("TMPDIR"), error)) {
        ptx = compile(&directory, clang, source, first, error);
        gp_workdir_remove(&directory);
    }
    free(clang);
    return ptx;
}
