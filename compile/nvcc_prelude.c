/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "compile/nvcc_prelude.h"

#include "compile/headers/preludes.h"
#include "compile/prelude_files.h"

bool gp_write_nvcc_prelude(const char *path, const char *further, struct gp_error *error)
{
    const char *const parts[] = {gp_prelude_nvcc_language, gp_prelude_nvcc_work_items, gp_prelude_nvcc_arithmetic,
                                 gp_prelude_nvcc_vectors, further};
    return gp_write_prelude(path, parts, sizeof parts / sizeof *parts, error);
}
