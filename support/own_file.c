#define _GNU_SOURCE /* dladdr1 */
#include "support/own_file.h"

#include <dlfcn.h>
#include <link.h>
#include <stdint.h>
#include <stdlib.h>
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
