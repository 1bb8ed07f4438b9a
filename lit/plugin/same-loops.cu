// annotate=off leaves every byte as it was also where inlining copies loops: without line tables the copies share the source loop's metadata, and loops of one macro, in one place, do not.
// RUN: %noplugin -x cuda -nocudainc -nocudalib --cuda-gpu-arch=sm_80 --cuda-device-only -Wno-unknown-cuda-version -O2 -emit-llvm -c %s -o %t.1
// RUN: %clang -fplugin-arg-gpuperf-annotate=off -fplugin-arg-gpuperf-warn=none -x cuda -nocudainc -nocudalib --cuda-gpu-arch=sm_80 --cuda-device-only -Wno-unknown-cuda-version -O2 -emit-llvm -c %s -o %t.2 && cmp %t.1 %t.2
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))

__device__ static float sum(const float *x, int n, int step)
{
    float s = 0;
#pragma unroll 1
    for (int i = 0; i < n; i++)
        s += x[i * step];
    return s;
}

__global__ void twice(float *x, int n) { x[0] = sum(x, n, 1) + sum(x + n, n, 3); }
__global__ void once(float *x, int n) { x[1] = sum(x, n, 5); }

#define BOTH(x, n) for (int i = 0; i < n; i++) x[i * 3] += 1; for (int i = 0; i < n; i++) x[i * 5] *= 2
__device__ static void both(float *x, int n) { BOTH(x, n); }
__global__ void one_place(float *x, int n) { both(x, n); both(x + 7, n); }

// Unrolled after inlining: each copy by itself.
__device__ static float steps(const float *x, int n)
{
    float s = 0;
    for (int i = 0; i < n; i++)
        s = s * 0.5f + x[i];
    return s;
}
__global__ void unrolled(float *x, int n) { x[0] = steps(x, n) + steps(x + n, n); }
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
