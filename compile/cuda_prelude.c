/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "compile/cuda_prelude.h"

#include "compile/headers/preludes.h"
#include "compile/prelude_files.h"

bool gp_write_cuda_headers(const char *directory, struct gp_error *error)
{
    static const char *const names[] = {"crt/sm_70_rt.hpp", "cuda_runtime.h", "cuda_runtime_api.h", "cuda.h",
                                        "device_launch_parameters.h"};
    return gp_write_empty_headers(directory, "crt", names, sizeof names / sizeof *names, error);
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
    return gp_write_prelude(path, parts, sizeof parts / sizeof *parts, error);
}
