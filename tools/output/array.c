/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* JSON: the plain array of `--json`. */
#include <stdlib.h>
#include <string.h>

#include "tools/output/json_rows.h"
#include "tools/output/printer.h"

bool gp_array_add(struct gp_printer *printer, const struct gp_result *result, struct gp_text *out)
{
    struct gp_combination stated = {0};
    bool done = true;
    gp_axes_choose(result->axes, result->combination, &stated);
    gp_text_printf(out, printer->count == 0 ? "[\n" : ",\n");
    for (size_t i = 0; done && i < result->shown; i++) {
        json_t *row = gp_result_row(result, i, &stated);
        gp_text_printf(out, i > 0 ? ",\n" : "");
        done = gp_append_indented(row, 2, out);
        json_decref(row);
    }
    gp_combination_free(&stated);
    return done;
}

void gp_array_end(struct gp_text *out) { gp_text_printf(out, "\n]\n"); }
