// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a loop's counter is multiplied with is the least that ends the loop; what counters of ids step by together with where they begin is a lane's stride; what global ids step by is the number of work-items.
// RUN: %gpuperf predict --device a100 --local 256 %s | FileCheck %s --implicit-check-not="never ends"

// CHECK: multiplied on
// CHECK-NEXT: global 1048576, n=1024, s=2;
kernel void multiplied(global float *a, int n, int s)
{
    float sum = 0;
    for (int i = 1; i < n; i *= s)
        sum += a[i * 7 + get_global_id(0)];
    a[get_global_id(0)] = sum;
}

// CHECK: to_base on
// CHECK-NEXT: global 1048576, n=1024, base=2;
kernel void to_base(global int *a, uint n, uint base)
{
    uint sum = 0;
    for (uint k = 1; k < n; k *= base)
        sum += a[k];
    a[get_global_id(0)] = sum;
}

// CHECK: divided on
// CHECK-NEXT: global 1048576, n=1024, base=2;
kernel void divided(global int *a, int n, int base)
{
    int sum = 0;
    for (int k = n; k > 0; k /= base)
        sum += a[k];
    a[get_global_id(0)] = sum;
}

// CHECK: down on
// CHECK-NEXT: global 1048576, n=1024, s=1;
kernel void down(global float *a, int n, int s)
{
    float sum = 0;
    for (int i = n; i > 0; i -= s)
        sum += a[i];
    a[get_global_id(0)] = sum;
}

// CHECK: lanes on
// CHECK-NEXT: global 1048576, n=1024, s=1;
kernel void lanes(global float *a, int n, int s)
{
    float sum = 0;
    for (int i = get_local_id(0) * s; i < n; i += get_local_size(0) * s)
        sum += a[i];
    a[get_global_id(0)] = sum;
}

// CHECK: grid on
// CHECK-NEXT: global 1048576, n=16777216, s=1;
kernel void grid(global float *a, int n, int s)
{
    float sum = 0;
    for (int i = get_global_id(0) * s; i < n; i += get_global_size(0) * s)
        sum += a[i];
    a[get_global_id(0)] = sum;
}

// CHECK: counted on
// CHECK-NEXT: global 1048576, n=16777216, nthreads=1048576;
kernel void counted(global float *a, int n, int nthreads)
{
    float sum = 0;
    for (int i = get_global_id(0); i < n; i += nthreads)
        sum += a[i];
    a[get_global_id(0)] = sum;
}
