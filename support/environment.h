/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Environment variables from a copy: getenv() must not run while another thread of a program that is not ours calls
 * setenv(). */
#ifndef GPUPERF_SUPPORT_ENVIRONMENT_H
#define GPUPERF_SUPPORT_ENVIRONMENT_H

/* This process's variables as they are now, "NAME=value", NULL-terminated like environ. NULL: out of memory. Free with
 * gp_environment_free(). */
char **gp_environment_copy(void);
void gp_environment_free(char **environment);

/* The value of a variable in such a list; NULL: it is not set. environment NULL: this process's own. */
const char *gp_variable(char *const *environment, const char *name);

#endif
