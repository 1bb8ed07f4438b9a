/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Findings are written in OpenCL's words; whoever wrote CUDA reads them in CUDA's. */
#ifndef GPUPERF_MODEL_FINDINGS_CUDA_WORDS_H
#define GPUPERF_MODEL_FINDINGS_CUDA_WORDS_H

#include <stddef.h>

#include "support/text.h"

/*
 * "work-items of a work-group" -> "threads of a block", "local memory" -> "shared memory", "dimension 0" ->
 * "threadIdx.x" (CUDA C++ Programming Guide, "Thread Hierarchy", "Memory Hierarchy"). In place; what does not fit
 * `size` bytes with the final 0 is cut off. Names of variables stand in quotes and are left as they are.
 */
void gp_say_in_cuda(char *text, size_t size);

/* The same of a text of any length, from there on. */
void gp_text_say_in_cuda(struct gp_text *out, size_t from);

#endif
