/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* gpuperf schema: the JSON Schema of "gpuperf/1". */
#include "tools/command.h"

extern const char gp_schema[]; /* tools/output/gpuperf-1.schema.json, embedded by the build */

enum gp_status gp_schema_command(const struct gp_command_line *line, struct gp_text *out, struct gp_error *error)
{
    if (line->count > 1) {
        gp_fail(error, "'schema' takes no arguments; it prints the JSON Schema of gpuperf/1");
        return GP_STATUS_USAGE;
    }
    gp_text_printf(out, "%s", gp_schema);
    return GP_STATUS_OK;
}
