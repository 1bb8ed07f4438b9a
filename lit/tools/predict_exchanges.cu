// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A maximum of floats by compare-and-swap can be combined first, whether a function or a condition makes it; what depends on the order cannot.
// RUN: %gpuperf predict --device a100 --local 256 %s | FileCheck %s
// CHECK: largest on
// CHECK: atomics: contended global atomic
// CHECK-NEXT: combine within the block first
__global__ void largest(float *most, const float *in)
{
    float v = in[blockIdx.x * blockDim.x + threadIdx.x];
    int *place = (int *)most, old = *place, seen;
    do {
        seen = old;
        old = atomicCAS(place, seen, __float_as_int(fmaxf(v, __int_as_float(seen))));
    } while (seen != old);
}

// CHECK: guarded on
// CHECK: atomics: contended global atomic
// CHECK-NEXT: combine within the block first
__global__ void guarded(float *most, const float *in)
{
    float v = in[blockIdx.x * blockDim.x + threadIdx.x];
    int *place = (int *)most, old = *place;
    while (v > __int_as_float(old)) {
        int seen = old;
        old = atomicCAS(place, seen, __float_as_int(v));
        if (old == seen)
            break;
    }
}

// CHECK: alternates on
// CHECK: atomics: contended global atomic
// CHECK-NEXT: exchanges take turns and cannot be combined
__global__ void alternates(float *p, const float *in)
{
    float v = in[blockIdx.x * blockDim.x + threadIdx.x];
    int *place = (int *)p, old = *place, seen;
    do {
        seen = old;
        old = atomicCAS(place, seen, __float_as_int(v - __int_as_float(seen)));
    } while (seen != old);
}
