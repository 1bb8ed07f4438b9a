/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#define _GNU_SOURCE /* PATH_MAX */
#include "compile/cuda_prelude.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "compile/headers/preludes.h"
#include "support/text.h"

bool gp_write_cuda_headers(const char *directory, struct gp_error *error)
{
    static const char *const names[] = {"crt/sm_70_rt.hpp", "cuda_runtime.h", "cuda_runtime_api.h", "cuda.h",
                                        "device_launch_parameters.h"};
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/crt", directory);
    bool made = mkdir(directory, 0700) == 0 && mkdir(path, 0700) == 0;
    for (size_t i = 0; made && i < sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "%s/%s", directory, names[i]);
        made = gp_write_file(path, "", 0);
    }
    return made || errno == EEXIST || gp_fail(error, "cannot write %s: %s", path, strerror(errno));
}

bool gp_write_cuda_prelude(const char *path, enum gp_cuda_prelude extent, struct gp_error *error)
{
    bool alone = extent != GP_CUDA_BESIDE_TOOLKIT;
    const char *const parts[] = {alone ? gp_prelude_cuda_keywords : "",
                                 alone && extent >= GP_CUDA_TYPES ? gp_prelude_cuda_types : "",
                                 alone ? "#include <__clang_cuda_builtin_vars.h>\n" : "",
                                 extent >= GP_CUDA_FUNCTIONS ? gp_prelude_cuda_cache_operators : "",
                                 alone ? "" : gp_prelude_cuda_powers_as_nvcc,
                                 extent == GP_CUDA_FUNCTIONS ? gp_prelude_cuda_functions : ""};
    FILE *file = fopen(path, "w");
    bool written = file != NULL;
    for (size_t i = 0; written && i < sizeof parts / sizeof *parts; i++)
        written = fputs(parts[i], file) >= 0;
    if (file != NULL)
        written = fclose(file) == 0 && written;
    return written || gp_fail(error, "cannot write %s: %s", path, strerror(errno));
}
