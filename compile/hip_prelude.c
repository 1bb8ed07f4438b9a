/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#define _GNU_SOURCE /* PATH_MAX */
#include "compile/hip_prelude.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "compile/headers/preludes.h"
#include "support/text.h"

bool gp_write_hip_headers(const char *directory, struct gp_error *error)
{
    static const char *const names[] = {"hip_runtime.h", "hip_runtime_api.h", "hip_vector_types.h"};
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/hip", directory);
    bool made = (mkdir(directory, 0700) == 0 || errno == EEXIST) && (mkdir(path, 0700) == 0 || errno == EEXIST);
    for (size_t i = 0; made && i < sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "%s/hip/%s", directory, names[i]);
        made = gp_write_file(path, "", 0);
    }
    return made || gp_fail(error, "cannot write %s: %s", path, strerror(errno));
}

bool gp_write_hip_prelude(const char *path, struct gp_error *error)
{
    return gp_write_file(path, gp_prelude_hip_language, strlen(gp_prelude_hip_language)) ||
           gp_fail(error, "cannot write %s: %s", path, strerror(errno));
}
