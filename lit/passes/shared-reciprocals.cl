// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NVIDIA's compilers make the reciprocal of a divisor once: in front of the loop that does not change it, and for all divisions behind the first. Others, and divisors that the loop changes, pay for each.
// RUN: %noplugin -x cl -cl-std=CL1.2 -O2 -target nvptx64-nvidia-cuda -nogpulib -emit-llvm -S %s -o - | %profile_ir - | FileCheck %s
// RUN: %noplugin -x cl -cl-std=CL1.2 -O2 -target amdgcn-amd-amdhsa -mcpu=gfx90a -nogpulib -emit-llvm -S %s -o - | %profile_ir - | FileCheck %s --check-prefix=AMD
// AMD-NOT: div_next

// CHECK-LABEL: kernel "of_loop"
// CHECK-NOT: int32.{{u?}}div{{$}}
// CHECK: int32.udiv_next
// CHECK-NOT: int32.{{u?}}div{{$}}
kernel void of_loop(global uint *x, uint m, int n)
{
    uint s = 0, i = (uint)get_global_id(0);
    #pragma unroll 1
    for (int k = 0; k < n; k++)
        s += (s + i) / m;
    x[i] = s;
}

// CHECK-LABEL: kernel "changed"
// CHECK-NOT: div_next
// CHECK: int32.udiv{{$}}
kernel void changed(global uint *x, uint m, int n)
{
    uint s = 0, i = (uint)get_global_id(0);
    #pragma unroll 1
    for (int k = 0; k < n; k++)
        s += i / (s + m);
    x[i] = s;
}

// CHECK-LABEL: kernel "two"
// CHECK: int32.div{{$}}
// CHECK: int32.div_next{{$}}
kernel void two(global int *x, int m)
{
    int i = (int)get_global_id(0);
    x[i] = i / m * 3 + x[i] / m;
}
