/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "support/environment.h"

#include <stdlib.h>
#include <string.h>

extern char **environ;

char **gp_environment_copy(void)
{
    size_t count = 0;
    while (environ != NULL && environ[count] != NULL)
        count++;
    char **copy = calloc(count + 1, sizeof *copy);
    for (size_t i = 0; copy != NULL && i < count; i++)
        if ((copy[i] = strdup(environ[i])) == NULL) {
            gp_environment_free(copy);
            return NULL;
        }
    return copy;
}

void gp_environment_free(char **environment)
{
    for (char **at = environment; at != NULL && *at != NULL; at++)
        free(*at);
    free(environment);
}

const char *gp_variable(char *const *environment, const char *name)
{
    size_t length = strlen(name);
    for (char *const *at = environment != NULL ? environment : environ; at != NULL && *at != NULL; at++)
        if (strncmp(*at, name, length) == 0 && (*at)[length] == '=')
            return *at + length + 1;
    return NULL;
}
