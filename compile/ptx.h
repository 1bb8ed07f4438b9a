/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* OpenCL C as PTX that runs: what CUDA's driver compiles further for the GPU at hand. */
#ifndef GPUPERF_COMPILE_PTX_H
#define GPUPERF_COMPILE_PTX_H

#include "support/error.h"

/*
 * The code of a source in memory for NVIDIA's GPUs of that compute capability (90: 9.0) and later ones. The driver is
 * the only compiler behind it: functions of OpenCL that are called stay calls, which no driver takes, so that the
 * source says in PTX's terms what it needs. The PTX is of the first version that has the GPU's instructions, which
 * every driver takes that knows the GPU. Needs no toolkit. Free with free(). NULL: there is no clang, or it does not
 * take the source; a sentence.
 */
char *gp_compile_ptx(const char *source, unsigned capability, struct gp_error *error);

#endif
