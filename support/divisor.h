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

#endif
