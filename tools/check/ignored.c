/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/check/ignored.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/text.h"

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '-'; }

/* Behind a colon causes are named; without one all are meant. */
static bool names_cause(const char *after, const char *end, const char *cause)
{
    size_t length = strlen(cause);
    after += strspn(after, " ");
    if (after >= end || *after != ':')
        return true;
    while (++after < end) {
        const char *word = after;
        while (after < end && is_word(*after))
            after++;
        if ((size_t)(after - word) == length && strncmp(word, cause, length) == 0)
            return true;
    }
    return false;
}

static bool holds(const char *line, const char *end, const char *word, const char *cause)
{
    size_t length = strlen(word);
    for (const char *at = line; (at = memmem(at, (size_t)(end - at), word, length)) != NULL; at += length)
        if (at + length >= end || !is_word(at[length]))
            if (names_cause(at + length, end, cause))
                return true;
    return false;
}

static const char *end_of(const char *line)
{
    const char *end = strchr(line, '\n');
    return end != NULL ? end : line + strlen(line);
}

bool gp_is_ignored(const char *file, unsigned line, const char *cause)
{
    size_t length;
    char *text = line > 0 && file[0] != '\0' ? gp_read_file(file, &length) : NULL;
    const char *at = text, *before = NULL;
    for (unsigned i = 1; at != NULL && i < line; i++) {
        const char *end = end_of(at);
        before = at;
        at = *end == '\n' ? end + 1 : NULL;
    }
    bool ignored = at != NULL && (holds(at, end_of(at), "gpuperf-ignore", cause) ||
                                  (before != NULL && holds(before, end_of(before), "gpuperf-ignore-next-line", cause)));
    free(text);
    return ignored;
}
