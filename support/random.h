/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Numbers that look drawn and are the same in every run: Knuth's MMIX (The Art of Computer Programming, 3.3.4). */
#ifndef GPUPERF_SUPPORT_RANDOM_H
#define GPUPERF_SUPPORT_RANDOM_H

#include <stdint.h>

/* The next one after `state`, which it becomes. The upper bits are the good ones. */
static inline uint64_t gp_next_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state;
}

#endif
