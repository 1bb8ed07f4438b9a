/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Tables in which what was worked out is remembered: by hash, one entry to a place, a power of two of them. They start
 * small, since many kernels are looked at once. */
#ifndef GPUPERF_MODEL_MEMO_H
#define GPUPERF_MODEL_MEMO_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

enum { GP_MEMO_GROWTH = 4 };

/*
 * Where entries make way for others all the time (*clashes: how often since the table was made) there should be more:
 * an empty table of GP_MEMO_GROWTH times as many, the caller's. NULL: the old one will do, is as large as it may get,
 * or there is no memory. What was remembered is soon worked out anew.
 */
static inline void *gp_memo_more(uint32_t count, uint32_t most, uint32_t *clashes, size_t size)
{
    if (*clashes <= count)
        return NULL;
    *clashes = 0;
    return count < most ? calloc(GP_MEMO_GROWTH * (size_t)count, size) : NULL;
}

/* The table to go on with, in place of `entries`, which own nothing: these, or an empty larger one, of *count then. */
static inline void *gp_memo_grown(void *entries, uint32_t *count, uint32_t most, uint32_t *clashes, size_t size)
{
    void *more = gp_memo_more(*count, most, clashes, size);
    if (more == NULL)
        return entries;
    free(entries);
    *count *= GP_MEMO_GROWTH;
    return more;
}

#endif
