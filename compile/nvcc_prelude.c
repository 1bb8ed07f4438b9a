/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "compile/nvcc_prelude.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "compile/headers/preludes.h"

bool gp_write_nvcc_prelude(const char *path, const char *further, struct gp_error *error)
{
    const char *const parts[] = {gp_prelude_nvcc_language, gp_prelude_nvcc_work_items, gp_prelude_nvcc_arithmetic,
                                 gp_prelude_nvcc_vectors, further};
    FILE *file = fopen(path, "w");
    bool written = file != NULL;
    for (size_t i = 0; written && i < sizeof parts / sizeof parts[0]; i++)
        written = fputs(parts[i], file) >= 0;
    if (file != NULL)
        written = fclose(file) == 0 && written;
    return written || gp_fail(error, "cannot write %s: %s", path, strerror(errno));
}
