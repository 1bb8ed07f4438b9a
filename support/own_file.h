#ifndef GPUPERF_SUPPORT_OWN_FILE_H
#define GPUPERF_SUPPORT_OWN_FILE_H

#include <limits.h>
#include <stdbool.h>

/* The file that this code was loaded from, without symbolic links: the shared library, or the program it is linked into. False: it cannot be told. */
bool gp_own_file(char path[PATH_MAX]);

#endif
