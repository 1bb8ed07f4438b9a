/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#define _GNU_SOURCE /* strchrnul, memmem */
#include "compile/messages.h"

#include <string.h>

/* The first line that holds the mark; NULL: none does. */
static const char *line_with(const char *output, const char *mark, const char **where)
{
    *where = strstr(output, mark);
    if (*where == NULL)
        return NULL;
    const char *start = *where;
    while (start > output && start[-1] != '\n')
        start--;
    return start;
}

static const char *first_line(const char *output)
{
    while (*output == '\n' || *output == ' ' || *output == '\t')
        output++;
    return output;
}

static int length_of(const char *line)
{
    size_t length = (size_t)(strchrnul(line, '\n') - line);
    return length < 700 ? (int)length : 700;
}

bool gp_fail_with_output(struct gp_error *error, const char *program, const char *output)
{
    static const char *const marks[] = {"fatal error: ", "error: ", "ptxas fatal   : ", "ptxas error   : "};
    const char *best = NULL, *best_where = NULL;
    size_t skip = 0;
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
        const char *where;
        const char *line = line_with(output, marks[i], &where);
        if (line != NULL && (best == NULL || line < best)) {
            best = line;
            best_where = where;
            skip = strlen(marks[i]);
        }
    }
    if (best != NULL) /* "FILE:LINE:COLUMN: " and the message, without the word between them */
        return gp_fail(error, "%.*s%.*s", (int)(best_where - best), best, length_of(best_where + skip),
                       best_where + skip);
    const char *line = first_line(output);
    if (*line != '\0')
        return gp_fail(error, "%s failed: %.*s", program, length_of(line), line);
    return gp_fail(error, "%s failed without a message", program);
}
