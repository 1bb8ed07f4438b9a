/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What is stated of a kernel's arguments, set as a program sets them, but for buffers, which nothing is read from. */
#ifndef GPUPERF_TOOLS_WARM_ARGUMENTS_H
#define GPUPERF_TOOLS_WARM_ARGUMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compile/arguments.h"
#include "support/error.h"
#include "tools/opencl.h"

/*
 * Sets all arguments of a kernel; `values` has "NAME=VALUE", a number for NAME is the argument of that number. Buffers
 * are set to nothing, images to one texel of the stated size. False: a sentence names the one that is not known.
 */
bool gp_set_arguments(const struct gp_cl *cl, void *context, void *kernel, const struct gp_arguments *values,
                      struct gp_error *error);

#endif
