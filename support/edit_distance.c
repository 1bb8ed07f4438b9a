/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "support/edit_distance.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

static size_t least(size_t a, size_t b, size_t c)
{
    size_t ab = a < b ? a : b;
    return ab < c ? ab : c;
}

size_t gp_edit_distance(const char *a, const char *b)
{
    size_t row[GP_LONGEST_EDITED + 1], n = strlen(a), m = strlen(b);
    if (n > GP_LONGEST_EDITED || m > GP_LONGEST_EDITED)
        return GP_LONGEST_EDITED;
    for (size_t j = 0; j <= m; j++)
        row[j] = j;
    for (size_t i = 1; i <= n; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= m; j++) {
            bool same = tolower((unsigned char)a[i - 1]) == tolower((unsigned char)b[j - 1]);
            size_t next = least(row[j] + 1, row[j - 1] + 1, diagonal + !same);
            diagonal = row[j];
            row[j] = next;
        }
    }
    return row[m];
}
