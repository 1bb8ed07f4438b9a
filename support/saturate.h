/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Sums, differences and products of numbers that may be anything, such as addresses made of a program's 64-bit
 * arguments: what does not fit is the largest number, or the smallest. */
#ifndef GPUPERF_SUPPORT_SATURATE_H
#define GPUPERF_SUPPORT_SATURATE_H

#include <stdint.h>

static inline int64_t gp_add(int64_t a, int64_t b)
{
    int64_t sum;
    return !__builtin_add_overflow(a, b, &sum) ? sum : b < 0 ? INT64_MIN : INT64_MAX;
}

static inline int64_t gp_subtract(int64_t a, int64_t b)
{
    int64_t difference;
    return !__builtin_sub_overflow(a, b, &difference) ? difference : b > 0 ? INT64_MIN : INT64_MAX;
}

static inline int64_t gp_multiply(int64_t a, int64_t b)
{
    int64_t product;
    return !__builtin_mul_overflow(a, b, &product) ? product : (a < 0) != (b < 0) ? INT64_MIN : INT64_MAX;
}

static inline int64_t gp_negate(int64_t a) { return gp_subtract(0, a); }

static inline int64_t gp_size_of(int64_t a) { return a < 0 ? gp_negate(a) : a; }

#endif
