// CUDA without a toolkit: the prelude and clang's own headers declare what the language offers, on every architecture; a place in them is that of the call. What the source declares for itself goes before.
// RUN: env CUDA_PATH= GPUPERF_PTXAS=/none %gpuperf predict --device gtx580,a100,h100 --local 256 %s | FileCheck %s
// RUN: env CUDA_PATH= GPUPERF_PTXAS=/none %gpuperf predict --device a100 --local 256 %s -- -DOWN_ATOMICS | FileCheck %s --check-prefix=OWN
// RUN: env CUDA_PATH= GPUPERF_PTXAS=/none %gpuperf predict --device a100 --local 256 %s -- -DOWN_TYPES | FileCheck %s --check-prefix=OWN
// RUN: env CUDA_PATH= GPUPERF_PTXAS=/none not %gpuperf predict --device a100 --local 256 %s -- -DMISSING 2>&1 | FileCheck %s --check-prefix=MISSING
#include <assert.h>
#include <cmath>
#include <cstdio>
#include <cuda_runtime.h>

// CHECK: many on gtx580
// CHECK: many on a100
// CHECK: predict_cuda_alone.cu:[[@LINE+21]]:{{[0-9]+}}: atomics:
// CHECK: many on h100
// OWN: few on a100
// MISSING: predict_cuda_alone.cu:{{[0-9]+}}:{{[0-9]+}}: use of undeclared identifier 'cudaMalloc'
#if !defined OWN_ATOMICS && !defined OWN_TYPES
extern "C" __global__ void __launch_bounds__(256) many(float *a, int *b, double *d, unsigned long long *l, unsigned n)
{
    __shared__ float part[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 v = make_float4(__ldg(a + i), 1, 2, 3);
    v.x += tanhf(v.y) + exp(v.x) + rsqrtf(v.z) + __expf(v.w) + max(v.x, v.y) + max(v.x, 2) + powf(v.x, 2.0f) + abs(v.x) + sqrt(v.y) + fmaf(v.x, v.y, v.z);
    v.x += __shfl_xor_sync(0xffffffffu, v.x, 16) + __shfl_down_sync(0xffffffffu, v.y, 1) + __popc(__ballot_sync(~0u, v.x > 0));
    part[threadIdx.x] = v.x;
    __syncthreads();
    __syncwarp();
    __threadfence();
    a[i] = part[255 - threadIdx.x] + __saturatef(v.x) + __fdividef(v.x, 3.0f) + __umulhi(n, 5u) + min(b[1], 3) + __clz(b[2]) + __brev(n) + __ffs(b[3]) + INT_MAX;
    d[i] = sqrt(d[i]) + fmin(d[i], 1.0);
    atomicAdd(&a[n], v.x);
    atomicSub(b, 1);
    atomicMin(l, 3ull);
    atomicCAS(b, 1, atomicExch(b + 1, 2));
    v.y = __fmul_rn(v.x, __int_as_float(b[4])) + __fmaf_rn(v.x, v.y, __fdiv_rn(v.z, v.w)) + __mulhi(b[5], b[6]) + abs(b[7]) + __dadd_rn(d[i], 1);
    a[i + n] = v.y;
    dim3 size = dim3(1, 2);
    b[i] = size.y + gridDim.z;
    assert(n > 0);
    if (isnan(v.x) || isinf(d[i]))
        printf("%d\n", i);
}
#elif defined OWN_ATOMICS
static __device__ int atomicAdd(int *p, int value) { return *p += value; }
extern "C" __global__ void few(int *a) { a[threadIdx.x] = atomicAdd(a + make_uint2(1, 2).x, 1); }
#else
struct float4 { float a, b, c, d; };
extern "C" __global__ void few(float4 *a) { a[threadIdx.x].d = 1; }
#endif
#ifdef MISSING
void host(void) { cudaMalloc(0, 1); }
#endif
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
