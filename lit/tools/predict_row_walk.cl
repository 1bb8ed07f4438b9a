// Work-items that walk rows of their own find in L1 what a line brought; side by side each iteration waits for another line. Where few warps wait most of the time the repaired kernel is slower, and none is promised to be
// faster; where the requests themselves take the time the promise holds.
// RUN: %gpuperf predict --device mi250x,w7800 --kernel rows --global 4096 --local 64 --arg n=4096 --cold %s | FileCheck %s
// RUN: %gpuperf predict --device a100 --kernel rows --global 4096 --local 64 --arg n=4096 --cold %s | FileCheck %s --check-prefix=REQUESTS
// CHECK: rows on mi250x
// CHECK-NOT: uncoalesced
// CHECK: rows on w7800
// CHECK-NOT: uncoalesced
// REQUESTS: 2.{{[0-3].}}x {{.*}} uncoalesced global load
// RUN: %gpuperf predict --device a100,mi250x --kernel columns --global 4096 --local 64 --arg n=4096 --cold --json %s | FileCheck %s --check-prefix=REPAIRED
// REPAIRED: "device": "a100"
// REPAIRED: "time_ns": 1{{[0-9]{5}\.}}
// REPAIRED: "device": "mi250x"
// REPAIRED: "time_ns": 1{{[0-9]{6}\.}}

kernel void rows(global const float *restrict a, global float *restrict out, int n)
{
    int i = get_global_id(0);
    float s = 0;
    for (int k = 0; k < n; k++)
        s += a[i * n + k];
    out[i] = s;
}

kernel void columns(global const float *restrict a, global float *restrict out, int n)
{
    int i = get_global_id(0);
    float s = 0;
    for (int k = 0; k < n; k++)
        s += a[k * n + i];
    out[i] = s;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
