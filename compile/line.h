/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Looking for words in one line of a text. For files that define _GNU_SOURCE. */
#ifndef GPUPERF_COMPILE_LINE_H
#define GPUPERF_COMPILE_LINE_H

#include <stddef.h>
#include <string.h>

/* Where the words begin between `line` and `end`; NULL: they are not there. */
static inline const char *gp_find_in_line(const char *line, const char *end, const char *words)
{
    return memmem(line, (size_t)(end - line), words, strlen(words));
}

#endif
