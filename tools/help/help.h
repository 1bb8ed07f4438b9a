/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * gpuperf help WORD: what a word of the output means. The texts are those of the documentation, embedded by the build:
 * tools/help/words.md and docs/glossary.md, whose entries are
 *
 *     * **word**, **other word**: text, which may go on
 *       on lines that are indented
 *
 * and docs/causes/CAUSE.md, of which it is what the cause is, what to do and when to ignore it.
 */
#ifndef GPUPERF_TOOLS_HELP_HELP_H
#define GPUPERF_TOOLS_HELP_HELP_H

#include "support/error.h"
#include "support/text.h"

/* Appends what there is on a word, whatever its case. False: a sentence, with words that may be meant. */
bool gp_help_on(const char *word, struct gp_text *out, struct gp_error *error);

#endif
