/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#define _GNU_SOURCE /* dladdr1 */
#include "support/own_file.h"

#include <dlfcn.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool gp_own_file(char path[PATH_MAX])
{
    Dl_info info;
    struct link_map *map = NULL;
    if (dladdr1((void *)(uintptr_t)gp_own_file, &info, (void **)&map, RTLD_DL_LINKMAP) == 0)
        return false;
    if (map != NULL && map->l_name[0] != '\0')
        return realpath(map->l_name, path) != NULL;
    ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - 1); /* the program: its argv[0] may name anything */
    if (length <= 0)
        return false;
    path[length] = '\0';
    return true;
}

/* As /tmp is: everybody may put something there, and not replace what is there, as our own file. */
static bool is_public(const char *directory)
{
    struct stat status;
    return stat(directory[0] != '\0' ? directory : "/", &status) != 0 ||
           (status.st_mode & (S_IWOTH | S_ISVTX)) == (S_IWOTH | S_ISVTX);
}

bool gp_beside_own_file(const char *name, char path[PATH_MAX])
{
    enum { LEVELS = 3 };
    char directory[PATH_MAX];
    bool found = false;
    if (!gp_own_file(directory))
        return false;
    for (int level = 0; level <= LEVELS && !found; level++) {
        char *slash = strrchr(directory, '/');
        if (slash == NULL)
            return false;
        *slash = '\0';
        found = level > 0 && !is_public(directory) && snprintf(path, PATH_MAX, "%s/%s", directory, name) < PATH_MAX &&
                access(path, F_OK) == 0;
    }
    return found;
}
