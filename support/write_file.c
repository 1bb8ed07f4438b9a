/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#define _GNU_SOURCE /* asprintf */
#include "support/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/temporary.h"

static bool same_file(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

bool gp_write_all(int file, const char *bytes, size_t length)
{
    while (length > 0) {
        ssize_t count = write(file, bytes, length);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return false;
        bytes += count;
        length -= (size_t)count;
    }
    return true;
}

/* Takes the file over. */
static bool write_and_close(int file, const void *bytes, size_t length)
{
    if (file < 0)
        return false;
    if (gp_write_all(file, bytes, length))
        return close(file) == 0;
    int failure = errno;
    close(file);
    errno = failure;
    return false;
}

/* What already goes to a standard stream stands behind what was written there. */
static int stream_of(const struct stat *status)
{
    for (int stream = STDOUT_FILENO; stream <= STDERR_FILENO; stream++) {
        struct stat other;
        if (fstat(stream, &other) == 0 && same_file(status, &other))
            return stream;
    }
    return -1;
}

static bool write_directly(const char *path, int stream, const void *bytes, size_t length)
{
    int file = stream >= 0 ? fcntl(stream, F_DUPFD_CLOEXEC, 0) : open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC);
    return write_and_close(file, bytes, length);
}

static char *read_link(const char *path)
{
    char target[4096];
    ssize_t length = readlink(path, target, sizeof target);
    if (length < 0 || (size_t)length == sizeof target) {
        errno = length < 0 ? errno : ENAMETOOLONG;
        return NULL;
    }
    const char *slash = target[0] == '/' ? NULL : strrchr(path, '/');
    char *whole;
    int directory = slash != NULL ? (int)(slash + 1 - path) : 0;
    return asprintf(&whole, "%.*s%.*s", directory, path, (int)length, target) < 0 ? NULL : whole;
}

/* The name at the end of a chain of symbolic links; nothing needs to stand there. NULL: errno says why. Free with
 * free(). */
static char *follow_links(const char *path)
{
    enum { MOST_LINKS = 40 }; /* as the kernel's */
    char *name = strdup(path);
    struct stat status;
    for (int links = 0; name != NULL && lstat(name, &status) == 0 && S_ISLNK(status.st_mode); links++) {
        char *next = links < MOST_LINKS ? read_link(name) : NULL;
        if (links == MOST_LINKS)
            errno = ELOOP;
        free(name);
        name = next;
    }
    return name;
}

/* A new file beside the one to replace, of a name that nobody else has. -1: errno says why. */
static int create_beside(const char *name, char **temporary)
{
    for (int attempt = 0;; attempt++) {
        if (asprintf(temporary, "%s.%ld-%d.tmp", name, (long)getpid(), attempt) < 0) {
            *temporary = NULL;
            return -1;
        }
        gp_temporary_note(*temporary);
        int file = open(*temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file >= 0)
            return file;
        int failure = errno;
        gp_temporary_forget(*temporary);
        free(*temporary);
        *temporary = NULL;
        errno = failure;
        if (failure != EEXIST || attempt == 1000)
            return -1;
    }
}

static bool replace(const char *name, const void *bytes, size_t length)
{
    char *temporary;
    int file = create_beside(name, &temporary);
    if (file < 0)
        return false;
    bool done = write_and_close(file, bytes, length) && rename(temporary, name) == 0;
    int failure = errno;
    if (!done)
        unlink(temporary);
    gp_temporary_forget(temporary);
    free(temporary);
    errno = failure;
    return done;
}

bool gp_write_file(const char *path, const void *bytes, size_t length)
{
    struct stat status;
    bool exists = stat(path, &status) == 0;
    int stream = exists ? stream_of(&status) : -1;
    if (exists && (!S_ISREG(status.st_mode) || stream >= 0))
        return write_directly(path, stream, bytes, length);
    char *name = follow_links(path);
    bool done = name != NULL && replace(name, bytes, length);
    int failure = errno;
    free(name);
    errno = failure;
    return done;
}
