// Inline assembly of several statements that are known is their sum, each with what it costs: what CUB's reductions, scans and sorts are written with. A statement that nobody knows makes all of it an estimate.
// RUN: %noplugin -x cl -cl-std=CL1.2 -O2 -target nvptx64-nvidia-cuda -nogpulib -emit-llvm -S %s -o - | %profile_ir - | FileCheck %s

// CHECK-LABEL: kernel "scan_step"
// CHECK-NOT: callee
// CHECK: local-size-agnostic no "its work-items exchange values within a sub-group"
// CHECK: %[[OTHER:[0-9]+]] = shuffle i32 {{.*}} : shuffle
// CHECK-NEXT: %[[SUM:[0-9]+]] = weight i32 {{.*}}%[[OTHER]]{{.*}} : int32.add
// CHECK-NEXT: store {{.*}}, %[[SUM]] in global
kernel void scan_step(global int *x)
{
    int i = get_global_id(0), in = x[i], out;
    __asm__ volatile("{ .reg .s32 r0; .reg .pred p; shfl.sync.up.b32 r0|p, %1, %2, %3, %5; @p add.s32 r0, r0, %4; mov.s32 %0, r0; }" : "=r"(out) : "r"(in), "r"(1), "r"(0), "r"(in), "r"(-1));
    x[i] = out;
}

// CHECK-LABEL: kernel "scan_doubles"
// CHECK-NOT: callee
// CHECK-COUNT-2: : shuffle
// CHECK: : fp64.add
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
kernel void scan_doubles(global double *x)
{
    int i = get_global_id(0);
    double out = x[i];
    __asm__ volatile("{ .reg .u32 lo; .reg .u32 hi; .reg .pred p; .reg .f64 r0; mov.b64 %0, %1; mov.b64 {lo, hi}, %1; shfl.sync.down.b32 lo|p, lo, %2, %3, %4; shfl.sync.down.b32 hi|p, hi, %2, %3, %4;"
                     " mov.b64 r0, {lo, hi}; @p add.f64 %0, %0, r0; }" : "=d"(out) : "d"(out), "r"(1), "r"(31), "r"(-1));
    x[i] = out;
}

// CHECK-LABEL: kernel "ballots"
// CHECK-NOT: callee
// CHECK: : int32.logic
// CHECK-NEXT: : int32.cmp
// CHECK-NEXT: : vote
// CHECK-NEXT: : int32.logic
// CHECK: : int32.shift
kernel void ballots(global unsigned *x)
{
    int i = get_global_id(0);
    unsigned mask, low;
    __asm__("{ .reg .pred p; and.b32 %0, %1, %2; setp.ne.u32 p, %0, 0; vote.ballot.sync.b32 %0, p, 0xffffffff; @!p not.b32 %0, %0; }" : "=r"(mask) : "r"(x[i]), "r"(4));
    __asm__("bmsk.clamp.b32 %0, %1, %2;" : "=r"(low) : "r"(mask), "r"(3));
    x[i] = low;
}

// What a special register holds is read by a move: it stays as it is.
// CHECK-LABEL: kernel "special"
// CHECK: callee 0: "inline assembly: mov.u32, add.u32"
kernel void special(global unsigned *x)
{
    unsigned sum;
    __asm__("{ .reg .u32 t; mov.u32 t, %%smid; add.u32 %0, t, %1; }" : "=r"(sum) : "r"(x[1]));
    x[0] = sum;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
