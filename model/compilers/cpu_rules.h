/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What LLVM makes of a loop over work-items for a CPU. */
#ifndef GPUPERF_MODEL_CPU_RULES_H
#define GPUPERF_MODEL_CPU_RULES_H

#include "model/profile/profile.h"

/*
 * Whether LLVM's scalar evolution no longer follows the address from one work-item to the next, so that a vector's
 * elements are gathered wherever they lie. So it is with signed quotients and remainders of an id, with a bit of it
 * flipped, and with a constant added to an index of 32 bits: of a[i + 1] with `int i = get_global_id(0)` come a shift
 * up, an addition and a shift down again. (LLVM 14, 15 and 22, AVX-512: a sum of four neighbours takes 3.5 cycles with
 * int, 1.1 with size_t on a Zen 5; a[i ^ 1] 2.2, a[100000 - i] 2.2, where a[i] takes 0.8.)
 */
bool gp_hides_neighbours(const struct gp_kernel *kernel, uint32_t memory);

#endif
