/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/suggest.h"

#include <string.h>
#include <strings.h>

#include "support/edit_distance.h"

enum { LONGEST = 40 };

bool gp_may_mean(const char *word, const char *other)
{
    size_t length = strlen(word), others = strlen(other), shorter = length < others ? length : others;
    if (length == 0 || length > LONGEST || others > LONGEST)
        return false;
    if (shorter >= 3 && strncasecmp(word, other, shorter) == 0)
        return true;
    return gp_edit_distance(word, other) <= (shorter > 4 ? 2 : shorter > 2 ? 1 : 0);
}
