/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/other_verb.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_name(const char *word)
{
    if (!isalpha((unsigned char)word[0]) || strlen(word) > 60)
        return false;
    for (; *word != '\0'; word++)
        if (!isalnum((unsigned char)*word) && *word != '-' && *word != '_')
            return false;
    return true;
}

/* The folder of this program, as far as the system tells. */
static bool find_own_folder(char folder[4096])
{
    ssize_t length = readlink("/proc/self/exe", folder, 4095);
    if (length <= 0)
        return false;
    folder[length] = '\0';
    char *slash = strrchr(folder, '/');
    if (slash == NULL)
        return false;
    *slash = '\0';
    return true;
}

void gp_run_other_verb(char **words)
{
    char folder[4096], program[80], path[sizeof folder + sizeof program];
    char *verb = words[0];
    if (!is_name(verb))
        return;
    snprintf(program, sizeof program, "gpuperf-%s", verb);
    words[0] = program;
    if (find_own_folder(folder)) {
        snprintf(path, sizeof path, "%s/%s", folder, program);
        execv(path, words);
    }
    execvp(program, words);
    words[0] = verb;
}
