// Nobody computes with NaNs. The exit that LLVM gives the loop of a vectorised fmax() for them is never taken, so that both loops' iterations are known; a branch that asks for one is as good as never taken.
// RUN: %noplugin -x cl -cl-std=CL2.0 -O2 -w -cl-kernel-arg-info -target amdgcn-amd-amdhsa -mcpu=gfx90a -nogpulib -emit-llvm -S -o %t.ll %s
// RUN: %profile_ir %t.ll | FileCheck %s
// RUN: %gpuperf predict --device mi250x,pocl-cpu --kernel largest --kernel sum --local 256 --global 1048576 --arg w=16 %s | FileCheck %s --check-prefix=TIME

// TIME-LABEL: largest on mi250x
// TIME: known 100%
// TIME: 256 {{.*}} 14.{{[0-9]}} us {{.*}} best
// TIME-LABEL: sum on mi250x
// TIME: known 100%
// TIME: 256 {{.*}} 15.{{[0-9]}} us {{.*}} best
// TIME-LABEL: largest on pocl-cpu
// TIME: known 100%
// TIME: 256 {{.*}} 1.{{[0-9]+}} ms {{.*}} best
// CHECK-LABEL: kernel "largest"
// CHECK-NOT: kind data
// CHECK: bound scalar-evolution trips
// CHECK-NOT: kind data
// CHECK: bound scalar-evolution trips
// CHECK-NOT: kind data
// CHECK: weight %{{[0-9]+}} : branch
// CHECK-NOT: kind data
// CHECK: ret
kernel void largest(global const float *a, global float *out, int w)
{
    int i = get_global_id(0);
    float most = -1e30f;
    for (int k = 0; k < w; k++)
        most = fmax(most, a[i + k]);
    out[i] = most;
}

kernel void sum(global const float *a, global float *out, int w)
{
    int i = get_global_id(0);
    float all = 0;
    for (int k = 0; k < w; k++)
        all += a[i + k];
    out[i] = all;
}

// What is rare, as what is marked unlikely is, where more than computing is done.
// CHECK-LABEL: kernel "counted"
// CHECK: condbr {{.*}} kind data probability 65502 :
kernel void counted(global const float *a, global int *count)
{
    int i = get_global_id(0);
    if (isnan(a[i]))
        atomic_inc(count);
}

// CHECK-LABEL: kernel "either"
// CHECK-COUNT-2: condbr {{.*}} kind data probability
kernel void either(global const float *a, global int *count)
{
    int i = get_global_id(0);
    if (a[i] != a[i] || a[i + 1000] != a[i + 1000])
        atomic_inc(count);
}

// CHECK-LABEL: kernel "with_another"
// CHECK: condbr {{.*}} kind data :
kernel void with_another(global const float *a, global int *count)
{
    int i = get_global_id(0);
    if (a[i] != a[i] || a[i] > 3)
        atomic_inc(count);
}

// A loop that nothing else ends is left as it is.
// CHECK-LABEL: kernel "until_nan"
// CHECK: bound assumed
kernel void until_nan(global const float *a, global int *out)
{
    int k = 0;
    while (a[k] == a[k])
        k++;
    *out = k;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
