#define _GNU_SOURCE /* asprintf, nftw */
#include "compile/workdir.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *path_of(const char *directory, const char *name)
{
    char *path = NULL;
    if (asprintf(&path, "%s/%s", directory, name) < 0)
        abort();
    return path;
}

bool gp_workdir_make(struct gp_workdir *directory, struct gp_error *error)
{
    const char *parent = getenv("TMPDIR");
    directory->path = path_of(parent != NULL && parent[0] == '/' ? parent : "/tmp", "gpuperf-XXXXXX");
    if (mkdtemp(directory->path) != NULL)
        return true;
    gp_fail(error, "cannot make a directory for temporary files, %s: %s; set TMPDIR to a directory that can be written", directory->path,
            strerror(errno));
    free(directory->path);
    directory->path = NULL;
    return false;
}

char *gp_workdir_file(const struct gp_workdir *directory, const char *name)
{
    return path_of(directory->path, name);
}

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *place)
{
    (void)status;
    (void)type;
    (void)place;
    remove(path);
    return 0;
}

void gp_workdir_remove(struct gp_workdir *directory)
{
    if (directory->path == NULL)
        return;
    nftw(directory->path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    free(directory->path);
    directory->path = NULL;
}
