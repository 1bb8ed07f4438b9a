/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "support/suggest.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "support/edit_distance.h"

enum { LONGEST = 40, MOST_SUGGESTED = 3 };

/* Whether two words differ so little, whatever their case, that one may be meant for the other: in two letters left
 * out, added or another one, of short words in one; or one begins with the other. */
static bool may_mean(const char *word, const char *other)
{
    size_t length = strlen(word), others = strlen(other), shorter = length < others ? length : others;
    if (length == 0 || length > LONGEST || others > LONGEST)
        return false;
    if (shorter >= 3 && strncasecmp(word, other, shorter) == 0)
        return true;
    return gp_edit_distance(word, other) <= (shorter > 4 ? 2 : shorter > 2 ? 1 : 0);
}

/* How many words the list has; *there: `other` is one of them. */
static unsigned count_listed(const struct gp_text *text, const char *other, bool *there)
{
    unsigned count = 0;
    size_t length = strlen(other);
    *there = false;
    for (const char *at = text->length > 0 ? strchr(text->data, '\'') : NULL; at != NULL; count++) {
        const char *end = strchr(at + 1, '\'');
        if (end == NULL)
            break;
        *there |= (size_t)(end - at - 1) == length && strncasecmp(at + 1, other, length) == 0;
        at = strchr(end + 1, '\'');
    }
    return count;
}

void gp_suggest(const char *word, const char *other, struct gp_text *text)
{
    bool there;
    if (!may_mean(word, other) || count_listed(text, other, &there) >= MOST_SUGGESTED || there)
        return;
    gp_text_printf(text, "%s'%s'", text->length > 0 ? " or " : "; did you mean ", other);
}
