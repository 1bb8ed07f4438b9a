/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What somebody may have meant. */
#ifndef GPUPERF_SUPPORT_SUGGEST_H
#define GPUPERF_SUPPORT_SUGGEST_H

#include <stdbool.h>

#include "support/text.h"

/* Adds `other`, where it may be meant, to "; did you mean 'this' or 'that'": each once, whatever its case, and three at
 * most. Begins with an empty text. */
void gp_suggest(const char *word, const char *other, struct gp_text *text);

#endif
