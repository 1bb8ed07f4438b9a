/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Whether a word is one of some words. */
#ifndef GPUPERF_SUPPORT_WORDS_H
#define GPUPERF_SUPPORT_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static inline bool gp_is_one_of(const char *word, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(word, words[i]) == 0)
            return true;
    return false;
}

/* Whether a name is among those asked for, which NULL ends: where there are none, all are. */
static inline bool gp_is_asked_for(const char *name, char *const *names)
{
    size_t count = 0;
    while (names[count] != NULL)
        count++;
    return count == 0 || gp_is_one_of(name, (const char *const *)names, count);
}

#endif
