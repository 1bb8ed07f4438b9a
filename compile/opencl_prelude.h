/* Builtin functions that LLVM makes slower for a target than the device's own driver does. */
#ifndef GPUPERF_COMPILE_OPENCL_PRELUDE_H
#define GPUPERF_COMPILE_OPENCL_PRELUDE_H

#include <stdbool.h>

#include "compile/target.h"
#include "support/error.h"

/* Whether the target has a prelude. */
bool gp_has_opencl_prelude(const struct gp_target *target);
bool gp_write_opencl_prelude(const char *path, struct gp_error *error);

#endif
