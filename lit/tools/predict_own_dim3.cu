/*
 * A source that declares what CUDA's headers would, for -nocudainc: it is compiled without them, with or without the thread indices.
 *
 * RUN: %gpuperf predict --device a100 --local 256 %s | FileCheck %s
 * RUN: %gpuperf predict --device a100 --local 256 %s -- -DOWN_INDICES | FileCheck %s
 * RUN: env CUDA_PATH=/nonexistent PATH=/usr/bin:/bin %gpuperf predict --device a100 --local 256 %s | FileCheck %s
 * CHECK: fill on a100
 * CHECK: 256 {{.*}}best
 *
 * A real mistake is told of as the first compile found it.
 * RUN: not %gpuperf predict --device a100 --local 256 %s -- -DMISTAKE 2>&1 | FileCheck %s --check-prefix=MISTAKE
 * MISTAKE: gpuperf: {{.*}}predict_own_dim3.cu:{{[0-9]+}}:{{[0-9]+}}: redefinition of 'dim3'
 */
struct dim3 { unsigned x, y, z; };
#ifdef OWN_INDICES
struct index { unsigned x; };
extern const __attribute__((device)) index threadIdx;
#define __global__ __attribute__((global))
__attribute__((device)) inline unsigned place() { return __nvvm_read_ptx_sreg_ctaid_x() * __nvvm_read_ptx_sreg_ntid_x() + __nvvm_read_ptx_sreg_tid_x(); }
#else
__device__ inline unsigned place() { return blockIdx.x * blockDim.x + threadIdx.x; }
#endif
#ifdef MISTAKE
struct dim3 { float x; };
#endif
__global__ void fill(float *out) { out[place()] = 1; }
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
