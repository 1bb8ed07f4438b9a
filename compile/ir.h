/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Modules of LLVM IR that others have made, without a profile: the program gpuperf-ir beside the plugin reads them, in
 * a process of its own, and the target's backend counts their registers, as gp_compile() has it.
 */
#ifndef GPUPERF_COMPILE_IR_H
#define GPUPERF_COMPILE_IR_H

#include <stddef.h>

#include "model/profile/profile.h"
#include "support/error.h"

/*
 * The profile of a module as text or bitcode, for the target that it is for; free with gp_profile_free(). name: what
 * messages call it. NULL: a sentence (no kernel, no well-formed IR, a target without kernels, no such program).
 */
struct gp_profile *gp_compile_ir(const char *name, const char *bytes, size_t length, struct gp_error *error);

#endif
