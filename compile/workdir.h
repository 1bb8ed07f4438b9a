/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A private directory for the files of one compile, removed with all that is in it. It is locked while it is in use, so
 * that one whose owner was killed can be told, and is removed when the next one is made.
 */
#ifndef GPUPERF_COMPILE_WORKDIR_H
#define GPUPERF_COMPILE_WORKDIR_H

#include <stdbool.h>

#include "support/error.h"

struct gp_workdir {
    char *path;
    int lock; /* the directory, open and locked; -1: it could not be */
};

/* In `parent` ($TMPDIR) where that is an absolute path, else in /tmp; readable by the user only. */
bool gp_workdir_make(struct gp_workdir *directory, const char *parent, struct gp_error *error);

/* PATH/NAME; free with free(). */
char *gp_workdir_file(const struct gp_workdir *directory, const char *name);

void gp_workdir_remove(struct gp_workdir *directory);

#endif
