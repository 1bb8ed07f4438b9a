/* The golden profiles, test/profiles/NAME.gptext. */
#ifndef GPUPERF_TEST_GOLDEN_H
#define GPUPERF_TEST_GOLDEN_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

#include "model/profile_text.h"
#include "support/text.h"

/* Fails the test where there is no such profile. The caller frees it. */
static inline struct gp_profile *load_golden(const char *name)
{
    char path[512];
    size_t length;
    struct gp_error error;
    snprintf(path, sizeof path, "%s/profiles/%s.gptext", TEST_DATA, name);
    char *text = gp_read_file(path, &length);
    assert_non_null(text);
    struct gp_profile *profile = gp_profile_parse(text, length, &error);
    free(text);
    if (profile == NULL)
        fail_msg("%s", error.text);
    return profile;
}

#endif
