// The bytes of `extern __shared__` can be stated, by its name; the blocks that an SM holds hang on them.
// RUN: %gpuperf predict --device rtx3080 --groups 272 --local 128 --arg s=4000 --arg n=1048576 --arg bins=500 %s | FileCheck %s
// RUN: %gpuperf predict --device rtx3080 --groups 272 --local 128 --arg s=49152 --arg n=1048576 --arg bins=500 %s | FileCheck %s --check-prefix=MUCH
// RUN: not %gpuperf predict --device rtx3080 --local 128 --arg t=4000 %s 2>&1 | FileCheck %s --check-prefix=NAMES
// RUN: not %gpuperf predict --device rtx3080 --local 128 --arg s=-1 %s 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: %clang -x cuda --cuda-device-only --cuda-gpu-arch=sm_80 -nocudainc -nocudalib -O2 -DALONE '-fplugin-arg-gpuperf-assume=count:s=4000:bins=500' -fplugin-arg-gpuperf-warn=all -fplugin-arg-gpuperf-threshold=0 -S -o %t.s %s 2>&1 | FileCheck %s --check-prefix=ASSUMED

// CHECK: launch grid 272, n=1048576, bins=500, s=4000
// CHECK: shared memory 4000 B
// CHECK: 128 {{.*}} 100%
// MUCH: shared memory 49152 B
// MUCH: 128 {{.*}} 17%
// NAMES: kernel 'count' has no argument 't'; arguments that can be set: x, out, n, bins, s
// WRONG: 's=-1': a whole number from 0 on is wanted
// ASSUMED: predicted for {{.*}}bins=500, s=4000
#ifdef ALONE
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
struct place { unsigned x; };
#define threadIdx place{(unsigned)__nvvm_read_ptx_sreg_tid_x()}
#define blockIdx place{(unsigned)__nvvm_read_ptx_sreg_ctaid_x()}
#define blockDim place{(unsigned)__nvvm_read_ptx_sreg_ntid_x()}
#define gridDim place{(unsigned)__nvvm_read_ptx_sreg_nctaid_x()}
#define __syncthreads() __nvvm_bar_warp_sync(~0u)
#define atomicAdd(p, v) __nvvm_atom_add_gen_i(p, v)
#endif
__global__ void count(const int *x, int *out, int n, int bins)
{
    extern __shared__ int s[];
    for (int i = threadIdx.x; i < bins; i += blockDim.x)
        s[i] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&s[x[i]], 1);
    __syncthreads();
    for (int i = threadIdx.x; i < bins; i += blockDim.x)
        atomicAdd(&out[i], s[i]);
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
