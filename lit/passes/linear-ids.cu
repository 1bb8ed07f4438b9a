// A block's linear rank, as cooperative groups have it, asks for all dimensions' ids and says nothing of how many there are; rows of a matrix do.
// RUN: %noplugin -x cuda %s --cuda-device-only --cuda-gpu-arch=sm_80 --cuda-feature=+ptx83 -nocudainc -nocudalib -O2 -emit-llvm -S -o - | %profile_ir - | FileCheck %s
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#include <__clang_cuda_builtin_vars.h>

__device__ inline unsigned rank() { return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; }
__device__ inline unsigned rankBySize() { return threadIdx.z * blockDim.y * blockDim.x + threadIdx.y * blockDim.x + threadIdx.x; }

// CHECK-LABEL: kernel "ranks"
// CHECK: dims 1
extern "C" __global__ void ranks(float *a, const float *b)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (rank() == 0)
        a[blockIdx.x] = b[i] + rankBySize();
}

// CHECK-LABEL: kernel "tiles"
// CHECK: dims 2
extern "C" __global__ void tiles(float *a, const float *b, int n)
{
    a[rank()] = b[blockIdx.x * n + threadIdx.y];
}

// CHECK-LABEL: kernel "matrix"
// CHECK: dims 2
extern "C" __global__ void matrix(float *a, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    a[y * gridDim.x * blockDim.x + x] = n;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
