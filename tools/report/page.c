/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/report/page.h"

#include <stdlib.h>
#include <string.h>

#include "tools/report/packed.h"
#include "tools/report/page_text.h"
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

bool gp_print_page(const struct gp_outcome *outcome, struct gp_text *out, struct gp_error *error)
{
    static const char mark[] = "@DATA@";
    const char *page = (const char *)gp_page_text, *at = strstr(page, mark);
    char *data = data_of(outcome);
    if (data == NULL)
        return gp_fail(error, "out of memory");
    gp_text_append(out, page, (size_t)(at - page));
    bool packed = gp_append_packed(data, out);
    gp_text_printf(out, "%s", at + sizeof mark - 1);
    free(data);
    return (packed && !out->failed) || gp_fail(error, "out of memory");
}
