/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Where recordings go. A name may be anybody's: what is there is looked at without following links, and only what is
 * surely a recording of this user's is replaced, by a rename. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/record.h"
#include "support/text.h"

static const char signature[] = "# gpuperf: recorded launches.";

/* A file of this user's, with one name, that is no link. */
static bool is_own(const struct stat *status)
{
    return S_ISREG(status->st_mode) && status->st_uid == geteuid() && status->st_nlink == 1;
}

/* By way of a new file beside it. Without waiting for a disk. */
static bool replace(int folder, const char *name, const char *bytes, size_t length)
{
    char fresh[NAME_MAX + 1];
    snprintf(fresh, sizeof fresh, ".%.200s.%ld", name, (long)getpid());
    unlinkat(folder, fresh, 0); /* left by a process of the same number */
    int file = openat(folder, fresh, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file < 0)
        return false;
    bool written = gp_write_all(file, bytes, length);
    written = close(file) == 0 && written;
    if (written && renameat(folder, fresh, folder, name) == 0)
        return true;
    int why = errno;
    unlinkat(folder, fresh, 0);
    errno = why;
    return false;
}

/* Whether nothing is there, or a recording. */
static bool may_replace(int folder, const char *name)
{
    struct stat status;
    char start[sizeof signature] = "";
    if (fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) != 0)
        return errno == ENOENT;
    if (!is_own(&status))
        return false;
    int file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    bool same = file >= 0 && read(file, start, sizeof signature - 1) == (ssize_t)sizeof signature - 1 &&
                strcmp(start, signature) == 0;
    if (file >= 0)
        close(file);
    return same;
}

static int open_folder(const char *path) { return open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC); }

/* The folder of the sources, made as needed, this user's. */
static int source_folder(const char *path, struct gp_error *error)
{
    char name[PATH_MAX];
    struct stat status;
    snprintf(name, sizeof name, "%.4000s.d", path);
    if (mkdir(name, 0700) != 0 && errno != EEXIST) {
        gp_fail(error, "cannot make the folder %s: %s", name, strerror(errno));
        return -1;
    }
    int folder = open_folder(name);
    if (folder >= 0 && fstat(folder, &status) == 0 && status.st_uid == geteuid())
        return folder;
    if (folder >= 0)
        close(folder);
    gp_fail(error, "%s is not a folder of this user's: nothing is recorded", name);
    return -1;
}

/* Named by its content: one that is there is the same. */
static bool write_source(int folder, const struct gp_recorded_launch *launch, struct gp_error *error)
{
    char name[32];
    struct stat status;
    size_t length = strlen(launch->source);
    snprintf(name, sizeof name, "%016" PRIx64 ".cl", launch->source_hash.word[0]);
    bool there = fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0;
    if (there && is_own(&status) && (size_t)status.st_size == length)
        return true;
    if (there && !is_own(&status))
        return gp_fail(error, "%s among the recorded sources is not this user's file: nothing is recorded", name);
    return replace(folder, name, launch->source, length) ||
           gp_fail(error, "cannot write the recorded source %s: %s", name, strerror(errno));
}

static bool write_sources(const char *path, const struct gp_recorded_launch *launches, size_t count,
                          struct gp_error *error)
{
    int folder = source_folder(path, error);
    bool done = folder >= 0;
    for (size_t i = 0; done && i < count; i++)
        done = launches[i].source == NULL || write_source(folder, &launches[i], error);
    if (folder >= 0)
        close(folder);
    return done;
}

bool gp_record_write(const char *path, const struct gp_text *text, const struct gp_recorded_launch *launches,
                     size_t count, struct gp_error *error)
{
    char parent[PATH_MAX];
    const char *slash = strrchr(path, '/');
    const char *name = slash != NULL ? slash + 1 : path;
    snprintf(parent, sizeof parent, "%.*s",
             slash == NULL   ? 1
             : slash == path ? 1
                             : (int)(slash - path),
             slash == NULL ? "." : path);
    int folder = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0)
        return gp_fail(error, "cannot record into %s: %s", path, strerror(errno));
    bool done = may_replace(folder, name) ||
                gp_fail(error, "%s is no recording of this user's: it is left alone, and nothing is recorded", path);
    done = done && write_sources(path, launches, count, error);
    if (done && !replace(folder, name, text->data, text->length))
        done = gp_fail(error, "cannot write %s: %s", path, strerror(errno));
    close(folder);
    return done;
}
