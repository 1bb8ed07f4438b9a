// Code for no device is compiled further by drivers, whose compilers unroll what LLVM has left as loops: rows read by their lanes cost more than what each turn would wait for, were they read side by
// side.
// RUN: %cl -Rpass-analysis=gpuperf -fplugin-arg-gpuperf-device=a100 '-fplugin-arg-gpuperf-assume=*:global=16384:local=64:m=16384:n=4096' -c %s -o %t.bc 2>&1 | FileCheck %s

// CHECK: kernel rows on a100
// CHECK: uncoalesced global load: 32 transactions per warp, stride 16384 bytes along dimension 0; {{[5-8][0-9]}}% of predicted time on a100 ({{[2-3]}}.{{[0-9]}}x faster if coalesced)
// CHECK: kernel columns on a100{{.*}}limited by dram
// What each turn loads decides where the next one does. (Few work-items: many would be limited by what L2 fetches for them.)
// RUN: %cl -Rpass-analysis=gpuperf -fplugin-arg-gpuperf-device=a100 '-fplugin-arg-gpuperf-assume=*:global=4096:local=64:m=4096:n=4096' -c %s -o %t.bc 2>&1 | FileCheck %s --check-prefix=CHASED
// CHASED: kernel chased on a100{{.*}}limited by latency

kernel void rows(global const float *a, global const float *x, global float *y, int m, int n)
{
    int row = get_global_id(0);
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[row * n + k] * x[k];
    y[row] = sum;
}

kernel void columns(global const float *a, global const float *x, global float *y, int m, int n)
{
    int row = get_global_id(0);
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[k * m + row] * x[k];
    y[row] = sum;
}

kernel void chased(global const int *next, global int *y, int m, int n)
{
    int at = get_global_id(0);
    for (int k = 0; k < n; k++)
        at = next[at];
    y[get_global_id(0)] = at;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
