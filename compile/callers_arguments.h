/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the caller passes on to clang, in clang's words. */
#ifndef GPUPERF_COMPILE_CALLERS_ARGUMENTS_H
#define GPUPERF_COMPILE_CALLERS_ARGUMENTS_H

#include "compile/job.h"

/*
 * Adds the request's arguments. Of CUDA's, what nvcc spells in its own way: -use_fast_math, -ftz=true and -fmad=false
 * (also with two dashes) become clang's options for the same (nvcc's manual), -lineinfo is left out. Of OpenCL's for
 * NVIDIA, -cl-denorms-are-zero, which clang heeds for AMD only, is said in another way.
 */
void gp_add_callers_arguments(const struct gp_job *job, const struct gp_target *target, struct gp_arguments *arguments);

#endif
