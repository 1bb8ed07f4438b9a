// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// As told_groups.cl, of CUDA.
// RUN: %gpuperf predict --device a100 %s | FileCheck %s
// RUN: not %gpuperf predict --device a100 --kernel transposed --local 64x8 %s 2>&1 | FileCheck %s --check-prefix=LARGE
// LARGE: cannot run with block 64x8x1 on a100: threads reach {{[0-9]+}} bytes of 't', which has {{[0-9]+}}: it is made for smaller blocks

// A tile of 32 rows, four for each thread.
// CHECK: transposed on
// CHECK: time {{.*}} with block 32x8,
// CHECK: its constants are made for block 32x8;
// CHECK: block cycles
// CHECK-NEXT: 32x8
extern "C" __global__ void transposed(const float *in, float *out, int n)
{
    __shared__ float t[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        t[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        out[(y + j) * n + x] = t[threadIdx.x][threadIdx.y + j];
}

// A sum stores one number for a block: what it loads tells.
// CHECK: sum on
// CHECK: its constants are made for block 256;
extern "C" __global__ void sum(const float *in, float *out)
{
    __shared__ float t[256];
    unsigned l = threadIdx.x;
    t[l] = in[blockIdx.x * 512 + l] + in[blockIdx.x * 512 + l + 256];
    __syncthreads();
    for (unsigned s = 128; s > 0; s >>= 1) {
        if (l < s)
            t[l] += t[l + s];
        __syncthreads();
    }
    if (l == 0)
        out[blockIdx.x] = t[0];
}

// CHECK: plain on
// CHECK-NOT: its constants
extern "C" __global__ void plain(const float *in, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = 2 * in[i];
}
