/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "runtime/cache_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What SQLite keeps beside a database: a foreign one would be played back into ours. */
static const char *const companions[] = {"-journal", "-wal", "-shm"};

/* mkdir -p with private directories. */
static bool make_directories(const char *directory)
{
    char path[PATH_MAX];
    if (snprintf(path, sizeof path, "%s", directory) >= (int)sizeof path)
        return false;
    for (char *at = path + 1; *at != '\0'; at++)
        if (*at == '/') {
            *at = '\0';
            mkdir(path, 0700);
            *at = '/';
        }
    return mkdir(path, 0700) == 0 || errno == EEXIST;
}

/* Why the file cannot be ours; NULL: it can. */
static const char *objection(const struct stat *status)
{
    if (S_ISLNK(status->st_mode))
        return "a link";
    if (!S_ISREG(status->st_mode))
        return "no regular file";
    return status->st_uid != geteuid() ? "another user's" : NULL;
}

static bool leave_alone(struct gp_error *error, const char *path, const char *why)
{
    return gp_fail(error, "%s is %s: it is left alone, and nothing is cached (set GPUPERF_CACHE to another directory)",
                   path, why);
}

/* Made private where it is not. False: it is somebody else's. */
static bool is_ours_or_missing(const char *path, struct gp_error *error)
{
    struct stat status;
    if (lstat(path, &status) != 0)
        return true;
    const char *why = objection(&status);
    if (why != NULL)
        return leave_alone(error, path, why);
    if ((status.st_mode & 07777) != 0600)
        chmod(path, 0600);
    return true;
}

static uint32_t number_at(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

/*
 * Another program's database, by its header (SQLite's file format, section 1.3). gpuperf's did not say whose they are
 * up to version 4 of their tables; cache.c looks at these. One of no number and no version would be anybody's. A file
 * without such a header is a broken cache: nothing tells of another owner.
 */
static bool is_foreign_database(const char *path)
{
    enum { ROLLBACK = 1, WRITE_VERSION = 18, USER_VERSION = 60, APPLICATION = 68 };
    static const char magic[16] = "SQLite format 3";
    unsigned char header[100];
    int file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    ssize_t length = file >= 0 ? read(file, header, sizeof header) : 0;
    if (file >= 0)
        close(file);
    if (length < (ssize_t)sizeof header || memcmp(header, magic, sizeof magic) != 0)
        return false;
    uint32_t application = number_at(header + APPLICATION), version = number_at(header + USER_VERSION);
    bool earlier =
        application == 0 && version >= 1 && version <= GP_LAST_UNSIGNED_CACHE && header[WRITE_VERSION] == ROLLBACK;
    return application != GP_CACHE_APPLICATION && !earlier;
}

bool gp_cache_file_is_ours(const char *path, struct gp_error *error)
{
    char companion[PATH_MAX];
    bool ours = is_ours_or_missing(path, error);
    for (size_t i = 0; ours && i < sizeof companions / sizeof companions[0]; i++)
        ours = snprintf(companion, sizeof companion, "%s%s", path, companions[i]) < (int)sizeof companion &&
               is_ours_or_missing(companion, error);
    return ours;
}

static bool make_file(const char *path, struct gp_error *error)
{
    int file = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file >= 0)
        close(file);
    return file >= 0 || errno == EEXIST ||
           gp_fail(error, "cannot create the cache %s: %s (set GPUPERF_CACHE to another directory)", path,
                   strerror(errno));
}

bool gp_cache_file_ready(const char *directory, char **path, struct gp_error *error)
{
    char whole[PATH_MAX];
    *path = NULL;
    if (!make_directories(directory) || realpath(directory, whole) == NULL)
        return gp_fail(error, "cannot create the cache directory %s: %s (set GPUPERF_CACHE to another)", directory,
                       strerror(errno));
    if (asprintf(path, "%s/gpuperf.db", whole) < 0) {
        *path = NULL;
        return gp_fail(error, "out of memory");
    }
    bool ready = make_file(*path, error) && gp_cache_file_is_ours(*path, error);
    if (ready && is_foreign_database(*path))
        ready = leave_alone(error, *path, "another program's database");
    if (!ready) {
        free(*path);
        *path = NULL;
    }
    return ready;
}

void gp_cache_file_set_aside(const char *path)
{
    char other[PATH_MAX];
    if (!gp_cache_file_is_ours(path, NULL) || snprintf(other, sizeof other, "%s.broken", path) >= (int)sizeof other)
        return;
    rename(path, other);
    for (size_t i = 0; i < sizeof companions / sizeof companions[0]; i++)
        if (snprintf(other, sizeof other, "%s%s", path, companions[i]) < (int)sizeof other)
            unlink(other);
}
