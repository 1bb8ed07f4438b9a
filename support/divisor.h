/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef GPUPERF_SUPPORT_DIVISOR_H
#define GPUPERF_SUPPORT_DIVISOR_H

#include <stdint.h>

/* Of 0 and a number: the number. */
static inline uint64_t gp_greatest_common_divisor(uint64_t a, uint64_t b)
{
    while (b != 0) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* The least number that both divide; neither is 0. */
static inline uint64_t gp_common_multiple(uint64_t a, uint64_t b) { return a / gp_greatest_common_divisor(a, b) * b; }

/* The largest divisor that is not beyond the limit; a limit of 0 counts as 1. */
static inline uint64_t gp_largest_divisor(uint64_t number, uint64_t limit)
{
    if (number <= limit)
        return number;
    uint64_t divisor = limit > 0 ? limit : 1;
    while (number % divisor != 0)
        divisor--;
    return divisor;
}

#endif
