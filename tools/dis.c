/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/profile/profile_text.h"
#include "tools/command.h"
#include "tools/input.h"

enum gp_status gp_dis_command(const struct gp_command_line *line, struct gp_text *out, struct gp_error *error)
{
    if (line->count != 2 || line->rest != NULL || line->arguments[1][0] == '-') {
        gp_fail(error, "'dis' takes one file and no options: gpuperf dis FILE");
        return GP_STATUS_USAGE;
    }
    struct gp_input input;
    bool done = gp_input_open(line->arguments[1], &input, error);
    if (done && input.profiles == NULL)
        done = gp_fail(
            error,
            "%s is a source; compile it with clang -fplugin=gpuperf.so and -fplugin-arg-gpuperf-profile=FILE first",
            input.path);
    for (size_t i = 0; done && i < input.profile_count; i++) {
        gp_text_printf(out, "%s", i > 0 ? "\n" : "");
        gp_profile_print(input.profiles[i], out);
    }
    gp_input_close(&input);
    return done ? GP_STATUS_OK : GP_STATUS_FAILED;
}
