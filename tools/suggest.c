/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/suggest.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

enum { LONGEST = 40 };

static size_t least(size_t a, size_t b, size_t c)
{
    size_t ab = a < b ? a : b;
    return ab < c ? ab : c;
}

/* Letters left out, added and replaced (Levenshtein); of words of at most LONGEST letters. */
static size_t distance(const char *a, const char *b)
{
    size_t row[LONGEST + 1];
    for (size_t j = 0; j <= strlen(b); j++)
        row[j] = j;
    for (size_t i = 1; i <= strlen(a); i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= strlen(b); j++) {
            bool same = tolower((unsigned char)a[i - 1]) == tolower((unsigned char)b[j - 1]);
            size_t next = least(row[j] + 1, row[j - 1] + 1, diagonal + !same);
            diagonal = row[j];
            row[j] = next;
        }
    }
    return row[strlen(b)];
}

bool gp_may_mean(const char *word, const char *other)
{
    size_t length = strlen(word), others = strlen(other), shorter = length < others ? length : others;
    if (length == 0 || length > LONGEST || others > LONGEST)
        return false;
    if (shorter >= 3 && strncasecmp(word, other, shorter) == 0)
        return true;
    return distance(word, other) <= (shorter > 4 ? 2 : shorter > 2 ? 1 : 0);
}
