// Divisions of 64 bits: of numbers that fit in 32, of which one does not, and of loaded ones, which nobody knows.
// RUN: %noplugin -x cl -cl-std=CL1.2 -O2 -w -cl-kernel-arg-info -target nvptx64-nvidia-cuda -nogpulib -emit-llvm -S -o %t.ll %s
// RUN: %profile_ir %t.ll | FileCheck %s
// RUN: %gpuperf predict --device a100 --kernel hashed --kernel loaded --local 256 --global 1048576 %s | FileCheck %s --check-prefix=TIME
// TIME-LABEL: hashed on a100
// TIME: known 100%
// TIME-LABEL: loaded on a100
// TIME: known {{[0-9][0-9]?}}%

// CHECK-LABEL: kernel "place"
// CHECK: : int64.div{{$| }}
kernel void place(global ulong *a, ulong w)
{
    size_t i = get_global_id(0) + w * 7;
    a[i] = i / w;
}

// CHECK-LABEL: kernel "hashed"
// CHECK: : int64.udiv_wide
kernel void hashed(global ulong *a, ulong m)
{
    ulong s = a[get_global_id(0)];
    for (int k = 0; k < 64; k++)
        s = (s ^ 0x5851f42d4c957f2dUL) % m + k;
    a[get_global_id(0)] = s;
}

// CHECK-LABEL: kernel "set"
// CHECK: : int64.udiv_wide
kernel void set(global ulong *a, ulong m)
{
    a[get_global_id(0)] = (a[get_global_id(0)] | 1UL << 40) / m;
}

// CHECK-LABEL: kernel "product"
// CHECK: : int64.div_wide
kernel void product(global long *a, long m)
{
    a[get_global_id(0)] = a[get_global_id(0)] * a[get_global_id(0) + 1] % m;
}

// CHECK-LABEL: kernel "loaded"
// CHECK: : int64.div_data
kernel void loaded(global ulong *a, ulong m)
{
    ulong s = a[get_global_id(0)];
    for (int k = 0; k < 64; k++)
        s = s % m + k;
    a[get_global_id(0)] = s;
}

// CHECK-LABEL: kernel "narrow"
// CHECK-NOT: int64.div
// CHECK: : int32.udiv
kernel void narrow(global uint *a, uint m)
{
    a[get_global_id(0)] = (ulong)a[get_global_id(0)] / m;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
