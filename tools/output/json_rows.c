/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/output/json_rows.h"

#include <stdlib.h>
#include <string.h>

#include "report/report_row.h"

json_t *gp_result_row(const struct gp_result *result, size_t index, const struct gp_combination *stated)
{
    struct gp_report_row row = {.profile = result->profile,
                                .kernel = result->kernel,
                                .device = result->device->name,
                                .prediction = &result->predictions[index],
                                .nearest = result->device->nearest,
                                .launched = gp_is_launched(result, index),
                                .terms = result->terms,
                                .effects = index == 0 ? &result->effects : NULL,
                                .launch = result->launch,
                                .arguments = (const char *const *)stated->values.items};
    json_t *object = gp_report_row(&row);
    const char *why = index == 0 ? gp_preference_of_result(result) : NULL;
    if (why != NULL)
        json_object_set_new(object, "preferred", json_string(why));
    return object;
}

/* Strings of JSON have no line ends in them. */
bool gp_append_indented(const json_t *value, int spaces, struct gp_text *out)
{
    char *text = value != NULL ? json_dumps(value, JSON_INDENT(2) | GP_REPORT_DIGITS) : NULL;
    for (const char *line = text; line != NULL;) {
        const char *end = strchr(line, '\n');
        gp_text_printf(out, "%*s", spaces, "");
        gp_text_append(out, line, end != NULL ? (size_t)(end + 1 - line) : strlen(line));
        line = end != NULL ? end + 1 : NULL;
    }
    free(text);
    return text != NULL;
}
