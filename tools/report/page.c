/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/report/page.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "tools/report/sources.h"

enum { MOST_SOURCE_BYTES = 1 << 20 };

static char *data_of(const struct gp_outcome *outcome)
{
    bool whole;
    json_t *object = gp_outcome_object(outcome);
    json_object_set_new(object, "sources", gp_source_parts(outcome->rows, MOST_SOURCE_BYTES, &whole));
    json_object_set_new(object, "sources_whole", json_boolean(whole));
    char *text = json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(6));
    json_decref(object);
    return text;
}

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

/* Deflated (RFC 1950), in base64: few characters, that mean nothing in HTML; JSON of a tree's kernels becomes a tenth.
 * False: out of memory. */
static bool append_packed(const char *text, struct gp_text *out)
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

bool gp_print_page(const struct gp_outcome *outcome, struct gp_text *out, struct gp_error *error)
{
    static const char mark[] = "@DATA@";
    const char *page = (const char *)gp_page_text, *at = strstr(page, mark);
    char *data = data_of(outcome);
    if (data == NULL)
        return gp_fail(error, "out of memory");
    gp_text_append(out, page, (size_t)(at - page));
    bool packed = append_packed(data, out);
    gp_text_printf(out, "%s", at + sizeof mark - 1);
    free(data);
    return (packed && !out->failed) || gp_fail(error, "out of memory");
}
