/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/timing/limiter.h"

static const char *const limiter_names[] = {
#define X(name, text) text,
    GP_LIMITERS(X)
#undef X
};

const char *gp_limiter_name(enum gp_limiter limiter)
{
    return limiter < GP_LIMITER_COUNT ? limiter_names[limiter] : "?";
}
