/*
 * powf() with a small whole number is told of although the optimiser has put libdevice's body in its place, and what is promised is what products take.
 * REQUIRES: ptxas
 * RUN: %gpuperf predict --device a100 --local 256 %s | FileCheck %s
 * RUN: %gpuperf predict --device a100 --local 256 --json %s > %t.json
 * RUN: %python -c "import json; p = {k['kernel']: k for k in json.load(open('%t.json'))}; b = [x for x in p['cubes']['bottlenecks'] if x['cause'] == 'throughput'][0]; r = p['cubes']['time_ns'] / p['products']['time_ns']; print(b['speedup'], r); exit(not 0.75 < b['speedup'] / r < 1.25)"
 * CHECK: cubes on
 * CHECK: throughput: pow() with a small whole number
 * CHECK: products on
 * CHECK-NOT: pow()
 * CHECK: roots on
 * CHECK-NOT: pow()
 */
__device__ float cube(float v) { return powf(v, 3.0f); }

__global__ void cubes(const float *in, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = in[i], s = 0;
    for (int k = 0; k < 64; k++)
        s += cube(v + k);
    out[i] = s;
}

__global__ void products(const float *in, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = in[i], s = 0;
    for (int k = 0; k < 64; k++)
        s += (v + k) * (v + k) * (v + k);
    out[i] = s;
}

__global__ void roots(const float *in, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = in[i], s = 0;
    for (int k = 0; k < 64; k++)
        s += powf(v + k, 0.3f);
    out[i] = s;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
