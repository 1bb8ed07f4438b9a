// Votes of a warp's lanes, each of which says yes or no: some near certainly do, and not all. What all lanes say alike, or a constant, is as any other data.
// RUN: %noplugin -x cuda %s --cuda-device-only --cuda-gpu-arch=sm_80 --cuda-feature=+ptx83 -nocudainc -nocudalib -O2 -S -emit-llvm -o - | %profile_ir - | FileCheck %s
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
__device__ inline int gid() { return __nvvm_read_ptx_sreg_ctaid_x() * __nvvm_read_ptx_sreg_ntid_x() + __nvvm_read_ptx_sreg_tid_x(); }

// `a == 0` is the branch that LLVM makes of it.
// CHECK-LABEL: kernel "some"
// CHECK: icmp.eq
// CHECK: condbr {{.*}} kind data probability 1 :
__global__ void some(const int *in, int *out)
{
    unsigned mask = __nvvm_vote_ballot_sync(~0u, in[gid()] > 0);
    if (mask)
        __nvvm_atom_add_gen_i(out, mask);
}

// CHECK-LABEL: kernel "any"
// CHECK: condbr {{.*}} kind data probability 65534 :
__global__ void any(const int *in, int *out)
{
    if (__nvvm_vote_any_sync(~0u, in[gid()] > 0))
        __nvvm_atom_add_gen_i(out, 1);
}

// CHECK-LABEL: kernel "all"
// CHECK: condbr {{.*}} kind data probability 1 :
__global__ void all(const int *in, int *out)
{
    if (__nvvm_vote_all_sync(~0u, in[gid()] > 0))
        __nvvm_atom_add_gen_i(out, 1);
}

// CHECK-LABEL: kernel "full"
// CHECK: condbr {{.*}} kind data probability 1 :
__global__ void full(const int *in, int *out)
{
    if (__nvvm_vote_ballot_sync(~0u, in[gid()] > 0) == ~0u)
        __nvvm_atom_add_gen_i(out, 1);
}

// CHECK-LABEL: kernel "alike"
// CHECK: condbr
// CHECK-NOT: probability
__global__ void alike(const int *in, int *out)
{
    if (__nvvm_vote_any_sync(~0u, in[__nvvm_read_ptx_sreg_ctaid_x()] > 0))
        __nvvm_atom_add_gen_i(out, 1);
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
