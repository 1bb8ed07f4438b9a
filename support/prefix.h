#ifndef GPUPERF_SUPPORT_PREFIX_H
#define GPUPERF_SUPPORT_PREFIX_H

#include <stdbool.h>
#include <string.h>

static inline bool gp_starts_with(const char *text, const char *prefix) { return strncmp(text, prefix, strlen(prefix)) == 0; }

#endif
