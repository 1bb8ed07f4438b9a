/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef GPUPERF_SUPPORT_OWN_FILE_H
#define GPUPERF_SUPPORT_OWN_FILE_H

#include <limits.h>
#include <stdbool.h>

/* The file that this code was loaded from, without symbolic links: the shared library, or the program it is linked
 * into. False: it cannot be told. */
bool gp_own_file(char path[PATH_MAX]);

/*
 * NAME in one of the three directories above that file's own ("share/gpuperf/hwdb" beside bin/ or lib/TARGET/): what
 * was installed with it. The build tree is laid out likewise. Never in a directory like /tmp, which everybody may put
 * something into. False: it is in none.
 */
bool gp_beside_own_file(const char *name, char path[PATH_MAX]);

#endif
