// What the optimiser makes one of several stores or loads is told of at the first of them, with and without the user's own line tables.
// RUN: %cl -c -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %cl -g -c -o /dev/null %s 2>&1 | FileCheck %s

kernel void by_mode(global const float *in, global float *out, int width, int height, int mode)
{
    int x = get_global_id(0), y = get_global_id(1);
    float v = in[y * width + x];
    switch (mode) {
    case 0:
        // CHECK: [[# @LINE + 1]]:{{[1-9][0-9]*}}: warning: uncoalesced global store
        out[x * height + y] = v;
        break;
    case 1:
        out[x * height + y] = v * 2;
        break;
    case 2:
        out[x * height + y] = exp(v);
        break;
    }
}

kernel void arms(global const float *in, global float *out, int n)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x & 1)
        // CHECK: [[# @LINE + 1]]:{{[1-9][0-9]*}}: warning: uncoalesced global store
        out[x * n + y] = in[y * n + x] * 2;
    else
        out[x * n + y] = in[y * n + x] + 3;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
