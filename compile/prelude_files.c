/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#define _GNU_SOURCE /* PATH_MAX */
#include "compile/prelude_files.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "support/text.h"

static bool cannot_write(const char *path, struct gp_error *error)
{
    return gp_fail(error, "cannot write %s: %s", path, strerror(errno));
}

bool gp_write_prelude(const char *path, const char *const parts[], size_t count, struct gp_error *error)
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

bool gp_write_empty_headers(const char *directory, const char *within, const char *const names[], size_t count,
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
