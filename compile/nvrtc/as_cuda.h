/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef GPUPERF_COMPILE_NVRTC_AS_CUDA_H
#define GPUPERF_COMPILE_NVRTC_AS_CUDA_H

/*
 * OpenCL C's source with what no macro can put into words of CUDA; its lines are as they were. free() it; NULL: no
 * memory.
 *
 * Pointers have no address space: `local float *p` is `float *p`, `constant float *p` is `const float *p`, while
 * `local float tile[16]` says where the array is.
 *
 * A vector's literal, `(float4)(a, b, c, d)`, would be a cast of `d`: `gpuperf_float4(a, b, c, d)` is a function of
 * compile/headers/nvcc_vectors.cuh.
 */
char *gp_as_cuda(const char *source);

#endif
