/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#define _GNU_SOURCE /* PATH_MAX */
#include "compile/preludes.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "compile/headers/preludes.h"
#include "support/text.h"

/* ---- Files ------------------------------------------------------------------------------------------------------- */

static bool cannot_write(const char *path, struct gp_error *error)
{
    return gp_fail(error, "cannot write %s: %s", path, strerror(errno));
}

/* One behind the other. */
static bool write_parts(const char *path, const char *const parts[], size_t count, struct gp_error *error)
{
    FILE *file = fopen(path, "w");
    bool written = file != NULL;
    for (size_t i = 0; written && i < count; i++)
        written = fputs(parts[i], file) >= 0;
    if (file != NULL)
        written = fclose(file) == 0 && written;
    return written || cannot_write(path, error);
}

static bool make_directory(const char *path) { return mkdir(path, 0700) == 0 || errno == EEXIST; }

/* Makes the directory, `within` in it, and empty files of these names, which may begin with `within/`. */
static bool write_empty_headers(const char *directory, const char *within, const char *const names[], size_t count,
                                struct gp_error *error)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", directory, within);
    bool made = make_directory(directory) && make_directory(path);
    for (size_t i = 0; made && i < count; i++) {
        snprintf(path, sizeof path, "%s/%s", directory, names[i]);
        made = gp_write_file(path, "", 0);
    }
    return made || cannot_write(path, error);
}

/* ---- OpenCL ------------------------------------------------------------------------------------------------------ */

bool gp_has_opencl_prelude(const struct gp_target *target)
{
    return target->kind == GP_TARGET_AMDGCN || target->kind == GP_TARGET_NVPTX;
}

bool gp_write_opencl_prelude(const char *path, const struct gp_target *target, bool whole, struct gp_error *error)
{
    bool amd = target->kind == GP_TARGET_AMDGCN;
    const char *const parts[] = {gp_prelude_opencl_by_dimension, amd && whole ? gp_prelude_opencl_amd_sizes : "",
                                 amd ? gp_prelude_opencl_amd_ids : gp_prelude_opencl_nvidia_ids,
                                 gp_prelude_opencl_names, amd ? gp_prelude_opencl_native_sqrt : ""};
    return write_parts(path, parts, sizeof parts / sizeof *parts, error);
}

bool gp_write_driver_macros(const char *path, char *const *macros, struct gp_error *error)
{
    struct gp_text text = {0};
    gp_text_printf(&text, "#pragma clang system_header\n"); /* no warning that a macro is another one now */
    for (; *macros != NULL; macros++) {
        int length = (int)strcspn(*macros, "=");
        gp_text_printf(&text, "#undef %.*s\n", length, *macros);
        if ((*macros)[length] == '=')
            gp_text_printf(&text, "#define %.*s %s\n", length, *macros, *macros + length + 1);
    }
    bool written = gp_write_file(path, text.data, text.length);
    gp_text_free(&text);
    return written || cannot_write(path, error);
}

/* ---- CUDA -------------------------------------------------------------------------------------------------------- */

bool gp_write_cuda_headers(const char *directory, struct gp_error *error)
{
    static const char *const names[] = {"crt/sm_70_rt.hpp", "cuda_runtime.h", "cuda_runtime_api.h", "cuda.h",
                                        "device_launch_parameters.h"};
    return write_empty_headers(directory, "crt", names, sizeof names / sizeof *names, error);
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
    return write_parts(path, parts, sizeof parts / sizeof *parts, error);
}

/* ---- HIP --------------------------------------------------------------------------------------------------------- */

bool gp_write_hip_headers(const char *directory, struct gp_error *error)
{
    static const char *const names[] = {"hip/hip_runtime.h", "hip/hip_runtime_api.h", "hip/hip_vector_types.h"};
    return write_empty_headers(directory, "hip", names, sizeof names / sizeof *names, error);
}

bool gp_write_hip_prelude(const char *path, struct gp_error *error)
{
    const char *const parts[] = {"#include <__clang_hip_runtime_wrapper.h>\n", gp_prelude_cuda_keywords,
                                 gp_prelude_cuda_types, gp_prelude_hip_language};
    return write_parts(path, parts, sizeof parts / sizeof *parts, error);
}

/* ---- OpenCL C for nvcc ------------------------------------------------------------------------------------------- */

bool gp_write_nvcc_prelude(const char *path, const char *further, struct gp_error *error)
{
    const char *const parts[] = {gp_prelude_nvcc_language, gp_prelude_nvcc_work_items, gp_prelude_nvcc_arithmetic,
                                 gp_prelude_nvcc_vectors, further};
    return write_parts(path, parts, sizeof parts / sizeof *parts, error);
}
