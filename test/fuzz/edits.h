/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Bytes of a fuzzer as numbers, and as small changes to a good profile, many of which leave it valid: bytes by chance
 * hardly ever make one. Golden profiles are what is changed.
 */
#ifndef GPUPERF_TEST_FUZZ_EDITS_H
#define GPUPERF_TEST_FUZZ_EDITS_H

#include <stddef.h>
#include <stdint.h>

#include "model/profile/profile.h"
#include "support/error.h"

struct edits {
    const uint8_t *bytes;
    size_t size;
};

/* 0 .. below - 1; 0 once no bytes are left. */
uint32_t take(struct edits *edits, uint32_t below);

/* Changes one thing of a kernel: an operand, an operation, a constant, a loop, a branch ... */
void edit(struct gp_kernel *kernel, struct edits *edits);

/* How many golden profiles there are, and one of them anew; free with gp_profile_free(). Stops the program where it
 * cannot be read. */
uint32_t golden_count(void);
struct gp_profile *golden_profile(uint32_t number);

/* Stops the program with the sentence where the condition does not hold. */
void want(bool condition, const char *what);

#endif
