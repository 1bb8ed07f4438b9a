/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/report/packed.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* Three bytes in four characters; what is missing of the last three is "=". */
static void append_base64(const unsigned char *bytes, size_t count, struct gp_text *out)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < count; i += 3) {
        size_t there = count - i < 3 ? count - i : 3;
        unsigned word = (unsigned)bytes[i] << 16 | (there > 1 ? (unsigned)bytes[i + 1] << 8 : 0) |
                        (there > 2 ? (unsigned)bytes[i + 2] : 0);
        const char four[] = {digits[word >> 18], digits[word >> 12 & 63], there > 1 ? digits[word >> 6 & 63] : '=',
                             there > 2 ? digits[word & 63] : '='};
        gp_text_append(out, four, sizeof four);
    }
}

bool gp_append_packed(const char *text, struct gp_text *out)
{
    uLong length = (uLong)strlen(text);
    uLongf count = compressBound(length);
    unsigned char *bytes = malloc(count);
    bool done = bytes != NULL && compress2(bytes, &count, (const Bytef *)text, length, Z_BEST_COMPRESSION) == Z_OK;
    if (done)
        append_base64(bytes, count, out);
    free(bytes);
    return done && !out->failed;
}
