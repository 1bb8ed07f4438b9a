// Cache operators that clang's headers lack, with a toolkit and without; atomics of a block or the system.
// RUN: env CUDA_PATH= GPUPERF_PTXAS=/none %gpuperf predict --device a100 --local 256 %s | FileCheck %s
// RUN: %gpuperf predict --device a100 --local 256 %s | FileCheck %s
// CHECK: copy on a100
// CHECK-NOT: not known
// CHECK: best
extern "C" __global__ void copy(float *out, const float *in, float4 *out4, const float4 *in4, unsigned char *bytes, short2 *pairs, int *count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    __stcs(out + i, __ldcs(in + i));
    __stcg(out4 + i, __ldlu(in4 + i));
    __stwb(bytes + i, __ldca(bytes + i));
    __stcs(pairs + i, __ldca(pairs + i));
    atomicAdd_block(count + i, 1);
    atomicMax_system(count + i, 1);
}

// CHECK: wait on a100
// CHECK-NOT: llvm.nvvm
extern "C" __global__ void wait(int *flag, unsigned *bytes)
{
    while (atomicCAS_block(flag + threadIdx.x, 0, 1) != 0)
        __nanosleep(100);
    bytes[threadIdx.x] = __vadd4(bytes[threadIdx.x], 0x01010101u);
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
