// What NVIDIA's instructions take at once (ptxas 13.0, sm_90): LOP3 any function of three words, LEA.HI a rotation and an addition.
// RUN: %noplugin -x cl -cl-std=CL1.2 -O2 -target nvptx64-nvidia-cuda -march=sm_90 -emit-llvm -S %s -o %t.ll
// RUN: %profile_ir %t.ll | FileCheck %s

// Choosing by bits: one LOP3, though it is four operations.
// CHECK-LABEL: kernel "chooses"
// CHECK: int32.logic
// CHECK-NOT: int32.logic
// CHECK: store
kernel void chooses(global uint *o, uint a, uint b)
{
    uint x = o[get_local_id(0)];
    o[get_local_id(0)] = (x & a) | (~x & b);
}

// Four words: two.
// CHECK-LABEL: kernel "parity"
// CHECK: int32.logic
// CHECK: int32.logic
// CHECK-NOT: int32.logic
// CHECK: store
kernel void parity(global uint *o, uint a, uint b, uint c)
{
    uint x = o[get_local_id(0)];
    o[get_local_id(0)] = x ^ a ^ b ^ c;
}

// What is used elsewhere, too, is computed by itself.
// CHECK-LABEL: kernel "shared"
// CHECK: int32.logic
// CHECK: int32.logic
// CHECK-NOT: int32.logic
// CHECK: store
kernel void shared(global uint *o, uint a, uint b)
{
    uint x = o[get_local_id(0)], y = x & a;
    o[get_local_id(0)] = y ^ b;
    o[get_local_id(0) + 64] = y;
}

// CHECK-LABEL: kernel "turns"
// CHECK-NOT: int32.shift
// CHECK-NOT: int32.add
// CHECK: int32.logic
// CHECK-NOT: int32.{{add|logic|shift}}
// CHECK: store
kernel void turns(global uint *o, uint a)
{
    uint x = o[get_local_id(0)];
    o[get_local_id(0)] = rotate(x, 7u) + a;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
