/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What somebody may have meant. */
#ifndef GPUPERF_TOOLS_SUGGEST_H
#define GPUPERF_TOOLS_SUGGEST_H

#include <stdbool.h>
#include <stddef.h>

/* Whether two words differ so little, whatever their case, that one may be meant for the other: in two letters left
 * out, added or another one, of short words in one; or one begins with the other. */
bool gp_may_mean(const char *word, const char *other);

#endif
