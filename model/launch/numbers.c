/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/launch/numbers.h"

#include <ctype.h>
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/launch/launch.h"
#include "model/value/value.h"

/* Digits; false where there are none. A number that is too large is the largest. */
static bool take_digits(const char **text, uint64_t *value)
{
    const char *at = *text;
    uint64_t sum = 0;
    for (; isdigit((unsigned char)*at); at++) {
        unsigned digit = (unsigned)(*at - '0');
        sum = sum > (UINT64_MAX - digit) / 10 ? UINT64_MAX
                                              : sum * 10 + digit; /* from then on it is too large whatever follows */
    }
    bool good = at != *text;
    *text = at;
    *value = sum;
    return good;
}

bool gp_parse_sizes(const char *text, uint32_t *dims, uint64_t sizes[3], struct gp_error *error)
{
    const char *at = text;
    uint64_t items = 1, found[3] = {1, 1, 1};
    for (uint32_t d = 0; d < 3; d++) {
        if (!take_digits(&at, &found[d]))
            break;
        if (found[d] == 0)
            return gp_fail(error, "'%.80s': a size is 0", text);
        if (found[d] > GP_MOST_WORK_ITEMS / items)
            return gp_fail(error, "'%.80s': more than 2^53 work-items", text);
        items *= found[d];
        if (*at == '\0') {
            *dims = d + 1;
            memcpy(sizes, found, sizeof found);
            return true;
        }
        if (*at++ != 'x')
            break;
    }
    return gp_fail(error, "'%.80s' is no size; write up to three numbers like 64, 32x8 or 8x8x4", text);
}

/* IEEE 754 binary16, rounded to nearest even. */
static uint64_t half_bits(double value)
{
    uint64_t sign = signbit(value) ? 0x8000 : 0;
    double size = fabs(value);
    if (isnan(value))
        return 0x7e00;
    if (size >= 65520) /* half way between the largest number and 2^16 */
        return sign | 0x7c00;
    if (size < 0x1p-14)
        return sign | (uint64_t)nearbyint(size * 0x1p24);
    int exponent = ilogb(size);
    uint64_t mantissa = (uint64_t)nearbyint(ldexp(size, 10 - exponent)); /* 2048 carries into the exponent */
    return sign | (((uint64_t)(exponent + 15) << 10) + mantissa - 1024);
}

uint64_t gp_float_bits(const struct gp_param *param, double value)
{
    float single = (float)value;
    uint32_t word;
    uint64_t bits;
    memcpy(&word, &single, sizeof word);
    memcpy(&bits, &value, sizeof bits);
    return param->bits == 64 ? bits : param->bits == 32 ? word : half_bits(value);
}

bool gp_parse_decimal(const char *text, double *value)
{
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (plain == (locale_t)0)
        return false;
    locale_t before = uselocale(plain);
    char *end;
    *value = strtod(text, &end);
    uselocale(before);
    freelocale(plain);
    return end != text && *end == '\0';
}

/* "1e9", "2.5e3": a whole number that a double holds exactly. */
static bool parse_exponent(const char *text, uint64_t *value)
{
    double decimal;
    if (!isdigit((unsigned char)*text) || text[strcspn(text, "eE")] == '\0' || !gp_parse_decimal(text, &decimal))
        return false;
    *value = decimal <= 0x1p53 ? (uint64_t)decimal : 0;
    return decimal <= 0x1p53 && (double)*value == decimal;
}

bool gp_parse_integer(const char *text, unsigned bits, uint64_t *value)
{
    bool negative = *text == '-';
    const char *digits = text + negative;
    char *end;
    if (!isdigit((unsigned char)*digits))
        return false;
    bool hexadecimal = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
    errno = 0;
    uint64_t number = strtoull(digits, &end, hexadecimal ? 16 : 10);
    uint64_t most = negative ? (gp_bits_mask(bits) >> 1) + 1 : gp_bits_mask(bits);
    bool whole = errno == 0 && *end == '\0';
    if ((!whole && (hexadecimal || !parse_exponent(digits, &number))) || number > most)
        return false;
    *value = (negative ? 0 - number : number) & gp_bits_mask(bits);
    return true;
}
