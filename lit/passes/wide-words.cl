// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A number of 64 bits is two words: moved by 32 bits they change places for nothing, farther it is one shift, and so where the lower word alone is used; a product of two words and a sum is one instruction.
// RUN: %noplugin -x cl -cl-std=CL1.2 -O2 -target nvptx64-nvidia-cuda -nogpulib -emit-llvm -S %s -o - | %profile_ir - | FileCheck %s
// RUN: %noplugin -x cl -cl-std=CL1.2 -O2 -target amdgcn-amd-amdhsa -mcpu=gfx90a -nogpulib -emit-llvm -S %s -o - | %profile_ir - | FileCheck %s

// CHECK-LABEL: kernel "halves"
// CHECK: load i64
// CHECK-NOT: {{int(32|64).shift}}
// CHECK: store
kernel void halves(global ulong *x)
{
    ulong a = x[get_local_id(0)];
    x[get_local_id(0)] = rotate(a, 32ul) + (a >> 32);
}

// CHECK-LABEL: kernel "words"
// CHECK: load i64
// CHECK-NOT: int64.shift
// CHECK: {{%[0-9]+}} = weight {{.*}} int32.shift
// CHECK: weight {{.*}} int32.shift
// CHECK: store
kernel void words(global ulong *x, global uint *y)
{
    ulong a = x[get_local_id(0)];
    x[get_local_id(0)] = a << 40;
    y[get_local_id(0)] = (uint)(a >> 27);
}

// CHECK-LABEL: kernel "whole"
// CHECK: int64.shift
kernel void whole(global ulong *x)
{
    x[get_local_id(0)] <<= 7;
}

// CHECK-LABEL: kernel "product"
// CHECK: load i32
// CHECK: load i32
// CHECK-NOT: int64.{{add|shift}}
// CHECK: int32.mad
// CHECK-NOT: int64.{{add|shift}}
// CHECK: store
kernel void product(global ulong *x, global uint *y)
{
    ulong t = x[get_local_id(0)];
    uint a = y[get_local_id(0)], b = y[get_local_id(0) + 64];
    y[get_local_id(0)] = (uint)((t + (ulong)a * b) >> 32);
}
