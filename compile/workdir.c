/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#define _GNU_SOURCE /* asprintf, nftw */
#include "compile/workdir.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "support/temporary.h"

static const char random_part[] = "XXXXXX"; /* of mkdtemp() */

static char *path_of(const char *directory, const char *name)
{
    char *path = NULL;
    return asprintf(&path, "%s/%s", directory, name) < 0 ? NULL : path;
}

/* "gpuperf-HOST-": locks tell nothing of owners on another machine that shares the directory for temporary files. */
static void write_prefix(char *text, size_t size)
{
    struct utsname system;
    if (uname(&system) != 0)
        strcpy(system.nodename, "host");
    for (char *at = system.nodename; *at != '\0'; at++)
        *at = *at == '/' ? '-' : *at;
    snprintf(text, size, "gpuperf-%s-", system.nodename);
}

/* ---- Locks: a process that ends, however it ends, loses them ---- */

static int open_directory(const char *path) { return open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC); }

static bool lock_directory(int directory, int how)
{
    int result;
    do
        result = flock(directory, how);
    while (result != 0 && errno == EINTR);
    return result == 0;
}

/* Whether the open directory is the one that the path leads to now. */
static bool is_at(int directory, const char *path)
{
    struct stat open_one, there;
    return fstat(directory, &open_one) == 0 && lstat(path, &there) == 0 && open_one.st_ino == there.st_ino &&
           open_one.st_dev == there.st_dev;
}

/* False: somebody took the new directory for a dead one and removed it, before it was locked. Where files cannot be
 * locked nobody can take it for dead. */
static bool hold(struct gp_workdir *directory)
{
    directory->lock = open_directory(directory->path);
    if (directory->lock >= 0 && !lock_directory(directory->lock, LOCK_EX)) {
        close(directory->lock);
        directory->lock = -1;
    }
    return access(directory->path, F_OK) == 0;
}

static void let_go(struct gp_workdir *directory)
{
    if (directory->lock >= 0)
        close(directory->lock);
    if (directory->path != NULL)
        gp_temporary_forget(directory->path);
    free(directory->path);
    *directory = (struct gp_workdir){.lock = -1};
}

/* ---- Removal ---- */

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *place)
{
    (void)status;
    (void)type;
    (void)place;
    remove(path);
    return 0;
}

static void remove_all(const char *path) { nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS); }

/* Our user's only, and only while we hold the lock that its owner would hold. */
static void remove_if_dead(const char *path)
{
    struct stat status;
    int directory = open_directory(path);
    if (directory < 0)
        return;
    if (fstat(directory, &status) == 0 && status.st_uid == geteuid() && lock_directory(directory, LOCK_EX | LOCK_NB) &&
        is_at(directory, path))
        remove_all(path);
    close(directory);
}

static bool is_ours(const char *name, const char *start)
{
    size_t length = strlen(start), drawn = 0;
    if (strncmp(name, start, length) != 0)
        return false;
    while (isalnum((unsigned char)name[length + drawn]))
        drawn++;
    return drawn == strlen(random_part) && name[length + drawn] == '\0';
}

/* What processes left that were killed: it holds their sources. */
static void sweep(const char *parent, const char *start)
{
    DIR *stream = opendir(parent);
    for (struct dirent *entry; stream != NULL && (entry = readdir(stream)) != NULL;)
        if (is_ours(entry->d_name, start)) {
            char path[PATH_MAX];
            if (snprintf(path, sizeof path, "%s/%s", parent, entry->d_name) < (int)sizeof path)
                remove_if_dead(path);
        }
    if (stream != NULL)
        closedir(stream);
}

/* ---- The interface ---- */

/* False: errno says why; the path stays for the message. */
static bool make_one(struct gp_workdir *directory, const char *parent, const char *start)
{
    *directory = (struct gp_workdir){.lock = -1};
    if (asprintf(&directory->path, "%s/%s%s", parent, start, random_part) < 0)
        directory->path = NULL;
    if (directory->path == NULL)
        return false;
    gp_temporary_note(directory->path);
    return mkdtemp(directory->path) != NULL;
}

bool gp_workdir_make(struct gp_workdir *directory, const char *parent, struct gp_error *error)
{
    parent = parent != NULL && parent[0] == '/' ? parent : "/tmp";
    char start[sizeof "gpuperf--" + sizeof((struct utsname *)0)->nodename];
    write_prefix(start, sizeof start);
    sweep(parent, start);
    bool made = make_one(directory, parent, start);
    while (made && !hold(directory)) {
        let_go(directory);
        made = make_one(directory, parent, start);
    }
    if (!made) {
        gp_fail(error,
                "cannot make a directory for temporary files, %s: %s; set TMPDIR to a directory that can be written",
                directory->path != NULL ? directory->path : parent, strerror(errno));
        let_go(directory);
    }
    return made;
}

char *gp_workdir_file(const struct gp_workdir *directory, const char *name) { return path_of(directory->path, name); }

void gp_workdir_remove(struct gp_workdir *directory)
{
    if (directory->path == NULL)
        return;
    remove_all(directory->path);
    let_go(directory);
}
