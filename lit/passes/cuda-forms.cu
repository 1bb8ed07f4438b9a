// What CUDA adds: the read-only cache, dynamic shared memory, launch bounds, shuffles and votes, barriers of parts of a block,
// templates, device functions that are not inlined.
// RUN: %noplugin -x cuda %s --cuda-device-only --cuda-gpu-arch=sm_80 --cuda-feature=+ptx83 -nocudainc -nocudalib -O2 -S -emit-llvm -o %t.ll
// RUN: %profile_ir %t.ll | FileCheck %s
// RUN: %profile_ir -addresses=global=1024:local=64 %t.ll | FileCheck %s --check-prefix=ADDRESSES
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
__device__ inline int tid() { return __nvvm_read_ptx_sreg_tid_x(); }
__device__ inline int gid() { return __nvvm_read_ptx_sreg_ctaid_x() * __nvvm_read_ptx_sreg_ntid_x() + tid(); }

// CHECK-LABEL: kernel "cached"
// CHECK: load i32 {{.*}} in global 4x1 {{.*}} readonly
__global__ void cached(const float *a, float *b) { b[gid()] = __nvvm_ldg_f(a + gid() + 1); }

// CHECK-LABEL: kernel "restricted"
// CHECK: load i32 {{.*}} in global 4x1 {{.*}} readonly
__global__ void restricted(const float *__restrict__ a, float *__restrict__ b) { b[gid()] = a[gid()]; }

// CHECK-LABEL: kernel "dynamic"
// CHECK: local "all": 0 align 4
// CHECK: barrier
// ADDRESSES: dynamic: store local 4x1 local.all+0 4 8 12 16 20 24 28
// ADDRESSES: dynamic: store local 4x1 local.all+256 4 8 12 16 20 24 28
__global__ void dynamic(float *a)
{
    extern __shared__ float all[];
    int *order = (int *)(all + __nvvm_read_ptx_sreg_ntid_x());
    all[tid()] = a[gid()];
    order[tid()] = tid() ^ 1;
    __syncthreads();
    a[gid()] = all[order[tid()]];
}

// CHECK-LABEL: kernel "bounded"
// CHECK: max-local 128
__global__ void __launch_bounds__(128, 4) bounded(float *a) { a[gid()] = 1; }

// CHECK-LABEL: kernel "exchange"
// CHECK: shuffle i32
// CHECK: weight {{.*}}: vote
// CHECK: weight {{.*}}: vote
// CHECK-NOT: barrier_
__global__ void exchange(int *a)
{
    int v = a[gid()];
    for (int lanes = 16; lanes > 0; lanes >>= 1)
        v += __nvvm_shfl_sync_bfly_i32(~0u, v, lanes, 31);
    unsigned votes = __nvvm_vote_ballot_sync(~0u, v > 3);
    __nvvm_bar_warp_sync(~0u);
    a[gid()] = v + votes;
}

// CHECK-LABEL: kernel "scale<float, 4>"
// CHECK: load
// ADDRESSES: scale<float, 4>: load global 4x1 {{[a-z]*}}+1024 16 32 48 64 80 96 112
template <class T, int N> __global__ void scale(T *a)
{
    for (int i = 0; i < N; i++)
        a[gid() * N + i] *= 2;
}
template __global__ void scale<float, 4>(float *);

// CHECK-LABEL: kernel "calls"
// CHECK-NOT: call.unknown
// ADDRESSES: calls: load global 4x1 {{[a-z]*}}+768 12 24 36 48 60 72 84
__attribute__((noinline)) __device__ float third(const float *a, int i) { return a[3 * i]; }
__global__ void calls(const float *a, float *b) { b[gid()] = third(a, gid()); }

// CHECK-LABEL: kernel "taps"
// CHECK: load i32 {{.*}} in constant
__constant__ float weights[16];
__global__ void taps(float *a) { a[gid()] = weights[tid() & 15]; }

struct Arrays { float *x; const float *y[2]; };
// ADDRESSES: structure: store global 4x1 symbol+256 4 8 12 16 20 24 28
__global__ void structure(Arrays s) { s.x[gid()] = s.y[1][gid()]; }

// CUB and its like read the lane's number by assembly; masks of lanes are made of it.
// ADDRESSES: special: store global 4x1 {{[a-z]*}}+0 4 8 12 16 20 24 28
// ADDRESSES: special: store global 4x1 {{[a-z]*}}+0 8 16 24 32 40 48 56
// ADDRESSES: special: store global 4x1 {{[a-z]*}}+0 4 8 12 16 20 24 28
__global__ void special(float *a, float *b, float *c)
{
    unsigned lane, again, below;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    asm volatile("mov.u32 \t%0, %%laneid ;\n" : "=r"(again));
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(below));
    a[lane] = 1;
    b[2 * again] = 2;
    c[__builtin_popcount(below)] = 3;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
