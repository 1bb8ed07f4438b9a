/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The golden profiles, test/profiles/NAME.gptext. */
#ifndef GPUPERF_TEST_GOLDEN_H
#define GPUPERF_TEST_GOLDEN_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/profile/profile_text.h"
#include "support/text.h"

/* All of these fail the test where they cannot. free() it. */
static inline char *golden_text(const char *name)
{
    char path[512];
    snprintf(path, sizeof path, TEST_DATA "/profiles/%s.gptext", name);
    char *text = gp_read_file(path, NULL);
    if (text == NULL)
        fail_msg("cannot read %s", path);
    return text;
}

/* The caller frees it, as the next. */
static inline struct gp_profile *parse_text(const char *text)
{
    struct gp_error error = {""};
    struct gp_profile *profile = gp_profile_parse(text, strlen(text), &error);
    if (profile == NULL)
        fail_msg("%s", error.text);
    return profile;
}

static inline struct gp_profile *golden_profile(const char *name)
{
    char *text = golden_text(name);
    struct gp_profile *profile = parse_text(text);
    free(text);
    return profile;
}

#endif
