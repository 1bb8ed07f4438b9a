/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a device's own compiler knows of OpenCL's builtin functions and LLVM does not: declared in front of a source. */
#ifndef GPUPERF_COMPILE_OPENCL_PRELUDE_H
#define GPUPERF_COMPILE_OPENCL_PRELUDE_H

#include <stdbool.h>

#include "compile/target.h"
#include "support/error.h"

/* Whether the target has a prelude. */
bool gp_has_opencl_prelude(const struct gp_target *target);
/* `whole`, AMD: sizes and barriers, too, which the plugin wants to see as calls. */
bool gp_write_opencl_prelude(const char *path, const struct gp_target *target, bool whole, struct gp_error *error);

/* A header that makes macros what they are in another compiler: "NAME=VALUE" defined, "NAME" not; NULL-terminated.
 * False: a sentence. */
bool gp_write_driver_macros(const char *path, char *const *macros, struct gp_error *error);

#endif
