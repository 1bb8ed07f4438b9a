// Floats in, floats out, and doubles in between for a function of doubles or a constant: told by default, although the optimiser has put libdevice's bodies in the functions' places. What is meant to be double is not.
// REQUIRES: ptxas
// RUN: %clang -x cuda %s -Wno-unknown-cuda-version --cuda-device-only --cuda-gpu-arch=sm_86 --cuda-path=/usr/local/cuda -isystem /usr/local/cuda/include/cccl -O2 -S -emit-llvm -fplugin-arg-gpuperf-device=rtx3070 -o %t.ll 2>&1 | FileCheck %s --implicit-check-not=gpuperf-throughput
#include <cuda_runtime.h>
#define LOOP(NAME, E) __global__ void NAME(float *x, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; float v = x[i]; for (int k = 0; k < 64; k++) v = E; x[i] = v; }

// CHECK: needless-functions.cu:[[@LINE+1]]:{{[0-9]+}}: warning: double precision at 1/64 of the rate of single precision{{.*}}on rtx3070 ({{.*}}x faster in single precision){{.*}}[gpuperf-throughput]
LOOP(gauss, exp(-0.5 * v * v))
// CHECK: needless-functions.cu:[[@LINE+1]]:{{[0-9]+}}: warning: double precision{{.*}}[gpuperf-throughput]
LOOP(turn, sin(2 * 3.14159265 * v))
// CHECK: needless-functions.cu:[[@LINE+1]]:{{[0-9]+}}: warning: double precision{{.*}}[gpuperf-throughput]
LOOP(inverse, (float)(1.0f / (float)sqrt((double)v)))
// CHECK: needless-functions.cu:[[@LINE+1]]:{{[0-9]+}}: warning: double precision{{.*}}[gpuperf-throughput]
LOOP(power, pow(v, -0.5))
// CHECK: needless-functions.cu:[[@LINE+1]]:{{[0-9]+}}: warning: double precision{{.*}}[gpuperf-throughput]
LOOP(largest, fma(fabs((double)v), 0.5, fmax((double)v, 0.1)))

LOOP(fine, expf(-0.5f * v * v) + sqrtf(v))
__global__ void of_doubles(double *x) { int i = blockIdx.x * blockDim.x + threadIdx.x; double v = x[i]; for (int k = 0; k < 64; k++) v = exp(-0.5 * v * v); x[i] = v; }
__global__ void length(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double s = 0;
    for (int k = 0; k < n; k++)
        s += (double)x[i + k] * x[i + k];
    y[i] = sqrt(s);
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
