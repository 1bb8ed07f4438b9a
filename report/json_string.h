/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Text as JSON. */
#ifndef GPUPERF_REPORT_JSON_STRING_H
#define GPUPERF_REPORT_JSON_STRING_H

#include <jansson.h>

/* NULL: empty. Sources and users' files may hold any bytes; jansson refuses what is not UTF-8: "?". To be owned by the
 * caller. */
static inline json_t *gp_json_string(const char *text)
{
    json_t *value = json_string(text ? text : "");
    return value ? value : json_string("?");
}

#endif
