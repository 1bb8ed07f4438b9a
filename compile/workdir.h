/* A private directory for the files of one compile, removed with all that is in it. */
#ifndef GPUPERF_COMPILE_WORKDIR_H
#define GPUPERF_COMPILE_WORKDIR_H

#include <stdbool.h>

#include "support/error.h"

struct gp_workdir {
    char *path;
};

/* In $TMPDIR, else /tmp; readable by the user only. */
bool gp_workdir_make(struct gp_workdir *directory, struct gp_error *error);

/* PATH/NAME; free with free(). */
char *gp_workdir_file(const struct gp_workdir *directory, const char *name);

void gp_workdir_remove(struct gp_workdir *directory);

#endif
