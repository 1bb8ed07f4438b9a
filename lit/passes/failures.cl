// Ways that can only fail are left out: assertions, also of several conditions, with a message before, or in a loop, and traps. A comparison and a jump are left of each, and no doubt.
// RUN: %noplugin -x cl -cl-std=CL1.2 -O2 -w -cl-kernel-arg-info -target nvptx64-nvidia-cuda -nogpulib -emit-llvm -S -o %t.ll %s
// RUN: %profile_ir %t.ll | FileCheck %s
// RUN: %gpuperf predict --device a100,mi250x --kernel asserted --local 256 %s | FileCheck %s --check-prefix=SURE
// SURE-COUNT-2: known 100%
void __assertfail(constant const char *what, int line);
#define assert(condition) ((condition) ? (void)0 : __assertfail(#condition, __LINE__))

// CHECK-LABEL: kernel "asserted"
// CHECK-NOT: callee
// CHECK: local-size-agnostic yes
// CHECK-NOT: condbr
// CHECK: weight i1 {{.*}} : int32.cmp
// CHECK-NOT: condbr
// CHECK: weight %{{[0-9]+}} : branch
// CHECK: ret
kernel void asserted(global float *x, global const int *index, int n)
{
    int i = get_global_id(0), j = index[i];
    if (j < 0 || j >= n)
        __builtin_trap();
    x[i] = x[i] * 2 + j;
}

// CHECK-LABEL: kernel "several"
// CHECK-NOT: condbr
// CHECK-COUNT-2: weight %{{[0-9]+}} : branch
// CHECK: ret
kernel void several(global float *x, global const int *index)
{
    int i = get_global_id(0), j = index[i];
    assert(j >= 0);
    if (x[j] == 7) {
        x[0] = 1;
        __builtin_trap();
    }
    x[i] = j;
}

// CHECK-LABEL: kernel "looped"
// CHECK: bound scalar-evolution trips
// CHECK-NOT: kind data
kernel void looped(global float *x, int n)
{
#pragma unroll 1
    for (int k = 0; k < n; k++) {
        float next = x[k];
        if (next < 0)
            __builtin_trap();
        x[k + 100] = next;
    }
}

// What fails by all ways is left as it is, and so are messages that nothing fails behind.
// CHECK-LABEL: kernel "reported"
// CHECK: condbr {{.*}} kind data
int printf(constant const char *, ...);
kernel void reported(global float *x)
{
    if (x[0] == 7)
        printf("seven");
    x[1] = 1;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
