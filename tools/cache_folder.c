/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/cache_folder.h"

#include <stdio.h>
#include <stdlib.h>

bool gp_cache_folder(char path[4096])
{
    const char *set = getenv("GPUPERF_CACHE"), *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    path[0] = '\0';
    if (set != NULL)
        snprintf(path, 4096, "%s", set);
    else if (cache != NULL && cache[0] == '/')
        snprintf(path, 4096, "%s/gpuperf", cache);
    else if (home != NULL && home[0] == '/')
        snprintf(path, 4096, "%s/.cache/gpuperf", home);
    return path[0] != '\0' || set != NULL;
}
