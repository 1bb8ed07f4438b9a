/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Registers that are not free for what loads bring, block by block: sums that a loop carries, addresses, what was
 * loaded before a loop.
 */
#ifndef GPUPERF_MODEL_HELD_WORDS_H
#define GPUPERF_MODEL_HELD_WORDS_H

#include "model/profile/profile.h"

/* words: [kernel->block_count], 32-bit words of a lane that are live where a block starts, its phis included.
 * scalar_unit: as gp_liveness_begin(). */
void gp_held_words(const struct gp_kernel *kernel, bool scalar_unit, uint32_t *words);

/* Words that results of loads may take while they are waited for, of so many registers: half of them, and no more than
 * those held leave. */
static inline double gp_load_words(double registers, double held)
{
    const double LEAST = 4, OTHERS = 4; /* addresses and what is being computed */
    double half = registers > 8 ? registers / 2 : LEAST, left = registers - held - OTHERS;
    return left > half ? half : left > LEAST ? left : LEAST;
}

#endif
