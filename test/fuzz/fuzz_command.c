/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Command lines: the lines of the input are the words of one of `gpuperf predict`; what is read is used on a launch. */
#include <stdlib.h>
#include <string.h>

#include "model/launch/launch.h"
#include "model/assume/defaults.h"
#include "model/assume/stated.h"
#include "model/assume/describe.h"
#include "test/fuzz/edits.h"
#include "tools/settings.h"

enum { MAX_WORDS = 40 };

/* As in tools/main.c, whose main() the fuzzer has in its place. */
enum gp_status gp_bad_option(const struct gp_command_line *line, int option, struct gp_error *error)
{
    gp_fail(error, "%d options, and what is %d?", line->count, option);
    return GP_STATUS_USAGE;
}

static void use(const struct gp_settings *settings)
{
    struct gp_profile *profile = golden_profile(4);
    struct gp_launch *launch = calloc(1, sizeof *launch);
    struct gp_error error = {""};
    char text[256];
    want(launch != NULL, "out of memory");
    gp_launch_default(&profile->kernels[0], launch);
    struct gp_combination combination = {0};
    size_t count;
    if (gp_axes_combinations(&settings->axes, &count, &error))
        gp_axes_choose(&settings->axes, count - 1, &combination);
    for (size_t i = 0; i < combination.values.count; i++)
        want(gp_launch_assume(&profile->kernels[0], launch, combination.values.items[i], &error) || error.text[0],
             "refused, and nobody says why");
    gp_combination_free(&combination);
    gp_launch_describe(&profile->kernels[0], launch, text, sizeof text);
    free(launch);
    gp_profile_free(profile);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    char *text = malloc(size + 1), *words[MAX_WORDS + 2] = {"predict"}, *rest = NULL;
    struct gp_command_line line = {.count = 1, .arguments = words};
    struct gp_settings settings;
    struct gp_error error = {""};
    want(text != NULL, "out of memory");
    memcpy(text, bytes, size);
    text[size] = '\0';
    for (char *word = strtok_r(text, "\n", &rest); word && line.count < MAX_WORDS; word = strtok_r(NULL, "\n", &rest))
        words[line.count++] = word;
    enum gp_status status = gp_settings_parse(&line, &settings, &error);
    want(status == GP_STATUS_OK ? settings.file != NULL : error.text[0] != '\0', "neither a file nor a sentence");
    if (status == GP_STATUS_OK)
        use(&settings);
    gp_settings_free(&settings);
    free(text);
    return 0;
}
