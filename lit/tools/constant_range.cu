// A constant that bounds threads, or blocks, before anything is done is the range, however small it is.
// RUN: %gpuperf predict --device a100 %s | FileCheck %s

// CHECK: alone on
// CHECK-NEXT: grid times block 1, n=1024
__global__ void alone(const float *in, float *out, int n)
{
    if (blockIdx.x * blockDim.x + threadIdx.x == 0) {
        float sum = 0;
        for (int i = 0; i < n; i++)
            sum += in[i];
        out[0] = sum;
    }
}

// CHECK: bins on
// CHECK-NEXT: grid times block 128, parts=1024
__global__ void bins(const unsigned *part, unsigned *out, int parts)
{
    int b = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned sum = 0;
    if (b >= 100)
        return;
    for (int p = 0; p < parts; p++)
        sum += part[p * 100 + b];
    out[b] = sum;
}

// CHECK: channels on
// CHECK-NEXT: grid times block 128x128x3, w=128, h=128
__global__ void channels(const float *in, float *out, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, c = blockIdx.z;
    if (x >= w || y >= h || c >= 3)
        return;
    out[(c * h + y) * w + x] = in[(c * h + y) * w + x];
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
