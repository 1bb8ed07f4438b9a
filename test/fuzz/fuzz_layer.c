/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What programs hand to the layer: build options; the preprocessor's account of headers, and records of them, whose
 * names have no directory. The first byte chooses. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/includes.h"
#include "runtime/options.h"
#include "test/fuzz/edits.h"

static void same_again(const struct gp_options *options)
{
    struct gp_options again;
    struct gp_text packed = {0};
    gp_options_pack(options, &packed);
    want(gp_options_unpack(packed.data ? packed.data : "", packed.length, &again), "options that cannot be read again");
    want(again.count == options->count && again.version == options->version, "other options");
    for (size_t i = 0; i < options->count; i++)
        want(strcmp(again.arguments[i], options->arguments[i]) == 0, "another option");
    gp_options_free(&again);
    gp_text_free(&packed);
}

/* Nothing that lies elsewhere is opened. */
static void read_headers(const char *preprocessed)
{
    (void)gp_may_include(preprocessed);
    if (!gp_has_included(preprocessed) || strstr(preprocessed, "..") || strchr(preprocessed, '/'))
        return;
    char *record = gp_headers_record(preprocessed, INT64_MAX);
    if (record != NULL)
        want(gp_headers_are_same(record, INT64_MAX), "a record that is not its own");
    free(record);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size == 0)
        return 0;
    char *text = malloc(size);
    struct gp_options options;
    want(text != NULL, "out of memory");
    memcpy(text, bytes + 1, size - 1);
    text[size - 1] = '\0';
    if (bytes[0] % 4 == 1)
        read_headers(text);
    else if (bytes[0] % 4 == 3 && strchr(text, '/') == NULL)
        (void)gp_headers_are_same(text, INT64_MAX);
    else if (gp_options_parse(text, &options)) {
        same_again(&options);
        gp_options_free(&options);
    }
    free(text);
    return 0;
}
