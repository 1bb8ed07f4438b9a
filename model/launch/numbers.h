/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Numbers and sizes as people write them, whatever the locale. */
#ifndef GPUPERF_MODEL_NUMBERS_H
#define GPUPERF_MODEL_NUMBERS_H

#include <stdbool.h>
#include <stdint.h>

#include "model/profile/profile.h"

/* An integer of 64 bits at most, which a launch has one value of. */
static inline bool gp_is_scalar_integer(const struct gp_param *param)
{
    return param->kind == GP_PARAM_INT && param->bits <= 64;
}

/* The bits of a floating-point number in the type of a parameter of 16, 32 or 64 bits. */
uint64_t gp_float_bits(const struct gp_param *param, double value);

/* strtod with a point whatever the program's locale says. False: the text is more or less than one number. */
bool gp_parse_decimal(const char *text, double *value);

/* A decimal or 0x hexadecimal integer, or a whole number with an exponent (1e9), that so many bits can hold, as signed
 * or as unsigned number. */
bool gp_parse_integer(const char *text, unsigned bits, uint64_t *value);

/*
 * "64x4", "256", "32x4x2": fills dims and sizes (1 beyond). False and a sentence when it is not that, or a size is 0.
 */
bool gp_parse_sizes(const char *text, uint32_t *dims, uint64_t sizes[3], struct gp_error *error);

#endif
