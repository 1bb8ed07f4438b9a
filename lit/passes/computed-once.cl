// Address arithmetic that machines do not have. What is computed again under the next guard costs once; what only one side of a branch computes costs on its side.
// RUN: %noplugin -x cl -cl-std=CL1.2 -O2 -target nvptx64-nvidia-cuda -march=sm_75 -Xclang -target-feature -Xclang +ptx78 -nogpulib -emit-llvm -S %s -o %t.ll
// RUN: %profile_ir %t.ll | FileCheck %s

// CHECK-LABEL: kernel "in_turn"
// CHECK: add i64 $0, {{.*}} : int32.mad
// CHECK: store
// CHECK-NOT: add i64 $0, {{.*}} : int
// CHECK: add i64 $0, {{.*}} : free
// CHECK: store
kernel void in_turn(global float *a, int x, int y, int n, float f)
{
    int i = get_local_id(0) * y;
    if (x < n)
        a[i] = f;
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (y < n)
        a[i + 7] = f * f;
}

// CHECK-LABEL: kernel "either"
// CHECK: add i64 $0, {{.*}} : int32.mad
// CHECK: add i64 $0, {{.*}} : int32.mad
kernel void either(global float *a, int x, int y, float f)
{
    int i = get_local_id(0);
    if (x < y) {
        barrier(CLK_GLOBAL_MEM_FENCE);
        a[i * x] = f;
    } else {
        barrier(CLK_GLOBAL_MEM_FENCE);
        a[i * x + 7] = f * f;
    }
}

// The base of a constant array is an immediate of NVIDIA's loads (c[bank][register + immediate]), a loop's counter is kept scaled.
__attribute__((weak)) constant float table[64] = {0};
// CHECK-LABEL: kernel "banked"
// CHECK: mul i64 {{.*}}, 4 : int32.shift
// CHECK: add i64 global.table, {{.*}} : free
// CHECK: mul i64 {{.*}}, 4 : free
// CHECK: add i64 global.table, {{.*}} : free
kernel void banked(global float *a, int n)
{
    float s = table[get_local_id(0)];
    #pragma nounroll
    for (int i = 0; i < n; i++)
        s = s * s + table[i];
    a[get_local_id(0)] = s;
}

// To the optimiser clamp() is a call that stays where it is; whoever compiles for a device computes the row before the loop, and the column in it.
// CHECK-LABEL: kernel "row"
// CHECK: block 0:
// CHECK: smin i32
// CHECK: block 1:
// CHECK: smin i32
// CHECK-NOT: smin
kernel void row(global const float *in, global float *out, int w, int h)
{
    int x = get_global_id(0), y = get_global_id(1);
    float sum = 0;
    #pragma unroll 1
    for (int i = -4; i <= 4; i++)
        sum += in[clamp(y - 1, 0, h - 1) * w + clamp(x + i, 0, w - 1)];
    out[y * w + x] = sum;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
