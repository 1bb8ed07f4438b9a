/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Verbs that are programs of their own, as git has them: gpuperf-NAME beside this one, else in PATH. */
#ifndef GPUPERF_TOOLS_OTHER_VERB_H
#define GPUPERF_TOOLS_OTHER_VERB_H

/*
 * Becomes the program for the verb words[0], which gets the words behind it; `words` ends in NULL. Comes back where
 * there is no such program, or the word is no name (letters, digits, '-' and '_', the first a letter): then nothing has
 * happened.
 */
void gp_run_other_verb(char **words);

#endif
