// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// As assumed_products.cl, of CUDA.
// RUN: %gpuperf predict --device a100 --local 256 %s | FileCheck %s
// RUN: %gpuperf predict --device a100 --local 256 --kernel area --kernel turned --arg w=640 %s | FileCheck %s --check-prefix=BESIDE
// RUN: %gpuperf predict --device a100 --local 256 --kernel turned --arg w=640 --arg h=480 %s | FileCheck %s --check-prefix=BOTH
// RUN: %gpuperf predict --device a100 --local 256 --kernel area --arg w=65536 --arg h=65536 %s | FileCheck %s --check-prefix=WRAPS
// RUN: %gpuperf predict --device a100 --local 256 --kernel power --arg lg=12 %s | FileCheck %s --check-prefix=POWER
// RUN: %gpuperf predict --device a100 --local 256 --kernel part --arg end=1000 %s | FileCheck %s --check-prefix=END

// CHECK: cube on
// CHECK-NEXT: {{.*}} 1048576, n=64;
extern "C" __global__ void cube(const float *in, float *out, int n)
{
    float s = 0;
    for (int i = 0; i < n * n * n; i++)
        s += in[i];
    out[blockIdx.x * blockDim.x + threadIdx.x] = s;
}

// CHECK: nest on
// CHECK-NEXT: {{.*}} 1048576, n=64, m=64, l=64;
extern "C" __global__ void nest(const float *in, float *out, int n, int m, int l)
{
    float s = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < l; k++)
                s += in[i * j + k];
    out[blockIdx.x * blockDim.x + threadIdx.x] = s;
}

// CHECK: area on
// CHECK-NEXT: {{.*}} 1048576, w=1024, h=1024;
// BESIDE: area on
// BESIDE-NEXT: {{.*}} 1048576, w=640, h=1639;
// WRAPS: area on
// WRAPS: w * h is more than an int holds with these arguments: it wraps
extern "C" __global__ void area(const float *in, float *out, int w, int h)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < w * h)
        out[i] = in[i];
}

// BESIDE: turned on
// BESIDE-NEXT: {{.*}} 1048576, w=640, h=1639;
// BOTH: turned on
// BOTH-NEXT: {{.*}} 307200, w=640, h=480;
extern "C" __global__ void turned(const float *in, float *out, int w, int h)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, x = i % w, y = i / w;
    if (y < h)
        out[x * h + y] = in[i];
}

// CHECK: power on
// CHECK-NEXT: {{.*}} 1048576, lg=20;
// POWER: power on
// POWER-NEXT: {{.*}} 4096, lg=12;
extern "C" __global__ void power(const float *in, float *out, int lg)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < 1 << lg)
        out[i] = in[i];
}

// CHECK: part on
// CHECK-NEXT: {{.*}} 1048576, first=0, end=1048576;
// END: part on
// END-NEXT: {{.*}} 1024, first=0, end=1000;
extern "C" __global__ void part(const float *in, float *out, int first, int end)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x + first;
    if (i >= end)
        return;
    out[i] = in[i];
}

// What is added for a neighbour's place is no beginning.
// CHECK: neighbours on
// CHECK-NEXT: {{.*}} 1048576, s=1024,
extern "C" __global__ void neighbours(float *a, int s, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + s < n)
        a[i] += a[i + s];
}
