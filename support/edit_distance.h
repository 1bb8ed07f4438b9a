/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef GPUPERF_SUPPORT_EDIT_DISTANCE_H
#define GPUPERF_SUPPORT_EDIT_DISTANCE_H

#include <stddef.h>

/* Words longer than this are nobody's misspelt ones. */
enum { GP_LONGEST_EDITED = 64 };

/* Letters left out, added and replaced between two words, whatever their case (Levenshtein); GP_LONGEST_EDITED where
 * one is longer than that. */
size_t gp_edit_distance(const char *a, const char *b);

#endif
