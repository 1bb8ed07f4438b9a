/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/json_out.h"

#include <stdlib.h>

bool gp_print_json(json_t *value, struct gp_text *out, struct gp_error *error)
{
    char *text = value != NULL ? json_dumps(value, JSON_INDENT(2)) : NULL;
    json_decref(value);
    if (text == NULL)
        return gp_fail(error, "out of memory");
    gp_text_printf(out, "%s\n", text);
    free(text);
    return true;
}
