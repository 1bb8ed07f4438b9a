// Tables that the compiler knows decide addresses and trip counts; what the host may overwrite, or has too many places, is data.
// RUN: %noplugin -x cuda --cuda-device-only --cuda-gpu-arch=sm_80 -nocudainc -nocudalib -O2 -fno-unroll-loops -emit-llvm -S %s -o %t.ll
// RUN: %profile_ir %t.ll | FileCheck %s
#define __device__ __attribute__((device))
#define __constant__ __attribute__((constant))
#define __global__ __attribute__((global))
static __device__ const int lengths[8] = {3, 1, 4, 1, 5, 9, 2, 6};
__constant__ int writable[8] = {3, 1, 4, 1, 5, 9, 2, 6};
static __device__ const int large[65] = {3, 1, 4};

// CHECK-LABEL: kernel "known"
// CHECK: loop 0: {{.*}} bound scalar-evolution
// CHECK: load i32 {{.*}} base global.
// CHECK-NEXT: icmp.eq i64 %{{[0-9]+}}, 0 : free
// CHECK-NEXT: select i32 %{{[0-9]+}}, 3, %{{[0-9]+}} : free
// CHECK: condbr {{.*}} kind {{thread|induction}}
extern "C" __global__ void known(const float *a, float *o)
{
    int i = __nvvm_read_ptx_sreg_tid_x();
    float s = 0;
    for (int k = 0; k < lengths[i & 7]; k++)
        s += a[i + k * 64];
    o[i] = s;
}

// CHECK-LABEL: kernel "overwritten"
// CHECK: loop 0: {{.*}} bound assumed
// CHECK-NOT: select i32 %{{[0-9]+}}, 3
// CHECK-LABEL: kernel "too_large"
// CHECK: loop 0: {{.*}} bound assumed
extern "C" __global__ void overwritten(const float *a, float *o)
{
    int i = __nvvm_read_ptx_sreg_tid_x();
    float s = 0;
    for (int k = 0; k < writable[i & 7]; k++)
        s += a[i + k * 64];
    o[i] = s;
}
extern "C" __global__ void too_large(const float *a, float *o)
{
    int i = __nvvm_read_ptx_sreg_tid_x();
    float s = 0;
    for (int k = 0; k < large[i & 63]; k++)
        s += a[i + k * 64];
    o[i] = s;
}

// Where data decides the place, nothing is known.
// CHECK-LABEL: kernel "by_data"
// CHECK: load i32 {{.*}} base global.
// CHECK-NOT: select
extern "C" __global__ void by_data(const int *x, const float *a, float *o)
{
    int i = __nvvm_read_ptx_sreg_tid_x();
    o[i] = a[lengths[x[i] & 7]];
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
