// In a compile for the profile's sake loops whose number of iterations only the launch knows are unrolled as NVIDIA's compilers do: by four, and what is short by four again; by two what is long; not at all where
// the counter's step is a number of work-items. What nvcc 13.0 makes of the same loops: 16, 4, 4, 2 and 1 (and what is left over).
// RUN: %clang -x cl -cl-std=CL1.2 -O2 -target nvptx64-nvidia-cuda -march=sm_80 -Xclang -target-feature -Xclang +ptx78 -nogpulib -S -emit-llvm -o /dev/null -fplugin-arg-gpuperf-builtins=early -fplugin-arg-gpuperf-unroll=nvidia -mllvm -unroll-max-upperbound=0 -fplugin-arg-gpuperf-warn=none -fplugin-arg-gpuperf-profile=%t.gpuperf %s
// RUN: %gpuperf dis %t.gpuperf | grep -E '^kernel|^  loop' | sed 's/ *;.*//' | FileCheck %s
// Elsewhere LLVM's own unrolling stays, by eight; of a loop whose end is data the parts know of each other, so that of none all the assumed iterations are assumed.
// RUN: %clang -x cl -cl-std=CL1.2 -O2 -target spir64 -S -emit-llvm -o /dev/null -fplugin-arg-gpuperf-warn=none -fplugin-arg-gpuperf-profile=%t.gpuperf -mllvm -unroll-runtime %s
// RUN: %gpuperf dis %t.gpuperf | grep -E '^kernel|^  loop' | sed 's/ *;.*//' | FileCheck --check-prefix=SPIR %s
// By two, one turn is left over, which is no loop.
// RUN: %clang -x cl -cl-std=CL1.2 -O2 -target spir64 -S -emit-llvm -o /dev/null -fplugin-arg-gpuperf-warn=none -fplugin-arg-gpuperf-profile=%t.gpuperf -mllvm -unroll-runtime -mllvm -unroll-count=2 %s
// RUN: %gpuperf dis %t.gpuperf | grep -E '^kernel|^  loop' | sed 's/ *;.*//' | FileCheck --check-prefix=TWO %s

// CHECK-LABEL: kernel "dot"
// CHECK-NEXT: unroll 16
// CHECK-NEXT: unroll 4
// CHECK-NEXT: loop 2
// CHECK-NOT: loop
__kernel void dot(__global float *to, __global const float *a, __global const float *b, int n)
{
    int t = get_global_id(0);
    float sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i * n + t];
    to[t] = sum;
}

// An unsigned index may wrap around.
// CHECK-LABEL: kernel "unsigned_index"
// CHECK-NEXT: unroll 4
// CHECK-NEXT: loop 1
// CHECK-NOT: loop
__kernel void unsigned_index(__global float *to, __global const float *a, int n)
{
    uint lane = (uint)get_local_id(0);
    float sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i * 32u + lane];
    to[lane] = sum;
}

// CHECK-LABEL: kernel "of_twelve"
// CHECK-NEXT: unroll 4
// CHECK-NEXT: loop 1
// CHECK-NOT: loop
__kernel void of_twelve(__global float *to, __global const float *a, int n)
{
    float s = 0;
    for (int i = 0; i < n; i++) {
        float v = a[i];
#pragma unroll
        for (int k = 0; k < 12; k++)
            s = fma(s, v, k + 0.5f);
    }
    to[get_global_id(0)] = s;
}

// CHECK-LABEL: kernel "of_sixty"
// CHECK-NEXT: unroll 2
// CHECK-NOT: loop
__kernel void of_sixty(__global float *to, __global const float *a, int n)
{
    float s = 0;
    for (int i = 0; i < n; i++) {
        float v = a[i];
#pragma unroll
        for (int k = 0; k < 60; k++)
            s = fma(s, v, k + 0.5f);
    }
    to[get_global_id(0)] = s;
}

// CHECK-LABEL: kernel "step_of_group"
// CHECK-NEXT: loop 0
// CHECK-NOT: unroll
// CHECK-NOT: loop 1
__kernel void step_of_group(__global float *to, __global const float *a, int n)
{
    float sum = 0;
    for (int i = (int)get_local_id(0); i < n; i += (int)get_local_size(0))
        sum += a[i];
    to[get_global_id(0)] = sum;
}

// As in CUDA, where loops have to end; of what is left over some go by four.
// CHECK-LABEL: kernel "rows"
// CHECK-NEXT: assumed data unroll 16
// CHECK-NEXT: assumed data unroll 4
// CHECK-NEXT: assumed data unroll 16
// CHECK-NOT: loop
// TWO-LABEL: kernel "rows"
// TWO-NEXT: assumed data unroll 2
// TWO-NEXT: kernel "guarded"
// SPIR-LABEL: kernel "rows"
// SPIR-COUNT-2: assumed data unroll 8
__kernel void rows(__global float *to, __global const float *values, __global const int *columns, __global const int *starts, __global const float *x)
{
    int t = get_global_id(0);
    float sum = 0;
    for (int i = starts[t]; i < starts[t + 1]; i++)
        sum += values[i] * x[columns[i]];
    to[t] = sum;
}

// A guard that is made straight-line code does not hinder: by four twice, sixteen guards in one iteration.
// CHECK-LABEL: kernel "guarded"
// CHECK-NEXT: unroll 4
// CHECK-NEXT: unroll 4
// CHECK-NEXT: loop 2: header {{1[0-9]}} latch {{[4-6][0-9]}}
// CHECK-NOT: loop
__kernel void guarded(__global float *to, __global const float *a, __local float *tile, int n)
{
    int first = get_group_id(0) * 4000;
    for (int x = get_local_id(0); x < 4000; x += 64)
        if (first + x < n)
            tile[x] = a[first + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    to[get_global_id(0)] = tile[get_local_id(0) * 7];
}

// What is asked for without a number is unrolled by four and no more, and not as often as it may run at most.
// CHECK-LABEL: kernel "asked_for"
// CHECK-NEXT: unroll 4
// CHECK-NEXT: loop 1
// CHECK-NOT: loop
__kernel void asked_for(__global float *to, __global const float *a, __local float *tile)
{
    int first = get_group_id(0) * 400;
#pragma unroll
    for (int x = get_local_id(0); x < 400; x += 64)
        tile[x] = a[first + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    to[get_global_id(0)] = tile[get_local_id(0) * 7];
}

// A function is no call to these compilers, unless it has a loop of its own or much code for rare arguments; but it is several instructions.
// CHECK-LABEL: kernel "with_approximation"
// CHECK-NEXT: unroll 16
// CHECK-LABEL: kernel "with_two"
// CHECK-NEXT: unroll 4
// CHECK-NEXT: loop 1
// CHECK-NOT: loop
// CHECK-LABEL: kernel "with_quotient"
// CHECK-NEXT: unroll 4
// CHECK-NEXT: loop 1
// CHECK-NOT: loop
// CHECK-LABEL: kernel "with_arc"
// CHECK-NEXT: unroll 4
// CHECK-NEXT: loop 1
// CHECK-NOT: loop
// NVIDIA's OpenCL has remainders in line (driver 580), nvcc loops for them.
// CHECK-LABEL: kernel "with_remainder"
// CHECK-NEXT: unroll 4
// CHECK-NEXT: loop 1
// CHECK-NOT: loop
// CHECK-LABEL: kernel "with_sine"
// CHECK-NEXT: loop 0
// CHECK-NOT: loop
#define WITH(name, function) \
    __kernel void name(__global float *to, __global const float *a, int n) \
    { \
        float x = to[get_global_id(0)], s = 0; \
        for (int i = 0; i < n; i++) \
            s += function; \
        to[get_global_id(0)] = s; \
    }
WITH(with_approximation, native_rsqrt(a[i] + x))
WITH(with_two, native_rsqrt(a[i]) * native_rsqrt(a[i] + x))
WITH(with_quotient, a[i] / x * (x - a[i]))
WITH(with_arc, acos(a[i] - x))
WITH(with_remainder, fmod(a[i], x))
WITH(with_sine, sin(a[i] + x))
// What the source asks for holds, whatever is called.
// CHECK-LABEL: kernel "sines_by_four"
// CHECK: unroll 4
__kernel void sines_by_four(__global float *to, __global const float *a, int n)
{
    float x = to[get_global_id(0)], s = 0;
#pragma unroll 4
    for (int i = 0; i < n; i++)
        s += sin(a[i] + x);
    to[get_global_id(0)] = s;
}

// `#pragma unroll` without a number, or that it is known how often a loop runs, is nothing to these compilers where there are calls.
// CHECK-LABEL: kernel "sines_asked_for"
// CHECK-NEXT: loop 0
// CHECK-NOT: unroll
__kernel void sines_asked_for(__global float *to, __global const float *a, int n)
{
    float x = to[get_global_id(0)], s = 0;
#pragma unroll
    for (int i = 0; i < n; i++)
        s += sin(a[i] + x);
    to[get_global_id(0)] = s;
}
// CHECK-LABEL: kernel "sines_300"
// CHECK-NEXT: loop 0: {{.*}} bound constant
// CHECK-NOT: unroll
__kernel void sines_300(__global float *to, __global const float *a)
{
    int t = get_global_id(0);
    float s = 0;
    for (int i = 0; i < 300; i++)
        s += sqrt(a[t + i]) * sin(a[i * 9]);
    to[t] = s;
}

// Neither reads of images, nor barriers, nor functions that stay functions hinder.
// CHECK-LABEL: kernel "image"
// CHECK-NEXT: unroll 4
// CHECK-NEXT: loop 1
// CHECK-NOT: loop
__kernel void image(__read_only image2d_t m, sampler_t q, __global float *to, int n)
{
    int t = get_global_id(0);
    float s = 0;
    for (int i = 0; i < n; i++)
        s += read_imagef(m, q, (int2)(t, i)).x;
    to[t] = s;
}
// CHECK-LABEL: kernel "image_by_two"
// CHECK: unroll 2
__kernel void image_by_two(__read_only image2d_t m, sampler_t q, __global float *to, int n)
{
    int t = get_global_id(0);
    float s = 0;
#pragma unroll 2
    for (int i = 0; i < n; i++)
        s += read_imagef(m, q, (int2)(t, i)).x;
    to[t] = s;
}
__attribute__((noinline)) float apart(float v, float w) { return v * w + v; }
// CHECK-LABEL: kernel "function"
// CHECK-NEXT: unroll 4
// CHECK-NEXT: loop 1
// CHECK-NOT: loop
__kernel void function(__global float *to, __global const float *a, int n, float w)
{
    float s = 0;
    for (int i = 0; i < n; i++)
        s += apart(a[i], w);
    to[get_global_id(0)] = s;
}
#define BARRIERS(name, unrolling) \
    __kernel void name(__global float *to, __global const float *a, __local float *c, int n) \
    { \
        int t = get_local_id(0); \
        float s = 0; \
        unrolling \
        for (int i = 0; i < n; i++) { \
            c[t] = a[t + i * 64]; \
            barrier(CLK_LOCAL_MEM_FENCE); \
            s += c[t ^ 1]; \
            barrier(CLK_LOCAL_MEM_FENCE); \
        } \
        to[t] = s; \
    }
// CHECK-LABEL: kernel "barriers"
// CHECK-NEXT: unroll 4
// CHECK-NEXT: loop 1
// CHECK-NOT: loop
BARRIERS(barriers,)
// CHECK-LABEL: kernel "barriers_by_two"
// CHECK: unroll 2
BARRIERS(barriers_by_two, _Pragma("unroll 2"))
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Assembly, volatile or not, hinders neither; exchanges and votes hinder ptxas, which has not unrolled 4 times 4.
// CHECK-LABEL: kernel "assembly"
// CHECK-NEXT: unroll 16
// CHECK-LABEL: kernel "exchange"
// CHECK-NEXT: unroll 4
// CHECK-LABEL: kernel "vote"
// CHECK-NEXT: unroll 4
#ifdef __NVPTX__
__kernel void assembly(__global uint *to, __global const uint *from, int n)
{
    uint a = (uint)get_global_id(0), b = a * 3;
    for (int i = 0; i < n; i++) {
        uint t;
        __asm__ volatile("shf.l.wrap.b32 %0, %1, %1, 7;" : "=r"(t) : "r"(a));
        a = b;
        b = t + (a ^ from[i]);
    }
    to[get_global_id(0)] = b;
}
__kernel void exchange(__global uint *to, int n)
{
    uint a = (uint)get_global_id(0);
    for (int i = 0; i < n; i++)
        a = (uint)__nvvm_shfl_sync_bfly_i32(-1, (int)a, 1, 31) + (a ^ 5u);
    to[get_global_id(0)] = a;
}
__kernel void vote(__global uint *to, int n)
{
    uint a = (uint)get_global_id(0);
    for (int i = 0; i < n; i++)
        a = (uint)__nvvm_vote_ballot_sync(-1, a & 1) + (a ^ 5u);
    to[get_global_id(0)] = a;
}
#endif
