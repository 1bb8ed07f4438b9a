/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What compilers print, reduced to one sentence. */
#ifndef GPUPERF_COMPILE_MESSAGES_H
#define GPUPERF_COMPILE_MESSAGES_H

#include "support/error.h"

/*
 * The first error in a compiler's output: "blur.cl:3:5: use of undeclared identifier 'x'", else its first line, else
 * "PROGRAM failed without a message". Returns false.
 */
bool gp_fail_with_output(struct gp_error *error, const char *program, const char *output);

#endif
