/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef GPUPERF_SUPPORT_PREFIX_H
#define GPUPERF_SUPPORT_PREFIX_H

#include <stdbool.h>
#include <string.h>

static inline bool gp_starts_with(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

static inline bool gp_ends_with(const char *text, const char *suffix)
{
    size_t length = strlen(text), wanted = strlen(suffix);
    return length >= wanted && strcmp(text + length - wanted, suffix) == 0;
}

#endif
