// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// As local_argument_range.cl, of CUDA's arrays of dynamic and of known size.
// RUN: %gpuperf predict --device a100 --local 256 --kernel reverse --kernel shift --kernel turns %s | FileCheck %s
// RUN: not %gpuperf predict --device a100 --global 1048576 --local 256 --kernel reverse %s 2>&1 | FileCheck %s --check-prefix=LARGE
// RUN: not %gpuperf predict --device a100 --global 1048576 --local 256 --kernel known %s 2>&1 | FileCheck %s --check-prefix=KNOWN
// LARGE: cannot run with block 256x1x1 on a100: threads reach {{[0-9]+}} bytes of 't': it is made for a smaller range (--global)
// KNOWN: cannot run with block 256x1x1 on a100: threads reach {{[0-9]+}} bytes of 'mine', which has 1024: it is made for a smaller range (--global)
// CHECK: reverse on
// CHECK-NEXT: {{.*}} {{256|512}};
__global__ void reverse(const int *in, int *out)
{
    extern __shared__ int t[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    t[i] = in[i];
    __syncthreads();
    out[i] = t[gridDim.x * blockDim.x - 1 - i];
}

// CHECK: shift on
// CHECK-NEXT: {{.*}} 256, n=256
__global__ void shift(const float *in, float *out, int n)
{
    extern __shared__ float row[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        row[i] = in[i];
    __syncthreads();
    if (i < n)
        out[i] = row[i > 0 ? i - 1 : 0];
}

// CHECK: turns on
// CHECK-NEXT: {{.*}} 1048576
__global__ void turns(const float *in, float *out)
{
    extern __shared__ float part[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    part[i & 255] = in[i];
    __syncthreads();
    out[i] = part[255 - (i & 255)];
}

__global__ void known(const int *in, int *out)
{
    __shared__ int mine[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    mine[i] = in[i];
    __syncthreads();
    out[i] = mine[gridDim.x * blockDim.x - 1 - i];
}
