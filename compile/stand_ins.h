/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Stand-in definitions, so that a backend can count the registers of code that does not link.
 *
 * OpenCL's images and samplers are built in by the driver, and some mathematical functions have no lowering in LLVM's
 * NVPTX backend. For the registers it matters little what such a function computes, but much that it consumes its
 * arguments, yields its result in the right registers, and is no call. So each unresolved function of the optimised
 * module gets a body: one that returns something loads it from an address computed from all its arguments, one that
 * returns nothing stores its last argument there, a mathematical one is a short polynomial. The bodies are inlined by
 * optimising the module once more.
 */
#ifndef GPUPERF_COMPILE_STAND_INS_H
#define GPUPERF_COMPILE_STAND_INS_H

#include <stdbool.h>

#include "compile/target.h"
#include "model/profile/profile.h"
#include "support/error.h"
#include "support/text.h"

/* Whether a module in LLVM's text form calls nothing but what it defines itself and LLVM's intrinsics. */
bool gp_is_whole(const char *module);

/*
 * Rewrites a module in LLVM's text form. Functions that are not kernels become internal, so that only what the kernels
 * use is compiled. `libdevice`: NVIDIA's mathematical library, whose names begin with __nv_, will be linked and keeps
 * its declarations. *count: how many functions got a stand-in. False and a sentence: a declaration that this file
 * cannot read.
 */
struct gp_stand_in_options {
    enum gp_target_kind target;
    bool libdevice;
};
bool gp_add_stand_ins(const char *module, const struct gp_stand_in_options *options, struct gp_text *result,
                      unsigned *count, struct gp_error *error);

/*
 * The same module with OpenCL's required work-group sizes stated as NVIDIA's backend reads them: clang 22 keeps them as
 * metadata only, and ptxas would take more registers than such a group can have.
 */
void gp_state_required_sizes(const char *module, const struct gp_profile *profile, struct gp_text *result);

/*
 * Adds the module to the text with the bodies of OpenCL's kernels, which clang keeps in functions of their own that
 * must not be inlined, to be inlined: what ptxas says of a kernel that calls its body is not what the body spills, and
 * the call takes registers. Nobody else sees them any more, so that no code is made for them beside the kernels.
 */
void gp_inline_kernel_bodies(const char *module, struct gp_text *result);

/* The same module without the processor and the features that each function was compiled for: code is made of it for
 * those that the backend is told. */
void gp_forget_processor(const char *module, struct gp_text *result);

/* The same module with AMD's default launch bound of 256 work-items replaced; false: it is not there. */
bool gp_raise_launch_bound(const char *module, unsigned bound, struct gp_text *result);

#endif
