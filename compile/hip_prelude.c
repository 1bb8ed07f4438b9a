/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "compile/hip_prelude.h"

#include "compile/headers/preludes.h"
#include "compile/prelude_files.h"

bool gp_write_hip_headers(const char *directory, struct gp_error *error)
{
    static const char *const names[] = {"hip/hip_runtime.h", "hip/hip_runtime_api.h", "hip/hip_vector_types.h"};
    return gp_write_empty_headers(directory, "hip", names, sizeof names / sizeof *names, error);
}

bool gp_write_hip_prelude(const char *path, struct gp_error *error)
{
    const char *const parts[] = {"#include <__clang_hip_runtime_wrapper.h>\n", gp_prelude_cuda_keywords,
                                 gp_prelude_cuda_types, gp_prelude_hip_language};
    return gp_write_prelude(path, parts, sizeof parts / sizeof *parts, error);
}
