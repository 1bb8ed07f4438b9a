/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What somebody may have meant. */
#ifndef GPUPERF_SUPPORT_SUGGEST_H
#define GPUPERF_SUPPORT_SUGGEST_H

#include <stdbool.h>

#include "support/text.h"

/* Whether two words differ so little, whatever their case, that one may be meant for the other: in two letters left
 * out, added or another one, of short words in one; or one begins with the other. */
bool gp_may_mean(const char *word, const char *other);

/* Adds `other`, where it may be meant, to "; did you mean 'this' or 'that'": each once, whatever its case, and three at
 * most. Begins with an empty text. */
void gp_suggest(const char *word, const char *other, struct gp_text *text);

#endif
