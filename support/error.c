/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "support/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool gp_fail(struct gp_error *error, const char *format, ...)
{
    if (error == NULL)
        return false;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    return false;
}

bool gp_fail_within(struct gp_error *error, const char *prefix)
{
    if (error == NULL)
        return false;
    struct gp_error inner = *error;
    snprintf(error->text, sizeof error->text, "%.300s: %.700s", prefix, inner.text);
    return false;
}
