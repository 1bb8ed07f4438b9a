// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// As assumed_counters.cl.
// RUN: %gpuperf predict --device a100 --local 256 %s | FileCheck %s

// CHECK: bytes on
// CHECK-NEXT: {{.*}}1048576, n=255
__global__ void bytes(const float *in, float *out, int n)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (unsigned char k = 0; k < n; k++)
        sum += in[row * n + k];
    out[row] = sum;
}

// CHECK: words on
// CHECK-NEXT: {{.*}}65536, n=65535
__global__ void words(const float *in, float *out, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    if (i >= n)
        return;
    for (unsigned short k = 0; k < n; k++)
        sum += in[i] * in[k];
    out[i] = sum;
}

// CHECK: fill on
// CHECK-NEXT: {{.*}}1048576, n=32
__global__ void fill(const float *in, float *out, unsigned short n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float row[32], sum = 0;
    for (unsigned short k = 0; k < n; k++)
        row[k] = in[i + k];
    for (unsigned short k = 0; k < n; k++)
        sum += row[k] * row[n - 1 - k];
    out[i] = sum;
}

// CHECK: any_group_bytes on
// CHECK-NEXT: {{.*}}1048576, n=128
__global__ void any_group_bytes(const float *in, float *out, int n)
{
    float sum = 0;
    for (unsigned char k = threadIdx.x; k < n; k += blockDim.x)
        sum += in[k];
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// CHECK: stepped on
// CHECK-NEXT: {{.*}}1048576, n=1024, s=1
__global__ void stepped(const float *in, float *out, int n, int s)
{
    float sum = 0;
    for (int i = 0; i < n; i += s)
        sum += in[i];
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
